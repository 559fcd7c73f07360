"""Indexes, what is kept of persons, tokens, and the platforms' budgets."""

import asyncio
from pathlib import Path

import pytest
import redis

from bot.store import Conflict, Store, community_hint, keys, open_store, table_hints, value_digest
from bot.store.history import MATCHES_SECONDS
from bot.store.index import HINT_SECONDS
from tests.bot.store.hints import note_table
from tests.bot.store.waiting import dirty


async def test_places_and_persons_lead_to_their_tables(store: Store) -> None:
    await note_table(store, "B", places=["tg:-1/17"])
    await note_table(store, "A", places=["tg:-1/17"])
    await note_table(store, "A", persons=["tg:1"])
    assert await store.index.tables_at("tg:-1/17") == ["A", "B"]
    assert await store.index.tables_of("tg:1") == ["A"]
    assert await store.index.tables_at("tg:1") == []

    await store.index.remove_place("tg:-1/17", "B")
    await store.index.remove_person("tg:1", "A")
    assert await store.index.tables_at("tg:-1/17") == ["A"]
    assert await store.index.tables_of("tg:1") == []


async def test_a_commit_notes_where_its_table_is_found_and_a_conflict_notes_nothing(store: Store) -> None:
    now = store.clock()
    for expected in (0, 7):
        hints = [
            *table_hints("A", places=[f"tg:-{expected}"], persons=["tg:1"]),
            community_hint("A", f"tg:-{expected}", now),
        ]
        done = await store.documents.commit(
            "A", expected=expected, state=b"s", action=None, entries=[b"1", b"2"], hints=hints
        )
        assert isinstance(done, Conflict) == bool(expected)
    assert await store.index.tables_at("tg:-0") == await store.index.tables_of("tg:1") == ["A"]
    assert await store.index.tables_in("tg:-0") == {"A": pytest.approx(now)}
    assert await store.index.tables_at("tg:-7") == []
    assert await store.index.tables_in("tg:-7") == {}
    assert await store.documents.log("A") == [b"1", b"2"]


async def test_where_a_hint_cannot_be_noted_nothing_is_committed(store: Store) -> None:
    await store._server.call("SET", keys.tables_of("tg:1"), "no set")
    with pytest.raises(redis.ResponseError):
        await store.documents.commit(
            "A", expected=0, state=b"s", action=None, hints=table_hints("A", persons=["tg:1"])
        )
    assert await store.documents.load("A") is None
    assert await dirty(store) == []


async def test_indexes_do_not_stay_for_ever(store: Store, valkey_url: str) -> None:
    await note_table(store, "A", places=["tg:-1001"], persons=["tg:1"])
    with redis.Redis.from_url(valkey_url) as client:
        for index in (keys.tables_at("tg:-1001"), keys.tables_of("tg:1")):
            assert 0 < client.ttl(index) <= HINT_SECONDS


async def test_a_judgement_is_kept_as_long_as_a_match(store: Store, valkey_url: str) -> None:
    await store.history.keep_judgement("A", 2, 3, b"judged")
    assert await store.history.judgement("A", 2, 3) == b"judged"
    assert await store.history.judgement("A", 2, 1) is None
    with redis.Redis.from_url(valkey_url) as client:
        assert MATCHES_SECONDS - 10 < client.ttl(keys.judgements("A")) <= MATCHES_SECONDS


async def set_at(store: Store, place: str, value: bytes) -> bool:
    """Replace a place's settings, whatever they are."""
    (held,) = await store.people.settings("place", [place])
    return await store.people.swap_settings("place", place, value_digest(held), value)


async def test_settings_follow_a_place_that_moves_and_never_replace_newer_ones(store: Store) -> None:
    assert await store.people.settings("place", ["tg:-1", "tg:-1001"]) == [None, None]
    assert await set_at(store, "tg:-1", b"old")
    await store.people.move_place("tg:-1", "tg:-1001")
    assert await store.people.settings("place", ["tg:-1001"]) == [b"old"]
    assert await set_at(store, "tg:-1001", b"new")
    await store.people.move_place("tg:-1", "tg:-1001")
    assert await store.people.settings("place", ["tg:-1001", "tg:-1"]) == [b"new", b"old"]


