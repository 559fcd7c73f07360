"""Automatic players: (seat's view, legal moves, seed) -> move.

They know what a person in their seat would know: a view, never the state of a round.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, get_args

from engine.games import CLASSIC, OKEY101, Game, game_of
from engine.moves import Move
from engine.players import classic, okey101, sharp
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.view import SeatView

PlayerLevel = Literal["random", "nearest", "greedy", "easy", "steady", "sharp"]
"""The levels of play; `docs/players.md` explains how each of them thinks. The first three are for comparison:
`random` plays any legal move, `nearest` keeps any rack of the smallest distance, and `greedy` discards tiles
with few neighbours first (RULES 7)."""

LEVELS: Final[tuple[PlayerLevel, ...]] = get_args(PlayerLevel)

Choose = Callable[[PlayerLevel, Rules, SeatView, Sequence[Move], bytes], Move]
_Player = Callable[[Rules, SeatView, Sequence[Move], PlayerRng], Move]


def choose(level: PlayerLevel, rules: Rules, view: SeatView, legal: Sequence[Move], seed: bytes) -> Move:
    """Return one of the legal moves of a view's seat, of which there must be one.

    The same arguments give the same move; random choices come from `seed`.
    """
    return _PLAYERS[game_of(rules)][level](rules, view, legal, PlayerRng(seed))


def calls(level: PlayerLevel, rules: Rules, view: SeatView, seed: bytes) -> bool:
    """Return whether a player of this level, not on turn or about to draw, calls the last discard playable.

    A call is never wrong; how many they notice depends on the level (RULES 9, `playable_called`).
    """
    turn = view.public.turn
    if not view.public.board.call_open or turn is None:
        return False
    discarder = (turn - 1) % rules.players
    notices = PlayerRng(seed).choice(range(3)) < _NOTICED.get(level, 2)
    return not rules.same_side(view.seat, discarder) and okey101.calls(view, rules, discarder, notices)


def closeness(rules: Rules, view: SeatView) -> float:
    """Return the closeness of the choice that begins the turn of a view's seat, from 0 (clear) to 1, when
    people think longer."""
    return _CLOSENESS[game_of(rules)](rules, view) if view.public.phase == "draw" else 0.0


def _any(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    return rng.choice(legal)


_PLAYERS: Final[Mapping[Game, Mapping[PlayerLevel, _Player]]] = {
    CLASSIC: {
        "random": _any,
        "nearest": classic.nearest,
        "greedy": classic.greedy,
        "easy": classic.easy,
        "steady": classic.steady,
        "sharp": sharp.sharp,
    },
    OKEY101: {
        "random": _any,
        "nearest": okey101.steady,
        "greedy": okey101.steady,
        "easy": okey101.easy,
        "steady": okey101.steady,
        "sharp": okey101.sharp,
    },
}
_NOTICED: Final[Mapping[PlayerLevel, int]] = {"random": 0, "easy": 1, "sharp": 3}
"""Of three playable discards of others, those that a player notices; two, where none is named."""
_CLOSENESS: Final[Mapping[Game, Callable[[Rules, SeatView], float]]] = {
    CLASSIC: sharp.closeness,
    OKEY101: okey101.closeness,
}
