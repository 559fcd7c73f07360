"""Engine and pictures: win checks, distances, judged lines and drawings, one after the other on one core."""

import json
import random
from collections.abc import Iterator
from typing import Any, Final

from bot.bench.timing import rate, times
from bot.i18n import words_for
from bot.markup import Picture
from bot.pictures import draw
from bot.screens.player import rack_screen
from bot.screens.table import table_picture
from bot.tables.facts import rack_facts, table_facts
from bot.tables.table import Table
from engine.arrange import distance, winning_arrangements
from engine.judge import judge_line
from engine.melds import MeldRules
from engine.tiles import FULL_SET, Tile, okey_of

_Rack = tuple[MeldRules, tuple[Tile, ...]]

SEED: Final = "bench"


def random_racks(count: int, tiles: int) -> list[_Rack]:
    """Racks dealt beside an indicator, each with what makes a meld: the same ones every time."""
    chance = random.Random(SEED)
    return [(MeldRules(okey_of(indicator)), rack) for indicator, rack in _dealt(chance, count, tiles)]


def bench_arrange() -> dict[str, Any]:
    """Win checks and distances a second, on random racks that are not seen twice."""
    return {
        "win_checks_per_second": rate(_wins, random_racks(40_000, 14)),
        "distances_per_second": rate(_distance, random_racks(10_000, 14)),
    }


def bench_judge() -> dict[str, Any]:
    """Lines of `okey judge` a second, by game: random racks of the starter's size and of the others'."""
    return {
        "classic_lines_per_second": rate(judge_line, _lines("classic", 5_000, (14, 15))),
        "101_lines_per_second": rate(judge_line, _lines("101", 1_000, (21, 22))),
    }


def _lines(game: str, count: int, sizes: tuple[int, int]) -> list[str]:
    chance = random.Random(SEED)
    deals = [deal for size in sizes for deal in _dealt(chance, count // 2, size)]
    return [
        json.dumps({"game": game, "indicator": indicator.name, "tiles": [tile.name for tile in rack]})
        for indicator, rack in deals
    ]


def bench_pictures(table: Table) -> dict[str, Any]:
    """Milliseconds and bytes of the pictures of a table in play."""
    return {name: _drawn(picture) for name, picture in _pictures(table).items()}


def _dealt(chance: random.Random, count: int, tiles: int) -> Iterator[tuple[Tile, tuple[Tile, ...]]]:
    """An indicator that is no false joker, and a rack from the rest of the set."""
    while count:
        indicator, *rack = chance.sample(FULL_SET, tiles + 1)
        if indicator is not Tile.F:
            count -= 1
            yield indicator, tuple(sorted(rack))


def _wins(rack: _Rack) -> bool:
    return bool(winning_arrangements(*rack))


def _distance(rack: _Rack) -> int:
    return distance(*rack)


def _drawn(picture: Picture) -> dict[str, Any]:
    taken = times(lambda: draw(picture), 50)
    return {"ms": taken.report(), "bytes": len(draw(picture))}


def _pictures(table: Table) -> dict[str, Picture]:
    words = words_for("tr")
    facts = table_facts(table, None)
    rack = rack_screen(rack_facts(table, 0, None, None), words)
    assert facts.view is not None
    assert rack.picture is not None
    return {"rack": rack.picture, "table": table_picture(facts, facts.view, words)}
