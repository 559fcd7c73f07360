"""Many people of one platform, who play at tables in one place and look at their racks now and then."""

import asyncio
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bot.callback_data import read_callback
from bot.ports import Person
from tests.evening import discord_people, telegram_people
from tests.patience import PATIENCE
from tests.servers.discord_api.client import Call, Discord
from tests.servers.telegram_api.client import TOKEN, Control

COUNTS_TURNS = re.compile(r"\w+_here|place")
"""Verbs of buttons whose number is not the count of moves."""

GREETING_SECONDS = 0.7
"""Seconds without a greeting after which everybody has been greeted."""

_MESSAGE = re.compile(r"/channels/(\d+)/messages")


@dataclass(frozen=True, slots=True)
class Showing:
    """A call that asked a platform to show a table to a person or in a place."""

    at: float
    """The time of the call, in seconds since the epoch."""
    to: str
    table: str
    moves: int
    """The table's count of moves that its buttons were made for."""


class Player(Protocol):
    """A person who plays by the screens of their app."""

    acknowledged: list[float]
    """Seconds until the answer to each of their presses."""

    async def play(self) -> None:
        """Make the next move."""
        ...


@dataclass
class Crowd:
    """People of one platform."""

    people: list[Person]
    place: str
    players: Sequence[Player]

    name = ""

    @property
    def settings(self) -> dict[str, str]:
        """The program's settings for serving them."""
        raise NotImplementedError

    async def served(self) -> None:
        """Wait until the program serves them."""

    async def play(self, look_seconds: tuple[float, float]) -> None:
        """Let everybody look at their rack again and again, with `look_seconds` in between, until
        cancelled."""
        async with asyncio.TaskGroup() as group:
            for number, player in enumerate(self.players):
                group.create_task(_play(player, random.Random(number), look_seconds))

    async def showings(self) -> list[Showing]:
        """All calls that showed something so far, earliest first."""
        raise NotImplementedError

    async def refused(self) -> int:
        """The number of calls that the platform refused because there were too many."""
        raise NotImplementedError

    async def findings(self) -> list[str]:
        """The broken rules of the platform."""
        raise NotImplementedError


async def _play(player: Player, chance: random.Random, look_seconds: tuple[float, float]) -> None:
    await asyncio.sleep(chance.uniform(0, look_seconds[1]))
    while True:
        await player.play()
        await asyncio.sleep(chance.uniform(*look_seconds))


@dataclass
class TelegramCrowd(Crowd):
    """People of a group who have all opened the bot's private chat."""

    control: Control

    name = "telegram"

    @property
    def settings(self) -> dict[str, str]:
        return {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": self.control.url}

    async def served(self) -> None:
        """Wait also until it has greeted everybody who opened its private chat before it started."""
        greeted = 0
        async with asyncio.timeout(5 * PATIENCE):
            while True:
                await asyncio.sleep(GREETING_SECONDS)
                before, greeted = greeted, len(await self.control.calls("sendMessage", "sendPhoto"))
                if greeted and greeted == before:
                    return

    async def showings(self) -> list[Showing]:
        return [
            Showing(call.at, f"tg:{call.parameters['chat_id']}", *shown)
            for call in await self.control.calls()
            if call.status == 200
            for shown in _shown(_pressable(call.parameters.get("reply_markup") or {}))
        ]

    async def refused(self) -> int:
        return sum(call.status == 429 for call in await self.control.calls())

    async def findings(self) -> list[str]:
        return await self.control.findings()


async def telegram_crowd(control: Control, size: int) -> TelegramCrowd:
    """A crowd of this size in one group."""
    members = [await control.person(f"T{number:03}", language="en", started=True) for number in range(size)]
    group = await control.group("Kıraathane", *members)
    people = [Person(f"tg:{member.id}", member.name, "en") for member in members]
    players = [telegram_people.Player(member, group) for member in members]
    return TelegramCrowd(people, f"tg:{group.id}", players, control)


@dataclass
class DiscordCrowd(Crowd):
    """People of one channel of a server, with open direct messages."""

    discord: Discord
    users: list[int]

    name = "discord"

    @property
    def settings(self) -> dict[str, str]:
        return {"DISCORD_TOKEN": self.discord.token, "DISCORD_API_URL": self.discord.api_url}

    async def served(self) -> None:
        await self.discord.wait_connected()

    async def showings(self) -> list[Showing]:
        direct = [(f"dc:{user}", await self.discord.direct(user)) for user in self.users]
        channels = {seen[0].channel: person for person, seen in direct if seen}
        channels[int(self.place.removeprefix("dc:"))] = self.place
        messages = {each.id: person for person, seen in direct for each in seen}
        return [
            Showing(call.at, to, *shown)
            for call in await self.discord.calls()
            if call.status in (200, 204) and (to := _recipient(call, channels, messages)) is not None
            for shown in _shown(call.presses)
        ]

    async def refused(self) -> int:
        return sum(call.status == 429 for call in await self.discord.calls())

    async def findings(self) -> list[str]:
        return await self.discord.findings()


async def discord_crowd(discord: Discord, size: int) -> DiscordCrowd:
    """A crowd of this size in one channel."""
    guild = await discord.guild()
    channel = await discord.channel(guild)
    names = [f"D{number:03}" for number in range(size)]
    users = [await discord.user(name, guild=guild) for name in names]
    named = list(zip(users, names, strict=True))
    people = [Person(f"dc:{user}", name, "en-US") for user, name in named]
    players = [discord_people.Player(discord, user, name, channel) for user, name in named]
    return DiscordCrowd(people, f"dc:{channel}", players, discord, users)


def _recipient(call: Call, channels: Mapping[int, str], messages: Mapping[int, str]) -> str | None:
    """Return the place or person that a call showed something: an answer to a press brings a rack, too."""
    posted = _MESSAGE.search(call.path)
    if posted is not None:
        return channels[int(posted[1])]
    return None if call.message is None else messages.get(call.message)


def _pressable(markup: dict[str, Any]) -> list[str]:
    return [button.get("callback_data", "") for row in markup.get("inline_keyboard", []) for button in row]


def _shown(presses: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The tables of a message's buttons, each with the newest count of moves that they were made for."""
    read = [request for press in presses if (request := read_callback(press)) is not None]
    counted = [request for request in read if not COUNTS_TURNS.fullmatch(request.verb)]
    if counted:
        yield counted[0].target, max(request.moment for request in counted)
