"""Troubles: what goes wrong in an evening, at moments and in an order that a seed decides."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from tests.evening.faults.evidence import Trouble
from tests.evening.running_bot import RunningBot
from tests.servers.discord_api.client import Discord
from tests.servers.telegram_api.client import Control, Group

LOG = logging.getLogger(__name__)

PAUSE_SECONDS = (2.0, 8.0)
"""From one trouble to the next, at least and at most."""

CLOSED_SECONDS = (3.0, 9.0)
"""How long a place refuses the bot."""

BACK_SECONDS = 60.0
"""A program that was killed does something again before so long."""

LEASES_SECONDS = 4.0
"""So long what a killed program held is held still."""

DISCORD_MESSAGES = "/channels/"


@dataclass
class Troubles:
    """The troubles of one evening in a group's topic and a channel."""

    chance: random.Random
    bot: RunningBot
    control: Control
    discord: Discord
    group: Group
    topic: int
    guild: int
    channel: int
    places: tuple[str, str]
    """The topic and the channel, as the program knows them."""
    seen: list[Trouble] = field(default_factory=list)

    async def go_on(self) -> None:
        """One after the other, until cancelled."""
        kinds: Sequence[Callable[[], Awaitable[None]]] = (
            *(self.too_many, self.server_error, self.lost_answer) * 4,
            *(self.kill,) * 3,
            *(self.topic_closed, self.bot_silenced, self.bot_removed),
            *(self.channel_hidden, self.channel_muted, self.kicked),
        )
        while True:
            await asyncio.sleep(self.chance.uniform(*PAUSE_SECONDS))
            kind = self.chance.choice(kinds)
            LOG.info("%s", kind.__name__)
            await kind()

    # Single calls go wrong

    async def too_many(self) -> None:
        """429, with a time to wait."""
        if self.chance.random() < 0.5:
            await self.control.fail(
                "429", method=self._telegram_method(), seconds=self.chance.choice((1, 2, 4))
            )
        else:
            wait = self.chance.choice((0.5, 2.0, 4.0))
            await self.discord.fail(1, 429, retry_after=wait, path=DISCORD_MESSAGES)

    async def server_error(self) -> None:
        """500, 502, 503, once or a few times."""
        times = self.chance.choice((1, 1, 2, 5))
        if self.chance.random() < 0.5:
            await self.control.fail("502", times)
        else:
            await self.discord.fail(times, self.chance.choice((500, 502, 503)), path=DISCORD_MESSAGES)

    async def lost_answer(self) -> None:
        """A call is carried out, and the program never hears so."""
        if self.chance.random() < 0.5:
            await self.control.fail("lost", method=self._telegram_method())
        else:
            await self.discord.lose(1, path=DISCORD_MESSAGES)

    def _telegram_method(self) -> str:
        return self.chance.choice(("sendPhoto", "sendMessage", "editMessageMedia", "editMessageCaption"))

    # The program dies

    async def kill(self) -> None:
        """SIGKILL; it is started again at once, or after a while."""
        began = time.time()
        await self.bot.kill()
        await asyncio.sleep(self.chance.choice((0.0, 0.0, 2.0)))
        await self.bot.start()
        await self._back(time.time())
        self.seen.append(Trouble("kill", began, time.time()))

    async def _back(self, since: float) -> None:
        """Wait until it has done something in each chat that it can be seen to do."""
        async with asyncio.timeout(BACK_SECONDS):
            while not (await self._telegram_hears(since) and await self.discord.connected()):  # noqa: ASYNC110
                await asyncio.sleep(0.2)
        await asyncio.sleep(LEASES_SECONDS)

    async def _telegram_hears(self, since: float) -> bool:
        return any(call.at >= since for call in await self.control.calls("getUpdates"))

    # Places refuse

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