async def test_settings_are_replaced_by_whoever_has_read_the_newest(store: Store) -> None:
    one, other = b"\x00tr", b"\x00de"
    assert await store.people.settings("person", []) == []
    assert await store.people.swap_settings("person", "tg:1", value_digest(None), one)
    assert not await store.people.swap_settings("person", "tg:1", value_digest(None), other)
    assert await store.people.settings("person", ["tg:2", "tg:1", "tg:1"]) == [None, one, one]
    assert await store.people.swap_settings("person", "tg:1", value_digest(one), other)
    assert not await store.people.swap_settings("person", "tg:1", value_digest(one), one)
    assert await store.people.settings("person", ["tg:1"]) == [other]
    assert await store.people.settings("place", ["tg:1"]) == [None]


async def test_two_accounts_are_linked_when_both_say_so(store: Store) -> None:
    await store.people.link("tg:1", "dc:1")
    assert (await store.people.find_linked("tg:1"), await store.people.find_linked("dc:1")) == (
        "dc:1",
        "tg:1",
    )
    await store.people.link("dc:1", "tg:2")
    assert await store.people.find_linked("tg:1") is None
    await store.people.unlink("tg:2", "dc:1")
    assert (await store.people.find_linked("tg:2"), await store.people.find_linked("dc:1")) == (None, None)


async def test_tokens_may_be_looked_at_and_dropped_one_by_one_or_all_of_a_person(store: Store) -> None:
    for token in ("a", "b", "c"):
        await store.tokens.put(token, token.encode(), 60, owner="tg:1")
    await store.tokens.put("d", b"d", 60, owner="tg:2")
    assert [await store.tokens.look_at("a") for _ in range(2)] == [b"a", b"a"]
    await store.tokens.drop("a")
    assert await store.tokens.look_at("a") is None
    await store.tokens.drop_all("tg:1")
    assert [await store.tokens.take(token) for token in "abcd"] == [None, None, None, b"d"]


async def test_a_short_lived_token_hides_no_longer_lived_one_of_the_same_person(store: Store) -> None:
    await store.tokens.put("long", b"draft", 600, owner="tg:1")
    await store.tokens.put("short", b"link", 0.05, owner="tg:1")
    await asyncio.sleep(0.1)
    assert await store.tokens.look_at("short") is None
    await store.tokens.drop_all("tg:1")
    assert await store.tokens.look_at("long") is None


async def test_what_is_noted_of_a_persons_tokens_never_outlasts_them(store: Store, valkey_url: str) -> None:
    with redis.Redis.from_url(valkey_url) as raw:
        for seconds, expected in ((60, 60), (600, 600), (30, 600)):
            await store.tokens.put(f"for {seconds}", b"", seconds, owner="tg:1")
            assert raw.ttl("token-ends:tg:1") == pytest.approx(expected, abs=10)


async def test_a_token_that_is_over_is_no_longer_noted(store: Store, valkey_url: str) -> None:
    with redis.Redis.from_url(valkey_url) as raw:
        await store.tokens.put("old", b"", 0.001, owner="tg:1")
        await store.tokens.put("new", b"", 600, owner="tg:1")
        await asyncio.sleep(0.01)
        await store.tokens.put("newest", b"", 60, owner="tg:1")
        assert raw.zrange("token-ends:tg:1", 0, -1) == [b"newest", b"new"]


async def test_a_token_is_taken_once(store: Store) -> None:
    await store.tokens.put("k", b"seat 3", 60)
    taken = await asyncio.gather(*(store.tokens.take("k") for _ in range(10)))
    assert sorted(taken, key=str) == [None] * 9 + [b"seat 3"]
    assert await store.tokens.take("unknown") is None


async def test_whoever_does_not_own_a_token_cannot_use_it_up(store: Store) -> None:
    await store.tokens.put("k", b"seat 3", 60, owner="tg:1")
    assert await store.tokens.take("k", owner="tg:2") is None
    assert await store.tokens.take("k", owner="tg:1") == b"seat 3"
    await store.tokens.put("nobody's", b"seat 4", 60)
    assert await store.tokens.take("nobody's", owner="tg:1") is None


