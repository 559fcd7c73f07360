"""Rack: a player's tiles on their shelves, under a strip with indicator and okey.

Tiles are as large as the fullest shelf allows. A gap is narrower than a tile. A tile that is the only one
pointed out and the last on its shelf has a bay of its own at the shelf's end.
"""

from collections.abc import Sequence
from itertools import chain
from operator import gt
from typing import Final

from msgspec import Struct
from PIL import Image

from bot.markup import RackPicture, TileFace
from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Brush, Canvas, TextStyle
from bot.pictures.once import draw_once
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


class _Measures(Struct, frozen=True, cache_hash=True):
    """The positions on a rack of `shelves` shelves, with tiles of one width."""

    shelves: int
    tile: int

    @property
    def opening(self) -> int:
        """The height of a shelf's opening."""
        return _HEADROOM + tile_height(self.tile)

    @property
    def height(self) -> int:
        return self.foot(self.shelves - 1) + _LEDGE + _FRAME // 2

    def foot(self, shelf: int) -> int:
        """Return the bottom of a shelf's tiles, from the top of the picture."""
        return _STRIP + _FRAME + self.opening + shelf * (self.opening + _LEDGE)

    def lines(self, shelf: int) -> tuple[int, int]:
        """Return the first line of a shelf's part and the first below it. The parts meet."""
        top = self.foot(shelf) - self.opening if shelf else _STRIP
        return top, self.height if shelf == self.shelves - 1 else self.foot(shelf) + _LEDGE

    @property
    def bay_left(self) -> int:
        """The left edge of the tile in a bay."""
        return theme.WIDTH - _FRAME - _BETWEEN - self.tile


class RackStrip(Struct, frozen=True, cache_hash=True):
    """Indicator and okey, each after its caption: the upper part of a rack."""

    indicator: TileFace
    okey: TileFace
    captions: tuple[str, str]
    letters: bool


class RackShelf(Struct, frozen=True, cache_hash=True):
    """A shelf with the wood round it. Its `repr` does not tell the tiles."""

    tiles: _Shelf
    number: int
    """Counted from the top, from 0."""
    measures: _Measures
    bay: bool
    """The last tile stands apart."""
    letters: bool

    def __repr__(self) -> str:
        return f"{type(self).__name__}(number={self.number})"


def rack_parts(picture: RackPicture) -> tuple[RackStrip | RackShelf, ...]:
    """Return the parts of a rack from top to bottom. A move changes one of them, seldom two."""
    shelves = [_trim(shelf) for shelf in picture.shelves] or [()]
    bay = _bay(shelves)
    counts = [_counts(shelf, bay=number == bay) for number, shelf in enumerate(shelves)]
    measures = _Measures(len(shelves), _tile_width(counts, _TILES_OF_MORE if len(shelves) > 2 else _TILES))
    return (
        RackStrip(picture.indicator, picture.okey, picture.captions, picture.letters),
        *(
            RackShelf(shelf, number, measures, number == bay, picture.letters)
            for number, shelf in enumerate(shelves)
        ),
    )


def draw_strip(part: RackStrip) -> Canvas:
    """Indicator and okey on the felt."""
    canvas = Canvas.plain(theme.WIDTH, _STRIP, theme.FELT)
    middle = _STRIP / 2
    for face, caption, left in zip((part.indicator, part.okey), part.captions, _STRIP_LEFT, strict=True):
        canvas.write(caption, (left - _BESIDE, middle), _CAPTIONS, _CAPTION, "right")
        tile = sprites.tile(face, _STRIP_TILE, theme.FELT, part.letters)
        canvas.lay(tile, left, middle - tile.height / 2)
    return canvas


def draw_shelf(part: RackShelf) -> Canvas:
    """Return a shelf with its tiles; each shelf's gaps are as wide as it has room."""
    measures = part.measures
    canvas = Canvas(_empty_shelves(measures)[part.number])
    foot = measures.foot(part.number) - measures.lines(part.number)[0]
    if part.bay:
        post = Image.new("L", (_POST, measures.opening), theme.index(theme.WOOD))
        canvas.lay(post, measures.bay_left - _BETWEEN - _POST, foot - measures.opening)
    gap = _gap(*_counts(part.tiles, bay=part.bay), measures.tile)
    for face, left in _place(part.tiles, measures.tile, gap):
        at = measures.bay_left if part.bay and face.marked else round(left)
        _stand(canvas, face, (at, foot), measures.tile, part.letters)
    return canvas


