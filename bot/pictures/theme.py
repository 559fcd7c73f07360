"""Theme: sizes and colours of every picture, and the one palette of all of them.

A picture is as wide as a phone shows it sharply: 900 pixels, scaled by the chats to some 400 CSS pixels of
two or three device pixels each. A length of 27 here is about 12 CSS pixels there.

Pictures are drawn as palette indices from the start: a finished part is copied, never converted.
"""

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from PIL import Image

Rgb = tuple[int, int, int]


def _rgb(code: str) -> Rgb:
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


# Tiles
IVORY: Final = _rgb("#FFFCF3")
TILE_EDGE: Final = _rgb("#CDBE98")
YELLOW: Final = _rgb("#FFC93C")
"""Yellow numbers and marks, and the crown of an okey."""
DARK: Final = _rgb("#3B2A12")
"""The ground of an okey's crown, and the outline without which yellow would be lost on the ivory."""
INKS: Final = {
    "R": _rgb("#D02454"),
    "Y": YELLOW,
    "B": _rgb("#0A50C3"),
    "K": _rgb("#101418"),
    "F": _rgb("#101418"),
}
"""The four colours and the false joker, by the first letter of a tile's code. They, or the outline of yellow,
have a contrast of 4.5 to 1 as text on the ivory, and are clearly distinct with any one kind of cones missing.
The red holds some blue, so that it does not look black to eyes without red cones."""

# Table and rack
FELT: Final = _rgb("#1E5B49")
FELT_SHADOW: Final = _rgb("#123D30")
FELT_LINE: Final = _rgb("#48907A")
WOOD: Final = _rgb("#8C5A32")
WOOD_LIGHT: Final = _rgb("#B98250")
SHELF: Final = _rgb("#543320")
SHELF_SHADOW: Final = _rgb("#36200F")
PLATE: Final = _rgb("#133F32")
PLATE_LIGHT: Final = _rgb("#FFE9B0")
PLATE_SHADOW: Final = _rgb("#B79F62")
WORDS: Final = _rgb("#F6F1E1")
WORDS_DIM: Final = _rgb("#B9D3C6")
WORDS_DARK: Final = _rgb("#1D1608")
SIGNAL: Final = _rgb("#FF9E1B")
"""The colour that points out the player on turn on the felt."""
MARK: Final = _rgb("#EE5F08")
"""The colour that points out a tile on a shelf: 3 to 1 against the ivory and the shelf."""

SHADOWS: Final = {FELT: FELT_SHADOW, SHELF: SHELF_SHADOW, PLATE: FELT_SHADOW, PLATE_LIGHT: PLATE_SHADOW}
"""The colour of a tile's shadow, by its ground."""

IN_CONTRAST: Final = {
    IVORY: _rgb("#FFFFFF"),
    TILE_EDGE: _rgb("#9A9A9A"),
    INKS["R"]: _rgb("#B00000"),
    INKS["B"]: _rgb("#0030D0"),
    INKS["K"]: _rgb("#000000"),
    DARK: _rgb("#000000"),
    YELLOW: _rgb("#FFE600"),
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
    MARK: _rgb("#F06400"),
}
"""The replacement of each colour in strong contrast."""

WIDTH: Final = 900
MARGIN: Final = 20
ROOM: Final = WIDTH - 2 * MARGIN
"""The width between the margins."""

TILE_RATIO: Final = 1.44
"""The height of a tile to its width, with its standing edge."""

TEXT: Final = 32
TEXT_SMALL: Final = 27
TEXT_LARGE: Final = 40

_STEPS: Final = 5
"""Shades from a ground to an ink, both included: enough for smooth edges, few enough to compress well."""

_INKS_ON: Final[dict[Rgb, tuple[Rgb, ...]]] = {
    IVORY: (*INKS.values(), TILE_EDGE, DARK, MARK),
    FELT: (
        WORDS, WORDS_DIM, FELT_SHADOW, FELT_LINE, TILE_EDGE, IVORY,
        WOOD, WOOD_LIGHT, PLATE, PLATE_LIGHT, SIGNAL, SHELF,
    ),
    SHELF: (IVORY, TILE_EDGE, SHELF_SHADOW, MARK, WOOD, WOOD_LIGHT, WORDS),
    PLATE: (WORDS, IVORY, TILE_EDGE, FELT_SHADOW, FELT_LINE),
    PLATE_LIGHT: (WORDS_DARK, IVORY, TILE_EDGE, PLATE_SHADOW, SIGNAL),
    WOOD: (WOOD_LIGHT,),
    DARK: (YELLOW,),
}  # fmt: skip
"""Every ground with the inks drawn on it."""


def _shade(ground: Rgb, ink: Rgb, step: int) -> Rgb:
    last = _STEPS - 1
    red, green, blue = (
        (low * (last - step) + high * step + last // 2) // last for low, high in zip(ground, ink, strict=True)
    )
    return red, green, blue


def _all_colours() -> dict[Rgb, Rgb]:
    """Return every colour of the palette, with its replacement in strong contrast."""
    colours: dict[Rgb, Rgb] = {}
    for ground, inks in _INKS_ON.items():
        for ink in inks:
            for step in range(_STEPS):
                becomes = _shade(IN_CONTRAST[ground], IN_CONTRAST[ink], step)
                colours.setdefault(_shade(ground, ink, step), becomes)
    return colours


def _flat(colours: Iterable[Rgb]) -> Sequence[int]:
    return [part for colour in colours for part in colour]


_COLOURS: Final = _all_colours()
_INDEX: Final = {colour: index for index, colour in enumerate(_COLOURS)}
_INDEX_OF_PIXEL: Final = {
    int.from_bytes((*colour, 255), sys.byteorder): index for colour, index in _INDEX.items()
}
"""The colours by pixel, as Pillow lays it out in four bytes."""
PALETTE: Final = _flat(_COLOURS)
"""The palette in Pillow's format: red, green, blue, red, …"""
PALETTE_IN_CONTRAST: Final = _flat(_COLOURS.values())
"""The colours of `PALETTE` in strong contrast. A picture is drawn once and takes either."""


def index(colour: Rgb) -> int:
    """Return the palette index of a colour."""
    return _INDEX[colour]


@cache
def shades(ground: Rgb, ink: Rgb) -> tuple[int, ...]:
    """Return the palette indices of 256 degrees of coverage of a ground by an ink."""
    return tuple(_INDEX[_shade(ground, ink, (cover * (_STEPS - 1) + 127) // 255)] for cover in range(256))


@cache
def _sample() -> Image.Image:
    """Return an image with our palette, which threads share. It is loaded here: at its first use Pillow puts
    another palette into it, and frees the one that another thread just looks colours up in."""
    image = Image.new("P", (1, 1))
    image.putpalette(PALETTE)
    image.load()
    return image


def to_palette(image: Image.Image) -> Image.Image:
    """Convert an RGB image to palette indices (mode L): colours of the palette exactly, others by the
    nearest.

    Pillow alone looks up a coarse cube, in which near neighbours of a flat ground would replace it.
    """
    nearest = image.quantize(palette=_sample(), dither=Image.Dither.NONE).tobytes()
    pixels = memoryview(image.convert("RGBX").tobytes()).cast("I")
    return Image.frombytes("L", image.size, bytes(map(_INDEX_OF_PIXEL.get, pixels, nearest)))


def plate_colours(*, on_turn: bool) -> tuple[Rgb, Rgb, Rgb]:
    """Return the ground, frame and words of a seat's plate."""
    return (PLATE_LIGHT, SIGNAL, WORDS_DARK) if on_turn else (SHELF, WOOD_LIGHT, WORDS)
