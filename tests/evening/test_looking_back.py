"""Results and replays after a match, in a Telegram group and in a Discord channel, even when the program was
killed right after the match's end, before it did anything about it."""

from pathlib import Path

from bot.repository.tables import TableRepository
from bot.store import open_store
from tests.bot.rounds import finish_round
from tests.bot.store.waiting import ended
from tests.evening import discord_people
from tests.evening.discord_people import start
from tests.evening.running_bot import RunningBot
from tests.evening.scene import an_evening
from tests.evening.telegram_people import buttons_of
from tests.servers.discord_api.client import Address, Discord, Seen, fresh_discord, until
from tests.slash import slash

RULES = "2 quick start_points=2"
SETTINGS = {"OKEY_TURN_SECONDS": "600"}


async def end_match(folder: Path, place: str) -> None:
    """Commit the end of the match, and nothing else: like a program that is killed right after."""
    async with open_store(None, folder / "data") as store:
        (table,) = await store.index.tables_at(place)
        await finish_round(TableRepository(store), table)


async def until_it_is_in_the_books(folder: Path) -> None:
    """Wait until the match is in the history. The program records it within a second, whatever it says in the
    chat."""
    async with open_store(None, folder / "data") as store:

        async def written() -> bool:
            return not await ended(store)

        await until(written)


async def test_in_a_telegram_group(telegram_url: str, tmp_path: Path) -> None:
    async with an_evening(telegram_url, tmp_path, **SETTINGS) as evening:
        await evening.begun(RULES)
        eve, group = evening.eve, evening.group
        await evening.bot.kill()
        await end_match(tmp_path, f"tg:{group.id}")
        await evening.bot.start()
        await eve.sees(lambda message: "🏆" in message.words, group)
        await until_it_is_in_the_books(tmp_path)
        await eve.write(group, "/okey leaderboard")
        board = await eve.sees(lambda message: "Who wins here" in message.words)
        assert board.picture is not None
        await eve.press(board, buttons_of(board)["show_everyone"][0])
        await eve.sees(lambda message: "Who wins here" in message.words, group)
        await evening.ada.start()
        await evening.ada.write(evening.ada.id, "/profile")
        own = await evening.ada.sees(lambda message: "stats" in buttons_of(message))
        await evening.ada.press(own, buttons_of(own)["stats"][0])
        await evening.ada.sees(lambda message: "Your statistics" in message.words)
        await eve.write(group, "/okey history")
        matches = await eve.sees(lambda message: "The last matches" in message.words)
        await eve.press(matches, buttons_of(matches)["replay"][0])
        await eve.sees(lambda message: "round 1 · 0 of" in message.words)


async def test_in_a_discord_channel(discord_server: Address, tmp_path: Path) -> None:
    async with fresh_discord(discord_server) as discord:
        bot = RunningBot(tmp_path, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url, **SETTINGS)
        await bot.start()
        try:
            await discord.wait_connected()
            await _played_and_told(discord, tmp_path)
        finally:
            await bot.stop()
        assert await discord.findings() == []
        assert "Traceback" not in bot.told()


async def _played_and_told(discord: Discord, folder: Path) -> None:
    guild = await discord.guild()
    channel = await discord.channel(guild)
    ada, can, eve = [await discord.user(name, guild=guild) for name in ("Ada", "Can", "Eve")]

    async def sees(user: int, words: str = "", offers: str = "") -> Seen:
        """The newest message in the channel with these words, and with such a button."""

        async def found() -> Seen | None:
            fit = (each for each in await discord.sees(user, channel) if words in each.text)
            if offers:
                fit = (each for each in fit if offers in discord_people.buttons_of(each))
            return next(reversed(list(fit)), None)

        return await until(found)

    async def press(user: int, seen: Seen, verb: str) -> None:
        data = discord_people.buttons_of(seen)[verb][0]
        await discord.answered(await discord.press_exactly(user, channel, seen.id, data))

    async def command(user: int, line: str) -> None:
        await discord.answered(await discord.command(user, channel, *slash(line)))

    await discord.wait_commands()
    await command(ada, RULES)
    await press(can, await sees(can, offers="join"), "join")
    await sees(ada, "Can", offers="unfold")
    await start(discord, ada, channel)
    await sees(ada, "Turn:")
    await end_match(folder, f"dc:{channel}")
    await sees(eve, "🏆")
    await until_it_is_in_the_books(folder)
    await command(eve, "leaderboard")
    board = await sees(eve, "Who wins here")
    assert board.ephemeral
    for told in ("1. ", ": 1 of 1", "2. ", ": 0 of 1", "Ada", "Can"):
        assert told in board.pictures[0].alt
    await press(eve, board, "show_everyone")
    shown = await sees(ada, "Who wins here")
    assert not shown.ephemeral
    assert shown.pictures[0].alt == board.pictures[0].alt
    await command(ada, "profile")
    own = await sees(ada, "👤", offers="stats")
    assert "Matches won: " in own.pictures[0].alt
    await press(ada, own, "stats")
    assert "Rounds played: 1" in (await sees(ada, "Your statistics")).pictures[0].alt
    await command(eve, "history")
    await press(eve, await sees(eve, "The last matches"), "replay")
    await sees(eve, "round 1 · 0 of")
