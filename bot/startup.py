"""Startup: the chats that have neither logged in nor been refused since the process started.

Until then nobody can be sent to them, and nobody can be said to read a place there.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

_LONGEST_WAIT: Final = 15.0
"""Seconds. Then a page is served without its chat; after 20 it would connect again."""


class Startup:
    """The chats that are still to answer. There are none until `begin`."""

    def __init__(self) -> None:
        self._awaited: dict[str, tuple[str, asyncio.Event]] = {}
        """By the chat's short name: its title, and what tells that it has answered."""

    @property
    def titles(self) -> list[str]:
        """Return the titles of the chats that have not answered yet, in their order."""
        return sorted(title for title, _ in self._awaited.values())

    def begin(self, titles: Mapping[str, str]) -> None:
        """Note that chats are asked to log in: titles by short name."""
        self._awaited.update((name, (title, asyncio.Event())) for name, title in titles.items())

    def end(self, name: str) -> None:
        """Note that a chat has logged in, or was refused."""
        if (awaited := self._awaited.pop(name, None)) is not None:
            awaited[1].set()

    async def until_answered(self, name: str) -> None:
        """Wait until a chat has answered, but not for long."""
        if name in self._awaited:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._awaited[name][1].wait(), _LONGEST_WAIT)
