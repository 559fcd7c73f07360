"""Turn of Okey 101: taking a discard and giving it back, discarding, finishing, fines (RULES 5)."""

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import NotAllowed
from engine.events import Discarded, Drew, Event, Exhausted, Fined, FineReason, Finished, Returned, Took
from engine.games.game import Stepped
from engine.melds import Board, Placed, Way, fitting, read_as_played
from engine.rules import Penalty, Rules
from engine.state import LAST_TURN, Ending, Round, at_seat, discard, draw, over, seat_before, take, without
from engine.tiles import Tile


def must_use(round: Round) -> Tile | None:
    """Return the taken discard that the seat on turn still has to lay or give back; None: there is none.

    Whoever declared pairs may keep it.
    """
    free = round.source is None or round.board.used or round.turn in round.board.declared
    return None if free else round.drawn


def like_taken(round: Round, tiles: Sequence[Tile]) -> int:
    """Return the number of these tiles equal to the discard taken in this turn; both tiles of a face
    count."""
    return 0 if round.source is None or round.drawn is None else tiles.count(round.drawn)


def way_opened(round: Round) -> Way:
    """Return the way in which the seat on turn opened. Raises NotAllowed `not_opened`."""
    way = round.board.opened[round.turn]
    if way is None:
        raise NotAllowed("not_opened")
    return way


def rack_less(round: Round, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the rack of the seat on turn after these tiles are laid.

    Raises NotAllowed `not_on_rack`, and `last_tile`: the last one is for the discard.
    """
    left = without(round.racks[round.turn], tiles)
    if not left:
        raise NotAllowed("last_tile")
    return left


def off_rack(round: Round, tiles: tuple[Tile, ...]) -> Round:
    """Return the round without these tiles on the rack of the seat on turn. Raises as `rack_less`."""
    used = round.board.used + like_taken(round, tiles)
    racks = at_seat(round.racks, round.turn, rack_less(round, tiles))
    return replace(round, racks=racks, board=replace(round.board, used=used))


def add_fine(round: Round, seat: int, reason: FineReason, events: tuple[Event, ...]) -> Stepped:
    """Return the round and its events with 101 points more for a seat."""
    fines = at_seat(round.board.fines, seat, round.board.fines[seat] + 1)
    return replace(round, board=replace(round.board, fines=fines)), (*events, Fined(seat, reason))


def draw_tile(round: Round) -> Stepped:
    """Draw; the discard before can no longer be called. Raises NotAllowed."""
    return _past_calls(draw(round)), (Drew(round.turn),)


def take_discard(round: Round, source: int | None) -> Stepped:
    """Take the previous player's last discard, which can no longer be called. Raises NotAllowed."""
    left = seat_before(round, round.turn)
    if round.phase == "draw":
        if round.board.returned:
            raise NotAllowed("already_returned")
        if source is not None and source != left:
            raise NotAllowed("nothing_to_take", source=source)
    taken = take(round, left)
    assert taken.drawn is not None
    return _past_calls(taken), (Took(round.turn, left, taken.drawn),)


def _past_calls(round: Round) -> Round:
    if not round.board.call_open:
        return round
    return replace(round, board=replace(round.board, call_open=False))


def give_back(rules: Rules, round: Round) -> Stepped:
    """Put the taken discard back on its pile; the seat must draw. Raises NotAllowed."""
    tile, source, seat = must_use(round), round.source, round.turn
    if tile is None or source is None:
        raise NotAllowed("nothing_to_return")
    returned = replace(
        round,
        racks=at_seat(round.racks, seat, without(round.racks[seat], (tile,))),
        piles=at_seat(round.piles, source, (*round.piles[source], tile)),
        phase="draw",
        drawn=None,
        source=None,
        board=replace(round.board, returned=True),
    )
    events: tuple[Event, ...] = (Returned(seat, source, tile),)
    if rules.return_taken == "free":
        return returned, events
    return add_fine(returned, seat, "return_taken", events)


def discard_tile(rules: Rules, round: Round, tile: Tile) -> Stepped:
    """Discard a tile that is not the last one. Raises NotAllowed.

    The stock's end ends the round, and so does the last turn of all: those who declared pairs could otherwise
    take discards for ever.
    """
    seat = round.turn
    after = _let_go(round, tile)
    if not after.racks[seat]:
        raise NotAllowed("last_tile_finishes")
    events: tuple[Event, ...] = (Discarded(seat, tile),)
    fine = fine_for_discard(rules, round.board, round.okey, tile)
    if fine is not None and not (fine == "playable_discard" and rules.playable_called):
        after, events = add_fine(after, seat, fine, events)
    if after.stock and after.turns < LAST_TURN:
        return replace(after, board=replace(after.board, call_open=rules.playable_called)), events
    return over(after, Ending("exhausted")), (*events, Exhausted())


def finish(round: Round, tile: Tile) -> Stepped:
    """Discard the last tile and end the round. Raises NotAllowed."""
    seat, board = round.turn, round.board
    after = _let_go(round, tile)
    if after.racks[seat]:
        raise NotAllowed("not_last_tile")
    elden = board.opened_now and sum(way is not None for way in board.opened) == 1
    marks = {"elden": elden, "joker": tile == round.okey, "pairs": board.opened[seat] == "pairs"}
    how = tuple(mark for mark, holds in marks.items() if holds)
    return over(after, Ending("win", seat, how, tile=tile)), (Finished(seat, tile),)


def fine_for_discard(rules: Rules, board: Board, okey: Tile, tile: Tile) -> Penalty | None:
    """Return the penalty that discarding a tile costs now, unless it is the finishing discard; under
    `playable_called`, the one for a playable tile if somebody calls it.

    An okey costs only `joker_discard`, though it could be laid off too.
    """
    if tile == okey:
        return "joker_discard" if "joker_discard" in rules.penalties else None
    if "playable_discard" not in rules.penalties:
        return None
    face, meld_rules = read_as_played(Placed(tile), okey).face, rules.meld_rules(okey)
    playable = any(face in fitting(meld_rules, laid.meld) for laid in board.melds)
    return "playable_discard" if playable else None


def _let_go(round: Round, tile: Tile) -> Round:
    """Return the round after the discard, its board ready for the next turn. Raises NotAllowed."""
    after = discard(round, tile)
    taken = must_use(round)
    if taken is not None:
        raise NotAllowed("taken_unused", tile=taken.name)
    board = replace(
        round.board, opened_now=False, used=0, returned=False, laid_off=(), added=0, took_back=False
    )
    return replace(after, board=board)
