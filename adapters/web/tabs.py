"""The open browser tabs. Each has its own person, known by a secret that only the tab holds."""

import asyncio
import hashlib
import itertools
import secrets
from dataclasses import dataclass, field, replace
from typing import Final

from aiohttp import web

from adapters.web.messages import NoRack, Token, Told, written
from bot.ports import Person

_PUBLIC_ID: Final = 20
"""Hexadecimal digits of a person's id: 80 bits, so that two tabs never meet in one."""
_numbers: Final = itertools.count()


def person_of(token: Token, name: str, language: str) -> Person:
    """The person behind a tab's secret: the same after a restart, and nobody can go the other way."""
    digest = hashlib.sha256(b"okey: a person on the page\0" + token.encode()).hexdigest()
    return Person(f"web:{digest[:_PUBLIC_ID]}", name, language)


@dataclass(eq=False)
class Tab:
    """One connection of a tab: what is to be sent waits here, and only the newest of each kind."""

    person: Person
    _waiting: dict[str, str] = field(default_factory=dict, repr=False)
    _more: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    _stamps: dict[str, int] = field(default_factory=dict, repr=False)

    def rename(self, name: str) -> None:
        """From now on the person is called `name`."""
        self.person = replace(self.person, name=name)

    def tell(self, told: Told, key: str = "") -> None:
        """Send a message; one that still waits under the same key is dropped. Without a key none is."""
        self._waiting.pop(key, None)
        self._waiting[key or f"#{next(_numbers)}"] = written(told)
        self._more.set()

    def new_id(self) -> str:
        """An id for what the tab asks without a person's press."""
        return f"tab-{next(_numbers)}-{secrets.token_hex(8)}"

    def is_news(self, key: str, revision: int) -> bool:
        """Whether a screen is not older than what the tab was told before; remembers it if so."""
        if revision < self._stamps.get(key, revision):
            return False
        self._stamps[key] = revision
        return True

    def drop_racks(self) -> None:
        """The person sits nowhere: no rack is shown, and one that comes later is news."""
        if self._stamps:
            self._stamps.clear()
            self.tell(NoRack())

    async def send_to(self, socket: web.WebSocketResponse) -> None:
        """Send what waits, as long as the socket lives."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self._waiting:
                await socket.send_str(self._waiting.pop(next(iter(self._waiting))))
