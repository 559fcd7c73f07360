"""Watch: tells the followers of tables about news, whichever process made it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from bot.background import PeriodicTask
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Store

POLL_SECONDS: Final = 0.5
"""Seconds between two questions to the store about other processes' changes; this one's are heard at once."""


class Follower:
    """Somebody who looks at tables."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}
        """The versions of the tables that they see."""
        self.person = ""
        self.place = ""
        """Who they are and where: a new table at which they sit, or that stands there, is news."""
        self._news = asyncio.Event()

    def hears(self) -> None:
        """Signal that there is news."""
        self._news.set()

    async def news(self, seconds: float) -> None:
        """Wait for news, at most this many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)
        self._news.clear()


class TableWatch:
    """Tells the followers in one process."""

    def __init__(self, store: Store, tables: TableRepository) -> None:
        self._store = store
        self._followers: set[Follower] = set()
        self._polling = PeriodicTask("watching tables", self._poll)
        tables.listeners.append(self._note_commit)

    @contextmanager
    def following(self) -> Iterator[Follower]:
        """Open a follower, until the context ends."""
        follower = Follower()
        self._followers.add(follower)
        try:
            with self._polling.keep_going():
                yield follower
        finally:
            self._followers.discard(follower)

    def _note_commit(self, table: str, stored: StoredTable) -> None:
        self._tell({table: stored.version})
        people, places = {seat.person for seat in stored.value.seats}, stored.value.places
        for follower in self._followers:
            if table not in follower.seen and (follower.place in places or follower.person in people):
                follower.hears()

    async def _poll(self) -> None:
        await asyncio.sleep(POLL_SECONDS)
        tables = list({table for follower in self._followers for table in follower.seen})
        self._tell(dict(zip(tables, await self._store.documents.versions(tables), strict=True)))

    def _tell(self, newest: dict[str, int]) -> None:
        for follower in self._followers:
            if any(_differs(follower, table, version) for table, version in newest.items()):
                follower.hears()


def _differs(follower: Follower, table: str, version: int) -> bool:
    return follower.seen.get(table, version) != version
