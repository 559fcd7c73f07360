"""The sharp player of classic Okey: weighs the effect of every take and discard on its chances.

Its way of deciding was found by duels on the same deals; `docs/players.md` has the figures.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.arrange import ARRANGER, distance, distances_without, look_ahead, wins, without
from engine.melds import MeldRules
from engine.moves import Discard, Finish, Move, Take
from engine.players.classic import factor, most_hopeful, nearer, play
from engine.players.outlook import drawable_by, nearest_of, outlook_of, outlooks_after, unseen_by
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView

_TAKING: Final = 0.8
"""The probability that the round lasts for another draw, when a discard is taken instead of drawing."""
_DISCARDING: Final = 0.9
"""The probability when looking two draws ahead."""
_CLEAR: Final = 4
"""A choice better by a quarter than the other needs no thought."""
_WORTH_A_LOOK: Final = 0.6
"""Discards that leave less than this share of the most useful tiles are not examined further."""
_WAITING: Final = 12
"""The number of unseen tiles that would finish by discarding an okey from which it pays to go on."""


def sharp(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    """Takes and discards for the best chances two draws ahead."""
    going_on = _instead_of_finishing(rules, view, legal)
    if going_on is not None:
        return Discard(going_on)
    return play(rules, view, legal, rng, _improving, _looking_ahead if ARRANGER == "c" else most_hopeful)


def closeness(rules: Rules, view: SeatView) -> float:
    """Return the closeness in worth of taking the previous player's discard and drawing: 0 to 1 (equal)."""
    meld_rules, unseen = rules.meld_rules(view.public.okey), unseen_by(view)
    more = (*view.rack, *view.left_pile[-1:])
    away = distance(meld_rules, view.rack)
    if len(more) == len(view.rack) or distance(meld_rules, more) < away:
        return 0.0
    taking = _chance_with(meld_rules, view.rack, more[-1], away, unseen) * _TAKING
    drawing = outlook_of(meld_rules, view.rack, away, drawable_by(view)).chance(_TAKING)
    return max(0.0, 1 - _CLEAR * abs(1 - taking / drawing)) if drawing else 0.0


def _improving(rules: Rules, view: SeatView, takes: Mapping[Take, Tile], rng: PlayerRng) -> Take | None:
    """Return a discard that brings the rack nearer, or to better chances than a draw; None: there is none."""
    brings_nearer = nearer(rules, view, takes, rng)
    if brings_nearer is not None or not takes:
        return brings_nearer
    meld_rules, unseen = rules.meld_rules(view.public.okey), unseen_by(view)
    away = distance(meld_rules, view.rack)
    if not away:
        finishes = _okey_finishes(rules, view, view.rack, takes.values())
        return next((move for move, tile in takes.items() if tile in finishes), None)
    now = outlook_of(meld_rules, view.rack, away, drawable_by(view)).chance(_TAKING)
    after = {move: _chance_with(meld_rules, view.rack, tile, away, unseen) for move, tile in takes.items()}
    best = max(takes, key=after.__getitem__)
    return best if after[best] > now / _TAKING else None


def _chance_with(
    rules: MeldRules, rack: Sequence[Tile], taken: Tile, away: int, unseen: Mapping[Tile, int]
) -> float:
    """Return the best chance of a rack that takes a tile and discards another, staying at the same
    distance."""
    more = (*rack, taken)
    after = distances_without(rules, more)
    others = [tile for tile in after if tile != taken and after[tile] == away]
    outlooks = (outlook_of(rules, without(more, tile), away, unseen) for tile in others)
    return max((outlook.chance(_TAKING) for outlook in outlooks), default=0.0)


def _looking_ahead(rules: Rules, view: SeatView, discards: Sequence[Tile], rng: PlayerRng) -> Tile:
    nearest = nearest_of(rules, view, discards)
    if len(nearest) == 1:
        return next(iter(nearest))
    outlooks = outlooks_after(rules, view, nearest)
    least = _WORTH_A_LOOK * max(outlook.live for outlook in outlooks.values())
    meld_rules, unseen = rules.meld_rules(view.public.okey), unseen_by(view)
    worth = {
        tile: look_ahead(meld_rules, without(view.rack, tile), unseen, _DISCARDING)
        for tile, outlook in outlooks.items()
        if outlook.live >= least
    }
    return rng.choice([tile for tile in worth if worth[tile] == max(worth.values())])


def _instead_of_finishing(rules: Rules, view: SeatView, legal: Sequence[Move]) -> Tile | None:
    """Return the discard of fifteen tiles that could finish, if it pays to wait for a finish that discards an
    okey; None if it does not."""
    live = worth_waiting(rules, view, legal)
    return max(live, key=live.__getitem__, default=None)


def worth_waiting(rules: Rules, view: SeatView, legal: Sequence[Move]) -> dict[Tile, int]:
    """Return the discards after which it pays not to finish now, but to wait for a finish that discards an
    okey; and the number of unseen tiles that would bring it."""
    moves = [move for move in legal if isinstance(move, Finish)]
    draws_again = view.public.stock_left >= sum(size > 0 for size in view.public.rack_sizes)
    if not moves or not draws_again or rules.scoring == "rounds":
        return {}
    if any(factor(rules, view, move) > 1 for move in moves):
        return {}
    unseen = unseen_by(view)
    live = {
        tile: sum(unseen[face] for face in _okey_finishes(rules, view, without(view.rack, tile), unseen))
        for tile in (move.tile for move in moves)
    }
    return {tile: count for tile, count in live.items() if count >= _WAITING}


def _okey_finishes(rules: Rules, view: SeatView, rack: Sequence[Tile], faces: Iterable[Tile]) -> list[Tile]:
    """Return the faces with which fourteen tiles finish by discarding an okey."""
    okey, faces = view.public.okey, list(faces)
    if okey not in rack:
        return []
    rest = without(rack, okey)
    won = wins(rules.meld_rules(okey), [(*rest, face) for face in faces])
    return [face for face, wins_with in zip(faces, won, strict=True) if wins_with]
