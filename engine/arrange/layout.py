"""Layout: complete melds, with a number of okeys and a face for each okey.

First the runs of one colour and the sets of one number; then one arrangement of a winning rack.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from engine.arrange.racks import COLOURS, EVERY_LANE, LANE, NUMBERS, Colours, CountedRack
from engine.arrange.runs import PLACES, runs_through
from engine.arrange.search import SMALLEST, Choice, Choices, Hands, count_kept, hands_of
from engine.melds import Meld, tile_for
from engine.tiles import Tile

OKEYS: Final = 2
_MOST: Final = 3
"""The most sets of a number, from its eight tiles and two okeys."""

Points = tuple[int, int, int]
"""Points with no okey, with one, with two."""


class LaidRun(NamedTuple):
    """A run: its numbers (0 for a one), the lanes it keeps, its okeys and its points."""

    numbers: tuple[int, ...]
    kept: int
    okeys: int
    points: int


def _runs_with_lowest(colour: int, wild: int, wrap: bool, okey_worth: int | None = None) -> Iterator[LaidRun]:
    """Yield every run in which the lowest tile can be laid with at most `wild` okeys. An okey counts
    `okey_worth`; None: as the tile it stands for."""
    held = (colour | colour >> 1) & EVERY_LANE
    lowest = held & -held
    for numbers, lanes, points in runs_through((lowest.bit_length() - 1) // LANE, wrap):
        kept = lanes & held
        okeys = len(numbers) - kept.bit_count()
        if okeys <= wild:
            if okey_worth is not None:
                plain = sum(number + 1 for number in numbers if kept >> LANE * number & 1)
                points = plain + okeys * okey_worth
            yield LaidRun(numbers, kept, okeys, points)


def _without_lowest(colour: int) -> int:
    """Return the colour without one tile of its lowest number."""
    held = (colour | colour >> 1) & EVERY_LANE
    return colour - (held & -held)


@lru_cache(maxsize=1 << 14)
def points_in_runs(colour: int, wrap: bool, okey_worth: int | None = None) -> Points:
    """Return the most points in runs; tiles may be left over. An okey counts as in `_runs_with_lowest`."""
    if not colour:
        return 0, 0, 0
    best = list(points_in_runs(_without_lowest(colour), wrap, okey_worth))
    for run in _runs_with_lowest(colour, OKEYS, wrap, okey_worth):
        rest = points_in_runs(colour - run.kept, wrap, okey_worth)
        for wild in range(run.okeys, OKEYS + 1):
            best[wild] = max(best[wild], run.points + rest[wild - run.okeys])
    return best[0], best[1], best[2]


@lru_cache(maxsize=1 << 14)
def share_okeys(one: Points, other: Points) -> Points:
    """Return the most points of two groups of melds that share the okeys."""
    a, b, c = one
    d, e, f = other
    return a + d, max(a + e, b + d), max(a + f, b + e, c + d)


def best_in_runs(colour: int, wild: int, wrap: bool) -> list[LaidRun]:
    """Runs that are worth the points of `points_in_runs`."""
    if not colour:
        return []
    points = points_in_runs(colour, wrap)[wild]
    if points_in_runs(_without_lowest(colour), wrap)[wild] == points:
        return best_in_runs(_without_lowest(colour), wild, wrap)
    for run in _runs_with_lowest(colour, wild, wrap):
        rest = points_in_runs(colour - run.kept, wrap)[wild - run.okeys]
        if run.points + rest == points:
            return [run, *best_in_runs(colour - run.kept, wild - run.okeys, wrap)]
    raise AssertionError("no run is worth what the table says")


class LaidSets(NamedTuple):
    """Up to three sets of a number: the plain tiles and the okeys of each, and the tiles that they take."""

    number: int
    hands: Hands
    okeys: tuple[int, ...]
    takes: Colours
    wild: int
    points: int


@cache
def list_sets_of(number: int, column: int, wild: int, okey_worth: int | None = None) -> tuple[LaidSets, ...]:
    """Return every choice of tiles that sets of this number can use up, the most points first. An okey counts
    as in `_runs_with_lowest`."""
    ways = []
    for counts, (hands, okeys) in _partitions(column).items():
        if sum(okeys) <= wild:
            red, yellow, blue, black = (count << LANE * number for count in counts[:COLOURS])
            each = number + 1 if okey_worth is None else okey_worth
            points = (number + 1) * sum(counts[:COLOURS]) + each * sum(okeys)
            ways.append(LaidSets(number, hands, okeys, (red, yellow, blue, black), sum(okeys), points))
    return tuple(sorted(ways, key=lambda way: (-way.points, way.wild, way.takes)))


@cache
def _partitions(column: int) -> dict[tuple[int, ...], tuple[Hands, tuple[int, ...]]]:
    """By the numbers of tiles of each colour and of okeys: one way to lay them in sets."""
    found: dict[tuple[int, ...], tuple[Hands, tuple[int, ...]]] = {}
    for hands, used in hands_of(column, smallest=1, sets=_MOST):
        missing = (range(max(0, SMALLEST - len(hand)), COLOURS - len(hand) + 1) for hand in hands)
        for okeys in product(*missing):
            if sum(okeys) <= OKEYS:
                found.setdefault((*used, sum(okeys)), (hands, okeys))
    return found


def melds_of(rack: CountedRack) -> tuple[Meld, ...] | None:
    """Return the melds of fourteen tiles that all fit into sets and runs; None when they do not."""
    plain = PLACES - rack.wild
    for choice in Choices(rack, rack.wild):
        if count_kept(choice) == plain:
            hands = [(way.number, hand) for way in choice.sets for hand in way.hands]
            melds = _with_sets(choice, hands, rack.wild, rack.rules.okey)
            if melds is not None:
                return tuple(melds)
    return None


def runs_with_all(left: Colours, wrap: bool, wild: int, okey: Tile) -> list[Meld] | None:
    """Return runs of all these tiles with all the okeys; None: there are none."""
    return _with_runs(left, wrap, 0, wild, okey)


def _with_sets(
    choice: Choice, hands: Sequence[tuple[int, tuple[int, ...]]], wild: int, okey: Tile
) -> list[Meld] | None:
    """Return the sets, with numbers of okeys that leave the right number for the other melds; None:
    impossible."""
    if not hands:
        return runs_with_all(choice.left, choice.wrap, wild, okey)
    (number, hand), *others = hands
    for okeys in range(max(0, SMALLEST - len(hand)), min(COLOURS - len(hand), wild) + 1):
        rest = _with_sets(choice, others, wild - okeys, okey)
        if rest is not None:
            return [set_of(number, hand, okeys, okey), *rest]
    return None


def _with_runs(left: Colours, wrap: bool, first: int, wild: int, okey: Tile) -> list[Meld] | None:
    """Runs of all tiles left of the colours from `first` on, with all the okeys; None: impossible."""
    if first == COLOURS:
        return None if wild else []
    for okeys in range(wild + 1):
        runs = _runs_with_all(left[first], okeys, wrap)
        if runs is not None:
            rest = _with_runs(left, wrap, first + 1, wild - okeys, okey)
            if rest is not None:
                return [*(run_of(run, first, okey) for run in runs), *rest]
    return None


@lru_cache(maxsize=1 << 16)
def _runs_with_all(colour: int, okeys: int, wrap: bool) -> tuple[LaidRun, ...] | None:
    """Runs that use up the tiles of a colour and exactly this many okeys; None: impossible."""
    if not colour:
        return None if okeys else ()
    for run in _runs_with_lowest(colour, okeys, wrap):
        rest = _runs_with_all(colour - run.kept, okeys - run.okeys, wrap)
        if rest is not None:
            return (run, *rest)
    return None


def set_of(number: int, hand: Sequence[int], okeys: int, okey: Tile) -> Meld:
    """Return the set of a number (0 for a one) with plain tiles of these colours and this many okeys."""
    free = [colour for colour in range(COLOURS) if colour not in hand]
    colours = sorted([*hand, *free[:okeys]])
    tiles = (tile_for(colour * NUMBERS + number, colour in hand, okey) for colour in colours)
    return Meld("set", tuple(tiles))


def run_of(run: LaidRun, colour: int, okey: Tile) -> Meld:
    """Return the meld of a run in a colour."""
    held = [bool(run.kept >> LANE * number & 1) for number in run.numbers]
    faces = [colour * NUMBERS + number for number in run.numbers]
    return Meld("run", tuple(tile_for(face, kept, okey) for face, kept in zip(faces, held, strict=True)))
