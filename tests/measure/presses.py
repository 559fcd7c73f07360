"""Presses: two people play in a group and in a channel, while the cost of their presses is counted inside."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol

from tests.patience import PATIENCE
from tests.servers.discord_api.client import Discord, Seen, running_discord
from tests.servers.discord_api.client import until as discord_until
from tests.servers.telegram_api.client import TOKEN, Control, Shown, eventually, telegram, telegram_process
from tests.servers.telegram_api.client import Person as TelegramPerson

INSIDE: Final = Path(__file__).with_name("inside.py")
IN_MEMORY: Final = Path(__file__).with_name("in_memory.py")

JOIN, UNFOLD, START, DRAW, DISCARD = "join.", "unfold.", "start.", "draw.", "discard."
"""The beginnings of these buttons' texts."""

IDLE_SECONDS: Final = 4.0
"""Longer than the interval of any repeated call of an idle worker."""

SETTLED_SECONDS: Final = 4.0
"""Seconds after which all effects of a press are over."""

START_SECONDS: Final = 60.0
"""Seconds that a program may take to start on a busy machine."""

Counts = dict[str, Any]


class Measured:
    """A running program of a checkout, with counters in it."""

    def __init__(self, root: Path, folder: Path, **settings: str) -> None:
        self._root, self._folder, self._settings = root, folder, settings
        self._out = folder / "counted"
        self._out.touch()
        self._process: asyncio.subprocess.Process | None = None
        self.idle: frozenset[str] = frozenset()

    async def start(self) -> None:
        """Start it with the checkout's own interpreter."""
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(self._root),
            "DATA_DIR": str(self._folder / "data"),
            "WEB_PORT": "0",
            "LOG_LEVEL": "WARNING",
            **self._settings,
        }
        with (self._folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                interpreter_of(self._root),
                str(INSIDE),
                str(self._out),
                "run",
                cwd=self._folder,
                env=environment,
                stdout=log,
                stderr=log,
            )

    async def stop(self) -> None:
        """Stop it."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        await self._process.wait()

    async def rest(self) -> None:
        """Learn the calls to the store while nobody does anything."""
        await asyncio.sleep(SETTLED_SECONDS)
        counted = await self.counting(lambda: asyncio.sleep(IDLE_SECONDS))
        self.idle = frozenset(counted["commands"])

    async def counting(self, what: Callable[[], Awaitable[object]]) -> Counts:
        """The counts while something is done and settles, without the calls of an idle program."""
        assert self._process is not None
        before = len(self._lines())
        self._process.send_signal(signal.SIGUSR1)
        await asyncio.sleep(0.05)
        await what()
        await asyncio.sleep(SETTLED_SECONDS)
        self._process.send_signal(signal.SIGUSR2)
        async with asyncio.timeout(PATIENCE):
            while len(self._lines()) == before:  # noqa: ASYNC110 - it comes from another process
                await asyncio.sleep(0.02)
        counts: Counts = json.loads(self._lines()[-1])
        counts["commands"] = {name: n for name, n in counts["commands"].items() if name not in self.idle}
        return counts

    def _lines(self) -> list[str]:
        return self._out.read_text().splitlines()


class Side(Protocol):
    """Two people in one place of a chat."""

    async def okey(self) -> None:
        """The first of them opens a table for two, and sees it."""
        ...

    async def sit(self) -> None:
        """The second sits down, the first starts; a rack with 15 tiles is there."""
        ...

    async def press(self, verb: str) -> None:
        """Have the person who is offered the button press it, and wait for their answer."""
        ...


@dataclass
class Group:
    """Two people in a Telegram group."""

    control: Control
    group: Any = None
    people: list[TelegramPerson] = field(default_factory=list)

    async def gather(self) -> None:
        self.people = [await self.control.person(name, started=True) for name in ("Ada", "Can")]
        self.group = await self.control.group("Club", *self.people)
        for person in self.people:
            await person.sees(lambda message: True, seconds=START_SECONDS)

    async def okey(self) -> None:
        await self.people[0].write(self.group, "/okey 2")
        await self.people[0].sees(lambda message: bool(_telegram(message, JOIN)), self.group)

    async def sit(self) -> None:
        table = await self.people[0].sees(lambda message: bool(_telegram(message, JOIN)), self.group)
        await self.people[1].press(table, _telegram(table, JOIN)[0])
        for unfold in _telegram(table, UNFOLD):  # other checkouts show the host's buttons unasked
            await self.people[0].press(table, unfold)
        unfolded = await self.people[0].sees(lambda message: bool(_telegram(message, START)), self.group)
        await self.people[0].press(unfolded, _telegram(unfolded, START)[0])

    async def press(self, verb: str) -> None:
        async def offered() -> tuple[TelegramPerson, Shown] | None:
            for person in self.people:
                for shown in await person.read():
                    if shown.from_bot and _telegram(shown, verb):
                        return person, shown
            return None

        person, shown = await eventually(offered, START_SECONDS, f"nobody is offered to {verb}")
        await person.press(shown, _telegram(shown, verb)[0])


def _telegram(message: Shown, verb: str) -> list[str]:
    rows = message.raw.get("reply_markup", {}).get("inline_keyboard", [])
    texts = [button.get("callback_data", "") for row in rows for button in row]
    return [text for text in texts if text.startswith(verb)]


@dataclass
class Channel:
    """Two people in a Discord channel."""

    discord: Discord
    channel: int = 0
    people: list[int] = field(default_factory=list)

    async def gather(self) -> None:
        guild = await self.discord.guild()
        self.channel = await self.discord.channel(guild)
        self.people = [await self.discord.user(name, guild=guild) for name in ("Ada", "Can")]
        await discord_until(self.discord.connected, START_SECONDS)

        await self.discord.wait_commands()

    async def okey(self) -> None:
        await self.discord.answered(
            await self.discord.command(self.people[0], self.channel, "okey", {"players": 2})
        )
        await discord_until(lambda: self._offered(JOIN, self.channel))

    async def sit(self) -> None:
        _, lobby, join = await discord_until(lambda: self._offered(JOIN, self.channel))
        unfold = await self._offered(UNFOLD, self.channel)
        await self._answered(self.people[1], lobby, join)
        if unfold is not None:  # other checkouts show the host's buttons unasked
            await self._answered(self.people[0], *unfold[1:])
        _, lobby, start = await discord_until(lambda: self._offered(START, self.channel))
        await self._answered(self.people[0], lobby, start)

    async def press(self, verb: str) -> None:
        person, seen, press = await discord_until(lambda: self._offered(verb, None))
        await self._answered(person, seen, press)

    async def _answered(self, person: int, seen: Seen, press: str) -> None:
        await self.discord.answered(await self.discord.press_exactly(person, seen.channel, seen.id, press))

    async def _offered(self, verb: str, channel: int | None) -> tuple[int, Seen, str] | None:
        for person in self.people:
            shown = await (
                self.discord.direct(person) if channel is None else self.discord.sees(person, channel)
            )
            for seen in reversed(shown):
                for button in seen.buttons:
                    if button.custom_id.startswith(verb) and not button.disabled:
                        return person, seen, button.custom_id
        return None


async def measured(side: Side, program: Measured) -> dict[str, Counts]:
    """The counts of `/okey`, a draw and a discard, by these names."""
    await program.rest()
    okey = await program.counting(side.okey)
    await side.sit()
    await side.press(DISCARD)  # the first turn is one without a draw
    await asyncio.sleep(SETTLED_SECONDS)
    draw = await program.counting(lambda: side.press(DRAW))
    discard = await program.counting(lambda: side.press(DISCARD))
    return {"okey": okey, "draw": draw, "discard": discard}


def interpreter_of(root: Path) -> str:
    """A checkout's own Python, or this one."""
    own = root / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


