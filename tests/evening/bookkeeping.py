"""The stored tables of a running bot, read from its store."""

import json
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bot.repository.tables import CODEC
from bot.store import Store, open_store
from bot.tables.table import Table
from bot.tables.worth import read_worth
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import eventually


@dataclass(frozen=True, slots=True)
class Entry:
    """A table as stored."""

    table: Table
    version: int
    seconds: float | None
    """Seconds until the deadline, from the moment of reading."""
    log: tuple[dict[str, Any], ...]

    @property
    def turns(self) -> int:
        """The turns that have ended in the round."""
        assert self.table.match.round is not None
        return self.table.match.round.turns

    def untouched_since(self, before: "Entry") -> bool:
        """Return whether nobody acted in between. The clock may have warned, or been moved on."""
        return (_apart_from_clocks(self.table), self.log) == (_apart_from_clocks(before.table), before.log)


def _apart_from_clocks(table: Table) -> Table:
    seats = tuple(replace(seat, seen=0.0) for seat in table.seats)
    return replace(table, seats=seats, clock=replace(table.clock, warned=0, hurried=0, moved=0))


class Books:
    """The store in the data folder of a `RunningBot`, or at an address."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self._data = folder / "data"
        self._url = url

    async def read(self, place: str) -> Entry:
        """The newest table of a place."""
        return (await self.read_all(place))[-1]

    async def until_noted(self, place: str) -> None:
        """Wait until the store knows the message that shows the place's newest table. A message that is not
        stored when its process is killed is sent again, as Telegram offers no way to look for it."""
        async with open_store(self._url, self._data) as store:

            async def noted() -> bool | None:
                return await _is_noted(store, (await self.read(place)).table, place) or None

            await eventually(noted, PATIENCE, "the table's message was not noted")

    async def read_all(self, place: str) -> list[Entry]:
        """Every table of a place, the oldest first."""
        async with open_store(self._url, self._data) as store:
            entries = [await _entry(store, table) for table in await store.index.tables_at(place)]
        return sorted(entries, key=lambda entry: entry.table.opened_at)

    def signal_server(self, number: signal.Signals) -> None:
        """Send a signal to the embedded Valkey of that folder."""
        os.kill(int((self._data / "valkey" / "valkey.pid").read_text()), number)


async def _is_noted(store: Store, table: Table, place: str) -> bool:
    stored = await store.documents.load(table.id)
    assert stored is not None
    shown = stored.notes.get(place)
    seen = None if shown is None else read_worth(shown.worth)
    return seen is not None and seen.round == table.match.round_number


async def _entry(store: Store, table: str) -> Entry:
    """The table and its log, read again if it changed in between."""
    stored = await store.documents.load(table)
    while stored is not None:
        log = tuple(json.loads(entry) for entry in await store.documents.log(table))
        before, stored = stored, await store.documents.load(table)
        if stored is not None and stored.version == before.version:
            left = None if stored.due is None else stored.due - stored.now
            return Entry(CODEC.decode(stored.state), stored.version, left, log)
    raise AssertionError(f"there is no table {table}")
