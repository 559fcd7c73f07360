"""Sprites: tiles, plates and signs as palette indices (mode L), each drawn once and kept.

A tile is an ivory block with a large number and the mark of its colour below. A sprite fills its whole box,
including its ground, so that placing it is a plain copy.
"""

from collections.abc import Iterable
from io import BytesIO
from typing import Final, Literal

from PIL import Image

from bot.markup import TileFace
from bot.pictures import lettering, marks, theme
from bot.pictures.canvas import Brush, Canvas, Point
from bot.pictures.once import draw_once
from bot.pictures.theme import Rgb

RIM: Final = 14
"""The width of the wood round a table's felt."""
Towards = Literal["down", "right", "up", "left"]
_TURNS: Final[dict[Towards, Image.Transpose | None]] = {
    "down": None,
    "right": Image.Transpose.ROTATE_90,
    "up": Image.Transpose.ROTATE_180,
    "left": Image.Transpose.ROTATE_270,
}
_CAPITAL: Final = 0.71
"""The height of a digit, as a share of the font size."""
_OUTLINE: Final = 0.06
"""The width of yellow's outline, as a share of the font size."""
_EMOJI: Final = 128
_CROWN: Final = 36


def tile_height(width: int) -> int:
    """Return the height of a standing tile, with its shadow."""
    return round(width * theme.TILE_RATIO)


@draw_once
def tile(face: TileFace, width: int, ground: Rgb, letters: bool) -> Image.Image:
    """Return a tile on a shelf, on the felt or on a plate."""
    height = tile_height(width)
    brush = Brush(width, height, ground)
    inside = _block(brush, width, height, theme.SHADOWS[ground], marked=face.marked)
    _imprint(brush, face, width, inside, letters=letters)
    return brush.finish()


@draw_once
def stock(width: int, layers: int) -> Image.Image:
    """Tiles face down on the felt, one on the other. The topmost has its face at the sprite's top."""
    step = round(width * 0.1)
    height = tile_height(width) + layers * step
    brush = Brush(width, height, theme.FELT)
    for layer in range(layers, -1, -1):
        top = layer * step
        _block(brush, width, tile_height(width), theme.FELT_SHADOW, top=top)
    return brush.finish()


def slot(width: int) -> Image.Image:
    """Return the empty spot of a discard pile on the felt."""
    height = tile_height(width)
    brush = Brush(width, height, theme.FELT)
    brush.block((0, 0, width, height), theme.FELT_LINE, width * 0.13)
    brush.block((3, 3, width - 3, height - 3), theme.FELT, width * 0.11)
    return brush.finish()


@draw_once
def sign(mark: marks.MarkDrawing, size: int, ground: Rgb, ink: Rgb, towards: Towards = "down") -> Image.Image:
    """Return one of the marks in a square box. Marks that point can be turned."""
    brush = Brush(size, size, ground)
    mark(brush, (size / 2, size / 2), size / 2, ink)
    turn = _TURNS[towards]
    image = brush.finish()
    return image if turn is None else image.transpose(turn)


@draw_once
def robot(size: int, ground: Rgb, ink: Rgb) -> Image.Image:
    """Return the sign of a computer player."""
    brush = Brush(size, size, ground)
    marks.robot(brush, (size / 2, size / 2), size / 2, ink, ground)
    return brush.finish()


@draw_once
def plate(width: int, height: int, fill: Rgb, frame: Rgb) -> Image.Image:
    """Return a plate on the felt, with a frame."""
    brush = Brush(width, height, theme.FELT)
    brush.block((0, 0, width, height), frame, 16)
    brush.block((5, 5, width - 5, height - 5), fill, 12)
    return brush.finish()


@draw_once
def felt(height: int) -> Image.Image:
    """Return an empty table."""
    brush = Brush(theme.WIDTH, height, theme.WOOD)
    right, bottom = theme.WIDTH - RIM, height - RIM
    brush.block((3, 3, theme.WIDTH - 3, height - 3), theme.WOOD_LIGHT, 20)
    brush.block((5, 5, theme.WIDTH - 5, height - 5), theme.WOOD, 18)
    brush.block((RIM - 3, RIM - 3, right + 3, bottom + 3), theme.FELT_SHADOW, 25)
    brush.block((RIM, RIM, right, bottom), theme.FELT, 22)
    return brush.finish()


