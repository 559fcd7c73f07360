"""Turns without a press: computer players and ended clocks; and whether people are there."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from msgspec import structs

from bot.errors import Refused
from bot.tables import clocks, play, practice
from bot.tables.lobby import call, close_lobby, host_after
from bot.tables.play import Delays, Entropy
from bot.tables.table import INSTEAD, Change, ComputerLevel, LogEntry, NamedRound, Recent, Table
from engine.games.okey101.turn import fine_for_discard
from engine.moves import Discard, Draw, Finish, Move, Return, Take
from engine.players import choose
from engine.round import legal_moves
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView, seat_view

MISSED_MOST: Final = 2
"""Turns in a row ended by the clock after which a computer player takes the seat."""

_Choice = Callable[[Table], Move]


def due(
    table: Table, delays: Delays, entropy: Entropy, now: float, named: NamedRound | None = None
) -> Change | None:
    """Return the clock's change of a table whose deadline has come; None when the table only has to be
    forgotten.

    `now` is the store's clock, in seconds since the epoch. `named` is the beacon's round that a deal would
    wait for.
    """
    match table.stage:
        case "playing":
            turn = table.turn
            assert turn is not None
            if is_computers(table):
                return computer_turn(table, turn, delays, entropy)
            if table.practice:
                return practice.broken_off(table)
            if clocks.withheld(table):
                return warning(table, turn, now)
            return overdue_turn(table, turn, delays, entropy)
        case "between":
            return _next_or_end(table, delays, named)
        case "lobby" if table.clock.counts_down:
            return play.start(table, table.host, delays, named)
        case "lobby":
            return close_lobby(table) if table.calls.has_called else call(table, (), {})
        case _:
            return None


def is_computers(table: Table) -> bool:
    """Return whether the turn is a computer player's."""
    return table.turn is not None and table.seats[table.turn].computer is not None


def computer_turn(table: Table, seat: int, delays: Delays, entropy: Entropy) -> Change:
    """Return a computer player's whole turn, from its own view."""
    level = table.seats[seat].computer
    assert level is not None
    return _whole_turn(table, seat, delays, entropy, lambda now: _choose(now, seat, level))


def overdue_turn(table: Table, seat: int, delays: Delays, entropy: Entropy) -> Change:
    """Play a safe turn for a person whose clock ended. After the second in a row a computer player takes
    their seat until they come back."""
    missed = table.seats[seat].missed + 1
    played = _whole_turn(table, seat, delays, entropy, lambda now: _safe(now, seat))
    after = played.table.note(Recent("overdue", seat)).with_seat(seat, missed=missed)
    if missed >= MISSED_MOST:
        after = after.note(Recent("replaced", seat)).with_seat(seat, computer=after.seats[seat].stand_in)
    return replace(played, table=after)


def warning(table: Table, seat: int, now: float) -> Change:
    """Warn a person that the clock will soon end their turn, on their screen unless they just acted."""
    left = clocks.withheld(table)
    warned = structs.replace(table, clock=structs.replace(table.clock, warned=table.turn_number))
    if now - table.seats[seat].seen >= left:
        warned = structs.replace(warned, clock=structs.replace(warned.clock, hurried=table.turn_number))
    return Change(warned, due=left)


def clock_moved(table: Table, mark: int) -> Change | None:
    """Have those who see a table's clock shown that it was put off, at the moment `mark`; None: nobody
    does."""
    is_seen = table.stage == "between" or (table.turn is not None and not is_computers(table))
    return Change(structs.replace(table, clock=structs.replace(table.clock, moved=mark))) if is_seen else None


def mark_present(table: Table, seat: int, now: float, *, private: bool) -> Table:
    """Return the table after a seat's person acted, in private or at the table: no turn counts as missed."""
    closed = table.seats[seat].private_closed and not private
    return table.with_seat(seat, seen=now, missed=0, private_closed=closed)


def return_to_seat(table: Table, seat: int) -> Table:
    """Return the person of a seat takes it back from the computer player."""
    if table.seats[seat].computer is None:
        return table
    return table.note(Recent("returned", seat)).with_seat(seat, computer=None)


