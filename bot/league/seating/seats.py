"""Who sits where at a table."""

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Final

from bot.league.model import Seating
from bot.league.seating.past import Past, partners_at
from bot.league.seating.seated import Group, Unit

PARTNERS_AGAIN: Final = 100
"""More than any number of times that people can have sat in their seats."""


def in_seats(group: Group, past: Past, mode: Seating) -> tuple[str, ...]:
    """Members in the seats that they had least often; where partners change, above all with new partners.

    Among equals they stay in the order in which they come: plans have thought of the seats, too.
    """

    def cost(table: tuple[str, ...]) -> int:
        again = sum(past.partnered[pair] for pair in partners_at(table)) if mode == "partners" else 0
        return PARTNERS_AGAIN * again + seat_cost(table, past)

    return min(_orders(group), key=cost)


def seat_cost(table: tuple[str, ...], past: Past) -> int:
    """How often those at a table sat where they are to sit."""
    return sum(past.sat[member, seat] for seat, member in enumerate(table))


def fewest_seats(units: Iterable[Unit], past: Past) -> int:
    """What `seat_cost` comes to when everybody is where he sat least often: no seating has less."""
    return sum(min(past.sat[member, seat] for seat in range(4)) for unit in units for member in unit)


def _orders(group: Group) -> Iterator[tuple[str, ...]]:
    if all(len(unit) == 1 for unit in group):
        yield from permutations(unit[0] for unit in group)
        return
    for first, second in permutations(group):
        if len(first) == 2:  # a member without a partner leaves seat 3 to the computer
            for a, c in permutations(first):
                for others in permutations(second):
                    yield (a, others[0], c, *others[1:])
