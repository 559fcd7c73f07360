"""Lines before the chats' limits: what matters most goes first, of equals what has waited longest."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import groupby
from weakref import WeakValueDictionary

from bot.ports import RateLimit

Spend = Callable[[tuple[RateLimit, ...]], Awaitable[float]]
"""Charges one call and gives 0, or charges nothing and gives the seconds to wait."""

Rank = Callable[[], int]
"""How much a call matters, the lowest number most. Asked anew whenever one of those who wait may go."""

Charges = Callable[[], tuple[RateLimit, ...]]
"""What a call is charged to: scope by scope, the widest last. Asked anew for every charge."""


class Lines:
    """This process's lines, one for each scope. Other processes have lines of their own."""

    def __init__(self, spend: Spend) -> None:
        self._spend = spend
        self._lines: WeakValueDictionary[str, _Line] = WeakValueDictionary()

    def stir(self) -> None:
        """Some who wait matter more than before: they may go where others were refused."""
        for line in tuple(self._lines.values()):
            line.go_on()

    @asynccontextmanager
    async def turn(self, charges: Charges, rank: Rank) -> AsyncIterator[None]:
        """Enter once a call is charged to all its limits.

        Whoever shares a narrower scope waits for the end of this. So there is never more than one call
        that is charged there and not yet made: it counts later with the platform than with us.
        """
        scopes = [scope for scope, _ in groupby(each.scope for each in charges())]
        async with AsyncExitStack() as narrower:
            for number, scope in enumerate(scopes, 1):
                line = self._lines.setdefault(scope, _Line())
                charged = line.turn(rank, partial(self._charge, charges, scope))
                if number < len(scopes):
                    await narrower.enter_async_context(charged)
                else:
                    async with charged:
                        pass
            yield

    async def _charge(self, charges: Charges, scope: str) -> float:
        return await self._spend(tuple(each for each in charges() if each.scope == scope))


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
            self.go_on()
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
                self.go_on()

    def _close(self, rank: int, seconds: float) -> None:
        self._going, self._refused = None, rank
        asyncio.get_running_loop().call_later(seconds, self._open)
        self.go_on()

    def _open(self) -> None:
        self._refused = None
        self.go_on()

    def go_on(self) -> None:
        """Let the next one go, if he may."""
        # Who is cancelled still has his place for a moment.
        waiting = [place for place in self._places if not place.may_go.done()]
        if self._going is not None or not waiting:
            return
        first = min(waiting, key=lambda place: place.rank())
        if self._refused is None or first.rank() < self._refused:
            self._going = first
            first.may_go.set_result(None)
