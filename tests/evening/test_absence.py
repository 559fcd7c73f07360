"""Absence: people are called by name, computer players take their seats and give them back."""

from pathlib import Path

from msgspec.structs import replace

from bot.repository.tables import StoredTable, TableRepository
from bot.store import open_store
from bot.tables.table import Change
from tests.evening.bookkeeping import Books
from tests.evening.discord_people import buttons_of as discord_buttons_of
from tests.evening.discord_people import lobby_with, offering, start
from tests.evening.running_bot import RunningBot
from tests.evening.scene import an_evening
from tests.evening.telegram_people import buttons_of
from tests.servers.discord_api.client import Discord, Seen, running_discord, until
from tests.slash import slash

SETTINGS = {"OKEY_COMPUTER_SECONDS": "1"}


async def hours_pass(bot: RunningBot, folder: Path, place: str) -> None:
    """Keep the program down for so long that everybody counts as away. From then on turns last a second."""
    await bot.kill()
    async with open_store(None, folder / "data") as store:
        (table,) = await store.index.tables_at(place)
        await TableRepository(store).change(table, None, _unseen)
    await bot.start()


def _unseen(stored: StoredTable) -> Change:
    table = replace(stored.value, clock=replace(stored.value.clock, turn_seconds=1))
    for number in range(len(table.seats)):
        table = table.with_seat(number, seen=0.0)
    return Change(table, due=1.0)


async def plays_himself(folder: Path, place: str, person: str) -> bool:
    table = (await Books(folder).read(place)).table
    seat = table.seat_of(person)
    assert seat is not None
    return table.seats[seat].computer is None


async def test_in_a_telegram_group(telegram_url: str, tmp_path: Path) -> None:
    async with an_evening(telegram_url, tmp_path, **SETTINGS) as evening:
        for person in (evening.ada, evening.can):
            await person.write(person.id, "/notify mention")
            await person.sees(lambda message: "notify_way" in buttons_of(message))
        await evening.begun()
        place, ada = f"tg:{evening.group.id}", evening.ada
        await hours_pass(evening.bot, tmp_path, place)
        line = await evening.eve.sees(
            lambda message: "it is your turn at Table" in message.words, evening.group
        )
        assert line.words[1:4] in ("Ada", "Can")
        rack = await ada.sees(lambda message: "back_in" in buttons_of(message))
        assert not await plays_himself(tmp_path, place, f"tg:{ada.id}")
        await ada.press(rack, buttons_of(rack)["back_in"][0])
        assert await plays_himself(tmp_path, place, f"tg:{ada.id}")


async def test_in_a_discord_channel(tmp_path: Path) -> None:
    async with running_discord() as discord:
        bot = RunningBot(tmp_path, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url, **SETTINGS)
        await bot.start()
        try:
            await discord.wait_connected()
            guild = await discord.guild()
            channel = await discord.channel(guild)
            ada, can = [await discord.user(name, guild=guild) for name in ("Ada", "Can")]
            await discord.wait_commands()
            for person in (ada, can):
                await discord.answered(await discord.command(person, channel, *slash("notify mention")))
            await discord.answered(await discord.command(ada, channel, *slash("2")))
            lobby = await until(lambda: offering(discord, ada, channel, "join"))
            (join,) = discord_buttons_of(lobby)["join"]
            await discord.answered(await discord.press_exactly(can, channel, lobby.id, join))
            await lobby_with(discord, ada, channel, "Can")
            await start(discord, ada, channel)
            await until(lambda: offering(discord, ada, channel, "rack"))
            place = f"dc:{channel}"
            await hours_pass(bot, tmp_path, place)
            line = await until(lambda: _called(discord, can, channel))
            assert {int(user["id"]) for user in line.raw["mentions"]} <= {ada, can}
            assert line.raw["mentions"]
            rack = await until(lambda: _direct(discord, ada, "back_in"))
            assert not await plays_himself(tmp_path, place, f"dc:{ada}")
            back = discord_buttons_of(rack)["back_in"][0]
            await discord.answered(await discord.press_exactly(ada, rack.channel, rack.id, back))
            await until(lambda: plays_himself(tmp_path, place, f"dc:{ada}"))
        finally:
            await bot.stop()
        assert await discord.findings() == []


async def _called(discord: Discord, user: int, channel: int) -> Seen | None:
    seen = await discord.sees(user, channel)
    return next((message for message in seen if "it is your turn at [Table 1]" in message.text), None)


async def _direct(discord: Discord, user: int, verb: str) -> Seen | None:
    seen = await discord.direct(user)
    return next((message for message in reversed(seen) if verb in discord_buttons_of(message)), None)
