"""Moves through the real store: load, step, commit; and whole presses with the screens that answer them."""

import asyncio
import gc
import itertools
import os
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from bot.app import application, fresh_secret
from bot.bench.timing import Times
from bot.callback_data import callback_text
from bot.ids import TableId
from bot.ports import Person, Press
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.offer import SURE
from bot.store import Store
from bot.tables import lobby, play
from bot.tables.play import Delays
from bot.tables.table import Change, Seat, Table
from engine.moves import Discard, Draw, Move, Take
from engine.rules import rules_from

MIDDLE_MOVES: Final = 30
"""Half a round: 31 discards, each with its draw (RULES 7)."""

DELAYS: Final = Delays(computer=3600.0, next_round=3600.0)

AT_ONCE: Final = 64
"""Moves under way at once: more would only wait for each other."""


async def bench_moves(store: Store, counts: tuple[int, ...], seconds: float) -> dict[str, Any]:
    """Moves and presses a second and the cost of each for this process, by number of tables."""
    report: dict[str, Any] = {}
    for count in counts:
        before = _resident_bytes()
        tables = await open_tables(store, count)
        size = await _bytes_in_play(store, tables[0])
        move = await move_times(store, tables, seconds)
        press = await press_times(store, tables, seconds)
        report[str(count)] = {
            "moves_per_second": round(move.per_second, 1),
            "move_ms": move.report(),
            "move_cpu_ms": round(move.cpu_ms, 3),
            "presses_per_second": round(press.per_second, 1),
            "press_ms": press.report(),
            "press_cpu_ms": round(press.cpu_ms, 3),
            "bytes_a_table": size,
            "bytes_a_table_in_process": max(0, _resident_bytes() - before) // count,
        }
        for table in tables:
            await store.documents.forget(table)
    return report


async def open_tables(store: Store, count: int) -> list[TableId]:
    """Return this many tables of four people whose first round is dealt."""
    repository = TableRepository(store)
    tables = [TableId(f"bench{secrets.token_hex(4)}n{number}") for number in range(count)]
    for first in range(0, count, AT_ONCE):
        group = tables[first : first + AT_ONCE]
        await asyncio.gather(*(repository.create(table, _deal(table), "open") for table in group))
    return tables


async def move_times(store: Store, tables: list[TableId], seconds: float) -> Times:
    """Return the times of moves at all tables in turn."""
    repository, numbers = TableRepository(store), itertools.count()

    async def move_at(table: TableId) -> float:
        began = time.perf_counter()
        await repository.change(table, f"move {next(numbers)}", one_move)
        return time.perf_counter() - began

    return await _repeat(move_at, tables, seconds)


async def press_times(store: Store, tables: list[TableId], seconds: float) -> Times:
    """Return the times of presses at the router, each answered with the presser's screen."""
    app = application(store, delays=DELAYS, turn_seconds=3600)
    repository, numbers = TableRepository(store), itertools.count()

    async def press_at(table: TableId) -> float:
        stored = await repository.load(table)
        assert stored is not None
        press = _press(stored.value, next(numbers))
        began = time.perf_counter()
        answer = await app.router.press(press)
        assert answer.private is not None
        return time.perf_counter() - began

    measured = await _repeat(press_at, tables, seconds)
    await app.delivery.close()
    return measured


def example_table() -> Table:
    """Four people in their first round."""
    return _deal(TableId("bench")).table


async def _repeat(
    once: Callable[[TableId], Awaitable[float]], tables: list[TableId], seconds: float
) -> Times:
    """Return the times of an action at tables, repeated at `AT_ONCE` tables at once."""
    started, cpu = time.perf_counter(), time.process_time()

    async def again_and_again(own: list[TableId]) -> list[float]:
        durations: list[float] = []
        for table in itertools.cycle(own):
            if time.perf_counter() >= started + seconds:
                break
            durations.append(await once(table))
        return durations

    shares = [tables[number::AT_ONCE] for number in range(min(AT_ONCE, len(tables)))]
    done = await asyncio.gather(*map(again_and_again, shares))
    durations = tuple(itertools.chain.from_iterable(done))
    return Times(durations, time.perf_counter() - started, time.process_time() - cpu)


def _resident_bytes() -> int:
    """Return the memory of this process in bytes, without garbage; 0 if the system does not say."""
    gc.collect()
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _deal(table: TableId) -> Change:
    people = [Seat(person=f"bench:{table}-{i}", name=f"Player {i}") for i in range(4)]
    change = lobby.open_table(
        table_id=table,
        place="bench:place",
        host=people[0],
        rules=rules_from({"preset": "okey"}),
        language="tr",
        turn_seconds=3600,
        secret=fresh_secret(),
        now=0.0,
    )
    full = change.table
    for person in people[1:]:
        full = lobby.join(full, person).table
    assert people[0].person is not None
    return play.start(full, people[0].person, DELAYS)


def one_move(stored: StoredTable) -> Change:
    """Return a plain move of the seat on turn, or the next deal."""
    if stored.value.stage == "between":
        return play.next_round(stored.value, DELAYS)
    seat, move = _any_move(stored.value)
    return play.move(stored.value, seat, move, DELAYS, fresh_secret)


def _any_move(table: Table) -> tuple[int, Move]:
    """Return a plain move of the seat on turn, chosen without asking the engine for legal moves."""
    round = table.match.round
    assert round is not None
    if round.phase == "draw":
        return round.turn, Draw() if round.stock else Take()
    taken = None if round.source is None else round.drawn  # which may not be discarded at once
    return round.turn, Discard(random.choice([tile for tile in round.racks[round.turn] if tile is not taken]))


def _press(table: Table, number: int) -> Press:
    if table.stage == "between":
        seat, text = 0, callback_text("next", table.id, table.moment)
    else:
        seat, move = _any_move(table)
        text = _text(table, move)
    person = table.seats[seat].person
    assert person is not None
    return Press(
        by=Person(person, f"Player {seat}", "tr"), place=None, surface="private", data=text, id=str(number)
    )


def _text(table: Table, move: Move) -> str:
    match move:
        case Draw():
            return callback_text("draw", table.id, table.moment)
        case Take():
            return callback_text("take", table.id, table.moment)
        case Discard(tile):
            okey = table.match.round is not None and tile is table.match.round.okey
            sure = (SURE,) if okey else ()
            return callback_text("discard", table.id, table.moment, tile.name, *sure)
    raise AssertionError(move)


async def _bytes_in_play(store: Store, table: TableId) -> int:
    """Return a table's size in bytes in the middle of its first round, including its history."""
    repository = TableRepository(store)
    for number in range(MIDDLE_MOVES):
        await repository.change(table, f"early {number}", one_move)
    return await store.documents.bytes_of(table)
