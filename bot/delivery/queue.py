"""Send queue: for the chats' limits the most important calls go first, then the longest waiting."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import groupby
from weakref import WeakValueDictionary

from bot.ports import RateLimit

Spend = Callable[[tuple[RateLimit, ...]], Awaitable[float]]
"""Charges one call and returns 0, or charges nothing and returns the seconds to wait."""

RankNow = Callable[[], int]
"""The importance of a call, the lowest number first. Asked again whenever one of the waiting calls may go."""

LimitsNow = Callable[[], tuple[RateLimit, ...]]
"""The limits of a call: scope by scope, the widest last. Asked again for every charge."""


class SendQueue:
    """This process's queue, with one part for each scope. Other processes have queues of their own."""

    def __init__(self, spend: Spend) -> None:
        self._spend = spend
        self._scopes: WeakValueDictionary[str, _Scope] = WeakValueDictionary()

    def reorder(self) -> None:
        """Let calls that became more important go where less important ones were refused."""
        for scope in tuple(self._scopes.values()):
            scope.go_on()

    @asynccontextmanager
    async def turn(self, limits: LimitsNow, rank: RankNow) -> AsyncIterator[bool]:
        """Enter when a call is charged to all its limits; whether it had to wait for that.

        Calls that share a narrower scope wait for the end of this one. So at most one call is charged there
        and not yet made: the platform counts it later than the store does.
        """
        names = [name for name, _ in groupby(each.scope for each in limits())]
        waited = False
        async with AsyncExitStack() as narrower:
            for number, name in enumerate(names, 1):
                scope = self._scopes.setdefault(name, _Scope())
                charged = scope.turn(rank, partial(self._charge, limits, name))
                if number < len(names):
                    waited |= await narrower.enter_async_context(charged)
                else:
                    async with charged as waited_here:
                        waited |= waited_here
            yield waited

    async def _charge(self, limits: LimitsNow, scope: str) -> float:
        return await self._spend(tuple(each for each in limits() if each.scope == scope))


class _Waiting:
    """A call that waits for its turn in a scope."""

    def __init__(self, rank: RankNow) -> None:
        self.rank = rank
        self.may_go = asyncio.get_running_loop().create_future()


class _Scope:
    """A scope, in which one call goes at a time. After a refusal only more important calls may try before its
    wait is over."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []
        self._going: _Waiting | None = None
        self._refused: int | None = None
        """The rank of the refused call; None: no wait."""

    @asynccontextmanager
    async def turn(self, rank: RankNow, charge: Callable[[], Awaitable[float]]) -> AsyncIterator[bool]:
        """Enter when the charge is accepted; whether it had to wait."""
        this = _Waiting(rank)
        self._waiting.append(this)
        try:
            self.go_on()
            waited = not this.may_go.done()
            await this.may_go
            while (wait := await charge()) > 0:
                waited, this.may_go = True, asyncio.get_running_loop().create_future()
                self._close(rank(), wait)
                await this.may_go
            yield waited
        finally:
            self._waiting.remove(this)
            if self._going is this:
                self._going = None
                self.go_on()

    def _close(self, rank: int, seconds: float) -> None:
        self._going, self._refused = None, rank
        asyncio.get_running_loop().call_later(seconds, self._open)
        self.go_on()

    def _open(self) -> None:
        self._refused = None
        self.go_on()

    def go_on(self) -> None:
        """Let the next call go, if it may."""
        # A cancelled call is still in the list for a moment.
        waiting = [each for each in self._waiting if not each.may_go.done()]
        if self._going is not None or not waiting:
            return
        first = min(waiting, key=lambda each: each.rank())
        if self._refused is None or first.rank() < self._refused:
            self._going = first
            first.may_go.set_result(None)
