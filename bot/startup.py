"""Startup: the chats that have neither logged in nor been refused since the process started.

Until then nobody can be sent to them, and nobody can be said to read a place there.
"""

import asyncio
from contextlib import suppress
from typing import Final

_LONGEST_WAIT: Final = 10.0
"""Seconds. A chat that is out of reach must not take the others from people."""


class Startup:
    """The chats that are still to answer, by their titles. There are none until `begin`."""

    def __init__(self) -> None:
        self._titles: set[str] = set()
        self._over = asyncio.Event()
        self._over.set()

    @property
    def titles(self) -> list[str]:
        """Return the titles of the chats that have not answered yet, in their order."""
        return sorted(self._titles)

    def begin(self, *titles: str) -> None:
        """Note that these chats are asked to log in."""
        self._titles.update(titles)
        if self._titles:
            self._over.clear()

    def end(self, title: str) -> None:
        """Note that a chat has logged in, or was refused."""
        self._titles.discard(title)
        if not self._titles:
            self._over.set()

    async def over(self) -> None:
        """Wait until every chat has answered, but not for long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), _LONGEST_WAIT)
