"""Rounds that people play themselves, to their end, without waiting for anybody."""

from dataclasses import replace

from bot.ports import Person
from bot.repository.tables import StoredTable, TableRepository
from bot.tables import play
from bot.tables.play import Delays
from bot.tables.table import Change, LogEntry
from engine.players import choose
from engine.round import legal_moves
from engine.view import public_view, seat_view
from tests.bot.house import House

DELAYS = Delays(computer=0.0, next_round=600.0)
SECRET = bytes([1]) * 64
"""Of every shuffle, so that the same is played each time."""


async def begin(house: House, table: str, host: Person) -> None:
    """The host starts the match."""
    await house.app.repository.change(
        table, None, lambda stored: Change(replace(stored.value, secret=SECRET))
    )
    await house.press(host, f"start.{table}.0", private=False)


async def play_round(house: House, table: str, *, leave: int = 0) -> None:
    """A round at a table of a house; see `finish_round`."""
    await finish_round(house.app.repository, table, leave=leave)


async def finish_round(repository: TableRepository, table: str, *, leave: int = 0) -> None:
    """Every seat moves as a steady player would, and no seat is a computer player's for that.

    In one commit, which is the round's last; `leave`: so many moves are left out at the end.
    """

    def act(stored: StoredTable) -> Change:
        change = Change(stored.value)
        changes = [change]
        while change.table.stage == "playing":
            change = _moved(change)
            changes.append(change)
        return changes[-1 - leave]

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
