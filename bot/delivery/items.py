"""Items: what a recipient must still be shown or told, and the notes of what they have been."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

from bot.ports import RateLimit, platform_of
from bot.store import ShownMessage


class Rank(IntEnum):
    """What goes first where calls are scarce."""

    TURN = 0
    """Tells the person for whom everybody waits."""
    RACK = 1
    """Shows anybody else their rack at a beginning or an end."""
    BOARD = 2
    """Shows a place what a round of a night came to."""
    NEWS = 3
    """Shows a place a result, a lobby or a night's board, where people look at it."""
    TABLE = 4
    """Shows a place how a round goes on; reminds somebody of a night."""
    CLOCK = 5
    """Shows a place a clock that has moved, or who came and went; shows whoever waits whom they wait for;
    pins a board; closes a message that a newer one replaced."""
    DOOR = 6
    """Opens the way to a person who will be written to."""


class NoteKind(StrEnum):
    """What a note is about, as the word with which its name in the store begins: these words stay."""

    SCREEN = ""
    """What a place or person has before their eyes: a table, a rack, a night's board."""
    CALL = "call"
    """Of a table, by the seat: the last turn of which its player was told. Of a night, by the place: whom it
    was told that their tables are open."""
    REPLACED = "old"
    """A message of a table's place or person, by both: a newer one stands below, and it still has its
    buttons."""
    FIRST_RACK = "dealt"
    """Of a table, by the seat: that its player's first rack of the match came."""
    DIALOGUE = "asks"
    """Of a table, by the seat: the revision at which its player's rack asked them something."""
    CLOSED = "closed"
    """Of a table, by the seat: that its player was told in the place why their rack is not in private."""
    THREAD = "room"
    """The thread that was opened for a table's place."""
    THREAD_TOLD = "way"
    """The line that told the place where its table is."""
    THREAD_CLOSED = "left"
    """That a table's thread was closed."""
    PIN = "pin"
    """The night's board that is pinned in a place."""
    EVENT = "calendar"
    """The night's event on the calendar of a place's community."""
    REMINDER = "remind"
    """By start and seconds before it: who was to be reminded of a night; with a member: that they were."""
    FREE_SEAT = "seat"
    """By round, table, seat, how often it was taken, and member: that they were told of it."""
    ROLE = "role"
    """Of a league: who holds the champions' role in a place's community."""
    ASLEEP = "asleep"
    """By what sleeps or was deleted, and by seat or member: that its player was told."""
    MISSING = "lacks"
    """Of a league, by right and place: that the place was told what the bot lacks."""


class Key(NamedTuple):
    """Under which something is noted: what it is, and which one of these."""

    kind: NoteKind
    which: str


def screen_of(recipient: str) -> Key:
    """The key of a place's or person's screen."""
    return Key(NoteKind.SCREEN, recipient)


def name_of(key: Key) -> str:
    """The name of a key in the store."""
    return f"{key.kind} {key.which}".lstrip()


_KINDS: Final = {kind.value: kind for kind in NoteKind}


Notes = Mapping[Key, ShownMessage]
"""What was shown and told of a table, a night or a league."""

NEVER: Final = ShownMessage("", 0)
"""In place of a note of what was never told; noted, it takes the note away."""


def notes_of(stored: Mapping[str, ShownMessage]) -> Notes:
    """The notes that the store holds. Names of another version of the program are left alone."""
    notes = {}
    for name, shown in stored.items():
        word, space, which = name.partition(" ")
        if not space:
            notes[screen_of(name)] = shown
        elif word in _KINDS:
            notes[Key(_KINDS[word], which)] = shown
    return notes


Send = Callable[[], Awaitable[Notes]]
"""Shows or tells it; what is to be noted of that. Raises what a chat may raise, StoreUnavailable."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is still to be shown, told or done."""

    of: str
    """The table or night: it has one item of each key at a time."""
    key: Key
    recipient: str
    """The place or person; empty when no chat is asked for anything."""
    rank: Rank
    limits: tuple[RateLimit, ...]
    """What it is charged to: limits of the same scope side by side, the widest scope last."""
    send: Send
    _: KW_ONLY
    revision: int | None = None
    """Of the rack that it shows: the answer to a press may bring that, too. None: no answer does."""
    first: ShownMessage | None = None
    """Noted before it is sent, where it would disturb people if it were sent again after a kill."""
    earlier: ShownMessage | None = None
    """What is noted of it until then."""
    otherwise: ShownMessage | None = None
    """Noted where it cannot be done: then it is as good as done. None: its recipient is given up."""
    kept_by: str = ""
    """Under whose name it is noted, when that is not `of`."""
    leads_on: bool = False
    """Whether something else may be to be done as soon as it is."""

    done_with: str = ""
    """A place or person whose chat's process sees to it, where no chat is asked for anything."""

    @property
    def chat(self) -> str:
        """The chat whose process sees to it."""
        return platform_of(self.recipient or self.done_with)
