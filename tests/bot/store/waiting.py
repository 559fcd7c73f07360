"""Waiting work of a store, read like a worker without leases, so that reading changes nothing."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress

import pytest

from bot.delivery.snapshot import Snapshot, Snapshots
from bot.ids import TableId
from bot.repository.tables import StoredTable
from bot.store import Mark, Store, StoreUnavailable
from bot.store.keys import PARTITIONS
from bot.store.schedule import Delivered, Work
from tests.patience import PATIENCE


async def _look(store: Store, partitions: Iterable[int], limit: int, now: float = 0.0) -> list[Work]:
    """All work there. A store that takes too long is asked again, as a worker does."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(StoreUnavailable):
                return list((await store.timers.look(partitions, "nobody", now, limit)).values())
            await asyncio.sleep(0.1)


async def due(store: Store, partitions: Iterable[int] = PARTITIONS, limit: int = 500) -> list[TableId]:
    """Tables whose deadline has passed."""
    return [table for work in await _look(store, partitions, limit) for table in work.due]


async def dirty(
    store: Store, partitions: Iterable[int] = PARTITIONS, limit: int = 500, *, left_to: str = ""
) -> list[tuple[str, Mark]]:
    """The places and people that may not show the newest state, longest waiting first; those that a chat has
    still to see to, if one is named."""
    every = [each for work in await _look(store, partitions, limit) for each in work.dirty]
    return sorted(
        ((each.key, each.mark) for each in every if left_to not in each.done), key=lambda each: each[1]
    )


async def ended(store: Store, limit: int = 500) -> list[tuple[TableId, Mark]]:
    """Tables with a result that may be missing from the match history, longest waiting first."""
    works = await _look(store, PARTITIONS, limit)
    return sorted((each for work in works for each in work.ended), key=lambda each: each[1])


async def agenda(
    store: Store, now: float, partitions: Iterable[int] = PARTITIONS, limit: int = 500
) -> list[str]:
    """The entries of the agenda that are due by `now`."""
    return [key for work in await _look(store, partitions, limit, now) for key, _ in work.agenda]


async def agenda_with_absence(store: Store, now: float) -> list[tuple[str, float]]:
    """The due entries of the agenda, each with the seconds in which nobody was at work."""
    return [each for work in await _look(store, PARTITIONS, 500, now) for each in work.agenda]


async def clean(store: Store, key: str, mark: Mark) -> None:
    """Note that everything dirty there is delivered."""
    await store.timers.note_delivered([Delivered(key, mark, (), ())])


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables, nights and boards that delivery reads from now on, once for each time."""
    reads: list[str] = []
    take = Snapshots.take

    async def counted(taker: Snapshots, of: str, committed: StoredTable | None) -> Snapshot | None:
        reads.extend([] if committed else [of])
        return await take(taker, of, committed)

    monkeypatch.setattr(Snapshots, "take", counted)
    return reads
