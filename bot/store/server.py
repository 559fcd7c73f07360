"""Server: calls have time limits and are tried again, and failures are raised as `StoreUnavailable`."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from redis import exceptions as redis

from bot import metrics
from bot.ports import StoreUnavailable
from bot.store.scripts import Script
from bot.store.time_limits import TimeLimits
from bot.store.wire import Wire, Word

T = TypeVar("T")

Carry = Callable[[], Coroutine[Any, Any, T]]
"""Sends a call and waits for its answer."""

_CLOCK_STEP = 0.001
"""The server tells its clock in whole milliseconds."""

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
    """Return the name of the reason why the server can't answer now; None when an error means something else.

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
    """Return the word in a form that can be sent. Raises TypeError for others, before they meet other
    calls."""
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
        """Return seconds since the epoch by the server's clock, as far as it is known: that of a machine may
        be wrong."""
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
        words = (command, *map(_as_sent, arguments))
        return await self._call(partial(self._wire.carry, *words))

    async def call_everywhere(self, command: str, *arguments: Word) -> list[Any]:
        """Send one command to the server, or to each primary of a cluster; their answers."""
        return await self._call(partial(self._wire.carry_everywhere, command, *arguments))

    def one_for_each(self, keys: Iterable[str]) -> list[str]:
        """Return one of the keys for each server that holds some of them."""
        return list({self._wire.server_of(key): key for key in keys}.values())

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Any:
        """Run a script whose keys share one hash tag."""
        words = (len(keys), *map(_as_sent, (*keys, *arguments)))
        return await self._call(
            partial(self._wire.carry, "EVALSHA", script.sha, *words),
            partial(self._wire.carry, "EVAL", script.text, *words),
        )

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
            await self._call(partial(self.wait_for_disk, key))

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

    async def _call(self, carry: Carry[T], if_unknown: Carry[T] | None = None) -> T:
        """Make a call, repeatedly while its server is away; with `if_unknown` once it lacks the script."""
        began, pause = time.perf_counter(), _FIRST_PAUSE
        try:
            with self._limits.limit():
                while True:
                    try:
                        return await carry()
                    except Exception as error:
                        if if_unknown is not None and isinstance(error, redis.NoScriptError):
                            carry, if_unknown = if_unknown, None
                            continue
                        trouble = trouble_of(error)
                        if trouble is None:
                            raise
                        self._trouble = trouble
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)
        except TimeoutError:
            metrics.STORE_FAILURES.inc()
            raise StoreUnavailable(self._trouble) from None
        finally:
            metrics.STORE_SECONDS.observe(time.perf_counter() - began)


async def together(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Make calls at the same moment and wait for all of them. A single one needs no task of its own."""
    coroutines = list(calls)
    if len(coroutines) > 1:
        return await asyncio.gather(*coroutines)
    return [await each for each in coroutines]
