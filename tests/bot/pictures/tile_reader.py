"""Reads tiles from a picture as a person would: finds the ivory, the colour of the ink, the number.

It knows the theme's colours and the digits' font, but nothing about how the program draws.
"""

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageStat

from bot.markup import Picture, TileFace
from bot.pictures import draw, theme
from bot.pictures.theme import Rgb

FONT = Path(theme.__file__).parent / "fonts" / "OkeyText-ExtraBold.ttf"
LEAST = 30
"""The least size in pixels of a patch of ivory that counts as a tile."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile in a picture: its face, and the box of it."""

    face: TileFace
    box: Box

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of its face."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


def opened(png: bytes) -> Image.Image:
    """The picture in RGB."""
    return Image.open(BytesIO(png)).convert("RGB")


def spots(image: Image.Image, colour: Rgb) -> Image.Image:
    """255 where the picture has exactly this colour."""
    away = ImageChops.difference(image, Image.new("RGB", image.size, colour))
    red, green, blue = away.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda value: 255 * (value == 0))


def amount(image: Image.Image, colour: Rgb) -> int:
    """The number of pixels of exactly this colour."""
    return spots(image, colour).histogram()[255]


def turn_of(image: Image.Image) -> tuple[Box, Box]:
    """The plate of the player on turn, without its frame, and the arrow beside it."""
    plate = spots(image, theme.PLATE_LIGHT).getbbox()
    assert plate is not None
    rest = image.copy()
    rest.paste(theme.FELT, (plate[0] - 6, plate[1] - 6, plate[2] + 6, plate[3] + 6))
    arrow = spots(rest, theme.SIGNAL).getbbox()
    assert arrow is not None
    return plate, arrow


def apart(one: Box, other: Box) -> int:
    """The pixels between two boxes."""
    return max(max(one[axis], other[axis]) - min(one[axis + 2], other[axis + 2]) for axis in (0, 1))


def tiles_in(png: bytes) -> list[SeenTile]:
    """Every tile of at least `LEAST` pixels' width, in reading order."""
    image = opened(png)
    seen = [SeenTile(_face(image, box), box) for box in _ivory(image)]
    return _in_reading_order(seen)


def _ivory(image: Image.Image) -> list[Box]:
    """The boxes of all connected patches of ivory that are large enough.

    They are searched at half the size, for speed, and measured at full size.
    """
    whole = spots(image, theme.IVORY)
    mask = whole.resize((whole.width // 2, whole.height // 2), Image.Resampling.NEAREST)
    boxes = []
    while left := mask.getbbox():
        start = mask.crop((0, left[1], mask.width, left[1] + 1)).getbbox()
        assert start is not None
        ImageDraw.floodfill(mask, (start[0], left[1]), 128)
        patch = mask.point(lambda value: 255 * (value == 128)).getbbox()
        assert patch is not None
        mask.paste(0, patch)
        if min(patch[2] - patch[0], patch[3] - patch[1]) * 2 >= LEAST:
            boxes.append(_tightened(whole, patch))
    return boxes


def _tightened(mask: Image.Image, patch: Box) -> Box:
    left, top, right, bottom = (2 * edge for edge in patch)
    inner = mask.crop((left - 1, top - 1, right + 1, bottom + 1)).getbbox()
    assert inner is not None
    return left - 1 + inner[0], top - 1 + inner[1], left - 1 + inner[2], top - 1 + inner[3]


def _in_reading_order(tiles: list[SeenTile]) -> list[SeenTile]:
    """Row by row: a tile whose middle is below the foot of the one before begins a new row."""
    ordered = sorted(tiles, key=lambda tile: tile.middle[1])
    rows = [ordered[:1]]
    for above, tile in pairwise(ordered):
        if tile.middle[1] > above.box[3]:
            rows.append([])
        rows[-1].append(tile)
    return [tile for row in rows for tile in sorted(row, key=lambda tile: tile.box)]


def _face(image: Image.Image, box: Box) -> TileFace:
    tile = image.crop(box)
    inks = [letter for letter in "RYBK" if amount(tile, theme.INKS[letter]) > tile.width * tile.height / 60]
    code = "F" if len(inks) > 1 else inks[0] + _number(spots(tile, theme.INKS[inks[0]]))
    return TileFace(code, wild=_crowned(image, box), marked=_framed(tile))


def _crowned(image: Image.Image, box: Box) -> bool:
    """Return whether there is the dark band of an okey at the tile's foot, which a frame separates from the
    rest of its ivory. The outline of a yellow mark is dark as well, but covers less."""
    left, _, right, bottom = box
    width = right - left
    foot = image.crop((left, bottom - width // 3, right, bottom + width // 3))
    return amount(foot, theme.DARK) > width * width / 12


def _framed(tile: Image.Image) -> bool:
    """Return whether the rows and columns just outside the ivory have the colour of marked tiles."""
    corner = tile.crop((0, 0, 8, 8))
    return amount(corner, theme.MARK) > 0


def _number(ink: Image.Image) -> str:
    """The uppermost band of ink, compared with every number in the font."""
    rows = [bool(ink.crop((0, y, ink.width, y + 1)).getbbox()) for y in range(ink.height)]
    top = rows.index(True)
    band = _squared(ink.crop((0, top, ink.width, rows.index(False, top))))
    return min(map(str, range(1, 14)), key=lambda number: _unlike(band, _sample(number)))


def _squared(mask: Image.Image) -> Image.Image:
    """The ink alone, scaled to height 40, on a canvas wide enough for two digits."""
    part = mask.crop(mask.getbbox())
    part = part.resize((round(part.width * 40 / part.height), 40))
    square = Image.new("L", (90, 40))
    square.paste(part, ((90 - part.width) // 2, 0))
    return square


def _unlike(one: Image.Image, other: Image.Image) -> float:
    return ImageStat.Stat(ImageChops.difference(one, other)).sum[0]


@cache
def _sample(number: str) -> Image.Image:
    mask = Image.new("L", (400, 200))
    ImageDraw.Draw(mask).text((50, 20), number, 255, ImageFont.truetype(FONT, 120))
    return _squared(mask)


def changed(one: Picture, other: Picture) -> Box:
    """The box of everything in which two pictures of one size differ."""
    first, second = opened(draw(one)), opened(draw(other))
    assert first.size == second.size
    box = ImageChops.difference(first, second).getbbox()
    assert box, "the pictures are the same"
    return box
