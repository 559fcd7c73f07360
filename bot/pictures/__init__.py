"""Pictures: racks, tables, results, replays, rules and figures as PNG. The only home of Pillow.

Every function here is a pure function of its argument: equal pictures give equal bytes. All may be
called from several threads at once.
"""

from functools import lru_cache
from typing import Final

from bot.markup import (
    CurvePicture,
    FiguresPicture,
    Picture,
    PuzzlePicture,
    RackPicture,
    ReplayPicture,
    ResultPicture,
    RulesPicture,
    StandingsPicture,
    TablePicture,
)
from bot.pictures.figures import draw_curve, draw_figures, draw_standings
from bot.pictures.rack import draw_rack
from bot.pictures.result import draw_result
from bot.pictures.rows import draw_replay, draw_rules
from bot.pictures.sprites import emoji_png, tile_png
from bot.pictures.table import draw_table

__all__ = ["draw", "emoji_png", "tile_png"]


_REMEMBERED: Final = 256
"""Pictures, of about 30 kB: a rack is shown again and again while its player waits."""


@lru_cache(maxsize=_REMEMBERED)
def draw(picture: Picture) -> bytes:
    """The picture as a palette PNG, 900 pixels wide."""
    match picture:
        case RackPicture():
            return draw_rack(picture)
        case PuzzlePicture(rack):
            return draw_rack(rack)
        case TablePicture():
            return draw_table(picture)
        case ResultPicture():
            return draw_result(picture)
        case ReplayPicture():
            return draw_replay(picture)
        case RulesPicture():
            return draw_rules(picture)
        case FiguresPicture():
            return draw_figures(picture)
        case StandingsPicture():
            return draw_standings(picture)
        case CurvePicture():
            return draw_curve(picture)
