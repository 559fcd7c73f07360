"""Pool: processor-intensive work is done outside the event loop, in a few processes.

They start with the first work, and end with the program in any case. Without processes the work is done in
threads.
"""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing import forkserver
from multiprocessing.connection import wait
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from bot.logs import way_of

LOG: Final = logging.getLogger(__name__)

TRIES: Final = 3
"""The number of tries for work whose process died: the work itself may be the cause."""

HUNG_SECONDS: Final = 10.0
"""Seconds without any result after which the processes are taken to hang and are replaced, and seconds more
after which replaced ones that did not even say that they broke are no longer waited for."""

_NICENESS: Final = 5
"""How far these processes stand back where the event loop, which answers everybody, wants the processor."""
_THREADS: Final = 2
_PARTING_SECONDS: Final = 2.0
_METHOD: Final = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""How processes are begun: so that they inherit nothing."""

A = TypeVar("A")
P = ParamSpec("P")
T = TypeVar("T")


class Pool:
    """Runs pure functions of values, which may be run again."""

    def __init__(self) -> None:
        self._size = 0
        self._executor: Executor | None = None
        self._result_at = 0.0
        """The moment of the last result, by the monotonic clock."""

    @asynccontextmanager
    async def processes(self, size: int, modules: Sequence[str] = ()) -> AsyncIterator[None]:
        """Use this many processes inside the context. These modules are imported once for all of them."""
        multiprocessing.set_forkserver_preload(list(modules))
        if size and _METHOD == "forkserver":
            # It imports them meanwhile: the first work would stop the event loop until that is done.
            forkserver.ensure_running()
        self._size, self._executor = size, None
        try:
            yield
        finally:
            self._size, executor, self._executor = 0, self._executor, None
            if executor is not None:
                await _end(executor)

    async def run(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return the result of a function for these arguments. A process that dies or hangs loses no work.

        Raises what the function raises, and BrokenExecutor for work that kills every process that does it.
        """
        for left in reversed(range(TRIES)):
            executor = self._open()
            try:
                return await self._result(executor, executor.submit(function, *arguments, **named))
            except BrokenExecutor:
                self._replace(executor)
                if not left:
                    raise
        raise AssertionError("there are tries")

    async def _result(self, executor: Executor, work: "Future[T]") -> T:
        # It is never cancelled: Python's executor may fail for all work when one future is.
        result, begun = asyncio.wrap_future(work), time.monotonic()
        result.add_done_callback(_retrieve)
        while not (await asyncio.wait((result,), timeout=HUNG_SECONDS))[0]:
            if isinstance(executor, ThreadPoolExecutor):
                continue
            # An executor whose own thread failed while it took leave of dead processes never says anything.
            if executor is not self._executor:
                raise BrokenExecutor
            if time.monotonic() - max(begun, self._result_at) > HUNG_SECONDS:
                self._replace(executor)
        self._result_at = time.monotonic()
        return result.result()

    def _replace(self, executor: Executor) -> None:
        """Let the next work open another executor. Only the first call ends processes: later ones are new."""
        if self._executor is executor:
            self._executor = None
            _kill()
            LOG.warning("a process that draws and plays is gone: others take its place")

    def _open(self) -> Executor:
        if self._executor is None:
            self._executor = _processes(self._size) if self._size else ThreadPoolExecutor(_THREADS)
        return self._executor

    @property
    def size(self) -> int:
        """The number of its processes, or of threads without any."""
        return self._size or _THREADS


POOL: Final = Pool()
"""The pool of this process."""


class _Piece(NamedTuple):
    """A piece of work that waits for its batch."""

    function: Callable[[Any], Any]
    argument: Any
    result: asyncio.Future[Any]


class Batches:
    """Short pieces of work for the pool, several handed over at once: one by one that would cost this process
    as much as its presses do.

    `most`: pieces in a batch. `at_once`: batches under way; None: two for each process, so that it has the
    next one at hand. What comes while all are under way waits, and so batches grow with the load.
    """

    def __init__(self, most: int, at_once: int | None = None) -> None:
        self._most = most
        self._at_once = at_once
        self._waiting: deque[_Piece] = deque()
        self._under_way: set[asyncio.Task[None]] = set()
        self._suspects = asyncio.Lock()

    def begin(self, function: Callable[[A], T], argument: A) -> "asyncio.Future[T]":
        """Return the result to come of a function for this argument. A piece that fails does not affect the
        others of its batch; one that is cancelled before its batch begins is not done.

        Its errors are RuntimeError with the type and place of the function's own error, which need not be one
        that can be sent to another process, and BrokenExecutor as of `Pool.run`.
        """
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Piece(function, argument, result))
        result.get_loop().call_soon(self._go_on)  # what is begun in the same turn of the loop goes together
        return result

    def _go_on(self) -> None:
        most = 2 * POOL.size if self._at_once is None else self._at_once
        while self._waiting and len(self._under_way) < most:
            batch = [self._waiting.popleft() for _ in range(min(self._most, len(self._waiting)))]
            task = asyncio.create_task(self._hand_over(batch))
            self._under_way.add(task)
            task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            self._go_on()

    async def _hand_over(self, batch: Sequence[_Piece]) -> None:
        wanted = [piece for piece in batch if not piece.result.done()]  # the others' callers have given up
        if not wanted:
            return
        try:
            done = await POOL.run(_each_done, [(piece.function, piece.argument) for piece in wanted])
        except BrokenExecutor:
            done = [await self._alone(piece) for piece in wanted]
        except Exception as error:
            done = [error] * len(wanted)
        for piece, result in zip(wanted, done, strict=True):
            if piece.result.done():
                continue
            if isinstance(result, Exception):
                piece.result.set_exception(result)
            else:
                piece.result.set_result(result)

    async def _alone(self, piece: _Piece) -> Any:
        """Return the result of a piece, or its error, after the processes that did its batch died. One of
        these pieces ends whoever does it, and others may have died with it: so they are done one at a
        time."""
        async with self._suspects:
            try:
                [result] = await POOL.run(_each_done, [(piece.function, piece.argument)])
            except BrokenExecutor as error:
                return error
        return result


def _each_done(batch: Sequence[tuple[Callable[[Any], Any], Any]]) -> list[Any]:
    return [_finish(function, argument) for function, argument in batch]


def _finish(function: Callable[[Any], Any], argument: Any) -> Any:
    try:
        return function(argument)
    except Exception as error:
        return RuntimeError(way_of(error))


def _processes(size: int) -> Executor:
    """Processes that inherit nothing from this one: no thread, no connection, no lock."""
    try:
        return ProcessPoolExecutor(size, multiprocessing.get_context(_METHOD), _begin)
    except (OSError, ImportError) as error:  # no shared memory here
        LOG.warning("no processes can be begun (%s): threads draw and play", type(error).__name__)
        return ThreadPoolExecutor(_THREADS)


def _begin() -> None:
    """Prepare a new process: it ends with the program, leaves Ctrl-C to it, and the processor, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


def _retrieve(result: asyncio.Future[T]) -> None:
    """Take note of an error: perhaps nobody waits for the result any more."""
    if not result.cancelled():
        result.exception()


async def _end(executor: Executor) -> None:
    """Shut an executor down; processes that hang are killed."""
    ended = asyncio.create_task(asyncio.to_thread(executor.shutdown, cancel_futures=True))
    if not (await asyncio.wait((ended,), timeout=_PARTING_SECONDS))[0]:
        _kill()
    await ended


def _kill() -> None:
    for process in multiprocessing.active_children():
        process.kill()
