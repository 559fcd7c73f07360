"""Worker: the work that nobody presses a button for, in this process's share of the partitions.

Timers of tables, the schedule of leagues, unfinished delivery, results that the match history lacks: each is
found by its mark or moment in the store, handled, and found again until it is done.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from bot import metrics
from bot.background import MISHAP_SECONDS, BackgroundTasks, make_attempt
from bot.handlers.services import Services
from bot.ids import TableId, read_key
from bot.pool import Batches
from bot.repository.tables import StoredTable
from bot.repository.versioned import Versioned
from bot.store import Mark, StoreUnavailable
from bot.store.keys import PARTITIONS, partition_of
from bot.store.schedule import Work
from bot.tables import lobby, play, turns
from bot.tables.table import Change, NamedRound
from bot.worker.beacon import BeaconClient
from bot.worker.computers import AT_ONCE, TABLES, ComputerTurn
from bot.worker.league_nights import LeagueNights
from bot.worker.shares import CLOCK, LEASE_SECONDS, Shares
from engine.shuffle import Beacon

LOG: Final = logging.getLogger(__name__)

TICK_SECONDS: Final = 0.05
"""The shortest time in seconds between two looks at a partition: what is due together is found together."""

PLAYED_SECONDS: Final = 0.5
"""Seconds between looks at a partition where something is waited for: another process may have changed it."""

IDLE_SECONDS: Final = 2.0
"""Seconds between looks at the other partitions of a cluster, which is asked partition by partition."""

BATCH: Final = 500


class Worker:
    """The work of one process."""

    def __init__(
        self, services: Services, shares: Shares, nights: LeagueNights, beacon: BeaconClient | None
    ) -> None:
        self.shares = shares
        self._services = services
        self._store = services.store
        self._tables = services.tables
        self._nights = nights
        self._beacon = beacon
        self._computers = Batches(TABLES, AT_ONCE)
        self._idle_seconds = (
            PLAYED_SECONDS if len(self._store.timers.in_one_look(PARTITIONS)) == 1 else IDLE_SECONDS
        )
        self._next: dict[int, float] = {}
        """The moment of each partition's next look, by the event loop's clock; infinite during a look."""
        self._settled: dict[int, float] = {}
        """The moment when each partition's dirty keys were last handled."""
        self._sooner = asyncio.Event()
        self._tasks = BackgroundTasks(MISHAP_SECONDS)

    async def run(self) -> None:
        """Work until cancelled; then give the share back."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._attend())
                group.create_task(self._keep_looking())
        finally:
            await self._tasks.close()
            with suppress(StoreUnavailable):  # then the leases run out
                await self.shares.leave()

    def note_commit(self, key: str, value: Versioned[Any]) -> None:
        """Note that this process has just changed a table, night or league. Its clock, or its place in the
        schedule, does not wait for the next look."""
        if value.deadline is not None or read_key(key)[0] != "table":
            self._look_within(partition_of(key), (value.deadline or value.now) - value.now)
            self._sooner.set()

    async def _attend(self) -> None:
        while True:
            await make_attempt("leases", self.shares.attend, MISHAP_SECONDS)
            self._sooner.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(LEASE_SECONDS / 4):
                    await self.shares.asked.wait()

    # Looking for work

    async def _keep_looking(self) -> None:
        while True:
            self._sooner.clear()
            ready = [each for each in self.shares.partitions if self._wait(each) <= 0]
            for group in self._store.timers.in_one_look(ready):
                self._next |= dict.fromkeys(group, math.inf)
                # By the whole group: no other look may take the place of one that is to be tried again.
                self._tasks.run(f"look at partitions {group}", partial(self._look, group))
            await asyncio.sleep(TICK_SECONDS)
            wait = min(map(self._wait, self.shares.partitions), default=IDLE_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, min(wait, IDLE_SECONDS))):
                    await self._sooner.wait()

    def _wait(self, partition: int) -> float:
        """Return seconds until a partition is to be looked at."""
        return self._next.get(partition, 0.0) - asyncio.get_running_loop().time()

    def _look_within(self, partition: int, seconds: float) -> None:
        at = asyncio.get_running_loop().time() + seconds
        self._next[partition] = min(at, self._next.get(partition, 0.0))

    async def _look(self, partitions: list[int]) -> None:
        since = time.monotonic()
        found = await self._store.timers.look(partitions, self.shares.name, self._nights.clock(), BATCH)
        for partition, work in found.items():
            self.shares.confirm(partition, work.mine, since)
            self._look_within(partition, self._pause(work))
            await self._see_to(partition, work)

    def _pause(self, work: Work) -> float:
        """Return seconds until the next look, as far as this process knows."""
        waits = [work.due or work.next_due is not None or work.dirty or work.ended]
        pauses = [PLAYED_SECONDS if any(waits) else self._idle_seconds]
        if work.next_due is not None:
            pauses.append(work.next_due)
        if work.next_moment is not None:
            pauses.append(work.next_moment - self._nights.clock())
        return max(0.0, min(pauses))

    async def _see_to(self, partition: int, work: Work) -> None:
        """Start all work that belongs to this process. Work that fails is found again."""
        if work.stood_still:
            LOG.info("nobody was at work for %.0f s: clocks were moved on by that", work.stood_still)
        if CLOCK in self.shares.work_at(partition):
            for table in work.due:
                self._run("table", table, partial(self._play, table))
            for table, mark in work.ended:
                self._run("results", table, partial(self._keep_results, table, mark))
            for table, mark in work.moved:
                self._run("clock", table, partial(self._show_clock, table, mark))
            for key, away in work.agenda:
                self._run("schedule", key, partial(self._keep_schedule, key, away))
            for recipient in work.retries:
                self._run("pause", recipient, partial(self._services.delivery.sleeping.rouse, recipient))
        now = asyncio.get_running_loop().time()
        if work.dirty and now - self._settled.get(partition, -math.inf) >= PLAYED_SECONDS:
            self._settled[partition] = now
            chats = self.shares.chats_at(partition)
            for each in work.dirty:
                if not chats <= each.done:
                    self._services.delivery.settle(each.key, each.mark)

    def _run(self, kind: str, key: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do it once. If it fails it is found again, if it is still to be done and still in this share."""
        name = f"{kind} of {key}"

        async def attempt() -> None:
            await make_attempt(name, work, MISHAP_SECONDS)

        self._tasks.run(name, attempt)

    # Doing the work

    async def _play(self, table: TableId) -> None:
        """Act for the clock at one table. If another change was quicker, the table is found again when
        due."""
        stored = await self._tables.load(table)
        if stored is None or stored.deadline is None or stored.deadline > stored.now:
            return
        if stored.value.proof.awaited is not None:
            await self.deal(table, stored.value.proof.awaited)
        elif (change := await self._due(stored)) is not None:
            await self._tables.replace(table, stored, change)
        elif stored.value.is_over:
            await self._tables.forget(stored.value)

    async def deal(self, table: TableId, named: NamedRound) -> None:
        """Deal a round that waited for a beacon's round, with its value or without: once for all
        processes."""
        beacon = self._beacon
        brought = Beacon(named.chain, named.number, b"") if beacon is None else await beacon.brought(named)

        def act(stored: StoredTable) -> Change | None:
            if stored.value.proof.awaited != named:
                return None
            return play.deal(stored.value, brought, self._services.dealing.delays)

        await self._tables.change_if_there(table, None, act)

    async def _due(self, stored: StoredTable) -> Change | None:
        table, now, services, dealing = stored.value, stored.now, self._services, self._services.dealing
        if table.waits_for_people and not (table.clock.counts_down or table.calls.has_called):
            return lobby.call(table, *await services.subscriptions.choose(stored))
        if not turns.is_computers(table):
            return turns.due(table, dealing.delays, dealing.entropy, now, dealing.name_round(now))
        metrics.COMPUTER_MOVES.inc()
        turn = ComputerTurn(table, dealing.delays, dealing.entropy(), now)
        return await self._computers.begin(ComputerTurn.play, turn)

    async def _keep_schedule(self, key: str, away: float) -> None:
        """Handle a key of the agenda. `away`: the seconds without anybody at work since it came there."""
        match read_key(key):
            case "daily", daily:
                await self._services.daily.post_due(daily)
            case _:
                await self._nights.look(key, away)

    async def _show_clock(self, table: TableId, mark: Mark) -> None:
        """Have people shown the new end of a clock that was postponed."""
        await self._tables.change_if_there(
            table, f"clock {mark}", lambda stored: turns.clock_moved(stored.value, mark)
        )
        await self._store.timers.clock_moved(table, mark)

    async def _keep_results(self, table: TableId, mark: Mark) -> None:
        """Write one table's results to the match history, and to its night. A look may bring their mark when
        they were written meanwhile."""
        if await self._store.timers.has_results(table, mark):
            await self._services.played.history.write(table)
            await self._nights.update_from(table)
            await self._store.timers.history_written(table, mark)