def _trim(shelf: _Shelf) -> _Shelf:
    """Return the shelf up to its last tile."""
    end = len(shelf)
    while end and shelf[end - 1] is None:
        end -= 1
    return shelf[:end]


def _bay(shelves: Sequence[_Shelf]) -> int | None:
    """Return the shelf that ends with the only tile pointed out."""
    marked = sum(face is not None and face.marked for face in chain.from_iterable(shelves))
    ends = [number for number, shelf in enumerate(shelves) if shelf and shelf[-1] and shelf[-1].marked]
    return ends[0] if marked == 1 and ends else None


def _counts(shelf: _Shelf, *, bay: bool) -> tuple[int, int]:
    """Return the numbers of tiles and of gaps on a shelf. There is a gap before a bay."""
    empty = [face is None for face in shelf]
    gaps = sum(map(gt, empty, [False, *empty]))  # where one begins
    alone = len(shelf) < 2 or shelf[-2] is None
    return empty.count(False), gaps + (bay and not alone)


def _tile_width(counts: Sequence[tuple[int, int]], widths: Sequence[int]) -> int:
    """Return the largest width at which every shelf has room. At the smallest offered, gaps may be closed
    up."""
    for width in widths:
        share = 0.0 if width == widths[-1] else _LEAST_GAP
        if all(_gap(tiles, gaps, width) >= share * width for tiles, gaps in counts):
            return width
    return next((width for width in _NARROWEST if all(_gap(*each, width) >= 0 for each in counts)), 36)


def _gap(tiles: int, gaps: int, width: int) -> float:
    """Return the width of a shelf's gaps; negative when its tiles have no room."""
    spare = _ROOM - tiles * (width + _BETWEEN) - _BETWEEN
    return (
        min(spare / gaps, width * _MOST_GAP)
        if gaps and spare >= 0
        else spare
        if spare < 0
        else width * _MOST_GAP
    )


def _place(shelf: _Shelf, width: int, gap: float) -> list[tuple[TileFace, float]]:
    """Return the tiles of a shelf, each with its left edge."""
    placed: list[tuple[TileFace, float]] = []
    left = float(_FRAME + _BETWEEN)
    for number, face in enumerate(shelf):
        if face:
            placed.append((face, left))
            left += width + _BETWEEN
        elif number == 0 or shelf[number - 1]:
            left += gap
    return placed


@draw_once
def _empty_shelves(measures: _Measures) -> Sequence[Image.Image]:
    """Return the shelves without tiles, from top to bottom, with the wood round them. They are shared, so do
    not change them."""
    brush = Brush(theme.WIDTH, measures.height, theme.FELT)
    brush.block((0, _STRIP, theme.WIDTH, measures.height), theme.WOOD, 16)
    brush.block((8, _STRIP + 3, theme.WIDTH - 8, _STRIP + 7), theme.WOOD_LIGHT, 2)
    right = theme.WIDTH - _FRAME
    for shelf in range(measures.shelves):
        foot = measures.foot(shelf)
        top = foot - measures.opening
        brush.block((_FRAME, top, right, foot), theme.SHELF, 8)
        brush.block((_FRAME + 2, top, right - 2, top + 6), theme.SHELF_SHADOW, 3)
        brush.block((5, foot, theme.WIDTH - 5, foot + 6), theme.WOOD_LIGHT, 3)
    wood, parts = brush.finish(), map(measures.lines, range(measures.shelves))
    return [wood.crop((0, top, theme.WIDTH, below)) for top, below in parts]


def _stand(canvas: Canvas, face: TileFace, spot: tuple[int, int], width: int, letters: bool) -> None:
    """Draw a tile on a shelf. `spot` is its lower left corner."""
    left, foot = spot
    top = foot - tile_height(width)
    if face.marked:
        top -= _LIFT
        pointer = sprites.sign(marks.arrowhead, _POINTER, theme.SHELF, theme.MARK)
        canvas.lay(pointer, left + (width - _POINTER) / 2, top - 1 - round(_POINTER * 0.85))
    canvas.lay(sprites.tile(face, width, theme.SHELF, letters), left, top)
