"""A player's rack, with indicator and okey at its side."""

from functools import lru_cache
from typing import Final

from PIL import Image

from bot.pictures import sprites, theme
from bot.pictures.brush import Brush
from bot.pictures.canvas import Canvas
from bot.screens.model import RackPicture, TileFace

_SIDE: Final = 140
"""Width of the column that holds indicator and okey."""
_FRAME: Final = 16
"""Wood round the shelves."""
_GAP: Final = 5
_LIFT: Final = 14
_HEADROOM: Final = 32
"""Above the tiles of a shelf: a tile that is pointed out stands higher, under its pointer."""
_LEDGE: Final = 14
_COLUMNS: Final = 8
"""A shelf is never drawn with fewer places."""
_SIDE_TILE: Final = 84


def _pitch(columns: int) -> int:
    return (theme.WIDTH - _SIDE - 2 * _FRAME - _GAP) // columns


def _shelf_height(columns: int) -> int:
    return _HEADROOM + sprites.tile_height(_pitch(columns) - _GAP)


def _top(shelf: int, columns: int) -> int:
    """Where a shelf begins, from the top of the picture."""
    return _FRAME + shelf * (_shelf_height(columns) + _LEDGE)


def _height(shelves: int, columns: int) -> int:
    least = 2 * (sprites.tile_height(_SIDE_TILE) + 60)
    return max(least, _top(shelves, columns) + _FRAME)


@lru_cache(maxsize=16)
def _wood(shelves: int, columns: int) -> Image.Image:
    """The empty rack on the felt."""
    height = _height(shelves, columns)
    right = theme.WIDTH - _SIDE
    brush = Brush(theme.WIDTH, height, theme.FELT)
    brush.block((-30, 0, right, height), theme.WOOD, 18)
    for shelf in range(shelves):
        top = _top(shelf, columns)
        foot = top + _shelf_height(columns)
        brush.block((_FRAME, top, right - _FRAME, foot), theme.SHELF)
        brush.block((_FRAME, top, right - _FRAME, top + 6), theme.SHELF_SHADOW)
        brush.block((0, foot, right, foot + 5), theme.WOOD_LIGHT)
    return brush.done()


def _stand(canvas: Canvas, face: TileFace, left: float, foot: float, width: int, letters: bool) -> None:
    top = foot - sprites.tile_height(width)
    if face.marked:
        top -= _LIFT
        point = sprites.pointer(26, theme.SHELF)
        canvas.lay(point, left + (width - point.width) / 2, top - point.height)
    canvas.lay(sprites.tile(face, width, theme.SHELF, letters), left, top)


def _side(canvas: Canvas, picture: RackPicture, height: int) -> None:
    middle = theme.WIDTH - _SIDE / 2
    block = sprites.tile_height(_SIDE_TILE) + 40
    space = (height - 2 * block) / 3
    for place, (face, caption) in enumerate(zip((picture.indicator, picture.okey), picture.captions, strict=True)):
        top = space + place * (block + space)
        canvas.write(caption, (middle, top + 14), theme.TEXT_SMALL, _SIDE - 8, theme.WORDS, theme.FELT, "middle")
        canvas.lay(sprites.tile(face, _SIDE_TILE, theme.FELT, picture.letters), middle - _SIDE_TILE / 2, top + 36)


def draw_rack(picture: RackPicture) -> bytes:
    """The rack as PNG."""
    columns = max(_COLUMNS, *map(len, picture.shelves), 1)
    pitch = _pitch(columns)
    shelves = max(1, len(picture.shelves))
    canvas = Canvas(_wood(shelves, columns))
    for number, shelf in enumerate(picture.shelves):
        foot = _top(number, columns) + _shelf_height(columns)
        for place, face in enumerate(shelf):
            if face:
                _stand(canvas, face, _FRAME + _GAP + place * pitch, foot, pitch - _GAP, picture.letters)
    _side(canvas, picture, _height(shelves, columns))
    return canvas.png()
