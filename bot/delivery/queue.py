"""Send queue: for the chats' limits the most important calls go first, then the longest waiting."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
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
        names = dict.fromkeys(each.scope for each in limits())
        scopes = {name: self._scopes.setdefault(name, _Scope()) for name in names}
        call = _Call(self._spend, scopes, limits, rank)
        try:
            await call.charge()
            yield call.waited
        finally:
            call.leave()


class _Call:
    """A call on its way through its scopes, from the narrowest to the widest."""

    def __init__(
        self, spend: Spend, scopes: Mapping[str, "_Scope"], limits: LimitsNow, rank: RankNow
    ) -> None:
        self._spend = spend
        self._scopes = scopes
        self._limits = limits
        self._rank = rank
        self._turns: list[_Turn] = []
        """Its turns in the scopes that it has entered and not left: the narrower ones."""
        self.waited = False
        """Whether it had to wait."""

    async def charge(self) -> None:
        """Charge it to all its limits as soon as it may go, and leave the widest scope."""
        await self._enter(len(self._scopes))
        # Several scopes cost one call of the store. If one of them refuses, each is asked alone: a scope that
        # is used up must not hold up the wider ones.
        if len(self._scopes) == 1 or (self._scopes and await self._spend(self._limits()) > 0):
            self.leave(but=1)
            for entered, name in enumerate(self._scopes, 1):
                await self._enter(entered)
                while (wait := await self._spend(self._limits_of(name))) > 0:
                    self.waited = True
                    await self._turns[-1].comes_again(wait)
        self.leave(but=len(self._scopes) - 1)

    async def _enter(self, entered: int) -> None:
        """Wait for its turns in so many scopes."""
        for scope in tuple(self._scopes.values())[len(self._turns) : entered]:
            self._turns.append(_Turn(scope, self._rank))
            self.waited |= await self._turns[-1].comes()

    def _limits_of(self, scope: str) -> tuple[RateLimit, ...]:
        return tuple(each for each in self._limits() if each.scope == scope)

    def leave(self, but: int = 0) -> None:
        """Let others go in the widest of its scopes, `but` so many of the narrowest."""
        while len(self._turns) > max(but, 0):
            self._turns.pop().end()


class _Scope:
    """A scope, in which one call goes at a time. After a refusal only more important calls may try before its
    wait is over."""

    def __init__(self) -> None:
        self.waiting: list[_Turn] = []
        self.going: _Turn | None = None
        self._refused: int | None = None
        """The rank of the refused call; None: no wait."""

    def close(self, rank: int, seconds: float) -> None:
        """Let only more important calls go for so long."""
        self.going, self._refused = None, rank
        asyncio.get_running_loop().call_later(seconds, self._open)
        self.go_on()

    def _open(self) -> None:
        self._refused = None
        self.go_on()

    def go_on(self) -> None:
        """Let the next call go, if it may."""
        # A cancelled call is still in the list for a moment.
        waiting = [each for each in self.waiting if not each.may_go.done()]
        if self.going is not None or not waiting:
            return
        first = min(waiting, key=lambda each: each.rank())
        if self._refused is None or first.rank() < self._refused:
            self.going = first
            first.may_go.set_result(None)


class _Turn:
    """A call's turn in a scope, from its place among the waiting to its end."""

    def __init__(self, scope: _Scope, rank: RankNow) -> None:
        self.rank = rank
        self.may_go = asyncio.get_running_loop().create_future()
        self._scope = scope
        scope.waiting.append(self)

    async def comes(self) -> bool:
        """Wait until it goes; whether that took any time."""
        self._scope.go_on()
        waits = not self.may_go.done()
        await self.may_go
        return waits

    async def comes_again(self, seconds: float) -> None:
        """Wait until it goes again: its charge was refused for so long."""
        self.may_go = asyncio.get_running_loop().create_future()
        self._scope.close(self.rank(), seconds)
        await self.may_go

    def end(self) -> None:
        """Let the next one go."""
        self._scope.waiting.remove(self)
        if self._scope.going is self:
            self._scope.going = None
            self._scope.go_on()
