"""The daily rack among people: answered once, told alone, and posted where organisers want it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.daily import (
    LATE,
    DailyBoard,
    DailyRecord,
    day_of,
    due,
    is_late,
    is_open,
    monday_of,
    next_post,
    set_posting,
    week_table,
    with_answer,
    with_result,
)
from bot.delivery import asleep
from bot.i18n import LANGUAGES, plain, words_for
from bot.ids import daily_id
from bot.markup import Page, PublicScreen, PuzzlePicture
from bot.pictures import draw
from bot.ports import Answer, Person, PlaceRefused, RetryAfter
from bot.screens.daily import daily_puzzle
from bot.store import Store, keys
from tests.bot.house import PLACE, House, MemoryChat, offers, open_house, page_of
from tests.bot.league.leagues import MovedClock
from tests.bot.store.waiting import dirty
from tests.bot.test_forgetting import everything
from tests.bot.two_chats import CHANNEL, GROUP, link_accounts, two_chats
from tests.conftest import Until

ENGLISH = words_for("en")
DAY = 24 * 3600.0
WEDNESDAY = datetime(2026, 11, 25, 10, tzinfo=UTC)
TODAY = WEDNESDAY.date().toordinal()


@asynccontextmanager
async def daily_house(store: Store, *, work: bool = False) -> AsyncIterator[tuple[House, MovedClock]]:
    clock = MovedClock(WEDNESDAY.timestamp())
    async with open_house(store, work=work, clock=clock) as house:
        house.chat.organisers.add(("mem:boss", PLACE))
        yield house, clock


def told(shown: Page | PublicScreen) -> str:
    return plain(shown.text, ENGLISH)


def way(day: int, *, right: bool) -> str:
    """The button of a day's best answer, or of another."""
    puzzle = daily_puzzle(day)
    best = puzzle.choices.index(puzzle.best)
    return f"daily.me.0.{day}.{best if right else (best + 1) % len(puzzle.choices)}"


async def test_everybody_is_asked_the_same_and_told_why(store: Store) -> None:
    async with daily_house(store) as (house, _):
        ada, can = house.person("Ada"), house.person("Can")
        asked = page_of(await house.type(ada, "daily", place=None))
        assert told(asked) == told(page_of(await house.type(can, "daily")))
        assert "With which of these can you finish?" in told(asked)
        assert isinstance(asked.picture, PuzzlePicture)
        assert draw(asked.picture).startswith(b"\x89PNG")
        assert [each.press for each in offers(asked, "daily")] == [
            f"daily.me.0.{TODAY}.{n}" for n in range(6)
        ]
        solved = page_of(await house.press(ada, way(TODAY, right=True)))
        assert "✅ Right: red 6." in told(solved)
        assert "red 6 finishes: red 3red 4false jokerred 6red 7" in told(solved)
        assert "Right answers in a row: 1 day (best: 1)" in told(solved)
        assert "A new rack comes tomorrow." in told(solved)
        assert not offers(solved, "daily")


async def test_an_app_is_given_the_rack_and_its_answers_and_the_best_only_after_one(store: Store) -> None:
    async with daily_house(store) as (house, _):
        ada = house.person("Ada")
        asked = page_of(await house.type(ada, "daily")).puzzle
        puzzle = daily_puzzle(TODAY)
        assert asked is not None
        assert asked.text == ()
        assert asked.live.rack == tuple(tile.name for tile in puzzle.rack)
        assert (asked.live.chosen, asked.live.best) == (-1, -1)
        assert [choice.tile for choice in asked.live.choices] == [
            getattr(choice, "name", "") for choice in puzzle.choices
        ]
        told = page_of(await house.press(ada, asked.live.choices[0].press))
        assert told.puzzle is not None
        assert (told.puzzle.live.chosen, told.puzzle.live.best) == (0, puzzle.choices.index(puzzle.best))
        assert not any(choice.press for choice in told.puzzle.live.choices)
        assert plain(told.puzzle.text, ENGLISH) in plain(told.text, ENGLISH)


async def test_only_the_first_answer_counts(store: Store) -> None:
    async with daily_house(store) as (house, _):
        ada = house.person("Ada")
        for id in ("one", "one", "two"):
            answer = await house.press(ada, way(TODAY, right=False), id=id)
            assert "❌ You chose" in told(page_of(answer))
        again = page_of(await house.press(ada, way(TODAY, right=True)))
        assert "❌ You chose" in told(again)
        assert "Racks solved: 0 of 1" in told(again)
        assert told(page_of(await house.type(ada, "daily", place=None))) == told(again)


