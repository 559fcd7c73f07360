"""People outside both chats' places, who press what no message shows them."""

from pathlib import Path

from tests.fuzz.outsiders import forge
from tests.servers.discord_api.client import Address, fresh_discord
from tests.servers.telegram_api.client import telegram


async def test_forged_presses_change_nothing_and_tell_nothing(
    discord_server: Address, telegram_url: str, tmp_path: Path
) -> None:
    async with fresh_discord(discord_server) as discord, telegram(telegram_url) as control:
        report = await forge(tmp_path, control, discord, 200)
    assert report.presses >= 200
    assert report.changed == 0
    assert report.told == []
