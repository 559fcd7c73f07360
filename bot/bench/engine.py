"""Engine and pictures: win checks, distances, judged lines and drawings, one after the other on one core."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from bot.bench.timing import rate, times
from bot.i18n import words_for
from bot.markup import Picture
from bot.pictures import draw
from bot.screens.player import rack_screen
from bot.screens.table import table_picture
from bot.tables.facts import rack_facts, table_facts
from bot.tables.table import Table
from engine import arrange
from engine.arrange import ARRANGER, reference
from engine.judge import judge_line
from engine.melds import MeldRules
from engine.tiles import FULL_SET, Tile, okey_of

_Rack = tuple[MeldRules, tuple[Tile, ...]]

SEED: Final = "bench"


def random_racks(count: int, tiles: int) -> list[_Rack]:
    """Racks dealt beside an indicator, each with its rules for melds: always the same ones."""
    chance = random.Random(SEED)
    return [(MeldRules(okey_of(indicator)), rack) for indicator, rack in _deal(chance, count, tiles)]


def bench_arrange() -> dict[str, Any]:
    """Questions about racks answered a second, on random racks that do not repeat: by the reference and by
    the arranger in use."""
    racks, single = random_racks(20_000, 14), MeldRules(Tile.R5)
    batch = [tiles for _, tiles in racks]
    return {
        "arranger": ARRANGER,
        "reference": _arrange(reference, racks[:1_000], single, batch[:1_000]),
        "in_use": _arrange(arrange, racks, single, batch),
    }


def _arrange(
    arranger: Any, racks: list[_Rack], rules: MeldRules, batch: list[tuple[Tile, ...]]
) -> dict[str, float]:
    def in_batch(question: Callable[[MeldRules, list[tuple[Tile, ...]]], object]) -> float:
        return round(len(batch) * rate(lambda racks: question(rules, racks), [batch]), 1)

    return {
        "distances_per_second": rate(lambda rack: arranger.distance(*rack), racks),
        "distances_in_batch_per_second": in_batch(arranger.distances),
        "win_checks_in_batch_per_second": in_batch(arranger.wins),
        "useful_tiles_per_second": rate(lambda rack: arranger.useful_tiles(*rack), racks[:500]),
    }


def bench_judge() -> dict[str, Any]:
    """Lines of `okey judge` a second, by game: random racks of the starter's size and of the others'."""
    return {
        "classic_lines_per_second": rate(judge_line, _lines("classic", 5_000, (14, 15))),
        "101_lines_per_second": rate(judge_line, _lines("101", 1_000, (21, 22))),
    }


def _lines(game: str, count: int, sizes: tuple[int, int]) -> list[str]:
    chance = random.Random(SEED)
    deals = [deal for size in sizes for deal in _deal(chance, count // 2, size)]
    return [
        json.dumps({"game": game, "indicator": indicator.name, "tiles": [tile.name for tile in rack]})
        for indicator, rack in deals
    ]


def bench_pictures(table: Table) -> dict[str, Any]:
    """Milliseconds and bytes of the pictures of a table in play."""
    return {name: _draw(picture) for name, picture in _pictures(table).items()}


def _deal(chance: random.Random, count: int, tiles: int) -> Iterator[tuple[Tile, tuple[Tile, ...]]]:
    """Yield an indicator that is no false joker, and a rack from the rest of the set."""
    while count:
        indicator, *rack = chance.sample(FULL_SET, tiles + 1)
        if indicator is not Tile.F:
            count -= 1
            yield indicator, tuple(sorted(rack))


def _draw(picture: Picture) -> dict[str, Any]:
    taken = times(lambda: draw(picture), 50)
    return {"ms": taken.report(), "bytes": len(draw(picture))}


def _pictures(table: Table) -> dict[str, Picture]:
    words = words_for("tr")
    facts = table_facts(table, None)
    rack = rack_screen(rack_facts(table, 0, None, None), words)
    assert facts.view is not None
    assert rack.picture is not None
    return {"rack": rack.picture, "table": table_picture(facts, facts.view, words)}
