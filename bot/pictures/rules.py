"""What tiles make: examples side by side, each under its name."""

from typing import Final

from bot.markup import RulesPicture
from bot.pictures import sprites, theme
from bot.pictures.canvas import Canvas, Hand
from bot.pictures.tiles import tile_height

_COLUMNS: Final = 2
_CELL: Final = (theme.WIDTH - 2 * theme.MARGIN) // _COLUMNS
_TILE: Final = 78
_PITCH: Final = _TILE + 4
_CAPTION: Final = 50
_ROW: Final = _CAPTION + tile_height(_TILE) + 22
_HAND: Final = Hand(theme.TEXT, theme.WORDS, theme.FELT)


def draw_rules(picture: RulesPicture) -> bytes:
    """The examples as PNG; its height grows with them."""
    rows = -(-len(picture.examples) // _COLUMNS)
    canvas = Canvas.plain(theme.WIDTH, rows * _ROW + theme.MARGIN, theme.FELT)
    for number, (caption, faces) in enumerate(picture.examples):
        row, column = divmod(number, _COLUMNS)
        left, top = 2 * theme.MARGIN + column * _CELL, theme.MARGIN + row * _ROW
        canvas.write(caption, (left, top + _CAPTION * 0.4), _HAND, _CELL - theme.MARGIN)
        for place, face in enumerate(faces):
            tile = sprites.tile(face, _TILE, theme.FELT, picture.letters)
            canvas.lay(tile, left + place * _PITCH, top + _CAPTION)
    return canvas.png(contrast=picture.contrast)
