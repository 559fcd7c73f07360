"""Notes: what was shown, told and done of a table, night, daily board or league, as the store keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from bot.store import ShownMessage


class NoteKind(StrEnum):
    """The subject of a note: the first word of its name in the store. These words never change.

    The key's second part is given after "by". A note has a text or a number only where it is said here."""

    __hash__ = str.__hash__  # notes are looked up all the time, and that of an enum is slow

    SCREEN = ""
    """The present screen of a place or person, by its key: a table, a rack, a night's board. It is a
    `ShownMessage`, all others are a `Note`."""
    CALL = "call"
    """The last turn announced to a player of a table, by seat: the place and the line, if one is there, and
    the number of the call. The people of a night's open tables already called in a place, by place: their
    seats."""
    REPLACED = "old"
    """An old message of a table that still has its buttons, with a newer one below it or the table gone from
    there, by place or person and message: the worth of what it shows."""
    FIRST_RACK = "dealt"
    """The arrival of a player's first rack of the match, by seat."""
    POSTED = "posted"
    """The post of a table's present message in a place, by place: its time in seconds since the epoch."""
    DIALOGUE = "asks"
    """The last question to a player on their rack, by seat: the version of the table then."""
    HOST = "host"
    """The knowledge of a person that they are host of a lobby, which they opened or were told, by person."""
    CLOSED = "closed"
    """The line in a place that tells a player why their rack does not come in private, by seat and person:
    the place and the line, if it is there."""
    THREAD = "room"
    """The thread that was opened for a table, by place; empty: there can be none."""
    THREAD_TOLD = "way"
    """The line in a place that says where its table is, by place; empty: there is none."""
    THREAD_CLOSED = "left"
    """The closing of a table's thread, by thread."""
    PIN = "pin"
    """The night's board that is pinned in a place, by place: like an event and a role a digest of what is
    shown and the platform's reference, and the night's revision if that was refused."""
    EVENT = "calendar"
    """The night's event on the calendar of a community, by one of its places."""
    REMINDER = "remind"
    """The people to be reminded of a night, by start and seconds before it: the members; a reminder that was
    sent, by these and member."""
    CALLED = "invites"
    """The message that calls a person to a lobby, by person; empty: it is closed."""
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


@dataclass(frozen=True, slots=True)
class Note:
    """The note of something that was told or done: its kind says what the parts mean."""

    text: str = ""
    number: int = 0


EMPTY: Final = Note()
"""The note of whatever is told by its key alone; it also stands for one that is missing."""

ShownScreens = Mapping[str, ShownMessage]
"""The screens that places and people see, by their keys."""

ToldNotes = Mapping[Key, Note]
"""Everything else that is noted."""

Notes = Mapping[Key, ShownMessage | Note | None]
"""Notes to be written; None removes one."""


def read_shown(stored: ShownScreens) -> ShownScreens:
    """Return the screens among the notes that the store holds."""
    return {name: shown for name, shown in stored.items() if " " not in name}


def read_told(stored: ShownScreens) -> ToldNotes:
    """Return the other notes that the store holds. Names from another version of the program are ignored."""
    told = {}
    for name, kept in stored.items():
        word, space, which = name.partition(" ")
        if space and word in _KINDS:
            told[Key(_KINDS[word], which)] = Note(kept.message, kept.version)
    return told


def to_store(note: ShownMessage | Note) -> ShownMessage:
    """Return a note as the store takes it."""
    return ShownMessage(note.text, note.number) if isinstance(note, Note) else note


def all_to_store(notes: Notes) -> dict[str, ShownMessage | None]:
    """Return notes as the store takes them, by their names."""
    return {name_of(key): None if note is None else to_store(note) for key, note in notes.items()}


def add_shown(shown: ShownScreens, notes: Notes) -> ShownScreens:
    """Return the screens with notes that were made since."""
    made = {key.which: each for key, each in notes.items() if key.kind is NoteKind.SCREEN}
    left = {key: each for key, each in shown.items() if key not in made}
    return left | {key: each for key, each in made.items() if isinstance(each, ShownMessage)}


def add_told(told: ToldNotes, notes: Notes) -> ToldNotes:
    """Return the other notes with those that were made since."""
    left = {key: each for key, each in told.items() if key not in notes}
    return left | {key: each for key, each in notes.items() if isinstance(each, Note)}
