"""Pictures of figures: statistics, standings, and a curve."""

from collections.abc import Callable
from typing import Final

from bot.markup import CurvePicture, FiguresPicture, StandingRow, StandingsPicture
from bot.pictures import marks, sprites, theme
from bot.pictures.canvas import Brush, Canvas, Hand, Point

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


_SUBTITLE: Final = 46
_ROW_standings: Final = 58

_MORE: Final = 52
_PAD_standings: Final = 20

_CROWN: Final = 36
_RANK_RIGHT: Final = theme.MARGIN + 104
_NAME_LEFT: Final = _RANK_RIGHT + 22
_NAME: Final = 350
_POINTS: Final = 130
_DETAIL: Final = 215


_DIM_HAND: Final = Hand(theme.TEXT, theme.WORDS_DIM, theme.FELT)


def draw_standings(picture: StandingsPicture) -> bytes:
    """The standing as PNG; its height grows with its rows."""
    top = _TITLE + _SUBTITLE
    more = _MORE if picture.more else 0
    height = top + len(picture.rows) * _ROW_standings + more + theme.MARGIN
    canvas = Canvas.plain(theme.WIDTH, height, theme.FELT)
    canvas.write(picture.title, (theme.WIDTH / 2, _TITLE / 2), _TITLE_HAND, _ROOM, "middle")
    middle = _TITLE + _SUBTITLE / 2 - 6
    canvas.write(picture.subtitle, (theme.WIDTH / 2, middle), _DIM_HAND, _ROOM, "middle")
    for number, row in enumerate(picture.rows):
        _draw_row_standings(canvas, row, top + number * _ROW_standings)
    if picture.more:
        below = top + len(picture.rows) * _ROW_standings + _MORE / 2
        canvas.write(picture.more, (theme.WIDTH / 2, below), _DIM_HAND, _ROOM, "middle")
    return canvas.png(contrast=picture.contrast)


def _draw_row_standings(canvas: Canvas, row: StandingRow, top: int) -> None:
    high = _ROW_standings - _ROW_GAP
    middle = top + high / 2
    fill, ink = (theme.PLATE_LIGHT, theme.WORDS_DARK) if row.first else (theme.PLATE, theme.WORDS)
    canvas.lay(sprites.plate(_ROOM, high, fill, fill), theme.MARGIN, top)
    if row.first:
        canvas.lay(sprites.sign(marks.crown, _CROWN, fill, ink), theme.MARGIN + 12, middle - _CROWN / 2)
    right = theme.WIDTH - theme.MARGIN - _PAD_standings
    canvas.write(row.rank, (_RANK_RIGHT, middle), Hand(theme.TEXT, ink, fill), 60, "right")
    canvas.write(row.name, (_NAME_LEFT, middle), Hand(theme.TEXT, ink, fill), _NAME)
    canvas.write(
        row.detail, (right - _POINTS - 10, middle), Hand(theme.TEXT_SMALL, ink, fill), _DETAIL, "right"
    )
    canvas.write(row.points, (right, middle), Hand(theme.TEXT_LARGE, ink, fill), _POINTS, "right")


_FIELD: Final = 320
_FOOT: Final = 56
_LEFT: Final = theme.MARGIN + 130
_RIGHT: Final = theme.WIDTH - theme.MARGIN - 24
_ABOVE: Final = 24
"""Between the field's edges and the curve's highest and lowest point."""


_HAND_curve: Final = Hand(theme.TEXT, theme.WORDS_DIM, theme.FELT)


def draw_curve(picture: CurvePicture) -> bytes:
    """The curve as PNG, its levels marked at the left."""
    height = _TITLE + _FIELD + _FOOT
    brush = Brush(theme.WIDTH, height, theme.FELT)
    at = _scale(picture)
    for _, level in picture.marks:
        brush.stroke([(_LEFT, at(level)), (_RIGHT, at(level))], 2, theme.FELT_LINE)
    points = _points(picture, at)
    brush.stroke(points, 6, theme.SIGNAL)
    for point in points:
        brush.disc(point, 8, theme.SIGNAL)
    canvas = Canvas(brush.done())
    room = theme.WIDTH - 2 * theme.MARGIN
    canvas.write(picture.title, (theme.WIDTH / 2, _TITLE / 2), _TITLE_HAND, room, "middle")
    for words, level in picture.marks:
        canvas.write(words, (_LEFT - 18, at(level)), _HAND_curve, 110, "right")
    first, last = picture.captions
    foot = _TITLE + _FIELD + _FOOT / 2 - 6
    canvas.write(first, (_LEFT, foot), _HAND_curve, room // 2 - 70)
    canvas.write(last, (_RIGHT, foot), _HAND_curve, room // 2 - 70, "right")
    return canvas.png(contrast=picture.contrast)


def _scale(picture: CurvePicture) -> Callable[[float], float]:
    """From a value to its height in the picture."""
    levels = [*picture.values, *(level for _, level in picture.marks)]
    low, high = min(levels), max(levels)
    room = _FIELD - 2 * _ABOVE

    def at(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return _TITLE + _ABOVE + room * (1 - share)

    return at


def _points(picture: CurvePicture, at: Callable[[float], float]) -> list[Point]:
    apart = (_RIGHT - _LEFT) / (len(picture.values) - 1)
    return [(_LEFT + number * apart, at(value)) for number, value in enumerate(picture.values)]
