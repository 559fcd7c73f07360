"""Automatic players of classic Okey: which discard to take, and which tile to discard."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.arrange import distance, winning_arrangements, without
from engine.arrange.useful import neighbours
from engine.games.classic import doublings
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.players.outlook import nearest_of, outlooks_after
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView, find_taken

_LAPSE: Final = 6
"""A beginner overlooks something once in this many times."""

Discarding = Callable[[Rules, SeatView, Sequence[Tile], PlayerRng], Tile]
Taking = Callable[[Rules, SeatView, Mapping[Take, Tile], PlayerRng], Take | None]


def nearest(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Keeps the smallest distance, with any of the discards that give it."""
    return play(rules, view, legal, rng, nearer, _any_nearest)


def greedy(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Keeps the smallest distance, with a discard that has the fewest neighbours."""
    return play(rules, view, legal, rng, nearer, _loneliest)


def easy(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Return a beginner, who knows what to collect, but overlooks useful discards and gives good tiles
    away."""
    return play(rules, view, legal, rng, _inattentively, _carelessly)


def steady(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Keeps the smallest distance, with the discard that leaves the most useful unseen tiles."""
    return play(rules, view, legal, rng, nearer, most_hopeful)


def play(
    rules: Rules,
    view: SeatView,
    legal: Sequence[Move],
    rng: PlayerRng,
    taking: Taking,
    discarding: Discarding,
) -> Move:
    """Finish or show if possible, else take and discard by these functions."""
    finishing = [move for move in legal if isinstance(move, Finish)]
    if finishing:
        return rng.cheapest({move: -factor(rules, view, move) for move in finishing})
    if Show() in legal:
        return Show()
    discards = [move.tile for move in legal if isinstance(move, Discard)]
    if discards:
        return Discard(discarding(rules, view, discards, rng))
    takes = {move: find_taken(view.public, move) for move in legal if isinstance(move, Take)}
    if Draw() not in legal:
        return _nearest_take(rules, view, takes, rng)[0]
    return taking(rules, view, takes, rng) or Draw()


def factor(rules: Rules, view: SeatView, move: Finish) -> int:
    """Return the factor by which a finish is paid."""
    okey, rack = view.public.okey, without(view.rack, move.tile)
    ways = winning_arrangements(rules.meld_rules(okey), rack)
    return rules.multiply(len(doublings(rules, okey, rack, move.tile, ways)))


def _nearest_take(
    rules: Rules, view: SeatView, takes: Mapping[Take, Tile], rng: PlayerRng
) -> tuple[Take, int]:
    """Return the discard that brings the rack nearest to winning, and its distance then; there is at least
    one."""
    after = {move: _distance(rules, view, (*view.rack, tile)) for move, tile in takes.items()}
    return rng.cheapest(after), min(after.values())


def nearer(rules: Rules, view: SeatView, takes: Mapping[Take, Tile], rng: PlayerRng) -> Take | None:
    """Return a discard that brings the rack nearer to winning; None: there is none."""
    if not takes:
        return None
    move, after = _nearest_take(rules, view, takes, rng)
    return move if after < _distance(rules, view, view.rack) else None


def _inattentively(rules: Rules, view: SeatView, takes: Mapping[Take, Tile], rng: PlayerRng) -> Take | None:
    return None if rng.once_in(_LAPSE) else nearer(rules, view, takes, rng)


def _any_nearest(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    return rng.choice(list(nearest_of(rules, view, discards)))


def _loneliest(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    nearest = nearest_of(rules, view, discards)
    return rng.cheapest({tile: neighbours(tile, view.rack, view.public.okey) for tile in nearest})


def _carelessly(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    if rng.once_in(_LAPSE):
        return rng.choice([tile for tile in discards if tile != view.public.okey])
    return rng.choice(list(nearest_of(rules, view, discards)))


def most_hopeful(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    nearest = nearest_of(rules, view, discards)
    if len(nearest) == 1:
        return next(iter(nearest))
    outlooks = outlooks_after(rules, view, nearest)
    most = max(outlook.live for outlook in outlooks.values())
    return rng.choice([tile for tile in nearest if outlooks[tile].live == most])


def _distance(rules: Rules, view: SeatView, rack: Sequence[Tile]) -> int:
    return distance(rules.meld_rules(view.public.okey), rack)
