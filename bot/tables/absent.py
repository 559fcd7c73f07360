"""What is played for a person whose clock has ended: the turn goes on, and nothing is risked for him."""

from engine.moves import Discard, Draw, Finish, Move, Return
from engine.players import choose
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView
from engine.yuzbir.discarding import fine_for_discard


def safe_move(rules: Rules, view: SeatView, legal: tuple[Move, ...]) -> Move:
    """Draw, and discard what was drawn; an okey is kept, and nothing is finished or shown for him.

    In Okey 101 nothing is opened or laid for him either, except where a penalty cannot be avoided
    otherwise; the last tile left on his rack must go, though that ends the round.
    """
    if Draw() in legal:
        return Draw()
    if Return() in legal:
        return _rid_of_taken(rules, view, legal)
    drawn = view.drawn
    if drawn is not None and Discard(drawn) in legal and _harmless(rules, view, drawn):
        return Discard(drawn)
    discards = [move for move in legal if isinstance(move, Discard)]
    discards = [move for move in discards if move.tile is not view.public.okey] or discards
    if discards:
        return choose("steady", rules, view, discards, bytes(32))
    return next(move for move in legal if isinstance(move, Finish))


def _rid_of_taken(rules: Rules, view: SeatView, legal: tuple[Move, ...]) -> Move:
    """The taken discard goes back; where that is fined, it is laid if it can be."""
    if rules.return_taken == "free":
        return Return()
    return choose("steady", rules, view, legal, bytes(32))


def _harmless(rules: Rules, view: SeatView, tile: Tile) -> bool:
    """Whether its discard neither gives an okey away nor is fined."""
    board, okey = view.public.board, view.public.okey
    return tile is not okey and (board is None or fine_for_discard(rules, board, okey, tile) is None)
