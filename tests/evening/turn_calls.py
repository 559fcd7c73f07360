"""The calls that a person's whole turn costs on each platform: draw or take, and discard.

`python -m tests.evening.turn_calls` prints them as JSON; `okey bench` includes them.
"""

import asyncio
import json
import re
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from bot.people.notifications import AWAY_SECONDS
from tests.evening import discord_people, telegram_people
from tests.evening.bookkeeping import Books
from tests.evening.running_bot import RunningBot
from tests.patience import PATIENCE
from tests.servers.discord_api.client import Discord, discord_process, fresh_discord, until
from tests.servers.telegram_api.client import TOKEN, Call, Control, telegram, telegram_process
from tests.slash import slash

C = TypeVar("C")

TURNS = 6
THINKING_SECONDS = 2.0
"""Seconds between presses: slower than screens change, as people are, so that no screen is skipped."""
PAUSES = 4
"""The most presses from one of a player's own to the next, with their turn's begin."""
_MESSAGE = re.compile(r"/channels/(\d+)/messages")


@dataclass(frozen=True, slots=True)
class TurnCalls:
    """Calls for a turn, on average over some turns of two people."""

    public: float
    """Messages and edits in the place."""
    private: float
    """Messages and edits in private chats."""
    answers: float
    """Answers to presses, which count towards no limit."""


async def on_telegram(control: Control, folder: Path) -> TurnCalls:
    """The calls for two people of one group, both reachable in private."""
    bot = RunningBot(folder, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=control.url)
    await bot.start()
    try:
        people = [await control.person(name, language="en") for name in ("Ada", "Can")]
        group = await control.group("Kıraathane", *people)
        await asyncio.gather(*(person.start() for person in people))
        await people[0].write(group, "/okey 2")
        lobby = await people[0].sees(lambda message: "join" in telegram_people.buttons_of(message), group)
        offers = telegram_people.buttons_of(lobby)
        await people[1].press(lobby, offers["join"][0])
        await telegram_people.start(people[0], lobby)
        players = [telegram_people.Player(person, group) for person in people]
        await _turns(players, 1)
        calls = await _in_one_round(
            Books(folder),
            f"tg:{group.id}",
            partial(_turns, players, TURNS),
            partial(_all_told, control.calls, _of_telegram),
        )
    finally:
        await bot.stop()
    chats = [call.parameters.get("chat_id") for call in calls if call.method != "answerCallbackQuery"]
    answers = sum(call.method == "answerCallbackQuery" for call in calls)
    public = sum(chat == group.id for chat in chats)
    return TurnCalls(public / TURNS, (len(chats) - public) / TURNS, answers / TURNS)


async def on_discord(discord: Discord, folder: Path) -> TurnCalls:
    """The calls for two people of one channel with open direct messages."""
    bot = RunningBot(folder, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url)
    await bot.start()
    try:
        await discord.wait_connected()
        guild = await discord.guild()
        channel = await discord.channel(guild)
        users = [await discord.user(name, guild=guild) for name in ("Ada", "Can")]
        await discord.wait_commands()
        await discord.answered(await discord.command(users[0], channel, *slash("2")))
        lobby = await until(lambda: discord_people.offering(discord, users[0], channel, "join"))
        offers = discord_people.buttons_of(lobby)
        players = [
            discord_people.Player(discord, user, name, channel)
            for user, name in zip(users, ("Ada", "Can"), strict=True)
        ]
        await players[1].press(lobby, offers["join"][0])
        await discord_people.lobby_with(discord, users[0], channel, "Can")
        await discord_people.start(discord, users[0], channel)
        await _turns(players, 1)
        calls = await _in_one_round(
            Books(folder),
            f"dc:{channel}",
            partial(_turns, players, TURNS),
            partial(_all_told, discord.calls, lambda call: True),
        )
    finally:
        await bot.stop()
    channels = [int(found[1]) for call in calls if (found := _MESSAGE.search(call.path))]
    answers = sum("/interactions/" in call.path for call in calls)
    public = sum(each == channel for each in channels)
    return TurnCalls(public / TURNS, (len(channels) - public) / TURNS, answers / TURNS)


def _of_telegram(call: Call) -> bool:
    return call.method.startswith(("send", "edit", "delete", "answerCallbackQuery"))


async def _all_told(calls: Callable[[], Awaitable[list[C]]], counts: Callable[[C], bool]) -> list[C]:
    """The calls that count, once there have been no more for a while, so that none belongs to the next
    turn."""
    told: list[C] = []
    async with asyncio.timeout(5 * PATIENCE):
        while True:
            now = [call for call in await calls() if counts(call)]
            if len(now) == len(told):
                return now
            told = now
            await asyncio.sleep(THINKING_SECONDS)


async def _in_one_round(
    books: Books, place: str, play: Callable[[], Awaitable[float]], told: Callable[[], Awaitable[list[C]]]
) -> list[C]:
    """The calls while turns are played. A round that ends among them costs calls of its own, and so do people
    who seem to look elsewhere because their machine is busy: play again."""
    async with asyncio.timeout(10 * PATIENCE):
        while True:
            began, before = (await books.read(place)).table.match.round_number, len(await told())
            pause = await play()
            calls = (await told())[before:]
            if (await books.read(place)).table.match.round_number == began and PAUSES * pause < AWAY_SECONDS:
                return calls


async def _turns(players: list[telegram_people.Player] | list[discord_people.Player], turns: int) -> float:
    """Play this many turns, each of two presses: a draw and a discard. Return the longest seconds from one
    press to the next."""
    presses, longest, last = sum(player.presses for player in players), 0.0, time.monotonic()
    wanted = presses + 2 * turns
    async with asyncio.timeout(PATIENCE):
        while presses < wanted:
            for player in players:
                await player.play()
                if (now := sum(player.presses for player in players)) > presses:
                    presses, longest, last = now, max(longest, time.monotonic() - last), time.monotonic()
            await asyncio.sleep(THINKING_SECONDS / len(players))
    return longest


async def measure() -> dict[str, dict[str, float]]:
    """The calls for a turn on each platform, on servers started for this."""
    report = {}
    with tempfile.TemporaryDirectory() as folder, telegram_process() as url:
        async with telegram(url) as control:
            report["telegram"] = asdict(await on_telegram(control, Path(folder)))
            assert await control.findings() == []
    with tempfile.TemporaryDirectory() as folder, discord_process() as address:
        async with fresh_discord(address) as discord:
            report["discord"] = asdict(await on_discord(discord, Path(folder)))
            assert await discord.findings() == []
    return report


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure())))
