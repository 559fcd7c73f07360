"""A round's seating, and why there may be none."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.errors import Refused
from bot.league.model import Seating

Unit: TypeAlias = tuple[str, ...]
"""Members who are seated as one: somebody alone, or two who are partners for the whole night."""

Group: TypeAlias = tuple[Unit, ...]
"""Those who meet at a table, not yet in the order of its seats."""


@dataclass(frozen=True, slots=True)
class Seated:
    """One round's seating."""

    tables: tuple[tuple[str, ...], ...]
    """Members by table, in seat order: seat 0 begins, and as partners 0 and 2 play against 1 and 3. Where
    computer players fill the tables, they sit in the seats behind the members."""
    byes: tuple[str, ...] = ()
    """Who sits out, because nobody is left to play with."""


class CannotSeat(Refused):
    """No table can be made of these people: `too_few` (`people`, `needed`)."""


def units_at(table: tuple[str, ...], mode: Seating) -> Group:
    """Who sat at a table, in the units that a mode seats."""
    if mode != "pairs":
        return tuple((member,) for member in table)
    return tuple(unit for unit in (tuple(sorted(table[0::2])), tuple(sorted(table[1::2]))) if unit)
