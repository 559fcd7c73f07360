"""Turning pictures off and on with one tap from the rack: through the program, in both chats."""

from contextlib import suppress
from pathlib import Path

from tests.evening.discord_people import start
from tests.evening.running_bot import RunningBot
from tests.evening.scene import an_evening
from tests.evening.telegram_people import buttons_of
from tests.servers.discord_api.client import Address, Discord, Impossible, Seen, fresh_discord, until
from tests.slash import slash


async def test_in_telegram(telegram_url: str, tmp_path: Path) -> None:
    async with an_evening(telegram_url, tmp_path) as evening:
        table = await evening.begun()
        ada, group = evening.ada, evening.group
        rack = await ada.sees(lambda each: each.picture is not None and "order" in buttons_of(each))
        await ada.press(rack, buttons_of(rack)["order"][0])
        rack = await ada.sees(lambda each: each.picture is not None and "preferences" in buttons_of(each))
        await ada.press(rack, buttons_of(rack)["preferences"][0])
        page = await ada.sees(lambda each: "prefer" in buttons_of(each))
        await ada.press(page, "prefer.me.0.words.1")
        told = await ada.sees(lambda each: each.picture is None and "Shelf 1: " in each.words)
        assert not any(sign in label for label in told.labels for sign in "🔴⭐🔷⬛")
        page = await ada.sees(lambda each: "prefer.me.0.words.0" in buttons_of(each).get("prefer", ()))
        await ada.press(page, "prefer.me.0.words.0")
        await ada.sees(lambda each: each.picture is not None and "order" in buttons_of(each))
        # The screens for everybody have not changed.
        (public,) = [each for each in await evening.eve.read(group) if each.id == table.id]
        assert public.picture is not None


async def test_in_discord(discord_server: Address, tmp_path: Path) -> None:
    async with fresh_discord(discord_server) as discord:
        bot = RunningBot(tmp_path, DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url)
        await bot.start()
        try:
            await discord.wait_connected()
            await goes_without_pictures(discord)
        finally:
            await bot.stop()
        assert await discord.findings() == []
        assert "Traceback" not in bot.told()


async def goes_without_pictures(discord: Discord) -> None:
    guild = await discord.guild()
    channel = await discord.channel(guild)
    ada = await discord.user("Ada", guild=guild)

    async def press(seen: Seen, custom_id: str) -> None:
        await discord.answered(await discord.press_exactly(ada, seen.channel, seen.id, custom_id))

    async def direct(verb: str, *, pictures: bool) -> Seen | None:
        """The newest direct message with such a button, with or without a picture."""
        for seen in reversed(await discord.direct(ada)):
            if any(button.custom_id.startswith(f"{verb}.") for button in seen.buttons):
                return seen if bool(seen.pictures) == pictures else None
        return None

    await discord.wait_commands()
    await discord.answered(await discord.command(ada, channel, *slash("2")))
    await start(discord, ada, channel)

    async def asked(verb: str) -> bool:
        rack = await direct(verb, pictures=True)
        if rack is None:
            return False
        with suppress(Impossible):  # the rack has changed meanwhile, and its buttons with it
            await press(rack, next(each for each in (b.custom_id for b in rack.buttons) if verb in each))
            return True
        return False

    await until(lambda: asked("order"))
    await until(lambda: asked("preferences"))
    page = await until(lambda: direct("prefer", pictures=False))
    await press(page, "prefer.me.0.words.1")
    told = await until(lambda: direct("order", pictures=False))
    assert "Shelf 1: " in told.text
    await press(page, "prefer.me.0.words.0")
    await until(lambda: direct("order", pictures=True))
