"""What it costs to ask for leaders, one's own figures and the last matches in a place with many matches.

`python -m tests.measure.looking_back --beside PATH` puts the figures of another checkout beside them, in one
run: the same matches, the same questions, in turn.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

MATCHES = 5000
PEOPLE = 300
AT_ONCE = 20
REPEATS = 9
VERBS = {"leaders": ("leaderboard", "stats"), "own": ("profile", "stats me"), "history": ("history",)}
"""Each question by the words for it: here, and in older versions."""


async def _measure() -> dict[str, Any]:
    from bot.commands import DECLARED_COMMANDS  # of the checkout in which this runs
    from bot.store import open_store
    from tests.bot.house import open_house

    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(None, Path(folder)) as store, open_house(store, work=False) as house:
            await _write_matches(store)
            people = [house.person(f"p{number}") for number in range(AT_ONCE)]
            for name, lines in VERBS.items():
                line = next(each for each in lines if each.split()[0] in DECLARED_COMMANDS)

                refused = [0]

                async def ask(number: int, line: str = line, refused: list[int] = refused) -> float:
                    began = time.perf_counter()
                    answer = await house.type(people[number], "okey", line)
                    refused[0] += answer.page is None
                    return time.perf_counter() - began

                await ask(0)
                alone = sorted([await ask(0) for _ in range(REPEATS)])
                async with _stalls() as stalled:
                    began = time.perf_counter()
                    await asyncio.gather(*map(ask, range(AT_ONCE)))
                    together = time.perf_counter() - began
                report[name] = {
                    "ms": round(1000 * alone[REPEATS // 2], 1),
                    f"ms_{AT_ONCE}_at_once": round(1000 * together),
                    "refused": refused[0],
                    "loop_stalled_ms": round(1000 * max(stalled)),
                }
    return report


@asynccontextmanager
async def _stalls() -> AsyncIterator[list[float]]:
    """Collect by how much the event loop was late meanwhile."""
    late = [0.0]

    async def watch() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.005)
            late.append(time.perf_counter() - began - 0.005)

    task = asyncio.create_task(watch())
    yield late
    task.cancel()


async def _write_matches(store: Any) -> None:
    """Write the matches of a place, in four of which five people of hundreds play."""
    from bot.history import matches as history
    from bot.history.archive import Archive
    from bot.people.communities import Communities
    from bot.people.profiles import Profiles
    from bot.tables.table import RoundResult
    from tests.bot.house import PLACE

    now = store.clock()
    dated = []
    for number in range(MATCHES):
        seats = [*range(number % 20, number % 20 + 2), *(20 + (number * k) % (PEOPLE - 20) for k in (1, 7))]
        players = tuple(history.Player(f"mem:p{seat}", f"P{seat}") for seat in seats)
        rounds = tuple(
            RoundResult(winner=(number + each) % 4, changes=(0, -2, -2, -2), how=()) for each in range(4)
        )
        owners = (*dict.fromkeys(player.person for player in players if player.person), PLACE)
        given: dict[str, Any] = {"communities": (PLACE,), "places": (1, 2, 2, 4)}
        fields = history.PlayedMatch.__dataclass_fields__
        match = history.PlayedMatch(
            table=f"t{number:06}",  # type: ignore[arg-type]
            game="classic",
            players=players,
            rounds=rounds,
            scores=(2, 1, 1, 0),
            winners=(0,),
            over=True,
            owners=owners,
            **{name: value for name, value in given.items() if name in fields},
        )
        dated.append((now - (MATCHES - number) * 600.0, match))
    index = getattr(store, "history", store)
    keep, last = getattr(index, "keep_untallied", index.keep_match), {}
    for at, match in dated:
        value = history._CODEC.encode(match)
        entry = history.MatchEntry(match.table, history._progress(match), at, value)
        await asyncio.gather(*(keep(owner, entry) for owner in match.owners))
        last |= dict.fromkeys(match.owners, (entry, match))
    written: Any = history.MatchHistory(store, Archive(store), Communities(store, Profiles(store, {})))
    if hasattr(written, "_keep"):
        for owner, (entry, match) in last.items():
            await written._keep(owner, entry, match)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, help="another checkout")
    chosen = parser.parse_args()
    if chosen.beside is None:
        print(json.dumps(asyncio.run(_measure()), indent=1))
        return
    here = Path(__file__).parents[2]
    for root in (chosen.beside.resolve(), here):
        paths = {**os.environ, "PYTHONPATH": str(root)}
        python = root / ".venv" / "bin" / "python"
        print(root, flush=True)
        command = [str(python) if python.exists() else sys.executable, __file__]
        subprocess.run(command, cwd=root, env=paths, check=True)


if __name__ == "__main__":
    main()
