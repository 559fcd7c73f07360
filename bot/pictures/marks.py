"""Marks: the shapes that stand for the colours, and small signs. All fit a circle of `radius`."""

from collections.abc import Callable
from math import cos, pi, sin
from typing import Final

from bot.pictures import theme
from bot.pictures.canvas import Brush, Point
from bot.pictures.theme import Rgb

MarkDrawing = Callable[[Brush, Point, float, Rgb], None]


def circle(brush: Brush, centre: Point, radius: float, ink: Rgb) -> None:
    """Red."""
    brush.disc(centre, radius * 0.9, ink)


def star(brush: Brush, centre: Point, radius: float, ink: Rgb) -> None:
    """Yellow: five points, with an outline."""
    x, y = centre[0], centre[1] + radius * 0.1
    for part, fill in ((1.25, theme.DARK), (0.78, ink)):
        reach = (radius * 1.15 * part, radius * 0.5 * part)
        angles = [(pi * turn / 5, reach[turn % 2]) for turn in range(10)]
        brush.shape([(x + far * sin(angle), y - far * cos(angle)) for angle, far in angles], fill)


def diamond(brush: Brush, centre: Point, radius: float, ink: Rgb) -> None:
    """Blue: a square on its tip."""
    x, y = centre
    far = radius * 1.08
    brush.shape([(x, y - far), (x + far, y), (x, y + far), (x - far, y)], ink)


def square(brush: Brush, centre: Point, radius: float, ink: Rgb) -> None:
    """Black."""
    x, y = centre
    far = radius * 0.8
    brush.block((x - far, y - far, x + far, y + far), ink)


BY_COLOUR: Final[dict[str, MarkDrawing]] = {"R": circle, "Y": star, "B": diamond, "K": square}
"""The mark of each colour, by its letter. The same shapes stand for the colours in text."""


def crown(brush: Brush, centre: Point, radius: float, ink: Rgb) -> None:
    """Draw the sign of an okey and of a winner."""
    x, y = centre
    outline = [(-1.0, -0.5), (-0.45, 0.05), (0.0, -0.7), (0.45, 0.05), (1.0, -0.5), (0.8, 0.7), (-0.8, 0.7)]
    brush.shape([(x + dx * radius, y + dy * radius) for dx, dy in outline], ink)


def _bend(start: Point, over: Point, end: Point) -> list[Point]:
    """Return a quadratic Bézier curve as 13 points."""

    def at(t: float, axis: int) -> float:
        return (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * over[axis] + t * t * end[axis]

    return [(at(step / 12, 0), at(step / 12, 1)) for step in range(13)]


_SIDE_HORN: Final = [
    *_bend((0.0, -0.2), (-0.6, -1.2), (-1.0, 0.0)),
    *_bend((-1.0, 0.0), (-0.62, -0.4), (-0.55, 0.25)),
    (0.0, 0.25),
]
_MIDDLE_HORN: Final = [
    *_bend((-0.34, 0.25), (-0.34, -0.45), (0.0, -0.95)),
    *_bend((0.0, -0.95), (0.34, -0.45), (0.34, 0.25)),
]


def jester(brush: Brush, centre: Point, radius: float) -> None:
    """Draw the false joker: a laughing head under a fool's cap of three horns with bells."""
    x, y = centre
    ink, paper = theme.INKS["F"], theme.IVORY

    def at(points: list[Point]) -> list[Point]:
        return [(x + dx * radius, y + dy * radius) for dx, dy in points]

    for size, fill in ((0.47, ink), (0.38, paper)):
        brush.disc(at([(0.0, 0.48)])[0], radius * size, fill)
    brush.shape(at(_SIDE_HORN), theme.INKS["R"])
    brush.shape(at([(-dx, dy) for dx, dy in _SIDE_HORN]), theme.INKS["B"])
    brush.shape(at(_MIDDLE_HORN), theme.INKS["Y"])
    for bell in at([(-0.98, 0.08), (0.0, -0.92), (0.98, 0.08)]):
        brush.disc(bell, radius * 0.15, ink)
    brush.block(
        (x - radius * 0.6, y + radius * 0.13, x + radius * 0.6, y + radius * 0.32), ink, radius * 0.09
    )
    for eye in at([(-0.16, 0.47), (0.16, 0.47)]):
        brush.disc(eye, radius * 0.065, ink)
    brush.stroke(at(_bend((-0.19, 0.63), (0.0, 0.85), (0.19, 0.63))), radius * 0.08, ink)


def robot(brush: Brush, centre: Point, radius: float, ink: Rgb, paper: Rgb) -> None:
    """Draw a computer player: a head with two eyes and an aerial."""
    x, y = centre
    brush.block((x - radius * 0.9, y - radius * 0.45, x + radius * 0.9, y + radius * 0.9), ink, radius * 0.3)
    brush.stroke([(x, y - radius * 0.8), (x, y - radius * 0.4)], radius * 0.18, ink)
    brush.disc((x, y - radius * 0.8), radius * 0.2, ink)
    for side in (-1, 1):
        brush.disc((x + side * radius * 0.4, y + radius * 0.08), radius * 0.22, paper)
    brush.block(
        (x - radius * 0.42, y + radius * 0.5, x + radius * 0.42, y + radius * 0.66), paper, radius * 0.08
    )


def arrowhead(brush: Brush, centre: Point, radius: float, ink: Rgb) -> None:
    """Draw a triangle that points down."""
    x, y = centre
    brush.shape([(x - radius, y - radius * 0.7), (x + radius, y - radius * 0.7), (x, y + radius * 0.7)], ink)


def chevron(brush: Brush, centre: Point, radius: float, ink: Rgb) -> None:
    """Draw a bent line that points down."""
    x, y = centre
    points = [
        (x - radius * 0.7, y - radius * 0.35),
        (x, y + radius * 0.4),
        (x + radius * 0.7, y - radius * 0.35),
    ]
    brush.stroke(points, radius * 0.32, ink)
