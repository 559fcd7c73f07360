"""What happens by itself: computer players, ended clocks, next rounds, restarts."""

import asyncio
import time
from collections.abc import Iterable
from typing import Any

import pytest
import redis

from bot.ports import Person
from bot.repository.versioned import Versioned
from bot.store import Store, StoreUnavailable, keys
from bot.store.codec import Codec
from bot.store.schedule import Work
from bot.tables import clocks, lobby, play
from bot.tables.table import SCHEMA, Table
from tests.bot.house import PLACE, House, offers, open_house, said
from tests.bot.store.deadlines import looks, takes_clocks
from tests.conftest import Until
from tests.patience import PATIENCE

TABLE = Codec(Table, SCHEMA)


async def stored(store: Store, table: str) -> Table:
    """A table as it is kept."""
    stored = await store.documents.load(table)
    assert stored is not None
    return TABLE.decode(stored.state)


async def test_computer_players_play_until_it_is_a_persons_turn(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        await house.press(ada, f"start.{table}.0", private=False)

        async def my_turn() -> bool:
            return bool(offers(await house.rack(ada, table), "draw", "ask_finish"))

        await until(my_turn)


async def test_who_misses_two_turns_is_stood_in_for_until_they_are_back(store: Store, until: Until) -> None:
    async with open_house(store, turn=1) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2")
        await house.press(ada, f"start.{table}.0", private=False)

        async def stood_in() -> bool:
            return (await stored(store, table)).seats[0].computer is not None

        await until(stood_in)
        shown = await house.look(table)
        if (await stored(store, table)).stage == "playing":
            assert "A computer player plays for " in str(shown.text)
        rack = await house.rack(ada, table)
        (back,) = offers(rack, "back_in")
        refused = await house.press(ada, f"draw.{table}.{back.press.split('.')[2]}")
        assert said(refused)
        await house.press(ada, f"back_in.{table}.0")
        seat = (await stored(store, table)).seats[0]
        assert seat.computer is None
        assert seat.missed == 0


async def test_the_clock_never_finishes_shows_or_throws_an_okey_for_anybody(
    store: Store, until: Until
) -> None:
    async with open_house(store, turn=1) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        before = await stored(store, table)
        assert before.match.round is not None
        starter = before.match.round.turn

        async def discarded() -> bool:
            return (await stored(store, table)).moment > before.moment

        await until(discarded)
        entries = [entry.decode() for entry in await store.documents.log(table)]
        first = next(entry for entry in entries if f'"seat":{starter}' in entry)
        assert '"discard"' in first
        assert f'"{before.match.round.okey.name}"' not in first


async def test_the_next_round_is_dealt_by_itself(store: Store) -> None:
    async with open_house(store, turn=60, next_round=0.0) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        async with asyncio.timeout(PATIENCE):
            while (await stored(store, table)).match.round_number == 1:
                await _draw_or_discard(house, ada, table)
                await asyncio.sleep(0.01)


async def test_a_match_that_everybody_left_ends(store: Store, until: Until) -> None:
    async with open_house(store, next_round=0.0) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        await house.press(ada, f"step_out.{table}.1")

        async def over() -> bool:
            return (await stored(store, table)).stage == "over"

        await until(over)


async def test_a_lobby_that_nobody_starts_is_closed_and_then_forgotten(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "CALL_SECONDS", 0.0)
    monkeypatch.setattr(lobby, "LOBBY_SECONDS", 0.0)
    monkeypatch.setattr(lobby, "CLOSED_SECONDS", 1.0)
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = await house.open(ada)

        async def closed() -> bool:
            return any("closed" in str(screen.text) for _, screen, _ in house.chat.tables)

        await until(closed)
        await until(lambda: _nothing_kept(store, ada.key, table))


async def test_a_finished_match_is_forgotten_with_all_that_leads_to_it(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "OVER_SECONDS", 0.0)
    async with open_house(store, next_round=0.0) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        await house.press(ada, f"step_out.{table}.1")
        await until(lambda: _nothing_kept(store, ada.key, table))
        assert await store.documents.log(table) == []
        assert said(await house.press(ada, f"rack.{table}.0")).startswith("I can’t find that table")


async def _nothing_kept(store: Store, person: str, table: str) -> bool:
    hints = [*await store.index.tables_at(PLACE), *await store.index.tables_of(person)]
    return not hints and await store.documents.load(table) is None


async def test_another_worker_goes_on_after_the_first_is_gone(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        await house.press(ada, f"start.{table}.0", private=False)
        held = (await stored(store, table)).seats[0].shelves
    async with open_house(store) as house:
        house.chat.readers.add((ada.key, PLACE))
        assert (await stored(store, table)).seats[0].shelves == held

        async def my_turn() -> bool:
            return bool(offers(await house.rack(ada, table), "draw", "ask_finish"))

        await until(my_turn)


async def test_a_clock_that_was_moved_on_is_shown_anew(store: Store, valkey_url: str, until: Until) -> None:
    """Even if the first process that came back was killed when it had moved it."""
    async with open_house(store, turn=600) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        before = await store.documents.load(table)
    _an_hour_without_workers(valkey_url)
    await takes_clocks(store, "first")
    await looks(store, "first")
    async with open_house(store) as house:

        async def moved() -> bool:
            now = await store.documents.load(table)
            assert before is not None
            assert now is not None
            assert before.due is not None
            assert now.due is not None
            ends = clocks.ends_at(await stored(store, table), now.due)
            assert ends is not None
            told = [screen for _, screen, _ in house.chat.tables if str(int(ends)) in str(screen.text)]
            return now.due > before.due + 3000 and bool(told)

        await until(moved)


def _an_hour_without_workers(valkey_url: str) -> None:
    with redis.Redis.from_url(valkey_url) as client:
        for partition in keys.PARTITIONS:
            client.set(keys.alive(partition), f"{(time.time() - 3600) * 1000:.0f} 2000")


async def _draw_or_discard(house: House, person: Person, table: str) -> None:
    """Draw, or throw away whatever came, if it is their turn."""
    for button in offers(await house.rack(person, table), "draw", "discard")[-1:]:
        answer = await house.press(person, button.press)
        if answer.private is not None and (sure := offers(answer.private, "discard")):
            await house.press(person, sure[0].press)


async def test_every_partition_is_looked_at_again_after_a_look_that_failed(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it waits to be tried again, a table of its first partition is played on."""
    look, failed, seen = store.timers.look, list[int](), set[int]()

    async def look_once_in_vain(partitions: Iterable[int], *about: Any) -> dict[int, Work]:
        asked = list(partitions)
        if not failed and len(asked) == len(keys.PARTITIONS):
            failed.extend(asked)
            table = next(name for name in map(str, range(9999)) if keys.partition_of(name) == asked[0])
            asyncio.get_running_loop().call_soon(house.app.worker.note_commit, table, Versioned(None, 1, 0.0))
            raise StoreUnavailable("for once")
        seen.update(asked if failed else ())
        return await look(asked, *about)

    async def all_seen() -> bool:
        return seen == {*keys.PARTITIONS}

    async with open_house(store, work=False) as house:
        monkeypatch.setattr(store.timers, "look", look_once_in_vain)
        working = asyncio.create_task(house.app.worker.run())
        try:
            await until(all_seen)
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
