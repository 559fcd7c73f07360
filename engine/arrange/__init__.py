"""Arrangement: does a rack win, how far is it from winning, which tiles help (RULES 1, 3 and 7), and what can
it open with (RULES 5).

Everything here is exact. Tiles are printed faces in any order, at most as many of each as the set has.
"""

from collections.abc import Sequence

from engine.arrange.layout import melds_of
from engine.arrange.opening import best_melds, most_in_melds
from engine.arrange.pairs import (
    finishing_in_pairs,
    most_in_pairs,
    most_kept_in_pairs,
    pairs_of,
    useful_in_pairs,
)
from engine.arrange.racks import WILD, CountedRack, counted
from engine.arrange.runs import PLACES
from engine.arrange.search import keeps, most_kept
from engine.arrange.useful import finishing_in_melds, useful_in_melds
from engine.melds import Meld, MeldRules, Way
from engine.tiles import COPIES, FACES, Tile


def winning_arrangements(rules: MeldRules, tiles: Sequence[Tile]) -> dict[Way, tuple[Meld, ...]]:
    """One arrangement of fourteen tiles for each way in which they win, melds before pairs; empty when they
    do not."""
    rack = counted(rules, tiles)
    plain = PLACES - rack.wild
    arrangements: dict[Way, tuple[Meld, ...]] = {}
    if most_kept(rack, plain) >= plain and (melds := melds_of(rack)) is not None:
        arrangements["melds"] = melds
    if rules.pairs and most_kept_in_pairs(rack) >= plain:
        arrangements["pairs"] = pairs_of(rack)
    return arrangements


def distance(rules: MeldRules, tiles: Sequence[Tile]) -> int:
    """How many of fourteen tiles must be exchanged to win (RULES 7); of fifteen, after the best discard."""
    rack = counted(rules, tiles)
    in_pairs = _kept_in_pairs(rack)
    return max(0, PLACES - rack.wild - max(in_pairs, most_kept(rack, in_pairs + 1)))


def finishing_discards(rules: MeldRules, tiles: Sequence[Tile]) -> dict[Tile, tuple[Way, ...]]:
    """Every face out of fifteen tiles whose discard wins, and how the other fourteen then win; sorted."""
    rack = counted(rules, tiles)
    finishing: dict[Way, set[int]] = {"melds": finishing_in_melds(rack)}
    if rules.pairs:
        finishing["pairs"] = finishing_in_pairs(rack)
    found: dict[Tile, tuple[Way, ...]] = {}
    for tile in sorted(set(tiles)):
        face = WILD if tile == rules.okey else rules.okey if tile is Tile.F else tile
        ways = tuple(way for way, faces in finishing.items() if face in faces)
        if ways:
            found[tile] = ways
    return found


def distances_without(rules: MeldRules, tiles: Sequence[Tile]) -> dict[Tile, int]:
    """For every face out of fifteen tiles, how far the other fourteen are from winning; sorted by face."""
    least = distance(rules, tiles)
    faces = sorted(set(tiles))
    return {
        tile: least + (not _keeps(counted(rules, without(tiles, tile)), PLACES - least)) for tile in faces
    }


def useful_tiles(rules: MeldRules, tiles: Sequence[Tile]) -> frozenset[Tile]:
    """The faces that bring fourteen tiles nearer to winning when one is drawn; empty when they win."""
    rack = counted(rules, tiles)
    in_pairs = _kept_in_pairs(rack)
    in_melds = most_kept(rack, in_pairs)
    if max(in_pairs, in_melds) + rack.wild >= PLACES:
        return frozenset()
    useful: set[int] = set()
    if in_melds >= in_pairs:
        useful |= useful_in_melds(rack, in_melds)
    if rules.pairs and in_pairs >= in_melds:
        useful.update(useful_in_pairs(rack))
    drawn = (Tile.F if face == rules.okey else FACES[face] for face in useful)
    return frozenset(drawn) | ({rules.okey} if rack.wild < COPIES else set())


def best_opening(rules: MeldRules, tiles: Sequence[Tile]) -> tuple[int, tuple[Meld, ...]]:
    """Okey 101: the most points that disjoint sets and runs out of these tiles are worth, and one way to
    get them (RULES 5). An okey counts as the tile it stands for, a false joker as the okey's face."""
    return best_melds(counted(rules, tiles))


def most_combined(rules: MeldRules, tiles: Sequence[Tile], way: Way, okey_worth: int) -> int:
    """Okey 101: the most that those of the tiles count which are in disjoint melds, sets and runs or pairs;
    an okey counts `okey_worth` whatever it stands for, a false joker the okey's number."""
    rack = counted(rules, tiles)
    return most_in_melds(rack, okey_worth) if way == "melds" else most_in_pairs(rack, okey_worth)


def most_pairs(rules: MeldRules, tiles: Sequence[Tile]) -> tuple[Meld, ...]:
    """As many pairs as these tiles hold."""
    return pairs_of(counted(rules, tiles))


def without(tiles: Sequence[Tile], tile: Tile) -> list[Tile]:
    """The tiles less one of this face, which must be among them."""
    rest = list(tiles)
    rest.remove(tile)
    return rest


def _keeps(rack: CountedRack, kept: int) -> bool:
    """Whether so many of fourteen tiles, okeys among them, fit into a rack that wins."""
    plain = kept - rack.wild
    return _kept_in_pairs(rack) >= plain or keeps(rack, plain)


def _kept_in_pairs(rack: CountedRack) -> int:
    return most_kept_in_pairs(rack) if rack.rules.pairs else 0
