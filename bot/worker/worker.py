"""The work that nobody asks for: held partitions' clocks, computer players, and delivery left behind."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Final

from bot.delivery.background import Errands
from bot.delivery.board_delivery import BoardPost
from bot.delivery.delivery import Delivery
from bot.errors import Refused
from bot.history.matches import MatchHistory
from bot.ids import TableId, read_key
from bot.logs import way_of
from bot.ports import RetryAfter
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Mark, Store, StoreUnavailable
from bot.store.codec import UnknownSchema
from bot.store.keys import PARTITIONS
from bot.tables import turns
from bot.tables.play import Delays, Entropy
from bot.tables.table import Change
from bot.worker.league_nights import Running

LOG: Final = logging.getLogger(__name__)

UNREADABLE_SECONDS: Final = 600.0
"""Between two looks at a table that another version has written."""

MISHAP_SECONDS: Final = 5.0
"""Before something that failed is tried again."""

LEASE_SECONDS: Final = 4.0
"""A worker that dies is followed by another after at most so long."""

DUE_SECONDS: Final = 0.1
"""How often passed deadlines are looked for."""

DIRTY_SECONDS: Final = 0.5
"""How often tables with unfinished delivery are looked for."""

ENDED_SECONDS: Final = 0.5
"""How often results that are not in the books yet are looked for."""

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
        leagues: Running,
        boards: BoardPost,
        delays: Delays,
        entropy: Entropy,
    ) -> None:
        self._store = store
        self._repository = repository
        self._mail = delivery
        self._history = history
        self._leagues = leagues
        self._boards = boards
        self._delays = delays
        self._entropy = entropy
        self._name = secrets.token_hex(8)
        self._held: tuple[int, ...] = ()
        self._errands = Errands()

    async def run(self) -> None:
        """Work until cancelled; then give the partitions back."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._often(LEASE_SECONDS / 3, self._hold))
                group.create_task(self._often(DUE_SECONDS, self._due))
                group.create_task(self._often(DIRTY_SECONDS, self._dirty))
                group.create_task(self._often(ENDED_SECONDS, self._ended))
                group.create_task(self._often(AGENDA_SECONDS, self._agenda))
        finally:
            await self._errands.close()
            await self._boards.close()
            with suppress(StoreUnavailable):  # then the leases run out by themselves
                await self._store.release(self._name)

    async def _often(self, seconds: float, what: Callable[[], Awaitable[None]]) -> None:
        away = False
        while True:
            try:
                await what()
            except StoreUnavailable:
                if not away:
                    LOG.warning("the store is away; trying again")
                away = True
            except Exception as error:  # one thing that fails must not end the others
                LOG.error("the worker goes on after %s", way_of(error))
                await asyncio.sleep(MISHAP_SECONDS)
            else:
                away = False
            await asyncio.sleep(seconds)

    async def _hold(self) -> None:
        held = await self._store.hold(PARTITIONS, self._name, LEASE_SECONDS)
        moved = [partition for partition, seconds in held.items() if seconds > 0]
        for partition in moved:  # before anything is done for a night that lost time
            for key in await self._store.in_agenda(partition):
                self._errands.run(
                    ("agenda", key),
                    partial(self._see_to, key, partial(self._leagues.unattended, key, held[partition])),
                )
        self._held = tuple(held)
        self._mail.held = frozenset(held)
        if moved:
            LOG.info("nobody was at work for %.0f s: clocks were moved on by that", max(held.values()))
        for partition in moved:
            for table in await self._store.with_deadline(partition):
                self._errands.run(("clock", table), partial(self._show_clock, table))

    async def _agenda(self) -> None:
        for key in await self._store.agenda(self._held, self._leagues.clock(), BATCH):
            self._errands.run(("agenda", key), partial(self._see_to, key, partial(self._leagues.look, key)))

    async def _due(self) -> None:
        for table in await self._store.due(self._held, BATCH):
            self._errands.run(table, partial(self._play, table))

    async def _show_clock(self, table: TableId) -> bool:
        """Have people shown the moment to which their clock was moved."""
        try:
            await self._repository.change(table, None, lambda stored: turns.clock_moved(stored.value))
        except (Refused, StoreUnavailable, UnknownSchema) as error:
            LOG.warning("the moved clock of table %s is not shown: %s", table, type(error).__name__)
        return True

    async def _dirty(self) -> None:
        for key, mark in await self._store.dirty(self._held, BATCH):
            try:
                match read_key(key):
                    case "table", table:
                        await self._mail.settle(table, mark)
                    case "night", night:
                        await self._boards.settle(night, mark)
            except UnknownSchema:
                LOG.error("%s was written by another version of the program: left alone", key)

    async def _ended(self) -> None:
        for table, mark in await self._store.ended(self._held, BATCH):
            self._errands.run(("ended", table), partial(self._write, table, mark))

    async def _write(self, table: TableId, mark: Mark) -> bool:
        """Have one table's results in the books, and in its night. A failure leaves it marked."""

        async def write() -> None:
            await self._history.write(table)
            await self._leagues.hear(table)
            await self._store.history_written(table, mark)

        return await self._see_to(table, write)

    async def _see_to(self, key: str, what: Callable[[], Coroutine[None, None, None]]) -> bool:
        """Do what is to be done for a table, night or league. Where it fails, it is tried again later."""
        try:
            await what()
        except UnknownSchema:
            LOG.error("%s was written by another version of the program: left alone", key)
            await asyncio.sleep(UNREADABLE_SECONDS)
        except StoreUnavailable:
            await asyncio.sleep(1)
            return False
        except RetryAfter as later:
            await asyncio.sleep(later.seconds)
        except Exception as error:
            LOG.error("the work for %s failed: %s", key, way_of(error))
            await asyncio.sleep(MISHAP_SECONDS)
        return True

    async def _play(self, table: TableId) -> bool:
        """What the clock does at one table. A failure leaves it due, and it is tried again."""
        try:
            stored = await self._repository.change(table, None, self._turn)
            if stored.value.stage in ("over", "closed") and _is_due(stored):
                await self._repository.forget(stored.value)
        except Refused as refused:
            LOG.error("the clock could not act at table %s: %s", table, refused.code)
        except UnknownSchema:
            LOG.error("table %s was written by another version of the program: left alone", table)
            await asyncio.sleep(UNREADABLE_SECONDS)
        except StoreUnavailable:
            await asyncio.sleep(1)
        except Exception as error:
            LOG.error("the clock failed at table %s: %s", table, way_of(error))
            await asyncio.sleep(MISHAP_SECONDS)
        return True

    def _turn(self, stored: StoredTable) -> Change | None:
        return turns.due(stored.value, self._delays, self._entropy, stored.now) if _is_due(stored) else None


def _is_due(stored: StoredTable) -> bool:
    return stored.deadline is not None and stored.deadline <= stored.now
