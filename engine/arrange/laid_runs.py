"""The most points that the tiles of one colour and some okeys can be laid for in runs, whole."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from engine.arrange.laid_sets import OKEYS
from engine.arrange.racks import EVERY_LANE, LANE
from engine.arrange.runs import runs_through

Points = tuple[int, int, int]
"""With no okey, with one, with two."""


class LaidRun(NamedTuple):
    """A run: its numbers from 0 for a one, the lanes it keeps, its okeys and its points."""

    numbers: tuple[int, ...]
    kept: int
    okeys: int
    points: int


@cache
def _runs(number: int, one_after_thirteen: bool) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    return tuple(
        (run, sum(1 << LANE * place for place in run), sum(run) + len(run))
        for run in runs_through(number, one_after_thirteen)
    )


def runs_with_lowest(colour: int, wild: int, one_after_thirteen: bool) -> Iterator[LaidRun]:
    """Every run that the lowest tile can be laid in with so many okeys."""
    held = (colour | colour >> 1) & EVERY_LANE
    lowest = held & -held
    for numbers, lanes, points in _runs((lowest.bit_length() - 1) // LANE, one_after_thirteen):
        kept = lanes & held
        okeys = len(numbers) - kept.bit_count()
        if okeys <= wild:
            yield LaidRun(numbers, kept, okeys, points)


def without_lowest(colour: int) -> int:
    """The colour without one tile of its lowest number."""
    held = (colour | colour >> 1) & EVERY_LANE
    return colour - (held & -held)


@lru_cache(maxsize=1 << 14)
def points_in_runs(colour: int, one_after_thirteen: bool) -> Points:
    """The most points in runs; tiles may be left over."""
    if not colour:
        return 0, 0, 0
    best = list(points_in_runs(without_lowest(colour), one_after_thirteen))
    for run in runs_with_lowest(colour, OKEYS, one_after_thirteen):
        rest = points_in_runs(colour - run.kept, one_after_thirteen)
        for wild in range(run.okeys, OKEYS + 1):
            best[wild] = max(best[wild], run.points + rest[wild - run.okeys])
    return best[0], best[1], best[2]


@lru_cache(maxsize=1 << 14)
def shared(one: Points, other: Points) -> Points:
    """The most points of two groups of melds that share the okeys."""
    a, b, c = one
    d, e, f = other
    return a + d, max(a + e, b + d), max(a + f, b + e, c + d)


def best_in_runs(colour: int, wild: int, one_after_thirteen: bool) -> list[LaidRun]:
    """Runs that are worth what `points_in_runs` says."""
    if not colour:
        return []
    points = points_in_runs(colour, one_after_thirteen)[wild]
    if points_in_runs(without_lowest(colour), one_after_thirteen)[wild] == points:
        return best_in_runs(without_lowest(colour), wild, one_after_thirteen)
    for run in runs_with_lowest(colour, wild, one_after_thirteen):
        rest = points_in_runs(colour - run.kept, one_after_thirteen)[wild - run.okeys]
        if run.points + rest == points:
            return [run, *best_in_runs(colour - run.kept, wild - run.okeys, one_after_thirteen)]
    raise AssertionError("no run is worth what the table says")
