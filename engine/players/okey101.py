"""Automatic players of Okey 101: they open as soon as possible, lay what they can, and avoid fines."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from engine.arrange import ARRANGER, most_pairs, opening_points, pair_count, without
from engine.arrange.useful import neighbours
from engine.games.okey101.laying import may_lay_pairs, okey_place, pairs_needed, points_needed
from engine.games.okey101.turn import fine_for_discard
from engine.melds import Board, MeldRules, Placed, fitting, read_as_played, tiles_in
from engine.moves import (
    Call,
    Declare,
    Discard,
    Draw,
    Finish,
    LayMeld,
    LayOff,
    Move,
    Open,
    OpenPairs,
    Reclaim,
    Return,
    Take,
)
from engine.players.outlook import OPENING_WORTH, futures, opens, opens_without, unseen_by
from engine.players.rng import PlayerRng
from engine.players.rollouts import best_discard, is_modelled
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView

_LAPSE: Final = 3
"""A beginner overlooks something once in this many times."""
_HOPEFUL: Final = 0.7
"""The share of the opening points below which a player who lacks one pair collects pairs."""
_COMPANY: Final = 6
"""The points that it is worth to keep one more tile that could form a meld with this one."""
_NEARLY_OPEN: Final = 20
"""With this many points missing, an opening depends on one tile or two."""
NEARLY_OUT: Final = 3
"""With this few tiles on another rack the round may end at any moment."""
_HOPELESS: Final = 0.5
"""The share of the opening points below which it may pay to declare pairs."""
_FEW_MISSING: Final = 1
"""The most pairs that may be missing then."""
_LASTS: Final = 2
"""The least draws that everybody must then have left."""
_FUTURES: Final = 40
"""The number of random futures that are tried with every tile."""
_CLOSEST: Final = 5
"""The number of tiles between which more futures decide: with forty, chance would."""
_MORE_FUTURES: Final = 160
_GRAVE: Final = 2
"""The first costs of a discard, an okey and a fine, that no rollouts decide about."""
_BESIDE_OPENING: Final = 3
"""The discards that are tried where opening with pairs is another choice."""
_HALFWAY: Final = 0.7
"""The additional worth of being able to open with half of the draws already."""


def easy(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Return a beginner, who opens and lays correctly, but overlooks discards and tiles to lay."""
    overlooked = Take if Draw() in legal else LayOff
    if Return() not in legal and rng.once_in(_LAPSE):
        legal = [move for move in legal if not isinstance(move, overlooked)]
    return steady(rules, view, legal, rng)


