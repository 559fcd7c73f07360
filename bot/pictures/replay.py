"""The table at one step of a round that is over, and under it every rack."""

from io import BytesIO
from typing import Final

from PIL import Image

from bot.markup import ReplayPicture, TileFace
from bot.pictures import sprites, theme
from bot.pictures.canvas import Canvas, Hand
from bot.pictures.table import draw_table
from bot.pictures.tiles import tile_height

_ROOM: Final = theme.WIDTH - 2 * theme.MARGIN
_LARGEST: Final = 54
_GAP: Final = 3
_NAME: Final = 40
_BETWEEN: Final = 14
_HAND: Final = Hand(theme.TEXT_SMALL, theme.WORDS, theme.FELT)
_ON_TURN: Final = Hand(theme.TEXT_SMALL, theme.SIGNAL, theme.FELT)


def draw_replay(picture: ReplayPicture) -> bytes:
    """The step as PNG; its height grows with the seats."""
    table = _indices(draw_table(picture.table))
    longest = max(map(len, picture.racks), default=0)
    width = min(_LARGEST, _ROOM // max(longest, 1) - _GAP)
    strip = _NAME + tile_height(width) + _BETWEEN
    canvas = Canvas.plain(theme.WIDTH, table.height + len(picture.racks) * strip + _BETWEEN, theme.FELT)
    canvas.lay(table, 0, 0)
    for number, (seat, rack) in enumerate(zip(picture.table.seats, picture.racks, strict=True)):
        top = table.height + _BETWEEN + number * strip
        hand = _ON_TURN if seat.on_turn else _HAND
        canvas.write(seat.name, (theme.MARGIN, top + _NAME * 0.4), hand, _ROOM)
        _draw_tiles(canvas, rack, width, top + _NAME, letters=picture.table.letters)
    return canvas.png(contrast=picture.table.contrast)


def _draw_tiles(canvas: Canvas, rack: tuple[TileFace, ...], width: int, top: float, *, letters: bool) -> None:
    for place, face in enumerate(rack):
        tile = sprites.tile(face, width, theme.FELT, letters)
        canvas.lay(tile, theme.MARGIN + place * (width + _GAP), top)


def _indices(png: bytes) -> Image.Image:
    """A picture of ours as palette indices again: all have one palette."""
    with Image.open(BytesIO(png)) as image:
        return Image.frombytes("L", image.size, image.tobytes())
