"""Leases, deadlines and dirty marks."""

from collections.abc import Awaitable, Callable

import pytest
import redis

from bot.store import Committed, Mark, Store
from tests.bot.store.deadlines import next_due

ALL = range(64)


async def committed(store: Store, table: str, version: int = 0, *, due: float | None = None) -> Committed:
    made = await store.commit(table, expected=version, state=b"", action=None, due=due)
    assert isinstance(made, Committed)
    return made


async def due_of(store: Store, table: str) -> float:
    found = await store.load(table)
    assert found is not None
    assert found.due is not None
    return found.due


Until = Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]]


async def test_tables_are_due_once_their_deadline_has_passed(store: Store, until: Until) -> None:
    await committed(store, "soon", due=0.05)
    await committed(store, "sooner", due=0.02)
    await committed(store, "later", due=60)
    await committed(store, "never")

    async def both() -> bool:
        return len(await store.due(ALL, 10)) == 2

    await until(both)
    assert await store.due(ALL, 10) == ["sooner", "soon"]
    assert await store.due(ALL, 1) == ["sooner"]
    assert await store.due([], 10) == []
    assert await next_due(store, ALL) == 0

    await committed(store, "sooner", 1, due=None)
    await committed(store, "soon", 1, due=90)
    assert await store.due(ALL, 10) == []
    assert await next_due(store, ALL) == pytest.approx(60, abs=5)


async def test_only_the_partitions_asked_for_are_looked_at(store: Store, until: Until) -> None:
    await committed(store, "T1", due=0)
    await until(lambda: _any(store.due(ALL, 10)))
    where = [partition for partition in ALL if await store.due([partition], 10)]
    assert len(where) == 1
    elsewhere = [partition for partition in ALL if partition != where[0]]
    assert await store.due(elsewhere, 10) == []
    assert await next_due(store, elsewhere) is None
    assert await store.dirty(elsewhere, 10) == []
    assert [table for table, _ in await store.dirty(where, 10)] == ["T1"]


async def _any(found: Awaitable[list[str]]) -> bool:
    return bool(await found)


async def test_a_partition_has_one_holder(store: Store) -> None:
    assert await store.hold(range(40), "ada", 60) == dict.fromkeys(range(40), 0)
    assert await store.hold(ALL, "can", 60) == dict.fromkeys(range(40, 64), 0)
    assert await store.hold(range(30, 50), "ada", 60) == dict.fromkeys(range(30, 40), 0)


async def test_a_lease_that_is_given_back_is_free_at_once(store: Store) -> None:
    await store.hold(ALL, "ada", 60)
    await store.release("can")
    assert await store.hold(ALL, "can", 60) == {}
    await committed(store, "T1", due=30)
    before = await due_of(store, "T1")

    await store.release("ada")
    assert await store.hold(ALL, "can", 60) == dict.fromkeys(ALL, 0)
    assert await due_of(store, "T1") == before


async def test_a_clean_change_of_holder_moves_nothing(store: Store, valkey_url: str) -> None:
    """However long the last holder had not renewed: he was there until he let go."""
    await store.hold(ALL, "ada", 60)
    await committed(store, "T1", due=30)
    with redis.Redis.from_url(valkey_url) as raw:
        for alive in raw.keys("*alive"):
            seen, patience = raw.get(alive).split()
            raw.set(alive, b"%d %s" % (int(seen) - 50_000, patience))
    await store.release("ada")
    before = await due_of(store, "T1")
    assert await store.hold(ALL, "can", 60) == dict.fromkeys(ALL, 0)
    assert await due_of(store, "T1") == before


async def test_a_lease_runs_out_and_deadlines_move_on_by_the_time_without_a_holder(
    store: Store, until: Until
) -> None:
    await store.hold(ALL, "ada", 0.2)
    await committed(store, "T1", due=30)
    await committed(store, "T2", due=40)
    before = [await due_of(store, table) for table in ("T1", "T2")]
    taken: dict[int, float] = {}

    async def over() -> bool:
        taken.update(await store.hold(ALL, "can", 60))
        return len(taken) == 64

    await until(over)
    after = [await due_of(store, table) for table in ("T1", "T2")]
    moved = taken[0]

    assert set(taken.values()) == {moved}
    assert moved >= 0.2
    assert [late - early for late, early in zip(after, before, strict=True)] == pytest.approx(
        [moved, moved], abs=0.002
    )
    assert await store.hold(ALL, "can", 60) == dict.fromkeys(ALL, 0)
    assert [await due_of(store, table) for table in ("T1", "T2")] == after


async def test_time_stands_still_while_nobody_holds_a_partition(store: Store, until: Until) -> None:
    """What would have run out in the meantime is not due, and what is set then is not moved too far."""
    await store.hold(ALL, "ada", 0.1)
    await committed(store, "old", due=0.2)
    start = await due_of(store, "old")

    async def long_past() -> bool:
        found = await store.load("old")
        return found is not None and found.now > start + 0.3

    await until(long_past)
    assert await store.due(ALL, 10) == []
    assert 0 < (await next_due(store, ALL) or 0) <= 0.25

    made = await committed(store, "new", due=30)
    assert made.due == pytest.approx(made.now + 30, abs=0.002)
    held = await store.hold(ALL, "can", 60)
    found = await store.load("new")
    assert held[0] >= 0.3
    assert found is not None
    assert found.due is not None
    assert made.due is not None
    # Moved on by the time since that commit, not by the whole time without a holder.
    assert 0 <= found.due - made.due <= found.now - made.now + 0.002
    assert await store.due(ALL, 10) == []


async def test_a_holder_that_renews_in_time_moves_nothing(store: Store) -> None:
    await committed(store, "T1", due=30)
    before = await due_of(store, "T1")
    for _ in range(5):
        assert await store.hold(ALL, "ada", 5) == dict.fromkeys(ALL, 0)
    assert await due_of(store, "T1") == before


async def test_a_table_is_dirty_once_until_it_is_cleaned(store: Store) -> None:
    for version in range(3):
        await committed(store, "A", version)
    await committed(store, "B")
    await store.commit("quiet", expected=0, state=b"", action=None, dirty=False)

    waiting = await store.dirty(ALL, 10)
    assert [table for table, _ in waiting] == ["A", "B"]
    assert await store.dirty(ALL, 1) == waiting[:1]

    await store.clean(*waiting[0])
    assert await store.dirty(ALL, 10) == waiting[1:]


async def test_a_mark_grows_even_when_the_servers_clock_goes_back(store: Store, valkey_url: str) -> None:
    await committed(store, "T1")
    with redis.Redis.from_url(valkey_url) as raw:
        [dirty] = raw.keys("*dirty")
        raw.zincrby(dirty, 3.6e9, "T1")
    [(table, mark)] = await store.dirty(ALL, 10)
    await store.mark_dirty("T1")
    await store.clean(table, mark)
    [(_, newer)] = await store.dirty(ALL, 10)
    assert newer == mark + 1


@pytest.mark.parametrize("again", ["a commit", "a mark"])
async def test_what_was_dirtied_again_stays_dirty(store: Store, again: str) -> None:
    await committed(store, "T1")
    [(table, mark)] = await store.dirty(ALL, 10)
    if again == "a commit":
        await committed(store, "T1", 1)
    else:
        await store.mark_dirty("T1")
    await store.clean(table, mark)
    [(table, newer)] = await store.dirty(ALL, 10)
    assert newer > mark
    await store.clean(table, newer)
    await store.clean(table, Mark(newer + 1))
    assert await store.dirty(ALL, 10) == []
