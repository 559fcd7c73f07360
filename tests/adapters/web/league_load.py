"""`python -m tests.adapters.web.league_load`: how long a league's page takes with a season of 500 results.

Prints JSON: milliseconds from the request to its last byte, over HTTP from a store: the first one of a new
process, and the slowest and the middle one of those after it.
"""

import asyncio
import json
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from aiohttp import ClientSession

from adapters.web import LeaguePages, WebServer
from bot.app import application
from bot.league.events import CheckInClosed, Ended, NightEvent, Recorded, RoundEnded
from bot.league.model import League, NightRef
from bot.league.seasons import announcement
from bot.league.visibility import path_of
from bot.repository.leagues import LeagueRepository
from bot.store import Store, open_store
from bot.tables.play import Delays
from tests.bot.league.evenings import KEY, START, checked_in, league, played, replied, seated

PEOPLE, NIGHTS, ROUNDS = 64, 8, 4
AGAIN = 20
DAY = 24 * 3600.0


def season() -> League:
    """A league of 64 people that has met eight times."""
    refs = tuple(
        NightRef(id=f"abcde-2026{n:02}052000", start=START + 7 * n * DAY, season=1, over=True)
        for n in range(1, NIGHTS + 1)
    )
    return replace(league([f"Player {n}" for n in range(1, PEOPLE + 1)]), nights=refs, ended=True)


def evening(chance: Random) -> list[NightEvent]:
    """Four rounds at sixteen tables, with made-up scores."""
    everybody = [f"m{n}" for n in range(1, PEOPLE + 1)]
    events = [*replied(everybody), *checked_in(everybody), CheckInClosed(playing=tuple(everybody))]
    for round in range(1, ROUNDS + 1):
        chance.shuffle(everybody)
        tables = [everybody[first : first + 4] for first in range(0, PEOPLE, 4)]
        events += seated(*tables, round=round)
        for number, table in enumerate(tables, 1):
            events += played(round, number, table, [chance.randint(-9, 20) for _ in table])
        events.append(RoundEnded(round=round))
    return [*events, Ended()]


async def keep(store: Store, held: League) -> None:
    """Put the season into a store."""
    leagues, chance = LeagueRepository(store), Random("a season")
    await leagues.create_league(held, "found")
    for ref in held.nights:
        announced = announcement(held, ref, KEY)
        await leagues.announce(Recorded(ref.start, "", "", announced), ref.id)
        events = evening(chance)
        await leagues.act(ref.id, "played", lambda night, now, events=events: events)  # type: ignore[misc]


async def milliseconds(session: ClientSession, address: str) -> float:
    """One request."""
    began = time.perf_counter()
    async with session.get(address) as response:
        assert response.status == 200
        await response.read()
    return (time.perf_counter() - began) * 1000


async def measured(store: Store) -> dict[str, float]:
    """The page of a season, asked for again and again."""
    held = season()
    await keep(store, held)
    app = application(store, delays=Delays(computer=1, next_round=1), turn_seconds=60)
    server = WebServer("127.0.0.1", 0)
    LeaguePages(app.published, app.delivery, server)
    await server.start()
    try:
        async with ClientSession() as session:
            address = f"{server.url}league/{path_of(held)}"
            first = await milliseconds(session, address)
            again = [await milliseconds(session, address) for _ in range(AGAIN)]
    finally:
        await server.stop()
        await app.delivery.close()
    return {
        "results": NIGHTS * ROUNDS * PEOPLE // 4,
        "first_ms": round(first, 1),
        "slowest_ms": round(max(again), 1),
        "median_ms": round(statistics.median(again), 1),
    }


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(None, Path(folder)) as store:
            print(json.dumps(await measured(store)))


if __name__ == "__main__":
    asyncio.run(main())
