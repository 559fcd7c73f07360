"""Boards, tables and messages stand in one queue, and what failed is tried again by one rule."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from bot import background
from bot.background import BackgroundTasks, Starts
from bot.delivery.notes import NoteKind, find_notes, is_screen
from bot.errors import Refused
from bot.markup import Page
from bot.ports import RateLimit, RetryAfter
from bot.store import Note, Store, StoreUnavailable
from bot.store.codec import UnknownSchema
from tests.bot.house import PLACE, open_house
from tests.bot.league.leagues import START, MovedClock, league_house, weekly
from tests.bot.league.messenger import HOUR, LONG_BEFORE, Messenger
from tests.bot.store.waiting import count_reads, dirty
from tests.conftest import Until


async def test_a_board_and_a_table_of_one_group_stand_in_one_queue_by_rank(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with league_house(store, until, replace(weekly(), places=("mem:hall",)), MovedClock()) as evening:
        await evening.comes("announced")
        house = evening.house

        async def settled() -> bool:
            return await dirty(store) == []

        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        await until(settled)
        house.chat.limits.places = (RateLimit(PLACE, 1, 1.0),)
        house.chat.tables.clear()
        may_go, granted = asyncio.Event(), set[int]()

        async def one_at_a_time(windows: object) -> float:
            """A limit that has room again once both wait, and then whenever a call has been made."""
            shown = len(house.chat.tables)
            if not may_go.is_set() or shown in granted:
                return 0.02
            granted.add(shown)
            return 0.0

        monkeypatch.setattr(store.calls, "spend", one_at_a_time)

        async def in_line(calls: int) -> bool:
            scope = house.app.delivery._shared.queue._scopes.get(PLACE)
            return scope is not None and len(scope.waiting) == calls

        starter = await house.on_turn(table, ada, can)
        rack = await house.rack(starter, table)
        discard = next(b for row in rack.buttons for b in row if b.press.startswith("discard."))
        answer = await house.press(starter, discard.press)
        if answer.private is not None and answer.private.version == rack.version:
            sure = next(b for row in answer.private.buttons for b in row if "discard" in b.press)
            await house.press(starter, sure.press)
        await until(lambda: in_line(1))
        await evening.signs_up("Ece")
        await until(lambda: in_line(2))
        may_go.set()
        await until(lambda: _shown(house.chat.tables, 2))
        assert [screen.table for _, screen, _ in house.chat.tables[:2]] == [evening.night_id, table]


async def _shown(tables: list[object], number: int) -> bool:
    return len(tables) >= number


async def test_every_kind_of_item_is_tried_again_when_a_chat_asks_for_patience(store: Store) -> None:
    messenger = Messenger(store, MovedClock(LONG_BEFORE))
    try:
        patience = [RetryAfter(0.01)] * 2
        messenger.chat.refuse = list(patience)
        await messenger.office.found(weekly(rounds=1, rooms=False))
        await messenger.tells()
        assert messenger.chat.refuse == []
        assert len(messenger.chat.tables) == len(messenger.chat.pinned) == len(messenger.chat.calendar) == 1
        await messenger.office.says("Ada")
        await messenger.tells()
        messenger.chat.refuse = list(patience)
        await messenger.tells(24 * HOUR)
        assert messenger.messages() == {"ada": 1}
        await messenger.office.begins("Ada", "Bea", "Cem", "Deniz")
        messenger.chat.refuse_lines = list(patience)
        await messenger.tells()
        assert [who for who, _ in messenger.lines()] == [{"Ada", "Bea", "Cem", "Deniz"}]
        assert messenger.office.clock.now == START
    finally:
        await messenger.close()


@pytest.mark.parametrize(
    ("error", "pause"),
    [
        (RetryAfter(7.0), 7.0),
        (RetryAfter(3600.0), background.PATIENCE_SECONDS),
        (StoreUnavailable(), background.STORE_SECONDS),
        (UnknownSchema(99), background.UNREADABLE_SECONDS),
        (Refused("busy"), 5.0),
        (ZeroDivisionError(), 5.0),
    ],
)
async def test_one_ladder_says_how_long_to_wait_after_what_failed(
    monkeypatch: pytest.MonkeyPatch, error: Exception, pause: float
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(background.asyncio, "sleep", sleep)
    outcomes = iter((error, None))

    async def attempt() -> bool:
        outcome = next(outcomes)
        if outcome is not None:
            raise outcome
        return True

    tasks = BackgroundTasks(mishap_seconds=5.0)
    await tasks.run("work", attempt)
    assert pauses == [pause]
    assert list(outcomes) == []


async def test_what_is_asked_for_while_it_is_done_is_done_once_more(store: Store) -> None:
    begun, done = asyncio.Event(), asyncio.Event()
    times: Iterator[int] = iter(range(9))

    async def attempt() -> bool:
        next(times)
        begun.set()
        await done.wait()
        return True

    tasks = BackgroundTasks()
    task = tasks.run("work", attempt)
    await begun.wait()
    for _ in range(3):
        assert tasks.run("work", attempt) is task
    done.set()
    await task
    assert next(times) == 2


async def test_work_starts_piece_by_piece_and_leaves_room_for_presses_between() -> None:
    """Forty tables that change at once."""
    starts, order = Starts(lambda: False), list[str]()

    async def look() -> None:
        await starts.turn()
        order.append("look")

    async def press() -> None:
        while order.count("look") < 40:
            order.append("press")
            await asyncio.sleep(0)

    await asyncio.gather(press(), *(look() for _ in range(40)))
    assert order.count("look") == 40
    assert ("look", "look") not in pairwise(order)


async def test_work_that_gives_way_starts_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "GIVE_WAY_SECONDS", 0.05)
    starts, begun = Starts(lambda: True), list[float]()

    async def look() -> None:
        await starts.turn()
        begun.append(asyncio.get_running_loop().time())

    given_up = asyncio.create_task(look())
    looks = [asyncio.create_task(look()) for _ in range(5)]
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(*looks)
    assert min(later - earlier for earlier, later in pairwise(begun)) > 0.04


STORED = {
    "call 0": NoteKind.CALL.of(0),
    "call mem:hall": NoteKind.CALL.of("mem:hall"),
    "room tg:-100": NoteKind.THREAD.of("tg:-100"),
    "way tg:-100": NoteKind.THREAD_TOLD.of("tg:-100"),
    "left tg:-100/17": NoteKind.THREAD_CLOSED.of("tg:-100/17"),
    "pin dc:9": NoteKind.PIN.of("dc:9"),
    "calendar dc:9": NoteKind.EVENT.of("dc:9"),
    "remind 1773345600 3600": NoteKind.REMINDER.of(1773345600, 3600),
    "remind 1773345600 3600 m1": NoteKind.REMINDER.of(1773345600, 3600, "m1"),
    "seat 1 2 3 0 m1": NoteKind.FREE_SEAT.of(1, 2, 3, 0, "m1"),
    "role dc:9": NoteKind.ROLE.of("dc:9"),
    "lacks pins dc:9": NoteKind.MISSING.of("pins", "dc:9"),
}


def test_notes_keep_the_names_that_the_store_has_always_had() -> None:
    assert list(STORED) == list(STORED.values())


def test_notes_are_found_by_their_kind_and_screens_are_none_of_them() -> None:
    note = Note("message", 3)
    known = dict.fromkeys(("tg:-100/17", *STORED), note)
    assert list(filter(is_screen, known)) == ["tg:-100/17"]
    assert find_notes(known, NoteKind.CALL) == {"0": note, "mem:hall": note}
    assert find_notes(known, NoteKind.CALLED) == {}


async def test_a_table_that_was_just_committed_is_not_read_again(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store) as house:
        table = await house.open(house.person("Ada"))

        async def settled() -> bool:
            return bool(house.chat.tables) and await dirty(store) == []

        await until(settled)
        reads = count_reads(monkeypatch)
        await house.press(house.person("Can"), f"join.{table}.0", private=False)
        await until(settled)
        assert len(reads) <= 2, "the look that takes the dirty mark away, and one in between at most"


async def test_what_a_person_is_told_waits_for_its_turn(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store, work=False) as house:
        ada, page = house.person("Ada"), Page(text=("You are one person now",))
        limit = RateLimit(ada.key, 1, 0.2)
        monkeypatch.setattr(house.chat.limits, "private", lambda person: (limit,))
        assert await house.app.delivery.spend((limit,)) == 0
        house.app.delivery.tell(ada.key, page, "linked")

        async def told() -> bool:
            return house.chat.letters.get((ada.key, "linked")) == page

        await until(told)
