"""Pictures of racks, tables and results as PNG: the only home of Pillow.

Every function here is a pure function of its argument: equal pictures give equal bytes. All may be
called from several threads at once.
"""

from bot.pictures.rack import draw_rack
from bot.pictures.result import draw_result
from bot.pictures.table import draw_table
from bot.pictures.tiles import emoji, tile
from bot.screens.model import RackPicture, ResultPicture, TablePicture

__all__ = ["draw", "emoji", "tile"]


def draw(picture: RackPicture | TablePicture | ResultPicture) -> bytes:
    """The picture as a palette PNG, 900 pixels wide."""
    match picture:
        case RackPicture():
            return draw_rack(picture)
        case TablePicture():
            return draw_table(picture)
        case ResultPicture():
            return draw_result(picture)
