"""One Redis or Valkey, however it is reached: bounded in time, its troubles told as `StoreAway`."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from redis import exceptions as redis

from bot.store.scripts import Script
from bot.store.values import StoreAway
from bot.store.wires import Wire, Word
from bot.store.within import Within

PATIENCE = 2.0
"""Seconds one call may take in all, tries included: people are told within 2.5 s, their chat's way too.
They are counted while our own event loop is free: a process that stalls knows nothing of the server."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.25
"""Seconds before the second try; every further pause is twice as long, up to the longest."""

AWAY = (
    OSError,
    redis.ConnectionError,
    redis.TimeoutError,
    redis.RedisClusterException,
    redis.ClusterError,
    redis.AskError,
    redis.TryAgainError,
    redis.ReadOnlyError,
    redis.OutOfMemoryError,
    # A connection that is closed under the library's hands, by the server or by the library's own new view
    # of a cluster, shows as these (redis-py issue 4287).
    AttributeError,
    TypeError,
)
"""What the library raises while a server cannot be reached or cannot write."""

_AWAY_REPLIES = ("BUSY ", "MISCONF ", "NOREPLICAS ")
"""Replies without a class of their own that also say: not now."""


class Server:
    """Calls the server. Every method raises `StoreAway` after `PATIENCE` seconds at the latest.

    A call is sent again when the connection breaks before the answer, so it may be carried out twice.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._trouble = "no answer"

    async def call(self, command: str, *arguments: Word) -> Any:
        """Send one command."""
        async with self._bounded():
            return await self._send(command, *arguments)

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Any:
        """Run a script, whose keys share one hash tag."""
        async with self._bounded():
            try:
                return await self._send("EVALSHA", script.sha, len(keys), *keys, *arguments)
            except redis.NoScriptError:
                return await self._send("EVAL", script.text, len(keys), *keys, *arguments)

    def in_one_call(self, partitions: Iterable[int]) -> list[list[int]]:
        """Group partitions that one script may touch together: all of them, but in a cluster each alone."""
        if self._wire.splits:
            return [[partition] for partition in partitions]
        together = list(partitions)
        return [together] if together else []

    @asynccontextmanager
    async def _bounded(self) -> AsyncIterator[None]:
        try:
            async with Within(PATIENCE):
                yield
        except TimeoutError:
            raise StoreAway(self._trouble) from None

    async def _send(self, *words: Word) -> Any:
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self._wire.carry(*words)
            except AWAY as error:
                # Only the name: the library's messages may quote what was sent.
                self._trouble = type(error).__name__
            except redis.ResponseError as error:
                if not str(error).startswith(_AWAY_REPLIES):
                    raise
                self._trouble = str(error).split(" ", 1)[0]
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
