"""How long a test waits for what must come before it fails. How fast it comes is measured elsewhere."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds: enough on a slow machine that does other things, too."""


async def found(look: Callable[[], Awaitable[T | None]]) -> T:
    """Look again and again for what comes about elsewhere, until there is something: often at first,
    then four times a second. Looking takes time from the processes that are waited for."""
    pause = 0.02
    while not (result := await look()):
        await asyncio.sleep(pause)
        pause = min(pause * 1.2, 0.25)
    return result


async def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something in this process holds."""

    async def look() -> bool:
        return holds()

    async with asyncio.timeout(PATIENCE):
        await found(look)
