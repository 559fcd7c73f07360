"""Result: the winning arrangement and the scores."""

from collections.abc import Sequence
from typing import Final

from bot.markup import ResultPicture, ResultRow, TileFace
from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Canvas, TextStyle, figure, halves, in_lines
from bot.pictures.lettering import fits
from bot.pictures.sprites import lay_row, lay_tiles, tile_height

_TITLE: Final = 102
"""The height of the title, enough for two lines."""
_TITLE_MIDDLE: Final = 48
_TITLE_STYLE: Final = TextStyle(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
_HALF: Final = 34
_HALF_STYLE: Final = TextStyle(theme.TEXT, theme.WORDS, theme.FELT)
"""The style of a title that needs two lines, and the distance between them."""
_ROW: Final = 58
_ROW_GAP: Final = 6
_TILE_WIDTHS: Final = (84, 76, 68, 60, 52, 44)
_LINES: Final = 2
_LARGE: Final = 60
_MELDS: Final = 470
"""Tiles are as large as lets the melds fit in this many lines. The many melds of Okey 101 are smaller, and
fit in this height."""
_GAP: Final = 2
_BETWEEN: Final = 16
"""Between one line of melds and the next."""
_CHEVRON: Final = 34
_APART: Final = 64
"""Between the melds and the finishing discard."""


def draw_result(picture: ResultPicture) -> Canvas:
    """Return the result; its height grows with melds and rows."""
    width = _tile_width(picture)
    shown = max(len(_lines(picture, width)), 1 if picture.finishing else 0)
    laid = shown * (tile_height(width) + _BETWEEN)
    above = _TITLE + laid + (_BETWEEN if shown == 1 else 0)
    canvas = Canvas.plain(theme.WIDTH, above + len(picture.rows) * _ROW + theme.MARGIN, theme.FELT)
    _draw_title(canvas, picture.title)
    _draw_melds(canvas, picture, width)
    if picture.finishing:
        _draw_finishing(canvas, picture.finishing, width, _TITLE + (laid - _BETWEEN) / 2, picture.letters)
    for number, row in enumerate(picture.rows):
        _draw_row(canvas, row, above + number * _ROW)
    return canvas


def _tile_width(picture: ResultPicture) -> int:
    """Return the largest width at which the melds fit, else the smallest."""
    fitting = [
        (width, len(_lines(picture, width)))
        for width in _TILE_WIDTHS
        if all(_span(meld, width) <= _room(picture, width) for meld in picture.melds)
    ]
    few = [width for width, lines in fitting if lines <= _LINES and width >= _LARGE]
    many = [width for width, lines in fitting if lines * (tile_height(width) + _BETWEEN) <= _MELDS]
    return next(iter(few or many), _TILE_WIDTHS[-1])


def _lines(picture: ResultPicture, width: int) -> list[list[int]]:
    """Return the melds, by index, in lines beside the finishing discard."""
    spans = [_span(meld, width) for meld in picture.melds]
    return in_lines(spans, _room(picture, width), width // 2)


def _room(picture: ResultPicture, width: int) -> int:
    return theme.ROOM - (width + _APART + theme.MARGIN if picture.finishing else 0)


def _span(meld: Sequence[TileFace], width: int) -> int:
    return len(meld) * (width + _GAP)


def _draw_melds(canvas: Canvas, picture: ResultPicture, width: int) -> None:
    for number, line in enumerate(_lines(picture, width)):
        left, top = theme.MARGIN, _TITLE + number * (tile_height(width) + _BETWEEN)
        for meld in (picture.melds[each] for each in line):
            lay_tiles(canvas, meld, (left, top), width, _GAP, letters=picture.letters)
            left += _span(meld, width) + width // 2


def _draw_finishing(canvas: Canvas, face: TileFace, width: int, middle: float, letters: bool) -> None:
    """Draw the discard that ended the round: in a frame at the side, below a chevron."""
    tile = sprites.tile(face, width, theme.FELT, letters)
    frame = sprites.plate(width + 36, tile.height + 34, theme.FELT, theme.FELT_LINE)
    left = theme.WIDTH - theme.MARGIN - frame.width
    canvas.lay(frame, left, middle - frame.height / 2)
    canvas.lay(tile, left + 18, middle - tile.height / 2)
    chevron = sprites.sign(marks.chevron, _CHEVRON, theme.FELT, theme.FELT_LINE, "right")
    canvas.lay(chevron, left - _CHEVRON, middle - _CHEVRON / 2)


def _draw_title(canvas: Canvas, title: str) -> None:
    lines = (title,) if fits(title, _TITLE_STYLE.size, theme.ROOM) else tuple(filter(None, halves(title)))
    style = _TITLE_STYLE if len(lines) == 1 else _HALF_STYLE
    top = _TITLE_MIDDLE - (len(lines) - 1) * _HALF / 2
    for number, line in enumerate(lines):
        canvas.write(line, (theme.WIDTH / 2, top + number * _HALF), style, theme.ROOM, "middle")


def _draw_row(canvas: Canvas, row: ResultRow, top: int) -> None:
    high = _ROW - _ROW_GAP
    middle = top + high / 2
    fill, ink = lay_row(canvas, top, high, first=row.winner, indent=16)
    right = theme.WIDTH - theme.MARGIN - 22
    usual = TextStyle(theme.TEXT, ink, fill)
    canvas.write(row.name, (theme.MARGIN + 68, middle), usual, 450)
    canvas.write(figure(row.change, signed=True), (right - 150, middle), usual, 140, "right")
    canvas.write(figure(row.score), (right, middle), TextStyle(theme.TEXT_LARGE, ink, fill), 140, "right")
