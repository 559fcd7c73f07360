"""Full evenings with faults: `python -m tests.evening.faults`.

Four people play in a Telegram topic and four in a Discord channel; one of each can't be reached in private.
Meanwhile calls are refused or their answers lost, places withdraw the bot's rights, and one of the processes
is killed; with `--kill-every`, kills come regularly and no calls are refused. With `--lines`, somebody else
talks there, and the table must stay in sight. Prints the figures and the problems. The exit status is 1 if
there were any.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from tests.evening.faults.evening import an_evening
from tests.servers.discord_api.client import discord_process, fresh_discord
from tests.servers.telegram_api.client import TOKEN, telegram, telegram_process


async def play(folder: Path, options: argparse.Namespace) -> list[str]:
    """Play this many matches at each table, and return the problems."""
    found: list[str] = []
    with telegram_process() as url, discord_process() as address:
        async with telegram(url) as control, fresh_discord(address) as discord:
            async with AsyncExitStack() as stack:
                evening = await an_evening(
                    stack,
                    folder,
                    control,
                    discord,
                    seed=options.seed,
                    processes=options.processes,
                    posted=options.posted,
                    kill_every=options.kill_every,
                    lines=options.lines,
                )
                for number in range(options.matches):
                    for name, verdict in (await evening.play(options.rounds)).items():
                        print(f"\n{name}, match {number + 1}")
                        for figure, value in verdict.figures.items():
                            print(f"  {figure:<32} {value}")
                        found += [f"{name}, match {number + 1}: {each}" for each in verdict.findings]
            found += await evening.broken_rules()
            found += await evening.uploaded_again()
            log = evening.told()
            found += ["a traceback in the log"] * ("Traceback" in log)
            found += ["a token in the log"] * (TOKEN in log or discord.token in log)
    return found


def main() -> int:
    """Play, and print the problems."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="what goes wrong, and when (default: 1)")
    parser.add_argument("--matches", type=int, default=1, help="at each table (default: 1)")
    parser.add_argument("--rounds", type=int, default=2, help="of a match (default: 2)")
    parser.add_argument("--keep", type=Path, help="a folder for the log and the store, to look at afterwards")
    parser.add_argument("--processes", type=int, default=1, help="of the program, on one store (default: 1)")
    parser.add_argument(
        "--posted", action="store_true", help="Discord posts what people do; otherwise its gateway tells it"
    )
    parser.add_argument(
        "--kill-every",
        type=float,
        metavar="SECONDS",
        help="kill a process so often, withdraw rights meanwhile, and refuse no calls",
    )
    parser.add_argument(
        "--lines", type=int, default=0, help="that somebody else writes in each place, a minute (default: 0)"
    )
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    with tempfile.TemporaryDirectory() as folder:
        if options.keep:
            options.keep.mkdir(parents=True)
        found = asyncio.run(play(options.keep or Path(folder), options))
    print(f"\n{len(found)} findings, seed {options.seed}")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
