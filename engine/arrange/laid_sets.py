"""The sets that the tiles of one number and some okeys can be laid in, whole."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Final, NamedTuple

from engine.arrange.racks import COLOURS, LANE, Colours

OKEYS: Final = 2
_SMALLEST: Final = 3
_MOST: Final = 3
"""Eight tiles of a number and two okeys: no more than three sets."""
_HANDS: Final = tuple(hand for size in range(1, COLOURS + 1) for hand in combinations(range(COLOURS), size))

Hands = tuple[tuple[int, ...], ...]
"""For each set the colours of its plain tiles."""


class LaidSets(NamedTuple):
    """Up to three sets of a number: the plain tiles of each and its okeys, and what they take."""

    number: int
    hands: Hands
    okeys: tuple[int, ...]
    takes: Colours
    wild: int
    points: int


@cache
def laid_sets_of(number: int, column: int, wild: int) -> tuple[LaidSets, ...]:
    """Every choice of tiles that sets of this number can use up, the most points first."""
    ways = []
    for counts, (hands, okeys) in _partitions(column).items():
        if sum(okeys) <= wild:
            red, yellow, blue, black = (count << LANE * number for count in counts[:COLOURS])
            points = (number + 1) * sum(counts)
            ways.append(LaidSets(number, hands, okeys, (red, yellow, blue, black), sum(okeys), points))
    return tuple(sorted(ways, key=lambda way: -way.points))


@cache
def _partitions(column: int) -> dict[tuple[int, ...], tuple[Hands, tuple[int, ...]]]:
    """By tiles used of each colour, and okeys: one way to lay them in sets."""
    held = [column >> LANE * colour & 3 for colour in range(COLOURS)]
    found: dict[tuple[int, ...], tuple[Hands, tuple[int, ...]]] = {}
    for hands in _some_hands(held):
        used = [sum(colour in hand for hand in hands) for colour in range(COLOURS)]
        if any(count > most for count, most in zip(used, held, strict=True)):
            continue
        for okeys in product(
            *(range(max(0, _SMALLEST - len(hand)), COLOURS - len(hand) + 1) for hand in hands)
        ):
            if sum(okeys) <= OKEYS:
                found.setdefault((*used, sum(okeys)), (hands, okeys))
    return found


def _some_hands(held: list[int]) -> Iterator[Hands]:
    possible = [hand for hand in _HANDS if all(held[colour] for colour in hand)]
    for sets in range(1, _MOST + 1):
        yield from combinations_with_replacement(possible, sets)
