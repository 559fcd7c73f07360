"""Arrangement: whether a rack wins, its distance, useful tiles (RULES 1, 3, 7), and openings (RULES 5).

Everything here is exact. Tiles are printed faces in any order, at most as many of each as the set has. The
most frequent questions are answered by `_speedups` if a compiler built it, else by `reference`.
"""

from collections.abc import Sequence
from typing import Literal

from engine.arrange.layout import melds_of
from engine.arrange.opening import best_melds, melds_of_all, most_in_melds
from engine.arrange.pairs import WINNING, count_of_pairs, most_in_pairs, pairs_of
from engine.arrange.racks import count_tiles, without
from engine.arrange.reference import chance_to_draw
from engine.melds import Meld, MeldRules, Way
from engine.tiles import Tile

try:
    from engine.arrange._speedups import (
        distance,
        distances,
        distances_without,
        finishing_discards,
        look_ahead,
        opening_points,
        rollouts,
        useful_tiles,
        wins,
    )

    ARRANGER: Literal["c", "python"] = "c"
except ImportError:
    from engine.arrange.reference import (
        distance,
        distances,
        distances_without,
        finishing_discards,
        look_ahead,
        opening_points,
        rollouts,
        useful_tiles,
        wins,
    )

    ARRANGER = "python"

__all__ = [
    "ARRANGER",
    "arrange_all",
    "best_opening",
    "chance_to_draw",
    "distance",
    "distances",
    "distances_without",
    "finishing_discards",
    "look_ahead",
    "most_combined",
    "most_pairs",
    "opening_points",
    "pair_count",
    "rollouts",
    "useful_tiles",
    "winning_arrangements",
    "wins",
    "without",
]


def winning_arrangements(rules: MeldRules, tiles: Sequence[Tile]) -> dict[Way, tuple[Meld, ...]]:
    """Return one arrangement of fourteen tiles for each way in which they win, melds before pairs; else
    empty."""
    if not wins(rules, [tiles])[0]:
        return {}
    rack = count_tiles(rules, tiles)
    arrangements: dict[Way, tuple[Meld, ...]] = {}
    if (melds := melds_of(rack)) is not None:
        arrangements["melds"] = melds
    if rules.pairs and len(pairs := pairs_of(rack)) == WINNING:
        arrangements["pairs"] = pairs
    return arrangements


def best_opening(rules: MeldRules, tiles: Sequence[Tile]) -> tuple[int, tuple[Meld, ...]]:
    """Okey 101: the most points that disjoint sets and runs from these tiles are worth, and one way to get
    them (RULES 5). An okey counts as the tile it stands for, a false joker as the okey's face."""
    return best_melds(count_tiles(rules, tiles))


def arrange_all(rules: MeldRules, tiles: Sequence[Tile]) -> tuple[Meld, ...] | None:
    """Return sets and runs that use up these tiles, of any number; None: there are none."""
    return melds_of_all(count_tiles(rules, tiles))


def most_combined(rules: MeldRules, tiles: Sequence[Tile], way: Way, okey_worth: int) -> int:
    """Okey 101: the highest total of tiles in disjoint melds, either sets and runs or pairs. An okey counts
    `okey_worth` whatever it stands for, a false joker the okey's number."""
    rack = count_tiles(rules, tiles)
    return most_in_melds(rack, okey_worth) if way == "melds" else most_in_pairs(rack, okey_worth)


def pair_count(rules: MeldRules, tiles: Sequence[Tile]) -> int:
    """Return the number of the most pairs that these tiles hold."""
    return count_of_pairs(count_tiles(rules, tiles))


def most_pairs(rules: MeldRules, tiles: Sequence[Tile]) -> tuple[Meld, ...]:
    """Return the most pairs that these tiles hold."""
    return pairs_of(count_tiles(rules, tiles))
