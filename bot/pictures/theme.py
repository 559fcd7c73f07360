"""Sizes and colours of every picture.

A picture is as wide as a phone shows it sharply: 900 pixels, scaled by the chats to some 400 CSS
pixels of two or three device pixels each. A length of 27 here is about 12 CSS pixels there.
"""

from typing import Final

Colour = tuple[int, int, int]


def _rgb(code: str) -> Colour:
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


# The tiles.
IVORY: Final = _rgb("#FBF6E9")
TILE_EDGE: Final = _rgb("#CDBE98")
INKS: Final = {
    "R": _rgb("#811405"),
    "Y": _rgb("#B77F01"),
    "B": _rgb("#0A50C3"),
    "K": _rgb("#101418"),
    "F": _rgb("#101418"),
}
"""The four colours and the false joker, by the first letter of a tile's code. Their lightness differs
enough to stay apart without the hue."""
BAND: Final = _rgb("#3B2A12")
"""The band at the foot of an okey."""
CROWN: Final = _rgb("#FFC93C")

# The table and the rack.
FELT: Final = _rgb("#1E5B49")
FELT_SHADOW: Final = _rgb("#123D30")
FELT_LINE: Final = _rgb("#48907A")
WOOD: Final = _rgb("#8C5A32")
WOOD_LIGHT: Final = _rgb("#B98250")
SHELF: Final = _rgb("#6A4327")
SHELF_SHADOW: Final = _rgb("#442814")
PLATE: Final = _rgb("#133F32")
PLATE_LIGHT: Final = _rgb("#FFE9B0")
PLATE_SHADOW: Final = _rgb("#B79F62")
WORDS: Final = _rgb("#F6F1E1")
WORDS_DIM: Final = _rgb("#B9D3C6")
WORDS_DARK: Final = _rgb("#1D1608")
SIGNAL: Final = _rgb("#FF9E1B")
"""What points something out: the tile just drawn, whose turn it is."""

SHADOWS: Final = {FELT: FELT_SHADOW, SHELF: SHELF_SHADOW, PLATE: FELT_SHADOW, PLATE_LIGHT: PLATE_SHADOW}
"""A tile's shadow, by the ground it stands on."""

STRONG: Final = {
    IVORY: _rgb("#FFFFFF"),
    TILE_EDGE: _rgb("#9A9A9A"),
    INKS["R"]: _rgb("#B00000"),
    INKS["Y"]: _rgb("#8A5A00"),
    INKS["B"]: _rgb("#0030D0"),
    INKS["K"]: _rgb("#000000"),
    BAND: _rgb("#000000"),
    CROWN: _rgb("#FFE600"),
    FELT: _rgb("#000000"),
    FELT_SHADOW: _rgb("#000000"),
    FELT_LINE: _rgb("#FFFFFF"),
    WOOD: _rgb("#2B2B2B"),
    WOOD_LIGHT: _rgb("#FFFFFF"),
    SHELF: _rgb("#000000"),
    SHELF_SHADOW: _rgb("#000000"),
    PLATE: _rgb("#000000"),
    PLATE_LIGHT: _rgb("#FFFFFF"),
    PLATE_SHADOW: _rgb("#9A9A9A"),
    WORDS: _rgb("#FFFFFF"),
    WORDS_DIM: _rgb("#FFFFFF"),
    WORDS_DARK: _rgb("#000000"),
    SIGNAL: _rgb("#FF8A00"),
}
"""What each colour becomes where contrast matters more than looks."""

WIDTH: Final = 900
MARGIN: Final = 20

TILE_RATIO: Final = 1.44
"""Height of a tile to its width, its standing edge included."""

TEXT: Final = 30
TEXT_SMALL: Final = 25
TEXT_LARGE: Final = 40
