"""The people of a league's nights, each with the messages and buttons of their own app."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from bot.callback_data import read_callback
from tests.evening import discord_people, telegram_people
from tests.servers.discord_api import client as discord_client
from tests.servers.telegram_api import client as telegram_client
from tests.slash import slash

PATIENCE_SECONDS = 600.0
"""The most seconds that anybody waits for a button."""

ANSWER_SECONDS = 4.0
"""Seconds after which Discord reports that the program did not respond, and people try again."""

_MARKS = re.compile("[*\u2066-\u2069]")


class Someone(Protocol):
    """A person of either platform."""

    @property
    def key(self) -> str:
        """Their key in the program."""
        ...

    @property
    def name(self) -> str: ...

    async def press(self, verb: str, of: str = "") -> None:
        """Press the newest button with a verb (`one|another`) of a night, league or table that they see, once
        there is one, and wait for the answer."""
        ...

    async def write(self, line: str) -> None:
        """Type `/okey league …` in a place of the league, only once."""
        ...

    async def play(self) -> None:
        """Make their next move at their table."""
        ...

    async def read(self) -> list[str]:
        """The messages that they see in the league's place, oldest first, followed by those only they see
        there."""
        ...

    async def letters(self) -> list[str]:
        """Their private messages, oldest first."""
        ...


@dataclass(frozen=True)
class OnDiscord:
    """A person in a channel of a Discord server."""

    player: discord_people.Player

    @property
    def key(self) -> str:
        return f"dc:{self.player.user}"

    @property
    def name(self) -> str:
        return self.player.name

    async def press(self, verb: str, of: str = "") -> None:
        me = self.player

        async def pressed() -> bool:
            seen = [*await me.discord.direct(me.user), *await me.discord.sees(me.user, me.channel)]
            for message in reversed(seen):
                for button in message.buttons:
                    if not button.disabled and _is(button.custom_id, verb, of):
                        return await self._pressed(message, button.custom_id)
            return False

        await _once_there(pressed, f"{verb} for {self.name}")

    async def _pressed(self, message: discord_client.Seen, press: str) -> bool:
        """Return whether the program answered. When it can't be reached, Discord reports that and they try
        again."""
        me = self.player
        interaction = await me.discord.press_exactly(me.user, message.channel, message.id, press)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await me.discord.answered(interaction)
        except TimeoutError:
            return False
        return True

    async def write(self, line: str) -> None:
        me = self.player

        async def typed() -> bool:
            # Not again after a while without an answer: a program that is late would give a second penalty.
            await me.discord.wait_connected()
            await me.discord.answered(await me.discord.command(me.user, me.channel, *slash(f"league {line}")))
            return True

        await _once_there(typed, f"answer to {line} of {self.name}")

    async def play(self) -> None:
        with suppress(TimeoutError):  # no process answered: they try again later
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.player.play()

    async def letters(self) -> list[str]:
        seen = await self.player.discord.direct(self.player.user)
        return [plain(discord_people.words_of(message)) for message in seen]

    async def read(self) -> list[str]:
        seen = await self.player.discord.sees(self.player.user, self.player.channel)
        ordered = sorted(seen, key=lambda message: message.ephemeral)
        return [plain(discord_people.words_of(message)) for message in ordered]


@dataclass(frozen=True)
class OnTelegram:
    """A person in a Telegram group."""

    player: telegram_people.Player

    @property
    def key(self) -> str:
        return f"tg:{self.player.person.id}"

    @property
    def name(self) -> str:
        return self.player.person.name

    async def press(self, verb: str, of: str = "") -> None:
        person = self.player.person

        async def pressed() -> bool:
            for message in reversed([*await person.read(), *await person.read(self.player.group)]):
                for row in message.raw.get("reply_markup", {}).get("inline_keyboard", []):
                    for button in row:
                        if _is(button.get("callback_data", ""), verb, of):
                            return await self._pressed(message, button["callback_data"])
            return False

        await _once_there(pressed, f"{verb} for {self.name}")

    async def _pressed(self, message: telegram_client.Shown, press: str) -> bool:
        """Return whether the program answered. A person who waits in vain tries again."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.player.person.press(message, press)
        except TimeoutError:
            return False
        return True

    async def write(self, line: str) -> None:
        await self.player.person.write(self.player.group, f"/okey league {line}")

    async def play(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.player.play()

    async def letters(self) -> list[str]:
        return [plain(message.words) for message in await self.player.person.read() if message.from_bot]

    async def read(self) -> list[str]:
        shown = await self.player.person.read(self.player.group)
        return [plain(message.words) for message in shown if message.from_bot]


def plain(words: str) -> str:
    """Words without the marks for bold type and for the direction of names."""
    return _MARKS.sub("", words)


def _is(press: str, verb: str, of: str) -> bool:
    request = read_callback(press)
    return request is not None and request.verb in verb.split("|") and of in ("", request.target)


async def _once_there(pressed: Callable[[], Awaitable[bool]], what: str) -> None:
    """Press as soon as there is a button. If it disappears meanwhile, look for it again."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                try:
                    if await pressed():
                        return
                except (discord_client.Impossible, telegram_client.Impossible):
                    pass
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"no {what}") from None
