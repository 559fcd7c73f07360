"""Search: the most plain tiles of a rack that some fourteen tiles in sets and runs can keep.

Every choice of sets is tried; the tiles it leaves of each colour are looked up in `runs`. A winning rack has
fourteen places, each filled by a held tile (*kept*), by an okey, or by a tile still missing.

That there are only two tiles of each face need not be checked: if a choice needs a third one that no okey can
be, another choice keeps as many tiles (`tests/engine/slow_search.py` counts them, and agrees).
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from engine.arrange.racks import COLOURS, LANE, Colours, CountedRack
from engine.arrange.runs import PLACES, runs_of_two, together, value_at

Hands = tuple[tuple[int, ...], ...]
"""The colours of the plain tiles of each of some sets."""

SMALLEST: Final = 3
"""The number of tiles of the smallest set, and of the shortest run."""


_MOST_SETS: Final = 4


class SetsOfNumber(NamedTuple):
    """One or two sets of a number: the colours that each keeps, the tiles they take, and the places taken."""

    number: int
    hands: Hands
    takes: Colours
    kept: int
    places: int


@cache
def hands_of(column: int, smallest: int, sets: int) -> tuple[tuple[Hands, tuple[int, ...]], ...]:
    """Return up to `sets` sets with at least `smallest` plain tiles each from a column, the tiles of one
    number.

    With each choice of sets, the number of tiles that it takes of each colour.
    """
    held = [column >> LANE * colour & 3 for colour in range(COLOURS)]
    colours = [colour for colour in range(COLOURS) if held[colour]]
    hands = [hand for size in range(smallest, COLOURS + 1) for hand in combinations(colours, size)]
    chosen = (some for count in range(1, sets + 1) for some in combinations_with_replacement(hands, count))
    counted = [(some, tuple(sum(c in hand for hand in some) for c in range(COLOURS))) for some in chosen]
    return tuple(
        (some, used)
        for some, used in counted
        if all(count <= most for count, most in zip(used, held, strict=True))
    )


@cache
def sets_of(number: int, column: int) -> tuple[SetsOfNumber, ...]:
    """Return every way to use a column for one or two sets, the fewest missing tiles first.

    More than two sets of one number never keep more than two do, and a set that keeps a single tile is never
    needed: some run keeps it too.
    """
    shift = LANE * number
    ways = []
    for hands, (red, yellow, blue, black) in hands_of(column, smallest=2, sets=2):
        takes = (red << shift, yellow << shift, blue << shift, black << shift)
        kept = sum(len(hand) for hand in hands)
        places = sum(max(SMALLEST, len(hand)) for hand in hands)
        ways.append(SetsOfNumber(number, hands, takes, kept, places))
    return tuple(sorted(ways, key=lambda way: way.places - way.kept))


class Choice(NamedTuple):
    """Some sets, and the tiles that they leave for runs."""

    left: Colours
    wrap: bool
    """As in `MeldRules`."""
    kept: int = 0
    places: int = 0
    sets: tuple[SetsOfNumber, ...] = ()


class Choices:
    """Every choice of sets from a rack with at most `spare` places that have no plain tile.

    The caller may lower `spare` while iterating, as better choices are found.
    """

    def __init__(self, rack: CountedRack, spare: int) -> None:
        self.spare = spare
        self._rack = rack
        columns = [
            sets_of(number, column) for number, column in enumerate(rack.columns) if column & column - 1
        ]
        self._columns = [ways for ways in columns if ways]

    def __iter__(self) -> Iterator[Choice]:
        return self._after(0, Choice(self._rack.colours, self._rack.rules.wrap))

    def _after(self, first: int, choice: Choice) -> Iterator[Choice]:
        yield choice
        (red, yellow, blue, black), wrap, kept, places, sets = choice
        for index in range(first, len(self._columns)):
            for way in self._columns[index]:
                if places - kept + way.places - way.kept > self.spare:
                    break
                if places + way.places <= PLACES:
                    r, y, b, k = way.takes
                    left = (red - r, yellow - y, blue - b, black - k)
                    more = Choice(left, wrap, kept + way.kept, places + way.places, (*sets, way))
                    yield from self._after(index + 1, more)


def most_kept(rack: CountedRack, at_least: int = 0) -> int:
    """Return the most plain tiles kept; exact if it is `at_least` that many, otherwise a smaller number."""
    best, most = at_least - 1, min(rack.size - rack.wild, PLACES)
    choices = Choices(rack, PLACES - at_least)
    for choice in choices:
        kept = count_kept(choice)
        if kept > best:
            best = kept
            if best == most:
                break
            choices.spare = PLACES - best - 1
    return best


def best_choices(rack: CountedRack, at_least: int) -> tuple[int, list[Choice]]:
    """Return the most plain tiles kept beside the okeys, or `at_least` if that is more, and every choice of
    sets that keeps this many."""
    most, best = PLACES - rack.wild, at_least
    found: list[Choice] = []
    choices = Choices(rack, PLACES - at_least)
    for choice in choices:
        kept = min(count_kept(choice), most)
        if kept > best:
            best, found = kept, []
            choices.spare = PLACES - best
        if kept == best:
            found.append(choice)
    return best, found


def keeps(rack: CountedRack, kept: int) -> bool:
    """Return whether this many plain tiles can be kept."""
    return any(count_kept(choice) >= kept for choice in Choices(rack, PLACES - kept))


def count_kept(choice: Choice) -> int:
    """Return the tiles kept by these sets and the best runs beside them; 0 if they can't make fourteen."""
    (red, yellow, blue, black), wrap, kept, places, sets = choice
    room = PLACES - places
    if room < SMALLEST:
        return kept if sum(len(way.hands) for way in sets) == _MOST_SETS else 0
    curve = together(runs_of_two(red, yellow, wrap), runs_of_two(blue, black, wrap))
    return kept + value_at(curve, room)
