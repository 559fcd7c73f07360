"""Faults of an evening. A seed decides their times and order."""

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from bot.store import open_store
from bot.store.keys import PARTITIONS
from tests.evening.faults.evidence import Trouble
from tests.evening.running_bot import RunningBot
from tests.servers.discord_api.client import Discord, until
from tests.servers.telegram_api.client import Control, Group

LOG = logging.getLogger(__name__)

PAUSE_SECONDS = (2.0, 8.0)
"""Least and most seconds from one fault to the next."""

OPEN_SECONDS = (8.0, 32.0)
"""Least and most seconds from one withdrawn right to the next, beside regular kills."""

CLOSED_SECONDS = (3.0, 9.0)
"""Least and most seconds for which a place refuses the bot."""

BACK_SECONDS = 60.0
"""Seconds in which a killed program must work again."""

SHARED_SECONDS = 10.0
"""Seconds in which a new process must have its share."""

LEASES_SECONDS = 4.0
"""Seconds for which the leases of a killed program last."""

WORKS = ("clock", "tg", "dc")
"""The kinds of work that are leased by partition."""

DISCORD_MESSAGES = "/channels/"

Kinds = Sequence[Callable[[], Awaitable[None]]]
"""Faults, each by the function that causes it."""


@dataclass
class Troubles:
    """The faults of one evening in a group's topic and a channel."""

    chance: random.Random
    bots: Sequence[RunningBot]
    store: str
    control: Control
    discord: Discord
    group: Group
    topic: int
    guild: int
    channel: int
    places: tuple[str, str]
    """The keys of the topic and the channel."""
    posted: bool
    """Whether Discord posts interactions to a webhook."""
    kill_every: float | None
    """Seconds from one kill to the next, with rights withdrawn meanwhile; None: all kinds of faults."""
    seen: list[Trouble] = field(default_factory=list)
    unfair: list[str] = field(default_factory=list)
    """Leases in excess of a process's share, some time after a kill."""

    async def go_on(self) -> None:
        """Cause one fault after the other, until cancelled."""
        refusing: Kinds = (
            *(self.topic_closed, self.bot_silenced, self.bot_removed),
            *(self.channel_hidden, self.channel_muted, self.kicked),
        )
        if self.kill_every is None:
            failing = (self.too_many, self.server_error, self.lost_answer) * 4
            await self._some_of((*failing, *(self.kill,) * 3, *refusing), PAUSE_SECONDS)
        every = (self.kill_every, self.kill_every)
        await asyncio.gather(self._some_of((self.kill,), every), self._some_of(refusing, OPEN_SECONDS))

    async def _some_of(self, kinds: Kinds, pause: tuple[float, float]) -> NoReturn:
        """Cause one of these faults after the other, with such pauses."""
        while True:
            await asyncio.sleep(self.chance.uniform(*pause))
            kind = self.chance.choice(kinds)
            LOG.info("%s", kind.__name__)
            await kind()

    # Failing calls

    async def too_many(self) -> None:
        """Answer with 429 and a time to wait."""
        if self.chance.random() < 0.5:
            await self.control.fail(
                "429", method=self._telegram_method(), seconds=self.chance.choice((1, 2, 4))
            )
        else:
            wait = self.chance.choice((0.5, 2.0, 4.0))
            await self.discord.fail(1, 429, retry_after=wait, path=DISCORD_MESSAGES)

    async def server_error(self) -> None:
        """Answer with 500, 502 or 503, once or a few times."""
        times = self.chance.choice((1, 1, 2, 5))
        if self.chance.random() < 0.5:
            await self.control.fail("502", times)
        else:
            await self.discord.fail(times, self.chance.choice((500, 502, 503)), path=DISCORD_MESSAGES)

    async def lost_answer(self) -> None:
        """Carry a call out without an answer to the program."""
        if self.chance.random() < 0.5:
            await self.control.fail("lost", method=self._telegram_method())
        else:
            await self.discord.lose(1, path=DISCORD_MESSAGES)

    def _telegram_method(self) -> str:
        return self.chance.choice(("sendPhoto", "sendMessage", "editMessageMedia", "editMessageCaption"))

    # Kills

    async def kill(self) -> None:
        """Send SIGKILL to one process, and start it again at once or after a while."""
        began, bot = time.time(), self.chance.choice(self.bots)
        LOG.info("kill of process %d", self.bots.index(bot))
        try:
            await bot.kill()
            await self.discord.bot_killed()
            await asyncio.sleep(self.chance.choice((0.0, 0.0, 2.0)))
        finally:  # even if the evening ends meanwhile
            await bot.start()
            try:
                await self._back(bot, time.time())
            finally:
                self.seen.append(Trouble("kill", began, time.time()))
        if len(self.bots) > 1:
            await self._shared()

    async def _back(self, bot: RunningBot, since: float) -> None:
        """Wait until it is ready, and until each chat's events are received."""

        async def heard() -> bool:
            connected = self.posted or await self.discord.connected()
            return connected and await bot.is_ready() and await self._telegram_hears(since)

        await until(heard, BACK_SECONDS)
        await asyncio.sleep(LEASES_SECONDS)

    async def _shared(self) -> None:
        """Wait until each process has its share of each kind of work, a fifth more or less."""
        async with open_store(self.store, Path()) as store:
            leases, end = store.leases, time.monotonic() + SHARED_SECONDS - LEASES_SECONDS
            while (unfair := _unfair(await leases.holders(), len(self.bots))) and time.monotonic() < end:  # noqa: ASYNC110
                await asyncio.sleep(0.2)
        LOG.info("shares: %s", unfair or "fair")
        self.unfair += unfair

    async def _telegram_hears(self, since: float) -> bool:
        return any(call.at >= since for call in await self.control.calls("getUpdates"))

    # Places that refuse

    async def topic_closed(self) -> None:
        where = {"chat_id": self.group.id, "topic": self.topic}
        await self._for_a_while(
            "topic closed",
            self.places[0],
            lambda: self.control.ask("close_topic", **where),
            lambda: self.control.ask("reopen_topic", **where),
        )

    async def bot_silenced(self) -> None:
        await self._in_group("right to write withdrawn", "silence_bot", "let_bot_write")

    async def bot_removed(self) -> None:
        await self._in_group("removed from the group", "remove_bot", "add_bot")

    async def _in_group(self, kind: str, take: str, give: str) -> None:
        await self._for_a_while(
            kind,
            self.places[0],
            lambda: self.control.ask(take, chat_id=self.group.id),
            lambda: self.control.ask(give, chat_id=self.group.id),
        )

    async def channel_hidden(self) -> None:
        await self._in_channel("View Channel withdrawn", "view_channel")

    async def channel_muted(self) -> None:
        await self._in_channel("rights in the channel withdrawn", "send_messages", "attach_files")

    async def _in_channel(self, kind: str, *rights: str) -> None:
        await self._for_a_while(
            kind,
            self.places[1],
            lambda: self.discord.deny(self.channel, *rights),
            lambda: self.discord.allow(self.channel, *rights),
        )

    async def kicked(self) -> None:
        await self._for_a_while(
            "kicked from the server",
            self.places[1],
            lambda: self.discord.kick(self.guild),
            lambda: self.discord.kick(self.guild, kicked=False),
        )

    async def _for_a_while(
        self,
        kind: str,
        place: str,
        take: Callable[[], Awaitable[object]],
        give: Callable[[], Awaitable[object]],
    ) -> None:
        began = time.time()
        await take()
        try:
            await asyncio.sleep(self.chance.uniform(*CLOSED_SECONDS))
        finally:
            await give()
            self.seen.append(Trouble(kind, began, time.time(), place))


def _unfair(held: Mapping[str, Counter[str]], processes: int) -> list[str]:
    fair = len(PARTITIONS) / processes
    if len(held) != processes:
        return [f"{len(held)} of {processes} processes are at work"]
    return [
        f"{name} does {work} in {works[work]} of {len(PARTITIONS)} partitions"
        for name, works in held.items()
        for work in WORKS
        if not 0.8 * fair <= works[work] <= 1.2 * fair
    ]
