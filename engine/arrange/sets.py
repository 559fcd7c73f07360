"""The sets that a column, the tiles of one number, can give."""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from engine.arrange.racks import COLOURS, LANE, Colours

_SMALLEST: Final = 3
_LANES: Final = tuple(1 << LANE * colour for colour in range(COLOURS))
_HANDS: Final = tuple(hand for size in range(2, COLOURS + 1) for hand in combinations(range(COLOURS), size))
"""The colours that a set may keep. A set that keeps a single tile is never needed: some run keeps it too."""


class Sets(NamedTuple):
    """One or two sets of a number: what they take from each colour, the tiles kept, the places taken."""

    takes: Colours
    kept: int
    places: int
    sets: int


@cache
def sets_of(number: int, column: int) -> tuple[Sets, ...]:
    """Every way to use a column for one or two sets, the fewest missing tiles first.

    More than two sets of one number never keep more than two do.
    """
    chosen = [(hand,) for hand in _HANDS] + list(combinations_with_replacement(_HANDS, 2))
    ways: dict[tuple[tuple[int, ...], int], Sets] = {}
    for hands in chosen:
        counts = tuple(sum(colour in hand for hand in hands) for colour in range(COLOURS))
        if any(count > column >> LANE * colour & 3 for colour, count in enumerate(counts)):
            continue
        places = sum(max(_SMALLEST, len(hand)) for hand in hands)
        takes = tuple(count << LANE * number for count in counts)
        way = Sets((takes[0], takes[1], takes[2], takes[3]), sum(counts), places, len(hands))
        known = ways.setdefault((counts, len(hands)), way)
        if way.places < known.places:
            ways[counts, len(hands)] = way
    return tuple(sorted(ways.values(), key=lambda way: way.places - way.kept))
