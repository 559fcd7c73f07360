"""The store stops answering, or dies, in the middle of a match: people are told, and play goes on."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from redis.asyncio import Redis

from tests.evening.bookkeeping import Books
from tests.evening.discord_people import buttons_of as discord_buttons_of
from tests.evening.discord_people import offering
from tests.evening.running_bot import RunningBot
from tests.evening.scene import Evening, an_evening
from tests.evening.telegram_people import buttons_of
from tests.servers.discord_api.client import Discord, running_discord, until
from tests.servers.telegram_api.client import Shown


@asynccontextmanager
async def frozen(evening: Evening) -> AsyncIterator[None]:
    """Freeze the store inside this: it accepts calls and answers none."""
    evening.books.signal_server(signal.SIGSTOP)
    try:
        yield
    finally:
        evening.books.signal_server(signal.SIGCONT)


async def test_while_a_store_does_not_answer_that_is_told_and_it_is_waited_for(
    telegram_url: str, tmp_path: Path
) -> None:
    async with an_evening(telegram_url, tmp_path) as evening:
        await evening.begun()
        before, person = await evening.entry(), await evening.on_turn()
        rack = await evening.rack(person)
        discard = buttons_of(rack)["discard"][0]
        async with frozen(evening):
            said, _ = await asyncio.gather(
                person.press(rack, discard),
                evening.hears(evening.eve, "can’t reach the saved games", "/katil"),
            )
        assert said.alert
        assert "can’t reach the saved games" in said.text
        waited = await evening.entry()  # its clock may have been moved on, but nothing else
        assert (waited.log, waited.table.match) == (before.log, before.table.match)
        assert not (await person.press(rack, discard)).text
        after = await evening.entry()
        assert len(after.log) == len(before.log) + 1


async def test_on_discord_it_is_told_to_them_alone(tmp_path: Path) -> None:
    async with running_discord() as discord:
        bot = RunningBot(tmp_path, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url)
        await bot.start()
        try:
            await discord.wait_connected()
            guild = await discord.guild()
            channel = await discord.channel(guild)
            ada, eve = [await discord.user(name, guild=guild) for name in ("Ada", "Eve")]
            await discord.wait_commands()
            await discord.answered(await discord.command(ada, channel, "okey"))
            lobby = await until(lambda: offering(discord, ada, channel, "join"))
            (join,) = discord_buttons_of(lobby)["join"]
            Books(tmp_path).signal_server(signal.SIGSTOP)
            await discord.press_exactly(eve, channel, lobby.id, join)
            await until(lambda: _told_away(discord, eve, channel))
            Books(tmp_path).signal_server(signal.SIGCONT)
            await discord.answered(await discord.press_exactly(eve, channel, lobby.id, join))

            async def both_sit() -> bool:
                return len((await Books(tmp_path).read(f"dc:{channel}")).table.people()) == 2

            await until(both_sit)
        finally:
            await bot.stop()
        assert not await _told_away(discord, ada, channel)
        assert await discord.findings() == []


async def _told_away(discord: Discord, user: int, channel: int) -> bool:
    return any("can’t reach the saved games" in message.text for message in await discord.sees(user, channel))


async def test_a_store_that_is_killed_is_back_with_all_that_was_played(
    telegram_url: str, tmp_path: Path
) -> None:
    async with an_evening(telegram_url, tmp_path) as evening:
        await evening.begun()
        first, second = await evening.on_turn(), await evening.waiting()
        rack = await evening.rack(first)
        assert not (await first.press(rack, buttons_of(rack)["discard"][0])).text
        before = await evening.entry()
        evening.books.signal_server(signal.SIGKILL)
        rack = await second.sees(lambda message: "draw" in buttons_of(message))
        await second.press(rack, buttons_of(rack)["draw"][0])  # so soon that the rack may have to follow
        after = await evening.entry()
        assert after.log[:-1] == before.log
        rested = after.table.seat_of(f"tg:{first.id}")
        assert rested is not None
        assert after.table.seats[rested] == before.table.seats[rested]


def waits(message: Shown) -> bool:
    """Return whether a message is the rack of somebody who is not on turn."""
    offers = buttons_of(message)
    return "order" in offers and {"draw", "discard"}.isdisjoint(offers)


async def test_after_a_store_has_lost_moves_everybody_is_shown_where_it_goes_on(
    telegram_url: str, tmp_path: Path
) -> None:
    """Another server may take over, and lack the moves of the last second."""
    async with an_evening(telegram_url, tmp_path) as evening:
        await evening.begun()
        await evening.books.until_noted(f"tg:{evening.group.id}")
        first, second = await evening.on_turn(), await evening.waiting()
        rack, before = await evening.rack(first), await evening.entry()
        async with Redis(unix_socket_path=str(tmp_path / "data/valkey/valkey.sock")) as server:
            dumps = {key: await server.dump(key) for key in await server.keys()}
            held = {key: value for key, value in dumps.items() if value is not None}  # some end just then
            assert not (await first.press(rack, buttons_of(rack)["discard"][0])).text
            await first.sees(waits)
            lost = await second.sees(lambda message: "draw" in buttons_of(message))
            async with server.pipeline() as going_back:
                going_back.flushall()
                for key, value in held.items():
                    going_back.restore(key, 0, value)
                await going_back.execute()
        assert "expired" in (await second.press(lost, buttons_of(lost)["draw"][0])).text
        rack = await first.sees(lambda message: "discard" in buttons_of(message))
        await second.sees(waits)
        assert (await evening.entry()).log == before.log
        # So soon that their racks may have to follow later.
        await first.press(rack, buttons_of(rack)["discard"][1])
        rack = await second.sees(lambda message: "draw" in buttons_of(message))
        await second.press(rack, buttons_of(rack)["draw"][0])
        assert len((await evening.entry()).log) == len(before.log) + 2
