"""Items: screens and messages that are still due to recipients, and the notes of those that they have had."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

from bot.markup import Page
from bot.ports import Chat, RateLimit, platform_of
from bot.store import ShownMessage


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


class NoteKind(StrEnum):
    """The subject of a note: the first word of its name in the store. These words never change.

    The key's second part is given after "by".
    """

    __hash__ = str.__hash__  # notes are looked up all the time, and that of an enum is slow

    SCREEN = ""
    """The present screen of a place or person, by its key: a table, a rack, a night's board."""
    CALL = "call"
    """The last turn announced to a player of a table, by seat; the people of a night's open tables already
    called in a place, by place."""
    REPLACED = "old"
    """An old message of a table that still has its buttons, with a newer one below it or the table gone from
    there, by place or person and message. Its worth is what it shows."""
    FIRST_RACK = "dealt"
    """The arrival of a player's first rack of the match, by seat."""
    POSTED = "posted"
    """The time at which a table's present message was posted in a place, in seconds since the epoch, by
    place."""
    DIALOGUE = "asks"
    """The version of the table at which a player's rack last asked them something, by seat."""
    HOST = "host"
    """The knowledge of a person that they are host of a lobby, which they opened or were told, by person."""
    CLOSED = "closed"
    """The line in a place that tells a player why their rack does not come in private, by seat and person."""
    THREAD = "room"
    """The thread that was opened for a table, by place."""
    THREAD_TOLD = "way"
    """The line in a place that says where its table is, by place."""
    THREAD_CLOSED = "left"
    """The closing of a table's thread, by thread."""
    PIN = "pin"
    """The night's board that is pinned in a place, by place."""
    EVENT = "calendar"
    """The night's event on the calendar of a community, by one of its places."""
    REMINDER = "remind"
    """The people to be reminded of a night, by start and seconds before it; a reminder that was sent, by
    these and member."""
    CALLED = "invites"
    """The message that calls a person to a lobby, until it is closed, by person."""
    FREE_SEAT = "seat"
    """The news of a free seat to a substitute, by round, table, seat, how often it was taken, and member."""
    ROLE = "role"
    """The holders of a league's champions' role in a community, by one of its places."""
    ASLEEP = "asleep"
    """The notice to a player that a place does not show a table or board, by news, place, seat or member."""
    MISSING = "lacks"
    """The notice to a place of a right that the bot lacks there, by right and place."""


class Key(NamedTuple):
    """The key of a note: its kind, and which one of that kind."""

    kind: NoteKind
    which: str


def screen_of(recipient: str) -> Key:
    """Return the key of a place's or person's screen."""
    return Key(NoteKind.SCREEN, recipient)


def name_of(key: Key) -> str:
    """Return the name of a key in the store."""
    return f"{key.kind} {key.which}".lstrip()


_KINDS: Final = {kind.value: kind for kind in NoteKind}


Notes = Mapping[Key, ShownMessage]
"""The notes of a table, a night or a league."""

NEVER: Final = ShownMessage("", 0)
"""Stands for a missing note; writing it removes the note."""


def notes_of(stored: Mapping[str, ShownMessage]) -> Notes:
    """Return the notes that the store holds. Names from another version of the program are ignored."""
    notes = {}
    for name, shown in stored.items():
        word, space, which = name.partition(" ")
        if not space:
            notes[screen_of(name)] = shown
        elif word in _KINDS:
            notes[Key(_KINDS[word], which)] = shown
    return notes


Send = Callable[[], Awaitable[Notes]]
"""Shows or tells the item; returns the notes to write. Raises what a chat may raise, and StoreUnavailable."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The note that is made before something is sent, since sending it again after a kill would disturb
    people. Whoever changes `earlier` to it sends."""

    keys: tuple[Key, ...]
    """The keys of the note, all of which are told of at once."""
    note: ShownMessage
    earlier: ShownMessage | None = None
    """The note until then, under each of the keys."""

    @property
    def notes(self) -> Notes:
        """The note under each of its keys."""
        return dict.fromkeys(self.keys, self.note)

    @property
    def notes_before(self) -> Notes:
        """The notes that it replaces."""
        return dict.fromkeys(self.keys, self.earlier or NEVER)


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is still to be shown, told or done."""

    of: str
    """The table, night, daily board or league that keeps its notes."""
    key: Key
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


_TOLD: Final = ShownMessage("told", 0)


def direct_message(
    of: str, key: Key, person: str, chat: Chat, page: Callable[[], Page], rank: Rank = Rank.NEWS
) -> Item:
    """Return the item for a page that is sent to a person in private, once."""

    async def send() -> Notes:
        await chat.send_direct(person, page(), f"{of} {name_of(key)}")
        return {}

    limits = chat.opening_limits(person) + chat.private_limits(person)
    claim = Claim((key,), _TOLD)
    return Item(of, key, person, rank, limits, send, claim=claim, otherwise=claim.notes)


def make_note(of: str, key: Key, noted: ShownMessage, whose: str, *, leads_on: bool = False) -> Item:
    """Return the item for a note that needs no call, in the process that serves the chat of `whose`."""

    async def send() -> Notes:
        return {key: noted}

    return Item(of, key, whose, Rank.CLOCK, (), send, calls=False, leads_on=leads_on)
