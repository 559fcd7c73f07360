"""A slow search that is obviously right: the tiles one by one, and every meld that each could be in.

It shares nothing with `engine.arrange` but `Tile`. Faces are numbers: colour * 13 + number - 1.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from engine.tiles import Tile

OKEYS = 2
NEVER = -99


@cache
def all_melds(wrap: bool) -> tuple[tuple[int, ...], ...]:
    """Every set, and every run of 3 to 13; with `wrap` the runs that end with a one after a thirteen."""
    sets = [
        tuple(colour * 13 + number for colour in colours)
        for number in range(13)
        for size in (3, 4)
        for colours in combinations(range(4), size)
    ]
    runs = [
        tuple(colour * 13 + (first + step) % 13 for step in range(size))
        for colour in range(4)
        for size in range(3, 14)
        for first in range(13 + wrap - size + 1)
    ]
    return tuple(dict.fromkeys(sets + runs))


@cache
def melds_with(face: int, wrap: bool) -> tuple[tuple[int, ...], ...]:
    return tuple(meld for meld in all_melds(wrap) if face in meld)


def plain_faces(okey: Tile, tiles: Iterable[Tile]) -> tuple[int, ...]:
    """The faces of all tiles but the okeys, ordered by number, then colour."""
    faces = [int(okey if tile is Tile.F else tile) for tile in tiles if tile is not okey]
    return tuple(sorted(faces, key=lambda face: (face % 13, face)))


def slow_distance(okey: Tile, tiles: Sequence[Tile], *, pairs_win: bool = True, wrap: bool = True) -> int:
    """RULES 7, for fourteen tiles; for fifteen the smallest over all discards."""
    if len(tiles) == 15:
        rests = {tuple(sorted([*tiles[:at], *tiles[at + 1 :]])) for at in range(15)}
        return min(slow_distance(okey, rest, pairs_win=pairs_win, wrap=wrap) for rest in rests)
    faces = plain_faces(okey, tiles)
    kept = most_in_melds(faces, wrap)
    if pairs_win:
        kept = max(kept, most_in_pairs(faces))
    return len(faces) - kept


def most_in_pairs(faces: Sequence[int]) -> int:
    """The most of the faces that are in seven pairs, with okeys or missing tiles as the rest."""
    held = Counter(faces)
    return max(sum(held[face] for face in chosen) for chosen in combinations(held, min(7, len(held))))


def most_in_melds(faces: tuple[int, ...], wrap: bool) -> int:
    """The most of the faces that are in melds of fourteen tiles which the set of 106 can make."""
    kept = _most(faces, 14, wrap)
    while not any(_can_be_made(melds) for melds in _targets(faces, 14, kept, wrap)):
        kept -= 1
    return kept


def _can_be_made(melds: Sequence[tuple[int, ...]]) -> bool:
    """Return whether two tiles of each face, false jokers for the okey's face, and two okeys in all are
    enough."""
    wanted = Counter(face for meld in melds for face in meld)
    return sum(max(0, count - 2) for count in wanted.values()) <= OKEYS


@lru_cache(maxsize=1 << 16)
def _most(faces: tuple[int, ...], places: int, wrap: bool) -> int:
    """The most of the faces kept by melds of this many places, however many tiles of a face that needs."""
    if not faces:
        return 0 if places == 0 or places >= 3 else NEVER
    best = _most(faces[1:], places, wrap)
    for meld in melds_with(faces[0], wrap):
        if len(meld) <= places:
            rest = _less(faces, meld)
            best = max(best, len(faces) - len(rest) + _most(rest, places - len(meld), wrap))
    return best


def _targets(faces: tuple[int, ...], places: int, kept: int, wrap: bool) -> Iterator[list[tuple[int, ...]]]:
    """Every choice of melds of `places` tiles that keeps at least `kept` of the faces."""
    if _most(faces, places, wrap) < kept:
        return
    if not faces:
        if places == 0:
            yield []
        for meld in all_melds(wrap):
            if len(meld) == places:
                yield [meld]
        return
    yield from _targets(faces[1:], places, kept, wrap)
    for meld in melds_with(faces[0], wrap):
        if len(meld) <= places:
            rest = _less(faces, meld)
            for melds in _targets(rest, places - len(meld), kept - len(faces) + len(rest), wrap):
                yield [meld, *melds]


def _less(faces: tuple[int, ...], meld: tuple[int, ...]) -> tuple[int, ...]:
    """The faces without one of each face in the meld."""
    wanted = set(meld)
    rest = []
    for face in faces:
        if face in wanted:
            wanted.remove(face)
        else:
            rest.append(face)
    return tuple(rest)


def slow_opening(okey: Tile, tiles: Sequence[Tile], *, wrap: bool = False) -> int:
    """RULES 5: the most points of disjoint sets and runs; okeys count as the tiles they stand for."""
    return _most_points(plain_faces(okey, tiles), sum(tile is okey for tile in tiles), wrap)


@lru_cache(maxsize=1 << 16)
def _most_points(faces: tuple[int, ...], okeys: int, wrap: bool) -> int:
    if not faces:
        return 0
    best = _most_points(faces[1:], okeys, wrap)
    for meld in melds_with(faces[0], wrap):
        rest = _less(faces, meld)
        left = okeys - len(meld) + len(faces) - len(rest)
        if left >= 0:
            best = max(best, sum(face % 13 + 1 for face in meld) + _most_points(rest, left, wrap))
    return best


def slow_combined(okey: Tile, tiles: Sequence[Tile], okey_worth: int, *, wrap: bool = False) -> int:
    """The highest total of tiles in disjoint sets and runs, where each okey counts `okey_worth`."""
    return _most_combined(plain_faces(okey, tiles), sum(tile is okey for tile in tiles), okey_worth, wrap)


@lru_cache(maxsize=1 << 16)
def _most_combined(faces: tuple[int, ...], okeys: int, okey_worth: int, wrap: bool) -> int:
    if not faces:
        return 0
    best = _most_combined(faces[1:], okeys, okey_worth, wrap)
    for meld in melds_with(faces[0], wrap):
        rest = _less(faces, meld)
        used = len(meld) - len(faces) + len(rest)
        if used <= okeys:
            plain = sum(face % 13 + 1 for face in faces) - sum(face % 13 + 1 for face in rest)
            left = _most_combined(rest, okeys - used, okey_worth, wrap)
            best = max(best, plain + used * okey_worth + left)
    return best


def slow_pairs(okey: Tile, tiles: Sequence[Tile]) -> int:
    """The most disjoint pairs: the first tile paired with each possible partner, or left out."""
    return _most_pairs(
        tuple(sorted(OKEY if tile is okey else okey if tile is Tile.F else tile for tile in tiles))
    )


OKEY = 99


@lru_cache(maxsize=1 << 16)
def _most_pairs(faces: tuple[int, ...]) -> int:
    if len(faces) < 2:
        return 0
    first, rest = faces[0], faces[1:]
    best = _most_pairs(rest)
    for partner in {first, OKEY}:
        if partner in rest:
            at = rest.index(partner)
            best = max(best, 1 + _most_pairs(rest[:at] + rest[at + 1 :]))
    return best