def steady(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Takes only discards that can be laid at once, lays everything possible, keeps okeys for the end, and
    discards tiles that help neither their own rack nor the table. Declares pairs when far nearer to them."""
    if Declare() in legal and declares(rules, view):
        return Declare()
    if view.public.phase == "draw":
        return Take() if Take() in legal and can_use(rules, view, view.left_pile[-1]) else Draw()
    if Return() in legal:
        return _with_taken(view, legal)
    if len(view.rack) == 1 and (reclaims := [move for move in legal if isinstance(move, Reclaim)]):
        return reclaims[0]  # to finish with the okey
    for wanted in (Finish, Open, OpenPairs, LayMeld):
        moves = [move for move in legal if isinstance(move, wanted)]
        if moves:
            return moves[0]
    if addition := _addition(rules, view, legal):
        return addition
    return _discard(rules, view, legal, rng, _weigh_loss(rules, view))


def sharp(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Choose a move: of the tiles that they can best do without, discard the one with which rounds played to
    their end come to fewest points; wait instead of opening with pairs if that comes to fewer. Where rollouts
    don't know the rules, discard until they open the tile without which they have the best chances to. This
    needs the part in C; everything else is as for `steady`."""
    opened = view.public.board.opened[view.seat]
    if ARRANGER != "c" or (Declare() in legal and declares(rules, view)):
        return steady(rules, view, legal, rng)
    modelled = is_modelled(rules)
    if modelled and not opened and Take() in legal and _opens_better(rules, view):
        return Take()
    waits = OpenPairs if modelled else Declare
    if opened or not all(isinstance(move, Discard | Declare | Call | waits) for move in legal):
        move = steady(rules, view, legal, rng)
        if not opened or not isinstance(move, Discard):
            return move
    discards = [move.tile for move in legal if isinstance(move, Discard)]
    costs = _costs_opened(rules, view, discards) if opened else _costs_closed(rules, view, rng, discards)
    if not modelled:
        return Discard(rng.cheapest(costs))
    best = sorted(costs, key=costs.__getitem__)
    alike = [tile for tile in best if costs[tile][:_GRAVE] == costs[best[0]][:_GRAVE]]
    opening = [move for move in legal if isinstance(move, OpenPairs)]
    tried = (None, *alike[:_BESIDE_OPENING]) if opening else alike[:_CLOSEST]
    tile = best_discard(rules, view, tried, rng)
    return opening[0] if tile is None else Discard(tile)


def _opens_better(rules: Rules, view: SeatView) -> bool:
    """Return whether the previous player's discard opens with sets and runs a rack that could with pairs."""
    more = (*view.rack, view.left_pile[-1])
    return opens(rules, view, view.rack) == "pairs" and opens(rules, view, more) == "melds"


def _costs_closed(
    rules: Rules, view: SeatView, rng: PlayerRng, tiles: Sequence[Tile]
) -> dict[Tile, tuple[float, ...]]:
    """Return what the discards cost before opening, of the tiles that the seat can best do without."""
    missed, costs = dict.fromkeys(tiles, 0.0), dict[Tile, tuple[float, ...]]()
    for count in (_FUTURES,) if is_modelled(rules) else (_FUTURES, _MORE_FUTURES):
        for tile, chance in _chances_without(rules, view, rng, costs or tiles, count).items():
            missed[tile] -= chance
        every = {tile: _cost(rules, view, tile, missed) for tile in costs or tiles}
        costs = {tile: every[tile] for tile in sorted(every, key=every.__getitem__)[:_CLOSEST]}
    return costs


def _costs_opened(rules: Rules, view: SeatView, tiles: Sequence[Tile]) -> dict[Tile, tuple[float, ...]]:
    """Return what the discards cost after opening; with pairs, neighbours are of no more use."""
    if view.public.board.opened[view.seat] == "pairs":
        nothing = dict.fromkeys(tiles, 0.0)
        return {tile: _cost(rules, view, tile, nothing, 0) for tile in tiles}
    missed = _weigh_loss(rules, view)
    return {tile: _cost(rules, view, tile, missed) for tile in tiles}


def _chances_without(
    rules: Rules, view: SeatView, rng: PlayerRng, tiles: Collection[Tile], count: int
) -> dict[Tile, float]:
    """Return in how many of so many futures a seat opens without each of these tiles, drawing from the tiles
    that it does not see."""
    chances = dict.fromkeys(tiles, 0.0)
    for future in futures(view, rng, count):
        for coming, weight in ((future, 1.0), (future[: max(1, len(future) // 2)], _HALFWAY)):
            for tile, way in opens_without(rules, view, coming, tiles).items():
                chances[tile] += weight * OPENING_WORTH[way]
    return chances


def closeness(rules: Rules, view: SeatView) -> float:
    """Return the nearness of a seat that has not opened to the points that it needs: 0 to 1."""
    board = view.public.board
    if board.opened[view.seat] is not None:
        return 0.0
    points = opening_points(rules.meld_rules(view.public.okey), (*view.rack, *view.left_pile[-1:]))
    return max(0.0, 1 - abs(points_needed(rules, board) - points) / _NEARLY_OPEN)


def can_use(rules: Rules, view: SeatView, tile: Tile) -> bool:
    """Return whether a tile would be laid in the turn in which the seat gets it: if it has not opened,
    whether only this tile opens; if it has declared pairs, whether it makes one more."""
    meld_rules = rules.meld_rules(view.public.okey)
    more = (*view.rack, tile)
    board = view.public.board
    way, declared = board.opened[view.seat], view.seat in board.declared
    pairs = way == "pairs" or declared
    if pairs and pair_count(meld_rules, more) > pair_count(meld_rules, view.rack):
        return True
    if way is None:
        return not declared and opens(rules, view, more) is not None and opens(rules, view, view.rack) is None
    if _fits(meld_rules, board, tile) or _reclaims(rules, view, tile):
        return True
    if pairs:
        return False
    if tile in view.rack and may_lay_pairs(rules, board, way):
        return True
    return opening_points(meld_rules, more) > opening_points(meld_rules, view.rack)


def _with_taken(view: SeatView, legal: Sequence[Move]) -> Move:
    """Use the taken discard, in the way that lays most; give it back if there is none."""
    okey = view.public.okey
    for move in legal:
        match move:
            case Open() | OpenPairs():
                return move
            case LayMeld(tiles) if view.drawn in [read_as_played(placed, okey).tile for placed in tiles]:
                return move
            case LayOff(placed) if view.drawn == read_as_played(placed, okey).tile:
                return move
            case Reclaim(tile) if view.drawn == tile:
                return move
    return Return()


def _addition(rules: Rules, view: SeatView, legal: Sequence[Move]) -> Move | None:
    """Return a tile to lay off or an okey to reclaim; okeys are laid off only if that ends the round, or if
    the round may end before the next turn."""
    okey = view.public.okey
    for move in legal:
        match move:
            case LayOff(placed) if not placed.wild:
                return move
            case Reclaim():
                return move
    plain = sum(tile != okey for tile in view.rack)
    if plain > 1 and not _may_end_soon(view):
        return None
    return next((move for move in legal if isinstance(move, LayOff)), None)


def _may_end_soon(view: SeatView) -> bool:
    sizes = view.public.rack_sizes
    others = [size for seat, size in enumerate(sizes) if seat != view.seat]
    return view.public.stock_left < len(sizes) or min(others) <= NEARLY_OUT


def _discard(
    rules: Rules,
    view: SeatView,
    legal: Sequence[Move],
    rng: PlayerRng,
    missed: Mapping[Tile, float],
    company_worth: int = _COMPANY,
) -> Move:
    """Discard the tile that costs least."""
    tiles = [move.tile for move in legal if isinstance(move, Discard)]
    costs = {tile: _cost(rules, view, tile, missed, company_worth) for tile in tiles}
    return Discard(rng.cheapest(costs))


def _cost(
    rules: Rules, view: SeatView, tile: Tile, missed: Mapping[Tile, float], company_worth: int = _COMPANY
) -> tuple[float, ...]:
    """Return what a discard costs, the gravest first: an okey, a fine, how much the tile is `missed`, and
    then its neighbours; after opening also the points that it leaves, alone when the round may end."""
    board, okey = view.public.board, view.public.okey
    number = read_as_played(Placed(tile), okey).face.number or 0
    company = neighbours(tile, view.rack, okey)
    fined = fine_for_discard(rules, board, okey, tile) is not None
    if board.opened[view.seat] is None:
        return (tile == okey, fined, missed[tile], company, number)
    kept_for = 0 if _may_end_soon(view) else company_worth * company
    return (tile == okey, fined, missed[tile], kept_for - number)


def declares(rules: Rules, view: SeatView) -> bool:
    """Return whether a seat that may declare pairs does well to: it lacks few, and opens with nothing now."""
    meld_rules, board = rules.meld_rules(view.public.okey), view.public.board
    missing = pairs_needed(rules, board) - pair_count(meld_rules, view.rack)
    hopeless = opening_points(meld_rules, view.rack) < _HOPELESS * points_needed(rules, board)
    lasts = view.public.stock_left >= _LASTS * len(view.public.rack_sizes)
    return 0 < missing <= _FEW_MISSING and hopeless and lasts


def calls(view: SeatView, rules: Rules, discarder: int, notices: bool) -> bool:
    """Return whether a player who `notices` it calls the last discard: only one that is playable."""
    tile = view.public.discard_tops[discarder]
    if tile is None or not notices:
        return False
    return fine_for_discard(rules, view.public.board, view.public.okey, tile) == "playable_discard"


def _weigh_loss(rules: Rules, view: SeatView) -> dict[Tile, float]:
    """Return how much each tile of the rack would be missed: those without which its melds would be worth
    less; if it collects pairs, its pairs, and after it declared them, a little those that may still find
    their twin."""
    meld_rules, rack = rules.meld_rules(view.public.okey), view.rack
    worth = opening_points(meld_rules, rack)
    if _goes_for_pairs(rules, view, worth):
        paired = set(tiles_in(most_pairs(meld_rules, rack)))
        hopes = unseen_by(view) if view.seat in view.public.board.declared else Counter[Tile]()
        return {tile: 1.0 if tile in paired else 0.5 * (hopes[tile] > 0) for tile in set(rack)}
    return {tile: float(opening_points(meld_rules, without(rack, tile)) < worth) for tile in set(rack)}


def _goes_for_pairs(rules: Rules, view: SeatView, points: int) -> bool:
    """Return whether a seat whose sets and runs are worth this many points keeps its pairs instead."""
    board = view.public.board
    if board.opened[view.seat] is not None:
        return board.opened[view.seat] == "pairs"
    if view.seat in board.declared:
        return True
    pairs = most_pairs(rules.meld_rules(view.public.okey), view.rack)
    return len(pairs) + 1 >= pairs_needed(rules, board) and points < _HOPEFUL * points_needed(rules, board)


def _fits(rules: MeldRules, board: Board, tile: Tile) -> bool:
    """Return whether a tile can be laid off on the table; an okey can if anything can."""
    fits = [face for laid in board.melds for face in fitting(rules, laid.meld)]
    return bool(fits) if tile == rules.okey else read_as_played(Placed(tile), rules.okey).face in fits


def _reclaims(rules: Rules, view: SeatView, tile: Tile) -> bool:
    """Return whether a tile can be put in the place of a laid okey."""
    okey, melds = view.public.okey, view.public.board.melds
    if not rules.reclaim_joker or tile == okey:
        return False
    face = read_as_played(Placed(tile), okey).face
    return any(okey_place(laid.meld, face, okey) is not None for laid in melds)
