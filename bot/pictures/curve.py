"""A curve: how a figure went, night by night."""

from collections.abc import Callable
from typing import Final

from bot.pictures import theme
from bot.pictures.brush import Brush, Point
from bot.pictures.canvas import Canvas, Hand
from bot.screens.model import CurvePicture

_TITLE: Final = 76
_FIELD: Final = 320
_FOOT: Final = 56
_LEFT: Final = theme.MARGIN + 130
_RIGHT: Final = theme.WIDTH - theme.MARGIN - 24
_ABOVE: Final = 24
"""Between the field's edges and the curve's highest and lowest point."""

_TITLE_HAND: Final = Hand(theme.TEXT_LARGE, theme.WORDS, theme.FELT)
_HAND: Final = Hand(theme.TEXT, theme.WORDS_DIM, theme.FELT)


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
        canvas.write(words, (_LEFT - 18, at(level)), _HAND, 110, "right")
    first, last = picture.captions
    foot = _TITLE + _FIELD + _FOOT / 2 - 6
    canvas.write(first, (_LEFT, foot), _HAND, room // 2 - 70)
    canvas.write(last, (_RIGHT, foot), _HAND, room // 2 - 70, "right")
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
