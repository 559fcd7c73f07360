"""Background tasks: at most one for each key; it runs once more if it is requested meanwhile. They may start
one by one, so that presses are answered first."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable
from typing import Final

from bot.errors import Refused
from bot.logs import way_of
from bot.ports import RetryAfter
from bot.store import StoreUnavailable
from bot.store.codec import UnknownSchema

LOG: Final = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 30.0
"""The longest pause in seconds before a chat is asked again."""

STORE_SECONDS: Final = 0.5
"""Seconds before the store is asked again."""

UNREADABLE_SECONDS: Final = 600.0
"""Seconds between two attempts at something that another version of the program has written."""

GIVE_WAY_SECONDS: Final = 0.05
"""Seconds between two starts of work that gives way."""

Attempt = Callable[[], Awaitable[bool | None]]
"""A piece of work; its result False asks for another call."""


class Starts:
    """Lets work start piece by piece, each in a round of the event loop of its own. While it has to give way,
    starts are rare: what waits meanwhile may become one edit.
    """

    def __init__(self, gives_way: Callable[[], bool]) -> None:
        self._gives_way = gives_way
        self._one_at_a_time = asyncio.Lock()  # which goes to the one that has waited longest

    async def turn(self) -> None:
        """Wait for the next start."""
        async with self._one_at_a_time:
            await asyncio.sleep(GIVE_WAY_SECONDS if self._gives_way() else 0)


class BackgroundTasks:
    """Runs attempts. One that fails is repeated after a pause (`mishap_seconds` for unexpected errors)."""

    def __init__(self, mishap_seconds: float = PATIENCE_SECONDS) -> None:
        self._mishap_seconds = mishap_seconds
        self._running: dict[Hashable, asyncio.Task[None]] = {}
        self._again: dict[Hashable, Attempt] = {}
        self._away = False

    def run(self, key: Hashable, attempt: Attempt) -> asyncio.Task[None]:
        """Start a task; if one with that key is running, one more attempt follows it."""
        if key in self._running:
            self._again[key] = attempt
        else:
            self._running[key] = asyncio.create_task(self._work(key, attempt))
        return self._running[key]

    async def attempt(self, key: Hashable, attempt: Attempt) -> bool:
        """Make one attempt, and pause after a failure; whether there is nothing left to do."""
        try:
            done = await attempt()
            self._away = False
            return done is not False
        except RetryAfter as later:
            await asyncio.sleep(min(later.seconds, PATIENCE_SECONDS))
        except StoreUnavailable:
            if not self._away:
                LOG.warning("the store is away; trying again")
            self._away = True
            await asyncio.sleep(STORE_SECONDS)
        except UnknownSchema:
            LOG.error("%s was written by another version of the program: left alone", key)
            await asyncio.sleep(UNREADABLE_SECONDS)
        except Exception as error:
            LOG.error("%s failed: %s", key, error.code if isinstance(error, Refused) else way_of(error))
            await asyncio.sleep(self._mishap_seconds)
        return False

    async def close(self) -> None:
        """Cancel all running tasks, and wait until they have ended."""
        tasks = tuple(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, key: Hashable, attempt: Attempt) -> None:
        try:
            done = False
            while not done:
                done = await self.attempt(key, attempt)
                again = self._again.pop(key, None)
                if again is not None:
                    attempt, done = again, False
        finally:
            del self._running[key]
