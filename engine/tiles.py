"""Tiles: all 106, their text form, and which face is wild (RULES 1)."""

from collections.abc import Iterable
from enum import Enum, IntEnum
from typing import Final

from engine.errors import Unreadable


class Colour(Enum):
    """The four colours, by the letter that stands for them in text."""

    RED = "R"
    YELLOW = "Y"
    BLUE = "B"
    BLACK = "K"


class Tile(IntEnum):
    """A tile's face. The two tiles of one face are the same to the rules and to all players.

    The order (and the number behind each face) is red, yellow, blue, black, each 1 to 13, then the false
    joker. Tiles are stored and shuffled by these numbers: they are part of the formats.
    """

    R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13 = range(13)
    Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13 = range(13, 26)
    B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13 = range(26, 39)
    K1, K2, K3, K4, K5, K6, K7, K8, K9, K10, K11, K12, K13 = range(39, 52)
    F = 52

    @property
    def colour(self) -> Colour | None:
        """The tile's colour; None for a false joker."""
        return None if self is Tile.F else COLOURS[self // 13]

    @property
    def number(self) -> int | None:
        """1 to 13; None for a false joker."""
        return None if self is Tile.F else self % 13 + 1

    def __str__(self) -> str:
        return self.name

    def __bool__(self) -> bool:
        """Always true, though the number of R1 is 0, so that `tile or another` works."""
        return True

    __hash__ = int.__hash__  # an enum's own hashes its name, in Python: tiles are counted a lot


COLOURS: Final = tuple(Colour)
COPIES: Final = 2
FACES: Final = tuple(Tile)
FULL_SET: Final = tuple(tile for tile in FACES for _ in range(COPIES))
"""All 106 tiles, in the order in which the shuffle starts."""

_BY_TEXT: Final = {tile.name: tile for tile in FACES} | {
    f"G{tile.number}": tile for tile in FACES if tile.colour is Colour.BLUE
}


def tile_from_text(text: str) -> Tile:
    """Read `R4`, `b13`, `G7` (green is another name for blue) or `F`, in either case.

    Raises Unreadable `bad_tile` for anything else.
    """
    try:
        return _BY_TEXT[text.upper()]
    except (KeyError, AttributeError):
        raise Unreadable("bad_tile", tile=str(text)) from None


def tiles_from_text(text: str) -> tuple[Tile, ...]:
    """Read tiles separated by white space. Raises Unreadable `bad_tile`."""
    return tuple(tile_from_text(word) for word in text.split())


def text_of(tiles: Iterable[Tile]) -> str:
    """Return the tiles' names, separated by single spaces."""
    return " ".join(tile.name for tile in tiles)


def tile_of(colour: Colour, number: int) -> Tile:
    """Return the face of a colour and a number from 1 to 13."""
    return FACES[COLOURS.index(colour) * 13 + number - 1]


def okey_of(indicator: Tile) -> Tile:
    """Return the wild face that goes with an indicator: one higher in the same colour, 13 to 1.

    A false joker as indicator (RULES 2, `false_jokers_wild`) makes the false jokers wild.
    """
    if indicator is Tile.F:
        return Tile.F
    first_of_colour = indicator // 13 * 13
    return FACES[first_of_colour + (indicator - first_of_colour + 1) % 13]
