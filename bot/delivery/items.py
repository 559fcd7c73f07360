"""Items: what a recipient must still be shown or told, and the notes that say what they have been."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from enum import IntEnum
from typing import Any, Final

from bot.ports import RateLimit
from bot.store import Shown


class Rank(IntEnum):
    """What goes first where calls are scarce."""

    TURN = 0
    """Tells the person for whom everybody waits."""
    RACK = 1
    """Brings anybody else's rack up to date."""
    NEWS = 2
    """Shows a place a result, a lobby or a night's board, where people look at it."""
    TABLE = 3
    """Shows a place how a round goes on; reminds somebody of a night."""
    CLOCK = 4
    """Shows a place a clock that has moved, or who came and went; pins a board."""
    DOOR = 5
    """Opens the way to a person who will be written to."""


# Keys: under which it is noted what somebody was shown or told


@dataclass(frozen=True, slots=True)
class ScreenOf:
    """What a place or person has before their eyes: a table, a rack, a night's board."""

    recipient: str


@dataclass(frozen=True, slots=True)
class TurnPing:
    """Of a table: the last time that whoever has this seat was told of a turn (`ping_revision`)."""

    seat: int


@dataclass(frozen=True, slots=True)
class ThreadOpened:
    """Of a table: the thread that was opened for a place; `NO_THREAD` where there can be none."""

    place: str


@dataclass(frozen=True, slots=True)
class ThreadTold:
    """Of a table: the line that told a place where its table is."""

    place: str


@dataclass(frozen=True, slots=True)
class ThreadsEntered:
    """Of a table: that it moves into its threads. Never noted: the table itself says so."""


@dataclass(frozen=True, slots=True)
class ThreadClosed:
    """Of a table: that its thread was closed."""

    thread: str


@dataclass(frozen=True, slots=True)
class RoundCall:
    """Of a night: whom a place was told that their tables are open."""

    place: str


@dataclass(frozen=True, slots=True)
class Pinned:
    """Of a night: the board that is pinned in a place."""

    place: str


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """Of a night: its event on the calendar of a place's community."""

    place: str


@dataclass(frozen=True, slots=True)
class RemindedMembers:
    """Of a night: who had signed up when people were to be reminded; start and time before it, in seconds."""

    start: int
    before: int


@dataclass(frozen=True, slots=True)
class Reminder:
    """Of a night: that a member was reminded."""

    start: int
    before: int
    member: str


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Of a night: that a substitute was told of a seat, which so many had taken before."""

    round: int
    table: int
    seat: int
    taken: int
    member: str


@dataclass(frozen=True, slots=True)
class ChampionRole:
    """Of a league: who holds the champions' role in a place's community."""

    place: str


@dataclass(frozen=True, slots=True)
class MissingRight:
    """Of a league: that a place was told which right the bot lacks."""

    right: str
    place: str


Key = (
    ScreenOf
    | TurnPing
    | ThreadOpened
    | ThreadTold
    | ThreadsEntered
    | ThreadClosed
    | RoundCall
    | Pinned
    | CalendarEvent
    | RemindedMembers
    | Reminder
    | FreeSeat
    | ChampionRole
    | MissingRight
)

NO_THREAD: Final = "-"

_WORDS: Final[dict[type[Any], str]] = {
    TurnPing: "call",
    RoundCall: "call",
    ThreadOpened: "room",
    ThreadTold: "way",
    ThreadClosed: "left",
    Pinned: "pin",
    CalendarEvent: "calendar",
    RemindedMembers: "remind",
    Reminder: "remind",
    FreeSeat: "seat",
    ChampionRole: "role",
    MissingRight: "lacks",
}
"""By which stored names begin. They stay: what was told once must be known as told for good."""


def name_of(key: Key) -> str:
    """The name under which the store keeps a note."""
    if isinstance(key, ScreenOf):
        return key.recipient
    return " ".join((_WORDS[type(key)], *map(str, astuple(key))))


def key_of(name: str) -> Key | None:
    """The key of a stored name; None for one that this version of the program does not know."""
    word, *values = name.split(" ")
    if not values:
        return ScreenOf(word)
    for kind in (each for each, begins in _WORDS.items() if begins == word):
        if len(fields(kind)) == len(values):
            with suppress(ValueError):  # a place's key is no seat's number
                typed = (field.type(value) for field, value in zip(fields(kind), values, strict=True))  # type: ignore[operator]
                return kind(*typed)  # type: ignore[no-any-return]
    return None


Told = Mapping[Key, Shown]
"""What everybody was shown and told of a table, a night or a league."""


def told_of(stored: Mapping[str, Shown]) -> Told:
    """The notes of the store, by their keys."""
    keyed = ((key_of(name), shown) for name, shown in stored.items())
    return {key: shown for key, shown in keyed if key is not None}


Notes = Mapping[Key, Shown]
"""What is to be noted once something was shown or told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that is still to be shown, told or done, and how."""

    of: str
    """The table or night."""
    key: Key
    """What it is: of a table or night there is one item of each key at a time."""
    recipient: str = ""
    """The place or person; empty when no chat is asked for anything."""
    rank: Rank = Rank.NEWS
    limits: tuple[RateLimit, ...] = ()
    """What it is charged to: limits of the same scope side by side, the widest scope last."""
    send: Callable[[], Awaitable[Notes]]
    """Does it. Raises what a chat may raise, StoreUnavailable."""
    revision: int | None = None
    """Of the rack that it shows: the answer to a press may bring that, too. None: no answer does."""
    first: Shown | None = None
    """Noted before it is done, where it would disturb people if it were done again after a kill."""
    earlier: Shown | None = None
    """What is noted of it until then."""
    otherwise: Shown | None = None
    """Noted where it cannot be done: then it is as good as done. None: its recipient is given up."""
    kept_by: str = ""
    """Under whose name it is noted, when that is not `of`."""
    leads_on: bool = False
    """Whether something else may be to be done as soon as it is."""
