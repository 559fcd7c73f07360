"""Wire: carries calls to one Redis or Valkey, to its Sentinels' primary, or to a cluster."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from hiredis import pack_command
from redis import exceptions as redis
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.connection import Connection

from bot.store import keys
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

REPLICA_SECONDS: Final = 0.5
"""Seconds that a replica may take to have what was written. Then the call is made again."""

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
async def wire_to(client: "Redis | RedisCluster", replicas: int = 0) -> AsyncIterator[Wire]:
    """Open a wire through `client` that is closed with the context. `replicas`: how many of them must have
    what a script wrote before it is answered."""
    if isinstance(client, RedisCluster):
        yield _ClusterWire(client, replicas)
        return
    wire = _BatchWire(client, replicas)
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

    def __init__(self, client: RedisCluster, replicas: int) -> None:
        self._client = client
        self._replicas = replicas
        self._turns = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(CLUSTER_CALLS))

    async def carry(self, *words: Word) -> Any:
        async with self._turns[node := self._node_of(words)]:
            reply = await self._client.execute_command(*words)
            if self._replicas and (key := _find_synced(words)):
                *_, found = await self.carry_apart(*_wait_for(self._replicas, key))
                if found < self._replicas or self._node_of(words) != node:  # a failover may have lost it
                    raise _no_replica()
            return reply

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
        key = words[3 if _is_script(words) else 1] if len(words) > 1 else ""
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

    def __init__(self, client: Redis, replicas: int) -> None:
        self._client = client
        self._replicas = replicas
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
                    replies = await self._ask_durably(connection, [words for words, _ in wanted])
                except Exception as error:
                    replies = [error] * len(wanted)
                for (_, answer), reply in zip(wanted, replies, strict=True):
                    _give(answer, reply)
        finally:
            await connection.disconnect(nowait=True)

    async def _ask_durably(self, connection: Connection, commands: list[tuple[Word, ...]]) -> list[Any]:
        """Ask, and wait until the replicas have what the scripts wrote: on the connection of the write, since
        another one may lead to another server by then."""
        synced = [_find_synced(words) for words in commands] if self._replicas else []
        if not any(synced):
            return await self._ask(connection, commands)
        waits = _wait_for(self._replicas, next(filter(None, synced)))
        *replies, _, found = await self._ask(connection, [*commands, *waits])
        if isinstance(found, int) and found >= self._replicas:
            return replies
        return [_no_replica() if key else reply for key, reply in zip(synced, replies, strict=True)]

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


def _is_script(words: Sequence[Word]) -> bool:
    return words[0] in ("EVAL", "EVALSHA")


def _find_synced(words: Sequence[Word]) -> str | None:
    """Return the key to write after a script about a table, night or league; None for any other call."""
    return keys.find_synced(str(words[3])) if _is_script(words) else None


def _wait_for(replicas: int, key: str) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the commands that wait for what was written before. The server waits for a connection's own last
    write: a script that is sent again may write nothing."""
    return ("SET", key, "", "PX", 1000), ("WAIT", replicas, round(1000 * REPLICA_SECONDS))


def _no_replica() -> redis.ResponseError:
    """Return the error of a server that has too few replicas."""
    return redis.ResponseError("NOREPLICAS the write is in no replica yet")


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
