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
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as limit:
        looks = 0

        def look() -> None:
            nonlocal looks, handle
            looks += 1
            if looks < LOOKS:
                handle = loop.call_later(seconds / LOOKS, look)
            else:
                limit.reschedule(loop.time())

        handle = loop.call_later(seconds / LOOKS, look)
        try:
            yield
        finally:
            handle.cancel()
