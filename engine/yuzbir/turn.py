"""What all moves of a 101 turn share: the board, the taken discard, tiles leaving the rack, fines."""

from collections.abc import Sequence
from dataclasses import replace

from engine.board import Board, Way
from engine.errors import NotAllowed
from engine.events import Event, Fined, FineReason
from engine.state import Round, with_tiles, without
from engine.tiles import Tile

Stepped = tuple[Round, tuple[Event, ...]]


def board_of(round: Round) -> Board:
    """The round's board, which every round of 101 has."""
    assert round.board is not None
    return round.board


def must_use(round: Round) -> Tile | None:
    """The taken discard that the seat on turn still has to lay or give back."""
    return round.drawn if round.source is not None and not board_of(round).used else None


def like_taken(round: Round, tiles: Sequence[Tile]) -> int:
    """How many of these tiles are like the discard taken in this turn. The two of a face are the same."""
    return 0 if round.source is None or round.drawn is None else tiles.count(round.drawn)


def way_opened(round: Round) -> Way:
    """How the seat on turn opened. Raises NotAllowed `not_opened`."""
    way = board_of(round).opened[round.turn]
    if way is None:
        raise NotAllowed("not_opened")
    return way


def rack_less(round: Round, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The rack of the seat on turn when these tiles are laid.

    Raises NotAllowed `not_on_rack`, and `last_tile`: that one is for the discard.
    """
    left = without(round.racks[round.turn], tiles)
    if not left:
        raise NotAllowed("last_tile")
    return left


def off_rack(round: Round, tiles: tuple[Tile, ...]) -> Round:
    """The round without these tiles on the rack of the seat on turn. Raises as `rack_less`."""
    board = board_of(round)
    return replace(
        round,
        racks=with_tiles(round.racks, round.turn, rack_less(round, tiles)),
        board=replace(board, used=board.used + like_taken(round, tiles)),
    )


def fined(round: Round, seat: int, reason: FineReason, events: tuple[Event, ...]) -> Stepped:
    """The round and its events with 101 points more for a seat."""
    board = board_of(round)
    fines = (*board.fines[:seat], board.fines[seat] + 1, *board.fines[seat + 1 :])
    return replace(round, board=replace(board, fines=fines)), (*events, Fined(seat, reason))
