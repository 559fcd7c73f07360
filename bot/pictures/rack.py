"""Rack: a player's tiles on their shelves, under a strip with indicator and okey.

Tiles are as large as the fullest shelf allows. A gap is narrower than a tile. A tile that is the only one
pointed out and the last on its shelf has a bay of its own at the shelf's end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from typing import Final

from PIL import Image

from bot.markup import RackPicture, TileFace
from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Brush, Canvas, TextStyle
from bot.pictures.sprites import tile_height

_Shelf = tuple[TileFace | None, ...]

_STRIP_TILE: Final = 50
_STRIP: Final = tile_height(_STRIP_TILE) + 20
"""Height of the strip that holds indicator and okey."""
_STRIP_LEFT: Final = (310, 680)
"""The left edges of these two."""
_CAPTION: Final = 280
_BESIDE: Final = 14
"""Between a caption and its tile."""
_FRAME: Final = 14
"""The width of the wood round the shelves."""
_ROOM: Final = theme.WIDTH - 2 * _FRAME
_BETWEEN: Final = 2
_TILES: Final = (92, 88, 84, 80, 76, 73, 70, 67, 64)
"""The widths of tiles for up to 13 on a shelf. They are few, so that sprites are reused."""
_TILES_OF_MORE: Final = (140, 132, 124, 116, 110, 103, *_TILES)
"""The widths on more than two shelves, which are for larger tiles."""
_NARROWEST: Final = (60, 56, 52, 48, 44, 40)
"""The widths for shelves fuller than the program offers."""
_LEAST_GAP: Final = 0.24
_MOST_GAP: Final = 0.5
"""The least and the greatest width of a gap, as a share of a tile."""
_LIFT: Final = 10
"""The pixels by which a tile that is pointed out is raised."""
_POINTER: Final = 20
_HEADROOM: Final = _LIFT + _POINTER + 4
_LEDGE: Final = 14
_POST: Final = 8
"""The wood between a bay and the rest of its shelf."""

_CAPTIONS: Final = TextStyle(theme.TEXT, theme.WORDS, theme.FELT)


@dataclass(frozen=True, slots=True)
class _Measures:
    """The positions on a rack of `shelves` shelves, with tiles of one width."""

    shelves: int
    tile: int
    bay: int | None
    """The shelf that has a bay; None: none has."""

    @property
    def opening(self) -> int:
        """The height of a shelf's opening."""
        return _HEADROOM + tile_height(self.tile)

    @property
    def height(self) -> int:
        return self.foot(self.shelves - 1) + _LEDGE + _FRAME // 2

    def foot(self, shelf: int) -> int:
        """The bottom of a shelf's tiles, from the top of the picture."""
        return _STRIP + _FRAME + self.opening + shelf * (self.opening + _LEDGE)

    @property
    def bay_left(self) -> int:
        """The left edge of the tile in a bay."""
        return theme.WIDTH - _FRAME - _BETWEEN - self.tile


def draw_rack(picture: RackPicture) -> bytes:
    """The rack as PNG; its height grows with its tiles."""
    shelves = [_trimmed(shelf) for shelf in picture.shelves] or [()]
    bay = _bay(shelves)
    parts = [_parts(shelf, bay=number == bay) for number, shelf in enumerate(shelves)]
    tile = _tile_width(parts, _TILES_OF_MORE if len(shelves) > 2 else _TILES)
    gap = min(_gap(tiles, gaps, tile) for tiles, gaps in parts)
    measures = _Measures(len(shelves), tile, bay)
    canvas = Canvas(_wood(measures))
    for number, shelf in enumerate(shelves):
        for face, left in _placed(shelf, measures.tile, gap):
            at = measures.bay_left if number == bay and face is shelf[-1] and face.marked else left
            _stand(canvas, face, (round(at), measures.foot(number)), tile, picture.letters)
    _draw_strip(canvas, picture)
    return canvas.png(contrast=picture.contrast)


def _trimmed(shelf: _Shelf) -> _Shelf:
    """The shelf up to its last tile."""
    return shelf[: max((place for place, face in enumerate(shelf, 1) if face), default=0)]


