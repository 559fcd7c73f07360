"""Figures: sections of lines, each a name on the left and a number on the right."""

from typing import Final

from bot.pictures import sprites, theme
from bot.pictures.canvas import Canvas, Hand
from bot.screens.model import FiguresPicture

_TITLE: Final = 76
_HEADING: Final = 58
_ROW: Final = 52
_ROW_GAP: Final = 6
_PAD: Final = 22
_ROOM: Final = theme.WIDTH - 2 * theme.MARGIN
_FIGURE: Final = 250
"""Room for what stands on the right."""

_TITLE_HAND: Final = Hand(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
_HEADING_HAND: Final = Hand(theme.TEXT, theme.WORDS_DIM, theme.FELT)
_HAND: Final = Hand(theme.TEXT, theme.WORDS, theme.PLATE)


def draw_figures(picture: FiguresPicture) -> bytes:
    """The figures as PNG; its height grows with them."""
    rows = sum(len(section.rows) for section in picture.sections)
    height = _TITLE + len(picture.sections) * _HEADING + rows * _ROW + theme.MARGIN
    canvas = Canvas.plain(theme.WIDTH, height, theme.FELT)
    canvas.write(picture.title, (theme.WIDTH / 2, _TITLE / 2), _TITLE_HAND, _ROOM, "middle")
    top = _TITLE
    for section in picture.sections:
        canvas.write(section.title, (theme.MARGIN, top + _HEADING / 2), _HEADING_HAND, _ROOM)
        top += _HEADING
        for name, figure in section.rows:
            _draw_row(canvas, name, figure, top)
            top += _ROW
    return canvas.png(contrast=picture.contrast)


def _draw_row(canvas: Canvas, name: str, figure: str, top: int) -> None:
    high = _ROW - _ROW_GAP
    middle = top + high / 2
    canvas.lay(sprites.plate(_ROOM, high, theme.PLATE, theme.PLATE), theme.MARGIN, top)
    left, right = theme.MARGIN + _PAD, theme.WIDTH - theme.MARGIN - _PAD
    canvas.write(name, (left, middle), _HAND, right - left - _FIGURE - _PAD)
    canvas.write(figure, (right, middle), _HAND, _FIGURE, "right")
