"""Lines before the chats' allowances: what matters most goes first, of equals what has waited longest."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import groupby
from operator import attrgetter
from weakref import WeakValueDictionary

from bot.chats import Allowance

Spend = Callable[[tuple[Allowance, ...]], Awaitable[float]]
"""Charges one call and gives 0, or charges nothing and gives the seconds to wait."""

Rank = Callable[[], int]
"""How much a call matters, the lowest number most. Asked anew whenever one of those who wait may go."""


class Lines:
    """This process's lines, one for each scope. Other processes have lines of their own."""

    def __init__(self, spend: Spend) -> None:
        self._spend = spend
        self._lines: WeakValueDictionary[str, _Line] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, allowances: Sequence[Allowance], rank: Rank) -> AsyncIterator[None]:
        """Enter once a call is charged to all allowances: they come scope by scope, the widest last.

        Whoever shares a narrower scope waits for the end of this. So there is never more than one call
        that is charged there and not yet made: it counts later with the platform than with us.
        """
        scopes = [tuple(shared) for _, shared in groupby(allowances, attrgetter("scope"))]
        async with AsyncExitStack() as narrower:
            for number, shared in enumerate(scopes, 1):
                line = self._lines.setdefault(shared[0].scope, _Line())
                charged = line.turn(rank, partial(self._spend, shared))
                if number < len(scopes):
                    await narrower.enter_async_context(charged)
                else:
                    async with charged:
                        pass
            yield


class _Place:
    """Somebody's place in a line."""

    def __init__(self, rank: Rank) -> None:
        self.rank = rank
        self.may_go = asyncio.get_running_loop().create_future()


class _Line:
    """One goes at a time. When he is refused, only who matters more may try before his wait is over."""

    def __init__(self) -> None:
        self._places: list[_Place] = []
        self._going: _Place | None = None
        self._refused: int | None = None
        """The rank that has to wait."""

    @asynccontextmanager
    async def turn(self, rank: Rank, charge: Callable[[], Awaitable[float]]) -> AsyncIterator[None]:
        """Enter as the one who goes, once his charge is not refused."""
        place = _Place(rank)
        self._places.append(place)
        try:
            self._next()
            await place.may_go
            while (wait := await charge()) > 0:
                place.may_go = asyncio.get_running_loop().create_future()
                self._close(rank(), wait)
                await place.may_go
            yield
        finally:
            self._places.remove(place)
            if self._going is place:
                self._going = None
                self._next()

    def _close(self, rank: int, seconds: float) -> None:
        self._going, self._refused = None, rank
        asyncio.get_running_loop().call_later(seconds, self._open)
        self._next()

    def _open(self) -> None:
        self._refused = None
        self._next()

    def _next(self) -> None:
        # Who is cancelled still has his place for a moment.
        waiting = [place for place in self._places if not place.may_go.done()]
        if self._going is not None or not waiting:
            return
        first = min(waiting, key=lambda place: place.rank())
        if self._refused is None or first.rank() < self._refused:
            self._going = first
            first.may_go.set_result(None)
