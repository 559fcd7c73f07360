"""The sets that a column, the tiles of one number, can give."""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from engine.arrange.racks import COLOURS, LANE, Colours

_SMALLEST: Final = 3
_LANES: Final = tuple(1 << LANE * colour for colour in range(COLOURS))
_HANDS: Final = tuple(hand for size in range(2, COLOURS + 1) for hand in combinations(range(COLOURS), size))
"""The colours that a set may keep. A set that keeps a single tile is never needed: some run keeps it too."""


class SetsOfNumber(NamedTuple):
    """One or two sets of a number: the colours each keeps, what that takes, and the places taken."""

    number: int
    hands: tuple[tuple[int, ...], ...]
    takes: Colours
    kept: int
    places: int


@cache
def sets_of(number: int, column: int) -> tuple[SetsOfNumber, ...]:
    """Every way to use a column for one or two sets, the fewest missing tiles first.

    More than two sets of one number never keep more than two do.
    """
    chosen = [(hand,) for hand in _HANDS] + list(combinations_with_replacement(_HANDS, 2))
    ways = []
    for hands in chosen:
        counts = [sum(colour in hand for hand in hands) for colour in range(COLOURS)]
        if all(count <= column >> LANE * colour & 3 for colour, count in enumerate(counts)):
            red, yellow, blue, black = (count << LANE * number for count in counts)
            places = sum(max(_SMALLEST, len(hand)) for hand in hands)
            ways.append(SetsOfNumber(number, hands, (red, yellow, blue, black), sum(counts), places))
    return tuple(sorted(ways, key=lambda way: way.places - way.kept))
