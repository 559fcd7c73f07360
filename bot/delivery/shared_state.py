"""Shared state: what all processes of a chat know together, since the store keeps it."""

import asyncio
from contextlib import suppress
from typing import Final

from cachetools import TTLCache

from bot.ports import Press, RateLimit, TypedCommand, limit_answer
from bot.repository.settings import RECENT_SECONDS
from bot.store import Store, StoreUnavailable

_MOST: Final = 4096

_NOTED_WITHIN: Final = 0.25
"""Seconds that a message waits for its note in the store: much less than for a store that is away."""


class SharedState:
    """The implementation of `bot.ports.SharedStatePort`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last_messages: TTLCache[str, str] = TTLCache(_MOST, RECENT_SECONDS)
        """By person: one that another process sends may be seen `RECENT_SECONDS` later. Without it a discard
        on Telegram with what it causes sends the store 18 commands instead of 16 (`tests.measure`), since
        every look at a table asks for it."""

    def clock(self) -> float:
        """See `bot.ports.SharedStatePort.clock`."""
        return self._store.clock()

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        """See `bot.ports.SharedStatePort.spend`."""
        return await self._store.calls.spend(limits)

    async def wait(self, limits: tuple[RateLimit, ...]) -> float:
        """See `bot.ports.SharedStatePort.wait`."""
        return await self._store.calls.wait(limits)

    async def claim_answer(self, event: Press | TypedCommand) -> bool:
        """See `bot.ports.SharedStatePort.claim_answer`."""
        with suppress(StoreUnavailable):
            return await self.spend((limit_answer(event),)) == 0
        return True

    async def wrote(self, person: str, message: str) -> None:
        """See `bot.ports.SharedStatePort.wrote`. A failed note delays no message."""
        self._last_messages[person] = message
        with suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(_NOTED_WITHIN):
                await self._store.people.set_last_message(person, message)

    async def last_message(self, person: str) -> str:
        """See `bot.ports.SharedStatePort.last_message`."""
        if (known := self._last_messages.get(person)) is not None:
            return known
        with suppress(StoreUnavailable):
            read = await self._store.people.last_message(person)
            return self._last_messages.setdefault(person, read)  # a message may have been sent meanwhile
        return ""
