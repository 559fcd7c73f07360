"""Reference: the questions about a rack, answered in Python; `_speedups.c` gives the same answers.

Tiles are printed faces in any order, at most as many of each as the set has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.arrange.opening import best_melds
from engine.arrange.pairs import most_kept_in_pairs, spare_in_pairs, useful_in_pairs
from engine.arrange.racks import WILD, CountedRack, count_tiles, without
from engine.arrange.rollouts import rollouts as rollouts
from engine.arrange.runs import PLACES
from engine.arrange.search import best_choices, keeps, most_kept
from engine.arrange.useful import spare_in_melds, useful_in_melds
from engine.melds import MeldRules, Way
from engine.tiles import COPIES, FACES, Tile


def distance(rules: MeldRules, tiles: Sequence[Tile]) -> int:
    """Return the number of tiles to exchange in fourteen to win (RULES 7); in fifteen, after the best
    discard."""
    rack = count_tiles(rules, tiles)
    in_pairs = _keep_in_pairs(rack)
    return max(0, PLACES - rack.wild - max(in_pairs, most_kept(rack, in_pairs + 1)))


def distances(rules: MeldRules, racks: Iterable[Sequence[Tile]]) -> list[int]:
    """Return the distance of each rack."""
    return [distance(rules, tiles) for tiles in racks]


def wins(rules: MeldRules, racks: Iterable[Sequence[Tile]]) -> list[bool]:
    """Return whether each rack of fourteen wins."""
    return [_keeps(count_tiles(rules, tiles), PLACES) for tiles in racks]


def distances_without(rules: MeldRules, tiles: Sequence[Tile]) -> dict[Tile, int]:
    """Return, for every face among fifteen tiles, the distance of the other fourteen from winning; sorted by
    face."""
    rack = count_tiles(rules, tiles)
    kept, choices = best_choices(rack, min(_keep_in_pairs(rack), PLACES - rack.wild))
    least = PLACES - rack.wild - kept
    spare = spare_in_melds(rack, kept, choices) | _spare_in_pairs(rack, kept)
    return {tile: least + (_face_of(rules, tile) not in spare) for tile in sorted(set(tiles))}


def finishing_discards(rules: MeldRules, tiles: Sequence[Tile]) -> dict[Tile, tuple[Way, ...]]:
    """Return every face among fifteen tiles whose discard wins, and how the other fourteen then win;
    sorted."""
    rack = count_tiles(rules, tiles)
    kept, choices = best_choices(rack, PLACES - rack.wild)
    finishing: dict[Way, set[int]] = {
        "melds": spare_in_melds(rack, kept, choices),
        "pairs": _spare_in_pairs(rack, kept),
    }
    found: dict[Tile, tuple[Way, ...]] = {}
    for tile in sorted(set(tiles)):
        ways = tuple(way for way, faces in finishing.items() if _face_of(rules, tile) in faces)
        if ways:
            found[tile] = ways
    return found


def _spare_in_pairs(rack: CountedRack, kept: int) -> set[int]:
    return spare_in_pairs(rack, kept) if rack.rules.pairs else set()


def _face_of(rules: MeldRules, tile: Tile) -> int:
    return WILD if tile == rules.okey else rules.okey if tile is Tile.F else tile


def useful_tiles(rules: MeldRules, tiles: Sequence[Tile]) -> frozenset[Tile]:
    """Return the faces that bring fourteen tiles nearer to winning when drawn; empty when they win."""
    rack = count_tiles(rules, tiles)
    in_pairs = _keep_in_pairs(rack)
    kept, choices = best_choices(rack, in_pairs)
    if kept + rack.wild >= PLACES:
        return frozenset()
    useful = useful_in_melds(rack, kept, choices)
    if rules.pairs and kept == in_pairs:
        useful.update(useful_in_pairs(rack))
    drawn = (Tile.F if face == rules.okey else FACES[face] for face in useful)
    return frozenset(drawn) | ({rules.okey} if rack.wild < COPIES else set())


def look_ahead(rules: MeldRules, tiles: Sequence[Tile], unseen: Mapping[Tile, int], patience: float) -> float:
    """Return the chance that fourteen tiles come two tiles nearer to winning, or win. `patience` is the
    probability that each further draw is reached. After the first useful tile the best discard is made."""
    useful = useful_tiles(rules, tiles)
    every = sum(unseen.values())
    chance = sum(unseen[tile] for tile in useful) / max(1, every)
    value = 0.0
    for tile in useful:
        if unseen[tile]:
            then = 1.0
            if distance(rules, tiles) > 1:
                left = Counter(unseen)
                left[tile] -= 1
                then = chance_to_draw(_most_live(rules, (*tiles, tile), left), every - 1, patience)
            value += then * unseen[tile] / every
    return patience / (1 - patience * (1 - chance)) * value


def _most_live(rules: MeldRules, tiles: Sequence[Tile], unseen: Mapping[Tile, int]) -> int:
    """Return the most unseen useful tiles after a discard that leaves fifteen tiles nearest to winning."""
    after = distances_without(rules, tiles)
    nearest = [tile for tile in after if after[tile] == min(after.values())]
    return max(sum(unseen[face] for face in useful_tiles(rules, without(tiles, tile))) for tile in nearest)


def chance_to_draw(live: int, unseen: int, patience: float) -> float:
    """Return the chance to draw one of `live` tiles. `patience` is the probability that each draw is
    reached."""
    chance = live / max(1, unseen)
    return patience * chance / (1 - patience * (1 - chance))


def opening_points(rules: MeldRules, tiles: Sequence[Tile]) -> int:
    """Okey 101: the most points that disjoint sets and runs from these tiles are worth."""
    return best_melds(count_tiles(rules, tiles))[0]


def _keeps(rack: CountedRack, kept: int) -> bool:
    """Return whether this many of fourteen tiles, okeys among them, fit into a rack that wins."""
    plain = kept - rack.wild
    return _keep_in_pairs(rack) >= plain or keeps(rack, plain)


def _keep_in_pairs(rack: CountedRack) -> int:
    return most_kept_in_pairs(rack) if rack.rules.pairs else 0
