"""Opening: the sets and runs of a rack that are worth most points in Okey 101 (RULES 5).

As in `search`, every choice of sets is tried and the runs beside it are looked up. But here every meld is
complete, so that only the okeys on the rack fill places.
"""

from collections.abc import Sequence
from typing import Final

from engine.arrange.layout import (
    OKEYS,
    LaidSets,
    Points,
    best_in_runs,
    list_sets_of,
    points_in_runs,
    run_of,
    runs_with_all,
    set_of,
    share_okeys,
)
from engine.arrange.racks import Colours, CountedRack
from engine.melds import Meld
from engine.tiles import Tile

_NOTHING: Final[Points] = (0, 0, 0)


class _Search:
    """A depth-first search over the columns. A branch ends when its upper bound is not worth more."""

    def __init__(self, rack: CountedRack, okey_worth: int | None = None) -> None:
        self._wrap = rack.rules.wrap
        self._okey_worth = okey_worth
        self.points = -1
        self.sets: tuple[LaidSets, ...] = ()
        self.left: Colours = rack.colours
        self.wild = rack.wild
        ways = [
            list_sets_of(number, column, rack.wild, okey_worth) for number, column in enumerate(rack.columns)
        ]
        self._columns = [column for column in reversed(ways) if column]
        self._bounds = [_NOTHING]
        for column in reversed(self._columns):
            self._bounds.append(share_okeys(self._bounds[-1], _best(column)))
        self._bounds.reverse()

    def visit(self, first: int, left: Colours, wild: int, points: int, sets: tuple[LaidSets, ...]) -> None:
        """Evaluate the sets chosen so far, then each with one more column from `first` on."""
        in_runs = self._runs(left)[wild]
        if points + in_runs > self.points:
            self.points, self.sets, self.left, self.wild = points + in_runs, sets, left, wild
        red, yellow, blue, black = left
        for index in range(first, len(self._columns)):
            if points + in_runs + self._bounds[index][wild] <= self.points:
                return
            for way in self._columns[index]:
                if way.wild <= wild:
                    r, y, b, k = way.takes
                    rest = (red - r, yellow - y, blue - b, black - k)
                    self.visit(index + 1, rest, wild - way.wild, points + way.points, (*sets, way))

    def _runs(self, colours: Colours) -> Points:
        red, yellow, blue, black = (
            points_in_runs(colour, self._wrap, self._okey_worth) for colour in colours
        )
        return share_okeys(share_okeys(red, yellow), share_okeys(blue, black))


def _best(column: Sequence[LaidSets]) -> Points:
    none, one, two = (
        max((way.points for way in column if way.wild <= wild), default=0) for wild in range(OKEYS + 1)
    )
    return none, one, two


def best_melds(rack: CountedRack) -> tuple[int, tuple[Meld, ...]]:
    """Return the most points that disjoint sets and runs of the rack are worth, and one way to get them."""
    okey, wrap = rack.rules.okey, rack.rules.wrap
    search = _Search(rack)
    search.visit(0, rack.colours, rack.wild, 0, ())
    melds = [meld for way in search.sets for meld in _sets(way, okey)]
    wild = search.wild
    curves = [points_in_runs(colour, wrap) for colour in search.left]
    for colour, tiles in enumerate(search.left):
        others = _NOTHING
        for curve in curves[colour + 1 :]:
            others = share_okeys(others, curve)
        okeys = max(range(wild + 1), key=lambda used: curves[colour][used] + others[wild - used])
        wild -= okeys
        melds += [run_of(run, colour, okey) for run in best_in_runs(tiles, okeys, wrap)]
    return search.points, tuple(melds)


def most_in_melds(rack: CountedRack, okey_worth: int) -> int:
    """Return the highest total of tiles in disjoint sets and runs of the rack, where an okey counts
    `okey_worth` whatever it stands for."""
    search = _Search(rack, okey_worth)
    search.visit(0, rack.colours, rack.wild, 0, ())
    return search.points


def melds_of_all(rack: CountedRack) -> tuple[Meld, ...] | None:
    """Return sets and runs that use up the rack; None: there are none."""
    search = _Search(rack, okey_worth=1)
    search.visit(0, rack.colours, rack.wild, 0, ())
    runs = runs_with_all(search.left, rack.rules.wrap, search.wild, rack.rules.okey)
    if runs is None:  # the most points leave a tile over, and all tiles would be more
        return None
    return (*(meld for way in search.sets for meld in _sets(way, rack.rules.okey)), *runs)


def _sets(way: LaidSets, okey: Tile) -> list[Meld]:
    hands = zip(way.hands, way.okeys, strict=True)
    return [set_of(way.number, hand, okeys, okey) for hand, okeys in hands]
