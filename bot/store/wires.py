"""How calls travel: together in batches to one server, or each for itself into a cluster.

Either way a try is given up after a second. The library's own timeouts stay off (see `address`).
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from redis.asyncio import Redis, RedisCluster

from bot.store.tasks import end
from bot.store.within import Within

_ONE_TRY = 1.0

LANES = 4
"""Batches on their way at once: while the server works on one, we read another's answers."""

_LARGEST_BATCH = 32

CLUSTER_CALLS = 32
"""Calls on their way into a cluster at once; each node's pool must hold as many connections."""

Word = str | bytes | int | float


class Wire(Protocol):
    """Carries calls."""

    @property
    def splits(self) -> bool:
        """Whether a script can only touch keys of one partition."""
        ...

    async def carry(self, *words: Word) -> Any:
        """Send one command and wait a second for its answer. Raises whatever the library raises."""
        ...


@asynccontextmanager
async def wire_to(client: "Redis | RedisCluster") -> AsyncIterator[Wire]:
    """A wire through `client`, while this is open."""
    if isinstance(client, RedisCluster):
        yield _ClusterWire(client)
        return
    wire = _BatchWire(client)
    lanes = [asyncio.create_task(wire.run_lane()) for _ in range(LANES)]
    try:
        yield wire
    finally:
        await end(lanes)


class _ClusterWire:
    """A connection for each call: the library has no pipelines of scripts for a cluster."""

    splits = True

    def __init__(self, client: RedisCluster) -> None:
        self._client = client
        self._turns = asyncio.Semaphore(CLUSTER_CALLS)

    async def carry(self, *words: Word) -> Any:
        async with self._turns, Within(_ONE_TRY):
            return await self._client.execute_command(*words)


class _BatchWire:
    """What is asked for at the same moment travels together: a move costs half of what it costs alone."""

    splits = False

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._calls: asyncio.Queue[tuple[tuple[Word, ...], asyncio.Future[Any]]] = asyncio.Queue()

    async def carry(self, *words: Word) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._calls.put_nowait((words, answer))
        return await answer

    async def run_lane(self) -> None:
        """Carry one batch after another until cancelled."""
        while True:
            calls = [await self._calls.get()]
            while len(calls) < _LARGEST_BATCH and not self._calls.empty():
                calls.append(self._calls.get_nowait())
            wanted = [(words, answer) for words, answer in calls if not answer.done()]
            try:
                replies = await self._ask([words for words, _ in wanted])
            except Exception as error:
                replies = [error] * len(wanted)
            for (_, answer), reply in zip(wanted, replies, strict=True):
                _give(answer, reply)

    async def _ask(self, commands: list[tuple[Word, ...]]) -> list[Any]:
        async with Within(_ONE_TRY), self._client.pipeline(transaction=False) as batch:
            for words in commands:
                batch.execute_command(*words)
            return await batch.execute(raise_on_error=False)


def _give(answer: asyncio.Future[Any], reply: Any) -> None:
    if answer.done():  # whoever asked has given up
        return
    if isinstance(reply, Exception):
        answer.set_exception(reply)
    else:
        answer.set_result(reply)
