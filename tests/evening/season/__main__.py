"""Whole lives of leagues through both chats' servers, each in some minutes: `python -m tests.evening.season`.

`season`: eight nights with up to 37 people; `divisions`: three seasons, two of them in two divisions, with a
final each; `tournament`: rounds for pairs, then a knockout, best of three. The last two with a kill every
twenty seconds.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tests.evening.season.divided import a_tournament, divided_seasons
from tests.evening.season.plan import FULL
from tests.evening.season.season import a_season
from tests.evening.season.world import FREQUENT
from tests.servers.discord_api.client import Discord, discord_process, fresh_discord
from tests.servers.telegram_api.client import Control, telegram, telegram_process


async def play(what: str, folder: Path, people: int, rounds: int) -> None:
    """Play one of them, and check it."""
    begun = time.monotonic()
    with telegram_process(*FREQUENT) as url, discord_process() as address:
        async with fresh_discord(address) as discord, telegram(url) as control:
            if what == "season":
                await play_season(discord, control, folder, rounds)
            else:
                await play_often_killed(what, discord, control, folder, people, rounds)
    print(f"{(time.monotonic() - begun) / 60:.1f} minutes")


async def play_season(discord: Discord, control: Control, folder: Path, rounds: int) -> None:
    """Play the whole season."""
    async with a_season(discord, control, folder, FULL, before=5, rounds=rounds, whole=True) as season:
        await season.play()
        await season.holds()
        nights, kills, results = len(season.evenings), len(season.world.bot.killed), len(season.written())
        print(f"{nights} nights, {kills} kills; {results} results")


async def play_often_killed(
    what: str, discord: Discord, control: Control, folder: Path, people: int, rounds: int
) -> None:
    """Play divided seasons or a tournament."""
    if what == "divisions":
        life = divided_seasons(discord, control, folder, people, rounds)
    else:
        life = a_tournament(discord, control, folder, people // 2, rounds)
    async with life as seasons:
        await seasons.play()
        calls, lost = await seasons.called()
        played = sum(len(evening.seatings) for evening in seasons.evenings)
        tables = sum(len(round) for evening in seasons.evenings for round in evening.seatings)
        print(f"{people} people, {played} rounds, {tables} tables, {len(seasons.world.bot.killed)} kills")
        print(f"{calls} calls, {lost} lost in a kill")


def main() -> None:
    """Play, and print a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=("season", "divisions", "tournament"), default="season")
    parser.add_argument("--people", type=int, default=0, help="default: 16, in a tournament 64")
    parser.add_argument("--rounds", type=int, default=2, help="in a night (default: 2)")
    options = parser.parse_args()
    people = options.people or (64 if options.what == "tournament" else 16)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(options.what, Path(folder), people, options.rounds))


if __name__ == "__main__":
    main()
