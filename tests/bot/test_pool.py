"""Work beside the event loop: no process that dies or hangs loses any, and none outlives the program."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bot import pictures, pool
from bot.bench.moves import DELAYS, example_table
from bot.markup import FiguresPicture, Picture
from bot.pool import POOL
from bot.tables import turns
from bot.worker.computers import AT_ONCE, BATCH, ComputerPlayers, ComputerTurn
from tests.conftest import Until

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def one_process() -> AsyncIterator[None]:
    async with POOL.processes(1):
        yield


def is_there(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return False


async def test_without_processes_threads_do_it() -> None:
    assert await POOL.run(os.getpid) == os.getpid()


async def test_a_process_that_dies_or_hangs_loses_nothing(
    one_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await POOL.run(os.getpid)
    assert first != os.getpid()
    with pytest.raises(ValueError, match="bad"):
        await POOL.run(int, "bad")
    for trouble in (signal.SIGKILL, signal.SIGSTOP):
        worker = await POOL.run(os.getpid)
        under_way = [asyncio.create_task(POOL.run(hex, number)) for number in range(20)]
        os.kill(worker, trouble)
        monkeypatch.setattr(pool, "HUNG_SECONDS", 0.5)
        assert await asyncio.gather(*under_way) == [hex(number) for number in range(20)]
        assert await POOL.run(os.getpid) != worker
        monkeypatch.undo()


async def test_work_that_kills_whoever_does_it_is_given_up(one_process: None) -> None:
    with pytest.raises(BrokenExecutor):
        await POOL.run(os._exit, 1)
    assert await POOL.run(hex, 7) == "0x7"


async def test_a_process_that_hangs_does_not_keep_the_program_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "_PARTING_SECONDS", 0.2)
    async with POOL.processes(1):
        worker = await POOL.run(os.getpid)
        os.kill(worker, signal.SIGSTOP)
    assert not is_there(worker)


PROGRAM = """
import asyncio, os
from bot.pool import POOL
async def main():
    async with POOL.processes(1):
        print(await POOL.run(os.getpid), flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""


async def test_a_program_that_is_killed_leaves_no_process_behind(until: Until) -> None:
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert program.stdout is not None
    worker = int(await program.stdout.readline())
    program.kill()
    await program.wait()

    async def gone() -> bool:
        return not is_there(worker)

    await until(gone)


async def test_a_picture_is_drawn_once_for_all_who_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Picture] = []

    def draw(picture: Picture) -> bytes:
        asked.append(picture)
        if len(asked) == 1:
            raise ZeroDivisionError
        time.sleep(0.05)  # long enough for all of them to ask
        return b"png"

    monkeypatch.setattr(pictures, "draw", draw)
    picture = FiguresPicture(title=f"{time.time()}", sections=())
    with pytest.raises(ZeroDivisionError):
        await pictures.drawn(picture)
    assert await asyncio.gather(*(pictures.drawn(picture) for _ in range(5))) == [b"png"] * 5
    assert await pictures.drawn(picture) == b"png"
    assert len(asked) == 2, "once in vain, and once"


async def test_computer_players_play_as_alone_a_few_tables_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    table = example_table()
    table = replace(table, seats=tuple(replace(seat, computer="easy") for seat in table.seats))
    turn = ComputerTurn(table, DELAYS, bytes(64), 1.0)
    broken = replace(turn, table=None)
    batches: list[int] = []
    under_way = [0]
    run = POOL.run

    async def counted(function: object, batch: list[ComputerTurn]) -> object:
        batches.append(len(batch))
        under_way.append(under_way[-1] + 1)
        try:
            return await run(function, batch)  # type: ignore[arg-type]
        finally:
            under_way.append(under_way[-1] - 1)

    monkeypatch.setattr(POOL, "run", counted)
    players = ComputerPlayers()
    played = [players.play(broken if number == 3 else turn) for number in range(3 * BATCH)]
    changes = await asyncio.gather(*played, return_exceptions=True)
    alone = turns.due(table, DELAYS, lambda: bytes(64), 1.0)
    assert changes.count(alone) == 3 * BATCH - 1
    assert isinstance(changes[3], RuntimeError)
    assert max(batches) == BATCH
    assert max(under_way) == AT_ONCE
