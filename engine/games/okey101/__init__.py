"""Okey 101: the moves of a seat in a round, and their effects (RULES 5 and 9)."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine import moves
from engine.errors import NotAllowed
from engine.games.game import Game, Stepped
from engine.games.okey101.declaring import call, declare, why_not_call, why_not_declare
from engine.games.okey101.laying import (
    lay_meld,
    lay_off,
    may_lay_off,
    okey_place,
    open_with_melds,
    open_with_pairs,
    reclaim,
    take_back,
)
from engine.games.okey101.offers import further_melds, openings
from engine.games.okey101.scoring import fines_of, round_changes
from engine.games.okey101.turn import (
    discard_tile,
    draw_tile,
    finish,
    give_back,
    must_use,
    take_discard,
)
from engine.melds import Placed, fitting
from engine.rules import Rules
from engine.state import Round, seat_before
from engine.tiles import Tile


def _step(rules: Rules, round: Round, seat: int, move: moves.Move) -> Stepped:
    """Carry out a move. Raises NotAllowed."""
    if isinstance(move, moves.Show):
        raise NotAllowed("no_showing")
    if isinstance(move, moves.Call):
        return call(rules, round, seat)
    if seat != round.turn:
        raise NotAllowed("not_your_turn", turn=round.turn)
    if isinstance(move, moves.Draw):
        return draw_tile(round)
    if isinstance(move, moves.Take):
        return take_discard(round, move.source)
    if isinstance(move, moves.Declare):
        return declare(rules, round)
    if round.phase != "discard":
        raise NotAllowed("draw_first")
    match move:
        case moves.Return():
            return give_back(rules, round)
        case moves.Open(melds):
            return open_with_melds(rules, round, melds)
        case moves.OpenPairs(pairs):
            return open_with_pairs(rules, round, pairs)
        case moves.LayMeld(tiles):
            return lay_meld(rules, round, tiles)
        case moves.LayOff(placed, on):
            return lay_off(rules, round, placed, on)
        case moves.Reclaim(tile, on):
            return reclaim(rules, round, tile, on)
        case moves.TakeBack(count):
            return take_back(rules, round, count)
        case moves.Discard(tile):
            return discard_tile(rules, round, tile)
        case moves.Finish(tile):
            return finish(round, tile)


def _legal_moves(rules: Rules, round: Round, seat: int) -> tuple[moves.Move, ...]:
    """Return the moves that `_step` accepts from `seat`; of openings and melds only the best (see `offers`).

    An okey that is laid off has its star, whatever it stands for.
    """
    calls = (moves.Call(),) if why_not_call(rules, round, seat) is None else ()
    if seat != round.turn:
        return calls
    declares = (moves.Declare(),) if why_not_declare(rules, round) is None else ()
    rest = _draws(rules, round) if round.phase == "draw" else _after_drawing(rules, round)
    return (*calls, *declares, *rest)


def _draws(rules: Rules, round: Round) -> Iterator[moves.Move]:
    if round.stock:
        yield moves.Draw()
    if _sources(rules, round):
        yield moves.Take()


def _sources(rules: Rules, round: Round) -> tuple[int, ...]:
    left = seat_before(round, round.turn)
    return (left,) if round.piles[left] and not round.board.returned else ()


def _after_drawing(rules: Rules, round: Round) -> Iterator[moves.Move]:
    if must_use(round) is not None:
        yield moves.Return()
    if round.board.opened[round.turn] is None:
        yield from openings(rules, round)
    else:
        yield from further_melds(rules, round)
        yield from _additions(rules, round)
    yield from (moves.TakeBack(count + 1) for count in range(len(round.board.laid_off)))
    yield from _discards(round)


def _additions(rules: Rules, round: Round) -> Iterator[moves.Move]:
    """Yield every tile that can be laid off, and every okey that can be reclaimed."""
    rack, okey, meld_rules = round.racks[round.turn], round.okey, rules.meld_rules(round.okey)
    played = {tile: okey if tile is Tile.F else tile for tile in sorted(set(rack))}
    may_lay = len(rack) > 1 and may_lay_off(rules, round)
    for on, laid in enumerate(round.board.melds):
        fits: Mapping[Tile, bool] = fitting(meld_rules, laid.meld) if may_lay else {}
        for tile, face in played.items():
            if tile == okey:
                yield from (moves.LayOff(Placed(stood_for, wild=True), on) for stood_for in sorted(fits))
            elif face in fits:
                yield moves.LayOff(Placed(tile), on)
        if rules.reclaim_joker:
            for tile, face in played.items():
                if tile != okey and okey_place(laid.meld, face, okey) is not None:
                    yield moves.Reclaim(tile, on)


def _discards(round: Round) -> Iterator[moves.Move]:
    rack = round.racks[round.turn]
    if must_use(round) is not None:
        return
    if len(rack) == 1:
        yield moves.Finish(rack[0])
    else:
        yield from (moves.Discard(tile) for tile in sorted(set(rack)))


OKEY101: Final = Game(
    name="101",
    rack_size=21,
    shelf_size=15,
    stack_size=7,
    stacks_each=3,
    lays_melds=True,
    legal_moves=_legal_moves,
    step=_step,
    sources=_sources,
    changes=round_changes,
    fines=fines_of,
    price_of_showing=lambda rules, round: 0,
    starting_score=lambda rules: 0,
    fewest_win=lambda rules: True,
)