def _bay(shelves: Sequence[_Shelf]) -> int | None:
    """The shelf that ends with the only tile pointed out."""
    marked = sum(face is not None and face.marked for face in chain.from_iterable(shelves))
    ends = [number for number, shelf in enumerate(shelves) if shelf and shelf[-1] and shelf[-1].marked]
    return ends[0] if marked == 1 and ends else None


def _parts(shelf: _Shelf, *, bay: bool) -> tuple[int, int]:
    """The numbers of tiles and of gaps on a shelf. There is a gap before a bay."""
    gaps = sum(empty for empty, _ in groupby(shelf, key=lambda face: face is None))
    alone = len(shelf) < 2 or shelf[-2] is None
    return sum(face is not None for face in shelf), gaps + (bay and not alone)


def _tile_width(parts: Sequence[tuple[int, int]], widths: Sequence[int]) -> int:
    """The largest width at which every shelf has room. At the smallest offered, gaps may be closed up."""
    for width in widths:
        share = 0.0 if width == widths[-1] else _LEAST_GAP
        if all(_gap(tiles, gaps, width) >= share * width for tiles, gaps in parts):
            return width
    return next((width for width in _NARROWEST if all(_gap(*each, width) >= 0 for each in parts)), 36)


def _gap(tiles: int, gaps: int, width: int) -> float:
    """The width of a shelf's gaps; negative when its tiles have no room."""
    spare = _ROOM - tiles * (width + _BETWEEN) - _BETWEEN
    return (
        min(spare / gaps, width * _MOST_GAP)
        if gaps and spare >= 0
        else spare
        if spare < 0
        else width * _MOST_GAP
    )


def _placed(shelf: _Shelf, width: int, gap: float) -> list[tuple[TileFace, float]]:
    """The tiles of a shelf, each with its left edge."""
    placed: list[tuple[TileFace, float]] = []
    left = float(_FRAME + _BETWEEN)
    for number, face in enumerate(shelf):
        if face:
            placed.append((face, left))
            left += width + _BETWEEN
        elif number == 0 or shelf[number - 1]:
            left += gap
    return placed


@lru_cache(maxsize=32)
def _wood(measures: _Measures) -> Image.Image:
    """The empty rack on the felt."""
    brush = Brush(theme.WIDTH, measures.height, theme.FELT)
    brush.block((0, _STRIP, theme.WIDTH, measures.height), theme.WOOD, 16)
    brush.block((8, _STRIP + 3, theme.WIDTH - 8, _STRIP + 7), theme.WOOD_LIGHT, 2)
    right = theme.WIDTH - _FRAME
    for shelf in range(measures.shelves):
        foot = measures.foot(shelf)
        top = foot - measures.opening
        brush.block((_FRAME, top, right, foot), theme.SHELF, 8)
        brush.block((_FRAME + 2, top, right - 2, top + 6), theme.SHELF_SHADOW, 3)
        if shelf == measures.bay:
            post = measures.bay_left - _BETWEEN - _POST
            brush.block((post, top, post + _POST, foot), theme.WOOD, 0)
        brush.block((5, foot, theme.WIDTH - 5, foot + 6), theme.WOOD_LIGHT, 3)
    return brush.done()


def _stand(canvas: Canvas, face: TileFace, spot: tuple[int, int], width: int, letters: bool) -> None:
    """Draw a tile on a shelf. `spot` is its lower left corner."""
    left, foot = spot
    top = foot - tile_height(width)
    if face.marked:
        top -= _LIFT
        pointer = sprites.sign(marks.arrowhead, _POINTER, theme.SHELF, theme.MARK)
        canvas.lay(pointer, left + (width - _POINTER) / 2, top - 1 - round(_POINTER * 0.85))
    canvas.lay(sprites.tile(face, width, theme.SHELF, letters), left, top)


def _draw_strip(canvas: Canvas, picture: RackPicture) -> None:
    """Draw indicator and okey, each after its caption."""
    middle = _STRIP / 2
    for face, caption, left in zip(
        (picture.indicator, picture.okey), picture.captions, _STRIP_LEFT, strict=True
    ):
        canvas.write(caption, (left - _BESIDE, middle), _CAPTIONS, _CAPTION, "right")
        tile = sprites.tile(face, _STRIP_TILE, theme.FELT, picture.letters)
        canvas.lay(tile, left, middle - tile.height / 2)
