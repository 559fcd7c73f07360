"""Hints: the best move for the seat on turn, and why, as far as the seat can see."""

from collections.abc import Sequence

from engine.games import CLASSIC, game_of
from engine.hints import classic, okey101
from engine.hints.classic import ClassicHint
from engine.hints.okey101 import Okey101Hint
from engine.moves import Move
from engine.rules import Rules
from engine.view import SeatView

Hint = ClassicHint | Okey101Hint


def hint(rules: Rules, view: SeatView, legal: Sequence[Move]) -> Hint | None:
    """Return the advice for a view's seat with these legal moves; None when it is not on turn."""
    if not legal or view.public.turn != view.seat:
        return None
    if game_of(rules) is CLASSIC:
        return classic.hint(rules, view, legal)
    return okey101.hint(rules, view, legal)
