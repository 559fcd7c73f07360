"""Racks: the order in which players keep their tiles, on two shelves with gaps. The engine does not know it.

A shelf has `most` positions. Sorting and moving in a chat leave some of them free, so that every tile can be
drawn large; an app's order stays as its player laid it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from string import ascii_letters
from typing import Final

from engine.arrange import best_opening, finishing_discards, winning_arrangements, without
from engine.melds import Meld, MeldRules
from engine.tiles import Tile

Shelf = tuple[Tile | None, ...]
Shelves = tuple[Shelf, ...]

_SIGNS: Final = f"{ascii_letters}0"
"""A character for each tile, by its number."""
_GAP: Final = "-"
_GAPS: Final = 2
"""Positions of a shelf that never hold a tile."""
_CUT: Final = 1_000_000
_JOINED_MELD: Final = 200_000
_JOINED: Final = 10_000
_JOINED_TILE: Final = 1_000
_CUT_ELSEWHERE: Final = 1_000
_UNEVEN: Final = 1
"""What a layout costs: groups that are cut or joined, and shelves of which one holds more tiles."""
_SHORTEST_RUN: Final = 3
_FINISHING: Final = 15
"""The number of tiles on a classic rack that may finish."""


def keep(shelves: Shelves, rack: Sequence[Tile], most: int) -> Shelves:
    """Return the shelves, `most` positions wide, after the rack changed. Tiles that left leave gaps; new
    tiles go to the end of the emptier shelf that has room there, or else into its last gap. No other tile
    moves."""
    gone: list[Tile] = list(flat(shelves))
    new: list[Tile] = []
    for tile in rack:
        if tile in gone:
            gone.remove(tile)
        else:
            new.append(tile)
    places = [list(shelf) for shelf in shelves]
    for row in reversed(places):
        for index in reversed(range(len(row))):
            before = row[index]
            if before is not None and before in gone:
                gone.remove(before)
                row[index] = None
    rows = [list(_trim(row)) for row in places]
    for tile in sorted(new):
        _add(tile, rows, most)
    return tuple(rows[0]), tuple(rows[1])


def tile_of_sign(sign: str) -> Tile:
    """Return the tile that a character of a written order stands for. Raises ValueError."""
    return Tile(_SIGNS.index(sign))


def read_order(text: str, most: int) -> Shelves:
    """Shelves, `most` positions wide, from an app's text (`bot.live.ActKind`). Raises ValueError."""
    if len(text) > 2 * most:
        raise ValueError("more places than there are")
    places = [None if sign == _GAP else tile_of_sign(sign) for sign in text]
    return _trim(places[:most]), _trim(places[most:])


