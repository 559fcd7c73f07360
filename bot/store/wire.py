"""Wire: carries calls to one Redis or Valkey, to its Sentinels' primary, or to a cluster."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from hiredis import pack_command
from redis import exceptions as redis
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.connection import Connection

from bot.store.time_limits import TimeLimits

_ONE_TRY = 1.0

LANES = 4
"""The number of batches on their way at once: while the server works on one, another's answers are read."""

_LARGEST_BATCH = 32

CLUSTER_CALLS = 32
"""The most calls on their way to one node of a cluster at once. Its pool must hold as many connections."""

CLUSTER_SECONDS = 0.3
"""Seconds that a node of a cluster may take to answer, by the library's own clock: only that way does the
library learn that a node is gone, and ask the others for its successor. All calls wait meanwhile."""

Word = str | bytes | int | float


class Wire(Protocol):
    """Carries calls to the server."""

    @property
    def splits(self) -> bool:
        """Return whether a script can only touch keys of one partition."""
        ...

    async def carry(self, *words: Word) -> Any:
        """Send one command and wait a second for its answer. Raises the library's own errors."""
        ...

    async def carry_apart(self, *commands: tuple[Word, ...]) -> list[Any]:
        """Send commands about one key over a connection of their own; their answers."""
        ...

    async def carry_everywhere(self, *words: Word) -> list[Any]:
        """Send one command to the server, or to each primary of a cluster; their answers."""
        ...

    def server_of(self, key: str) -> str:
        """Return a name for the server that holds a key."""
        ...


@asynccontextmanager
async def wire_to(client: "Redis | RedisCluster") -> AsyncIterator[Wire]:
    """Open a wire through `client` that is closed with the context."""
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
    """A connection for each call, since the library has no pipelines of scripts for a cluster.

    Each node has its own limit, so that a node that hangs delays no other.
    """

    splits = True

    def __init__(self, client: RedisCluster) -> None:
        self._client = client
        self._turns = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(CLUSTER_CALLS))

    async def carry(self, *words: Word) -> Any:
        async with self._turns[self._node_of(words)]:
            return await self._client.execute_command(*words)

    async def carry_apart(self, *commands: tuple[Word, ...]) -> list[Any]:
        node = self._client.get_node_from_key(str(commands[0][1]))
        if node is None:
            raise redis.SlotNotCoveredError
        # The library's own connections give up after `CLUSTER_SECONDS`.
        connection = node.connection_class(**{**node.connection_kwargs, "socket_timeout": None})
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
            answers = []
            for words in commands:
                await connection.send_command(*words)
                answers.append(await connection.read_response())
            return answers
        finally:
            await connection.disconnect()

    async def carry_everywhere(self, *words: Word) -> list[Any]:
        # The library asks for the cluster's nodes with its first call.
        await self._client.initialize()
        nodes = self._client.get_primaries()
        return [await self._client.execute_command(*words, target_nodes=node) for node in nodes]

    def server_of(self, key: str) -> str:
        return self._node_of(("GET", key))

    def _node_of(self, words: Sequence[Word]) -> str:
        """Return the name of the node that holds the first key of a command."""
        key = words[3 if words[0] in ("EVAL", "EVALSHA") else 1] if len(words) > 1 else ""
        try:
            node = self._client.get_node_from_key(str(key))
        except redis.SlotNotCoveredError:  # the library asks for the newest view when the command is sent
            return ""
        return "" if node is None else node.name


class _BatchWire:
    """Calls made at the same moment travel in one batch: a move then costs half as much as alone.

    Each lane keeps a connection of its own. The library's pipelines take one from its pool for each batch and
    examine it before use, which costs as much as the batch.
    """

    splits = False

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._calls: asyncio.Queue[tuple[tuple[Word, ...], asyncio.Future[Any]]] = asyncio.Queue()
        self._failures = 0
        """The number of batches that failed: each leads all lanes to connect anew."""
        self._limits = TimeLimits(_ONE_TRY)

    async def carry(self, *words: Word) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._calls.put_nowait((words, answer))
        return await answer

    async def carry_apart(self, *commands: tuple[Word, ...]) -> list[Any]:
        async with self._client.pipeline(transaction=False) as batch:
            for words in commands:
                batch.execute_command(*words)
            return await batch.execute()

    async def carry_everywhere(self, *words: Word) -> list[Any]:
        return [await self.carry(*words)]

    def server_of(self, key: str) -> str:
        return ""

    async def run_lane(self) -> None:
        """Carry one batch after another until cancelled."""
        connection: Connection = self._client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        failures = 0
        try:
            while True:
                calls = [await self._calls.get()]
                while len(calls) < _LARGEST_BATCH and not self._calls.empty():
                    calls.append(self._calls.get_nowait())
                wanted = [(words, answer) for words, answer in calls if not answer.done()]
                if failures != self._failures:
                    await connection.disconnect(nowait=True)
                    failures = self._failures
                try:
                    replies = await self._ask(connection, [words for words, _ in wanted])
                except Exception as error:
                    replies = [error] * len(wanted)
                for (_, answer), reply in zip(wanted, replies, strict=True):
                    _give(answer, reply)
        finally:
            await connection.disconnect(nowait=True)

    async def _ask(self, connection: Connection, commands: list[tuple[Word, ...]]) -> list[Any]:
        packed = b"".join(pack_command(words) for words in commands)  # type: ignore[arg-type]
        try:
            with self._limits.limit():
                await connection.connect()  # type: ignore[no-untyped-call]
                await connection.send_packed_command(packed, check_health=False)
                return [await self._reply(connection, str(words[0])) for words in commands]
        except BaseException:  # replies may still arrive, and nobody would know to what
            self._failures += 1
            raise

    async def _reply(self, connection: Connection, command: str) -> Any:
        try:
            return await self._client.parse_response(connection, command)
        except redis.ResponseError as error:
            return error


def _give(answer: asyncio.Future[Any], reply: Any) -> None:
    if answer.done():  # the caller has given up
        return
    if isinstance(reply, Exception):
        answer.set_exception(reply)
    else:
        answer.set_result(reply)


async def end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks until they have ended.

    Once may not be enough: before Python 3.12 `asyncio.wait_for`, which the library uses, can swallow a
    cancellation.
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.1)
