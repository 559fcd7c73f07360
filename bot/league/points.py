"""What a table earns its people, whatever its size.

3 · (opponents beaten + half of those with an equal score) / opponents: 3 for the winner of any table, 1½ in
the middle. Opponents are all other seats, or the two of the other team; a computer player's seat is one like
any other, though it earns nothing itself. Fractions, so that no order ever hangs on rounding.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from bot.league.results import NightResult, TableResult

MOST: Final = Fraction(3)
"""What the winner of a table earns."""

_HALF: Final = Fraction(1, 2)

Meetings = Mapping[tuple[str, str], tuple[Fraction, ...]]
"""By member and opponent: what their meetings came to for the first, 1, ½ or 0 each."""


def tables_that_count(night: NightResult) -> tuple[TableResult, ...]:
    """The tables that have points: counted, or disputed and not decided yet."""
    return tuple(table for table in night.tables if table.state in ("counted", "disputed"))


def exact(points: float) -> Fraction:
    """Points as an organiser wrote them: 0.1 is a tenth."""
    return Fraction(repr(points))


def opponents_of(table: TableResult, seat: int) -> tuple[int, ...]:
    """The seats against which a seat plays."""
    return tuple(
        other
        for other in range(len(table.seats))
        if other != seat and not (table.teams and other % 2 == seat % 2)
    )


def score_of(table: TableResult, seat: int) -> int:
    """A seat's score; under teams, that of both partners together."""
    return sum(
        each.score
        for other, each in enumerate(table.seats)
        if other == seat or (table.teams and other % 2 == seat % 2)
    )


def against(table: TableResult, seat: int, other: int) -> Fraction:
    """What a seat has made of another: 1 if it beat it, ½ if they are equal."""
    own, others = score_of(table, seat), score_of(table, other)
    return Fraction(own > others) + _HALF * (own == others)


def points_at(table: TableResult) -> tuple[Fraction, ...]:
    """The points that each seat's place is worth."""
    return tuple(
        MOST * sum(against(table, seat, other) for other in opponents) / len(opponents)
        for seat, opponents in enumerate(opponents_of(table, seat) for seat in range(len(table.seats)))
    )


def wins_at(table: TableResult) -> tuple[bool, ...]:
    """Which seats won the table: those that beat every opponent. A shared first place is nobody's win."""
    return tuple(
        all(against(table, seat, other) == 1 for other in opponents_of(table, seat))
        for seat in range(len(table.seats))
    )


def meetings(tables: Iterable[TableResult]) -> Meetings:
    """Who met whom as an opponent, and what came of it; computer players are nobody."""
    met: defaultdict[tuple[str, str], tuple[Fraction, ...]] = defaultdict(tuple)
    for table in tables:
        for seat, own in enumerate(table.seats):
            for other in opponents_of(table, seat):
                if own.member and table.seats[other].member:
                    met[own.member, table.seats[other].member] += (against(table, seat, other),)
    return met
