"""Rounds that people play to their end at once, without a clock."""

from dataclasses import replace

from msgspec import structs

from bot.ports import Person
from bot.repository.tables import StoredTable, TableRepository
from bot.tables import play
from bot.tables.play import Delays
from bot.tables.table import Change, LogEntry
from engine.context import seal_from
from engine.players import choose
from engine.round import legal_moves
from engine.view import public_view, seat_view
from tests.bot.house import House

DELAYS = Delays(computer=0.0, next_round=600.0)
SECRET = bytes([1]) * 64
"""The secret of every shuffle, so that each run plays the same."""


async def begin(house: House, table: str, host: Person) -> None:
    """Start the match as its host."""
    await house.app.tables.change(
        table,
        None,
        lambda stored: Change(
            structs.replace(
                stored.value, proof=structs.replace(stored.value.proof, sealed=seal_from(SECRET, table, 1))
            )
        ),
    )
    await house.press(host, f"start.{table}.0", private=False)


async def play_round(house: House, table: str, *, leave: int = 0) -> None:
    """Play a round at a table of a house; see `finish_round`."""
    await finish_round(house.app.tables, table, leave=leave)


async def finish_round(repository: TableRepository, table: str, *, leave: int = 0) -> None:
    """Play a round with a steady player's moves on every seat, without making any a computer player's.

    All moves are in one commit, the round's last. `leave`: the number of moves left out at the end.
    """

    def act(stored: StoredTable) -> Change:
        change = Change(stored.value)
        changes = [change]
        while change.table.stage == "playing":
            change = _moved(change)
            changes.append(change)
        return changes[max(0, len(changes) - 1 - leave)]  # a good deal is over in a few moves

    await repository.change(table, None, act)


def _moved(change: Change) -> Change:
    table = change.table
    seat, round = public_view(table.match).turn, table.match.round
    assert seat is not None
    assert round is not None
    rules = table.match.rules
    move = choose("steady", rules, seat_view(table.match, seat), legal_moves(rules, round, seat), b"seed")
    entries: tuple[LogEntry, ...] = change.entries
    after = play.move(table, seat, move, DELAYS, lambda: SECRET)
    return replace(after, entries=(*entries, *after.entries))
