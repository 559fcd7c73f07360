"""Servers and connections that fail on purpose."""

import asyncio
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from bot.store.embedded import valkey_binary


class BreakingWire:
    """Carries bytes to a real server and back, and breaks on request."""

    def __init__(self, path: Path, server: str) -> None:
        self.url = f"unix://{path}"
        self._path = path
        self._server = server.removeprefix("unix://")
        self._breaks = 0
        self.broken = 0
        self._silenced: set[asyncio.StreamWriter] = set()
        self._open: set[asyncio.StreamWriter] = set()

    def break_before_answers(self, times: int) -> None:
        """Let the next scripts reach the server, and close the connection instead of returning their
        answers."""
        self._breaks = times

    def fall_silent(self) -> None:
        """Drop everything on the current connections. New ones work again."""
        self._silenced |= self._open

    async def serve(self) -> asyncio.Server:
        return await asyncio.start_unix_server(self._carry, self._path)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(self._server)
        doomed = False
        self._open.add(writer)

        async def up() -> None:
            nonlocal doomed
            while data := await reader.read(65536):
                doomed = self._breaks > 0 and b"EVALSHA" in data
                if writer not in self._silenced:
                    to_server.write(data)

        async def down() -> None:
            while data := await from_server.read(65536):
                if doomed:
                    self._breaks -= 1
                    self.broken += 1
                    return
                writer.write(data)

        pumps = [asyncio.create_task(up()), asyncio.create_task(down())]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        self._open.discard(writer)
        writer.close()
        to_server.close()


@pytest.fixture
async def wire(valkey_url: str, tmp_path: Path) -> AsyncIterator[BreakingWire]:
    """A breakable connection to the real server."""
    breaking = BreakingWire(tmp_path / "wire", valkey_url)
    server = await breaking.serve()
    yield breaking
    server.close()


StartValkey = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start_valkey(tmp_path: Path) -> Iterator[StartValkey]:
    """Start servers in `tmp_path` with these arguments. They end with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        started.append(
            subprocess.Popen([valkey_binary(), *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL)
        )
        return started[-1]

    yield start
    for process in started:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()


@pytest.fixture
def free_ports() -> Callable[[int], list[int]]:
    """Find TCP ports of this machine that nobody listens on."""

    def find(count: int) -> list[int]:
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
        ports = [one.getsockname()[1] for one in sockets]
        for one in sockets:
            one.close()
        return ports

    return find
