"""Doomed stores: their process is killed at a call of its own choice."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.store import Store


class Killed(BaseException):
    """The process ends here."""


class Doomed:
    """A store whose calls a test may end."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        held = getattr(self._store, name)
        return held if callable(held) else DoomedPart(held, self)

    async def call(self, method: Callable[..., Awaitable[Any]], *arguments: Any, **named: Any) -> Any:
        """Carry out a method of one of the store's values, or raise Killed."""
        raise NotImplementedError


@dataclass
class DoomedPart:
    """One of the values of such a store."""

    part: Any
    store: Doomed

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.part, name)
        asks = asyncio.iscoroutinefunction(method)  # others ask nothing of the server
        return partial(self.store.call, method) if asks else method
