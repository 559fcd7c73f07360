"""Rows of tiles: examples for the rules, and the racks under the table for a replay."""

from typing import Final

from bot.markup import ReplayPicture, RulesPicture
from bot.pictures import theme
from bot.pictures.canvas import Canvas, TextStyle
from bot.pictures.sprites import lay_tiles, tile_height
from bot.pictures.table import draw_table

_COLUMNS: Final = 2
_CELL: Final = theme.ROOM // _COLUMNS
_TILE: Final = 78
_CAPTION: Final = 50
_ROW: Final = _CAPTION + tile_height(_TILE) + 22
_CAPTION_STYLE: Final = TextStyle(theme.TEXT, theme.WORDS, theme.FELT)

_LARGEST: Final = 54
"""The width of a rack's tiles where they fit."""
_GAP: Final = 3
_NAME: Final = 40
_BETWEEN: Final = 14
_NAME_STYLE: Final = TextStyle(theme.TEXT_SMALL, theme.WORDS, theme.FELT)
_ON_TURN: Final = TextStyle(theme.TEXT_SMALL, theme.SIGNAL, theme.FELT)


def draw_rules(picture: RulesPicture) -> Canvas:
    """Return the examples side by side, each under its name; its height grows with them."""
    rows = -(-len(picture.examples) // _COLUMNS)
    canvas = Canvas.plain(theme.WIDTH, rows * _ROW + theme.MARGIN, theme.FELT)
    for number, (caption, faces) in enumerate(picture.examples):
        row, column = divmod(number, _COLUMNS)
        left, top = 2 * theme.MARGIN + column * _CELL, theme.MARGIN + row * _ROW
        canvas.write(caption, (left, top + _CAPTION * 0.4), _CAPTION_STYLE, _CELL - theme.MARGIN)
        lay_tiles(canvas, faces, (left, top + _CAPTION), _TILE, 4, letters=picture.letters)
    return canvas


def draw_replay(picture: ReplayPicture) -> Canvas:
    """Return one step of a round that is over; its height grows with the seats."""
    table = draw_table(picture.table).image
    longest = max(map(len, picture.racks), default=0)
    width = min(_LARGEST, theme.ROOM // max(longest, 1) - _GAP)
    strip = _NAME + tile_height(width) + _BETWEEN
    canvas = Canvas.plain(theme.WIDTH, table.height + len(picture.racks) * strip + _BETWEEN, theme.FELT)
    canvas.lay(table, 0, 0)
    for number, (seat, rack) in enumerate(zip(picture.table.seats, picture.racks, strict=True)):
        top = table.height + _BETWEEN + number * strip
        style = _ON_TURN if seat.on_turn else _NAME_STYLE
        canvas.write(seat.name, (theme.MARGIN, top + _NAME * 0.4), style, theme.ROOM)
        lay_tiles(canvas, rack, (theme.MARGIN, top + _NAME), width, _GAP, letters=picture.table.letters)
    return canvas
