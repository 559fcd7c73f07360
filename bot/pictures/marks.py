"""The shapes that say a colour without its hue, and the small signs. All fit a circle of `radius`."""

from collections.abc import Callable
from math import cos, pi, sin

from bot.pictures.brush import Brush, Point
from bot.pictures.theme import Colour

Mark = Callable[[Brush, Point, float, Colour], None]


def circle(brush: Brush, centre: Point, radius: float, ink: Colour) -> None:
    """Red."""
    brush.disc(centre, radius * 0.88, ink)


def star(brush: Brush, centre: Point, radius: float, ink: Colour) -> None:
    """Yellow: five points."""
    x, y = centre[0], centre[1] + radius * 0.08
    reach = (radius * 1.12, radius * 0.48)
    angles = [(pi * turn / 5, reach[turn % 2]) for turn in range(10)]
    brush.shape([(x + far * sin(angle), y - far * cos(angle)) for angle, far in angles], ink)


def diamond(brush: Brush, centre: Point, radius: float, ink: Colour) -> None:
    """Blue: a square on its tip."""
    x, y = centre
    far = radius * 1.1
    brush.shape([(x, y - far), (x + far, y), (x, y + far), (x - far, y)], ink)


def square(brush: Brush, centre: Point, radius: float, ink: Colour) -> None:
    """Black."""
    x, y = centre
    far = radius * 0.8
    brush.block((x - far, y - far, x + far, y + far), ink)


BY_COLOUR: dict[str, Mark] = {"R": circle, "Y": star, "B": diamond, "K": square}
"""By the colour's letter; the same shapes stand for the colours in text."""


def crown(brush: Brush, centre: Point, radius: float, ink: Colour) -> None:
    """An okey."""
    x, y = centre
    wide, high = radius, radius * 0.7
    outline = [(-1.0, -0.7), (-0.45, 0.05), (0.0, -1.0), (0.45, 0.05), (1.0, -0.7), (0.78, 1.0), (-0.78, 1.0)]
    brush.shape([(x + dx * wide, y + dy * high) for dx, dy in outline], ink)


def jester(brush: Brush, centre: Point, radius: float, ink: Colour, paper: Colour) -> None:
    """The false joker: a fool's cap with three bells over its brim."""
    x, y = centre

    def at(points: list[Point]) -> list[Point]:
        return [(x + dx * radius, y + dy * radius) for dx, dy in points]

    left = [(-0.62, 0.5), (-0.72, 0.05), (-0.92, -0.18), (-0.95, 0.2), (-0.99, -0.2), (-0.75, -0.52), (-0.4, -0.5), (0.0, 0.05), (0.1, 0.5)]
    brush.shape(at(left), ink)
    brush.shape(at([(-dx, dy) for dx, dy in left]), ink)
    brush.shape(at([(-0.36, 0.5), (-0.3, -0.35), (0.0, -0.85), (0.3, -0.35), (0.36, 0.5)]), ink)
    for seam in ([(-0.3, 0.46), (-0.26, -0.3)], [(0.3, 0.46), (0.26, -0.3)]):
        brush.stroke(at(seam), radius * 0.07, paper)
    for bell in at([(-0.93, 0.28), (0.0, -0.9), (0.93, 0.28)]):
        brush.disc(bell, radius * 0.17, ink)
    brush.block((x - radius * 0.66, y + radius * 0.58, x + radius * 0.66, y + radius * 0.86), ink, radius * 0.12)


def robot(brush: Brush, centre: Point, radius: float, ink: Colour, paper: Colour) -> None:
    """A computer player: a head with two eyes and an aerial."""
    x, y = centre
    brush.block((x - radius * 0.85, y - radius * 0.45, x + radius * 0.85, y + radius * 0.85), ink, radius * 0.3)
    brush.stroke([(x, y - radius * 0.8), (x, y - radius * 0.4)], radius * 0.18, ink)
    brush.disc((x, y - radius * 0.82), radius * 0.2, ink)
    for side in (-1, 1):
        brush.disc((x + side * radius * 0.38, y + radius * 0.08), radius * 0.2, paper)
    brush.block((x - radius * 0.4, y + radius * 0.45, x + radius * 0.4, y + radius * 0.6), paper, radius * 0.07)


def pointer(brush: Brush, centre: Point, radius: float, ink: Colour) -> None:
    """A triangle that points down."""
    x, y = centre
    brush.shape([(x - radius, y - radius * 0.7), (x + radius, y - radius * 0.7), (x, y + radius * 0.7)], ink)
