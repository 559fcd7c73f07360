"""A picture in the making: palette indices, parts laid on it, words written on it."""

from io import BytesIO
from typing import Final, Literal

from PIL import Image

from bot.pictures import lettering
from bot.pictures.palette import FLAT, index, shades
from bot.pictures.theme import Colour

_PACKING: Final = 7
"""A tenth smaller than the usual 6 for half a millisecond; 9 would take ten times as long."""

Align = Literal["left", "middle", "right"]


def figure(number: int, *, signed: bool = False) -> str:
    """A number with a true minus; `signed` also puts a plus before a gain."""
    return format(number, "+d" if signed and number else "d").replace("-", "−")


class Canvas:
    """Made from a size and a colour, or from a finished ground that stays as it is."""

    def __init__(self, ground: Image.Image) -> None:
        self._image = ground.copy()

    @classmethod
    def plain(cls, width: int, height: int, colour: Colour) -> "Canvas":
        """A canvas of one colour."""
        return cls(Image.new("L", (width, height), index(colour)))

    def lay(self, part: Image.Image, left: float, top: float) -> None:
        """Copy a sprite."""
        self._image.paste(part, (round(left), round(top)))

    def write(
        self, text: str, at: tuple[float, float], size: int, width: int,
        ink: Colour, ground: Colour, align: Align = "left",
    ) -> int:  # fmt: skip
        """Write a line, the middle of its capitals at `at`, on a spot that is all `ground`.

        At most `width` pixels wide, cut with an ellipsis. Returns its width.
        """
        mask = lettering.line(text, size, width)
        x, y = at
        left = x - {"left": 0.0, "middle": mask.width / 2, "right": float(mask.width)}[align]
        if box := mask.getbbox():
            self.lay(mask.crop(box).point(shades(ground, ink)), left + box[0], y - mask.height / 2 + box[1])
        return mask.width

    def measure(self, text: str, size: int, width: int) -> int:
        """How wide `write` would make a line."""
        return lettering.line(text, size, width).width

    def png(self) -> bytes:
        """The picture as a palette PNG: equal canvases make equal bytes."""
        self._image.putpalette(FLAT)
        out = BytesIO()
        self._image.save(out, "PNG", compress_level=_PACKING)
        return out.getvalue()
