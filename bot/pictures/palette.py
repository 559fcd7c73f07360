"""The one palette of every picture, and the shades between two of its colours.

Pictures are drawn as palette indices from the start: a finished part is copied, never converted.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image

from bot.pictures import theme
from bot.pictures.theme import Colour

STEPS: Final = 5
"""Shades from a ground to an ink, both included: enough for smooth edges, few enough to pack well."""

_ON_TILES: Final = (*theme.INKS.values(), theme.TILE_EDGE, theme.BAND, theme.SIGNAL)
_ON_FELT: Final = (
    theme.WORDS, theme.WORDS_DIM, theme.FELT_SHADOW, theme.FELT_LINE, theme.TILE_EDGE, theme.WOOD,
    theme.PLATE, theme.PLATE_LIGHT, theme.SIGNAL, theme.CROWN,
)  # fmt: skip
_PAIRS: Final = (
    *((theme.IVORY, ink) for ink in _ON_TILES),
    *((theme.FELT, ink) for ink in _ON_FELT),
    *((theme.SHELF, ink) for ink in (theme.IVORY, theme.TILE_EDGE, theme.SHELF_SHADOW, theme.SIGNAL, theme.WOOD)),
    *((theme.PLATE, ink) for ink in (theme.WORDS, theme.WORDS_DIM, theme.CROWN, theme.SIGNAL)),
    *((theme.PLATE, ink) for ink in (theme.IVORY, theme.TILE_EDGE, theme.FELT_SHADOW)),
    *((theme.PLATE_LIGHT, ink) for ink in (theme.WORDS_DARK, theme.IVORY, theme.TILE_EDGE, theme.SHADE_LIGHT)),
    (theme.PLATE_LIGHT, theme.SIGNAL),
    (theme.WOOD, theme.WOOD_LIGHT),
    (theme.BAND, theme.CROWN),
)


def _shade(ground: Colour, ink: Colour, step: int) -> Colour:
    low, high = STEPS - 1 - step, step
    red, green, blue = ((a * low + b * high + (STEPS - 1) // 2) // (STEPS - 1) for a, b in zip(ground, ink, strict=True))
    return red, green, blue


def _all_colours() -> list[Colour]:
    every = (_shade(ground, ink, step) for ground, ink in _PAIRS for step in range(STEPS))
    return list(dict.fromkeys(every))


_COLOURS: Final = _all_colours()
_INDEX: Final = {colour: index for index, colour in enumerate(_COLOURS)}
FLAT: Final[Sequence[int]] = [part for colour in _COLOURS for part in colour]
"""The palette as Pillow takes it: red, green, blue, red, …"""


def index(colour: Colour) -> int:
    """The palette's index of a colour of the theme."""
    return _INDEX[colour]


@cache
def shades(ground: Colour, ink: Colour) -> tuple[int, ...]:
    """What 256 degrees of coverage of a ground by an ink become, as palette indices."""
    return tuple(_INDEX[_shade(ground, ink, (cover * (STEPS - 1) + 127) // 255)] for cover in range(256))


@cache
def _sample() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(FLAT)
    return image


def indexed(image: Image.Image) -> Image.Image:
    """An RGB image as palette indices (mode L): colours of the palette exactly, others by the nearest.

    Pillow alone looks up a coarse cube, in which near neighbours of a flat ground would take its place.
    """
    nearest = image.quantize(palette=_sample(), dither=Image.Dither.NONE).tobytes()
    pixels = image.tobytes()
    colours = zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True)
    exact = bytes(_INDEX.get(colour, near) for colour, near in zip(colours, nearest, strict=True))
    return Image.frombytes("L", image.size, exact)
