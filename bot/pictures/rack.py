"""Rack: a player's tiles on their shelves, with indicator and okey at the side."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.markup import RackPicture, TileFace
from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Brush, Canvas, TextStyle
from bot.pictures.sprites import tile_height

_SIDE: Final = 134
"""Width of the column that holds indicator and okey."""
_SIDE_TILE: Final = 82
_CAPTION: Final = 40
"""Height of a caption over its tile."""
_FRAME: Final = 16
"""Wood round the shelves."""
_GAP: Final = 5
_LIFT: Final = 12
"""How much higher a tile stands that is pointed out."""
_POINTER: Final = 24
_HEADROOM: Final = _LIFT + _POINTER + 4
_LEDGE: Final = 14
_COLUMNS: Final = 8
"""Neither of two shelves is drawn with fewer places."""
_COLUMNS_OF_MORE: Final = 5
"""Of more than two shelves: they are for larger tiles."""
_LEAST_HEIGHT: Final = 336
"""Room for the column at the side."""

_CAPTIONS: Final = TextStyle(theme.TEXT_SMALL, theme.WORDS, theme.FELT)


@dataclass(frozen=True, slots=True)
class _Measures:
    """Where everything stands on a rack of so many shelves and places."""

    shelves: int
    columns: int

    @property
    def pitch(self) -> int:
        return (theme.WIDTH - _SIDE - 2 * _FRAME - _GAP) // self.columns

    @property
    def tile(self) -> int:
        return self.pitch - _GAP

    @property
    def shelf(self) -> int:
        """The height of a shelf's opening."""
        least = (_LEAST_HEIGHT - _FRAME) // self.shelves - _LEDGE
        return max(least, _HEADROOM + tile_height(self.tile))

    @property
    def height(self) -> int:
        return self.foot(self.shelves - 1) + _LEDGE + _FRAME // 2

    def foot(self, shelf: int) -> int:
        """Where the tiles of a shelf stand, from the top of the picture."""
        return _FRAME + self.shelf + shelf * (self.shelf + _LEDGE)

    def left(self, place: int) -> int:
        spare = theme.WIDTH - _SIDE - 2 * _FRAME - self.columns * self.pitch + _GAP
        return _FRAME + spare // 2 + place * self.pitch


def draw_rack(picture: RackPicture) -> bytes:
    """The rack as PNG."""
    least = _COLUMNS_OF_MORE if len(picture.shelves) > 2 else _COLUMNS
    measures = _Measures(max(1, len(picture.shelves)), max(least, *map(len, picture.shelves), 0))
    canvas = Canvas(_wood(measures))
    for number, shelf in enumerate(picture.shelves):
        for place, face in enumerate(shelf):
            if face:
                spot = (measures.left(place), measures.foot(number))
                _stand(canvas, face, spot, measures.tile, picture.letters)
    _side(canvas, picture, measures.height)
    return canvas.png(contrast=picture.contrast)


@lru_cache(maxsize=16)
def _wood(measures: _Measures) -> Image.Image:
    """The empty rack on the felt."""
    right = theme.WIDTH - _SIDE
    brush = Brush(theme.WIDTH, measures.height, theme.FELT)
    brush.block((-30, 0, right, measures.height), theme.WOOD, 18)
    for shelf in range(measures.shelves):
        foot = measures.foot(shelf)
        top = foot - measures.shelf
        brush.block((_FRAME, top, right - _FRAME, foot), theme.SHELF, 8)
        brush.block((_FRAME + 2, top, right - _FRAME - 2, top + 6), theme.SHELF_SHADOW, 3)
        brush.block((6, foot, right - 6, foot + 6), theme.WOOD_LIGHT, 3)
    return brush.done()


def _stand(canvas: Canvas, face: TileFace, spot: tuple[int, int], width: int, letters: bool) -> None:
    """Put a tile on a shelf; `spot` is its lower left corner."""
    left, foot = spot
    top = foot - tile_height(width)
    if face.marked:
        top -= _LIFT
        pointer = sprites.sign(marks.arrowhead, _POINTER, theme.SHELF, theme.SIGNAL)
        canvas.lay(pointer, left + (width - _POINTER) / 2, top - 2 - round(_POINTER * 0.85))
    canvas.lay(sprites.tile(face, width, theme.SHELF, letters), left, top)


def _side(canvas: Canvas, picture: RackPicture, height: int) -> None:
    middle = theme.WIDTH - _SIDE / 2
    block = _CAPTION + tile_height(_SIDE_TILE)
    space = (height - 2 * block) / 3
    faces = (picture.indicator, picture.okey)
    for place, (face, caption) in enumerate(zip(faces, picture.captions, strict=True)):
        top = space + place * (block + space)
        canvas.write(caption, (middle, top + _CAPTION * 0.4), _CAPTIONS, _SIDE - 12, "middle")
        tile = sprites.tile(face, _SIDE_TILE, theme.FELT, picture.letters)
        canvas.lay(tile, middle - _SIDE_TILE / 2, top + _CAPTION)
