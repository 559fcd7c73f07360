"""Openings and melds out of a rack that the rules accept as they stand.

There are too many ways to lay melds to list them all; these are the best. Whoever wants another one
makes the move himself, and `step` judges it.
"""

from collections.abc import Iterator, Sequence

from engine.arrange import best_opening, most_pairs
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.games.okey101.turn import board_of, must_use
from engine.melds import Meld, Placed, Played, meld_of, placed_as, played_as, points_of
from engine.moves import LayMeld, Open, OpenPairs
from engine.rules import Rules
from engine.state import Round, without
from engine.tiles import COLOURS, Tile, tile_of

Melds = tuple[Meld, ...]


def openings(rules: Rules, round: Round) -> Iterator[Open | OpenPairs]:
    """The highest opening with sets and runs, and the one with most pairs, where they are enough."""
    board, rack, okey = board_of(round), round.racks[round.turn], round.okey
    melds = _highest(rules, okey, rack, must_use(round), points_needed(rules, board))
    if melds:
        yield Open(tuple(_named(meld, okey) for meld in melds))
    pairs = _most_pairs(okey, rack, must_use(round))
    if len(pairs) >= pairs_needed(rules, board):
        yield OpenPairs(tuple(_named(pair, okey) for pair in pairs))


def further_melds(rules: Rules, round: Round) -> Iterator[LayMeld]:
    """The melds of the rack's best arrangement, of the kind that the seat on turn opened with."""
    rack, okey, taken = round.racks[round.turn], round.okey, must_use(round)
    if board_of(round).opened[round.turn] == "pairs":
        melds = _most_pairs(okey, rack, taken)
    else:
        melds = best_opening(okey, rack, one_after_thirteen=rules.one_after_thirteen)[1]
        if taken is not None:
            melds = tuple(dict.fromkeys((*melds, *_melds_with(rules, okey, rack, taken))))
    for meld in melds:
        if len(meld.tiles) < len(rack):
            yield LayMeld(_named(meld, okey))


def _named(meld: Meld, okey: Tile) -> tuple[Placed, ...]:
    return tuple(placed_as(played, okey) for played in meld.tiles)


def _tiles(melds: Sequence[Meld]) -> tuple[Tile, ...]:
    return tuple(played.tile for meld in melds for played in meld.tiles)


def _highest(rules: Rules, okey: Tile, rack: tuple[Tile, ...], taken: Tile | None, needed: int) -> Melds:
    """The sets and runs worth most that hold the taken tile and leave one to discard; () if too little."""
    best = _with_taken(rules, okey, rack, taken, needed)
    if len(_tiles(best)) == len(rack):
        fewer = (without(rack, (tile,)) for tile in sorted(set(rack)))
        best = max((_with_taken(rules, okey, less, taken, needed) for less in fewer), key=_worth)
    return best


def _with_taken(rules: Rules, okey: Tile, rack: tuple[Tile, ...], taken: Tile | None, needed: int) -> Melds:
    """The sets and runs worth most that hold the taken tile; () if too little."""
    wrap = rules.one_after_thirteen
    points, best = best_opening(okey, rack, one_after_thirteen=wrap)
    if points < needed:
        return ()
    if taken is not None and taken not in _tiles(best):
        holding = (
            (meld, *best_opening(okey, without(rack, _tiles([meld])), one_after_thirteen=wrap)[1])
            for meld in _melds_with(rules, okey, rack, taken)
        )
        best = max(holding, key=_worth, default=())
    return best if _worth(best) >= needed else ()


def _worth(melds: Sequence[Meld]) -> int:
    return sum(map(points_of, melds))


def _most_pairs(okey: Tile, rack: tuple[Tile, ...], taken: Tile | None) -> Melds:
    """The most pairs that hold the taken tile and leave one to discard."""
    pairs = most_pairs(okey, rack)
    if taken is not None and taken not in (okey, *_tiles(pairs)) and okey in rack:
        pairs = (_with_okey(taken, okey), *most_pairs(okey, without(rack, (taken, okey))))
    if taken is not None and taken not in _tiles(pairs):
        return ()
    if 2 * len(pairs) < len(rack):
        return pairs
    given_up = next((pair for pair in pairs if taken not in _tiles([pair])), pairs[0])
    return tuple(pair for pair in pairs if pair != given_up)


def _with_okey(tile: Tile, okey: Tile) -> Meld:
    """A tile and an okey as a pair."""
    played = played_as(Placed(tile), okey)
    return Meld("pair", (played, Played(okey, played.face)))


def _melds_with(rules: Rules, okey: Tile, rack: tuple[Tile, ...], taken: Tile) -> Iterator[Meld]:
    """Every set and run out of the rack in which the taken tile is played as itself; an okey, which has
    its place in the best melds anyway, in none."""
    if taken == okey:
        return
    face = played_as(Placed(taken), okey).face
    for faces in (*_sets_with(face), *_runs_with(face)):
        if meld := _from_rack(rules, okey, rack, taken, faces):
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


def _from_rack(
    rules: Rules, okey: Tile, rack: tuple[Tile, ...], taken: Tile, faces: tuple[Tile, ...]
) -> Meld | None:
    """The faces as a meld out of the rack, okeys where a face is missing; None when there are too few."""
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
    return meld_of(played, rules.one_after_thirteen)
