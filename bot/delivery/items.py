"""Items: screens and messages that are still due to recipients.

| an item             | is noted                   | and refused for good (`due_after`)                   |
|---------------------|----------------------------|------------------------------------------------------|
| shows a screen      | after it, with its message | it is due when its place wakes or its chat is opened |
| tells somebody once | before it (`is_once`)      | it counts as told; it is due where a place moved to  |
| tidies up           | after it                   | it counts as done; messages close when places wake   |
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import IntEnum

from bot.delivery.notes import EMPTY, KnownNotes, Notes
from bot.markup import Page
from bot.ports import (
    Chat,
    DirectChannels,
    FinalRefusal,
    PlaceMoved,
    RateLimit,
    platform_of,
)
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


Send = Callable[[], Awaitable[Notes | None]]
"""Shows, tells or does the item; returns the notes that only the call can bring, such as the message's
reference. Raises what a chat may raise, and StoreUnavailable."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is still to be shown, told or done."""

    of: str
    """The table, night, daily board or league that keeps its notes."""
    key: str
    """At most one item of each key is due to anybody at a time."""
    recipient: str
    """The place or person whose chat's process takes care of it; for what calls nobody, that chat's name."""
    rank: Rank
    limits: tuple[RateLimit, ...]
    """The limits that it is charged to: those of one scope side by side, the widest scope last."""
    send: Send
    _: KW_ONLY
    done: Notes = field(default_factory=dict)
    """The notes by which it is done, unless the call brings others of the same keys."""
    is_once: bool = False
    """Whether it is noted before it is sent, since sending it again after a kill would disturb people.
    Whoever changes `earlier` to the note, which is one for all its keys, sends it."""
    earlier: Note | None = None
    """The note until then, under each of the keys."""
    due_after: tuple[type[FinalRefusal], ...] = (FinalRefusal,)
    """The final refusals after which it is still due, as soon as its recipient can be reached again. By the
    others it is done, too."""
    is_rack: bool = False
    """Whether it shows a person their own screen, which the answer to a press may bring as well."""
    opens: bool = False
    """Whether it is a rack in a private message: once that is noted, these are known to reach the person."""
    leads_on: bool = False
    """Whether something else may become due as soon as it is done."""

    @property
    def chat(self) -> str:
        """The chat whose process takes care of it."""
        return platform_of(self.recipient)

    def is_done_by(self, error: Exception) -> bool:
        """Return whether there is nothing left to do after it failed by this error."""
        return isinstance(error, FinalRefusal) and not isinstance(error, self.due_after)

    def is_noted(self, notes: KnownNotes) -> bool:
        """Return whether these notes say that it is done."""
        if self.is_once:
            return any(notes.get(key) != self.earlier for key in self.done)
        return bool(self.done) and all(notes.get(key) == note for key, note in self.done.items())


def limit_opening(chat: Chat, person: str) -> tuple[RateLimit, ...]:
    """Return the additional limits for the first private message to a person; empty when their private chat
    is open."""
    return chat.opening_limits(person) if isinstance(chat, DirectChannels) else ()


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

    limits = limit_opening(chat, person) + chat.limits.private(person)
    return Item(of, key, person, rank, limits, send, done={key: EMPTY}, is_once=True, due_after=())


def line_in_place(
    of: str,
    keys: Sequence[str],
    place: str,
    chat: Chat,
    send: Send,
    rank: Rank = Rank.NEWS,
    *,
    note: Note = EMPTY,
    earlier: Note | None = None,
) -> Item:
    """Return the item for a line that is posted in a place, once; `note` stands under all of its keys after
    it, and `earlier` before."""
    return Item(
        of,
        keys[0],
        place,
        rank,
        chat.limits.public(place),
        send,
        done=dict.fromkeys(keys, note),
        is_once=True,
        earlier=earlier,
        due_after=(PlaceMoved,),  # where it has moved to, its people can be told
    )
