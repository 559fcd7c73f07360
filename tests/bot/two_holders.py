"""Two processes that hold one lease for a moment: one was stopped, and knows nothing of the other one yet."""

import asyncio
from typing import Any

from bot.store import Store


class Everything:
    """Leases all deliveries to this process."""

    served = frozenset({"mem"})

    def chats_at(self, partition: int) -> frozenset[str]:
        return self.served


class StoppedStore:
    """A store whose process is stopped whenever it is about to make notes before it sends something."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.stopped = 0
        """How many notes wait for the process to go on."""
        self._going_on = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def go_on(self) -> None:
        self._going_on.set()

    async def swap_notes(self, *arguments: Any) -> bool:
        self.stopped += 1
        await self._going_on.wait()
        return await self._store.swap_notes(*arguments)