async def test_linked_accounts_answer_once(store: Store) -> None:
    today = day_of(time.time())
    async with two_chats(store) as house:
        ada, other = Person("dc:11", "Ada", "en"), Person("tg:11", "Ada at home", "en")
        await link_accounts(house, ada, other)
        await house.press(ada, way(today, right=True), private=False, place=CHANNEL)
        for place in (CHANNEL, GROUP):
            answer = page_of(await house.press(other, way(today, right=False), private=False, place=place))
            assert "✅ Right" in told(answer)
            assert told(answer).endswith("Solved here this week\n1. Ada at home: 1 of 1")


async def test_a_streak_goes_from_day_to_day_and_ends_with_a_slip(store: Store) -> None:
    async with daily_house(store) as (house, clock):
        ada = house.person("Ada")
        for day, right, streak in ((0, True, 1), (1, True, 2), (2, False, 0), (3, True, 1)):
            clock.now = WEDNESDAY.timestamp() + day * DAY
            answer = page_of(await house.press(ada, way(TODAY + day, right=right)))
            days = "1 day" if streak == 1 else f"{streak} days"
            assert f"Right answers in a row: {days} (best: {min(day + 1, 2)})" in told(answer)
        assert (await house.press(ada, way(TODAY + 2, right=True))).code == "daily_over"
        assert (await house.press(ada, way(TODAY + 1, right=True))).code == "daily_over"


def test_yesterdays_rack_may_be_answered_before_todays_and_a_day_left_out_ends_a_streak() -> None:
    record = with_answer(DailyRecord(), 10, 0, right=True)
    assert with_answer(with_answer(record, 11, 0, right=True), 12, 0, right=True).streak == 3
    assert with_answer(record, 12, 0, right=True).streak == 1
    assert with_answer(record, 9, 0, right=True) == record
    assert (record.streak_on(11), record.streak_on(12)) == (1, 0)


@pytest.mark.parametrize(
    "press",
    ["daily.me.0", "daily.me.0.1.0", "daily.me.0.x.0", f"daily.me.0.{TODAY + 1}.0", "daily.me.0.²9.0"],
)
async def test_what_names_no_rack_of_today_is_refused(store: Store, press: str) -> None:
    async with daily_house(store) as (house, _):
        answer = await house.press(house.person("Ada"), press)
        assert answer.code in ("daily_over", "unknown_button")
        assert (await house.press(house.person("Ada"), f"daily.me.0.{TODAY}.99")).code == "unknown_button"


async def test_a_community_has_a_table_of_the_week(store: Store) -> None:
    async with daily_house(store) as (house, clock):
        ada, can = house.person("Ada"), house.person("Can")
        await house.press(ada, way(TODAY, right=True), private=False)
        first = page_of(await house.press(can, way(TODAY, right=False), private=False))
        assert "Solved here this week\n1. Ada: 1 of 1\n2. Can: 0 of 1" in told(first)
        clock.now += DAY
        second = page_of(await house.press(can, way(TODAY + 1, right=True)))
        assert "This week" not in told(second)  # in private nobody else is told of
        here = page_of(await house.type(can, "daily"))
        assert "1. Ada: 1 of 1\n2. Can: 1 of 2" in told(here)


async def test_who_wants_to_be_forgotten_is(store: Store, valkey_url: str) -> None:
    async with daily_house(store) as (house, _):
        ada, can = house.person("Ada"), house.person("Can")
        await house.press(ada, way(TODAY, right=True), private=False)
        assert b"mem:ada" in everything(valkey_url)
        await house.press(ada, "forget_now.me.0")
        assert b"mem:ada" not in everything(valkey_url)
        answer = page_of(await house.press(can, way(TODAY, right=False), private=False))
        assert "1. ?: 1 of 1" in told(answer)


async def test_it_is_posted_at_its_hour_once_a_day_and_only_where_it_is_wanted(
    store: Store, until: Until
) -> None:
    async with daily_house(store, work=True) as (house, clock):
        boss = house.person("Boss")
        shown = (await house.type(boss, "dailyhour", "12 Europe/Berlin")).page
        assert "posted in mem:hall at 12:00 (Europe/Berlin)" in told(page_of(Answer(page=shown)))
        for day, number in ((0, 1), (1, 2)):
            clock.now = WEDNESDAY.timestamp() + day * DAY + 3600 - 1
            await settled(house, until, number - 1, clock.now + 1)
            clock.now += 1
            await settled(house, until, number, clock.now + DAY)
        first, second = posts(house)
        assert "Which tile do you discard?" not in told(first)
        assert (first.version, second.version) == (TODAY, TODAY + 1)
        assert "Yesterday’s answer: red 6" in told(second)
        assert [each.press for each in offers(first, "daily")] == [
            f"daily.me.0.{TODAY}.{n}" for n in range(6)
        ]
        await house.type(boss, "dailyhour", "off")
        clock.now += DAY
        await settled(house, until, 2, None)


