"""Computer players. They see what a person in their seat would see: his view, never the state of a round."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from engine.moves import Move
from engine.players import classic, okey101
from engine.players.rng import Lots
from engine.rules import Rules
from engine.view import SeatView

Level = Literal["random", "easy", "greedy", "steady"]
"""`random` plays any legal move. `easy` is a beginner, who overlooks things. `greedy` always keeps the
smallest distance and lets lonely tiles go first (RULES 7); `steady` keeps, of the racks with the smallest
distance, one that most unseen tiles improve. In Okey 101, which knows no distance, these two are one."""

_Player = Callable[[Rules, SeatView, Sequence[Move], Lots], Move]


def _any(rules: Rules, view: SeatView, legal: Sequence[Move], lots: Lots) -> Move:
    return lots.one_of(legal)


_CLASSIC: Final[Mapping[Level, _Player]] = {
    "random": _any,
    "easy": classic.easy,
    "greedy": classic.greedy,
    "steady": classic.steady,
}
_OKEY101: Final[Mapping[Level, _Player]] = {
    "random": _any,
    "easy": okey101.easy,
    "greedy": okey101.steady,
    "steady": okey101.steady,
}


def choose(level: Level, rules: Rules, view: SeatView, legal: Sequence[Move], seed: bytes) -> Move:
    """One of the legal moves of a view's seat, of which there must be one.

    The same arguments give the same move; what a player leaves to chance comes from `seed`.
    """
    players = _CLASSIC if rules.game == "classic" else _OKEY101
    return players[level](rules, view, legal, Lots(seed))