async def test_a_token_runs_out(store: Store) -> None:
    await store.tokens.put("k", b"", 0.001)
    await asyncio.sleep(0.01)
    assert await store.tokens.take("k") is None


async def test_a_budget_is_never_exceeded_by_all_workers_together(
    store: Store, valkey_url: str, tmp_path: Path
) -> None:
    async with open_store(valkey_url, tmp_path) as other:
        waits = await asyncio.gather(
            *((store, other)[n % 2].calls.spend([("tg:-1", 20, 60.0), ("tg", 30, 60.0)]) for n in range(50))
        )
    assert waits.count(0) == 20
    assert all(50 < wait <= 60.001 for wait in waits if wait)


async def test_a_call_that_one_window_refuses_is_charged_to_none(store: Store) -> None:
    assert await store.calls.spend([("narrow", 1, 60.0)]) == 0
    for _ in range(5):
        assert await store.calls.spend([("wide", 2, 60.0), ("narrow", 1, 60.0)]) > 0
    assert [await store.calls.spend([("wide", 2, 60.0)]) > 0 for _ in range(3)] == [False, False, True]


async def test_windows_of_one_scope_are_counted_apart(store: Store) -> None:
    assert await store.calls.spend([("tg:-1", 20, 60.0), ("tg:-1", 1, 30.0)]) == 0
    assert 0 < await store.calls.spend([("tg:-1", 20, 60.0), ("tg:-1", 1, 30.0)]) <= 30.001
    assert await store.calls.spend([("tg:-1", 20, 60.0)]) == 0


async def test_a_clock_that_was_set_back_stops_nobody_until_it_has_caught_up(
    store: Store, valkey_url: str
) -> None:
    window = ("tg:-1", 2, 60.0)
    assert await store.calls.spend([window]) == 0
    with redis.Redis.from_url(valkey_url) as raw:
        (key,) = raw.keys("*tg:-1*")
        ahead = int(raw.lindex(key, 0)) + 3_600_000
        raw.delete(key)
        raw.lpush(key, ahead, ahead)
    assert [await store.calls.spend([window]) > 0 for _ in range(3)] == [False, False, True]
    assert await store.calls.spend([window]) <= 60.001


async def test_no_window_ever_holds_more_than_its_calls(store: Store) -> None:
    """Wherever a window of 0.3 s is laid over eager calls, it holds at most five."""
    calls: list[tuple[float, float]] = []
    clock = asyncio.get_running_loop().time
    while len(calls) < 15:
        before = clock()
        wait = await store.calls.spend([("tg:-1", 5, 0.3)])
        if wait == 0:
            calls.append((before, clock()))
        await asyncio.sleep(wait / 2)
    # The server charged each call between these two moments: the fifth call on at most so much later.
    apart = [late - early for (early, _), (_, late) in zip(calls, calls[5:], strict=False)]
    assert min(apart) >= 0.3 - 0.02


async def test_no_allowance_at_all_is_free(store: Store) -> None:
    assert await store.calls.spend([]) == 0


@pytest.mark.parametrize("name", ["{x}", "a b", "ü", "", "a" * 300])
async def test_any_name_will_do(store: Store, name: str) -> None:
    await store.documents.commit(name, expected=0, state=b"s", action=name, due=30)
    await note_table(store, name, places=[name])
    found = await store.documents.load(name)
    assert found is not None
    assert await store.index.tables_at(name) == [name]
    assert [table for table, _ in await dirty(store)] == [name]


async def test_values_asked_for_at_once_are_each_answered(store: Store) -> None:
    for number in range(3):
        assert await set_at(store, f"tg:-{number}", f"{number}".encode())
    await note_table(store, "A", places=["tg:-1"])
    found = await asyncio.gather(
        store.people.settings("place", ["tg:-2", "tg:-9"]),
        store.index.tables_at("tg:-1"),
        store.people.settings("person", ["tg:1"]),
        store.people.settings("place", ["tg:-0", "tg:-1"]),
    )
    assert found == [[b"2", None], ["A"], [None], [b"0", b"1"]]
