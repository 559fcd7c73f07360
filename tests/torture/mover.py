"""A process that makes moves until it is killed, and writes down the acknowledged ones.

`python -m tests.torture.mover URL FOLDER DURABILITY NAME TABLE…`; an empty URL is the embedded server of
FOLDER. Each line of FOLDER/NAME is a table and an action.
"""

import asyncio
import os
import random
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bot.bench.moves import one_move
from bot.errors import Refused
from bot.ids import TableId
from bot.repository.tables import StoredTable, TableRepository
from bot.store import StoreUnavailable, open_store
from bot.tables.table import Change

AT_ONCE = 8
"""The number of moves under way."""


async def move(url: str, folder: Path, durability: str, name: str, tables: list[TableId]) -> None:
    """Make moves for ever."""
    told = os.open(folder / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    async with open_store(url or None, folder, durability) as store:
        repository = TableRepository(store)
        await asyncio.gather(*(_go_on(repository, told, f"{name}-{n}", tables) for n in range(AT_ONCE)))


async def _go_on(repository: TableRepository, told: int, name: str, tables: list[TableId]) -> None:
    number = 0
    while True:
        number += 1
        table, action = random.choice(tables), f"{name}-{number}"

        def made(stored: StoredTable, action: str = action) -> Change:
            change = one_move(stored)
            return replace(change, entries=(*change.entries, {"action": action}))

        done = False
        while not done:
            with suppress(StoreUnavailable, Refused):
                await repository.change(table, action, made)
                done = True
        os.write(told, f"{table} {action}\n".encode())  # at once: a reported move counts as acknowledged


if __name__ == "__main__":
    url, folder, durability, name, *tables = sys.argv[1:]
    asyncio.run(move(url, Path(folder), durability, name, [TableId(table) for table in tables]))
