"""Send queue: before the chats' limits what matters most goes first, of equals what has waited longest."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import groupby
from weakref import WeakValueDictionary

from bot.ports import RateLimit

Spend = Callable[[tuple[RateLimit, ...]], Awaitable[float]]
"""Charges one call and gives 0, or charges nothing and gives the seconds to wait."""

RankNow = Callable[[], int]
"""How much a call matters, the lowest number most. Asked anew whenever one of those that wait may go."""

LimitsNow = Callable[[], tuple[RateLimit, ...]]
"""What a call is charged to: scope by scope, the widest last. Asked anew for every charge."""


class SendQueue:
    """This process's queue, one part for each scope. Other processes have queues of their own."""

    def __init__(self, spend: Spend) -> None:
        self._spend = spend
        self._scopes: WeakValueDictionary[str, _Scope] = WeakValueDictionary()

    def reorder(self) -> None:
        """Some that wait matter more than before: they may go where others were refused."""
        for scope in tuple(self._scopes.values()):
            scope.go_on()

    @asynccontextmanager
    async def turn(self, limits: LimitsNow, rank: RankNow) -> AsyncIterator[bool]:
        """Enter once a call is charged to all its limits; whether it had to wait for that.

        Whoever shares a narrower scope waits for the end of this. So there is never more than one call
        that is charged there and not yet made: it counts later with the platform than with us.
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
    """One that waits for its turn in a scope."""

    def __init__(self, rank: RankNow) -> None:
        self.rank = rank
        self.may_go = asyncio.get_running_loop().create_future()


class _Scope:
    """One goes at a time. When it is refused, only what matters more may try before its wait is over."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []
        self._going: _Waiting | None = None
        self._refused: int | None = None
        """The rank that has to wait."""

    @asynccontextmanager
    async def turn(self, rank: RankNow, charge: Callable[[], Awaitable[float]]) -> AsyncIterator[bool]:
        """Enter as the one that goes, once its charge is not refused; whether it had to wait."""
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
        """Let the next one go, if it may."""
        # What is cancelled still waits for a moment.
        waiting = [each for each in self._waiting if not each.may_go.done()]
        if self._going is not None or not waiting:
            return
        first = min(waiting, key=lambda each: each.rank())
        if self._refused is None or first.rank() < self._refused:
            self._going = first
            first.may_go.set_result(None)
