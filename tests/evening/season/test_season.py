"""A season through both chats' servers, with a moved clock and a program that is killed again and again."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from bot.league.model import NightRef
from tests.evening.season.dates import ZONE, coming_year, moment, thursdays
from tests.evening.season.evening import Evening
from tests.evening.season.ledger import Line, season_table
from tests.evening.season.world import World, a_world, eventually, found_league
from tests.servers.discord_api.client import Address, discord_process, fresh_discord
from tests.servers.telegram_api.client import telegram, telegram_process

COLUMNS = ("rank", "name", "points", "wins", "score", "opponents", "penalties")


@pytest.fixture(scope="module")
def discord_server() -> Iterator[Address]:
    with discord_process() as address:
        yield address


@pytest.fixture(scope="module")
def telegram_url() -> Iterator[str]:
    with telegram_process() as url:
        yield url


async def test_a_night(discord_server: Address, telegram_url: str, tmp_path: Path) -> None:
    days = thursdays(coming_year(), 2, 2)
    async with (
        fresh_discord(discord_server) as discord,
        telegram(telegram_url) as control,
        a_world(discord, control, tmp_path, people=8, now=moment(days[0]) - 3 * 24 * 3600) as world,
    ):
        line = ("name=Season", f"start={days[0]} 20:00", f"zone={ZONE}", "rounds=2", "nights=2")
        await found_league(world, "P01", "P02", (*line, "game=turkish-rummy-fast-1"))
        (ref,) = await eventually(lambda: _refs(world), "no night")
        assert ref.start == moment(days[0])
        evening = Evening(world, ref.id, ref.start, kills=("check-in",))
        people = list(world.people.values())
        await evening.sign_up(people)
        await evening.check_in(people)
        await evening.passes(-180, "ready")
        await evening.passes(0, "playing")
        await evening.round(1)
        night = await world.night(ref.id)
        assert night.break_ends is not None
        world.clock.set(night.break_ends)
        await world.comes(ref.id, "playing")
        await evening.round(2)
        await world.comes(ref.id, "over")
        assert [as_downloaded(line) for line in season_table([evening.book], 2)] == [
            {column: line[column] for column in COLUMNS} for line in await world.standings()
        ]


def as_downloaded(line: Line) -> dict[str, str]:
    """A line as a spreadsheet has it: four decimals at most."""
    values = {column: getattr(line, column) for column in COLUMNS}
    return {
        column: f"{float(value):.4f}".rstrip("0").rstrip(".") if isinstance(value, Fraction) else str(value)
        for column, value in values.items()
    }


async def _refs(world: World) -> tuple[NightRef, ...]:
    return (await world.held()).nights
