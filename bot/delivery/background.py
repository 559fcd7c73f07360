"""Background work that is done once at a time for each of its keys, and again when asked meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable

Attempt = Callable[[], Awaitable[bool]]
"""Does a piece of work; False asks to be called again."""


class Errands:
    """Runs attempts, at most one at a time for a key."""

    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Task[None]] = {}
        self._again: dict[Hashable, Attempt] = {}

    def run(self, key: Hashable, attempt: Attempt) -> None:
        """Begin an errand; one more attempt follows when one with that key is under way."""
        if key in self._running:
            self._again[key] = attempt
        else:
            self._running[key] = asyncio.create_task(self._work(key, attempt))

    async def close(self) -> None:
        """Cancel all that is under way, and wait until it has ended."""
        tasks = tuple(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, key: Hashable, attempt: Attempt) -> None:
        try:
            done = False
            while not done:
                done = await attempt()
                again = self._again.pop(key, None)
                if again is not None:
                    attempt, done = again, False
        finally:
            del self._running[key]
