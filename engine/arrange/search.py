"""The most plain tiles of a rack that some fourteen tiles in sets and runs can keep.

Every choice of sets is tried; what it leaves of each colour is looked up in `runs`. A winning rack has
fourteen places, each filled by a tile that was held (*kept*), by an okey, or by a tile still missing.
"""

from typing import Final

from engine.arrange.racks import Colours, Rack
from engine.arrange.runs import PLACES, runs_of, together, value_at
from engine.arrange.sets import Sets, sets_of

_MOST_SETS: Final = 4
_SHORTEST_RUN: Final = 3


def most_kept(rack: Rack, one_after_thirteen: bool, at_least: int = 0) -> int:
    """The most plain tiles kept, exact wherever it is `at_least`; otherwise something smaller."""
    ways = [sets_of(number, column) for number, column in enumerate(rack.columns) if column & (column - 1)]
    search = _Search([way for way in ways if way], one_after_thirteen, at_least - 1, rack.size - rack.wild)
    search.visit(0, rack.colours, 0, 0, 0)
    return search.best


class _Search:
    """Depth first over the columns, giving up a branch whose missing tiles already forbid a better one."""

    def __init__(self, columns: list[tuple[Sets, ...]], one_after_thirteen: bool, best: int, most: int):
        self.columns = columns
        self.one_after_thirteen = one_after_thirteen
        self.best = best
        self.most = min(most, PLACES)

    def visit(self, first: int, colours: Colours, kept: int, places: int, sets: int) -> None:
        """Value the sets chosen so far, then each with one more column from `first` on."""
        room = PLACES - places
        if room >= _SHORTEST_RUN:
            self.best = max(self.best, kept + value_at(self._runs(colours), room))
        elif sets == _MOST_SETS:
            self.best = max(self.best, kept)
        red, yellow, blue, black = colours
        for index in range(first, len(self.columns)):
            for way in self.columns[index]:
                missing = places - kept + way.places - way.kept
                if self.best >= self.most or missing >= PLACES - self.best:
                    break
                if way.places <= room:
                    r, y, b, k = way.takes
                    left = (red - r, yellow - y, blue - b, black - k)
                    self.visit(index + 1, left, kept + way.kept, places + way.places, sets + way.sets)

    def _runs(self, colours: Colours) -> int:
        red, yellow, blue, black = colours
        wrap = self.one_after_thirteen
        warm = together(runs_of(red, wrap), runs_of(yellow, wrap))
        return together(warm, together(runs_of(blue, wrap), runs_of(black, wrap)))
