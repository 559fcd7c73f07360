"""Racks: the order in which players keep their tiles, two shelves with gaps. Never the engine's concern."""

from collections import Counter
from collections.abc import Iterable, Sequence
from string import ascii_letters
from typing import Final

from engine.melds import Meld
from engine.tiles import Tile

_SIGNS: Final = f"{ascii_letters}0"
"""A character for each tile, by its number."""
_GAP: Final = "-"

Shelf = tuple[Tile | None, ...]
Shelves = tuple[Shelf, ...]


def kept(shelves: Shelves, rack: Sequence[Tile], most: int) -> Shelves:
    """The shelves, `most` tiles wide, after the rack changed: what left leaves a gap, what is new goes to
    the end."""
    surplus = Counter(tile for shelf in shelves for tile in shelf if tile is not None)
    surplus.subtract(rack)
    places = [list(shelf) for shelf in shelves]
    for row in reversed(places):
        for index in reversed(range(len(row))):
            tile = row[index]
            if tile is not None and surplus[tile] > 0:
                surplus[tile] -= 1
                row[index] = None
    return _with_added([_trimmed(row) for row in places], (-surplus).elements(), most)


def tile_of(sign: str) -> Tile:
    """The tile that a character of an order stands for. Raises ValueError."""
    return Tile(_SIGNS.index(sign))


def read_order(text: str, most: int) -> Shelves:
    """Shelves, `most` places wide, as an app writes them (`bot.live.ActKind`). Raises ValueError."""
    if len(text) > 2 * most:
        raise ValueError("more places than there are")
    places = [None if sign == _GAP else tile_of(sign) for sign in text]
    return _trimmed(places[:most]), _trimmed(places[most:])


def in_groups(groups: Iterable[Sequence[Tile]], most: int) -> Shelves:
    """Groups side by side with gaps between them; closed up when they would not fit otherwise."""
    rows: list[list[Tile | None]] = [[], []]
    row = 0
    for group in groups:
        gap = 1 if rows[row] and group else 0
        if row == 0 and len(rows[0]) + gap + len(group) > most:
            row, gap = 1, 0
        rows[row] += [*[None] * gap, *group]
    if len(rows[1]) <= most:
        return tuple(rows[0]), tuple(rows[1])
    together = [tile for shelf in rows for tile in shelf if tile is not None]
    return tuple(together[:most]), tuple(together[most:])


def by_runs(rack: Sequence[Tile], okey: Tile, most: int) -> Shelves:
    """By colour and number, with a gap where a run breaks; a false joker where its tile goes, okeys last."""
    return in_groups(_by_runs(rack, okey), most)


def by_best(melds: Iterable[Meld], rack: Sequence[Tile], okey: Tile, most: int) -> Shelves:
    """These melds first, as they would be laid, then the rest by colour and number; okeys last."""
    groups = [[played.tile for played in meld.tiles] for meld in melds]
    left = Counter(rack)
    left.subtract(tile for group in groups for tile in group)
    return in_groups([*groups, *_by_runs(tuple(left.elements()), okey)], most)


def by_pairs(rack: Sequence[Tile], okey: Tile, most: int) -> Shelves:
    """Pairs first, then what is single, by number; okeys last."""
    counts = Counter(tile for tile in rack if tile is not okey)
    by_number = sorted(counts, key=lambda tile: (_played_as(tile, okey).number or 14, tile))
    pairs = [[tile, tile] for tile in by_number if counts[tile] == 2]
    singles = [tile for tile in by_number if counts[tile] == 1]
    return in_groups([*pairs, singles, [okey] * rack.count(okey)], most)


def moved(shelves: Shelves, source: int, target: int, most: int) -> Shelves:
    """The tile at place `source` put in front of place `target`.

    Places are counted over both shelves, each `most` long. Nothing changes when there is no tile at
    `source` or no such place.
    """
    places: list[Tile | None] = []
    for shelf in shelves:
        places += [*shelf, *[None] * (most - len(shelf))]
    if not (0 <= source < len(places) and 0 <= target < len(places)) or places[source] is None:
        return shelves
    tile, places[source] = places[source], None
    if places[target] is not None:
        free = _nearest_gap(places, target, most)
        step = 1 if free > target else -1
        for index in range(free, target, -step):
            places[index] = places[index - step]
    places[target] = tile
    return tuple(_trimmed(places[:most])), tuple(_trimmed(places[most:]))


def flat(shelves: Shelves) -> tuple[Tile, ...]:
    """The tiles in order, gaps left out: position 1 is the first of the upper shelf."""
    return tuple(tile for shelf in shelves for tile in shelf if tile is not None)


def _by_runs(rack: Sequence[Tile], okey: Tile) -> list[list[Tile]]:
    plain = sorted((tile for tile in rack if tile is not okey), key=lambda tile: _played_as(tile, okey))
    groups: list[list[Tile]] = []
    for tile in plain:
        before, face = _played_as(groups[-1][-1], okey) if groups else None, _played_as(tile, okey)
        if before is not None and face - before <= 1 and face.colour is before.colour:
            groups[-1].append(tile)
        else:
            groups.append([tile])
    return [*_packed(groups, okey), [okey] * rack.count(okey)]


def _nearest_gap(places: Sequence[Tile | None], target: int, most: int) -> int:
    """The gap to close by shifting: on the same shelf when it has one."""
    gaps = [index for index, tile in enumerate(places) if tile is None]
    return min(gaps, key=lambda index: (index // most != target // most, abs(index - target)))


def _with_added(rows: Sequence[Shelf], missing: Iterable[Tile], most: int) -> Shelves:
    places = [list(row) for row in rows]
    for tile in sorted(missing):
        row = 1 if len(places[1]) < most else 0
        if len(places[row]) < most:
            places[row].append(tile)
        else:
            row = 0 if None in places[0] else 1
            places[row][places[row].index(None)] = tile
    return tuple(tuple(row) for row in places)


def _trimmed(places: Sequence[Tile | None]) -> Shelf:
    end = max((count for count, tile in enumerate(places, 1) if tile is not None), default=0)
    return tuple(places[:end])


def _played_as(tile: Tile, okey: Tile) -> Tile:
    """A false joker is played as the okey's face (RULES 1)."""
    return okey if tile is Tile.F else tile


def _packed(groups: Sequence[Sequence[Tile]], okey: Tile) -> list[list[Tile]]:
    """Runs and near-runs as they are; neighbouring single tiles of one colour share a group."""
    packed: list[list[Tile]] = []
    for group in groups:
        last = packed[-1] if packed else []
        alone = len(group) == len(last) == 1
        if alone and _played_as(last[0], okey).colour is _played_as(group[0], okey).colour:
            last.extend(group)
        else:
            packed.append(list(group))
    return packed
