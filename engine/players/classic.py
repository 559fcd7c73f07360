"""Automatic players of classic Okey: which discard to take, which tile to let go."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from engine.arrange import distance, useful_tiles, without
from engine.arrange.useful import neighbours
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.tiles import FULL_SET, Tile
from engine.view import SeatView

_LAPSE: Final = 6
"""A beginner overlooks something once in so many times."""

_Discarding = Callable[[Rules, SeatView, Sequence[Tile], PlayerRng], Tile]


def easy(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """A beginner: knows what to collect, but overlooks useful discards and lets good tiles go."""
    if Draw() in legal and rng.once_in(_LAPSE):
        legal = [move for move in legal if not isinstance(move, Take)]
    return _play(rules, view, legal, rng, _carelessly)


def greedy(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Always the smallest distance, and of the tiles that give it one that lies alone."""
    return _play(rules, view, legal, rng, _loneliest)


def steady(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Always the smallest distance, and of the tiles that give it the one that leaves most to hope for."""
    return _play(rules, view, legal, rng, _most_hopeful)


def _play(
    rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng, discarding: _Discarding
) -> Move:
    finishing = [move for move in legal if isinstance(move, Finish)]
    if finishing:
        return next((move for move in finishing if move.tile == view.public.okey), rng.choice(finishing))
    if Show() in legal:
        return Show()
    discards = [move.tile for move in legal if isinstance(move, Discard)]
    if discards:
        return Discard(discarding(rules, view, discards, rng))
    return _draw_or_take(rules, view, legal, rng)


def _draw_or_take(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Take the discard that brings the rack nearest to winning, if one does; else draw while one can."""
    now = _distance(rules, view, view.rack)
    takes = {
        move: _distance(rules, view, (*view.rack, tile))
        for move in legal
        if isinstance(move, Take) and (tile := _top(view, move)) is not None
    }
    if not takes or (Draw() in legal and min(takes.values()) >= now):
        return Draw()
    return rng.choice([move for move, after in takes.items() if after == min(takes.values())])


def _top(view: SeatView, move: Take) -> Tile | None:
    return view.left_pile[-1] if move.source is None else view.public.discard_tops[move.source]


def _loneliest(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    nearest = _within(0, rules, view, discards)
    company = {tile: neighbours(tile, view.rack, view.public.okey) for tile in nearest}
    return rng.choice([tile for tile in nearest if company[tile] == min(company.values())])


def _carelessly(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    return rng.choice(_within(int(rng.once_in(_LAPSE)), rules, view, discards))


def _most_hopeful(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    nearest = _within(0, rules, view, discards)
    if len(nearest) == 1:
        return nearest[0]
    unseen = _unseen(view)
    hopes = {tile: _hope(rules, view, without(view.rack, tile), unseen) for tile in nearest}
    return rng.choice([tile for tile in nearest if hopes[tile] == max(hopes.values())])


def _within(slack: int, rules: Rules, view: SeatView, discards: Sequence[Tile]) -> list[Tile]:
    """The tiles without which the rack is at most `slack` further from winning than without the best."""
    after = {tile: _distance(rules, view, without(view.rack, tile)) for tile in discards}
    return [tile for tile in discards if after[tile] <= min(after.values()) + slack]


def _hope(rules: Rules, view: SeatView, rack: Sequence[Tile], unseen: Counter[Tile]) -> int:
    """How many unseen tiles would bring the rack nearer."""
    useful = useful_tiles(rules.meld_rules(view.public.okey), rack)
    return sum(unseen[tile] for tile in useful)


def _unseen(view: SeatView) -> Counter[Tile]:
    """The tiles that the seat does not see now."""
    tops = (top for top in view.public.discard_tops if top is not None)
    below = view.own_pile[:-1] + view.left_pile[:-1]
    return Counter(FULL_SET) - Counter([*view.rack, view.public.indicator, *tops, *below])


def _distance(rules: Rules, view: SeatView, rack: Sequence[Tile]) -> int:
    return distance(rules.meld_rules(view.public.okey), rack)
