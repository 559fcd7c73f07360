"""How a tile looks: an ivory block, the number large, the mark of its colour below."""

from io import BytesIO

from PIL import Image

from bot.markup import TileFace
from bot.pictures import lettering, marks, theme
from bot.pictures.canvas import Brush, Point
from bot.pictures.theme import Colour

_CAPITAL = 0.71
"""Height of a digit to its font size."""
_EMOJI = 128


def tile_height(width: int) -> int:
    """The height of a tile that stands on its edge, shadow included."""
    return round(width * theme.TILE_RATIO)


def print_block(
    brush: Brush, width: int, height: int, shadow: Colour | None, *, top: float = 0, marked: bool = False
) -> float:
    """A blank tile, its standing edge and its shadow included in `height`; `marked` frames its face.

    Returns the height of its face.
    """
    radius = width * 0.13
    foot = top + height
    if shadow:
        brush.block((0, top + width * 0.1, width, foot), shadow, radius)
        foot -= width * 0.045
    face = foot - width * 0.07
    brush.block((0, top, width, foot), theme.TILE_EDGE, radius)
    brush.block((0, top, width, face), theme.SIGNAL if marked else theme.IVORY, radius)
    if marked:
        thick = max(3.0, width * 0.055)
        brush.block((thick, top + thick, width - thick, face - thick), theme.IVORY, radius - thick / 2)
    return face - top


def imprint(brush: Brush, face: TileFace, width: int, height: float, *, letters: bool) -> None:
    """What is printed on a face `height` pixels high: an okey's band at its foot, the tile above it."""
    if face.wild:
        height = _crown_band(brush, width, height)
    if face.code == "F":
        _false_joker(brush, width, height, letters)
    else:
        _number(brush, face.code, width, height, letters)


def _crown_band(brush: Brush, width: int, height: float) -> float:
    """The sign of an okey. Returns the height that remains above it."""
    top, foot = height - width * 0.28, height - width * 0.07
    brush.block((width * 0.08, top, width * 0.92, foot), theme.BAND, width * 0.06)
    marks.crown(brush, (width / 2, (top + foot) / 2), width * 0.11, theme.CROWN)
    return top + width * 0.03


def _number(brush: Brush, code: str, width: int, height: float, letters: bool) -> None:
    letter, number = code[0], code[1:]
    ink = theme.INKS[letter]
    size, radius = min(width * 0.74, height * 0.62), min(width * 0.165, height * 0.138)
    space = (height - size * _CAPITAL - 2 * radius) / 3
    row = height - space - radius
    aside = width * 0.2 if letters else 0.0
    _write(brush, number, size, (width / 2, space + size * _CAPITAL / 2), ink)
    marks.BY_COLOUR[letter](brush, (width / 2 - aside, row), radius, ink)
    if letters:
        _write(brush, letter, width * 0.37, (width / 2 + aside, row), ink)


def _false_joker(brush: Brush, width: int, height: float, letters: bool) -> None:
    room = height - width * 0.3 if letters else height
    radius = min(width * 0.375, room * (0.42 if letters else 0.46))
    marks.jester(brush, (width / 2, room / 2 + radius * 0.03), radius)
    if letters:
        _write(brush, "F", width * 0.38, (width / 2, height - width * 0.19), theme.INKS["F"])


def _write(brush: Brush, words: str, size: float, centre: Point, ink: Colour) -> None:
    brush.stamp(lettering.line(words, round(size), round(size * 3)), centre, ink)


def _alone(code: str, width: int, height: int) -> Image.Image:
    """A tile on nothing: RGBA, transparent round its corners."""
    brush, outline = (Brush(width, height, ground) for ground in (theme.TILE_EDGE, (0, 0, 0)))
    outline.block((0, 0, width, height), (255, 255, 255), width * 0.13)
    imprint(brush, TileFace(code), width, print_block(brush, width, height, None), letters=False)
    image = brush.reduced()
    image.putalpha(outline.reduced().convert("L"))
    return image


def _png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def tile(code: str, height: int) -> bytes:
    """A tile by its FORMATS code, `height` pixels high, as PNG with transparent corners."""
    return _png(_alone(code, round(height / theme.TILE_RATIO), height))


def emoji(code: str) -> bytes:
    """A tile by its FORMATS code as a square PNG of 128 pixels, for use as a small emoji.

    It is broader than the tiles in pictures, so that its number stays readable at 20 pixels.
    """
    image = Image.new("RGBA", (_EMOJI, _EMOJI))
    block = _alone(code, 108, _EMOJI)
    image.paste(block, ((_EMOJI - block.width) // 2, 0))
    return _png(image)
