"""Deadlines and dirty marks."""

from collections.abc import Awaitable, Callable

import pytest
import redis

from bot.store import Committed, Mark, Store, keys
from bot.store.schedule import Delivered
from tests.bot.store.deadlines import looks, next_due, nobody_for, takes_clocks, unseen_for
from tests.bot.store.waiting import clean, dirty, due

ALL = range(64)


async def committed(store: Store, table: str, version: int = 0, *, due: float | None = None) -> Committed:
    made = await store.documents.commit(table, expected=version, state=b"", action=None, due=due)
    assert isinstance(made, Committed)
    return made


async def due_of(store: Store, table: str) -> float:
    found = await store.documents.load(table)
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
        return len(await due(store)) == 2

    await until(both)
    assert set(await due(store)) == {"sooner", "soon"}
    assert await due(store, []) == []
    assert await next_due(store, ALL) == 0

    await committed(store, "sooner", 1, due=None)
    await committed(store, "soon", 1, due=90)
    assert await due(store) == []
    assert await next_due(store, ALL) == pytest.approx(60, abs=5)


async def test_only_the_partitions_asked_for_are_looked_at(store: Store, until: Until) -> None:
    await committed(store, "T1", due=0)
    await until(lambda: _any(due(store)))
    where = [partition for partition in ALL if await due(store, [partition])]
    assert len(where) == 1
    elsewhere = [partition for partition in ALL if partition != where[0]]
    assert await due(store, elsewhere) == []
    assert await next_due(store, elsewhere) is None
    assert await dirty(store, elsewhere) == []
    assert [table for table, _ in await dirty(store, where)] == ["T1"]


async def _any(found: Awaitable[list[str]]) -> bool:
    return bool(await found)


async def moved(store: Store, worker: str) -> float:
    """The seconds by which a look of a worker moved deadlines on."""
    return max(work.stood_still for work in await looks(store, worker))


async def test_deadlines_move_on_by_the_time_in_which_nobody_was_at_work(store: Store) -> None:
    await committed(store, "T1", due=30)
    await committed(store, "T2", due=40)
    before = [await due_of(store, table) for table in ("T1", "T2")]
    await nobody_for(store, 50)
    await takes_clocks(store, "can")
    gap = await moved(store, "can")
    assert gap == pytest.approx(50, abs=5)
    after = [await due_of(store, table) for table in ("T1", "T2")]
    assert after == pytest.approx(before, abs=5), "it had stood still"
    assert await moved(store, "can") == 0
    assert [await due_of(store, table) for table in ("T1", "T2")] == after


async def test_what_was_moved_on_is_found_until_people_were_shown_it(store: Store) -> None:
    """Whoever finds that first may be killed at once."""
    await committed(store, "T1", due=30)
    await store.documents.commit("night:a", expected=0, state=b"", action=None, agenda=5000.0)
    await takes_clocks(store, "can")
    for absence in (50, 100):
        await nobody_for(store, absence)
        assert await moved(store, "can") == pytest.approx(absence, abs=5)
        found = await looks(store, "can", 1000.0)
        ((table, mark),) = (each for work in found for each in work.moved)
        ((night, away),) = (each for work in found for each in work.agenda)
        assert (table, night) == ("T1", "night:a")
        if absence == 50:
            assert away == pytest.approx(50, abs=5)
            earlier = mark
    assert away == pytest.approx(150, abs=10), "all of it, ever since"
    await store.timers.clock_moved("T1", earlier)
    assert any(work.moved for work in await looks(store, "can")), "it has moved since"
    await store.timers.clock_moved("T1", mark)
    assert not any(work.moved for work in await looks(store, "can"))


async def test_whoever_does_not_hold_a_clock_moves_nothing(store: Store) -> None:
    await committed(store, "T1", due=30)
    await takes_clocks(store, "ada")
    await nobody_for(store, 50)
    assert await moved(store, "can") == 0
    assert await moved(store, "ada") > 0


async def test_a_clean_change_of_holder_moves_nothing(store: Store) -> None:
    """However long ago the last holder was noted: it was there until it let go."""
    await takes_clocks(store, "ada")
    await committed(store, "T1", due=30)
    before = await due_of(store, "T1")
    await unseen_for(store, 50)
    await store.leases.claim("ada", dict.fromkeys(ALL, frozenset()), frozenset())
    await takes_clocks(store, "can")
    assert await moved(store, "can") == 0
    assert await due_of(store, "T1") == pytest.approx(before, abs=5)


async def test_whoever_gives_back_a_chat_says_nothing_about_a_clock_that_is_another_s(store: Store) -> None:
    await takes_clocks(store, "ada")
    await store.leases.claim("can", dict.fromkeys(ALL, frozenset({"tg"})), frozenset({"ada", "can"}))
    await committed(store, "T1", due=30)
    before = await due_of(store, "T1")
    await nobody_for(store, 50)
    await store.leases.claim("can", dict.fromkeys(ALL, frozenset()), frozenset({"can"}))
    await takes_clocks(store, "can")
    assert await moved(store, "can") == pytest.approx(50, abs=5)
    assert await due_of(store, "T1") == pytest.approx(before, abs=5), "ada was gone, and nobody saw to it"


