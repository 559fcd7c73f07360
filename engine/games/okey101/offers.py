"""Offers: openings and melds from a rack that Okey 101 accepts as they stand.

There are too many ways to lay melds to list them all; these are the best. Any other is a move that `step`
judges.
"""

from collections.abc import Iterator, Sequence

from engine.arrange import arrange_all, best_opening, most_pairs, opening_points
from engine.games.okey101.laying import may_lay_pairs, may_open_below, pairs_needed, points_needed
from engine.games.okey101.turn import must_use
from engine.melds import (
    Meld,
    MeldRules,
    Placed,
    Played,
    meld_of,
    points_of,
    read_as_played,
    tiles_in,
    write_as_placed,
)
from engine.moves import LayMeld, Open, OpenPairs
from engine.rules import Rules
from engine.state import Round, without
from engine.tiles import COLOURS, Tile, tile_of

_Melds = tuple[Meld, ...]
_Rack = tuple[Tile, ...]


def openings(rules: Rules, round: Round) -> Iterator[Open | OpenPairs]:
    """Yield the highest opening with sets and runs, and the one with the most pairs, if they are enough."""
    rack, meld_rules, taken = round.racks[round.turn], rules.meld_rules(round.okey), must_use(round)
    declared = round.turn in round.board.declared
    melds = () if declared else _highest(meld_rules, rack, taken, points_needed(rules, round.board))
    if not melds and not declared and may_open_below(rules, round, len(rack) - 1):
        melds = _all_but_one(meld_rules, rack, taken)
    if melds:
        yield Open(tuple(write_as_placed(meld, round.okey) for meld in melds))
    pairs = _most_pairs(meld_rules, rack, taken)
    if len(pairs) >= pairs_needed(rules, round.board):
        yield OpenPairs(tuple(write_as_placed(pair, round.okey) for pair in pairs))


def further_melds(rules: Rules, round: Round) -> Iterator[LayMeld]:
    """Yield the melds of the rack's best arrangement, of the kind that the seat on turn opened with; and
    pairs after these, where everybody may lay them."""
    rack, meld_rules, taken = round.racks[round.turn], rules.meld_rules(round.okey), must_use(round)
    if round.board.opened[round.turn] == "pairs":
        melds = _most_pairs(meld_rules, rack, taken)
    else:
        melds = _highest(meld_rules, rack, None, 1)
        if taken is not None:
            melds = tuple(dict.fromkeys((*melds, *_melds_with(meld_rules, rack, taken))))
        if may_lay_pairs(rules, round.board, "melds"):
            melds += _most_pairs(meld_rules, rack, None)
    for meld in melds:
        if len(meld.tiles) < len(rack):
            yield LayMeld(write_as_placed(meld, round.okey))


def _highest(rules: MeldRules, rack: _Rack, taken: Tile | None, needed: int) -> _Melds:
    """Return the sets and runs worth most that contain the taken tile and leave one to discard; () if too
    little.

    Where it can be that one alone, the round ends with it, with an okey if possible.
    """
    best = _with_taken(rules, rack, taken, needed)
    if len(tiles_in(best)) < len(rack):
        return best

    def merit(melds: _Melds) -> tuple[bool, bool, int]:
        tiles = tiles_in(melds)
        ends = len(tiles) == len(rack) - 1
        return ends, ends and tiles.count(rules.okey) < rack.count(rules.okey), _worth(melds)

    fewer = (without(rack, (tile,)) for tile in sorted(set(rack)))
    return max((_with_taken(rules, less, taken, needed) for less in fewer), key=merit)


def _with_taken(rules: MeldRules, rack: _Rack, taken: Tile | None, needed: int) -> _Melds:
    """Return the sets and runs worth most that contain the taken tile; () if too little."""
    if opening_points(rules, rack) < needed:  # counted quickly, and most racks hold too little
        return ()
    best = best_opening(rules, rack)[1]
    if taken is not None and taken not in tiles_in(best):
        holding = (
            (meld, *best_opening(rules, without(rack, tiles_in([meld])))[1])
            for meld in _melds_with(rules, rack, taken)
        )
        best = max(holding, key=_worth, default=())
    return best if _worth(best) >= needed else ()


def _all_but_one(rules: MeldRules, rack: _Rack, taken: Tile | None) -> _Melds:
    """Return sets and runs of all tiles but one, the taken tile among them; () if there are none.

    They are worth at least their plain tiles, and the most that the rack is worth is quickly counted.
    """
    plain = [read_as_played(Placed(tile), rules.okey).face.number or 0 for tile in rack if tile != rules.okey]
    if opening_points(rules, rack) < sum(plain) - max(plain):
        return ()
    for tile in sorted(set(rack), key=lambda each: each != rules.okey):  # to finish with an okey is best
        melds = arrange_all(rules, without(rack, (tile,)))
        if melds is not None and (taken is None or taken in tiles_in(melds)):
            return melds
    return ()


def _worth(melds: Sequence[Meld]) -> int:
    return sum(map(points_of, melds))


def _most_pairs(rules: MeldRules, rack: _Rack, taken: Tile | None) -> _Melds:
    """Return the most pairs that contain the taken tile and leave one to discard."""
    okey, pairs = rules.okey, most_pairs(rules, rack)
    if taken is not None and taken not in (okey, *tiles_in(pairs)) and okey in rack:
        played = read_as_played(Placed(taken), okey)
        pair = Meld("pair", (played, Played(okey, played.face)))
        pairs = (pair, *most_pairs(rules, without(rack, (taken, okey))))
    if taken is not None and taken not in tiles_in(pairs):
        return ()
    if 2 * len(pairs) < len(rack):
        return pairs
    given_up = next((pair for pair in pairs if taken not in tiles_in([pair])), pairs[0])
    return tuple(pair for pair in pairs if pair != given_up)


def _melds_with(rules: MeldRules, rack: _Rack, taken: Tile) -> Iterator[Meld]:
    """Yield every set and run from the rack in which the taken tile is played as itself; none for an okey,
    which has its place in the best melds anyway."""
    if taken == rules.okey:
        return
    face = read_as_played(Placed(taken), rules.okey).face
    for faces in (*_sets_with(face), *_runs_with(face)):
        if meld := _from_rack(rules, rack, taken, faces):
            yield meld


def _sets_with(face: Tile) -> Iterator[tuple[Tile, ...]]:
    others = [tile_of(colour, face.number or 0) for colour in COLOURS if colour is not face.colour]
    yield (face, *others)
    for left_out in others:
        yield (face, *(other for other in others if other != left_out))


def _runs_with(face: Tile) -> Iterator[tuple[Tile, ...]]:
    assert face.colour is not None
    row = [tile_of(face.colour, number) for number in (*range(1, 14), 1)]
    for start in range(12):
        for end in range(start + 3, 15):
            if face in row[start:end] and end - start < 14:
                yield tuple(row[start:end])


def _from_rack(rules: MeldRules, rack: _Rack, taken: Tile, faces: tuple[Tile, ...]) -> Meld | None:
    """Return the faces as a meld from the rack, with okeys for missing faces; None when there are too few."""
    okey = rules.okey
    left = [tile for tile in rack if tile != okey]
    wild = len(rack) - len(left)
    played = []
    for face in faces:
        tile = Tile.F if face == okey else face
        if tile in left:
            left.remove(tile)
            played.append(Played(tile, face))
        else:
            wild -= 1
            played.append(Played(okey, face))
    if wild < 0 or taken not in (each.tile for each in played):
        return None
    return meld_of(rules, played)
