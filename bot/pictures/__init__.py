"""Pictures: racks, tables, results, replays, rules and figures as PNG. Only this package uses Pillow.

All functions but `draw_picture` are pure: equal pictures give equal bytes. They may be called from several
threads at once.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from cachetools import LRUCache

from bot.markup import (
    BracketPicture,
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
    TileFace,
)
from bot.pictures.bracket import draw_bracket
from bot.pictures.canvas import Canvas
from bot.pictures.clip import make_clip
from bot.pictures.figures import draw_curve, draw_figures, draw_standings
from bot.pictures.png import Band, pack, png
from bot.pictures.rack import RackShelf, RackStrip, draw_shelf, draw_strip, rack_parts
from bot.pictures.result import draw_result
from bot.pictures.rows import draw_replay, draw_rules
from bot.pictures.sprites import emoji_png, tile_png
from bot.pictures.table import draw_table
from bot.pool import POOL, Batches

__all__ = ["draw", "draw_clip", "draw_picture", "emoji_png", "tile_png", "warm_up"]


_Whole = (
    TablePicture
    | ResultPicture
    | ReplayPicture
    | RulesPicture
    | FiguresPicture
    | StandingsPicture
    | BracketPicture
    | CurvePicture
)
"""The pictures that are one part."""
_Part = RackStrip | RackShelf | _Whole
"""Something drawn and packed by itself."""

_DRAWN: Final = LRUCache[_Part, Band](32_000_000, lambda band: len(band.packed))
"""The parts that were drawn last, up to so many bytes in all: those of some 400 tables of four.
Of a rack of which one shelf has changed it spares 0.5 ms of 0.8 ms and two thirds of the calls of a process;
of a table that is shown in several places, 0.9 ms for each of the others."""

_SAMPLE: Final = RackPicture(
    shelves=((TileFace("R1"), TileFace("F")), ()),
    indicator=TileFace("B1"),
    okey=TileFace("B2", wild=True),
    captions=("okey", "101"),
)

_BATCHES: Final = Batches(8)

_UNDER_WAY: Final[dict[_Part, asyncio.Future[Band]]] = {}


async def draw_picture(picture: Picture) -> bytes:
    """Return the picture, drawn beside the event loop, each part once for all callers."""
    parts = _parts(picture)
    bands = [_DRAWN.get(part) or _begin(part) for part in parts]
    if coming := [band for band in bands if isinstance(band, asyncio.Future)]:
        await asyncio.wait(coming)  # a caller who gives up ends none: others wait for them as well
    ready = [band if isinstance(band, Band) else band.result() for band in bands]
    return png(ready, contrast=picture.contrast)


async def warm_up() -> None:
    """Have every process of the pool draw once, so that nobody waits for its fonts and tiles."""
    await asyncio.gather(*(POOL.run(draw, picture) for picture in (_SAMPLE,) * POOL.size))


def draw(picture: Picture) -> bytes:
    """Return the picture as a palette PNG, 900 pixels wide."""
    return png([_band(part) for part in _parts(picture)], contrast=picture.contrast)


def draw_clip(frames: Sequence[TablePicture | ResultPicture], *, contrast: bool) -> bytes:
    """Return pictures as a film. Its tables are all as high as the highest frame: there would be bands of
    wood above and below the lower ones."""
    drawn = [_canvas(frame) for frame in frames]
    height = max(canvas.image.height for canvas in drawn)
    for number, frame in enumerate(frames):
        if isinstance(frame, TablePicture) and drawn[number].image.height < height:
            drawn[number] = draw_table(frame, height)
    return make_clip(drawn, contrast=contrast)


def _parts(picture: Picture) -> Sequence[_Part]:
    match picture:
        case RackPicture():
            return rack_parts(picture)
        case PuzzlePicture(rack):
            return rack_parts(rack)
        case _:
            return (picture,)


def _begin(part: _Part) -> asyncio.Future[Band]:
    """Return the band that is being drawn, for all who wait for it."""
    future = _UNDER_WAY.get(part)
    if future is None or future.get_loop() is not asyncio.get_running_loop():
        future = _UNDER_WAY[part] = _BATCHES.begin(_band, part)
        future.add_done_callback(partial(_remember, part))
    return future


def _remember(part: _Part, future: asyncio.Future[Band]) -> None:
    del _UNDER_WAY[part]
    if future.exception() is None:
        _DRAWN[part] = future.result()


def _band(part: _Part) -> Band:
    return pack(_canvas(part).image)


def _canvas(part: _Part) -> Canvas:
    match part:
        case RackStrip():
            return draw_strip(part)
        case RackShelf():
            return draw_shelf(part)
        case TablePicture():
            return draw_table(part)
        case ResultPicture():
            return draw_result(part)
        case ReplayPicture():
            return draw_replay(part)
        case RulesPicture():
            return draw_rules(part)
        case FiguresPicture():
            return draw_figures(part)
        case StandingsPicture():
            return draw_standings(part)
        case BracketPicture():
            return draw_bracket(part)
        case CurvePicture():
            return draw_curve(part)
