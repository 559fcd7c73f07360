"""Worker: what nobody presses a button for, in the partitions that this process holds.

Timers of tables, the schedule of leagues, unfinished delivery, results that the match history lacks: each is
found by its mark or moment in the store, seen to, and found again until it is done.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

from bot.delivery.background import BackgroundTasks
from bot.delivery.delivery import Delivery
from bot.errors import Refused
from bot.history.matches import MatchHistory
from bot.ids import TableId
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Mark, Store, StoreUnavailable
from bot.store.keys import PARTITIONS
from bot.tables import turns
from bot.tables.play import Delays, Entropy
from bot.tables.table import Change
from bot.worker.league_nights import LeagueNights

LOG: Final = logging.getLogger(__name__)

MISHAP_SECONDS: Final = 5.0
"""Before something that failed is tried again."""

LEASE_SECONDS: Final = 4.0
"""A worker that dies is followed by another after at most so long."""

DUE_SECONDS: Final = 0.1
"""How often passed deadlines are looked for."""

DIRTY_SECONDS: Final = 0.5
"""How often tables and nights with unfinished delivery are looked for."""

ENDED_SECONDS: Final = 0.5
"""How often results that are not in the match history yet are looked for."""

RETRY_SECONDS: Final = 1.0
"""How often places whose pause is over are looked for."""

AGENDA_SECONDS: Final = 0.25
"""How often leagues and nights that are to be looked at are looked for."""

BATCH: Final = 500


class Worker:
    """One process's part in the partitions."""

    def __init__(
        self,
        *,
        store: Store,
        repository: TableRepository,
        delivery: Delivery,
        history: MatchHistory,
        leagues: LeagueNights,
        delays: Delays,
        entropy: Entropy,
    ) -> None:
        self._store = store
        self._repository = repository
        self._delivery = delivery
        self._history = history
        self._leagues = leagues
        self._delays = delays
        self._entropy = entropy
        self._name = secrets.token_hex(8)
        self._held: tuple[int, ...] = ()
        self._tasks = BackgroundTasks(MISHAP_SECONDS)

    async def run(self) -> None:
        """Work until cancelled; then give the partitions back."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._often("leases", LEASE_SECONDS / 3, self._lease))
                group.create_task(self._often("timers", DUE_SECONDS, self._timers))
                group.create_task(self._often("delivery", DIRTY_SECONDS, self._dirty))
                group.create_task(self._often("results", ENDED_SECONDS, self._ended))
                group.create_task(self._often("retries", RETRY_SECONDS, self._retries))
                group.create_task(self._often("schedule", AGENDA_SECONDS, self._schedule))
        finally:
            await self._tasks.close()
            with suppress(StoreUnavailable):  # then the leases run out by themselves
                await self._store.release(self._name)

    async def _often(self, name: str, seconds: float, look: Callable[[], Awaitable[None]]) -> None:
        while True:
            await self._tasks.attempt(name, look)
            await asyncio.sleep(seconds)

    # Looking for what is to be done

    async def _lease(self) -> None:
        held = await self._store.hold(PARTITIONS, self._name, LEASE_SECONDS)
        moved = [partition for partition, seconds in held.items() if seconds > 0]
        for partition in moved:  # before anything is done for a night that lost time
            for key in await self._store.in_agenda(partition):
                away = partial(self._leagues.unattended, key, held[partition])
                self._tasks.run(f"schedule of {key}", away)  # until it is done: nobody finds it again
        self._held = tuple(held)
        self._delivery.held = frozenset(held)
        if moved:
            LOG.info("nobody was at work for %.0f s: clocks were moved on by that", max(held.values()))
        for partition in moved:
            for table in await self._store.with_deadline(partition):
                self._run("clock", table, partial(self._show_clock, table))

    async def _timers(self) -> None:
        for table in await self._store.due(self._held, BATCH):
            self._run("table", table, partial(self._play, table))

    async def _dirty(self) -> None:
        for key, mark in await self._store.dirty(self._held, BATCH):
            self._delivery.settle(key, mark)

    async def _ended(self) -> None:
        for table, mark in await self._store.ended(self._held, BATCH):
            self._run("results", table, partial(self._keep_results, table, mark))

    async def _retries(self) -> None:
        for recipient in await self._store.retries(self._held, time.time(), limit=BATCH):
            self._run("pause", recipient, partial(self._delivery.sleeping.rouse, recipient))

    async def _schedule(self) -> None:
        for key in await self._store.agenda(self._held, self._leagues.clock(), BATCH):
            self._run("schedule", key, partial(self._leagues.look, key))

    def _run(self, kind: str, key: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do it once. Where that fails it is found again, if it is still to be done and still ours."""
        name = f"{kind} of {key}"

        async def attempt() -> None:
            await self._tasks.attempt(name, work)

        self._tasks.run(name, attempt)

    # Doing it

    async def _play(self, table: TableId) -> None:
        """What the clock does at one table."""
        stored = await self._repository.change(table, None, self._turn)
        if stored.value.stage in ("over", "closed") and _is_due(stored):
            await self._repository.forget(stored.value)

    def _turn(self, stored: StoredTable) -> Change | None:
        return turns.due(stored.value, self._delays, self._entropy, stored.now) if _is_due(stored) else None

    async def _show_clock(self, table: TableId) -> None:
        """Have people shown the moment to which their clock was moved."""
        with suppress(Refused):  # the table was forgotten meanwhile
            await self._repository.change(table, None, lambda stored: turns.clock_moved(stored.value))

    async def _keep_results(self, table: TableId, mark: Mark) -> None:
        """Have one table's results in the match history, and in its night."""
        await self._history.write(table)
        await self._leagues.update_from(table)
        await self._store.history_written(table, mark)


def _is_due(stored: StoredTable) -> bool:
    return stored.deadline is not None and stored.deadline <= stored.now
