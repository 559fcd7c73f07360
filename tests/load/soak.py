"""`python -m tests.load.soak`: whether a process stays as it is while people play for an hour.

Two hundred tables, pictures and all. Each minute it prints what the process holds (resident memory, open
files, tasks, deliveries found and not made yet) and how long people waited. The exit status is 1 when any of
it grew, or when a table stood still.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bot.pool import POOL
from bot.run import shorten_collections
from bot.store import open_store
from tests.bot.house import House, open_house
from tests.load.inside import Load

MODULES = ("bot.pictures", "bot.worker.computers")

GROWN = 1.1
"""The factor by which the last third of the minutes may exceed the third before."""

SLACK = {"memory_mb": 5.0, "files": 5, "tasks": 20, "backlog": 20}
"""The additional amounts that are no growth: a picture being drawn, a person being answered."""

_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


def held(house: House) -> dict[str, float]:
    """The resources that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "memory_mb": round(pages * _PAGE_MB, 1),
        "files": len(os.listdir("/proc/self/fd")),
        "tasks": len(asyncio.all_tasks()),
        "backlog": house.app.delivery.backlog,
    }


def forget(house: House) -> None:
    """Forget what the test's chat remembers, which is no part of the program."""
    chat: Any = house.app.chats["mem"]
    for each in (chat.tables, chat.racks, chat.lines, chat.taken_back, chat.disarmed, chat.silent):
        each.clear()


def grown(minutes: list[dict[str, Any]]) -> Iterator[str]:
    """The resources of which the process held more in the last third than in the third before."""
    third = len(minutes) // 3
    for what, slack in SLACK.items():
        before = median(each[what] for each in minutes[third : 2 * third])
        last = median(each[what] for each in minutes[2 * third :])
        if last > before * GROWN + slack:
            yield f"{what} grew from {before} to {last}"


async def soak(folder: Path, settings: dict[str, Any], minutes: int) -> list[str]:
    """Play for this many minutes; the faults that were found."""
    rows: list[dict[str, Any]] = []
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(POOL.processes(2, MODULES))
        store = await stack.enter_async_context(open_store(None, folder))
        house = await stack.enter_async_context(open_house(store, turn=3600, next_round=3600.0))
        shorten_collections()
        load = Load(house, settings)
        await load.open()
        before = load.versions()
        for number in range(minutes):
            row = await load.at(settings["rate"])
            rows.append({"minute": number + 1, **row, **held(house)})
            print(json.dumps(rows[-1]), flush=True)
            forget(house)
            await load.replace_ended()
        still = [table for table, version in load.versions().items() if before.get(table) == version]
    return [*grown(rows), *(f"table {table} stood still" for table in still)]


def main() -> int:
    """Play, and print the faults."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=10.0, help="presses a second (default: 10)")
    options = parser.parse_args()
    settings = {"tables": options.tables, "rate": options.rate, "seconds": 60.0, "flood": 0}
    with TemporaryDirectory() as folder:
        found = asyncio.run(
            soak(Path(folder), settings | {"pictures": True, "computers": False}, options.minutes)
        )
    print("\n".join(found) or "nothing grew, and no table stood still")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
