"""What the places and people of a table have not seen yet, and how much that matters."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from bot.notifying import awaited
from bot.store import Shown
from bot.tables.model import Table

CALL: Final = "call"
"""Stands for the line that calls whoever is on turn."""


GONE: Final = 2**31
"""The stamp of the last that a person who was removed is shown: later than any other."""

ROOM: Final = "room"
"""Stands for what is to be done next for a table's rooms."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place or a person at a table, `CALL` or `ROOM`."""

    table: str
    key: str


class Rank(IntEnum):
    """What goes first where calls are scarce."""

    TURN = 0
    """Tells the person for whom everybody waits."""
    RACK = 1
    """Brings anybody else's rack up to date."""
    NEWS = 2
    """Shows a place how a round ended, or a lobby, where people look at it."""
    TABLE = 3
    """Shows a place how a round goes on."""
    CLOCK = 4
    """Shows a place a clock that has moved, or who came and went."""
    DOOR = 5
    """Opens the way to a person who will be written to."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a target has not seen yet. `seat` is None for a place."""

    rank: Rank
    seat: int | None
    message: str | None
    fresh: bool = False
    """Whether a place deserves a new message rather than an edit."""
    farewell: bool = False
    """Whether a person's last rack here is to say that he was removed."""


def need_of(table: Table, key: str, shown: Shown | None, *, open: bool) -> Need | None:
    """What must be shown to a target that last saw `shown`; None when nothing.

    `open`: whether nothing has to be opened before a person can be written to.
    """
    if key in table.places:
        return None if table.awaits_room else _need_of_place(table, shown)
    number = table.seat_of(key)
    if number is None and key in table.removed and shown is not None and shown.stamp < GONE:
        return Need(Rank.RACK, None, shown.message, farewell=True)
    if number is None or table.seats[number].private_closed:
        return None
    if table.stage == "lobby":
        return None if open else Need(Rank.DOOR, number, None)
    if table.match.round is None and shown is None:
        return None
    if shown is not None and shown.stamp >= table.seats[number].stamp:
        return None
    rank = Rank.TURN if awaited(table) == number else Rank.RACK
    return Need(rank, number, None if shown is None else shown.message)


def _need_of_place(table: Table, shown: Shown | None) -> Need | None:
    if shown is not None and shown.stamp >= table.stamp:
        return None
    fresh = shown is None or shown.stamp < table.round_stamp
    seen = 0 if shown is None else shown.stamp
    return Need(_public_rank(table, seen), None, None if shown is None else shown.message, fresh)


def _public_rank(table: Table, seen: int) -> Rank:
    """How much it matters to a place that last saw the stamp `seen`."""
    if table.stage != "playing":
        return Rank.NEWS
    if seen >= table.game_stamp:
        return Rank.CLOCK
    turn = awaited(table)
    told_here = turn is not None and table.seats[turn].private_closed
    return Rank.TURN if told_here else Rank.TABLE
