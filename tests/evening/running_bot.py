"""`okey run` as a process of its own, which tests kill and start again."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import aiohttp

from tests.patience import PATIENCE
from tests.servers.discord_api.client import Discord
from tests.servers.telegram_api.client import TOKEN, Control

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


AS_SHIPPED = {"OKEY_PROCESSES": "2"}
"""What most evenings set to 0, since a program with processes of its own starts more slowly."""


def both_chats(discord: Discord, control: Control) -> dict[str, str]:
    """The settings for a program with both chats."""
    return {
        "DISCORD_TOKEN": discord.token,
        "DISCORD_API_URL": discord.api_url,
        "TELEGRAM_TOKEN": TOKEN,
        "TELEGRAM_API_URL": control.url,
    }


_ALIVE: set[asyncio.subprocess.Process] = set()


def alive() -> frozenset[asyncio.subprocess.Process]:
    """The processes that have been started."""
    return frozenset(_ALIVE)


def end_others(than: frozenset[asyncio.subprocess.Process]) -> None:
    """Kill other processes than these, left running by a failed test."""
    for process in _ALIVE - than:
        if process.returncode is None:
            process.kill()
    _ALIVE.intersection_update(than)


class RunningBot:
    """The program with its own settings, logging to a file. `program`: a module and its arguments."""

    def __init__(
        self, folder: Path, *, program: Sequence[str] = ("bot.main", "run"), **settings: str
    ) -> None:
        self._folder = folder
        self._program = program
        self._settings = settings
        self._process: asyncio.subprocess.Process | None = None
        self.killed: list[float] = []
        """The times of kills, in seconds since the epoch."""
        self.log = folder / "log"

    async def start(self) -> None:
        """Start the program with the settings, in an otherwise empty environment."""
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DATA_DIR": str(self._folder / "data"),
            "LOG_LEVEL": "DEBUG",
            "WEB_PORT": "0",
            "OKEY_COMPUTER_SECONDS": "0.2",
            "OKEY_NEXT_ROUND_SECONDS": "1",
            "OKEY_FULL_LOBBY_SECONDS": "0",
            "OKEY_PRESSES_PER_SECOND": "1000",
            "OKEY_PROCESSES": "0",
            **self._settings,
        }
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                *self._program,
                cwd=self._folder,
                env=environment,
                stdout=log,
                stderr=log,
            )
        _ALIVE.add(self._process)

    @property
    def url(self) -> str:
        """The address of its web server, if WEB_PORT is set."""
        return f"http://127.0.0.1:{self._settings['WEB_PORT']}"

    async def is_ready(self) -> bool:
        """Return whether it is ready to serve people."""
        async with aiohttp.ClientSession() as session:
            try:
                async with session.get(f"{self.url}/healthz") as answer:
                    return answer.status == 200
            except aiohttp.ClientError:
                return False

    async def kill(self) -> None:
        """`kill -9`."""
        assert self._process is not None
        self.killed.append(time.time())
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> int:
        """Send SIGTERM and return the exit status. It is killed when it does not end."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._process.wait()
        except TimeoutError:
            await self.kill()
            raise AssertionError(f"it did not stop: {self.log.read_text()[-3000:]}") from None

    async def ended(self) -> int:
        """Wait until it ends by itself, and return the exit status."""
        assert self._process is not None
        async with asyncio.timeout(PATIENCE):
            return await self._process.wait()

    def told(self) -> str:
        """Its log."""
        return self.log.read_text(errors="replace")
