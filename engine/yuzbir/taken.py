"""Taking a discard in 101, and giving it back (RULES 5): what is taken must be used in the same turn."""

from dataclasses import replace

from engine.errors import NotAllowed
from engine.events import Event, Returned, Took
from engine.rules import Rules
from engine.state import Round, seat_before, take, with_tiles, without
from engine.yuzbir.turn import Stepped, board_of, fined, must_use


def take_discard(round: Round, source: int | None) -> Stepped:
    """Take the previous player's last discard. Raises NotAllowed."""
    left = seat_before(round, round.turn)
    if round.phase == "draw":
        if board_of(round).returned:
            raise NotAllowed("already_returned")
        if source is not None and source != left:
            raise NotAllowed("nothing_to_take", source=source)
    taken = take(round, left)
    assert taken.drawn is not None
    return taken, (Took(round.turn, left, taken.drawn),)


def give_back(rules: Rules, round: Round) -> Stepped:
    """The taken discard goes back to its pile, and the seat must draw. Raises NotAllowed."""
    tile, source, seat = must_use(round), round.source, round.turn
    if tile is None or source is None:
        raise NotAllowed("nothing_to_return")
    returned = replace(
        round,
        racks=with_tiles(round.racks, seat, without(round.racks[seat], (tile,))),
        piles=with_tiles(round.piles, source, (*round.piles[source], tile)),
        phase="draw",
        drawn=None,
        source=None,
        board=replace(board_of(round), returned=True),
    )
    events: tuple[Event, ...] = (Returned(seat, source, tile),)
    if rules.return_taken == "free":
        return returned, events
    return fined(returned, seat, "return_taken", events)
