"""Client of one Redis or Valkey: calls have time limits, and failures are raised as `StoreUnavailable`."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import islice, takewhile
from types import TracebackType
from typing import Any, Final, Protocol, TypeVar

from hiredis import pack_command
from redis import exceptions as redis
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.connection import Connection

from bot import metrics
from bot.ports import StoreUnavailable
from bot.store.scripts import Script

_ONE_TRY = 1.0

LANES = 4
"""The number of batches on their way at once: while the server works on one, another's answers are read."""

_LARGEST_BATCH = 32

_CLOCK_STEP = 0.001
"""The server tells its clock in whole milliseconds."""

CLUSTER_CALLS = 32
"""The most calls on their way to one node of a cluster at once. Its pool must hold as many connections."""

CLUSTER_SECONDS = 0.3
"""Seconds that a node of a cluster may take to answer, by the library's own clock: only that way does the
library learn that a node is gone, and ask the others for its successor. All calls wait meanwhile."""

Word = str | bytes | int | float

T = TypeVar("T")


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
    """A wire through `client` that is closed with the context."""
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
        """The name of the node that holds the first key of a command."""
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
                    replies = await self._ask_at_once(connection, [words for words, _ in wanted])
                except Exception as error:
                    replies = [error] * len(wanted)
                for (_, answer), reply in zip(wanted, replies, strict=True):
                    _give(answer, reply)
        finally:
            await connection.disconnect(nowait=True)

    async def _ask_at_once(self, connection: Connection, commands: list[tuple[Word, ...]]) -> list[Any]:
        """As `_ask`, but all plain values are read by one command."""
        reads = [words for words in commands if words[0] == "MGET"]
        if len(reads) < 2:
            return await self._ask(connection, commands)
        others = [words for words in commands if words[0] != "MGET"]
        all_keys = (key for words in reads for key in words[1:])
        *replies, found = await self._ask(connection, [*others, ("MGET", *all_keys)])
        answers, values = iter(replies), iter(found if isinstance(found, list) else ())

        def answer_to(words: tuple[Word, ...]) -> Any:
            if words[0] != "MGET":
                return next(answers)
            return list(islice(values, len(words) - 1)) if isinstance(found, list) else found

        return [answer_to(words) for words in commands]

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


LOOKS: Final = 10
"""How often it is checked whether a time limit is over: a stall of any length costs a check's share of it."""


class TimeLimits:
    """Limits of some seconds each, in which only time counts while the event loop was free.

    While the loop stalls, an answer may already be there unread; a plain timeout would expire as soon as the
    loop continues, before reading it. One timer serves all limits: one for each call would cost as much as
    the call. A limit raises TimeoutError, up to a tenth late and never early: what is given up may be known
    to be over by then.
    """

    def __init__(self, seconds: float) -> None:
        self._pause = seconds / LOOKS
        self._looks = 0
        self._running: dict[_Limit, int] = {}
        """The limits, in their order, with the number of the look at which each is over."""
        self._timed = False

    def limit(self) -> "_Limit":
        """A limit that begins when it is entered."""
        return _Limit(self)

    def begin(self, limit: "_Limit") -> None:
        """Count the looks of a limit."""
        under_way = 1 if self._timed else 0  # the next look may come at once
        self._running[limit] = self._looks + LOOKS + under_way
        if not self._timed:
            self._timed = True
            asyncio.get_running_loop().call_later(self._pause, self._look)

    def end(self, limit: "_Limit") -> None:
        """Stop counting."""
        self._running.pop(limit, None)

    def _look(self) -> None:
        self._looks += 1
        over = list(takewhile(lambda limit: self._running[limit] <= self._looks, self._running))
        for limit in over:
            del self._running[limit]
            limit.expire()
        self._timed = bool(self._running)
        if self._timed:
            asyncio.get_running_loop().call_later(self._pause, self._look)


