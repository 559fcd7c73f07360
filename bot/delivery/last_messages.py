"""Last messages: the newest one in each private chat, which tells whether a rack is in sight there."""

import asyncio
from contextlib import suppress
from typing import Final

from cachetools import TTLCache

from bot.repository.versioned import RECENT_SECONDS
from bot.store import Store, StoreUnavailable

_MOST: Final = 4096

_NOTED_WITHIN: Final = 0.25
"""Seconds that a message waits for its note in the store: much less than for a store that is away."""


class LastMessages:
    """The last messages of one store. One that another process sends may be seen `RECENT_SECONDS` later."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._recent: TTLCache[str, str] = TTLCache(_MOST, RECENT_SECONDS)
        """By person. Without it a discard on Telegram with what it causes sends the store 16 commands instead
        of 12 (`tests.measure`), since every look at a table asks for it."""

    async def note(self, person: str, message: str) -> None:
        """Note the message that was just sent. A failed note delays no message."""
        self._recent[person] = message
        with suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(_NOTED_WITHIN):
                await self._store.set_last_message(person, message)

    async def of(self, person: str) -> str:
        """Return the last message in a person's private chat; empty: nobody knows."""
        if (known := self._recent.get(person)) is not None:
            return known
        with suppress(StoreUnavailable):
            read = await self._store.last_message(person)
            return self._recent.setdefault(person, read)  # a message may have been sent meanwhile
        return ""
