"""Drawing: a brush with smooth edges for sprites, and a canvas to place them on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw

from bot.pictures import lettering
from bot.pictures.once import draw_once
from bot.pictures.theme import Rgb, index, shades, to_palette

_SCALE = 4

Point = tuple[float, float]
Box = tuple[float, float, float, float]


class Brush:
    """An RGB drawing in picture coordinates, made large and then reduced. Coordinates may be fractions."""

    def __init__(self, width: int, height: int, ground: Rgb) -> None:
        self._image = Image.new("RGB", (width * _SCALE, height * _SCALE), ground)
        self._draw = ImageDraw.Draw(self._image)
        self._masks: list[tuple[Image.Image, Point, Rgb]] = []

    def block(self, box: Box, fill: Rgb, radius: float = 0) -> None:
        """Draw a rectangle with rounded corners: left, top, right, bottom, the last two exclusive."""
        left, top, right, bottom = (round(edge * _SCALE) for edge in box)
        self._draw.rounded_rectangle((left, top, right - 1, bottom - 1), round(radius * _SCALE), fill)

    def disc(self, centre: Point, radius: float, fill: Rgb) -> None:
        """Draw a filled circle."""
        x, y = centre
        self.block((x - radius, y - radius, x + radius, y + radius), fill, radius)

    def shape(self, points: list[Point], fill: Rgb) -> None:
        """Draw a filled polygon."""
        self._draw.polygon([(x * _SCALE, y * _SCALE) for x, y in points], fill)

    def stroke(self, points: list[Point], width: float, fill: Rgb) -> None:
        """Draw a line with rounded joints and ends."""
        scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
        self._draw.line(scaled, fill, round(width * _SCALE), joint="curve")
        for point in (points[0], points[-1]):
            self.disc(point, width / 2, fill)

    def ink(self, mask: Image.Image, centre: Point, fill: Rgb) -> None:
        """Ink through a coverage mask of true size, on top of everything else, so that letters stay
        hinted."""
        self._masks.append((mask, centre, fill))

    def reduce(self) -> Image.Image:
        """Return the drawing at its true size, in RGB."""
        image = self._image.reduce(_SCALE)
        for mask, (x, y), fill in self._masks:
            image.paste(fill, (round(x - mask.width / 2), round(y - mask.height / 2)), mask)
        return image

    def finish(self) -> Image.Image:
        """Return the drawing at its true size, as palette indices."""
        return to_palette(self.reduce())


Align = Literal["left", "middle", "right"]


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of a line: the size in pixels, the colour, and the colour of the ground."""

    size: int
    ink: Rgb
    ground: Rgb


def in_lines(widths: Sequence[int], room: int, gap: int = 0) -> list[list[int]]:
    """Arrange items of these widths, in order, in lines of `room` pixels. Items are given by index."""
    lines: list[list[int]] = []
    left = 0
    for number, width in enumerate(widths):
        if not lines or width > left:
            lines.append([])
            left = room
        lines[-1].append(number)
        left -= width + gap
    return lines


def figure(number: int, *, signed: bool = False) -> str:
    """Return a number with a true minus; `signed` also adds a plus."""
    return format(number, "+d" if signed and number else "d").replace("-", "−")


def halves(text: str) -> tuple[str, str]:
    """Cut a text at the space nearest to its middle. The second half is empty when there is none."""
    spaces = [at for at, char in enumerate(text) if char == " "]
    cut = min(spaces, key=lambda at: abs(at - len(text) / 2), default=len(text))
    return text[:cut], text[cut + 1 :]


class Canvas:
    """A picture in the making, on a colour or on a copy of a finished ground."""

    def __init__(self, ground: Image.Image) -> None:
        self.image = ground.copy()
        """The picture so far, as palette indices (mode L)."""

    @classmethod
    def plain(cls, width: int, height: int, colour: Rgb) -> "Canvas":
        """Return a canvas of one colour."""
        return cls(Image.new("L", (width, height), index(colour)))

    def lay(self, part: Image.Image, left: float, top: float) -> None:
        """Copy a sprite onto the canvas."""
        self.image.paste(part, (round(left), round(top)))

    def write(
        self, text: str, at: tuple[float, float], style: TextStyle, width: int, align: Align = "left"
    ) -> None:
        """Write a line, with the middle of its capitals at `at`, on the style's ground.

        A line wider than `width` is set smaller, then cut with an ellipsis.
        """
        written = _write(text, style, width)
        if written is not None:
            left = at[0] - {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * written.width
            self.lay(written.words, left + written.left, at[1] + written.top)

    def write_name(self, name: str, at: tuple[float, float], style: TextStyle, width: int) -> None:
        """Write a name with its left end at `at`; on two smaller lines if it is too long for one."""
        first, second = halves(name) if not lettering.fits(name, style.size, width) else (name, "")
        if not second:
            self.write(first, at, style, width)
            return
        smaller = replace(style, size=style.size * 5 // 6)
        for line, below in ((first, -0.44), (second, 0.44)):
            self.write(line, (at[0], at[1] + below * style.size), smaller, width)


class _Written(NamedTuple):
    """A line in its colours, cut to its ink."""

    words: Image.Image
    left: float
    """Of the words, from the line's left end."""
    top: float
    """Of the words, from the middle of the line's capitals."""
    width: int
    """The line's."""


@draw_once
def _write(text: str, style: TextStyle, width: int) -> _Written | None:
    """Return a line at most `width` wide; None if there is no ink in it. It is shared, so do not change
    it."""
    mask = lettering.line(text, style.size, width)
    box = mask.getbbox()
    if box is None:
        return None
    words = mask.crop(box).point(shades(style.ground, style.ink))
    return _Written(words, box[0], box[1] - mask.height / 2, mask.width)
