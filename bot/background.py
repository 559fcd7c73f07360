"""Background tasks: work that nobody waits for, and that goes on whatever fails.

There is at most one task for each key; it runs once more if it is requested meanwhile. Tasks may start one by
one, so that presses are answered first."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Final

from bot.errors import Refused
from bot.logs import warn_seldom, way_of
from bot.ports import RetryAfter
from bot.store import StoreUnavailable
from bot.store.codec import UnknownSchema

LOG: Final = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 30.0
"""The longest pause in seconds before a chat is asked again."""

MISHAP_SECONDS: Final = 5.0
"""Seconds before work that failed unexpectedly is tried again, if people wait for it."""

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


async def make_attempt(name: Hashable, attempt: Attempt, mishap_seconds: float) -> bool:
    """Make one attempt, and pause after a failure; return whether there is nothing left to do.
    `mishap_seconds`: the pause after an unexpected error."""
    try:
        return await attempt() is not False
    except RetryAfter as later:
        await asyncio.sleep(min(later.seconds, PATIENCE_SECONDS))
    except StoreUnavailable:
        warn_seldom(LOG, "the store is away; trying again")
        await asyncio.sleep(STORE_SECONDS)
    except UnknownSchema:
        LOG.error("%s was written by another version of the program: left alone", name)
        await asyncio.sleep(UNREADABLE_SECONDS)
    except Exception as error:
        LOG.error("%s failed: %s", name, error.code if isinstance(error, Refused) else way_of(error))
        await asyncio.sleep(mishap_seconds)
    return False


class PeriodicTask:
    """Repeats a piece of work, which contains the pause between two, while anybody needs it."""

    def __init__(self, name: str, work: Attempt) -> None:
        self._name = name
        self._work = work
        self._needed = 0
        """How many need it."""
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def keep_going(self) -> Iterator[None]:
        """Have the work repeated until the context ends."""
        self._needed += 1
        if self._task is None:
            self._task = asyncio.create_task(self._repeat())
        try:
            yield
        finally:
            self._needed -= 1
            if not self._needed:
                self._task.cancel()
                self._task = None

    async def _repeat(self) -> None:
        while True:
            await make_attempt(self._name, self._work, MISHAP_SECONDS)


class BackgroundTasks:
    """Runs attempts. One that fails is repeated after a pause (`mishap_seconds` for unexpected errors)."""

    def __init__(self, mishap_seconds: float = PATIENCE_SECONDS) -> None:
        self._mishap_seconds = mishap_seconds
        self.running: dict[Hashable, asyncio.Task[None]] = {}
        """The tasks at work, by their keys."""
        self._again: dict[Hashable, Attempt] = {}

    def run(self, key: Hashable, attempt: Attempt) -> asyncio.Task[None]:
        """Start a task; if one with that key is running, one more attempt follows it."""
        if key in self.running:
            self._again[key] = attempt
        else:
            self.running[key] = asyncio.create_task(self._work(key, attempt))
        return self.running[key]

    async def close(self) -> None:
        """Cancel all running tasks, and wait until they have ended."""
        tasks = tuple(self.running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, key: Hashable, attempt: Attempt) -> None:
        try:
            done = False
            while not done:
                done = await make_attempt(key, attempt, self._mishap_seconds)
                again = self._again.pop(key, None)
                if again is not None:
                    attempt, done = again, False
        finally:
            del self.running[key]
