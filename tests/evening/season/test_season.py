"""A season through both chats' servers, with a moved clock and repeated kills of the program.

Three nights over a change of the clocks; `python -m tests.evening.season` plays eight with up to 37 people.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evening.season.plan import SHORT
from tests.evening.season.season import a_season
from tests.evening.season.world import UNHURRIED
from tests.servers.discord_api.client import Address, discord_process, fresh_discord
from tests.servers.telegram_api.client import telegram, telegram_process


@pytest.fixture(scope="module")
def discord_server() -> Iterator[Address]:
    with discord_process() as address:
        yield address


@pytest.fixture(scope="module")
def telegram_url() -> Iterator[str]:
    with telegram_process(*UNHURRIED) as url:
        yield url


async def test_a_season_of_three_nights(discord_server: Address, telegram_url: str, tmp_path: Path) -> None:
    async with (
        fresh_discord(discord_server) as discord,
        telegram(telegram_url) as control,
        a_season(discord, control, tmp_path, SHORT, before=2, rounds=2, whole=False) as season,
    ):
        await season.play()
        await season.holds()
        assert len(season.world.bot.killed) == 6
