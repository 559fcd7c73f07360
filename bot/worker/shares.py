"""Shares: the part of the work that this process does, with equal parts for all live processes.

Every process computes the shares of all by the same rule and claims its own. A lease is no fence: it keeps
two processes from doing the same work, but the work may still be done twice.
"""

import asyncio
import os
import platform
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from bot import metrics
from bot.ports import Chat
from bot.store import Store
from bot.store.keys import PARTITIONS

CLOCK: Final = "clock"
"""The work besides delivery to each chat: clocks, automatic players, results, the schedule of leagues."""

LEASE_SECONDS: Final = 4.0
"""Seconds after which another process has replaced one that died, at the latest."""


@dataclass(frozen=True, slots=True)
class _Held:
    work: frozenset[str]
    until: float
    """The moment until which it counts as held without a new answer of the store: this process's clock."""


class Shares:
    """The share of one process. It is empty before the first `attend`."""

    def __init__(self, store: Store, chats: Mapping[str, Chat]) -> None:
        self._store = store
        self._chats = chats
        machine = re.sub(r"[^\w.-]", "", platform.node())[:40]
        self.name = f"{machine}-{os.getpid()}-{secrets.token_hex(4)}"
        self.served: frozenset[str] = frozenset()
        """The chats that any process serves."""
        self._wanted: Mapping[int, frozenset[str]] = {}
        self._held: dict[int, _Held] = {}
        self._sure = False
        """Whether the store has no other leases of this process than those in `_held`."""
        self._receives = frozenset[str]()
        self._measured = set[str]()
        """The chats of which there are metrics: those of a chat that is gone would stay as they were."""
        self._attended = asyncio.Condition()
        self.asked = asyncio.Event()
        """Set when somebody waits for something that only the next `attend` can bring."""

    @property
    def partitions(self) -> tuple[int, ...]:
        """The partitions in which this process may have something to do."""
        return tuple(partition for partition, held in self._held.items() if held.work)

    def work_at(self, partition: int) -> frozenset[str]:
        """Return the part of a partition's work that this process does: `CLOCK`, and the names of chats."""
        held = self._held.get(partition)
        if held is None or time.monotonic() > held.until:
            return frozenset()
        return held.work & self._wanted.get(partition, frozenset())

    def chats_at(self, partition: int) -> frozenset[str]:
        """Return the chats to which this process delivers the news of a partition. One that is gone here
        delivers nothing, even before others know that."""
        return self.work_at(partition).intersection(self._chats)

    def measure(self) -> None:
        """Set the metrics to what is held."""
        works = [work for partition in PARTITIONS for work in self.work_at(partition)]
        self._measured |= self._chats.keys()
        for work in (CLOCK, *self._measured):
            metrics.LEASES.labels(work).set(works.count(work))
        for chat in self._measured:
            metrics.RECEIVING.labels(chat).set(chat in self._receives)

    async def attend(self) -> None:
        """Say that this process is alive, and claim its share. To be called every quarter of a lease.

        Work that others are to do is stopped at once and given back at the next call: what is under way has
        ended by then.
        """
        self.asked.clear()
        since = time.monotonic()
        attendance = await self._store.leases.attend(self.name, frozenset(self._chats), LEASE_SECONDS)
        async with self._attended:
            self._receives = attendance.receives
            self._attended.notify_all()
        held = self._held if attendance.unbroken else {}  # otherwise others may have taken all of it
        sure, self._sure = attendance.unbroken and self._sure, False
        self._held = {}
        for partition, each in held.items():
            self.confirm(partition, each.work, since)
        before, self._wanted = self._wanted, shares(self.name, attendance.workers)
        self.served = frozenset[str]().union(*attendance.workers.values())
        asked = {}
        for partition in PARTITIONS:
            work = self._held[partition].work if partition in self._held else frozenset[str]()
            wanted = self._wanted.get(partition, frozenset()) | work & before.get(partition, frozenset())
            if wanted != work or not sure:  # a lease that is not given back is nobody else's
                asked[partition] = wanted
        if asked:
            claimed = await self._store.leases.claim(self.name, asked, frozenset(attendance.workers))
            for partition, work in claimed.items():
                self.confirm(partition, work, since)
        self._sure = True

    def confirm(self, partition: int, work: frozenset[str], since: float) -> None:
        """Note what this process holds in a partition, as the store reported. The store was asked at `since`
        (monotonic clock): a late answer makes no lease longer."""
        self._held[partition] = _Held(work, since + LEASE_SECONDS)

    async def until_receiver(self, chat: str) -> None:
        """Wait until what people do in a chat comes to this process and to no other."""
        self.asked.set()
        async with self._attended:
            await self._attended.wait_for(lambda: chat in self._receives)

    async def until_another_receives(self, chat: str) -> None:
        """Wait until the store says that another process receives. While it says nothing, this process goes
        on: events received twice count once, but events received by nobody are lost."""
        async with self._attended:
            await self._attended.wait_for(lambda: chat not in self._receives)

    async def leave(self) -> None:
        """Give everything back."""
        held = {partition: frozenset[str]() for partition, held in self._held.items() if held.work}
        self._held.clear()
        await self._store.leases.claim(self.name, held, frozenset())
        await self._store.leases.leave(self.name)


def shares(worker: str, workers: Mapping[str, frozenset[str]]) -> dict[int, frozenset[str]]:
    """Return the share of a worker, by partition, if these workers are alive, each with the chats that it
    serves."""
    found: dict[int, frozenset[str]] = {}
    for work in (CLOCK, *sorted(workers[worker])):
        able = sorted(each for each, chats in workers.items() if work == CLOCK or work in chats)
        for partition in _allot(worker, able):
            found[partition] = found.get(partition, frozenset()) | {work}
    return found


def _allot(worker: str, able: Sequence[str]) -> Iterator[int]:
    """Rendezvous hashing with the same number of partitions for each: when a worker comes or goes, little
    else changes hands."""
    share, over = divmod(len(PARTITIONS), len(able))
    left = {each: share + (number < over) for number, each in enumerate(able)}
    for partition in PARTITIONS:
        holder = max((each for each in able if left[each]), key=lambda each: _weight(partition, each))
        left[holder] -= 1
        if holder == worker:
            yield partition


def _weight(partition: int, worker: str) -> bytes:
    return blake2b(f"{partition} {worker}".encode(), digest_size=8).digest()
