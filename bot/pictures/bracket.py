"""Bracket: a knockout as a picture, its last step on top, so that it reads on a phone."""

from typing import Final

from bot.markup import BracketHeat, BracketPicture, BracketRow
from bot.pictures import theme
from bot.pictures.canvas import Box, Brush, Canvas, TextStyle

_TITLE: Final = 76
_HEADING: Final = 60
_ROW: Final = 50
_PAD: Final = 10
_GAP: Final = 14
"""Between two matches."""
_BELOW: Final = 12
_SIDE: Final = 20
_FIGURE: Final = 96
"""The width of a figure on the right."""
_SIGN: Final = 34
"""The room before a name for the sign of those who play on."""
_ACROSS: Final = 2
"""The most matches side by side."""


def draw_bracket(picture: BracketPicture) -> Canvas:
    """Return the knockout; its height grows with its matches."""
    boxes: list[tuple[Box, tuple[BracketRow, ...]]] = []
    headings: list[tuple[float, str]] = []
    top: float = _TITLE
    for heat in picture.heats:
        headings.append((top + _HEADING / 2, heat.title))
        top = _place(heat, top + _HEADING, boxes) + _BELOW
    brush = Brush(theme.WIDTH, round(top + theme.MARGIN), theme.FELT)
    for box, rows in boxes:
        brush.block(box, theme.PLATE, 16)
        for number, row in enumerate(rows):
            if row.through:
                brush.block(_row_box(box, number), theme.PLATE_LIGHT, 10)
    canvas = Canvas(brush.finish())
    title = TextStyle(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
    canvas.write(picture.title, (theme.WIDTH / 2, _TITLE / 2), title, theme.ROOM, "middle")
    dim = TextStyle(theme.TEXT, theme.WORDS_DIM, theme.FELT)
    for middle, words in headings:
        canvas.write(words, (theme.WIDTH / 2, middle), dim, theme.ROOM, "middle")
    for box, rows in boxes:
        for number, row in enumerate(rows):
            _write_row(canvas, row, _row_box(box, number))
    return canvas


def _place(heat: BracketHeat, top: float, boxes: list[tuple[Box, tuple[BracketRow, ...]]]) -> float:
    """Place the matches of a heat from a height on, and return the height below them."""
    width = (theme.ROOM - (_ACROSS - 1) * _GAP) / _ACROSS
    for first in range(0, len(heat.matches), _ACROSS):
        beside = heat.matches[first : first + _ACROSS]
        high = 2 * _PAD + _ROW * max(map(len, beside))
        whole = len(beside) * width + (len(beside) - 1) * _GAP
        left = (theme.WIDTH - whole) / 2
        for rows in beside:
            boxes.append(((left, top, left + width, top + high), rows))
            left += width + _GAP
        top += high + _GAP
    return top


def _row_box(box: Box, number: int) -> Box:
    left, top, right, _ = box
    return left + 6, top + _PAD + number * _ROW + 3, right - 6, top + _PAD + (number + 1) * _ROW - 3


def _write_row(canvas: Canvas, row: BracketRow, box: Box) -> None:
    left, top, right, foot = box
    fill, ink = (theme.PLATE_LIGHT, theme.WORDS_DARK) if row.through else (theme.PLATE, theme.WORDS)
    style, middle = TextStyle(theme.TEXT_SMALL, ink, fill), (top + foot) / 2
    if row.through:
        canvas.write("▲", (left + _SIDE - 8, middle), TextStyle(theme.TEXT_SMALL, ink, fill), _SIGN)
    name = left + _SIDE - 8 + _SIGN
    canvas.write(row.name, (name, middle), style, round(right - name - _FIGURE - _SIDE))
    canvas.write(row.figure, (right - _SIDE + 6, middle), style, _FIGURE, "right")
