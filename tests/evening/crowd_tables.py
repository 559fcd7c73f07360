"""Tables with all people seated, dealt at the same moment: written straight into the store."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from pathlib import Path

from bot.app import fresh_secret
from bot.handlers.presence import new_seat
from bot.people.profiles import Profile
from bot.ports import Person
from bot.repository.tables import StoredTable, TableRepository
from bot.store import open_store
from bot.tables import lobby, play
from bot.tables.play import Delays
from bot.tables.table import PLAIN, Change, Display
from engine.rules import Rules, rules_from

TURN_SECONDS = 600
"""Seconds for a turn, so many that no clock ends."""

DELAYS = Delays(computer=1.0, next_round=5.0)


async def seat(
    data: Path,
    place: str,
    tables: Sequence[Sequence[Person]],
    *,
    rules: Rules | None = None,
    turn_seconds: int = TURN_SECONDS,
    display: Display = PLAIN,
) -> list[str]:
    """Seat people in a lobby for each table at a place, and return the tables' ids.

    The program is not told: it finds the tables by their marks in the store.
    """
    async with open_store(None, data) as store:
        repository = TableRepository(store)
        changes = [_lobby(place, people, rules, turn_seconds, display) for people in tables]
        await asyncio.gather(*(repository.create(change.table.id, change, "seated") for change in changes))
    return [change.table.id for change in changes]


async def begin(data: Path, tables: Sequence[str]) -> None:
    """Deal all tables at once."""

    def begun(stored: StoredTable) -> Change:
        return play.start(stored.value, stored.value.host, DELAYS)

    async with open_store(None, data) as store:
        repository = TableRepository(store)
        await asyncio.gather(*(repository.change(table, "begun", begun) for table in tables))


def _lobby(
    place: str, people: Sequence[Person], rules: Rules | None, turn_seconds: int, display: Display
) -> Change:
    """A lobby with everybody seated."""
    now = time.time()
    opened = lobby.open_table(
        table_id=secrets.token_hex(4),
        place=place,
        host=new_seat(people[0], Profile(), now),
        rules=rules or rules_from({"preset": "okey", "players": len(people)}),
        language="en",
        turn_seconds=turn_seconds,
        secret=fresh_secret(),
        display=display,
        now=now,
    )
    table = opened.table
    for person in people[1:]:
        table = lobby.join(table, new_seat(person, Profile(), now)).table
    return Change(table, due=opened.due)
