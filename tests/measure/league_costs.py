"""`python -m tests.measure.league_costs [--beside PATH]`: what a large league costs this process.

A season of 30 nights of 60 tables among 1 000 members, over HTTP and in a chat, on a store of its own. Each
figure is the processor's, so that a busy machine changes little: `cpu_ms` of the whole process for an answer,
and `loop_ms` of the longest turn of its event loop meanwhile. `--beside` adds another checkout, in one run.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from adapters.web import LeaguePages, WebServer
from bot.league.events import CheckInClosed, Ended, NightEvent, Recorded, RoundEnded
from bot.league.model import League, NightRef
from bot.league.seasons import announcement
from bot.repository.leagues import LeagueRepository
from bot.run import shorten_collections
from bot.store import Store, open_store
from tests.bot.house import PLACE, House, open_house
from tests.bot.league.evenings import KEY, START, checked_in, league, played, replied, seated

HERE: Final = Path(__file__).resolve().parents[2]
WEEK: Final = 7 * 24 * 3600.0
AGAIN: Final = 10

GET: Final = """
import sys, http.client
host, path, times, tag = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
line = http.client.HTTPConnection(host, timeout=120)
headers = {"Accept-Encoding": "gzip"} | ({"If-None-Match": tag} if tag else {})
for _ in range(times):
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    content = answer.read()
print(answer.status, len(content), answer.getheader("ETag"))
"""
"""A reader in a process of their own, so that only the server's work is counted."""


def make_season(people: int, nights: int) -> League:
    """Return a league that has met in each of so many weeks."""
    refs = tuple(
        NightRef(
            id=f"abcde-2026{1 + n // 28:02}{1 + n % 28:02}2000", start=START + n * WEEK, season=1, over=True
        )
        for n in range(nights)
    )
    names = [f"Player {n}" for n in range(1, people + 1)]
    return replace(league(names, nights=nights, rounds=1), nights=refs, ended=True, places=(PLACE,))


def make_evening(chance: Random, people: int, tables: int) -> list[NightEvent]:
    """Return one round at so many tables, with made-up scores."""
    there = [f"m{n}" for n in chance.sample(range(1, people + 1), 4 * tables)]
    seats = [there[first : first + 4] for first in range(0, len(there), 4)]
    events = [*replied(there), *checked_in(there), CheckInClosed(playing=tuple(there)), *seated(*seats)]
    for number, table in enumerate(seats, 1):
        events += played(1, number, table, [chance.randint(-9, 20) for _ in table])
    return [*events, RoundEnded(round=1), Ended()]


async def keep(store: Store, held: League, people: int, tables: int) -> None:
    """Put the season into a store."""
    leagues, chance = LeagueRepository(store), Random("a season")
    create = getattr(leagues, "create_league", None) or leagues.found  # type: ignore[attr-defined]
    await create(held, "found")
    for ref in held.nights:
        announced = announcement(held, ref, KEY)
        await leagues.announce(Recorded(ref.start, "", "", announced), ref.id)
        events = make_evening(chance, people, tables)
        await leagues.act(ref.id, "played", lambda night, now, events=events: events)  # type: ignore[misc]


class Turns:
    """The longest turn of the event loop, in milliseconds of its thread's processor time."""

    def __init__(self) -> None:
        self.longest = 0.0

    @asynccontextmanager
    async def watch(self) -> AsyncIterator["Turns"]:
        """Watch every turn inside the context."""
        run = asyncio.Handle._run

        def timed(handle: asyncio.Handle) -> None:
            began = time.thread_time()
            run(handle)
            self.longest = max(self.longest, 1000 * (time.thread_time() - began))

        asyncio.Handle._run = timed  # type: ignore[method-assign]
        try:
            yield self
        finally:
            asyncio.Handle._run = run  # type: ignore[method-assign]


async def measure(act: Callable[[], Awaitable[Any]], times: int = 1) -> dict[str, float]:
    """Return what an act costs this process."""
    async with Turns().watch() as turns:
        began = time.process_time()
        await asyncio.create_task(act())  # type: ignore[arg-type] # whose turns are all its own
        spent = 1000 * (time.process_time() - began) / times
    return {"cpu_ms": round(spent, 1), "loop_ms": round(turns.longest, 1)}


async def get(server: WebServer, path: str, times: int = 1, tag: str = "") -> tuple[int, int, str]:
    """Have another process read a page; returns the last answer's status, length and tag."""
    words = (f"{server.host}:{server.url.rstrip('/').rpartition(':')[2]}", path, str(times), tag)
    reader = await asyncio.create_subprocess_exec(sys.executable, "-c", GET, *words, stdout=subprocess.PIPE)
    told, _ = await reader.communicate()
    status, length, known = told.decode().split()
    return int(status), int(length), known


async def press(house: House, held: League, name: str) -> None:
    """Have a member press the button of one of the league's pages."""
    answer = await house.press(house.person("Player 1"), f"league_{name}.{held.id}.0", private=False)
    assert answer.page is not None, answer.notice


async def measure_league(people: int, nights: int, tables: int) -> dict[str, Any]:
    """Return the costs of the pages and of a press."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(None, Path(folder)) as store:
            held = make_season(people, nights)
            await keep(store, held, people, tables)
            async with open_house(store, work=False, web_url="http://okey.test") as house:
                server = WebServer("127.0.0.1", 0)
                LeaguePages(house.app.published, house.app.delivery, server)
                await server.start()
                shorten_collections()  # as the program does when it has started
                try:
                    return await _measure_pages(house, server, held, people, tables)
                finally:
                    await server.stop()


async def _measure_pages(
    house: House, server: WebServer, held: League, people: int, tables: int
) -> dict[str, Any]:
    page = f"/league/{held.id}"
    await get(server, "/league/none")  # the words of a language are read once in a process
    found: dict[str, Any] = {"first page": await measure(lambda: get(server, page))}
    _, found["page, bytes on the line"], tag = await get(server, page)
    found["page from cache"] = await measure(lambda: get(server, page, AGAIN), AGAIN)
    found["304"] = await measure(lambda: get(server, page, AGAIN, tag), AGAIN)
    for name in ("table", "table", "nights", "prizes", "me"):
        told = f"{name} in a chat" + (", again" if f"{name} in a chat" in found else "")
        found[told] = await measure(lambda name=name: press(house, held, name))  # type: ignore[misc]
    found["a night's page"] = await measure(lambda: get(server, f"{page}/night/{held.nights[0].id}"))
    found["standings.csv"] = await measure(lambda: get(server, f"{page}/standings.csv"))
    return found


def main() -> None:
    """Print the figures of this checkout, and of another one beside them."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.league_costs")
    parser.add_argument("--beside", type=Path, help="another checkout, which is asked by this one's program")
    for name, usual in (("people", 1000), ("nights", 30), ("tables", 60)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    asked = parser.parse_args()
    figures = {"here": asyncio.run(measure_league(asked.people, asked.nights, asked.tables))}
    if asked.beside is not None:
        words = [f"--{name}={getattr(asked, name)}" for name in ("people", "nights", "tables")]
        found = subprocess.run(
            [sys.executable, __file__, *words],
            cwd=asked.beside,
            env={**os.environ, "PYTHONPATH": str(asked.beside)},
            stdout=subprocess.PIPE,
            check=True,
        )
        figures["beside"] = json.loads(found.stdout)["here"]
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
