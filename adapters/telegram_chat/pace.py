"""When calls may be made: as the budgets allow, and evenly spaced, for what is let through at once would
otherwise arrive at once."""

import asyncio
from typing import Final

from bot.ports import DeliveryPort, RateLimit, RetryAfter

CALLS_A_SECOND: Final = 20.0
"""Telegram takes 30 messages and edits a second of one bot; a third is kept for what is late on its way."""


MOMENT: Final = 2.0
"""Seconds that are worth waiting when somebody is to be answered."""


async def afford(post: DeliveryPort, limits: tuple[RateLimit, ...], *, seconds: float = MOMENT) -> None:
    """Charge a call, after so many seconds at the latest. Raises RetryAfter when that cannot be."""
    end = asyncio.get_running_loop().time() + seconds
    while (wait := await post.spend(limits)) > 0:
        if asyncio.get_running_loop().time() + wait > end:
            raise RetryAfter(wait)
        await asyncio.sleep(wait)


class Pace:
    """Lets one call begin after another. The wait is a fraction of a second: the budget sees to that."""

    def __init__(self) -> None:
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until a call may begin."""
        now = asyncio.get_running_loop().time()
        begin = max(now, self._next)
        self._next = begin + 1 / CALLS_A_SECOND
        await asyncio.sleep(begin - now)
