"""Drawing with smooth edges: large first, then reduced. Only for parts that are kept."""

from PIL import Image, ImageDraw

from bot.pictures.palette import indexed
from bot.pictures.theme import Colour

_SCALE = 4

Point = tuple[float, float]
Box = tuple[float, float, float, float]


class Brush:
    """An RGB drawing in picture coordinates; fractions of a pixel count."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self._image = Image.new("RGB", (width * _SCALE, height * _SCALE), ground)
        self._draw = ImageDraw.Draw(self._image)
        self._stamps: list[tuple[Image.Image, Point, Colour]] = []

    def block(self, box: Box, fill: Colour, radius: float = 0) -> None:
        """A rectangle with rounded corners: left, top, right, bottom, the last two outside it."""
        left, top, right, bottom = (round(edge * _SCALE) for edge in box)
        self._draw.rounded_rectangle((left, top, right - 1, bottom - 1), round(radius * _SCALE), fill)

    def disc(self, centre: Point, radius: float, fill: Colour) -> None:
        """A filled circle."""
        x, y = centre
        self.block((x - radius, y - radius, x + radius, y + radius), fill, radius)

    def shape(self, points: list[Point], fill: Colour) -> None:
        """A filled polygon."""
        self._draw.polygon([(x * _SCALE, y * _SCALE) for x, y in points], fill)

    def stroke(self, points: list[Point], width: float, fill: Colour) -> None:
        """A line with rounded joints and ends."""
        scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
        self._draw.line(scaled, fill, round(width * _SCALE), joint="curve")
        for point in (points[0], points[-1]):
            self.disc(point, width / 2, fill)

    def stamp(self, mask: Image.Image, centre: Point, fill: Colour) -> None:
        """Ink through a coverage mask of true size, on top of everything else: letters stay hinted."""
        self._stamps.append((mask, centre, fill))

    def reduced(self) -> Image.Image:
        """The drawing at its true size, in RGB."""
        image = self._image.reduce(_SCALE)
        for mask, (x, y), fill in self._stamps:
            image.paste(fill, (round(x - mask.width / 2), round(y - mask.height / 2)), mask)
        return image

    def done(self) -> Image.Image:
        """The drawing at its true size, as palette indices."""
        return indexed(self.reduced())
