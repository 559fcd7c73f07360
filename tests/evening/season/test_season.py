"""A season through both chats' servers, with a moved clock and repeated kills of the program.

Three nights over a change of the clocks; `python -m tests.evening.season` plays eight with up to 37 people.
"""

from pathlib import Path

from tests.evening.season.plan import SHORT
from tests.evening.season.season import a_season
from tests.servers.discord_api.client import Address, fresh_discord
from tests.servers.telegram_api.client import telegram


async def test_a_season_of_three_nights(discord_server: Address, telegram_url: str, tmp_path: Path) -> None:
    async with (
        fresh_discord(discord_server) as discord,
        telegram(telegram_url) as control,
        a_season(discord, control, tmp_path, SHORT, before=2, rounds=2, whole=False) as season,
    ):
        await season.play()
        await season.holds()
        assert len(season.world.bot.killed) == 6
