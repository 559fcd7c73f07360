"""Automatic players of classic Okey: which discard to take, which tile to let go."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.arrange import distance, distances_without, without
from engine.arrange.useful import neighbours
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.players.outlook import outlook_of
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView

_LAPSE: Final = 6
"""A beginner overlooks something once in so many times."""
_PATIENCE: Final = 0.8
"""How likely a round is to last until the next turn, where a discard is taken instead of drawing."""

_Discarding = Callable[[Rules, SeatView, Sequence[Tile], PlayerRng], Tile]
_Taking = Callable[[Rules, SeatView, Mapping[Take, Tile], PlayerRng], Take | None]


def nearest(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Always the smallest distance, and of the tiles that give it any."""
    return _play(rules, view, legal, rng, _nearer, _any_nearest)


def greedy(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Always the smallest distance, and of the tiles that give it one that lies alone."""
    return _play(rules, view, legal, rng, _nearer, _loneliest)


def easy(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """A beginner: knows what to collect, but overlooks useful discards and lets good tiles go."""
    return _play(rules, view, legal, rng, _inattentively, _carelessly)


def steady(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Always the smallest distance, and of the tiles that give it the one that leaves most to hope for."""
    return _play(rules, view, legal, rng, _nearer, _most_hopeful)


def sharp(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """As `steady`, but a discard that brings the rack no nearer is taken, too, where it improves its chances
    by more than drawing is worth."""
    return _play(rules, view, legal, rng, _improving, _most_hopeful)


def _play(
    rules: Rules,
    view: SeatView,
    legal: Sequence[Move],
    rng: PlayerRng,
    taking: _Taking,
    discarding: _Discarding,
) -> Move:
    finishing = [move for move in legal if isinstance(move, Finish)]
    if finishing:
        return next((move for move in finishing if move.tile == view.public.okey), rng.choice(finishing))
    if Show() in legal:
        return Show()
    discards = [move.tile for move in legal if isinstance(move, Discard)]
    if discards:
        return Discard(discarding(rules, view, discards, rng))
    takes = {move: _top(view, move) for move in legal if isinstance(move, Take)}
    if Draw() not in legal:
        return _nearest_take(rules, view, takes, rng)[0]
    return taking(rules, view, takes, rng) or Draw()


def _top(view: SeatView, move: Take) -> Tile:
    tile = view.left_pile[-1] if move.source is None else view.public.discard_tops[move.source]
    assert tile is not None
    return tile


def _nearest_take(
    rules: Rules, view: SeatView, takes: Mapping[Take, Tile], rng: PlayerRng
) -> tuple[Take, int]:
    """The discard that brings the rack nearest to winning, of which there must be one, and how near."""
    after = {move: _distance(rules, view, (*view.rack, tile)) for move, tile in takes.items()}
    least = min(after.values())
    return rng.choice([move for move in takes if after[move] == least]), least


def _nearer(rules: Rules, view: SeatView, takes: Mapping[Take, Tile], rng: PlayerRng) -> Take | None:
    """A discard that brings the rack nearer to winning."""
    if not takes:
        return None
    move, after = _nearest_take(rules, view, takes, rng)
    return move if after < _distance(rules, view, view.rack) else None


def _inattentively(rules: Rules, view: SeatView, takes: Mapping[Take, Tile], rng: PlayerRng) -> Take | None:
    return None if rng.once_in(_LAPSE) else _nearer(rules, view, takes, rng)


def _improving(rules: Rules, view: SeatView, takes: Mapping[Take, Tile], rng: PlayerRng) -> Take | None:
    """A discard that brings the rack nearer, or without that gives it better chances than a draw is worth."""
    nearer = _nearer(rules, view, takes, rng)
    if nearer is not None or not takes:
        return nearer
    now = outlook_of(rules, view, view.rack).value(_PATIENCE) / _PATIENCE
    after = {move: _value_with(rules, view, tile) for move, tile in takes.items()}
    best = max(takes, key=after.__getitem__)
    return best if after[best] > now else None


def _value_with(rules: Rules, view: SeatView, tile: Tile) -> float:
    """What a rack is worth that takes a tile and lets the best other one go, no further from winning."""
    more = (*view.rack, tile)
    after = distances_without(rules.meld_rules(view.public.okey), more)
    others = [other for other in after if other != tile and after[other] == after[tile]]
    outlooks = (outlook_of(rules, view, without(more, other)) for other in others)
    return max((outlook.value(_PATIENCE) for outlook in outlooks), default=0.0)


def _any_nearest(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    return rng.choice(_nearest(rules, view, discards))


def _loneliest(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    nearest = _nearest(rules, view, discards)
    company = {tile: neighbours(tile, view.rack, view.public.okey) for tile in nearest}
    return rng.choice([tile for tile in nearest if company[tile] == min(company.values())])


def _carelessly(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    return rng.choice(discards if rng.once_in(_LAPSE) else _nearest(rules, view, discards))


def _most_hopeful(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    nearest = _nearest(rules, view, discards)
    if len(nearest) == 1:
        return nearest[0]
    live = {tile: outlook_of(rules, view, without(view.rack, tile)).live for tile in nearest}
    return rng.choice([tile for tile in nearest if live[tile] == max(live.values())])


def _nearest(rules: Rules, view: SeatView, discards: Sequence[Tile]) -> list[Tile]:
    """The tiles without which the rack is nearest to winning."""
    after = distances_without(rules.meld_rules(view.public.okey), view.rack)
    least = min(after[tile] for tile in discards)
    return [tile for tile in discards if after[tile] == least]


def _distance(rules: Rules, view: SeatView, rack: Sequence[Tile]) -> int:
    return distance(rules.meld_rules(view.public.okey), rack)