async def test_an_hour_without_a_zone_keeps_the_zone_that_was_named(store: Store) -> None:
    async with daily_house(store) as (house, _):
        boss = house.person("Boss")
        for hour in ("12 Asia/Seoul", "13", "off", "14"):
            page = page_of(await house.type(boss, "dailyhour", hour))
        assert "at 14:00 (Asia/Seoul)" in told(page)
        (at_nine,) = [
            each
            for each in offers(page_of(await house.press(boss, f"org.{PLACE}.0.hours")), "org")
            if each.press.endswith(".hour.9")
        ]
        assert "at 09:00 (Asia/Seoul)" in told(page_of(await house.press(boss, at_nine.press)))


async def test_the_hours_tick_the_one_at_which_it_is_posted_in_that_place(store: Store) -> None:
    async with daily_house(store) as (house, _):
        boss = house.person("Boss")
        yard = f"{PLACE}/7"
        house.chat.organisers.add((boss.key, yard))

        async def ticked(place: str) -> list[str]:
            page = page_of(await house.press(boss, f"org.{place}.0.hours"))
            labels = (plain(each.label, ENGLISH) for row in page.buttons for each in row)
            return [each for each in labels if each.startswith("✓")]

        assert await ticked(PLACE) == await ticked(yard) == ["✓ Never"]
        await house.type(boss, "dailyhour", "12")
        assert (await ticked(PLACE), await ticked(yard)) == (["✓ 12:00"], [])


async def test_a_post_survives_a_kill_and_is_not_posted_twice(store: Store, until: Until) -> None:
    async with daily_house(store) as (house, _):
        await house.type(house.person("Boss"), "dailyhour", "11")  # nobody is at work
    for number in (1, 0):
        async with daily_house(store, work=True) as (house, clock):
            clock.now += 2 * 3600
            await settled(house, until, number, WEDNESDAY.timestamp() + DAY + 3600)


async def test_a_post_that_was_under_way_at_a_kill_is_not_sent_again(store: Store, until: Until) -> None:
    """Nobody knows whether it came, and a second one would disturb people."""
    async with daily_house(store) as (house, _):
        await house.type(house.person("Boss"), "dailyhour", "11")
    async with daily_house(store, work=True) as (house, clock):
        house.chat.refuse.append(asyncio.CancelledError())  # type: ignore[arg-type]
        clock.now += 2 * 3600

        async def tried() -> bool:
            return not house.chat.refuse

        await until(tried)
    async with daily_house(store, work=True) as (house, clock):
        clock.now += 2 * 3600
        await settled(house, until, 0, WEDNESDAY.timestamp() + DAY + 3600)


