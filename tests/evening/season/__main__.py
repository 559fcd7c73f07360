"""Eight nights with up to 37 people, in some ten minutes: `python -m tests.evening.season`."""

import argparse
import asyncio
import tempfile
from pathlib import Path

from tests.evening.season.plan import FULL
from tests.evening.season.season import a_season
from tests.evening.season.world import FREQUENT
from tests.servers.discord_api.client import discord_process, fresh_discord
from tests.servers.telegram_api.client import telegram, telegram_process


async def play(folder: Path, rounds: int) -> None:
    """Play the whole season, and check it."""
    with telegram_process(*FREQUENT) as url, discord_process() as address:
        async with (
            fresh_discord(address) as discord,
            telegram(url) as control,
            a_season(discord, control, folder, FULL, before=5, rounds=rounds, whole=True) as season,
        ):
            await season.play()
            await season.holds()
            nights, kills, results = len(season.evenings), len(season.world.bot.killed), len(season.written())
            print(f"{nights} nights, {kills} kills; {results} results")


def main() -> None:
    """Play, and print a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="in a night (default: 2)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder), options.rounds))


if __name__ == "__main__":
    main()
