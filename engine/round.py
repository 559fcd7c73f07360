"""One round: what a seat may do, and one step from state to state. The games' own rules are theirs."""

from engine.errors import NotAllowed
from engine.events import Event
from engine.games import classic, okey101
from engine.moves import Move
from engine.rules import Rules
from engine.state import Round

__all__ = ["Round", "legal_moves", "step"]


def legal_moves(rules: Rules, round: Round, seat: int) -> tuple[Move, ...]:
    """Exactly the moves that `step` accepts from `seat` now, each once a face; empty when none.

    `Take()` stands for the same move with the previous player's seat. In Okey 101 the ways to lay
    melds are too many: of them only the best are listed.
    """
    if round.phase == "over" or seat not in round.seats:
        return ()
    if rules.game == "101":
        return okey101.legal_moves(rules, round, seat)
    return classic.legal_moves(rules, round, seat)


def step(rules: Rules, round: Round, seat: int, move: Move) -> tuple[Round, tuple[Event, ...]]:
    """The state after `seat` made a move, and what everybody saw.

    Raises NotAllowed with the code of the broken rule (`docs/errors.md`); then nothing has changed.
    """
    if round.phase == "over":
        raise NotAllowed("round_over")
    if seat not in round.seats:
        raise NotAllowed("not_playing")
    if rules.game == "101":
        return okey101.step(rules, round, seat, move)
    return classic.step(rules, round, seat, move)
