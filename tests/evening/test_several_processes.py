"""Two processes on one store: one receives what people do, both play, and one is killed."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.evening import discord_people, telegram_people
from tests.evening.bookkeeping import Books
from tests.evening.publicity import replayed
from tests.evening.running_bot import RunningBot
from tests.servers.discord_api.client import until
from tests.servers.telegram_api.client import TOKEN, telegram, telegram_process

START_SECONDS = 30
RECEIVES = "what people do comes to this process"

Player = telegram_people.Player | discord_people.Player


@asynccontextmanager
async def two_bots(folder: Path, **settings: str) -> AsyncIterator[list[RunningBot]]:
    """Two processes with the same settings."""
    bots = [RunningBot(folder / name, **settings) for name in ("one", "two")]
    for bot in bots:
        bot.log.parent.mkdir()
        await bot.start()
    await receiver(bots)
    yield bots
    for bot in bots:
        await bot.stop()
        assert "Traceback" not in bot.told()


async def receiver(bots: Sequence[RunningBot]) -> RunningBot:
    """The process that receives, once there is one."""

    async def found() -> RunningBot | None:
        return next((bot for bot in bots if RECEIVES in bot.told()), None)

    return await until(found, START_SECONDS)


async def replaced(bots: list[RunningBot]) -> None:
    """Kill the process that receives, and start another in its place."""
    killed = await receiver(bots)
    await killed.kill()
    killed.log.write_text("")
    await killed.start()
    others = [bot for bot in bots if bot is not killed]
    assert await receiver(others)


async def play(players: Sequence[Player], bots: list[RunningBot]) -> None:
    """People play, and go on while a process is killed."""
    kill = asyncio.create_task(replaced(bots))
    await some_play(players)
    await kill
    await some_play(players)


async def some_play(players: Sequence[Player]) -> None:
    wanted = sum(player.presses for player in players) + 3
    async with asyncio.timeout(60):
        while sum(player.presses for player in players) < wanted:
            for player in players:
                await player.play()
            await asyncio.sleep(0.02)


async def holds(books: Books, place: str, players: Sequence[Player]) -> None:
    """No press that was accepted is lost, and none counts twice. What a killed process had carried out may be
    answered with "old button" when it comes again."""
    (entry,) = await books.read_all(place)
    assert list(replayed(entry.log, entry.table.match.rules))[-1] == entry.table.match
    people = [number for number, seat in enumerate(entry.table.seats) if seat.person is not None]
    moves = [move for move in entry.log if move.get("seat") in people]
    pressed = sum(player.presses for player in players)
    assert pressed - sum(len(player.refused) for player in players) <= len(moves) <= pressed


@pytest.fixture(scope="module")
def telegram_url() -> Iterator[str]:
    with telegram_process() as url:
        yield url


async def test_a_group_plays_on_while_its_poller_is_killed(
    telegram_url: str, valkey_url: str, tmp_path: Path
) -> None:
    settings = {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": telegram_url, "REDIS_URL": valkey_url}
    async with telegram(telegram_url) as control, two_bots(tmp_path, **settings) as bots:
        ada, can = [await control.person(name, language="en", started=True) for name in ("Ada", "Can")]
        group = await control.group("Kıraathane", ada, can)
        await ada.write(group, "/okey")
        lobby = await ada.sees(lambda message: "join" in telegram_people.buttons_of(message), group)
        await can.press(lobby, telegram_people.buttons_of(lobby)["join"][0])
        await ada.press(lobby, telegram_people.buttons_of(lobby)["start"][0])
        players = [telegram_people.Player(person, group) for person in (ada, can)]
        await some_play(players)
        before = len(await ada.read(group))
        await play(players, bots)
        await holds(Books(tmp_path, valkey_url), f"tg:{group.id}", players)
        assert len(await ada.read(group)) == before, "nothing is told twice"
        assert await control.findings() == []
