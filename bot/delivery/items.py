"""Items: screens and messages that are still due to recipients."""

from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass
from enum import IntEnum

from bot.delivery.notes import EMPTY, Notes
from bot.markup import Page
from bot.ports import Chat, RateLimit, platform_of
from bot.store import Note


class Rank(IntEnum):
    """The order of items when calls are scarce: the lowest goes first."""

    TURN = 0
    """Tells the person that everybody waits for."""
    RACK = 1
    """Shows another player their rack at a beginning or an end."""
    BOARD = 2
    """Shows a place the result of a night's round."""
    NEWS = 3
    """Shows a place a result, a lobby or a night's board, where people look at it."""
    TABLE = 4
    """Shows a place the progress of a round; reminds somebody of a night."""
    CLOCK = 5
    """Shows a place a clock that has moved, or who came and left; shows waiting players whom they wait for;
    pins a board; closes a message that a newer one replaced."""
    OPENING = 6
    """Opens the private chat of a person who will be written to."""


Send = Callable[[], Awaitable[Notes]]
"""Shows or tells the item; returns the notes to write. Raises what a chat may raise, and StoreUnavailable."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The note that is made before something is sent, since sending it again after a kill would disturb
    people. Whoever changes `earlier` to it sends."""

    keys: tuple[str, ...]
    """The keys of the note, all of which are told of at once."""
    note: Note = EMPTY
    earlier: Note | None = None
    """The note until then, under each of the keys."""

    @property
    def notes(self) -> Notes:
        """The note under each of its keys."""
        return dict.fromkeys(self.keys, self.note)

    @property
    def notes_before(self) -> Notes:
        """The notes that it replaces."""
        return dict.fromkeys(self.keys, self.earlier)


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is still to be shown, told or done."""

    of: str
    """The table, night, daily board or league that keeps its notes."""
    key: str
    """At most one item of each key is due to anybody at a time."""
    recipient: str
    """The place or person whose chat's process takes care of it."""
    rank: Rank
    limits: tuple[RateLimit, ...]
    """The limits that it is charged to: those of one scope side by side, the widest scope last."""
    send: Send
    _: KW_ONLY
    is_rack: bool = False
    """Whether it shows a person their own screen, which the answer to a press may bring as well."""
    opens: bool = False
    """Whether it is a rack in a private message: once it is shown, these are known to reach the person."""
    claim: Claim | None = None
    otherwise: Notes | None = None
    """The notes that are made when it cannot be done, which counts as done. None: the recipient is given up.
    A line in a place that has moved can be done there."""
    leads_on: bool = False
    """Whether something else may become due as soon as it is done."""
    calls: bool = True
    """Whether the chat is called; else it is done though the recipient sleeps."""

    @property
    def chat(self) -> str:
        """The chat whose process takes care of it."""
        return platform_of(self.recipient)


def direct_message(
    of: str,
    key: str,
    person: str,
    chat: Chat,
    page: Callable[[], Page],
    rank: Rank = Rank.NEWS,
    *,
    is_closed_later: bool = False,
) -> Item:
    """Return the item for a page that is sent to a person in private, once; `is_closed_later`: whether the
    message is noted."""

    async def send() -> Notes:
        message = await chat.send_direct(person, page(), f"{of} {key}")
        return {key: Note(message)} if is_closed_later else {}

    limits = chat.opening_limits(person) + chat.private_limits(person)
    claim = Claim((key,))
    return Item(of, key, person, rank, limits, send, claim=claim, otherwise=claim.notes)


def make_note(of: str, key: str, noted: Note | None, whose: str, *, leads_on: bool = False) -> Item:
    """Return the item for a note that needs no call, in the process that serves the chat of `whose`."""

    async def send() -> Notes:
        return {key: noted}

    return Item(of, key, whose, Rank.CLOCK, (), send, calls=False, leads_on=leads_on)
