"""The discard that ends a 101 turn, what it may cost, and the one that ends the round (RULES 5)."""

from dataclasses import replace

from engine.board import Board, fitting, played_as
from engine.errors import NotAllowed
from engine.events import Discarded, Event, Exhausted, Finished
from engine.moves import Placed
from engine.rules import Penalty, Rules
from engine.state import Ending, Round, discard, over
from engine.tiles import Tile
from engine.yuzbir.turn import Stepped, board_of, fined, must_use


def discard_tile(rules: Rules, round: Round, tile: Tile) -> Stepped:
    """Discard a tile that is not the last one. Raises NotAllowed."""
    seat = round.turn
    after = _let_go(round, tile)
    if not after.racks[seat]:
        raise NotAllowed("last_tile_finishes")
    events: tuple[Event, ...] = (Discarded(seat, tile),)
    fine = fine_for_discard(rules, board_of(round), round.okey, tile)
    if fine is not None:
        after, events = fined(after, seat, fine, events)
    if after.stock:
        return after, events
    return over(after, Ending("exhausted")), (*events, Exhausted())


def finish(round: Round, tile: Tile) -> Stepped:
    """Discard the last tile and end the round. Raises NotAllowed."""
    seat, board = round.turn, board_of(round)
    after = _let_go(round, tile)
    if after.racks[seat]:
        raise NotAllowed("not_last_tile")
    elden = board.opened_now and sum(way is not None for way in board.opened) == 1
    marks = {"elden": elden, "joker": tile == round.okey, "pairs": board.opened[seat] == "pairs"}
    how = tuple(mark for mark, holds in marks.items() if holds)
    return over(after, Ending("win", seat, how, tile=tile)), (Finished(seat, tile),)


def fine_for_discard(rules: Rules, board: Board, okey: Tile, tile: Tile) -> Penalty | None:
    """The penalty that discarding a tile costs now, unless it is the finishing discard.

    An okey costs `joker_discard` only, though it could be laid off too.
    """
    if tile == okey:
        return "joker_discard" if "joker_discard" in rules.penalties else None
    if "playable_discard" not in rules.penalties:
        return None
    face = played_as(Placed(tile), okey).face
    playable = any(face in fitting(laid.meld, rules.one_after_thirteen) for laid in board.melds)
    return "playable_discard" if playable else None


def _let_go(round: Round, tile: Tile) -> Round:
    """The discard, and a board ready for the next turn. Raises NotAllowed."""
    after = discard(round, tile)
    taken = must_use(round)
    if taken is not None:
        raise NotAllowed("taken_unused", tile=taken.name)
    board = replace(board_of(round), opened_now=False, used=0, returned=False, laid_off=(), took_back=False)
    return replace(after, board=board)
