"""Two processes on one store: one receives events, both play, and one is killed."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.adapters.discord_chat.scene import TILE_EMOJIS
from tests.evening import discord_people, telegram_people
from tests.evening.bookkeeping import Books
from tests.evening.discord_people import lobby_with, offering
from tests.evening.publicity import replayed
from tests.evening.running_bot import RunningBot
from tests.patience import PATIENCE
from tests.servers.discord_api.client import (
    Address,
    Discord,
    fresh_discord,
    until,
)
from tests.servers.telegram_api.client import TOKEN, telegram
from tests.slash import slash

START_SECONDS = PATIENCE
ANSWER_SECONDS = 15.0
"""Seconds for an answer. Discord reports a failure sooner, but a process on a slow machine needs its time."""
RECEIVES = "what people do comes to this process"

Player = telegram_people.Player | discord_people.Player


@asynccontextmanager
async def two_bots(folder: Path, *ports: str, **settings: str) -> AsyncIterator[list[RunningBot]]:
    """Two processes with the same settings, each at one of the ports."""
    bots = [RunningBot(folder / port, WEB_PORT=port, **settings) for port in ports]
    for bot in bots:
        bot.log.parent.mkdir()
        await bot.start()
    yield bots
    for bot in bots:
        await bot.stop()
        assert "Traceback" not in bot.told()


async def receiver(bots: Sequence[RunningBot]) -> RunningBot:
    """The process that receives events, once there is one."""

    async def found() -> RunningBot | None:
        return next((bot for bot in bots if RECEIVES in bot.told()), None)

    return await until(found, START_SECONDS)


async def replaced(bots: list[RunningBot]) -> None:
    """Kill the process that receives events, or any if all do, and start another in its place."""
    alone = any(RECEIVES in bot.told() for bot in bots)
    killed = await receiver(bots) if alone else bots[0]
    await killed.kill()
    killed.log.write_text("")
    await killed.start()
    if alone:
        await receiver(bots)


async def play(players: Sequence[Player], bots: list[RunningBot]) -> int:
    """Play while a process is killed. Return the number of presses without an answer."""
    kill = asyncio.create_task(replaced(bots))
    unanswered = await some_play(players)
    await kill
    return unanswered + await some_play(players)


async def some_play(players: Sequence[Player]) -> int:
    unanswered = 0
    wanted = sum(player.presses for player in players) + 3
    async with asyncio.timeout(5 * PATIENCE):
        while sum(player.presses for player in players) < wanted:
            for player in players:
                try:
                    async with asyncio.timeout(ANSWER_SECONDS):
                        await player.play()
                except TimeoutError:  # Discord reports the failure, and they press again
                    unanswered += 1
            await asyncio.sleep(0.02)
    return unanswered


async def holds(books: Books, place: str, players: Sequence[Player], unanswered: int, deferred: int) -> None:
    """Check that no accepted press is lost or counts twice. A press that a killed process had carried out may
    be answered with "old button" when it is repeated, and one that was only deferred may be lost."""
    (entry,) = await books.read_all(place)
    assert list(replayed(entry.log, entry.table.match.rules))[-1] == entry.table.match
    people = [number for number, seat in enumerate(entry.table.seats) if seat.person is not None]
    moves = [move for move in entry.log if move.get("seat") in people]
    pressed = sum(player.moves for player in players)

    async def told() -> bool:  # on Discord a refusal comes after the newest rack, which is the answer
        refused = [len(await player.refusals()) for player in players]
        return pressed - sum(refused) - deferred <= len(moves)

    await until(told)
    assert len(moves) <= pressed + unanswered


@pytest.mark.parametrize("way", ["gateway", "posted"])
async def test_a_channel_plays_on_while_a_process_is_killed(
    way: str,
    discord_server: Address,
    valkey_url: str,
    tmp_path: Path,
    unused_tcp_port_factory: Callable[[], int],
) -> None:
    async with fresh_discord(discord_server) as discord:
        await discord.emojis(*TILE_EMOJIS)
        settings = {
            "DISCORD_TOKEN": discord.token,
            "DISCORD_API_URL": discord.api_url,
            "REDIS_URL": valkey_url,
        }
        ports = [str(unused_tcp_port_factory()) for _ in range(2)]
        if way == "posted":
            settings["DISCORD_PUBLIC_KEY"] = await discord.public_key()
        async with two_bots(tmp_path, *ports, **settings) as bots:
            if way == "posted":
                urls = [f"http://127.0.0.1:{port}/discord/interactions" for port in ports]
                await until(lambda: discord.can_post_to(*urls), START_SECONDS)
            else:
                await receiver(bots)
                await discord.wait_connected()
            await discord.wait_commands()
            guild = await discord.guild()
            channel = await discord.channel(guild)
            users = [await discord.user(name, guild=guild) for name in ("Ada", "Can")]
            players = [discord_people.Player(discord, user, str(user), channel) for user in users]
            await discord.answered(await discord.command(users[0], channel, *slash("")))
            lobby = await until(lambda: offering(discord, users[0], channel, "join"))
            await players[1].press(lobby, discord_people.buttons_of(lobby)["join"][0])
            await lobby_with(discord, users[0], channel, "Can")
            await discord_people.start(discord, users[0], channel)
            for player in players:
                player.presses = player.moves = player.deferred = 0  # only those on racks are counted
            await some_play(players)
            books = Books(tmp_path, valkey_url)
            await books.until_noted(f"dc:{channel}")
            before = await messages(discord, users[0], channel) - await rounds(books, f"dc:{channel}")
            unanswered = await play(players, bots)
            deferred = sum(player.deferred for player in players)
            await holds(books, f"dc:{channel}", players, unanswered, deferred)
            assert unanswered <= 1, "only the press that was under way when the process was killed"

            async def each_round_is_told_once() -> bool:
                begun = await rounds(books, f"dc:{channel}")
                return await messages(discord, users[0], channel) == before + begun

            await until(each_round_is_told_once)
            assert (await discord.sessions_begun() > 0) == (way == "gateway")
            # Each process opens a person's direct channel once, and remembers it by itself.
            assert [each for each in await discord.findings() if "opened again" not in each] == []


async def rounds(books: Books, place: str) -> int:
    """The number of rounds begun there, each with a message of its own. Computer players may end one soon."""
    return (await books.read(place)).table.match.round_number


async def messages(discord: Discord, user: int, channel: int) -> int:
    """The number of messages that everybody sees there."""
    return len([seen for seen in await discord.sees(user, channel) if not seen.ephemeral])


async def test_a_group_plays_on_while_its_poller_is_killed(
    telegram_url: str, valkey_url: str, tmp_path: Path, unused_tcp_port_factory: Callable[[], int]
) -> None:
    settings = {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": telegram_url, "REDIS_URL": valkey_url}
    ports = [str(unused_tcp_port_factory()) for _ in range(2)]
    async with telegram(telegram_url) as control, two_bots(tmp_path, *ports, **settings) as bots:
        await receiver(bots)
        ada, can = [await control.person(name, language="en", started=True) for name in ("Ada", "Can")]
        group = await control.group("Kıraathane", ada, can)
        await telegram_people.want_descriptions(ada, can)  # else they may throw an okey, which asks first
        await ada.write(group, "/okey")
        lobby = await ada.sees(lambda message: "join" in telegram_people.buttons_of(message), group)
        await can.press(lobby, telegram_people.buttons_of(lobby)["join"][0])
        await telegram_people.start(ada, lobby)
        players = [telegram_people.Player(person, group) for person in (ada, can)]
        books = Books(tmp_path, valkey_url)
        await some_play(players)
        await books.until_noted(f"tg:{group.id}")
        before = len(await ada.read(group)) - await rounds(books, f"tg:{group.id}")
        unanswered = await play(players, bots)
        await holds(books, f"tg:{group.id}", players, unanswered, deferred=0)

        async def each_round_is_told_once() -> bool:
            return len(await ada.read(group)) == before + await rounds(books, f"tg:{group.id}")

        await until(each_round_is_told_once)
        assert await control.findings() == []
