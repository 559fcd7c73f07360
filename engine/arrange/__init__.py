"""What a rack is worth: does it win, how far is it from winning, which tiles help (RULES 1, 3 and 7), what
can it open with (RULES 5).

Everything here is exact. `okey` is the round's wild face, as `engine.tiles.okey_of` gives it; tiles are
printed faces in any order, at most as many of each as the set has.
"""

from collections.abc import Sequence
from typing import Literal

from engine.arrange.layout import melds_of
from engine.arrange.opening import best_melds
from engine.arrange.pairs import finishing_in_pairs, most_kept_in_pairs, pairs_of, useful_in_pairs
from engine.arrange.racks import WILD, Rack, counted
from engine.arrange.runs import PLACES
from engine.arrange.search import most_kept
from engine.arrange.useful import finishing_in_melds, useful_in_melds
from engine.melds import Meld
from engine.tiles import COPIES, FACES, Tile

Kind = Literal["melds", "pairs"]


def winning_kinds(
    okey: Tile, tiles: Sequence[Tile], *, pairs_win: bool = True, one_after_thirteen: bool = True
) -> tuple[Kind, ...]:
    """How fourteen tiles win, in the order melds, pairs; empty when they do not."""
    rack = counted(okey, tiles)
    plain = PLACES - rack.wild
    kinds: list[Kind] = []
    if most_kept(rack, one_after_thirteen, plain) >= plain:
        kinds.append("melds")
    if pairs_win and most_kept_in_pairs(rack) >= plain:
        kinds.append("pairs")
    return tuple(kinds)


def wins(
    okey: Tile, tiles: Sequence[Tile], *, pairs_win: bool = True, one_after_thirteen: bool = True
) -> bool:
    """Whether fourteen tiles are all in sets and runs, or are seven pairs."""
    rack = counted(okey, tiles)
    plain = PLACES - rack.wild
    if pairs_win and most_kept_in_pairs(rack) >= plain:
        return True
    return most_kept(rack, one_after_thirteen, plain) >= plain


def winning_arrangements(
    okey: Tile, tiles: Sequence[Tile], *, pairs_win: bool = True, one_after_thirteen: bool = True
) -> dict[Kind, tuple[Meld, ...]]:
    """One arrangement of fourteen tiles for each kind in which they win."""
    kinds = winning_kinds(okey, tiles, pairs_win=pairs_win, one_after_thirteen=one_after_thirteen)
    rack = counted(okey, tiles)
    arrangements: dict[Kind, tuple[Meld, ...]] = {}
    if "melds" in kinds and (melds := melds_of(rack, okey, one_after_thirteen)) is not None:
        arrangements["melds"] = melds
    if "pairs" in kinds:
        arrangements["pairs"] = pairs_of(rack, okey)
    return arrangements


def distance(
    okey: Tile, tiles: Sequence[Tile], *, pairs_win: bool = True, one_after_thirteen: bool = True
) -> int:
    """How many of fourteen tiles must be exchanged to win (RULES 7); of fifteen, after the best discard."""
    rack = counted(okey, tiles)
    return max(0, PLACES - rack.wild - _most_kept(rack, pairs_win, one_after_thirteen))


def _most_kept(rack: Rack, pairs_win: bool, one_after_thirteen: bool) -> int:
    """The most plain tiles kept by any way to win."""
    in_pairs = most_kept_in_pairs(rack) if pairs_win else 0
    return max(in_pairs, most_kept(rack, one_after_thirteen, in_pairs + 1))


def finishing_discards(
    okey: Tile, tiles: Sequence[Tile], *, pairs_win: bool = True, one_after_thirteen: bool = True
) -> dict[Tile, tuple[Kind, ...]]:
    """Every face out of fifteen tiles whose discard wins, and how the other fourteen then win; sorted."""
    rack = counted(okey, tiles)
    finishing: dict[Kind, set[int]] = {"melds": finishing_in_melds(rack, one_after_thirteen)}
    if pairs_win:
        finishing["pairs"] = finishing_in_pairs(rack)
    found: dict[Tile, tuple[Kind, ...]] = {}
    for tile in sorted(set(tiles)):
        face = WILD if tile == okey else okey if tile is Tile.F else tile
        kinds = tuple(kind for kind, faces in finishing.items() if face in faces)
        if kinds:
            found[tile] = kinds
    return found


def without(tiles: Sequence[Tile], tile: Tile) -> list[Tile]:
    """The tiles less one of this face, which must be among them."""
    rest = list(tiles)
    rest.remove(tile)
    return rest


def useful_tiles(
    okey: Tile, tiles: Sequence[Tile], *, pairs_win: bool = True, one_after_thirteen: bool = True
) -> frozenset[Tile]:
    """The faces that bring fourteen tiles nearer to winning when one is drawn; empty when they win."""
    rack = counted(okey, tiles)
    in_pairs = most_kept_in_pairs(rack) if pairs_win else 0
    in_melds = most_kept(rack, one_after_thirteen, in_pairs)
    if max(in_pairs, in_melds) + rack.wild >= PLACES:
        return frozenset()
    useful: set[int] = set()
    if in_melds >= in_pairs:
        useful |= useful_in_melds(rack, in_melds, one_after_thirteen)
    if pairs_win and in_pairs >= in_melds:
        useful |= useful_in_pairs(rack)
    drawn = (Tile.F if face == okey else FACES[face] for face in useful)
    return frozenset(drawn) | ({okey} if rack.wild < COPIES else set())


def best_opening(
    okey: Tile, tiles: Sequence[Tile], *, one_after_thirteen: bool = False
) -> tuple[int, tuple[Meld, ...]]:
    """Okey 101: the most points that disjoint sets and runs out of these tiles are worth, and one way to
    get them (RULES 5). An okey counts as the tile it stands for, a false joker as the okey's face."""
    return best_melds(counted(okey, tiles), okey, one_after_thirteen)


def most_pairs(okey: Tile, tiles: Sequence[Tile]) -> tuple[Meld, ...]:
    """As many pairs as these tiles hold."""
    return pairs_of(counted(okey, tiles), okey)
