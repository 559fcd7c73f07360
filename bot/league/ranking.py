"""Who stands before whom: by points, then by what the organiser lets part those who are equal.

`wins`: tables won · `score`: the sum of the scores · `head_to_head`: what they made of each other, where all
who are still equal have met one another · `opponents`: the mean of the opponents' points · `penalties`: fewer
points of penalty. Whom nothing parts share a rank, and the next one stands as many ranks lower: 1, 2, 2, 4.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, permutations
from typing import Final, TypeVar

from bot.league.model import TieBreak
from bot.league.points import Meetings


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What a member has, as far as order asks for it."""

    rank: int = 0
    """From 1, when `ranked` has given it."""
    member: str
    points: Fraction
    wins: int
    """Tables won alone."""
    score: int
    """The sum of his scores at tables."""
    opponents: Fraction
    """The mean of what his opponents had earned when the night was over, before penalties; 0 without any."""
    met: int
    """How many opponents that is the mean of; one whom he met twice counts twice."""
    penalties: Fraction
    """Points of penalty, already taken from his points."""


AnyTally = TypeVar("AnyTally", bound=Tally)

_FIGURES: Final[Mapping[TieBreak, Callable[[Tally], Fraction | int]]] = {
    "wins": lambda tally: tally.wins,
    "score": lambda tally: tally.score,
    "opponents": lambda tally: tally.opponents,
    "penalties": lambda tally: -tally.penalties,
}
"""The tie-breaks that look at one member alone: more is better."""


def ranked(
    tallies: Iterable[AnyTally],
    ties: Sequence[TieBreak],
    met: Callable[[], Meetings],
    first: int = 1,
) -> tuple[AnyTally, ...]:
    """All of them with their ranks, which begin at `first`, in order; who share a rank, by their ids.

    `met` is asked, perhaps more than once, only where nothing else has parted equals.
    """
    groups = _parted([sorted(tallies, key=_by_id)], lambda tally: tally.points)
    for tie in ties:
        if tie == "head_to_head":
            groups = [part for group in groups for part in _parted_by_meetings(group, met)]
        else:
            groups = _parted(groups, _FIGURES[tie])
    placed: list[AnyTally] = []
    for group in groups:
        rank = first + len(placed)
        placed += [replace(tally, rank=rank) for tally in group]
    return tuple(placed)


def _parted(
    groups: Iterable[list[AnyTally]], figure: Callable[[Tally], Fraction | int]
) -> list[list[AnyTally]]:
    """Each group of equals parted by a figure, the best first; who stay equal stay in order."""
    return [
        list(part)
        for group in groups
        for _, part in groupby(sorted(group, key=figure, reverse=True), key=figure)
    ]


def _parted_by_meetings(group: list[AnyTally], met: Callable[[], Meetings]) -> list[list[AnyTally]]:
    return _parted([group], _among(group, met())) if len(group) > 1 else [group]


def _among(equals: Sequence[Tally], met: Meetings) -> Callable[[Tally], Fraction | int]:
    """What a member made of those who are equal to him; nothing parts them unless all of them have met.

    Of several meetings with one opponent the mean counts, so that nobody gains by meeting somebody oftener.
    """
    made = dict.fromkeys((tally.member for tally in equals), Fraction(0))
    for one, other in permutations(made, 2):
        results = met.get((one, other))
        if results is None:
            return lambda tally: 0
        made[one] += Fraction(sum(results), len(results))
    return lambda tally: made[tally.member]


def _by_id(tally: Tally) -> tuple[int, str]:
    return len(tally.member), tally.member