def lay_tiles(
    canvas: Canvas, faces: Iterable[TileFace], at: tuple[float, float], width: int, gap: int, *, letters: bool
) -> None:
    """Lay tiles on the felt side by side; `at` is the upper left corner of the first."""
    for place, face in enumerate(faces):
        canvas.lay(tile(face, width, theme.FELT, letters), at[0] + place * (width + gap), at[1])


def lay_middle(canvas: Canvas, part: Image.Image, at: tuple[float, float]) -> None:
    """Place a part with its middle at `at`."""
    canvas.lay(part, at[0] - part.width / 2, at[1] - part.height / 2)


def lay_row(
    canvas: Canvas, top: float, height: int, *, first: bool = False, indent: int = 0
) -> tuple[Rgb, Rgb]:
    """Draw a plate as wide as the picture, for a line of words. A `first` one is light and has a crown.

    Returns the colour of its ground, and that of its words.
    """
    fill, ink = (theme.PLATE_LIGHT, theme.WORDS_DARK) if first else (theme.PLATE, theme.WORDS)
    canvas.lay(plate(theme.ROOM, height, fill, fill), theme.MARGIN, top)
    if first:
        crown = sign(marks.crown, _CROWN, fill, ink)
        canvas.lay(crown, theme.MARGIN + indent, top + (height - _CROWN) / 2)
    return fill, ink


def tile_png(code: str, height: int) -> bytes:
    """Return a tile by its FORMATS code, `height` pixels high, as PNG with transparent corners."""
    return _png(_alone(code, round(height / theme.TILE_RATIO), height))


def emoji_png(code: str) -> bytes:
    """Return a tile by its FORMATS code as a square PNG of 128 pixels, for use as a small emoji.

    It is broader than the tiles in pictures, so that its number stays readable at 20 pixels.
    """
    image = Image.new("RGBA", (_EMOJI, _EMOJI))
    block = _alone(code, 108, _EMOJI)
    image.paste(block, ((_EMOJI - block.width) // 2, 0))
    return _png(image)


def _block(
    brush: Brush, width: int, height: int, shadow: Rgb | None, *, top: float = 0, marked: bool = False
) -> float:
    """Return a blank tile. `height` includes its standing edge and its shadow; `marked` frames its face.

    Returns the height of its face.
    """
    radius = width * 0.13
    foot = top + height
    if shadow:
        brush.block((0, top + width * 0.1, width, foot), shadow, radius)
        foot -= width * 0.045
    face = foot - width * 0.07
    brush.block((0, top, width, foot), theme.TILE_EDGE, radius)
    brush.block((0, top, width, face), theme.MARK if marked else theme.IVORY, radius)
    if marked:
        thick = max(3.0, width * 0.055)
        brush.block((thick, top + thick, width - thick, face - thick), theme.IVORY, radius - thick / 2)
    return face - top


def _imprint(brush: Brush, face: TileFace, width: int, height: float, *, letters: bool) -> None:
    """Print a face `height` pixels high: an okey's band at its foot, the tile above it."""
    if face.wild:
        height = _crown_band(brush, width, height)
    if face.code == "F":
        _false_joker(brush, width, height, letters)
    else:
        _number(brush, face.code, width, height, letters)


def _crown_band(brush: Brush, width: int, height: float) -> float:
    """Draw the sign of an okey. Returns the height that remains above it."""
    top, foot = height - width * 0.28, height - width * 0.07
    brush.block((width * 0.08, top, width * 0.92, foot), theme.DARK, width * 0.06)
    marks.crown(brush, (width / 2, (top + foot) / 2), width * 0.11, theme.YELLOW)
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


def _write(brush: Brush, words: str, size: float, centre: Point, ink: Rgb) -> None:
    if ink == theme.YELLOW:
        outline = max(1, round(size * _OUTLINE))
        brush.ink(lettering.line(words, round(size), round(size * 3), outline), centre, theme.DARK)
    brush.ink(lettering.line(words, round(size), round(size * 3)), centre, ink)


def _alone(code: str, width: int, height: int) -> Image.Image:
    """Return a tile without a ground: RGBA, transparent round its corners."""
    brush, outline = (Brush(width, height, ground) for ground in (theme.TILE_EDGE, (0, 0, 0)))
    outline.block((0, 0, width, height), (255, 255, 255), width * 0.13)
    _imprint(brush, TileFace(code), width, _block(brush, width, height, None), letters=False)
    image = brush.reduce()
    image.putalpha(outline.reduce().convert("L"))
    return image


def _png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
