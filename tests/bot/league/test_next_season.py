"""Between two seasons: the next one is kept, changed, or put off until a date, which can be taken back."""

import asyncio
import json
from typing import Any

import pytest

from bot.i18n import words_for
from bot.ids import NightId
from bot.league import decide, timers
from bot.league.apply import rebuilt
from bot.league.calendar import calendar
from bot.league.local_time import instant
from bot.league.model import ActRevoked
from bot.league.night import Night
from bot.league.revoking import acts_of
from bot.league.seasons import coming, is_between_seasons, pause
from bot.repository.leagues import Decide, LeagueRepository
from bot.store import Store
from bot.worker.league_nights import LeagueNights
from tests.bot.house import said
from tests.bot.league.leagues import DAY, START, LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.league.office import Office
from tests.bot.league.test_router_evening import FOUR, button, labels, organise, page_of, pressed, words
from tests.bot.league.test_router_reading import ask
from tests.bot.league.test_seasons import plays_night

WEEK = 7 * DAY
MAY = "2026-05-01T00:00"
FIRST_IN_MAY = instant("2026-05-07T20:00", "UTC")


async def put_off(office: Office, until: str) -> None:
    await office.leagues.carry_out("abcde", None, lambda now, at: pause(now, at, until), by="m1")
    await office.work()


async def starts(office: Office) -> list[float]:
    """Return the starts of the announced nights."""
    return [ref.start for ref in (await office.leagues.load("abcde")).nights if not ref.over]


async def test_a_season_that_is_put_off_has_no_night_before_that_date(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=1))
    await plays_night(office, 0, *FOUR)
    assert await starts(office) == [START + WEEK]
    await put_off(office, MAY)
    league = await office.leagues.load("abcde")
    night = await office.leagues.load_night(league.nights[-1].id)
    assert (night.stage, night.cancelled) == ("cancelled", "paused")
    assert await starts(office) == [], "the night after a long pause is not announced yet"
    office.clock.now = instant(MAY, "UTC") - WEEK - 60
    await office.work()
    assert await starts(office) == []
    office.clock.now += 120
    await office.work()
    assert await starts(office) == [FIRST_IN_MAY]
    league = await office.leagues.load("abcde")
    assert league.nights[-1].season == 2
    assert (await office.leagues.load_night(league.nights[-1].id)).number == 1


async def test_another_date_replaces_the_one_before(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=1))
    await plays_night(office, 0, *FOUR)
    await put_off(office, MAY)
    await put_off(office, "2026-04-01T00:00")
    office.clock.now = instant("2026-03-26T00:00", "UTC")
    await office.work()
    assert await starts(office) == [instant("2026-04-02T20:00", "UTC")]


async def test_a_season_is_put_off_only_before_its_first_night(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2))
    assert is_between_seasons(await office.leagues.load("abcde"), office.clock())
    await plays_night(office, 0, *FOUR)
    assert not is_between_seasons(await office.leagues.load("abcde"), office.clock())
    await plays_night(office, 1, *FOUR)
    assert is_between_seasons(await office.leagues.load("abcde"), office.clock())


