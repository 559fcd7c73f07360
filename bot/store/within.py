"""Time limits for answers that a stalled event loop cannot make anybody miss."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

LOOKS = 10
"""So often a time limit looks whether it is over: a stall, however long, costs one look's share of it."""


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Give up what happens inside after so many seconds in which the event loop was free to see it end.

    While the loop stalls, an answer may lie there unread; a plain timeout would be over when the loop goes
    on, before it reads. Raises TimeoutError.
    """
    async with asyncio.timeout(None) as limit:
        watch = _Watch(limit, seconds)
        try:
            yield
        finally:
            watch.stop()


class _Watch:
    """Ends a time limit at the last of its looks."""

    def __init__(self, limit: asyncio.Timeout, seconds: float) -> None:
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._pause = seconds / LOOKS
        self._left = LOOKS
        self._next = self._loop.call_later(self._pause, self._look)

    def stop(self) -> None:
        self._next.cancel()

    def _look(self) -> None:
        self._left -= 1
        if self._left:
            self._next = self._loop.call_later(self._pause, self._look)
        else:
            self._limit.reschedule(self._loop.time())