class _Limit:
    """One time limit. It cancels its task, and turns that into TimeoutError as `asyncio.timeout` does."""

    __slots__ = ("_cancelling", "_expired", "_limits", "_task")

    def __init__(self, limits: TimeLimits) -> None:
        self._limits = limits
        self._expired = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._limits.begin(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limits.end(self)
        if self._expired and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def expire(self) -> None:
        """End the wait inside."""
        self._expired = True
        self._task.cancel()


PATIENCE = 2.0
"""Seconds, and a tenth more, for one call with all its tries: people are told within 2.5 s, including their
chat's delay. Only time in which the event loop was free counts: a process that stalls knows nothing of the
server."""

_TIMELY_TRIES = 2

_GATHERED_SECONDS = 0.02
"""Seconds for which waits for the disk are gathered into one, since a wait needs a connection of its own."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.25
"""Seconds before the second try; each further pause is twice as long, up to the longest."""

_AWAY = (
    OSError,
    redis.ConnectionError,
    redis.TimeoutError,
    redis.RedisClusterException,
    redis.ClusterError,
    redis.AskError,
    redis.TryAgainError,
    redis.ReadOnlyError,
    redis.OutOfMemoryError,
)
"""Errors that the library raises while a server cannot be reached or cannot write."""

_OF_A_LOST_CONNECTION = (AttributeError, TypeError)
"""Errors from a connection that is closed while the library uses it, by the server or by the library's own
new view of a cluster (redis-py issue 4287)."""

_AWAY_REPLIES = ("BUSY ", "MISCONF ", "NOREPLICAS ")
"""Replies without an error class of their own that also mean: not now."""


def trouble_of(error: Exception) -> str | None:
    """The name of the reason why the server can't answer now; None when an error means something else.

    Only the name, since the library's messages may quote the data that was sent.
    """
    if isinstance(error, _AWAY) or (isinstance(error, _OF_A_LOST_CONNECTION) and not _is_ours(error)):
        return type(error).__name__
    if isinstance(error, redis.ResponseError) and str(error).startswith(_AWAY_REPLIES):
        return str(error).split(" ", 1)[0]
    return None


def _is_ours(error: Exception) -> bool:
    """Return whether an error was raised in this program's code, and not in a library that it called."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    module = "" if trace is None else trace.tb_frame.f_globals.get("__name__", "")
    return str(module).startswith("bot.")


def _as_sent(word: Word) -> Word:
    """The word in a form that can be sent. Raises TypeError for others, before they meet other calls."""
    match word:
        case str():
            return word if word.isascii() else word.encode()
        case bytes() | float() | int() if not isinstance(word, bool):
            return word
    raise TypeError(f"nothing to be stored: {type(word).__name__}")


class Server:
    """Calls to the server. Every method raises `StoreUnavailable` after `PATIENCE` seconds at the latest.

    A call is sent again when the connection breaks before the answer, so it may be carried out twice.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._trouble = "no answer"
        self._ahead = 0.0
        self._waits: dict[str, asyncio.Task[None]] = {}
        """Waits for the disk, one for a server or for each of a cluster's partitions."""
        self._limits = TimeLimits(PATIENCE)

    @property
    def splits(self) -> bool:
        """Return whether a call can only touch keys of one partition, as in a cluster."""
        return self._wire.splits

    def clock(self) -> float:
        """Seconds since the epoch by the server's clock, as far as it is known: that of a machine may be
        wrong."""
        return time.time() + self._ahead

    def set_clock(self, now: float, asked: float) -> None:
        """Note the server's clock, which was asked for when ours was `asked`, and has just been told.

        Ours is set only if it can't be right: else it would jump with every answer that comes late.
        """
        told = self.clock()
        if not asked - _CLOCK_STEP <= now <= told:
            self._ahead += now - (asked + told) / 2

    async def call(self, command: str, *arguments: Word) -> Any:
        """Send one command."""
        return await self._bound(self._send(command, *arguments))

    async def call_everywhere(self, command: str, *arguments: Word) -> list[Any]:
        """Send one command to the server, or to each primary of a cluster; their answers."""
        return await self._bound(self._try(lambda: self._wire.carry_everywhere(command, *arguments)))

    def one_for_each(self, keys: Iterable[str]) -> list[str]:
        """Return one of the keys for each server that holds some of them."""
        return list({self._wire.server_of(key): key for key in keys}.values())

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Any:
        """Run a script whose keys share one hash tag."""
        return await self._bound(self._run(script, len(keys), *keys, *arguments))

    async def run_in_time(self, script: Script, keys: Sequence[str], *arguments: Word) -> Any:
        """Run a script that does nothing once this call has been given up, even if a server that hung goes on
        later. Its first argument is the last moment at which it acts; later it replies `late` and the time.
        """
        for _ in range(_TIMELY_TRIES):
            asked = self.clock()
            reply = await self.run(script, keys, round(1000 * (asked + PATIENCE)), *arguments)
            if reply[0] != b"late":
                return reply
            self.set_clock(reply[1] / 1000, asked)  # it was heard in time: the clocks differ, or we stalled
        raise StoreUnavailable("late")

    async def _run(self, script: Script, *arguments: Word) -> Any:
        try:
            return await self._send("EVALSHA", script.sha, *arguments)
        except redis.NoScriptError:
            return await self._send("EVAL", script.text, *arguments)

    async def on_disk(self, key: str) -> None:
        """Wait until everything written so far is on disk where `key` is kept; writes to `key`.

        Returns at once if nothing is kept on disk, or the server can't tell (before Redis and Valkey 7.2).
        """
        kept_with = key if self.splits else ""
        if kept_with not in self._waits:
            self._waits[kept_with] = wait = asyncio.create_task(self._wait_for_disk(kept_with, key))
            # The waiting callers get the error; there may be none left.
            wait.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        await asyncio.shield(self._waits[kept_with])

    async def _wait_for_disk(self, kept_with: str, key: str) -> None:
        """Wait once for all who ask at about the same moment, as at the end of a league's round."""
        await asyncio.sleep(_GATHERED_SECONDS)
        del self._waits[kept_with]
        with suppress(redis.ResponseError):
            await self._bound(self._try(lambda: self.wait_for_disk(key)))

    async def wait_for_disk(self, key: str) -> list[int]:
        """Write to `key`, and return once that is on disk: the numbers of servers and of replicas that have
        it there. Raises the library's own errors, and waits without end."""
        # Earlier writes precede this one in the append-only file. The server waits on the connection of the
        # write.
        writes, waits = ("SET", key, "", "PX", 1000), ("WAITAOF", 1, 0, 0)
        synced: list[int] = (await self._wire.carry_apart(writes, waits))[-1]
        return synced

    async def values(self, keys: Sequence[str]) -> list[bytes | None]:
        """Plain values, in the order of their keys and in one call; in a cluster one call for each."""
        found = await together(self.call("MGET", *group) for group in self.in_one_call(keys))
        return [value for values in found for value in values]

    def in_one_call(self, items: Iterable[T]) -> list[list[T]]:
        """Group the items that one call may touch together: all of them, but in a cluster each alone."""
        if self.splits:
            return [[item] for item in items]
        together = list(items)
        return [together] if together else []

    async def _bound(self, call: Coroutine[Any, Any, T]) -> T:
        began = time.perf_counter()
        try:
            with self._limits.limit():
                return await call
        except TimeoutError:
            metrics.STORE_FAILURES.inc()
            raise StoreUnavailable(self._trouble) from None
        finally:
            metrics.STORE_SECONDS.observe(time.perf_counter() - began)

    async def _send(self, command: str, *arguments: Word) -> Any:
        words = tuple(map(_as_sent, arguments))
        return await self._try(lambda: self._wire.carry(command, *words))

    async def _try(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Make a call, repeatedly while its server is away."""
        pause = _FIRST_PAUSE
        while True:
            try:
                return await call()
            except Exception as error:
                trouble = trouble_of(error)
                if trouble is None:
                    raise
                self._trouble = trouble
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)


async def together(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Make calls at the same moment and wait for all of them. A single one needs no task of its own."""
    coroutines = list(calls)
    if len(coroutines) > 1:
        return await asyncio.gather(*coroutines)
    return [await each for each in coroutines]


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
