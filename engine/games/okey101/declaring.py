"""Declaring and calling in Okey 101: pairs that a seat will open with, and an opponent's playable discard.

RULES 9 leave open, and this module decides: the starter, who never draws in their first turn, may declare
before they open or discard; one call settles a discard, whether right or wrong; a discard that ends the round
cannot be called.
"""

from dataclasses import replace

from engine.errors import NotAllowed
from engine.events import Called, Declared
from engine.games.game import Stepped
from engine.games.okey101.turn import add_fine, fine_for_discard
from engine.rules import Rules
from engine.state import Round, seat_before


def why_not_declare(rules: Rules, round: Round) -> str | None:
    """Return the code of the refusal if the seat on turn may not declare pairs now; None if it may."""
    seat, board = round.turn, round.board
    if not rules.declare_pairs:
        return "no_declaring"
    if board.opened[seat] is not None:
        return "already_opened"
    if seat in board.declared:
        return "already_declared"
    return None if round.phase == "draw" or round.turns == 0 else "too_late_to_declare"


def declare(rules: Rules, round: Round) -> Stepped:
    """Declare pairs for the seat on turn; it holds for the round. Raises NotAllowed."""
    why = why_not_declare(rules, round)
    if why is not None:
        raise NotAllowed(why)
    board = replace(round.board, declared=(*round.board.declared, round.turn))
    return replace(round, board=board), (Declared(round.turn),)


def why_not_call(rules: Rules, round: Round, seat: int) -> str | None:
    """Return the code of the refusal if a seat may not call the last discard now; None if it may."""
    if not rules.playable_called:
        return "no_calling"
    if not round.board.call_open:
        return "nothing_to_call"
    return "own_discard" if rules.same_side(seat, seat_before(round, round.turn)) else None


def call(rules: Rules, round: Round, seat: int) -> Stepped:
    """Call the last discard playable: a penalty if it is, and nothing if not. Raises NotAllowed."""
    why = why_not_call(rules, round, seat)
    if why is not None:
        raise NotAllowed(why)
    discarder = seat_before(round, round.turn)
    tile, board = round.piles[discarder][-1], replace(round.board, call_open=False)
    right = fine_for_discard(rules, board, round.okey, tile) == "playable_discard"
    called, events = replace(round, board=board), (Called(seat, discarder, tile, right),)
    return add_fine(called, discarder, "playable_discard", events) if right else (called, events)
