"""Tiles and other small parts as palette indices (mode L), each drawn once and kept.

A sprite fills its whole box, the ground it stands on included, so that placing it is a plain copy.
"""

from functools import lru_cache
from typing import Final

from PIL import Image

from bot.pictures import lettering, marks, theme
from bot.pictures.brush import Brush
from bot.pictures.theme import Colour
from bot.screens.model import TileFace

_SHADOWS: Final = {theme.FELT: theme.FELT_SHADOW, theme.SHELF: theme.SHELF_SHADOW, theme.PLATE: theme.FELT_SHADOW}


def tile_height(width: int) -> int:
    """The height of a tile's sprite, its edge and shadow included."""
    return round(width * theme.TILE_RATIO)


def _digits(brush: Brush, number: str, size: float, centre: tuple[float, float], ink: Colour) -> None:
    brush.stamp(lambda scale: lettering.line(number, round(size * scale), round(size * scale * 3)), centre, ink)


def _block(brush: Brush, width: int, ground: Colour) -> float:
    """The blank tile on its shadow. Returns the height of its face."""
    height = tile_height(width)
    edge, shadow, radius = width * 0.07, width * 0.045, width * 0.13
    face = height - edge - shadow
    brush.block((0, shadow * 2, width, height), _SHADOWS[ground], radius)
    brush.block((0, 0, width, height - shadow), theme.TILE_EDGE, radius)
    brush.block((0, 0, width, face), theme.IVORY, radius)
    return face


def _crown_band(brush: Brush, width: int, face: float) -> float:
    """The sign of an okey at the foot of a face. Returns the height that remains above it."""
    top = face * 0.8
    brush.block((width * 0.08, top, width * 0.92, face * 0.96), theme.BAND, width * 0.06)
    marks.crown(brush, (width / 2, top + face * 0.08), width * 0.13, theme.CROWN)
    return top


def _imprint(brush: Brush, face: TileFace, width: int, height: float, letters: bool) -> None:
    """Number over mark (and letter), or the false joker, on `height` pixels of a tile's face."""
    letter, number = face.code[0], face.code[1:]
    ink = theme.INKS[letter]
    middle, tight = width / 2, face.wild
    if letter == "F":
        low = height * (0.38 if letters else 0.5)
        marks.jester(brush, (middle, low), width * 0.4, ink, theme.IVORY)
        if letters:
            _digits(brush, "F", width * 0.36, (middle, height * 0.8), ink)
        return
    _digits(brush, number, width * (0.68 if tight else 0.74), (middle, height * (0.36 if tight else 0.37)), ink)
    row, radius = height * (0.81 if tight else 0.79), width * (0.13 if tight else 0.16)
    aside = width * 0.2 if letters else 0
    marks.BY_COLOUR[letter](brush, (middle - aside, row), radius, ink)
    if letters:
        _digits(brush, letter, width * 0.36, (middle + aside, row), ink)


def _ring(brush: Brush, width: int, face: float) -> None:
    """The bright frame of a tile that is pointed out: inside its own edges."""
    thick, radius = max(3.0, width * 0.06), width * 0.13
    brush.block((0, 0, width, face), theme.SIGNAL, radius)
    brush.block((thick, thick, width - thick, face - thick), theme.IVORY, radius - thick / 2)


@lru_cache(maxsize=1024)
def tile(face: TileFace, width: int, ground: Colour, letters: bool) -> Image.Image:
    """A tile as it stands on the felt, the shelf or a name plate."""
    brush = Brush(width, tile_height(width), ground)
    height = _block(brush, width, ground)
    if face.marked:
        _ring(brush, width, height)
    if face.wild:
        height = _crown_band(brush, width, height)
    _imprint(brush, face, width, height, letters)
    return brush.done()


@lru_cache(maxsize=32)
def back(width: int, ground: Colour) -> Image.Image:
    """A tile face down."""
    brush = Brush(width, tile_height(width), ground)
    _block(brush, width, ground)
    return brush.done()


@lru_cache(maxsize=32)
def slot(width: int) -> Image.Image:
    """Where a discard pile will lie on the felt."""
    height = tile_height(width)
    brush = Brush(width, height, theme.FELT)
    brush.block((0, 0, width, height), theme.FELT_LINE, width * 0.13)
    brush.block((3, 3, width - 3, height - 3), theme.FELT, width * 0.11)
    return brush.done()


@lru_cache(maxsize=32)
def pointer(width: int, ground: Colour) -> Image.Image:
    """A bright triangle that points down."""
    brush = Brush(width, round(width * 0.7), ground)
    marks.pointer(brush, (width / 2, width * 0.35), width / 2, theme.SIGNAL)
    return brush.done()


@lru_cache(maxsize=32)
def robot(size: int, ground: Colour, ink: Colour) -> Image.Image:
    """The sign of a computer player."""
    brush = Brush(size, size, ground)
    marks.robot(brush, (size / 2, size / 2), size / 2, ink, ground)
    return brush.done()


@lru_cache(maxsize=32)
def crown(size: int, ground: Colour, ink: Colour) -> Image.Image:
    """The sign of a winner."""
    brush = Brush(size, size, ground)
    marks.crown(brush, (size / 2, size / 2), size / 2, ink)
    return brush.done()


@lru_cache(maxsize=64)
def plate(width: int, height: int, fill: Colour, frame: Colour) -> Image.Image:
    """A plate with a frame on the felt, to write on."""
    brush = Brush(width, height, theme.FELT)
    brush.block((0, 0, width, height), frame, 16)
    brush.block((4, 4, width - 4, height - 4), fill, 13)
    return brush.done()


@lru_cache(maxsize=64)
def arrow(size: int, turn: int) -> Image.Image:
    """A chevron on the felt: 0 to the right, then counterclockwise by quarters of a right angle each 1."""
    brush = Brush(size, size, theme.FELT)
    low, high = size * 0.2, size * 0.8
    brush.stroke([(size * 0.35, low), (size * 0.7, size / 2), (size * 0.35, high)], size * 0.14, theme.FELT_LINE)
    image = brush.done()
    return image.rotate(turn * 90)