async def test_a_post_that_failed_after_another_process_took_over_is_sent_by_that(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one saw it noted as sent, and took the mark away."""
    sending, taken_over = asyncio.Event(), asyncio.Event()

    async def fail(*_: object, **named: object) -> str:
        sending.set()
        await taken_over.wait()
        raise RetryAfter(0.01)

    async with daily_house(store, work=True) as (house, clock), daily_house(store) as (other, theirs):
        monkeypatch.setattr(house.chat, "show_table", fail)
        await house.type(house.person("Boss"), "dailyhour", "11")
        clock.now += 3600
        theirs.now = clock.now
        await asyncio.wait_for(sending.wait(), 10)
        monkeypatch.setattr(house.app.worker.shares, "work_at", lambda partition: frozenset())
        monkeypatch.setattr(other.app.worker.shares, "work_at", lambda partition: frozenset({"mem"}))
        other.app.worker.shares.served = frozenset({"mem"})
        for of, mark in await dirty(store):
            await other.app.delivery.settle(of, mark)
        assert await dirty(store) == []
        taken_over.set()

        async def sent() -> bool:
            for of, mark in await dirty(store):
                await other.app.delivery.settle(of, mark)
            return len(posts(other)) == 1

        await until(sent)


async def test_a_place_that_slept_is_brought_todays_rack_when_it_wakes(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 3600.0)
    async with asleep_at_its_hour(store, until) as (house, clock):
        clock.now += LATE
        await house.app.delivery.note_reopened({PLACE})
        await settled(house, until, 1, WEDNESDAY.timestamp() + DAY + 3600)
        assert house.chat.refused == [PLACE]
        await house.app.delivery.note_reopened({PLACE})
        await settled(house, until, 1, WEDNESDAY.timestamp() + DAY + 3600)


async def test_a_chat_that_starts_after_its_hour_posts_todays_rack_then(store: Store, until: Until) -> None:
    """A program that is started again at that hour, and whose other chat logs in sooner."""
    async with daily_house(store) as (house, _):
        await house.type(house.person("Boss"), "dailyhour", "11")
    async with daily_house(store, work=True) as (house, clock):
        house.app.chats["tg"] = MemoryChat(name="tg")
        del house.app.chats["mem"]
        clock.now += 3600
        next_look = WEDNESDAY.timestamp() + DAY + 3600

        async def looked_at() -> bool:
            board = await house.store.documents.load(daily_id(PLACE))
            return board is not None and await store_moment(house) == next_look

        await until(looked_at)
        for of, mark in await dirty(store):
            await house.app.delivery.settle(of, mark)
        house.app.chats["mem"] = house.chat
        await settled(house, until, 1, next_look)


async def test_what_a_place_missed_by_more_than_six_hours_is_not_posted(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 3600.0)
    async with asleep_at_its_hour(store, until) as (house, clock):
        clock.now += LATE + 1
        await house.app.delivery.note_reopened({PLACE})
        clock.now = WEDNESDAY.timestamp() + DAY + 3600
        await settled(house, until, 1, WEDNESDAY.timestamp() + 2 * DAY + 3600)
        assert [each.version for each in posts(house)] == [TODAY + 1]


async def test_a_place_that_slept_is_brought_todays_rack_after_a_pause_too(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 0.5)
    async with asleep_at_its_hour(store, until) as (house, _):
        await settled(house, until, 1, WEDNESDAY.timestamp() + DAY + 3600)


@asynccontextmanager
async def asleep_at_its_hour(store: Store, until: Until) -> AsyncIterator[tuple[House, MovedClock]]:
    """A place that refused the rack at its hour, eleven o'clock, and would take it now."""
    async with daily_house(store, work=True) as (house, clock):
        await house.type(house.person("Boss"), "dailyhour", "11")
        house.chat.refusing[PLACE] = PlaceRefused("no right to write")
        clock.now += 3600

        async def refused() -> bool:
            return bool(await store.refusals.list_all())

        await until(refused)
        await settled(house, until, 0, WEDNESDAY.timestamp() + DAY + 3600)
        house.chat.refusing.clear()
        yield house, clock


async def settled(house: House, until: Until, number: int, next_look: float | None) -> None:
    """So many were posted, nothing is left to do, and the board is looked at again at that moment."""

    async def done() -> bool:
        at_rest = not house.app.delivery.backlog and not await dirty(house.store)
        return at_rest and len(posts(house)) == number and await store_moment(house) == next_look

    await until(done)


async def store_moment(house: House) -> float | None:
    """When the daily board of the place is looked at next."""
    id = daily_id(PLACE)
    found = await house.store._server.call("ZSCORE", keys.agenda(keys.partition_of(id)), id)
    return None if found is None else float(found) / 1000


def posts(house: House) -> list[PublicScreen]:
    return [screen for _, screen, _ in house.chat.tables if screen.table.startswith("daily-")]


async def test_who_does_not_run_the_place_sets_nothing(store: Store) -> None:
    async with daily_house(store) as (house, _):
        assert (await house.type(house.person("Can"), "dailyhour", "12")).code == "organisers_only"
        boss = house.person("Boss")
        for wrong in ("24", "-1", "noon", "1²"):
            assert (await house.type(boss, "dailyhour", wrong)).code == "bad_setting"
        assert (await house.type(boss, "dailyhour", "12 Nowhere/Else")).code == "unknown_zone"
        assert "The daily rack isn’t posted." in told(page_of(await house.type(boss, "organise")))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_kind_of_question_and_answer_has_words(store: Store, language: str) -> None:
    """And its buttons fit."""
    async with daily_house(store) as (house, clock):
        ada = replace(house.person("Ada"), language=language)
        for day in range(3):
            clock.now = WEDNESDAY.timestamp() + day * DAY
            asked = page_of(await house.type(ada, "daily"))
            assert len(offers(asked, "daily")) == len(daily_puzzle(TODAY + day).choices)
            page_of(await house.press(ada, way(TODAY + day, right=day != 1), private=False))


# The hour of a community, and its week


BOARD = set_posting(DailyBoard(community="mem:hall"), "mem:hall", 20, "Europe/Istanbul", "tr", 0.0)


def at(day: int, hour: int) -> float:
    """An hour of a day of November 2026, in UTC."""
    return datetime(2026, 11, day, hour, tzinfo=UTC).timestamp()


def test_the_hour_is_that_of_the_zone() -> None:
    assert next_post(BOARD, at(25, 16)) == at(25, 17)
    assert next_post(BOARD, at(25, 17)) == at(26, 17)
    summer = set_posting(BOARD, "mem:hall", 20, "Europe/Berlin", "de", 0.0)
    # On 29 March 2026 the clocks went forward.
    before, after = datetime(2026, 3, 28, 19, tzinfo=UTC), datetime(2026, 3, 29, 18, tzinfo=UTC)
    assert next_post(summer, before.timestamp()) == after.timestamp()


@pytest.mark.parametrize(
    ("zone", "hour"),
    [("Europe/Berlin", 1), ("Europe/London", 0), ("America/New_York", 19), ("Australia/Sydney", 10)],
)
def test_every_rack_is_posted_once_where_the_clocks_change_near_midnight_in_utc(zone: str, hour: int) -> None:
    now = datetime(2026, 1, 10, 12, tzinfo=UTC).timestamp()
    board, days = set_posting(DailyBoard(community="c"), "mem:hall", hour, zone, "en", now), []
    for _ in range(365):
        moment = next_post(board, now)
        assert moment is not None
        now = moment
        board = due(board, now)
        assert not is_late(board, now)
        assert is_open(board.day, day_of(now))
        days.append(board.day)
    assert days == [*range(days[0], days[0] + 365)]


def test_what_is_much_too_late_and_what_was_before_it_was_switched_on_is_not_posted() -> None:
    assert due(BOARD, at(25, 16)).day == 0
    assert due(BOARD, at(25, 17)).day == TODAY
    assert due(BOARD, at(25, 22)).day == TODAY
    assert due(BOARD, at(26, 0)).day == 0
    switched_on = set_posting(BOARD, "mem:hall", 20, "Europe/Istanbul", "tr", at(25, 18))
    assert due(switched_on, at(25, 19)).day == 0
    assert due(replace(BOARD, place=""), at(25, 17)).day == 0


def test_a_rack_is_late_six_hours_after_its_hour_whatever_the_hour_was_before() -> None:
    posted = due(BOARD, at(25, 17))
    assert not is_late(posted, at(25, 17) + LATE)
    assert is_late(posted, at(25, 17) + LATE + 1)
    assert is_late(posted, at(27, 17))
    later = set_posting(posted, "mem:hall", 21, "Europe/Istanbul", "tr", at(25, 17) + 1)
    assert not is_late(later, at(25, 17) + 2)


@pytest.mark.parametrize(
    ("zone", "before", "after", "due_at"),
    [("Europe/Istanbul", 20, 8, at(25, 17)), ("America/New_York", 18, 20, at(25, 23))],
    ids=["to the morning", "to the next day in UTC"],
)
def test_a_rack_that_could_not_be_posted_is_not_lost_when_the_hour_is_changed(
    zone: str, before: int, after: int, due_at: float
) -> None:
    board = due(set_posting(DailyBoard(community="c"), "mem:hall", before, zone, "en", at(25, 0)), due_at)
    changed = set_posting(board, "mem:hall", after, zone, "en", due_at + 300)
    assert changed.day == TODAY
    assert not is_late(changed, due_at + 300 + LATE)
    assert is_late(changed, due_at + 301 + LATE)


def test_what_was_late_by_the_hour_before_is_not_posted_at_a_new_one() -> None:
    posted = due(BOARD, at(25, 17))
    changed = set_posting(posted, "mem:hall", 21, "Europe/Istanbul", "tr", at(25, 17) + LATE + 1)
    assert is_late(changed, at(25, 17) + LATE + 2)


def test_a_week_begins_on_monday_and_equal_figures_share_a_rank() -> None:
    monday = monday_of(TODAY)
    assert datetime.fromordinal(monday).weekday() == 0
    board = BOARD
    for name, days in (
        ("Ada", [(0, True), (1, False)]),
        ("Can", [(0, True), (1, False)]),
        ("Ece", [(0, True)]),
    ):
        for day, right in days:
            board = with_result(board, name.lower(), name, monday + day, right=right)
            board = with_result(board, name.lower(), name, monday + day, right=not right)  # once
    assert [(each.rank, each.name, each.solved, each.answered) for each in week_table(board, monday + 6)] == [
        (1, "Ece", 1, 1),
        (2, "Ada", 1, 2),
        (2, "Can", 1, 2),
    ]
    assert week_table(board, monday + 7) == []
    later = with_result(board, "ali", "Ali", monday + 14, right=True)
    assert [each.name for each in later.entries] == ["Ali"]
