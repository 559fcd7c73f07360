"""What a table earns its people, whatever its size.

3 · (opponents beaten + half of those with an equal score) / opponents: 3 for the winner of any table, 1½ in
the middle. Opponents are all other seats, or the two of the other team; a computer player's seat is one like
any other, though it earns nothing itself. Fractions, so that no order ever hangs on rounding.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.league.results import NightResult, TableResult

MOST: Final = 3
"""What the winner of a table earns."""

Meetings = Mapping[tuple[str, str], Sequence[int]]
"""By member and opponent: what each of their meetings came to for the first, as `halves` counts it."""


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


def halves(table: TableResult) -> tuple[dict[int, int], ...]:
    """What each seat has made of each opponent's: 2 if it beat him, 1 if they are equal, else 0."""
    scores = [score_of(table, seat) for seat in range(len(table.seats))]
    return tuple(
        {other: 1 + (own > scores[other]) - (own < scores[other]) for other in opponents_of(table, seat)}
        for seat, own in enumerate(scores)
    )


def points_at(table: TableResult) -> tuple[Fraction, ...]:
    """The points that each seat's place is worth."""
    return tuple(Fraction(MOST * sum(made.values()), 2 * len(made)) for made in halves(table))


def wins_at(table: TableResult) -> tuple[bool, ...]:
    """Which seats won the table: those that beat every opponent. A shared first place is nobody's win."""
    return tuple(min(made.values()) == 2 for made in halves(table))


def meetings(tables: Iterable[TableResult]) -> Meetings:
    """Who met whom as an opponent, and what came of it."""
    met: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for table in tables:
        members = [seat.member for seat in table.seats]
        for own, made in zip(members, halves(table), strict=True):
            for other, result in made.items():
                met[own, members[other]].append(result)
    return met
