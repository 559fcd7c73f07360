"""Small parts as palette indices (mode L), each drawn once and kept.

A sprite fills its whole box, the ground it stands on included, so that placing it is a plain copy.
"""

from functools import lru_cache
from typing import Literal

from PIL import Image

from bot.markup import TileFace
from bot.pictures import marks, theme
from bot.pictures.canvas import Brush
from bot.pictures.theme import Colour
from bot.pictures.tiles import imprint, print_block, tile_height

Towards = Literal["down", "right", "up", "left"]
_TURNS: dict[Towards, Image.Transpose | None] = {
    "down": None,
    "right": Image.Transpose.ROTATE_90,
    "up": Image.Transpose.ROTATE_180,
    "left": Image.Transpose.ROTATE_270,
}


@lru_cache(maxsize=1024)
def tile(face: TileFace, width: int, ground: Colour, letters: bool) -> Image.Image:
    """A tile as it stands on a shelf, the felt or a plate."""
    height = tile_height(width)
    brush = Brush(width, height, ground)
    inside = print_block(brush, width, height, theme.SHADOWS[ground], marked=face.marked)
    imprint(brush, face, width, inside, letters=letters)
    return brush.done()


@lru_cache(maxsize=16)
def stock(width: int, layers: int) -> Image.Image:
    """Tiles face down on the felt, one on the other; the topmost has its face at the sprite's top."""
    step = round(width * 0.1)
    height = tile_height(width) + layers * step
    brush = Brush(width, height, theme.FELT)
    for layer in range(layers, -1, -1):
        top = layer * step
        print_block(brush, width, tile_height(width), theme.FELT_SHADOW, top=top)
    return brush.done()


@lru_cache(maxsize=16)
def slot(width: int) -> Image.Image:
    """Where a discard pile will lie on the felt."""
    height = tile_height(width)
    brush = Brush(width, height, theme.FELT)
    brush.block((0, 0, width, height), theme.FELT_LINE, width * 0.13)
    brush.block((3, 3, width - 3, height - 3), theme.FELT, width * 0.11)
    return brush.done()


@lru_cache(maxsize=64)
def sign(mark: marks.Mark, size: int, ground: Colour, ink: Colour, towards: Towards = "down") -> Image.Image:
    """One of the marks in a square box; those that point can be turned."""
    brush = Brush(size, size, ground)
    mark(brush, (size / 2, size / 2), size / 2, ink)
    turn = _TURNS[towards]
    image = brush.done()
    return image if turn is None else image.transpose(turn)


@lru_cache(maxsize=16)
def robot(size: int, ground: Colour, ink: Colour) -> Image.Image:
    """The sign of a computer player."""
    brush = Brush(size, size, ground)
    marks.robot(brush, (size / 2, size / 2), size / 2, ink, ground)
    return brush.done()


@lru_cache(maxsize=64)
def plate(width: int, height: int, fill: Colour, frame: Colour) -> Image.Image:
    """A plate with a frame on the felt, to write on."""
    brush = Brush(width, height, theme.FELT)
    brush.block((0, 0, width, height), frame, 16)
    brush.block((5, 5, width - 5, height - 5), fill, 12)
    return brush.done()
