"""Figures: statistics, standings and curves as pictures."""

from collections.abc import Callable
from typing import Final

from bot.markup import CurvePicture, FiguresPicture, StandingRow, StandingsPicture
from bot.pictures import lettering, theme
from bot.pictures.canvas import Box, Brush, Canvas, Point, TextStyle
from bot.pictures.sprites import lay_row

_TITLE: Final = 76
_SUBTITLE: Final = 46
_HEADING: Final = 58
_ROW_GAP: Final = 6
_HEADLINE: Final = 104
_HEADLINE_STYLE: Final = TextStyle(76, theme.PLATE_LIGHT, theme.FELT)
_DIM_STYLE: Final = TextStyle(theme.TEXT, theme.WORDS_DIM, theme.FELT)

_FIGURE_ROW: Final = 52
_FIGURE_PAD: Final = 22
_FIGURE: Final = 250
"""The width of the figures on the right."""
_LONG_FIGURE: Final = 560
"""The most that one may take. Its name has less."""

_STANDING_ROW: Final = 58
_STANDING_PAD: Final = 20
_MORE: Final = 52
_CUT: Final = 46
"""The height of a line between rows."""
_CUT_LINE: Final = 4
_RANK_RIGHT: Final = theme.MARGIN + 104
_NAME_LEFT: Final = _RANK_RIGHT + 22
_NAME: Final = 350
_POINTS: Final = 130
_DETAIL: Final = 215

_STEPS: Final = 3
"""The steps of a podium."""
_STEP_GAP: Final = 10
_STEP: Final = (theme.ROOM - 2 * _STEP_GAP) // _STEPS
_STEP_HEIGHTS: Final = (190, 162, 134)
_PODIUM: Final = 270

_TIE_SIZE: Final = 22
_TIE_BELOW: Final = 24
"""The height that a row gains for a tie-break below its name."""
_TIE_APART: Final = 32
"""Between the middles of a name and of the tie-break below it."""
_TIE: Final = _NAME

_FIELD: Final = 320
_FOOT: Final = 56
_LEFT: Final = theme.MARGIN + 130
_RIGHT: Final = theme.WIDTH - theme.MARGIN - 24
_ABOVE: Final = 24
"""Between the field's edges and the curve's highest and lowest points."""


def draw_figures(picture: FiguresPicture) -> Canvas:
    """Return the figures; its height grows with them."""
    rows = sum(len(section.rows) for section in picture.sections)
    height = len(picture.sections) * _HEADING + rows * _FIGURE_ROW + theme.MARGIN
    canvas = Canvas.plain(theme.WIDTH, height, theme.FELT)
    left, right = theme.MARGIN + _FIGURE_PAD, theme.WIDTH - theme.MARGIN - _FIGURE_PAD
    top = 0
    for section in picture.sections:
        canvas.write(section.title, (theme.MARGIN, top + _HEADING / 2), _DIM_STYLE, theme.ROOM)
        top += _HEADING
        for name, figure in section.rows:
            high = _FIGURE_ROW - _ROW_GAP
            fill, ink = lay_row(canvas, top, high)
            style = TextStyle(theme.TEXT, ink, fill)
            room = max(_FIGURE, lettering.line(figure, style.size, _LONG_FIGURE).width)
            canvas.write(name, (left, top + high / 2), style, right - left - room - _FIGURE_PAD)
            canvas.write(figure, (right, top + high / 2), style, room, "right")
            top += _FIGURE_ROW
    return canvas


def draw_standings(picture: StandingsPicture) -> Canvas:
    """Return the standings; its height grows with its rows."""
    head = _HEADLINE if picture.headline else 0
    top = head + _TITLE + (_SUBTITLE if picture.subtitle else 0)
    on_podium = picture.rows[:_STEPS] if picture.podium else ()
    rows = picture.rows[len(on_podium) :]
    above = [line for number, line in picture.lines if on_podium and number == 0]
    steps = top + _CUT * len(above)
    first_row = steps + (_PODIUM if on_podium else 0)
    lines = [(number - len(on_podium), line) for number, line in picture.lines]
    drawn = [each for each in lines if 0 <= each[0] < len(rows)]
    below = first_row + sum(map(_row_height, rows)) + _CUT * len(drawn)
    brush = Brush(theme.WIDTH, below + (_MORE if picture.more else 0) + theme.MARGIN, theme.FELT)
    for number, row in enumerate(on_podium):
        brush.block(_step_box(number, steps), theme.PLATE_LIGHT if row.first else theme.PLATE, 16)
    canvas = Canvas(brush.finish())
    middle = theme.WIDTH / 2
    if picture.headline:
        canvas.write(picture.headline, (middle, head / 2 + 14), _HEADLINE_STYLE, theme.ROOM, "middle")
    _write_title(canvas, picture.title, head)
    subtitle = (middle, head + _TITLE + _SUBTITLE / 2 - 6)
    canvas.write(picture.subtitle, subtitle, _DIM_STYLE, theme.ROOM, "middle")
    for number, line in enumerate(above):
        _draw_line(canvas, line, top + _CUT * number)
    for number, row in enumerate(on_podium):
        _write_step(canvas, row, _step_box(number, steps))
    top = first_row
    for number, row in enumerate(rows):
        for line in (line for above, line in drawn if above == number):
            _draw_line(canvas, line, top)
            top += _CUT
        _draw_standing(canvas, row, top)
        top += _row_height(row)
    if picture.more:
        canvas.write(picture.more, (middle, below + _MORE / 2), _DIM_STYLE, theme.ROOM, "middle")
    return canvas


