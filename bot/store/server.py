"""One Redis or Valkey, however it is reached: bounded in time, its troubles told as `StoreAway`."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio import Redis, RedisCluster
from redis.exceptions import (
    AskError,
    ClusterError,
    ConnectionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TimeoutError,
    TryAgainError,
)

from bot.store.scripts import Script
from bot.store.values import StoreAway

PATIENCE = 2.2
"""Seconds one call may take in all, tries included: people are told within 2.5 s."""

CALLS_AT_ONCE = 32
"""More wait for their turn here; the pool behind must hold at least as many connections."""

AWAY = (
    ConnectionError,
    TimeoutError,
    OSError,
    RedisClusterException,
    ClusterError,
    AskError,
    TryAgainError,
    ReadOnlyError,
    OutOfMemoryError,
)
_AWAY_REPLIES = ("BUSY ", "MISCONF ", "NOREPLICAS ")
"""Replies without a class of their own that also say: not now."""

Argument = str | bytes | int | float


class Server:
    """Calls the server. Every method raises `StoreAway` after `PATIENCE` seconds at the latest."""

    def __init__(self, client: "Redis | RedisCluster") -> None:
        self._client = client
        self._turns = asyncio.Semaphore(CALLS_AT_ONCE)

    async def call(self, command: str, *arguments: Argument) -> Any:
        """Send one command. It may be sent again when the connection breaks before the answer."""
        async with self._bounded():
            return await self._send(command, *arguments)

    async def run(self, script: Script, keys: Sequence[str], *arguments: Argument) -> Any:
        """Run a script, whose keys share one hash tag. It may be sent again, like any command."""
        async with self._bounded():
            try:
                return await self._send("EVALSHA", script.sha, len(keys), *keys, *arguments)
            except NoScriptError:
                return await self._send("EVAL", script.text, len(keys), *keys, *arguments)

    def in_one_call(self, partitions: Iterable[int]) -> list[list[int]]:
        """Group partitions that one script may touch together: all of them, but in a cluster each alone."""
        if isinstance(self._client, RedisCluster):
            return [[partition] for partition in partitions]
        together = list(partitions)
        return [together] if together else []

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def _send(self, *words: Argument) -> Any:
        while True:
            try:
                return await self._client.execute_command(*words)
            except (AttributeError, TypeError):
                # A connection that is closed under the library's hands, by the server or by its own view of
                # the cluster, shows as these instead of a ConnectionError (redis-py issue 4287): once more.
                await asyncio.sleep(0.02)

    @asynccontextmanager
    async def _bounded(self) -> AsyncIterator[None]:
        # The library's messages may quote what was sent: they end here.
        try:
            async with asyncio.timeout(PATIENCE), self._turns:
                yield
        except AWAY as error:
            raise StoreAway(type(error).__name__) from None
        except ResponseError as error:
            if str(error).startswith(_AWAY_REPLIES):
                raise StoreAway(str(error).split(" ", 1)[0]) from None
            raise
