"""First steps through the program and the real libraries: help, the guide with the first seat, a practice
round in private; in Telegram and in Discord."""

from pathlib import Path

from tests.evening.discord_people import buttons_of as offered_by
from tests.evening.running_bot import RunningBot
from tests.evening.scene import an_evening
from tests.evening.telegram_people import buttons_of
from tests.servers.discord_api.client import (
    Address,
    Discord,
    Seen,
    fresh_discord,
    until,
)
from tests.slash import slash

QUICK = {"OKEY_COMPUTER_SECONDS": "0.02"}
HINT = "💡"


async def test_in_telegram(telegram_url: str, tmp_path: Path) -> None:
    async with an_evening(telegram_url, tmp_path, **QUICK) as evening:
        ada, group = evening.ada, evening.group
        await evening.opened("2")
        guide = await ada.sees(lambda each: "1/3" in each.words)
        assert guide.picture is not None
        await ada.press(guide, "guide.me.0.2")
        await ada.sees(lambda each: each.id == guide.id and each.words.startswith("2/3"))
        assert not any("1/3" in each.words for each in await ada.read(group)), "nobody else is disturbed"

        await ada.write(ada.id, "/yardim")
        first = await ada.sees(lambda each: "practice" in buttons_of(each))
        await ada.press(first, "help.me.0.rules")
        rules = await ada.sees(lambda each: "How it is played here" in each.words)
        assert rules.picture is not None
        await ada.press(rules, "help.me.0")
        first = await ada.sees(lambda each: "practice" in buttons_of(each))

        async def turned_over() -> bool:
            return not any("How it is played here" in each.words for each in await ada.read())

        await until(turned_over)
        await ada.press(first, "practice.me.0")
        rack = await ada.sees(lambda each: HINT in each.words and bool(each.picture))
        assert rack.words.startswith("🎓 Practice round")
        await ada.press(rack, buttons_of(rack)["order"][0])
        behind = await ada.sees(lambda each: "practice_leave" in buttons_of(each))
        await ada.press(behind, buttons_of(behind)["practice_leave"][0])
        await ada.sees(lambda each: "It doesn’t count." in each.words)


async def test_in_discord_with_closed_direct_messages(discord_server: Address, tmp_path: Path) -> None:
    async with fresh_discord(discord_server) as discord:
        settings = {"DISCORD_TOKEN": discord.token, "DISCORD_API_URL": discord.api_url, **QUICK}
        bot = RunningBot(tmp_path, **settings)
        await bot.start()
        try:
            await discord.wait_connected()
            await _first_steps(discord)
        finally:
            await bot.stop()
        assert await discord.findings() == []
        assert "Traceback" not in bot.told()


async def _first_steps(discord: Discord) -> None:
    guild = await discord.guild()
    channel = await discord.channel(guild)
    ada = await discord.user("Ada", guild=guild)
    await discord.direct_messages(ada, open=False)

    async def alone(words: str) -> Seen:
        """The newest message for her alone that contains these words."""

        async def found() -> Seen | None:
            seen = await discord.sees(ada, channel)
            return next((each for each in reversed(seen) if each.ephemeral and words in each.text), None)

        return await until(found)

    async def offering(verb: str) -> Seen:
        """Return the newest message for her alone with such a button."""

        async def found() -> Seen | None:
            seen = await discord.sees(ada, channel)
            return next(
                (each for each in reversed(seen) if each.ephemeral and verb in offered_by(each)), None
            )

        return await until(found)

    async def press(seen: Seen, verb: str) -> None:
        (custom_id, *_) = offered_by(seen)[verb]
        await discord.answered(await discord.press_exactly(ada, seen.channel, seen.id, custom_id))

    await discord.wait_commands()
    await discord.answered(await discord.command(ada, channel, *slash("2")))
    guide = await alone("1/3")
    assert "Okey: red 5" in guide.pictures[0].alt
    await press(guide, "guide")
    assert (await alone("2/3")).id == guide.id
    await discord.answered(await discord.command(ada, channel, *slash("help")))
    await press(await alone("the Turkish tile game"), "practice")
    rack = await alone(HINT)
    assert "Shelf 1: " in rack.pictures[0].alt
    await press(rack, "order")
    await press(await offering("practice_leave"), "practice_leave")
    await alone("It doesn’t count.")
