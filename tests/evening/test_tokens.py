"""A wrong token: one clear log line, that chat is off, and the other one goes on."""

from pathlib import Path

from tests.evening.running_bot import RunningBot
from tests.evening.telegram_people import buttons_of
from tests.patience import PATIENCE
from tests.servers.discord_api.client import Address, fresh_discord
from tests.servers.telegram_api.client import TOKEN, eventually, telegram

WRONG = TOKEN[:-5] + "wrong"
WRONG_DISCORD = "MTA.wrong1.wrongwrongwrongwrongwrongwrongwrong"


def complaints(bot: RunningBot) -> list[str]:
    return [line for line in bot.told().splitlines() if " ERROR " in line or "CRITICAL" in line]


async def test_with_a_wrong_telegram_token_discord_goes_on(
    telegram_url: str, discord_server: Address, tmp_path: Path
) -> None:
    async with telegram(telegram_url), fresh_discord(discord_server) as discord:
        bot = RunningBot(
            tmp_path,
            TELEGRAM_TOKEN=WRONG,
            TELEGRAM_API_URL=telegram_url,
            DISCORD_TOKEN=discord.token,
            DISCORD_API_URL=discord.api_url,
        )
        await bot.start()
        try:
            await discord.wait_connected()
            await eventually(lambda: _complained(bot), PATIENCE, "nobody complained about the token")
            guild = await discord.guild()
            channel, ada = await discord.channel(guild), await discord.user("Ada", guild=guild)
            await discord.wait_commands()
            await discord.answered(await discord.command(ada, channel, "okey"))
        finally:
            status = await bot.stop()
        assert status == 1
        (line,) = complaints(bot)
        assert "Telegram: its token was refused. Check TELEGRAM_TOKEN" in line
        assert "Traceback" not in bot.told()
        assert WRONG not in bot.told()


async def test_with_a_wrong_discord_token_telegram_goes_on(
    telegram_url: str, discord_server: Address, tmp_path: Path
) -> None:
    async with telegram(telegram_url) as control, fresh_discord(discord_server) as discord:
        bot = RunningBot(
            tmp_path,
            TELEGRAM_TOKEN=TOKEN,
            TELEGRAM_API_URL=telegram_url,
            DISCORD_TOKEN=WRONG_DISCORD,
            DISCORD_API_URL=discord.api_url,
        )
        await bot.start()
        try:
            ada = await control.person("Ada", language="en", started=True)
            group = await control.group("Kıraathane", ada)
            await eventually(lambda: _complained(bot), PATIENCE, "nobody complained about the token")
            await ada.write(group, "/okey")
            await ada.sees(lambda message: "join" in buttons_of(message), group)
        finally:
            status = await bot.stop()
        assert status == 1
        (line,) = complaints(bot)
        assert "Discord: its token was refused. Check DISCORD_TOKEN" in line
        assert "Traceback" not in bot.told()
        assert WRONG_DISCORD not in bot.told()


async def test_with_no_right_token_the_program_ends(telegram_url: str, tmp_path: Path) -> None:
    async with telegram(telegram_url):
        bot = RunningBot(tmp_path, TELEGRAM_TOKEN=WRONG, TELEGRAM_API_URL=telegram_url)
        await bot.start()
        assert await bot.ended() == 1
        assert len(complaints(bot)) == 1
        assert "Traceback" not in bot.told()


async def _complained(bot: RunningBot) -> bool | None:
    return bool(complaints(bot)) or None
