"""Work beside the event loop: no process that dies or hangs loses any, and none outlives the program."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import BrokenExecutor, process
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from bot import pictures, pool
from bot.bench.moves import DELAYS, example_table
from bot.markup import FiguresPicture, FiguresSection, RackPicture, TileFace
from bot.pictures import rack, theme
from bot.pictures.canvas import Canvas
from bot.pictures.rack import RackShelf
from bot.pool import POOL, Batches
from bot.tables import turns
from bot.worker.computers import AT_ONCE, TABLES, ComputerTurn
from tests.conftest import Until
from tests.patience import PATIENCE

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def one_process() -> AsyncIterator[None]:
    async with POOL.processes(1):
        yield


def is_there(process: int) -> bool:
    with suppress(ProcessLookupError, FileNotFoundError):
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return False


def gone(process: int) -> Callable[[], Awaitable[bool]]:
    async def is_gone() -> bool:
        return not is_there(process)

    return is_gone


async def test_without_processes_threads_do_it() -> None:
    assert await POOL.run(os.getpid) == os.getpid()


async def test_processes_leave_the_processor_to_the_event_loop(one_process: None) -> None:
    assert await POOL.run(os.nice, 0) > os.nice(0)


@pytest.mark.parametrize("trouble", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_process_that_dies_or_hangs_loses_nothing(
    one_process: None, monkeypatch: pytest.MonkeyPatch, until: Until, trouble: signal.Signals
) -> None:
    worker = await POOL.run(os.getpid)
    assert worker != os.getpid()
    with pytest.raises(ValueError, match="bad"):
        await POOL.run(int, "bad")
    with monkeypatch.context() as impatient:
        impatient.setattr(pool, "HUNG_SECONDS", 0.5)
        under_way = [asyncio.create_task(POOL.run(hex, number)) for number in range(20)]
        os.kill(worker, trouble)
        await until(gone(worker))
    assert await asyncio.gather(*under_way) == [hex(number) for number in range(20)]
    assert await POOL.run(os.getpid) != worker


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_an_executor_that_fails_to_say_that_its_process_died_loses_nothing(
    one_process: None, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    """Python's own executor does so when work is handed in while it tells of the death."""
    worker = await POOL.run(os.getpid)
    told: list[object] = []

    def fail(manager: object, cause: object) -> None:
        told.append(manager)
        raise RuntimeError("dictionary changed size during iteration")

    async def failed() -> bool:
        return bool(told)

    with monkeypatch.context() as broken:
        broken.setattr(process._ExecutorManagerThread, "terminate_broken", fail)
        broken.setattr(pool, "HUNG_SECONDS", 0.5)
        under_way = [asyncio.create_task(POOL.run(hex, number)) for number in range(20)]
        await asyncio.sleep(0)  # they are handed in
        os.kill(worker, signal.SIGSTOP)
        await until(failed)
    assert await asyncio.gather(*under_way) == [hex(number) for number in range(20)]
    assert len(told) == 1


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
    await until(gone(worker))


IMPORTING = """
import asyncio
from pathlib import Path
from bot.pool import POOL

async def main():
    async with POOL.processes(1, ["noticed"]):
        while not Path("imported").exists():
            await asyncio.sleep(0.01)

asyncio.run(main())
"""


async def test_modules_are_imported_before_there_is_work(tmp_path: Path) -> None:
    (tmp_path / "noticed.py").write_text("open('imported', 'w').close()")
    paths = {"PYTHONPATH": f"{ROOT}:{tmp_path}"}
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", IMPORTING, cwd=tmp_path, env=os.environ | paths
    )
    try:
        async with asyncio.timeout(PATIENCE):
            assert await program.wait() == 0
    finally:
        with suppress(ProcessLookupError):
            program.kill()


async def test_a_picture_is_drawn_once_for_all_who_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[FiguresPicture] = []

    def draw_figures(picture: FiguresPicture) -> Canvas:
        asked.append(picture)
        if len(asked) == 1:
            raise ZeroDivisionError
        time.sleep(0.05)  # long enough for all of them to ask
        return Canvas.plain(900, 1, theme.FELT)

    monkeypatch.setattr(pictures, "draw_figures", draw_figures)
    picture = FiguresPicture(sections=(FiguresSection(f"{time.time()}", ()),))
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        await pictures.draw_picture(picture)
    first, *others = await asyncio.gather(*(pictures.draw_picture(picture) for _ in range(5)))
    assert [*others, await pictures.draw_picture(picture)] == [first] * 5
    assert len(asked) == 2, "once in vain, and once"


async def test_a_discard_redraws_its_shelf_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def draw_shelf(part: RackShelf) -> Canvas:
        drawn.append(part.number)
        return rack.draw_shelf(part)

    monkeypatch.setattr(pictures, "draw_shelf", draw_shelf)
    caption = f"{time.time()}"

    def picture(upper: str, lower: str) -> RackPicture:
        return RackPicture(
            shelves=tuple(tuple(map(TileFace, shelf.split())) for shelf in (upper, lower)),
            indicator=TileFace("R1"),
            okey=TileFace("R2"),
            captions=(caption, caption),
        )

    before = picture("R1 R2 R3 Y4 Y5 Y6 Y7 Y8", "K3 K4 K5 K6 B1 B2 B9")
    after = picture("R1 R2 R3 Y4 Y5 Y6 Y7 Y8", "K3 K4 K5 K6 B1 B2")
    assert await pictures.draw_picture(before) == pictures.draw(before)
    drawn.clear()
    assert await pictures.draw_picture(after) == pictures.draw(after)
    assert drawn == [1, 0, 1], "its shelf, and both for comparison"


async def test_a_piece_of_work_that_kills_whoever_does_it_takes_no_other_along(one_process: None) -> None:
    batches = Batches(4)
    pieces: list[tuple[Callable[[int], object], int]] = [
        (hex, 1),
        (os._exit, 1),
        (hex, 3),
        (hex, 4),
        (hex, 5),
    ]
    done = await asyncio.gather(*(batches.begin(*piece) for piece in pieces), return_exceptions=True)
    assert isinstance(done.pop(1), BrokenExecutor)
    assert done == ["0x1", "0x3", "0x4", "0x5"]


async def test_pieces_of_work_are_handed_over_together_while_all_are_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batches: list[int] = []
    run = POOL.run

    async def counted(function: object, batch: list[object]) -> object:
        batches.append(len(batch))
        return await run(function, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(POOL, "run", counted)
    work = Batches(4, at_once=2)
    done = await asyncio.gather(*(work.begin(hex, number) for number in range(12)))
    assert done == list(map(hex, range(12)))
    assert batches == [4, 4, 4]
    assert await work.begin(hex, 12) == "0xc"
    assert batches[3:] == [1], "nothing is waited for"


async def test_computer_players_play_as_alone_a_few_tables_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    table = example_table()
    table = structs.replace(
        table, seats=tuple(structs.replace(seat, computer="easy") for seat in table.seats)
    )
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
    players = Batches(TABLES, AT_ONCE)
    turns_due = [broken if number == 3 else turn for number in range(3 * TABLES)]
    played = [players.begin(ComputerTurn.play, each) for each in turns_due]
    changes = await asyncio.gather(*played, return_exceptions=True)
    alone = turns.due(table, DELAYS, lambda: bytes(64), 1.0)
    assert changes.count(alone) == 3 * TABLES - 1
    assert isinstance(changes[3], RuntimeError)
    assert max(batches) == TABLES
    assert max(under_way) == AT_ONCE