def back_in(table: Table, seat: int, delays: Delays) -> Change:
    """Let the person of a seat take it back from the computer player. On their turn they get a whole clock,
    but only the rest of it if they stepped out in this turn."""
    after = return_to_seat(table, seat)
    if table.turn != seat or table.seats[seat].computer is None:  # who was there all the time: an old button
        return Change(after)
    turn, left = table.clock.stepped_out
    if turn != table.turn_number:
        return Change(after, due=play.clock(after, delays))
    if left <= clocks.withheld(after):
        return Change(structs.replace(after, clock=structs.replace(after.clock, warned=turn)), due=left)
    return Change(after, due=left - clocks.withheld(after))


def step_out(
    table: Table, person: str, level: ComputerLevel, delays: Delays, clock_left: float | None = None
) -> Change:
    """Let a person leave a running match: a computer player of that level keeps their seat for them.

    `clock_left` are the seconds of the table's clock, as people see it; None: it stands still. On their own
    turn the wait for the computer player is taken from it, so that stepping out and back in gains no time.
    """
    seat = table.seat_of(person)
    if seat is None:
        raise Refused("not_seated")
    if table.stage not in ("playing", "between"):
        raise Refused("no_round")
    left = table.note(Recent("replaced", seat)).with_seat(seat, computer=level, missed=0)
    if table.host == person:
        left = structs.replace(left, host=host_after(table, seat) or person)
    if clock_left is not None and table.turn == seat and table.seats[seat].computer is None:
        left = structs.replace(
            left,
            clock=structs.replace(
                left.clock, stepped_out=(table.turn_number, max(0.0, clock_left - delays.computer))
            ),
        )
    return Change(left, due=play.clock_without(table, left, seat, delays))


def safe_move(rules: Rules, view: SeatView, legal: tuple[Move, ...]) -> Move:
    """Return a move for an absent player: draw, and discard what was drawn. An okey is kept; nothing is
    finished or shown.

    In Okey 101 nothing is opened or laid either, except where a penalty cannot be avoided otherwise; the last
    tile on the rack must go, though that ends the round. With the stock empty, a discard that would win can
    be the only legal one: it is made, but not as a finish.
    """
    if Draw() in legal:
        return Draw()
    take = next((move for move in legal if isinstance(move, Take)), None)
    if take is not None:
        return take
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


def _next_or_end(table: Table, delays: Delays, named: NamedRound | None) -> Change:
    """Return the next round, or the end of a match that all its people have left."""
    if table.attended:
        return play.next_round(table, delays, named)
    return Change(structs.replace(table, stage="over"), due=play.OVER_SECONDS)


def _whole_turn(table: Table, seat: int, delays: Delays, entropy: Entropy, choice: _Choice) -> Change:
    entries: tuple[LogEntry, ...] = ()
    while True:
        change = play.move(table, seat, choice(table), delays, entropy)
        entries += change.entries
        table = change.table
        if table.turn != seat:
            if table.seats[seat].person is not None:  # they are not judged by it
                entries = tuple({**entry, INSTEAD: True} for entry in entries)
            return replace(change, entries=entries)


def _choose(table: Table, seat: int, level: ComputerLevel) -> Move:
    seed = hashlib.sha256(table.proof.sealed.secret + table.moment.to_bytes(8)).digest()
    return choose(level, table.match.rules, seat_view(table.match, seat), _legal(table, seat), seed)


def _safe(table: Table, seat: int) -> Move:
    return safe_move(table.match.rules, seat_view(table.match, seat), _legal(table, seat))


def _legal(table: Table, seat: int) -> tuple[Move, ...]:
    assert table.match.round is not None
    return legal_moves(table.match.rules, table.match.round, seat)


def _rid_of_taken(rules: Rules, view: SeatView, legal: tuple[Move, ...]) -> Move:
    """Return a way to get rid of the taken discard: it goes back, or if that is fined it is laid if
    possible."""
    if rules.return_taken == "free":
        return Return()
    return choose("steady", rules, view, legal, bytes(32))


def _harmless(rules: Rules, view: SeatView, tile: Tile) -> bool:
    """Return whether a tile's discard neither gives an okey away nor is fined."""
    board, okey = view.public.board, view.public.okey
    return tile is not okey and fine_for_discard(rules, board, okey, tile) is None
