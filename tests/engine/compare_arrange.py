"""Compare `engine.arrange` with the slow search: `python -m tests.engine.compare_arrange --help`.

Prints every rack on which they differ and exits 1 if there is one.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from engine.arrange import (
    best_opening,
    distance,
    finishing_discards,
    most_combined,
    most_pairs,
    pair_count,
    useful_tiles,
    winning_arrangements,
)
from engine.melds import Meld, MeldRules
from engine.tiles import FACES, FULL_SET, Tile, okey_of, text_of
from tests.engine.slow_search import all_melds, slow_combined, slow_distance, slow_opening, slow_pairs

SWITCHES = [(pairs_win, wrap) for pairs_win in (True, False) for wrap in (True, False)]


class Held(NamedTuple):
    """A rack and the okey it was dealt under."""

    okey: Tile
    tiles: tuple[Tile, ...]

    def __str__(self) -> str:
        return f"okey {self.okey}: {text_of(sorted(self.tiles))}"


def random_racks(chance: Random, count: int, size: int = 14) -> Iterator[Held]:
    """Racks as they are dealt; in one of fifty, a false joker is the indicator and the other one is wild."""
    for _ in range(count):
        tiles = list(FULL_SET)
        chance.shuffle(tiles)
        yield Held(okey_of(tiles[0]), tuple(tiles[1 : size + 1]))


def winning_racks(chance: Random, count: int, wrap: bool = True) -> Iterator[Held]:
    """Racks built from melds, in which the dealt okeys play as many of the tiles."""
    found = 0
    while found < count:
        okey = FACES[chance.randrange(52)]
        faces = [face for meld in _some_melds(chance, wrap) for face in meld]
        chance.shuffle(faces)
        wild = chance.randrange(3)
        tiles = [okey] * wild + [Tile.F if face == okey else FACES[face] for face in faces[wild:]]
        if max(Counter(tiles).values()) <= 2:
            found += 1
            yield Held(okey, tuple(tiles))


def dense_racks(chance: Random, count: int, size: int = 14) -> Iterator[Held]:
    """Racks of few numbers and colours, usually with both okeys: many ways to lay them."""
    for _ in range(count):
        okey = FACES[chance.randrange(52)]
        numbers = chance.choice([(0, 1, 2, 3), (0, 1, 10, 11, 12), (4, 5, 6), (2, 5, 8, 11)])
        colours = chance.choice([(0, 1, 2), (0, 1, 2, 3)])
        pool = [
            tile
            for tile in FULL_SET
            if tile in (okey, Tile.F) or (tile % 13 in numbers and tile // 13 in colours)
        ]
        yield Held(okey, tuple(chance.sample(pool, size)))


def _some_melds(chance: Random, wrap: bool) -> list[tuple[int, ...]]:
    """Melds of fourteen tiles in all; one time in five, seven pairs."""
    if chance.randrange(5) == 0:
        return [(face, face) for face in chance.sample(range(52), 7)]
    while True:
        melds: list[tuple[int, ...]] = []
        while sum(map(len, melds)) < 14:
            melds.append(chance.choice(all_melds(wrap)))
        if sum(map(len, melds)) == 14:
            return melds


def differences(held: Held) -> Iterator[str]:
    """The differences between the fast search and the slow one for fourteen tiles."""
    for pairs_win, wrap in SWITCHES:
        slow = slow_distance(held.okey, held.tiles, pairs_win=pairs_win, wrap=wrap)
        rules = MeldRules(held.okey, wrap=wrap, pairs=pairs_win)
        fast = distance(rules, held.tiles)
        if fast != slow:
            yield f"{held}: {fast}, not {slow} ({pairs_win=} {wrap=})"
        laid = winning_arrangements(rules, held.tiles)
        if bool(laid) != (slow == 0) or not all(
            is_arrangement(melds, held, pairs=kind == "pairs", wrap=wrap) for kind, melds in laid.items()
        ):
            yield f"{held}: {laid} ({pairs_win=} {wrap=})"


def differences_of_useful(held: Held) -> Iterator[str]:
    """The differences about the tiles that help fourteen tiles."""
    now = slow_distance(held.okey, held.tiles)
    slow = {
        face
        for face in FACES
        if held.tiles.count(face) < 2 and slow_distance(held.okey, (*held.tiles, face)) < now
    }
    fast = useful_tiles(MeldRules(held.okey), held.tiles)
    if fast != slow:
        yield f"{held}: {text_of(sorted(fast))}, not {text_of(sorted(slow))} help"


def differences_of_finishes(held: Held) -> Iterator[str]:
    """The differences about fifteen tiles."""
    slow = {tile: slow_distance(held.okey, _without(held.tiles, tile)) for tile in sorted(set(held.tiles))}
    finishing = list(finishing_discards(MeldRules(held.okey), held.tiles))
    fast = distance(MeldRules(held.okey), held.tiles)
    if finishing != [tile for tile in slow if slow[tile] == 0] or fast != min(slow.values()):
        yield f"{held}: {fast}, {text_of(finishing)}, not {slow}"


def differences_of_openings(held: Held) -> Iterator[str]:
    """The differences about the openings of a rack of Okey 101."""
    for wrap in (False, True):
        slow = slow_opening(held.okey, held.tiles, wrap=wrap)
        points, melds = best_opening(MeldRules(held.okey, wrap=wrap), held.tiles)
        laid = sum(tile.face % 13 + 1 for meld in melds for tile in meld.tiles)
        if not points == laid == slow or not are_melds(melds, held, wrap=wrap):
            yield f"{held}: {points} {melds}, not {slow} ({wrap=})"
        for worth in (0, held.okey % 13 + 1):
            slow = slow_combined(held.okey, held.tiles, worth, wrap=wrap)
            fast = most_combined(MeldRules(held.okey, wrap=wrap), held.tiles, "melds", worth)
            if fast != slow:
                yield f"{held}: {fast} combined, not {slow} ({worth=} {wrap=})"
    pairs = most_pairs(MeldRules(held.okey), held.tiles)
    slow = slow_pairs(held.okey, held.tiles)
    if not len(pairs) == pair_count(MeldRules(held.okey), held.tiles) == slow or not are_pairs(pairs, held):
        yield f"{held}: {pairs}, not {slow}"


def is_arrangement(melds: Sequence[Meld], held: Held, *, pairs: bool, wrap: bool) -> bool:
    """Return whether these are fourteen tiles in melds, or seven pairs."""
    right = are_pairs(melds, held) if pairs else are_melds(melds, held, wrap=wrap)
    return right and sum(len(meld.tiles) for meld in melds) == 14


def are_melds(melds: Iterable[Meld], held: Held, *, wrap: bool) -> bool:
    """Return whether these are sets and runs of the rack's tiles."""
    faces = [tuple(tile.face for tile in meld.tiles) for meld in melds]
    return _are_held(melds, held) and all(meld in all_melds(wrap) for meld in faces)


