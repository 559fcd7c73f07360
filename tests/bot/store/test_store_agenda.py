"""The agenda: what is to be looked at, by a wall clock that the caller shows."""

from bot.store import KEEP, Committed, Keep, Store, league_hints
from bot.store.keys import PARTITIONS, partition_of
from tests.bot.store.waiting import agenda


async def commit(store: Store, id: str, expected: int, agenda: Keep | float | None) -> None:
    done = await store.documents.commit(id, expected=expected, state=b"s", action=None, agenda=agenda)
    assert isinstance(done, Committed)


async def test_what_is_due_is_found_longest_waiting_first(store: Store) -> None:
    await commit(store, "a-1", 0, 1000.5)
    await commit(store, "b-2", 0, 999.0)
    await commit(store, "c-3", 0, 2000.0)
    await commit(store, "d-4", 0, KEEP)
    assert await agenda(store, 1000.4) == ["b-2"]
    assert sorted(await agenda(store, 1000.5)) == ["a-1", "b-2"]
    assert await agenda(store, 9999.0, []) == []
    others = [each for each in PARTITIONS if each != partition_of("b-2")]
    assert "b-2" not in await agenda(store, 9999.0, others)
    assert await agenda(store, 9999.0, [partition_of("c-3")]) == ["c-3"]


async def test_it_stays_until_somebody_says_otherwise(store: Store) -> None:
    await commit(store, "a-1", 0, 1000.0)
    await commit(store, "a-1", 1, KEEP)
    assert await agenda(store, 1000.0) == ["a-1"]
    await commit(store, "a-1", 2, 1500.0)
    assert await agenda(store, 1000.0) == []
    await commit(store, "a-1", 3, None)
    assert await agenda(store, 9999.0) == []


async def test_a_commit_that_came_between_has_the_last_word(store: Store) -> None:
    await commit(store, "a-1", 0, 1000.0)
    await commit(store, "a-1", 1, 1000.0)
    await store.timers.put_down("a-1", 1, 5000.0)
    assert await agenda(store, 1000.0) == ["a-1"]
    await store.timers.put_down("a-1", 2, 5000.0)
    assert await agenda(store, 1000.0) == []
    assert await agenda(store, 5000.0) == ["a-1"]
    await store.timers.put_down("a-1", 2, None)
    assert await agenda(store, 5000.0) == []


async def test_a_conflict_leaves_the_agenda_as_it_is(store: Store) -> None:
    await commit(store, "a-1", 0, 1000.0)
    await store.documents.commit("a-1", expected=0, state=b"t", action=None, agenda=None)
    assert await agenda(store, 1000.0) == ["a-1"]


async def test_leagues_are_found_by_place(store: Store) -> None:
    hall = league_hints("b", ["mem:hall"])
    await store.documents.commit("league:b", expected=0, state=b"b", action=None, hints=hall)
    both = league_hints("a", ["mem:hall", "mem:attic"])
    await store.documents.commit("league:a", expected=0, state=b"a", action=None, hints=both)
    assert await store.index.leagues_at("mem:hall") == ["a", "b"]
    await store.index.remove_league("mem:hall", "b")
    assert await store.index.leagues_at("mem:hall") == ["a"]
    assert await store.index.leagues_at("mem:den") == []
