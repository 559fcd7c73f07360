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
"""Telegram takes 30 messages and edits a second of one bot; a third is kept for what is late on its way."""

MOST_UNDER_WAY: Final = 10
"""So many calls may be late: after a moment in which the process or the network stood still, they arrive with
those of the second that follows."""

_GROUP: Final = (16, 60.0)
"""Calls and seconds, as in all of these."""
_GROUP_URGENT: Final = (18, 60.0)
"""Telegram takes 20; two are kept for what was on its way for long, and two for what cannot wait."""
_GROUP_PACE: Final = (3, 8.0)
"""So that a quick beginning does not leave the rest of the minute without a word."""
_PRIVATE: Final = (9, 10.0)
"""Telegram takes 1 a second on average; some are kept for what was on its way for long."""
_WHOLE: Final = RateLimit(PREFIX, 4, 0.2)
"""Telegram takes 30 a second from one bot. In small portions: who goes next is then settled often."""

_MOST_SILENT: Final = 10_000
_MOMENT: Final = 2.0
"""Seconds that are worth waiting when somebody is to be answered."""


def public_limits(place: str) -> tuple[RateLimit, ...]:
    """What a call to a place is charged to; see `Chat`."""
    group = group_key(place)
    return RateLimit(group, *_GROUP), RateLimit(group, *_GROUP_PACE), _WHOLE


def urgent_limits(place: str) -> tuple[RateLimit, ...]:
    """What a call to a place is charged to that can't wait; see `Chat`."""
    return RateLimit(group_key(place), *_GROUP_URGENT), _WHOLE


def private_limits(person: str) -> tuple[RateLimit, ...]:
    """What a call to a person is charged to; see `Chat`."""
    return RateLimit(person, *_PRIVATE), _WHOLE


async def afford(delivery: DeliveryPort, limits: tuple[RateLimit, ...], *, seconds: float = _MOMENT) -> None:
    """Charge a call, after so many seconds at the latest. Raises RetryAfter when that cannot be."""
    end = asyncio.get_running_loop().time() + seconds
    while (wait := await delivery.spend(limits)) > 0:
        if asyncio.get_running_loop().time() + wait > end:
            raise RetryAfter(wait)
        await asyncio.sleep(wait)


class Throttle:
    """Lets calls of this process begin one after another, for what budgets let through at once would
    otherwise arrive at once; and none to a chat that Telegram asked to leave alone for a while, for
    whoever writes there again waits the longer."""

    def __init__(self) -> None:
        self._next = 0.0
        self._under_way = asyncio.Semaphore(MOST_UNDER_WAY)
        self._silent = TLRUCache[int, float](_MOST_SILENT, lambda chat, end, now: end)
        """By chat: the end of its silence."""

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Enter once a call may begin, until it is made: the wait is short, the budgets see to that."""
        async with self._under_way:
            now = asyncio.get_running_loop().time()
            begin = max(now, self._next)
            self._next = begin + 1 / CALLS_A_SECOND
            await asyncio.sleep(begin - now)
            yield

    async def call(self, chat: int, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call to a chat, every try of it in its turn. Raises what `retried` raises."""
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