async def test_time_stands_still_while_nobody_is_at_work(store: Store) -> None:
    """What would have run out in the meantime is not due, and what is set then is not moved too far."""
    await committed(store, "old", due=20)
    await nobody_for(store, 50)
    assert await due(store) == []
    assert 0 < (await next_due(store, ALL) or 0) <= 20

    made = await committed(store, "new", due=30)
    assert made.due == pytest.approx(made.now + 30, abs=0.002)
    await takes_clocks(store, "can")
    await moved(store, "can")
    # Moved on by the time since that commit, not by the whole time in which nobody was at work.
    assert await due_of(store, "new") == pytest.approx(made.due, abs=5)
    assert await due(store) == []


@pytest.mark.parametrize("seen_to", [True, False])
async def test_a_clock_that_was_set_back_makes_nobody_wait_longer(store: Store, seen_to: bool) -> None:
    await takes_clocks(store, "ada")
    await committed(store, "T1", due=30)
    await store.documents.commit("night:a", expected=0, state=b"", action=None, agenda=5000.0)
    before = await due_of(store, "T1")
    await nobody_for(store, -3600)
    if seen_to:
        found = await looks(store, "ada", 1000.0)
        assert [table for work in found for table, _ in work.moved] == ["T1"], "people are shown it"
        assert not any(work.stood_still or work.agenda for work in found), "somebody was at work"
    assert await due_of(store, "T1") == pytest.approx(before, abs=5)
    made = await committed(store, "T2", due=40)
    assert made.due == pytest.approx(made.now + 40, abs=0.002)
    await looks(store, "ada", 1000.0)
    assert await due_of(store, "T1") == pytest.approx(before, abs=5)
    assert await due_of(store, "T2") == pytest.approx(made.due, abs=5)


async def test_a_clock_that_is_seen_to_moves_nothing(store: Store) -> None:
    await takes_clocks(store, "ada")
    await committed(store, "T1", due=30)
    before = await due_of(store, "T1")
    for _ in range(5):
        await unseen_for(store, 1.5)
        assert await moved(store, "ada") == 0
    assert await due_of(store, "T1") == before


async def test_where_nothing_is_waited_for_nothing_is_written(store: Store) -> None:
    """The append-only file of an idle program hardly grows."""
    await takes_clocks(store, "ada")
    await committed(store, "T1", due=30)
    assert len(await store._server.call("KEYS", "*alive")) == 1
    await committed(store, "T1", 1, due=None)
    await store.timers.look(ALL, "ada", 0.0, 9)
    assert await store._server.call("KEYS", "*alive") == []
    before = (await store._server.call("INFO"))["rdb_changes_since_last_save"]
    for _ in range(20):
        await store.timers.look(ALL, "ada", 0.0, 9)
    assert (await store._server.call("INFO"))["rdb_changes_since_last_save"] == before


async def test_the_next_moments_are_told(store: Store) -> None:
    await committed(store, "T1", due=30)
    await store.documents.commit("N1", expected=0, state=b"", action=None, agenda=2000.0)
    works = (await store.timers.look(ALL, "ada", 1000.0, 9)).values()
    assert [work.next_due for work in works if work.next_due] == [pytest.approx(30, abs=5)]
    assert [work.next_moment for work in works if work.next_moment] == [2000.0]


async def test_a_chat_that_says_twice_that_it_is_done_is_noted_once(store: Store) -> None:
    await committed(store, "T1")
    [(table, mark)] = await dirty(store)
    held = []
    for _ in range(2):
        await store.timers.note_delivered([Delivered(table, mark, ["tg"], ["tg", "dc"])])
        held.append(await store._server.call("HGET", keys.delivered(keys.partition_of(table)), table))
    assert held[0] == held[1]
    await store.timers.note_delivered([Delivered(table, mark, ["dc"], ["tg", "dc"])])
    assert await dirty(store) == []


async def test_a_table_is_dirty_once_until_it_is_cleaned(store: Store) -> None:
    for version in range(3):
        await committed(store, "A", version)
    await committed(store, "B")
    await store.documents.commit("quiet", expected=0, state=b"", action=None, dirty=False)

    waiting = await dirty(store)
    assert [table for table, _ in waiting] == ["A", "B"]

    await clean(store, *waiting[0])
    assert await dirty(store) == waiting[1:]


async def test_a_mark_grows_even_when_the_servers_clock_goes_back(store: Store, valkey_url: str) -> None:
    await committed(store, "T1")
    with redis.Redis.from_url(valkey_url) as raw:
        [marks] = raw.keys("*dirty")
        raw.zincrby(marks, 3.6e9, "T1")
    [(table, mark)] = await dirty(store)
    await store.timers.mark_dirty("T1")
    await clean(store, table, mark)
    [(_, newer)] = await dirty(store)
    assert newer == mark + 1


@pytest.mark.parametrize("again", ["a commit", "a mark"])
async def test_what_was_dirtied_again_stays_dirty(store: Store, again: str) -> None:
    await committed(store, "T1")
    [(table, mark)] = await dirty(store)
    if again == "a commit":
        await committed(store, "T1", 1)
    else:
        await store.timers.mark_dirty("T1")
    await clean(store, table, mark)
    [(table, newer)] = await dirty(store)
    assert newer > mark
    await clean(store, table, newer)
    await clean(store, table, Mark(newer + 1))
    assert await dirty(store) == []
