"""The sets that a column, the tiles of one number, can give."""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from engine.arrange.racks import COLOURS, LANE, Colours

Hand = tuple[int, ...]
"""The colours of the plain tiles in a set."""

_SMALLEST: Final = 3
_HANDS: Final = tuple(hand for size in range(2, COLOURS + 1) for hand in combinations(range(COLOURS), size))
"""The colours that a set may keep. A set that keeps a single tile is never needed: some run keeps it too."""


class SetsOfNumber(NamedTuple):
    """One or two sets of a number: the colours each keeps, what that takes, and the places taken."""

    number: int
    hands: tuple[Hand, ...]
    takes: Colours
    kept: int
    places: int


@cache
def sets_of(number: int, column: int) -> tuple[SetsOfNumber, ...]:
    """Every way to use a column for one or two sets, the fewest missing tiles first.

    More than two sets of one number never keep more than two do.
    """
    shift = LANE * number
    ways = []
    for hands, (red, yellow, blue, black) in _hands_of(column):
        takes = (red << shift, yellow << shift, blue << shift, black << shift)
        kept = sum(len(hand) for hand in hands)
        places = sum(max(_SMALLEST, len(hand)) for hand in hands)
        ways.append(SetsOfNumber(number, hands, takes, kept, places))
    return tuple(sorted(ways, key=lambda way: way.places - way.kept))


@cache
def _hands_of(column: int) -> tuple[tuple[tuple[Hand, ...], list[int]], ...]:
    """The hands of one or two sets that a column has the tiles for, and the tiles of each colour."""
    held = [column >> LANE * colour & 3 for colour in range(COLOURS)]
    possible = [hand for hand in _HANDS if all(held[colour] for colour in hand)]
    chosen = [(hand,) for hand in possible] + list(combinations_with_replacement(possible, 2))
    counted = [
        (hands, [sum(colour in hand for hand in hands) for colour in range(COLOURS)]) for hands in chosen
    ]
    return tuple(
        (hands, counts)
        for hands, counts in counted
        if all(count <= most for count, most in zip(counts, held, strict=True))
    )
