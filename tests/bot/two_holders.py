"""Two processes that hold one lease for a moment: one was stopped, and knows nothing of the other one yet."""

import asyncio
from typing import Any

from bot.store import Store
from bot.store.documents import DocumentNotes


class Everything:
    """Leases all deliveries to this process."""

    served = frozenset({"mem"})

    def chats_at(self, partition: int) -> frozenset[str]:
        return self.served


class StoppedStore:
    """A store whose process is stopped whenever it is about to make notes before it sends something."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.notes = StoppedNotes(store.notes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @property
    def stopped(self) -> int:
        """Return how many notes wait for the process to go on."""
        return self.notes.stopped

    def go_on(self) -> None:
        self.notes.going_on.set()


class StoppedNotes:
    """The notes of such a store."""

    def __init__(self, notes: DocumentNotes) -> None:
        self._notes = notes
        self.stopped = 0
        self.going_on = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._notes, name)

    async def swap(self, *arguments: Any) -> bool:
        self.stopped += 1
        await self.going_on.wait()
        return await self._notes.swap(*arguments)
