"""Table of Okey 101: the seats side by side, and below them every meld on the table."""

from collections.abc import Sequence
from typing import Final

from bot.markup import DrawnSeat, TablePicture, TileFace
from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Canvas, TextStyle, figure, in_lines
from bot.pictures.sprites import RIM, felt, lay_tiles, tile_height

_Melds = Sequence[tuple[TileFace, ...]]

_LEFT: Final = RIM + 16
_ROOM: Final = theme.WIDTH - 2 * _LEFT
_TITLE: Final = TextStyle(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
_CAPTION: Final = TextStyle(theme.TEXT_SMALL, theme.WORDS_DIM, theme.FELT)
_TILE: Final = 68
"""The width of indicator, okey and discards."""
_CAPTION_WIDTHS: Final = (176, 96)
"""The widths of the words below indicator and okey. The first are longer in every language."""
_LAYERS: Final = 2
_HEAD: Final = 216
"""The top of the plates."""
_PLATE: Final = 150
_APART: Final = 12
_SIGN: Final = 34
_ARROW: Final = 28
"""The size of the arrow above the plate of the player on turn. It all but touches it: above it are words."""
_MELDS: Final = _HEAD + _PLATE + 16 + tile_height(_TILE) + 24
"""The top of the melds."""
_MELD_WIDTHS: Final = (62, 56, 50, 45, 40, 36)
_MELD_HEIGHT: Final = 700
"""Tiles are as large as lets all melds fit in this height, and the longest in a line."""
_TAG: Final = 40
"""The width of a meld's number, in front of it."""
_GAP: Final = 2
_BETWEEN: Final = 12
"""Between one line of melds and the next."""


def draw_table_101(picture: TablePicture, height: int = 0) -> Canvas:
    """Return the table, 900 pixels wide and at least `height` high; it grows with the melds."""
    melds = picture.melds or ()
    width = next((each for each in _MELD_WIDTHS if _fit(melds, each)), _MELD_WIDTHS[-1])
    canvas = Canvas(felt(max(_MELDS + _height(melds, width) + RIM, height)))
    _draw_head(canvas, picture)
    column = (_ROOM + _APART) // len(picture.seats)
    for number, seat in enumerate(picture.seats):
        left = _LEFT + number * column
        _draw_seat(canvas, seat, left, column - _APART)
        _draw_pile(canvas, seat, left + (column - _APART) // 2, picture.letters)
    _draw_melds(canvas, melds, width, picture.letters)
    return canvas


def _draw_head(canvas: Canvas, picture: TablePicture) -> None:
    """Draw title, stock and what opening takes at the left; indicator and okey at the right."""
    first, second = _CAPTION_WIDTHS
    right = theme.WIDTH - _LEFT - second // 2
    middle = right - (first + second) // 2 - 8
    room = middle - first // 2 - _LEFT - 24
    canvas.write(picture.title, (_LEFT + 8, 58), _TITLE, room)
    stock = f"{picture.captions[2]}: {figure(picture.stock_left)}"
    canvas.write(stock, (_LEFT + 8, 110), TextStyle(theme.TEXT, theme.WORDS, theme.FELT), room)
    canvas.write(picture.level, (_LEFT + 8, 156), _CAPTION, room)
    top = RIM + 14
    canvas.lay(sprites.stock(_TILE, _LAYERS if picture.stock_left else 0), middle - _TILE / 2, top)
    for x, face, caption, width in (
        (middle, picture.indicator, picture.captions[0], first),
        (right, picture.okey, picture.captions[1], second),
    ):
        canvas.lay(sprites.tile(face, _TILE, theme.FELT, picture.letters), x - _TILE / 2, top)
        canvas.write(caption, (x, top + tile_height(_TILE) + 32), _CAPTION, width, "middle")


def _draw_seat(canvas: Canvas, seat: DrawnSeat, left: int, width: int) -> None:
    """Draw a plate: the name, the score and the sign of a computer, with what the seat opened."""
    fill, frame, ink = theme.plate_colours(on_turn=seat.on_turn)
    if seat.on_turn:
        arrow = sprites.sign(marks.arrowhead, _ARROW, theme.FELT, theme.SIGNAL)
        canvas.lay(arrow, left + (width - _ARROW) / 2, _HEAD - _ARROW + 2)
    canvas.lay(sprites.plate(width, _PLATE, fill, frame), left, _HEAD)
    start, room = left + 13, width - 26
    canvas.write_name(seat.name, (start, _HEAD + 40), TextStyle(theme.TEXT, ink, fill), room)
    canvas.write(figure(seat.score), (start, _HEAD + 86), TextStyle(theme.TEXT_LARGE, ink, fill), 120)
    canvas.write(seat.note, (start, _HEAD + 126), TextStyle(theme.TEXT_SMALL, ink, fill), room)
    if seat.computer:
        canvas.lay(sprites.robot(_SIGN, fill, ink), left + width - 16 - _SIGN, _HEAD + 86 - _SIGN / 2)


def _draw_pile(canvas: Canvas, seat: DrawnSeat, middle: int, letters: bool) -> None:
    """Draw the seat's discard, and a chevron to the next seat, which may take it."""
    part = sprites.tile(seat.top, _TILE, theme.FELT, letters) if seat.top else sprites.slot(_TILE)
    top = _HEAD + _PLATE + 16
    canvas.lay(part, middle - _TILE / 2, top)
    chevron = sprites.sign(marks.chevron, _SIGN, theme.FELT, theme.FELT_LINE, "right")
    canvas.lay(chevron, middle + _TILE / 2 + 12, top + (tile_height(_TILE) - _SIGN) / 2)


def _draw_melds(canvas: Canvas, melds: _Melds, width: int, letters: bool) -> None:
    for at, line in enumerate(_lines(melds, width)):
        left, top = _LEFT, _MELDS + at * (tile_height(width) + _BETWEEN)
        for number in line:
            spot = (left + _TAG - 8, top + tile_height(width) / 2)
            canvas.write(figure(number + 1), spot, _CAPTION, _TAG - 8, "right")
            lay_tiles(canvas, melds[number], (left + _TAG, top), width, _GAP, letters=letters)
            left += _span(melds[number], width)


def _span(meld: Sequence[TileFace], width: int) -> int:
    return _TAG + len(meld) * (width + _GAP) + 8


def _lines(melds: _Melds, width: int) -> list[list[int]]:
    """Return the melds, by index from 0, in lines as wide as the table."""
    return in_lines([_span(meld, width) for meld in melds], _ROOM)


def _fit(melds: _Melds, width: int) -> bool:
    widest = max((_span(meld, width) for meld in melds), default=0)
    return widest <= _ROOM and _height(melds, width) <= _MELD_HEIGHT


def _height(melds: _Melds, width: int) -> int:
    return len(_lines(melds, width)) * (tile_height(width) + _BETWEEN)
