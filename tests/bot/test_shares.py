"""Shares: every process does as much, each partition's work is done by one, and what dies is taken over."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from prometheus_client import REGISTRY

from bot.ports import Chat
from bot.store import Store, StoreUnavailable
from bot.store.keys import PARTITIONS
from bot.store.leases import Attendance
from bot.worker.shares import CLOCK, Shares, shares
from tests.bot.house import MemoryChat, open_house
from tests.conftest import Until

TG, DC = frozenset({"tg"}), frozenset({"dc"})


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 64, 70])
def test_each_partition_has_one_holder_and_everybody_the_same(count: int) -> None:
    workers = {f"worker {number}": TG for number in range(count)}
    found = {worker: shares(worker, workers) for worker in workers}
    for work in (CLOCK, "tg"):
        held = [partition for each in found.values() for partition, works in each.items() if work in works]
        assert sorted(held) == list(PARTITIONS)
        sizes = Counter(
            {worker: sum(work in works for works in found[worker].values()) for worker in workers}
        )
        assert max(sizes.values()) - min(sizes.values()) <= 1


def test_a_chat_is_delivered_to_by_those_who_serve_it() -> None:
    workers = {"all": TG | DC, "only tg": TG, "page": frozenset[str]()}
    found = {worker: shares(worker, workers) for worker in workers}
    assert not any(TG & works or DC & works for works in found["page"].values())
    assert sum("dc" in works for works in found["all"].values()) == 64
    assert sum("tg" in works for works in found["only tg"].values()) == 32
    assert sum(CLOCK in works for works in found["page"].values()) in (21, 22)


def test_when_one_goes_little_else_changes_hands() -> None:
    four = {f"worker {number}": TG for number in range(4)}
    three = {worker: chats for worker, chats in four.items() if worker != "worker 3"}
    before = {partition: worker for worker in four for partition in shares(worker, four)}
    after = {partition: worker for worker in three for partition in shares(worker, three)}
    moved = [each for each in PARTITIONS if before[each] != "worker 3" and before[each] != after[each]]
    assert len(moved) <= 16


async def test_a_chat_that_is_gone_is_measured_as_gone(store: Store) -> None:
    chats: dict[str, Chat] = {"mem": MemoryChat()}
    mine = Shares(store, chats)

    def measured() -> tuple[float | None, float | None]:
        mine.measure()
        read = REGISTRY.get_sample_value
        return read("okey_receiving", {"chat": "mem"}), read("okey_leases", {"work": "mem"})

    await mine.attend()
    assert measured() == (1, 64)
    chats.clear()  # its token was withdrawn
    await mine.attend()
    assert measured() == (0, 0), "what the alerts look at"


async def test_a_newcomer_gets_its_share_and_the_dead_are_followed(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.worker.shares.LEASE_SECONDS", 0.3)
    first, second = Shares(store, {"mem": MemoryChat()}), Shares(store, {})
    await first.attend()
    assert len(first.partitions) == 64

    async def halves() -> bool:
        await first.attend()
        await second.attend()
        clocks = [{each for each in PARTITIONS if CLOCK in one.work_at(each)} for one in (first, second)]
        assert not clocks[0] & clocks[1], "never both"
        return [len(each) for each in clocks] == [32, 32]

    await until(halves)
    assert all(first.chats_at(each) == {"mem"} for each in PARTITIONS)
    assert not any(second.chats_at(each) for each in PARTITIONS)

    async def followed() -> bool:  # the first is silent from now on
        await second.attend()
        return len(second.partitions) == 64

    await until(followed)
    assert not any(map(first.work_at, PARTITIONS)), "by its own clock"


async def test_an_answer_that_comes_late_makes_no_lease_longer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, attend = 100.0, store.leases.attend

    async def late(worker: str, chats: frozenset[str], seconds: float) -> Attendance:
        nonlocal now
        answer = await attend(worker, chats, seconds)
        now += seconds + 1
        return answer

    monkeypatch.setattr("bot.worker.shares.time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(store.leases, "attend", late)
    held = Shares(store, {"mem": MemoryChat()})
    await held.attend()
    assert not any(map(held.work_at, PARTITIONS))


async def test_the_store_tells_who_holds_what(store: Store) -> None:
    first, second = Shares(store, {"mem": MemoryChat()}), Shares(store, {})
    await first.attend()
    await second.attend()
    held = await store.leases.holders()
    assert held[first.name] == {CLOCK: 64, "mem": 64, "receives mem": 1}
    assert held[second.name] == {}


async def test_only_the_stores_clock_counts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock is an hour off begins no league night too early, and takes what is signed now."""
    true = time.time
    monkeypatch.setattr(time, "time", lambda: true() + 3600)
    async with open_house(store, work=False) as house:
        await house.app.worker.shares.attend()
        assert house.app.leagues.clock() == pytest.approx(true(), abs=60)
        assert house.app.clock() == pytest.approx(true(), abs=60)
        assert house.app.delivery.clock() == pytest.approx(true(), abs=60)


async def test_of_two_processes_one_receives_until_it_leaves(store: Store) -> None:
    first, second = (Shares(store, {"mem": MemoryChat()}) for _ in range(2))
    await first.attend()
    await second.attend()
    await first.until_receiver("mem")
    waiting = asyncio.create_task(second.until_receiver("mem"))
    await second.attend()
    assert not waiting.done()
    await first.leave()
    await second.attend()
    await waiting
    await first.attend()
    await first.until_another_receives("mem")


async def test_what_is_left_is_free_at_once(store: Store) -> None:
    first, second = Shares(store, {}), Shares(store, {})
    await first.attend()
    await first.leave()
    await second.attend()
    assert len(second.partitions) == 64


async def test_a_claim_whose_answer_was_lost_takes_nothing_from_a_newcomer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store gave the first all the work, and the first never heard of it."""
    first, second = Shares(store, {}), Shares(store, {})
    claim = store.leases.claim

    async def unanswered(
        worker: str, wanted: Mapping[int, frozenset[str]], alive: frozenset[str]
    ) -> dict[int, frozenset[str]]:
        await claim(worker, wanted, alive)
        raise StoreUnavailable("the answer is lost")

    with monkeypatch.context() as lossy:
        lossy.setattr(store.leases, "claim", unanswered)
        with pytest.raises(StoreUnavailable):
            await first.attend()
    await _attend_in_turn(second, first)
    assert [_clocks(each) for each in (first, second)] == [32, 32]


async def test_who_counted_as_gone_for_a_moment_keeps_nothing_from_the_others(store: Store) -> None:
    """A newcomer has just come, so the first still holds what it is about to give back."""
    first, second = Shares(store, {}), Shares(store, {})
    await first.attend()
    await second.attend()
    await first.attend()
    await store.leases.leave(first.name)
    await _attend_in_turn(first, second)
    assert [_clocks(each) for each in (first, second)] == [32, 32]


async def test_nothing_is_delivered_to_a_chat_that_has_just_gone(store: Store) -> None:
    chats: dict[str, Chat] = {"mem": MemoryChat()}
    mine = Shares(store, chats)
    await mine.attend()
    assert mine.chats_at(7) == {"mem"}
    chats.clear()
    assert mine.chats_at(7) == set(), "who comes next must find what was not delivered"


async def _attend_in_turn(*processes: Shares) -> None:
    for _ in range(3):
        for each in processes:
            await each.attend()


def _clocks(process: Shares) -> int:
    return sum(CLOCK in process.work_at(each) for each in PARTITIONS)