async def test_a_pause_is_chosen_told_and_undone(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        page = await page_of(
            evening, button(await page_of(evening, "league_run.abcde.0"), "Next season").press
        )
        assert "season 1 has not begun yet" in words(page)
        offered = [label for label in labels(page) if label.startswith("⏸")]
        assert len(offered) == 4
        after = await pressed(evening, button(page, offered[1]).press)
        assert "put off until" in said(after)
        assert "Paused until" in words(after.page)
        await evening.comes("cancelled")
        for told in ((await ask(evening, "dates")).page, (await ask(evening, "hub")).page):
            assert "Paused until" in words(told)
        await tells_the_pause_outside(evening)
        log = await page_of(evening, "league_log.abcde.0")
        assert "Paused until" in words(log)
        assert not (await pressed(evening, button(log, "↩").press)).code
        await evening.comes("announced")
        league = await evening.house.app.leagues.load("abcde")
        assert league.schedule == weekly().schedule
        assert isinstance(league.acts[-1].event, ActRevoked)
        assert "Paused until" not in words((await ask(evening, "hub")).page)


async def test_a_pause_is_undone_before_the_league_knows_of_its_cancelled_night(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_count, count = asyncio.Event(), LeagueNights._count

    async def late(self: LeagueNights, *counted: Any) -> None:
        await may_count.wait()
        await count(self, *counted)

    monkeypatch.setattr(LeagueNights, "_count", late)
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        page = await page_of(evening, "league_next_season.abcde.0")
        offered = [label for label in labels(page) if label.startswith("⏸")]
        await pressed(evening, button(page, offered[1]).press)
        await evening.comes("cancelled")
        await pressed(evening, button(await page_of(evening, "league_log.abcde.0"), "↩").press)
        may_count.set()
        await evening.comes("announced")


async def test_a_pause_is_undone_while_its_night_is_being_cancelled(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    office, act = Office(store, MovedClock()), LeagueRepository.act

    async def late(leagues: LeagueRepository, night: NightId, action: str | None, how: Decide) -> Night:
        if how is timers.put_off:  # the league was looked at before this
            await leagues.take_back("abcde", "undo", 1, by="m1")
        return await act(leagues, night, action, how)

    await office.found(weekly(rounds=1))
    monkeypatch.setattr(LeagueRepository, "act", late)
    await put_off(office, MAY)
    assert (await office.night()).stage == "announced"
    assert await starts(office) == [START]


async def test_one_night_is_announced_when_the_one_before_it_is_held_after_all(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=1))
    first, second = office.night_id, "abcde-202603192000"
    await office.act(lambda night, now: decide.cancel(night, now), by="m1", why="rain")
    assert await starts(office) == [START + WEEK]
    office.night_id = second
    await office.says("Zoe")
    done = acts_of(await office.leagues.log(first))
    await office.leagues.revoke(first, None, done[-1].number, by="m1", why="")
    await office.work()
    assert await starts(office) == [START]
    assert (await office.night()).cancelled == "early"
    assert [each.original for each in coming(await office.leagues.load("abcde"), office.clock(), 2)] == [
        "2026-03-12T20:00",
        "2026-03-19T20:00",
    ]
    await plays_night(office, 0, *FOUR)
    assert await starts(office) == [START + WEEK]
    office.night_id = second
    again = await office.night()
    assert (again.stage, again.cancelled, again.season, again.number) == ("announced", "", 2, 1)
    assert len(again.signed_up) == 1, "who has answered need not do so again"
    assert rebuilt(await office.leagues.log(second)) == again
    await plays_night(office, 1, *FOUR)
    assert (await office.leagues.load("abcde")).season == 3


async def tells_the_pause_outside(evening: LeagueHouse) -> None:
    """Check that the page on the web and the calendar tell it, too."""
    published = await evening.house.app.published.open("abcde", "")
    assert published is not None
    document = await published.season(None, words_for("en"))
    assert document is not None
    (dates,) = (each.lines for each in document.sections if each.title == "Next nights")
    assert "Paused until" in str(dates[0])
    written = await published.file("season.json", None, "")
    assert written is not None
    league = await evening.house.app.leagues.load("abcde")
    assert json.loads(written.content)["paused_until"] == instant(league.schedule.resumes, "UTC")
    file = await published.file("calendar.ics", None, "")
    assert file is not None
    assert "Paused until" in file.content.decode()
    assert "20260319T200000Z" not in calendar(await evening.house.app.leagues.load("abcde"), evening.clock())


async def test_a_pause_is_typed_and_refused_with_a_reason(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        assert (await organise(evening, "season 2026-03-01")).code == "past_start"
        assert (await organise(evening, "season 2026-03-12")).code == "pause_too_short"
        assert (await organise(evening, "season soon")).code == "bad_start"
        assert not (await organise(evening, "season 2026-05-01")).code
        league = await evening.house.app.leagues.load("abcde")
        assert league.schedule.resumes == MAY