def _step_box(number: int, top: float) -> Box:
    """Return where a step of the podium stands: the first in the middle, the second on its left."""
    left = theme.MARGIN + (1, 0, 2)[number] * (_STEP + _STEP_GAP)
    foot = top + _PODIUM - _ROW_GAP * 2
    return left, foot - _STEP_HEIGHTS[number], left + _STEP, foot


def _write_step(canvas: Canvas, row: StandingRow, box: Box) -> None:
    left, top, right, foot = box
    middle, high = (left + right) / 2, (top + foot) / 2
    fill, ink = (theme.PLATE_LIGHT, theme.WORDS_DARK) if row.first else (theme.PLATE, theme.WORDS)
    rank, told = TextStyle(theme.TEXT_LARGE, ink, fill), TextStyle(theme.TEXT_SMALL, ink, fill)
    name = TextStyle(theme.TEXT, theme.WORDS, theme.FELT)
    canvas.write(row.name, (middle, top - 28), name, _STEP, "middle")
    up = 14 if row.tie else 0
    canvas.write(row.rank, (middle, high - 20 - up), rank, _STEP, "middle")
    canvas.write(row.points, (middle, high + 26 - up), told, _STEP - 20, "middle")
    canvas.write(row.tie, (middle, high + 40), TextStyle(_TIE_SIZE, ink, fill), _STEP - 20, "middle")


def draw_curve(picture: CurvePicture) -> Canvas:
    """Return the curve, its levels marked at the left."""
    brush = Brush(theme.WIDTH, _TITLE + _FIELD + _FOOT, theme.FELT)
    at = _scale(picture)
    for _, level in picture.marks:
        brush.stroke([(_LEFT, at(level)), (_RIGHT, at(level))], 2, theme.FELT_LINE)
    apart = (_RIGHT - _LEFT) / (len(picture.values) - 1)
    points: list[Point] = [(_LEFT + number * apart, at(value)) for number, value in enumerate(picture.values)]
    brush.stroke(points, 6, theme.SIGNAL)
    for number, point in enumerate(points):
        pointed_out = number in picture.highlights
        brush.disc(point, 13 if pointed_out else 8, theme.PLATE_LIGHT if pointed_out else theme.SIGNAL)
    canvas = Canvas(brush.finish())
    _write_title(canvas, picture.title)
    for words, level in picture.marks:
        canvas.write(words, (_LEFT - 18, at(level)), _DIM_STYLE, 110, "right")
    first, last = picture.captions
    foot, half = _TITLE + _FIELD + _FOOT / 2 - 6, theme.ROOM // 2 - 70
    canvas.write(first, (_LEFT, foot), _DIM_STYLE, half)
    canvas.write(last, (_RIGHT, foot), _DIM_STYLE, half, "right")
    return canvas


def _write_title(canvas: Canvas, title: str, top: int = 0) -> None:
    style = TextStyle(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
    canvas.write(title, (theme.WIDTH / 2, top + _TITLE / 2), style, theme.ROOM, "middle")


def _row_height(row: StandingRow) -> int:
    return _STANDING_ROW + (_TIE_BELOW if row.tie else 0)


def _draw_standing(canvas: Canvas, row: StandingRow, top: int) -> None:
    high = _row_height(row) - _ROW_GAP
    middle = top + high / 2
    fill, ink = lay_row(canvas, top, high, first=row.first, indent=12)
    right = theme.WIDTH - theme.MARGIN - _STANDING_PAD
    small, usual, large = (
        TextStyle(size, ink, fill) for size in (theme.TEXT_SMALL, theme.TEXT, theme.TEXT_LARGE)
    )
    canvas.write(row.rank, (_RANK_RIGHT, middle), usual, 60, "right")
    name = middle - (_TIE_BELOW / 2 if row.tie else 0)
    canvas.write(row.name, (_NAME_LEFT, name), usual, _NAME)
    if row.tie:
        canvas.write(row.tie, (_NAME_LEFT, name + _TIE_APART), TextStyle(_TIE_SIZE, ink, fill), _TIE)
    canvas.write(row.detail, (right - _POINTS - 10, middle), small, _DETAIL, "right")
    canvas.write(row.points, (right, middle), large, _POINTS, "right")


def _draw_line(canvas: Canvas, words: str, top: float) -> None:
    """Draw a line between rows, with its words in the middle."""
    middle = top + (_CUT - _ROW_GAP) / 2
    line = Brush(theme.ROOM, _CUT_LINE, theme.FELT)
    line.block((0, 0, theme.ROOM, _CUT_LINE), theme.SIGNAL)
    canvas.lay(line.finish(), theme.MARGIN, middle - _CUT_LINE / 2)
    style = TextStyle(theme.TEXT_SMALL, theme.SIGNAL, theme.FELT)
    width = lettering.line(words, style.size, theme.ROOM).width + 40
    ground = Brush(width, theme.TEXT_SMALL, theme.FELT)
    canvas.lay(ground.finish(), theme.WIDTH / 2 - width / 2, middle - theme.TEXT_SMALL / 2)
    canvas.write(words, (theme.WIDTH / 2, middle), style, theme.ROOM, "middle")


def _scale(picture: CurvePicture) -> Callable[[float], float]:
    """Return the function from a value to its height in the picture."""
    levels = [*picture.values, *(level for _, level in picture.marks)]
    low, high = min(levels), max(levels)
    room = _FIELD - 2 * _ABOVE

    def at(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return _TITLE + _ABOVE + room * (1 - share)

    return at
