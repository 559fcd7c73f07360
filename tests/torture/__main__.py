"""`python -m tests.torture [--kinds single embedded sentinel unattended cluster] [--durability everysec]
[--seconds 60] [--seed N]`. The servers' own `appendfsync` is `everysec` with that, and else `always`.

Processes make moves at many tables, while they and the servers of the store are killed and stopped at random.
Then every acknowledged move is looked for, and one more table is opened: a store that takes nothing any more
has failed. Prints a line of JSON for each kind of store; the exit status is 1 when it failed, or a move was
lost or made twice.
"""

import argparse
import asyncio
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from bot.bench.moves import open_tables
from bot.ids import TableId
from bot.settings import DURABILITIES
from bot.store import NoStore, Store, StoreUnavailable, open_store
from tests.torture.servers import KINDS, Servers

TABLES = 40
MOVERS = 3
RECOVERY_SECONDS = 60.0
"""Seconds after the last fault within which the store serves again."""

T = TypeVar("T")


class Movers:
    """The processes that make moves."""

    def __init__(self, servers: Servers, durability: str, tables: list[TableId]) -> None:
        self._servers = servers
        self._durability = durability
        self._tables = tables
        self._running: list[asyncio.subprocess.Process] = []
        self.killed = 0

    async def start(self) -> None:
        """Start one more process."""
        name = f"moves{len(self._running) + self.killed}"
        self._running.append(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.torture.mover", self._servers.url),
                *(str(self._servers.folder), self._durability, name, *self._tables),
                stderr=asyncio.subprocess.DEVNULL,
            )
        )

    async def kill(self, process: int) -> None:
        """Kill one process."""
        gone = self._running.pop(process)
        if gone.returncode is None:
            gone.kill()
        await gone.wait()
        self.killed += 1

    async def end(self) -> None:
        """Kill all processes."""
        while self._running:
            await self.kill(0)


async def torture(kind: str, durability: str, seconds: float, chance: random.Random) -> dict[str, Any]:
    """Torture one kind of store; the fate of its moves."""
    with tempfile.TemporaryDirectory() as folder:
        servers = KINDS[kind](Path(folder), "everysec" if durability == "everysec" else "always")
        await servers.start()
        try:
            # While the store is open here, an embedded server is restarted whatever happens to others.
            async with open_store(servers.url or None, servers.folder, durability) as store:
                movers = Movers(servers, durability, await _served(lambda: open_tables(store, TABLES)))
                try:
                    troubles = await _trouble(servers, movers, seconds, chance)
                finally:
                    await movers.end()
                await _served(lambda: open_tables(store, 1))
                acknowledged = await asyncio.to_thread(_acknowledged, servers.folder)
                return {"store": kind, **troubles, **await _read_back(store, acknowledged)}
        finally:
            servers.end()


async def _trouble(servers: Servers, movers: Movers, seconds: float, chance: random.Random) -> dict[str, Any]:
    for _ in range(MOVERS):
        await movers.start()
    await asyncio.sleep(2)
    counted = Counter[str]()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        what = chance.choice(("movers killed", "servers killed", "servers stopped"))
        mortals = await asyncio.to_thread(servers.mortals)
        if what == "servers killed" and not mortals:
            what = "servers stopped"
        counted[what] += 1
        server = chance.choice(mortals if what == "servers killed" else servers.victims())
        if what == "movers killed":
            await movers.kill(chance.randrange(MOVERS))
            await movers.start()
        elif what == "servers killed":
            servers.send(server, signal.SIGKILL)
            await asyncio.sleep(chance.uniform(0, 5))
            await servers.revive(server)
        else:
            servers.send(server, signal.SIGSTOP)
            await asyncio.sleep(chance.uniform(0.1, 5))
            servers.send(server, signal.SIGCONT)
        await asyncio.sleep(chance.uniform(1, 6))
    return dict(counted)


def _acknowledged(folder: Path) -> Counter[tuple[str, ...]]:
    """All acknowledged moves: a table and an action each."""
    files = [each for each in folder.glob("moves*") if each.is_file()]
    return Counter(tuple(line.split()) for each in files for line in each.read_text().splitlines())


async def _read_back(store: Store, acknowledged: Counter[tuple[str, ...]]) -> dict[str, Any]:
    made: Counter[tuple[str, ...]] = Counter()
    for table in {table for table, _ in acknowledged}:
        for entry in map(json.loads, await _served(partial(store.documents.log, table))):
            if "action" in entry:
                made[table, entry["action"]] += 1
    return {
        "acknowledged": acknowledged.total(),
        "lost": sum(made[move] == 0 for move in acknowledged),
        "made twice": sum(count > 1 for count in made.values()),
    }


async def _served(call: Callable[[], Awaitable[T]]) -> T:
    """The result of a call, as soon as the store serves it. On a busy machine that may take a while even
    before anything is killed: a primary refuses writes while its replica is more than two seconds behind."""
    async with asyncio.timeout(RECOVERY_SECONDS):
        while True:
            try:
                return await call()
            except StoreUnavailable:
                await asyncio.sleep(0.5)


def main() -> int:
    """Torture each kind; 1 when a move was lost or made twice."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument(
        "--durability", choices=DURABILITIES, default="everysec", help="as the setting (default: everysec)"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="of trouble for each kind (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="what goes wrong, and when (default: 1)")
    options = parser.parse_args()
    wrong = 0
    for kind in options.kinds:
        try:
            found = asyncio.run(
                torture(kind, options.durability, options.seconds, random.Random(options.seed))
            )
        except (NoStore, TimeoutError) as error:
            found = {"store": kind, "failed": type(error).__name__, "lost": 1, "made twice": 0}
        print(json.dumps(found), flush=True)
        wrong += found["lost"] + found["made twice"]
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