def are_pairs(pairs: Iterable[Meld], held: Held) -> bool:
    """Return whether these are pairs of the rack's tiles."""
    faces = [[tile.face for tile in pair.tiles] for pair in pairs]
    return _are_held(pairs, held) and all(len(pair) == 2 and pair[0] == pair[1] for pair in faces)


def _are_held(melds: Iterable[Meld], held: Held) -> bool:
    """Return whether the tiles are all on the rack, each played as a face that it may have."""
    played = [tile for meld in melds for tile in meld.tiles]
    return Counter(tile.tile for tile in played) <= Counter(held.tiles) and all(
        tile.tile is held.okey or tile.face is (held.okey if tile.tile is Tile.F else tile.tile)
        for tile in played
    )


def _without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]


def compare(
    chance: Random, *, dealt: int, winning: int, dense: int, finishing: int, useful: int, openings: int
) -> Iterator[str]:
    """Every difference on this many racks of each kind."""
    for held in random_racks(chance, dealt):
        yield from differences(held)
    for held in winning_racks(chance, winning):
        yield from differences(held)
    for held in dense_racks(chance, dense):
        yield from differences(held)
    for held in dense_racks(chance, dense, size=18):
        yield from differences_of_openings(held)
    for held in winning_racks(chance, finishing):
        other = chance.choice([tile for tile in FULL_SET if held.tiles.count(tile) < 2])
        yield from differences_of_finishes(Held(held.okey, (*held.tiles, other)))
    for held in random_racks(chance, useful):
        yield from differences_of_useful(held)
    for held in random_racks(chance, openings, size=21):
        yield from differences_of_openings(held)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the arrangement search with a slow one.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dealt", type=int, default=20_000, help="random racks of 14")
    parser.add_argument("--winning", type=int, default=5_000, help="winning racks of 14")
    parser.add_argument("--dense", type=int, default=1_000, help="racks of 14 and of 18, of few faces")
    parser.add_argument("--finishing", type=int, default=1_000, help="racks of 15 that can finish")
    parser.add_argument(
        "--useful", type=int, default=100, help="random racks whose useful tiles are compared"
    )
    parser.add_argument("--openings", type=int, default=2_000, help="random racks of 21")
    asked = vars(parser.parse_args())
    found = 0
    for difference in compare(Random(asked.pop("seed")), **asked):
        print(difference)
        found += 1
    print(found, "differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
