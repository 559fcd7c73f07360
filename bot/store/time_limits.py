"""Time limits that count only the time in which the event loop was free."""

import asyncio
from itertools import takewhile
from types import TracebackType
from typing import Final

LOOKS: Final = 10
"""How often it is checked whether a time limit is over: a stall of any length costs a check's share of it."""


class TimeLimits:
    """Limits of some seconds each, in which only time counts while the event loop was free.

    While the loop stalls, an answer may already be there unread; a plain timeout would expire as soon as the
    loop continues, before reading it. One timer serves all limits: one for each call would cost as much as
    the call. A limit raises TimeoutError, up to a tenth late and never early: what is given up may be known
    to be over by then.
    """

    def __init__(self, seconds: float) -> None:
        self._pause = seconds / LOOKS
        self._looks = 0
        self._running: dict[_Limit, int] = {}
        """The limits, in their order, with the number of the look at which each is over."""
        self._timed = False

    def limit(self) -> "_Limit":
        """Return a limit that begins when it is entered."""
        return _Limit(self)

    def begin(self, limit: "_Limit") -> None:
        """Count the looks of a limit."""
        under_way = 1 if self._timed else 0  # the next look may come at once
        self._running[limit] = self._looks + LOOKS + under_way
        if not self._timed:
            self._timed = True
            asyncio.get_running_loop().call_later(self._pause, self._look)

    def end(self, limit: "_Limit") -> None:
        """Stop counting."""
        self._running.pop(limit, None)

    def _look(self) -> None:
        self._looks += 1
        over = list(takewhile(lambda limit: self._running[limit] <= self._looks, self._running))
        for limit in over:
            del self._running[limit]
            limit.expire()
        self._timed = bool(self._running)
        if self._timed:
            asyncio.get_running_loop().call_later(self._pause, self._look)


class _Limit:
    """One time limit. It cancels its task, and turns that into TimeoutError as `asyncio.timeout` does."""

    __slots__ = ("_cancelling", "_expired", "_limits", "_task")

    def __init__(self, limits: TimeLimits) -> None:
        self._limits = limits
        self._expired = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._limits.begin(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limits.end(self)
        if self._expired and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def expire(self) -> None:
        """End the wait inside."""
        self._expired = True
        self._task.cancel()
