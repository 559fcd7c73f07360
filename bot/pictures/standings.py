"""A league's standing: rank, name, what his points are made of, and his points."""

from typing import Final

from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Canvas, Hand
from bot.screens.model import StandingRow, StandingsPicture

_TITLE: Final = 76
_SUBTITLE: Final = 46
_ROW: Final = 58
_ROW_GAP: Final = 6
_MORE: Final = 52
_PAD: Final = 20
_ROOM: Final = theme.WIDTH - 2 * theme.MARGIN
_CROWN: Final = 36
_RANK_RIGHT: Final = theme.MARGIN + 104
_NAME_LEFT: Final = _RANK_RIGHT + 22
_NAME: Final = 350
_POINTS: Final = 130
_DETAIL: Final = 215

_TITLE_HAND: Final = Hand(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
_DIM_HAND: Final = Hand(theme.TEXT, theme.WORDS_DIM, theme.FELT)


def draw_standings(picture: StandingsPicture) -> bytes:
    """The standing as PNG; its height grows with its rows."""
    top = _TITLE + _SUBTITLE
    more = _MORE if picture.more else 0
    height = top + len(picture.rows) * _ROW + more + theme.MARGIN
    canvas = Canvas.plain(theme.WIDTH, height, theme.FELT)
    canvas.write(picture.title, (theme.WIDTH / 2, _TITLE / 2), _TITLE_HAND, _ROOM, "middle")
    middle = _TITLE + _SUBTITLE / 2 - 6
    canvas.write(picture.subtitle, (theme.WIDTH / 2, middle), _DIM_HAND, _ROOM, "middle")
    for number, row in enumerate(picture.rows):
        _draw_row(canvas, row, top + number * _ROW)
    if picture.more:
        below = top + len(picture.rows) * _ROW + _MORE / 2
        canvas.write(picture.more, (theme.WIDTH / 2, below), _DIM_HAND, _ROOM, "middle")
    return canvas.png(contrast=picture.contrast)


def _draw_row(canvas: Canvas, row: StandingRow, top: int) -> None:
    high = _ROW - _ROW_GAP
    middle = top + high / 2
    fill, ink = (theme.PLATE_LIGHT, theme.WORDS_DARK) if row.first else (theme.PLATE, theme.WORDS)
    canvas.lay(sprites.plate(_ROOM, high, fill, fill), theme.MARGIN, top)
    if row.first:
        canvas.lay(sprites.sign(marks.crown, _CROWN, fill, ink), theme.MARGIN + 12, middle - _CROWN / 2)
    right = theme.WIDTH - theme.MARGIN - _PAD
    canvas.write(row.rank, (_RANK_RIGHT, middle), Hand(theme.TEXT, ink, fill), 60, "right")
    canvas.write(row.name, (_NAME_LEFT, middle), Hand(theme.TEXT, ink, fill), _NAME)
    canvas.write(
        row.detail, (right - _POINTS - 10, middle), Hand(theme.TEXT_SMALL, ink, fill), _DETAIL, "right"
    )
    canvas.write(row.points, (right, middle), Hand(theme.TEXT_LARGE, ink, fill), _POINTS, "right")
