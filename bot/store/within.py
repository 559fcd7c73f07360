"""Time limits for answers that a stalled event loop cannot make anybody miss."""

import asyncio
from types import TracebackType
from typing import Final

LOOKS: Final = 10
"""So often a time limit looks whether it is over: a stall, however long, costs one look's share of it."""


class Within:
    """Gives up what happens inside after so many seconds in which the event loop was free to see it end.

    While the loop stalls, an answer may lie there unread; a plain timeout would be over when the loop goes
    on, before it reads. Raises TimeoutError.
    """

    def __init__(self, seconds: float) -> None:
        self._pause = seconds / LOOKS
        self._left = LOOKS
        self._limit = asyncio.timeout(None)
        self._loop = asyncio.get_running_loop()

    async def __aenter__(self) -> None:
        await self._limit.__aenter__()
        self._next = self._loop.call_later(self._pause, self._look)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._next.cancel()
        await self._limit.__aexit__(kind, error, trace)

    def _look(self) -> None:
        self._left -= 1
        if self._left:
            self._next = self._loop.call_later(self._pause, self._look)
        else:
            self._limit.reschedule(self._loop.time())
