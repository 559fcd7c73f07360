"""Runs: the most tiles of one colour that fit into runs, for every number of places that they may take.

A *place* is one tile of a run, held or not. The answer for one colour is a curve: the most tiles kept by runs
that take at most 0, 1, … 14 places. Curves are packed into one integer, four bits a value, so that they are
quick to hash: the same few thousand curves recur for all racks.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from engine.arrange.racks import EVERY_LANE, LANE, NUMBERS

PLACES: Final = 14
"""Tiles of a winning rack."""

_LONGEST: Final = 5
"""The longest run to consider: a run of six or more is two runs side by side."""
_BITS: Final = 4


def value_at(curve: int, places: int) -> int:
    """Return the most tiles that runs of at most this many places keep."""
    return curve >> _BITS * places & 15


@lru_cache(maxsize=1 << 14)
def _steps(curve: int) -> tuple[tuple[int, int], ...]:
    """(places, kept) wherever more places keep more tiles."""
    values = [value_at(curve, places) for places in range(PLACES + 1)]
    higher = (places for places in range(1, PLACES + 1) if values[places] > values[places - 1])
    return ((0, 0), *((places, values[places]) for places in higher))


def _pack(kept: Iterable[int]) -> int:
    """Return the curve of these most tiles for 0, 1, … 14 places, made non-decreasing."""
    return sum(value << _BITS * places for places, value in enumerate(accumulate(kept, max)))


class Run(NamedTuple):
    """A run: its numbers (0 for a one), one tile of each as lanes, and its points."""

    numbers: tuple[int, ...]
    lanes: int
    points: int


@cache
def runs_through(number: int, wrap: bool) -> tuple[Run, ...]:
    """Return every run of three to five tiles with this number, shortest first; numbers count from 0 for a
    one.

    With `wrap` a one may stand after a thirteen.
    """
    runs = (
        tuple(place % NUMBERS for place in range(first, first + size))
        for size in range(3, _LONGEST + 1)
        for first in range(NUMBERS + wrap - size + 1)
    )
    return tuple(
        Run(run, sum(1 << LANE * place for place in run), sum(run) + len(run))
        for run in runs
        if number in run
    )


def _ways_to_use_lowest(colour: int, wrap: bool) -> Iterator[tuple[int, int]]:
    """(kept lanes, places) of the runs through the lowest tile; of equal kept lanes the shortest."""
    held = (colour | colour >> 1) & EVERY_LANE
    lowest = ((held & -held).bit_length() - 1) // LANE
    shortest: dict[int, int] = {}
    for run in runs_through(lowest, wrap):
        shortest.setdefault(run.lanes & held, len(run.numbers))
    yield from shortest.items()


@lru_cache(maxsize=1 << 16)
def runs_of(colour: int, wrap: bool) -> int:
    """Return the curve of one colour."""
    if not colour:
        return 0
    held = (colour | colour >> 1) & EVERY_LANE
    best = [0] * (PLACES + 1)
    for places, kept in _steps(runs_of(colour - (held & -held), wrap)):
        best[places] = kept
    for lanes, size in _ways_to_use_lowest(colour, wrap):
        for places, kept in _steps(runs_of(colour - lanes, wrap)):
            if places + size <= PLACES:
                best[places + size] = max(best[places + size], kept + lanes.bit_count())
    return _pack(best)


@lru_cache(maxsize=1 << 17)
def together(one: int, other: int) -> int:
    """Return the curve of two groups of runs that share the places."""
    if not one or not other:
        return one or other
    best = [0] * (PLACES + 1)
    for places, kept in _steps(one):
        for more, gain in _steps(other):
            if places + more <= PLACES:
                best[places + more] = max(best[places + more], kept + gain)
    return _pack(best)


@lru_cache(maxsize=1 << 16)
def runs_of_two(one: int, other: int, wrap: bool) -> int:
    """Return the curve of two colours."""
    return together(runs_of(one, wrap), runs_of(other, wrap))
