"""Counted racks: the form of tiles in which every search works.

Two small integers describe the same tiles from two sides. A *colour* holds the thirteen numbers of one colour
and a *column* the four colours of one number, always two bits a face, because nobody can hold more than two
of one. Okeys are counted separately: they have no face until they are played.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.melds import MeldRules
from engine.tiles import Tile

NUMBERS: Final = 13
COLOURS: Final = 4
LANE: Final = 2
"""Bits a face."""
EVERY_LANE: Final = sum(1 << LANE * number for number in range(NUMBERS))
"""One tile of each number."""
WILD: Final = -1
"""Stands for an okey in lists of faces."""

Colours = tuple[int, int, int, int]


class CountedRack(NamedTuple):
    """Counted tiles: `colours[c]` and `columns[n]` hold the same plain tiles; `wild` counts the okeys."""

    rules: MeldRules
    colours: Colours
    columns: tuple[int, ...]
    wild: int
    size: int


def faces_of(okey: Tile, tiles: Iterable[Tile]) -> list[int]:
    """Return the faces as which the tiles other than okeys are played, by their numbers in `Tile`.

    A false joker is the okey's face (RULES 1), unless the false jokers are the okeys themselves.
    """
    return [okey if tile == Tile.F else tile for tile in tiles if tile != okey]


def count_tiles(rules: MeldRules, tiles: Sequence[Tile]) -> CountedRack:
    """Return the counted form of tiles under these rules."""
    colours, columns = [0] * COLOURS, [0] * NUMBERS
    faces = faces_of(rules.okey, tiles)
    for face in faces:
        colour, number = divmod(face, NUMBERS)
        colours[colour] += 1 << LANE * number
        columns[number] += 1 << LANE * colour
    red, yellow, blue, black = colours
    return CountedRack(rules, (red, yellow, blue, black), tuple(columns), len(tiles) - len(faces), len(tiles))


def without(tiles: Sequence[Tile], tile: Tile) -> list[Tile]:
    """Return the tiles without one of this face, which must be among them."""
    rest = list(tiles)
    rest.remove(tile)
    return rest


def less_one(colours: Colours, colour: int, number: int) -> Colours:
    """Return the colours without one tile, which must be there."""
    left = list(colours)
    left[colour] -= 1 << LANE * number
    red, yellow, blue, black = left
    return red, yellow, blue, black


def faces_held(rack: CountedRack, count: int) -> list[int]:
    """Return the faces of which the rack holds exactly `count` plain tiles, by their numbers in `Tile`, in
    order."""
    return [
        colour * NUMBERS + number
        for colour, tiles in enumerate(rack.colours)
        for number in range(NUMBERS)
        if tiles >> LANE * number & 3 == count
    ]
