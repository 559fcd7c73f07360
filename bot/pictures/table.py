"""The table, seen by the seat at the bottom."""

from dataclasses import dataclass
from typing import Final

from bot.pictures import sprites, theme
from bot.pictures.canvas import Canvas
from bot.screens.model import DrawnSeat, TablePicture, TileFace

_HEIGHT: Final = 640
_TILE: Final = 88
_PLATE: Final = (300, 112)
_EDGE: Final = 16


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a seat's plate has its centre, and where its discard pile has its own."""

    plate: tuple[int, int]
    pile: tuple[int, int]


_W, _H = theme.WIDTH, _HEIGHT
_LEFT, _RIGHT = _EDGE + _PLATE[0] // 2, _W - _EDGE - _PLATE[0] // 2
_TOP, _BOTTOM = _EDGE + _PLATE[1] // 2, _H - _EDGE - _PLATE[1] // 2
_CORNERS: Final = {"east": _W - 130, "west": 130, "north": 112, "south": _H - 112}
_SPOTS: Final = {
    2: (
        _Spot((_W // 2, _BOTTOM), (_CORNERS["east"], _CORNERS["south"])),
        _Spot((_W // 2, _TOP), (_CORNERS["west"], _CORNERS["north"])),
    ),
    3: (
        _Spot((_W // 2, _BOTTOM), (_CORNERS["east"], _CORNERS["south"])),
        _Spot((_RIGHT, _H // 2), (_W // 2, _CORNERS["north"])),
        _Spot((_LEFT, _H // 2), (_CORNERS["west"], _CORNERS["south"])),
    ),
    4: (
        _Spot((_W // 2, _BOTTOM), (_CORNERS["east"], _CORNERS["south"])),
        _Spot((_RIGHT, _H // 2), (_CORNERS["east"], _CORNERS["north"])),
        _Spot((_W // 2, _TOP), (_CORNERS["west"], _CORNERS["north"])),
        _Spot((_LEFT, _H // 2), (_CORNERS["west"], _CORNERS["south"])),
    ),
}
"""By number of seats, in counterclockwise order from the bottom; every pile lies towards the next seat."""


def _spot(seats: int, seat: int, clockwise: bool) -> _Spot:
    spot = _SPOTS[seats][seat]
    if not clockwise:
        return spot
    return _Spot((_W - spot.plate[0], spot.plate[1]), (_W - spot.pile[0], spot.pile[1]))


def _plate(canvas: Canvas, seat: DrawnSeat, centre: tuple[int, int], indicator: TileFace) -> None:
    width, height = _PLATE
    left, top = centre[0] - width // 2, centre[1] - height // 2
    fill, frame, ink = theme.PLATE, theme.FELT_LINE, theme.WORDS
    if seat.on_turn:
        fill, frame, ink = theme.PLATE_LIGHT, theme.SIGNAL, theme.WORDS_DARK
    canvas.lay(sprites.plate(width, height, fill, frame), left, top)
    x = left + 16
    if seat.computer:
        canvas.lay(sprites.robot(32, fill, ink), x, top + 16)
        x += 42
    canvas.write(seat.name, (x, top + 34), theme.TEXT, left + width - 14 - x, ink, fill)
    canvas.write(str(seat.score), (left + 16, top + 80), theme.TEXT_LARGE, 150, ink, fill)


def _centre(canvas: Canvas, picture: TablePicture) -> None:
    y = _H // 2
    columns = ((_W // 2 - 110, picture.indicator), (_W // 2, picture.okey))
    for (x, face), caption in zip(columns, picture.captions, strict=False):
        canvas.lay(sprites.tile(face, _TILE, theme.FELT, picture.letters), x - _TILE // 2, y - 50)
        canvas.write(caption, (x, y + 95), theme.TEXT_SMALL, 108, theme.WORDS_DIM, theme.FELT, "middle")
    x = _W // 2 + 110
    canvas.write(str(picture.stock_left), (x, y), theme.TEXT_LARGE, 108, theme.WORDS, theme.FELT, "middle")
    canvas.write(picture.captions[2], (x, y + 95), theme.TEXT_SMALL, 108, theme.WORDS_DIM, theme.FELT, "middle")
    canvas.write(picture.title, (_W // 2, y - 85), theme.TEXT, 320, theme.WORDS, theme.FELT, "middle")


def draw_table(picture: TablePicture) -> bytes:
    """The table as PNG."""
    canvas = Canvas.plain(_W, _H, theme.FELT)
    _centre(canvas, picture)
    for number, seat in enumerate(picture.seats):
        spot = _spot(len(picture.seats), number, picture.clockwise)
        _plate(canvas, seat, spot.plate, picture.indicator)
        part = sprites.slot(_TILE)
        if seat.top:
            part = sprites.tile(seat.top, _TILE, theme.FELT, picture.letters)
        canvas.lay(part, spot.pile[0] - part.width // 2, spot.pile[1] - part.height // 2)
    return canvas.png()
