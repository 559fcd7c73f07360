"""Calls evenly spaced: what the budget let through at once would otherwise arrive at once."""

import asyncio
from typing import Final

CALLS_A_SECOND: Final = 20.0
"""Telegram takes 30 messages and edits a second of one bot; a third is kept for what is late on its way."""


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
