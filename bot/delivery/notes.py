"""Notes: what was shown, told and done of a table, night, daily board or league, as the store keeps it.

The present screen of a place or person is noted under their own key, with the message's reference and the
version that it shows. Everything else is noted under its kind and what it is about.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from bot.ports import Chat
from bot.store import Note
from bot.tables.table import Table
from bot.tables.worth import message_of, read_worth


class NoteKind(StrEnum):
    """The subject of a note: the first word of its key. These words never change.

    What it is about is given after "by". A note has a text or a number only where it is said here."""

    CALL = "call"
    """The last turn announced to a player of a table, by seat: the place and the line, if one is there, and
    the number of the call. The people of a night's open tables already called in a place, by place: their
    seats."""
    REPLACED = "old"
    """An old message of a table that still has its buttons, with a newer one below it or the table gone from
    there, by place or person and message: the worth of what it shows."""
    FIRST_RACK = "dealt"
    """The arrival of a player's first rack of the match, by seat."""
    MATCH_END = "won"
    """The end of a match: its news to a player in a new message, by seat; the reaction to a place's message
    that tells it, by place."""
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
    CALLED_ROLE = "roles"
    """The line that calls a role to a lobby, by place."""
    FREE_SEAT = "seat"
    """The news of a free seat to a substitute, by round, table, seat, how often it was taken, and member."""
    ROLE = "role"
    """The holders of a league's champions' role in a community, by one of its places."""
    ASLEEP = "asleep"
    """The notice to a player that a place does not show a table or board, by news, place, seat or member."""
    MISSING = "lacks"
    """The notice to a place of a right that the bot lacks there, by right and place."""

    def of(self, *about: object) -> str:
        """Return the key of a note of this kind."""
        return " ".join(map(str, (self.value, *about)))


EMPTY: Final = Note()
"""The note of whatever is told by its key alone; it also stands for one that is missing."""

KnownNotes = Mapping[str, Note]
"""The notes of a table, night or daily board, by their keys."""

Notes = Mapping[str, Note | None]
"""Notes to be written; None removes one."""


def is_screen(key: str) -> bool:
    """Return whether a note tells the screen of a place or person, whose key it has."""
    return " " not in key


def is_anew(shown: Note | None, table: Table) -> bool:
    """Return whether a place is to be shown a table in a new message, because it has none of this round or
    posting yet, or slept since."""
    seen = None if shown is None else read_worth(shown.worth)
    return seen is None or seen.message != message_of(table)


def find_link(chat: Chat | None, place: str, shown: Note | None, table: Table) -> str | None:
    """Return the address of the message that shows a table in a place; None: it has none. A lobby's or an
    earlier round's is none: it would lead past the table."""
    if chat is None or shown is None or is_anew(shown, table):
        return None
    return chat.places.message_link(place, shown.text)


def find_notes(notes: KnownNotes, kind: NoteKind) -> KnownNotes:
    """Return the notes of a kind, by what each is about."""
    word = kind.of("")
    return {key.removeprefix(word): note for key, note in notes.items() if key.startswith(word)}


def add_notes(known: KnownNotes, notes: Notes) -> KnownNotes:
    """Return the known notes with those that were made since."""
    return {key: note for key, note in {**known, **notes}.items() if note is not None}