def in_groups(
    groups: Iterable[Sequence[Tile]],
    most: int,
    rows: int = 2,
    is_meld: Callable[[Sequence[Tile]], bool] = lambda _: False,
) -> Shelves:
    """Groups side by side with gaps between them, on shelves as equal as possible.

    A narrow window shows the two shelves as three rows. No group is cut in `rows` rows, 2 or 3, nor in the
    other way if there is room; with 0, both ways count alike. Without room for every gap, small neighbours
    are joined, and melds last: an app sees only those that stand by themselves.
    """
    whole = [tuple(group) for group in groups if group]
    starts = _starts(tuple(map(len, whole)), most, rows, tuple(map(is_meld, whole)))
    if starts is None:
        together = tuple(chain.from_iterable(whole))
        middle = -(-len(together) // 2)
        return together[:middle], together[middle:]
    places: list[Tile | None] = [None] * (2 * most)
    for start, group in zip(starts, whole, strict=True):
        places[start : start + len(group)] = group
    return _trim(places[:most]), _trim(places[most:])


def _starts(sizes: Sequence[int], most: int, rows: int, melds: Sequence[bool]) -> Sequence[int] | None:
    """Return the first places of groups in order that cost least; None when the shelves have no room for
    them."""
    halves, thirds = {most}, {2 * most // 3, 4 * most // 3}
    ends, others = {2: (halves, thirds), 3: (thirds, halves)}.get(rows, (halves | thirds, set[int]()))
    # Where one way must cut a group, and the ways count alike, the chats' two rows are whole.
    cuts = {end: _CUT + _CUT_ELSEWHERE * (end == most) for end in ends}
    cuts |= dict.fromkeys(others, _CUT_ELSEWHERE)
    jumps = [{at, at + 1, *(end for end in cuts if end > at)} for at in range(2 * most + 1)]
    total, fullest = sum(sizes), most - _GAPS
    left = total
    # By the place that is free next and the tiles above: the least cost so far, and the first places.
    ways: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(0, 0): (0, ())}
    for number, size in enumerate(sizes):
        last, joined = 2 * most - left, _cost_of_joining(sizes, melds, number)
        cut = [sum(cuts[end] for end in cuts if at < end < at + size) for at in range(2 * most)]
        before, ways = ways, {}
        for (free, above), (cost, starts) in before.items():
            for start in jumps[free]:
                upper = above + max(0, min(start + size, most) - start)
                if start > last or upper > fullest:
                    continue
                more = cut[start]
                if start == free:
                    more += _CUT_ELSEWHERE if rows and free in ends else joined
                state, way = (start + size, upper), (cost + more, (*starts, start))
                if state not in ways or way < ways[state]:
                    ways[state] = way
        left -= size
    whole = [
        (cost + _UNEVEN * (above * above + lower * lower + above), starts)
        for (_, above), (cost, starts) in ways.items()
        if (lower := total - above) <= fullest
    ]
    return min(whole, default=(0, None))[1]


def _cost_of_joining(sizes: Sequence[int], melds: Sequence[bool], number: int) -> int:
    """Return what it costs that a group begins where the one before it ends."""
    if not number:
        return 0
    if melds[number - 1] or melds[number]:
        return _JOINED_MELD
    return _JOINED + _JOINED_TILE * (sizes[number - 1] + sizes[number])


def by_runs(rack: Sequence[Tile], okey: Tile, most: int, rows: int = 2) -> Shelves:
    """Tiles by colour and number, with a gap where a run breaks; a false joker at its face, okeys last."""
    return in_groups(_by_colours(rack, okey), most, rows, lambda group: _is_run(group, okey))


def _by_colours(rack: Sequence[Tile], okey: Tile) -> list[Sequence[Tile]]:
    plain = sorted((tile for tile in rack if tile is not okey), key=lambda tile: _face_of(tile, okey))
    groups = [part for group in _neighbours(plain, okey) for part in _without_twins(group, okey)]
    return [*_pack(groups, okey), [okey] * rack.count(okey)]


def _neighbours(tiles: Iterable[Tile], okey: Tile) -> list[list[Tile]]:
    """Sorted tiles in groups: in each, one number follows the other or is the same."""
    groups: list[list[Tile]] = []
    for tile in tiles:
        before, face = _face_of(groups[-1][-1], okey) if groups else None, _face_of(tile, okey)
        if before is not None and face - before <= 1 and face.colour is before.colour:
            groups[-1].append(tile)
        else:
            groups.append([tile])
    return groups


def _without_twins(group: Sequence[Tile], okey: Tile) -> list[list[Tile]]:
    """Return the group; if it holds a run, that run, then the second tiles of its faces, which would break
    it."""
    run = {_face_of(tile, okey): tile for tile in group}
    if len(run) < _SHORTEST_RUN or len(run) == len(group):
        return [list(group)]
    twins = list(group)
    for tile in run.values():
        twins.remove(tile)
    return [list(run.values()), *_neighbours(twins, okey)]


def _is_run(group: Sequence[Tile], okey: Tile) -> bool:
    faces = [_face_of(tile, okey) for tile in group]
    first = faces[0]
    return len(faces) >= _SHORTEST_RUN and faces == list(range(first, first + len(faces)))


def by_pairs(rack: Sequence[Tile], okey: Tile, most: int, rows: int = 2) -> Shelves:
    """Pairs first, then single tiles by number; okeys last."""
    counts = Counter(tile for tile in rack if tile is not okey)
    by_number = sorted(counts, key=lambda tile: (_face_of(tile, okey).number or 14, tile))
    pairs = [[tile, tile] for tile in by_number if counts[tile] == 2]
    singles = [tile for tile in by_number if counts[tile] == 1]
    above = max(-(-len(rack) // 2) - 2 * len(pairs), 0)
    parts = (singles[:above], singles[above:])
    return in_groups([*pairs, *parts, [okey] * rack.count(okey)], most, rows)


def by_melds(rack: Sequence[Tile], rules: MeldRules, most: int, rows: int = 2) -> Shelves:
    """Return the best arrangement: a winning rack as it wins, else the sets and runs that are worth most;
    then the other tiles by colour and number."""
    melds = [[played.tile for played in meld.tiles] for meld in _best_melds(rack, rules)]
    left = Counter(rack)
    left.subtract(tile for meld in melds for tile in meld)
    others = _by_colours(list(left.elements()), rules.okey)
    return in_groups([*melds, *others], most, rows, lambda group: list(group) in melds)


def _best_melds(rack: Sequence[Tile], rules: MeldRules) -> Sequence[Meld]:
    finishing = finishing_discards(rules, rack) if len(rack) == _FINISHING else {}
    if finishing:
        discard = rules.okey if rules.okey in finishing else next(iter(finishing))
        return next(iter(winning_arrangements(rules, without(rack, discard)).values()))
    return best_opening(rules, rack)[1]


def move_tile(shelves: Shelves, source: int, target: int, most: int) -> Shelves:
    """Return the tile at position `source` moved in front of position `target`.

    Positions are counted over both shelves, each `most` long. Nothing changes when there is no tile at
    `source` or no such position.
    """
    places: list[Tile | None] = []
    for shelf in shelves:
        places += [*shelf[:most], *[None] * (most - len(shelf))]
    if not (0 <= source < len(places) and 0 <= target < len(places)) or places[source] is None:
        return shelves
    tile, places[source] = places[source], None
    if places[target] is not None:
        free = _nearest_gap(places, target, most)
        step = 1 if free > target else -1
        for index in range(free, target, -step):
            places[index] = places[index - step]
    places[target] = tile
    return _level([_trim(places[:most]), _trim(places[most:])], most)


def flat(shelves: Shelves) -> tuple[Tile, ...]:
    """Return the tiles in order, without gaps: the first is the first of the upper shelf."""
    return tuple(tile for shelf in shelves for tile in shelf if tile is not None)


def _nearest_gap(places: Sequence[Tile | None], target: int, most: int) -> int:
    """Return the gap to close by shifting, preferably on the same shelf."""
    gaps = [index for index, tile in enumerate(places) if tile is None]
    return min(gaps, key=lambda index: (index // most != target // most, abs(index - target)))


def _add(tile: Tile, rows: Sequence[list[Tile | None]], most: int) -> None:
    roomy = [row for row in reversed(rows) if len(row) < most and _tiles_on(row) < most - _GAPS]
    row = min(roomy or reversed(rows), key=_tiles_on)
    if len(row) < most:
        row.append(tile)
    else:
        row[len(row) - 1 - row[::-1].index(None)] = tile


def _level(rows: Sequence[Shelf], most: int) -> Shelves:
    """Return the shelves with neither holding too many tiles: surplus tiles at the border move to the
    other."""
    upper, lower = map(list, rows)
    while _tiles_on(upper) > most - _GAPS:
        lower.insert(0, upper.pop())
    while _tiles_on(lower) > most - _GAPS:
        upper.append(lower.pop(0))
    return _close(upper, most), _close(lower, most)


def _close(row: list[Tile | None], most: int) -> Shelf:
    """Return the shelf, without its last gaps if it would be too long."""
    while len(row) > most:
        row.pop(len(row) - 1 - row[::-1].index(None))
    return _trim(row)


def _tiles_on(shelf: Sequence[Tile | None]) -> int:
    return sum(tile is not None for tile in shelf)


def _trim(places: Sequence[Tile | None]) -> Shelf:
    end = len(places)
    while end and places[end - 1] is None:
        end -= 1
    return tuple(places[:end])


def _face_of(tile: Tile, okey: Tile) -> Tile:
    """Return the face of a tile; a false joker has the okey's face (RULES 1)."""
    return okey if tile is Tile.F else tile


def _pack(groups: Sequence[Sequence[Tile]], okey: Tile) -> list[list[Tile]]:
    """Runs and near-runs unchanged; neighbouring single tiles of one colour share a group."""
    packed: list[list[Tile]] = []
    for group in groups:
        last = packed[-1] if packed else []
        alone = len(group) == len(last) == 1
        if alone and _face_of(last[0], okey).colour is _face_of(group[0], okey).colour:
            last.extend(group)
        else:
            packed.append(list(group))
    return packed
