"""Rollouts of a seat's discards at Okey 101: which comes to fewest points in rounds played to their end."""

from collections.abc import Sequence
from typing import Final

from engine.arrange import rollouts
from engine.arrange.rollouts import WAYS, OtherSeat, Sight
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.players.outlook import unseen_by
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView

_GUESSES: Final = 400
"""The guesses of the hidden tiles in which the best discards are tried."""
_FIRST: Final = 133
"""Those of them in which all are."""
_BEST: Final = 3
_SHOWN: Final = 3
"""The last discards of the previous player that tell of their rack; of the others one, since only that is
seen."""


def is_modelled(rules: Rules) -> bool:
    """Return whether rollouts know these rules: no switch that changes what is laid or what it pays."""
    changing = (rules.one_after_thirteen, rules.raising, rules.reclaim_joker, rules.declare_pairs)
    return not any(changing) and not rules.elden_below and rules.openers_pay == "rack"


def best_discard(
    rules: Rules, view: SeatView, discards: Sequence[Tile | None], rng: PlayerRng
) -> Tile | None:
    """Return the discard that comes to fewest points; None among them stands for opening now.

    A third of the guesses choose three of them, and the rest decide.
    """
    if len(discards) == 1:
        return discards[0]
    first = _totals(rules, view, discards, _FIRST, rng)
    best = sorted(range(len(discards)), key=first.__getitem__)[:_BEST]
    second = _totals(rules, view, [discards[at] for at in best], _GUESSES - _FIRST, rng)
    points = {at: first[at] + more for at, more in zip(best, second, strict=True)}
    return discards[min(sorted(points), key=points.__getitem__)]


def _totals(
    rules: Rules, view: SeatView, discards: Sequence[Tile | None], guesses: int, rng: PlayerRng
) -> list[int]:
    meld_rules, board = rules.meld_rules(view.public.okey), view.public.board
    sight = Sight(
        points_needed(rules, board),
        pairs_needed(rules, board),
        rules.teams,
        view.public.stock_left,
        WAYS[board.opened[view.seat]],
        tuple(_other(rules, view, step) for step in range(1, rules.players)),
        tuple(
            tuple(played.face for played in laid.meld.tiles)
            for laid in board.melds
            if laid.meld.kind != "pair"
        ),
    )
    return rollouts(meld_rules, view.rack, unseen_by(view), sight, tuple(discards), guesses, rng.number())


def _other(rules: Rules, view: SeatView, step: int) -> OtherSeat:
    """Return what is known of the seat so many turns after this one."""
    seat, public = (view.seat + step) % rules.players, view.public
    top = public.discard_tops[seat]
    shown = view.left_pile[-_SHOWN:] if step == rules.players - 1 else () if top is None else (top,)
    return OtherSeat(public.rack_sizes[seat], WAYS[public.board.opened[seat]], tuple(shown))
