"""Automatic players: (seat's view, legal moves, seed) -> move.

They see what a person in their seat would see: a view, never the state of a round.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from engine.games import CLASSIC, OKEY101, Game, game_of
from engine.moves import Move
from engine.players import classic, okey101
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.view import SeatView

PlayerLevel = Literal["random", "easy", "greedy", "steady"]
"""`random` plays any legal move. `easy` is a beginner, who overlooks things. `greedy` always keeps the
smallest distance and lets lonely tiles go first (RULES 7); `steady` keeps, of the racks with the smallest
distance, one that most unseen tiles improve. In Okey 101, which knows no distance, these two are one."""

_Player = Callable[[Rules, SeatView, Sequence[Move], PlayerRng], Move]


def choose(level: PlayerLevel, rules: Rules, view: SeatView, legal: Sequence[Move], seed: bytes) -> Move:
    """One of the legal moves of a view's seat, of which there must be one.

    The same arguments give the same move; what a player leaves to chance comes from `seed`.
    """
    return _PLAYERS[game_of(rules)][level](rules, view, legal, PlayerRng(seed))


def _any(rules: Rules, view: SeatView, legal: Sequence[Move], rng: PlayerRng) -> Move:
    return rng.choice(legal)


_PLAYERS: Final[Mapping[Game, Mapping[PlayerLevel, _Player]]] = {
    CLASSIC: {"random": _any, "easy": classic.easy, "greedy": classic.greedy, "steady": classic.steady},
    OKEY101: {"random": _any, "easy": okey101.easy, "greedy": okey101.steady, "steady": okey101.steady},
}
