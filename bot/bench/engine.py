"""Win checks, distances and pictures, one after the other on one core."""

import random
from typing import Any, Final

from bot.bench.clock import rate, times
from bot.pictures import draw
from bot.screens.model import RackPicture, TablePicture
from bot.screens.public import table_picture
from bot.screens.rack import rack_screen
from bot.tables.facts import rack_facts, table_facts
from bot.tables.model import Table
from bot.words import words_for
from engine.arrange import distance, wins
from engine.tiles import FULL_SET, Tile, okey_of

Deal = tuple[Tile, tuple[Tile, ...]]

SEED: Final = "bench"


def random_racks(count: int, tiles: int) -> list[Deal]:
    """An okey and a rack from the rest of the set, the indicator taken out: the same ones every time."""
    chance = random.Random(SEED)
    racks = []
    for _ in range(count):
        indicator, *rest = chance.sample(FULL_SET, tiles + 1)
        racks.append((okey_of(indicator), tuple(sorted(rest))))
    return racks


def bench_arrange() -> dict[str, Any]:
    """Win checks and distances a second, on random racks that are not seen twice."""
    return {
        "win_checks_per_second": rate(_wins, random_racks(40_000, 14)),
        "distances_per_second": rate(_distance, random_racks(10_000, 14)),
    }


def bench_pictures(table: Table) -> dict[str, Any]:
    """Milliseconds and bytes of the pictures of a table in play."""
    return {name: _drawn(picture) for name, picture in _pictures(table).items()}


def _wins(deal: Deal) -> bool:
    return wins(*deal)


def _distance(deal: Deal) -> int:
    return distance(*deal)


def _drawn(picture: RackPicture | TablePicture) -> dict[str, Any]:
    taken = times(lambda: draw(picture), 50)
    return {"ms": taken.report(), "bytes": len(draw(picture))}


def _pictures(table: Table) -> dict[str, RackPicture | TablePicture]:
    words = words_for("tr")
    facts = table_facts(table, None)
    rack = rack_screen(rack_facts(table, 0, None, None), words)
    assert facts.view is not None
    assert rack.picture is not None
    return {"rack": rack.picture, "table": table_picture(facts, facts.view, words)}
