"""Curve: a figure over time as SVG, drawn from its values, so that a page sets its colours and size."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.markup import CurvePicture, Series

WIDTH: Final = 320
HEIGHT: Final = 168
"""The height on a narrow phone, so that words keep the size in which they are written."""
_LEFT: Final = 46
_RIGHT: Final = WIDTH - 12
_TOP: Final = 32
_BOTTOM: Final = HEIGHT - 28


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A value, and its strip of the picture."""

    x: float
    y: float
    highlight: bool
    strip: tuple[float, float]
    """The left edge of the strip, and its width."""
    press: str
    """The press of a tap there; empty: none."""


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """A curve in the units of its picture."""

    picture: CurvePicture
    levels: tuple[tuple[str, float], ...]
    """The words of each level, and its height."""
    points: tuple[CurvePoint, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = _RIGHT
    bottom: int = _BOTTOM

    @property
    def line(self) -> str:
        """All points in the format of a `polyline`."""
        return " ".join(f"{each.x:.1f},{each.y:.1f}" for each in self.points)


def draw_curve(picture: CurvePicture, series: Series | None) -> DrawnCurve:
    """Draw the curve. In a series, its values belong to the pages after the first."""
    levels = [level for _, level in picture.marks]
    low, high = min(*picture.values, *levels), max(*picture.values, *levels)

    def height(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return round(_BOTTOM - (_BOTTOM - _TOP) * share, 1)

    marks = tuple((words, height(level)) for words, level in picture.marks)
    return DrawnCurve(picture, marks, tuple(_points(picture, series, [*map(height, picture.values)])))


def _points(picture: CurvePicture, series: Series | None, heights: list[float]) -> Iterator[CurvePoint]:
    apart = (_RIGHT - _LEFT) / (len(heights) - 1)
    places = [round(_LEFT + number * apart, 1) for number in range(len(heights))]
    bounds = [_LEFT - apart / 2, *((one + other) / 2 for one, other in pairwise(places)), _RIGHT + apart / 2]
    for number, (x, y) in enumerate(zip(places, heights, strict=True)):
        start, end = bounds[number], bounds[number + 1]
        press = "" if series is None else f"{series.press}.{number + 1}"
        strip = (round(start, 1), round(end - start, 1))
        yield CurvePoint(x, y, number in picture.highlights, strip, press)
