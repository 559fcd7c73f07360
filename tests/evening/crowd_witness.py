"""The commits of a running bot and their times, observed through the store's own notifications."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from bot.people.notifications import find_awaited
from bot.repository.tables import CODEC
from bot.store import Store, open_store
from bot.tables.table import Table
from tests.bot.store.waiting import dirty

_STATES = "__keyspace@0__:{p*}t:*"
"""The channels on which the server reports that a table's state was written."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A table's state as committed."""

    at: float
    """Seconds since the epoch."""
    table: Table

    @property
    def on_turn(self) -> str | None:
        """The person who is to move."""
        seat = find_awaited(self.table)
        return None if seat is None else self.table.seats[seat].person


@dataclass
class Witness:
    """All commits since the start of observation, earliest first."""

    _store: Store
    commits: list[Commit] = field(default_factory=list)
    _under_way: set[asyncio.Task[None]] = field(default_factory=set)

    def saw(self, table: str) -> None:
        """Read and note the state that was committed just now."""
        reading = asyncio.create_task(self._read(table, time.time()))
        self._under_way.add(reading)
        reading.add_done_callback(self._under_way.discard)

    async def _read(self, table: str, at: float) -> None:
        stored = await self._store.documents.load(table)
        if stored is not None:
            self.commits.append(Commit(at, CODEC.decode(stored.state)))

    async def until_all_is_told(self, seconds: float) -> None:
        """Wait until the newest state of every table has been sent to all its people and places."""
        async with asyncio.timeout(seconds):
            while await dirty(self._store, limit=1):  # noqa: ASYNC110 - another process works at it
                await asyncio.sleep(0.2)


@asynccontextmanager
async def witness(data: Path) -> AsyncIterator[Witness]:
    """Observe the commits in the store of this data folder while the body runs."""
    client = Redis(unix_socket_path=str(data / "valkey" / "valkey.sock"))
    async with open_store(None, data) as store, client:
        await client.config_set("notify-keyspace-events", "Kh")
        seen = Witness(store)
        async with client.pubsub() as notes:
            await notes.psubscribe(_STATES)
            listening = asyncio.create_task(_listen(notes, seen))
            try:
                yield seen
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)


async def _listen(notes: PubSub, seen: Witness) -> None:
    async for note in notes.listen():
        if note["type"] == "pmessage" and note["data"] == b"hset":
            seen.saw(note["channel"].rpartition(b"}t:")[2].decode())