async def in_memory(root: Path) -> dict[str, Counts]:
    """The figures of a checkout with a chat that only remembers: only commands to the store."""
    process = await asyncio.create_subprocess_exec(
        interpreter_of(root),
        str(IN_MEMORY),
        cwd=root,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(root)},
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"{IN_MEMORY.name} failed in {root}")
    counts: dict[str, Counts] = json.loads(told)
    return counts


async def in_telegram(root: Path) -> dict[str, Counts]:
    """The figures of a checkout in Telegram."""
    with telegram_process() as url:
        async with (
            telegram(url) as control,
            _running(root, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=url) as program,
        ):
            group = Group(control)
            await group.gather()
            return await measured(group, program)


async def in_discord(root: Path) -> dict[str, Counts]:
    """The figures of a checkout in Discord."""
    async with (
        running_discord() as discord,
        _running(root, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url) as program,
    ):
        channel = Channel(discord)
        await channel.gather()
        return await measured(channel, program)


@asynccontextmanager
async def _running(root: Path, **settings: str) -> AsyncIterator[Measured]:
    with TemporaryDirectory() as folder:
        program = Measured(root, Path(folder), **settings)
        await program.start()
        try:
            yield program
        except BaseException as error:
            error.add_note((Path(folder) / "log").read_text())
            raise
        finally:
            await program.stop()
