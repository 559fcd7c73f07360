"""Many tables in one Telegram group and many in one Discord channel, dealt at the same moment.

`python -m tests.evening.crowd` plays thirty tables of four people in each and prints, as JSON, how late
people and places got their screens, and the calls that the platforms refused. With `--tables 16` it is a
league night of 64 people in each. The test suite plays fewer tables, for a shorter time.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.ports import Person
from tests.evening.crowd_figures import Figures, figures
from tests.evening.crowd_people import Crowd, discord_crowd, telegram_crowd
from tests.evening.crowd_tables import begin, seat
from tests.evening.crowd_witness import Witness, witness
from tests.evening.running_bot import RunningBot
from tests.servers.discord_api.client import discord_process, fresh_discord
from tests.servers.telegram_api.client import telegram, telegram_process

LOOK_SECONDS = (3.0, 8.0)
"""Least and most seconds between two looks at a rack. A turn takes two looks, about ten seconds."""

TOLD_SECONDS = 300.0
"""The most seconds until each of thirty tables of one group shows its newest state."""


@dataclass
class Night:
    """The program, and its crowds."""

    bot: RunningBot
    data: Path
    crowds: tuple[Crowd, ...]
    seen: Witness

    async def sit(self, at_each: int) -> list[str]:
        """Seat everybody, `at_each` at a table, and return the tables."""
        return [
            table
            for crowd in self.crowds
            for table in await seat(self.data, crowd.place, _shared_out(crowd.people, at_each))
        ]

    async def begin(self, tables: list[str]) -> None:
        """Deal all tables at the same moment."""
        await begin(self.data, tables)

    async def play(self, seconds: float, look_seconds: tuple[float, float] = LOOK_SECONDS) -> None:
        """Let everybody play for this long, with `look_seconds` between two looks at their rack."""
        playing = [asyncio.create_task(crowd.play(look_seconds)) for crowd in self.crowds]
        done, _ = await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for task in done:
            task.result()

    async def figures(self) -> dict[str, Figures]:
        """The figures so far, by platform."""
        return {crowd.name: await figures(crowd, self.seen.commits) for crowd in self.crowds}


@asynccontextmanager
async def a_night(folder: Path, *crowds: Crowd) -> AsyncIterator[Night]:
    """The running program with crowds of several platforms."""
    settings = {name: value for crowd in crowds for name, value in crowd.settings.items()}
    bot = RunningBot(folder, LOG_LEVEL="INFO", **settings)
    await bot.start()
    try:
        for crowd in crowds:
            await crowd.served()
        async with witness(folder / "data") as seen:
            yield Night(bot, folder / "data", crowds, seen)
    finally:
        await bot.stop()
    assert "Traceback" not in bot.told()


def _shared_out(people: list[Person], at_each: int) -> list[list[Person]]:
    return [people[first : first + at_each] for first in range(0, len(people), at_each)]


async def measure(tables: int, seconds: float) -> dict[str, dict[str, object]]:
    """The figures of this many tables of four people on each platform, after so many seconds."""
    with tempfile.TemporaryDirectory() as folder, telegram_process() as url, discord_process() as address:
        async with (
            telegram(url) as control,
            fresh_discord(address) as discord,
            a_night(
                Path(folder),
                await telegram_crowd(control, 4 * tables),
                await discord_crowd(discord, 4 * tables),
            ) as night,
        ):
            begun = await night.sit(4)
            await night.seen.until_all_is_told(TOLD_SECONDS)
            await night.begin(begun)
            await night.play(seconds)
            await night.seen.until_all_is_told(TOLD_SECONDS)
            return {name: found.report() for name, found in (await night.figures()).items()}


def main() -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=30, help="on each platform (default: 30)")
    parser.add_argument("--seconds", type=float, default=90.0, help="how long to play (default: 90)")
    options = parser.parse_args()
    print(json.dumps(asyncio.run(measure(options.tables, options.seconds)), indent=2))


if __name__ == "__main__":
    main()
