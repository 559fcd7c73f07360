"""Pictures: racks, tables, results, replays, rules and figures as PNG. Only this package uses Pillow.

All functions but `drawn` are pure: equal pictures give equal bytes. They may be called from several threads
at once.
"""

import asyncio
from typing import Final

from cachetools import LRUCache

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
from bot.pool import Batches

__all__ = ["draw", "drawn", "emoji_png", "tile_png"]


_REMEMBERED: Final = LRUCache[Picture, bytes](16_000_000, len)
"""Drawn pictures, up to so many bytes in all. One is shown in several places, and repeatedly while its player
waits."""

_BATCHES: Final = Batches(8)

_UNDER_WAY: Final[dict[Picture, asyncio.Task[bytes]]] = {}


async def drawn(picture: Picture) -> bytes:
    """Return the picture, drawn beside the event loop, once for all callers."""
    if (png := _REMEMBERED.get(picture)) is not None:
        return png
    task = _UNDER_WAY.get(picture)
    if task is None or task.get_loop() is not asyncio.get_running_loop():
        task = _UNDER_WAY[picture] = asyncio.create_task(_draw(picture))
    return await asyncio.shield(task)


async def _draw(picture: Picture) -> bytes:
    try:
        png = _REMEMBERED[picture] = await _BATCHES.run(draw, picture)
        return png
    finally:
        _UNDER_WAY.pop(picture, None)


def draw(picture: Picture) -> bytes:
    """Return the picture as a palette PNG, 900 pixels wide."""
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
