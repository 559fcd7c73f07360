"""The one palette of every picture, and the shades between two of its colours.

Pictures are drawn as palette indices from the start: a finished part is copied, never converted.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from PIL import Image

from bot.pictures import theme
from bot.pictures.theme import Colour

STEPS: Final = 5
"""Shades from a ground to an ink, both included: enough for smooth edges, few enough to pack well."""

_INKS_ON: Final[dict[Colour, tuple[Colour, ...]]] = {
    theme.IVORY: (*theme.INKS.values(), theme.TILE_EDGE, theme.BAND, theme.SIGNAL),
    theme.FELT: (
        theme.WORDS, theme.WORDS_DIM, theme.FELT_SHADOW, theme.FELT_LINE, theme.TILE_EDGE, theme.IVORY,
        theme.WOOD, theme.PLATE, theme.PLATE_LIGHT, theme.SIGNAL,
    ),
    theme.SHELF: (theme.IVORY, theme.TILE_EDGE, theme.SHELF_SHADOW, theme.SIGNAL, theme.WOOD),
    theme.PLATE: (theme.WORDS, theme.IVORY, theme.TILE_EDGE, theme.FELT_SHADOW, theme.FELT_LINE),
    theme.PLATE_LIGHT: (theme.WORDS_DARK, theme.IVORY, theme.TILE_EDGE, theme.PLATE_SHADOW, theme.SIGNAL),
    theme.WOOD: (theme.WOOD_LIGHT,),
    theme.BAND: (theme.CROWN,),
}  # fmt: skip
"""Every ground and what is drawn on it."""


def _shade(ground: Colour, ink: Colour, step: int) -> Colour:
    last = STEPS - 1
    red, green, blue = (
        (low * (last - step) + high * step + last // 2) // last for low, high in zip(ground, ink, strict=True)
    )
    return red, green, blue


def _all_colours() -> dict[Colour, Colour]:
    """Every colour of the palette, with what it becomes in strong contrast."""
    strong: dict[Colour, Colour] = {}
    for ground, inks in _INKS_ON.items():
        for ink in inks:
            for step in range(STEPS):
                becomes = _shade(theme.STRONG[ground], theme.STRONG[ink], step)
                strong.setdefault(_shade(ground, ink, step), becomes)
    return strong


def _flat(colours: Iterable[Colour]) -> Sequence[int]:
    return [part for colour in colours for part in colour]


_COLOURS: Final = _all_colours()
_INDEX: Final = {colour: index for index, colour in enumerate(_COLOURS)}
FLAT: Final = _flat(_COLOURS)
"""The palette as Pillow takes it: red, green, blue, red, …"""
STRONG: Final = _flat(_COLOURS.values())
"""The same palette in strong contrast: a picture is drawn once and takes either."""


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
