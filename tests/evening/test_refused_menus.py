"""A Telegram that refuses to set the bot's menus: people are answered meanwhile."""

from functools import partial
from pathlib import Path

from tests.evening.running_bot import AS_SHIPPED, RunningBot
from tests.evening.telegram_people import buttons_of
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import TOKEN, eventually, telegram


async def test_okey_opens_a_lobby_while_no_menu_is_taken(telegram_url: str, tmp_path: Path) -> None:
    async with telegram(telegram_url) as control:
        await control.fail("429", 1000, method="setMyCommands", seconds=300)
        ada = await control.person("Ada", language="en")
        group = await control.group("Kıraathane", ada)
        await ada.write(group, "/okey")
        bot = RunningBot(tmp_path, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=control.url, **AS_SHIPPED)
        await bot.start()
        try:
            await ada.sees(lambda message: "join" in buttons_of(message), group)
            await eventually(partial(control.calls, "setMyCommands"), PATIENCE, "no menu was offered")
        finally:
            await bot.stop()
        offered = await control.calls("setMyCommands")
        assert [call.status for call in offered] == [429], "refused once, and not asked for again"
        assert await control.findings() == []
    assert "Traceback" not in bot.told()
    assert "network" not in bot.told(), "a flood wait is no fault of the network"
