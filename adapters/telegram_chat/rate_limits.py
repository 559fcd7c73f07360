"""Rate limits: the budgets of groups, people and the whole bot, the spacing of calls, and flood control."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from cachetools import TLRUCache

from adapters.telegram_chat.addresses import PREFIX, group_key
from adapters.telegram_chat.errors import FloodControlled, retried
from bot.ports import DeliveryPort, RateLimit, RetryAfter

T = TypeVar("T")

CALLS_A_SECOND: Final = 20.0
"""Calls of one process a second. Telegram takes 30 messages and edits a second of one bot; a third is kept
for calls that arrive late."""

MOST_UNDER_WAY: Final = 10
"""The most calls under way. After a pause of the process or the network, they arrive together with those of
the next second."""

_GROUP: Final = (16, 60.0)
"""Calls and seconds, as in all budgets here."""
_GROUP_URGENT: Final = (18, 60.0)
"""The budget with calls that cannot wait. Telegram takes 20: two more are kept for those, and two for calls
that arrive late."""
_GROUP_PACE: Final = (3, 8.0)
"""Keeps a quick beginning from using up the minute."""
_PRIVATE: Final = (9, 10.0)
"""Telegram takes 1 a second on average. Some are kept for calls that arrive late."""
_WHOLE: Final = RateLimit(PREFIX, 4, 0.2)
"""Telegram takes 30 a second from one bot. The portions are small so that ranks are compared often."""

_MOST_SILENT: Final = 10_000
_MOMENT: Final = 2.0
"""Seconds that an answer may wait for its budget."""


def public_limits(place: str) -> tuple[RateLimit, ...]:
    """The budgets of a call to a place; see `Chat`."""
    group = group_key(place)
    return RateLimit(group, *_GROUP), RateLimit(group, *_GROUP_PACE), _WHOLE


def urgent_limits(place: str) -> tuple[RateLimit, ...]:
    """The budgets of an urgent call to a place; see `Chat`."""
    return RateLimit(group_key(place), *_GROUP_URGENT), _WHOLE


def private_limits(person: str) -> tuple[RateLimit, ...]:
    """The budgets of a call to a person; see `Chat`."""
    return RateLimit(person, *_PRIVATE), _WHOLE


async def afford(delivery: DeliveryPort, limits: tuple[RateLimit, ...], *, seconds: float = _MOMENT) -> None:
    """Charge a call, waiting at most `seconds`. Raises RetryAfter when its budget stays empty."""
    end = asyncio.get_running_loop().time() + seconds
    while (wait := await delivery.spend(limits)) > 0:
        if asyncio.get_running_loop().time() + wait > end:
            raise RetryAfter(wait)
        await asyncio.sleep(wait)


class Throttle:
    """Spaces the calls of this process, because calls that the budgets allow at once would also arrive at
    once. It makes no call to a chat while Telegram asks to wait: writing there again would prolong the
    wait."""

    def __init__(self) -> None:
        self._next = 0.0
        self._under_way = asyncio.Semaphore(MOST_UNDER_WAY)
        self._silent = TLRUCache[int, float](_MOST_SILENT, lambda chat, end, now: end)
        """The end of each chat's silence."""

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until a call may begin, and hold its place until it is made. The budgets keep the wait
        short."""
        async with self._under_way:
            now = asyncio.get_running_loop().time()
            begin = max(now, self._next)
            self._next = begin + 1 / CALLS_A_SECOND
            await asyncio.sleep(begin - now)
            yield

    async def call(self, chat: int, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call to a chat. Every try of it waits for its turn. Raises what `retried` raises."""
        if (end := self._silent.get(chat)) is not None:
            raise RetryAfter(end - time.monotonic())

        async def in_turn() -> T:
            async with self.turn():
                return await call()

        try:
            return await retried(in_turn)
        except FloodControlled as flood:
            self._silent[chat] = time.monotonic() + flood.seconds
            raise
