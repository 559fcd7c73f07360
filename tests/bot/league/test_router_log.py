"""Organisers read what was done, undo it, and give others a part of their work."""

from dataclasses import replace

import pytest

from bot.league.members import change_member
from bot.league.model import Role
from bot.store import Store
from bot.worker import worker
from tests.bot.house import said
from tests.bot.league.leagues import LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.league.test_router_evening import (
    FOUR,
    button,
    gathered,
    labels,
    organise,
    page_of,
    pressed,
    words,
)


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker looks more often: no test here is about how long it takes."""
    for often in ("TICK_SECONDS", "PLAYED_SECONDS"):
        monkeypatch.setattr(worker, often, 0.02)


async def give(evening: LeagueHouse, name: str, role: Role) -> None:
    """Give a role to somebody, who becomes a member."""
    member = await evening.member(name)
    leagues = evening.house.app.leagues
    await leagues.change(evening.league, None, lambda now: change_member(now, member, role=role))


async def typed(evening: LeagueHouse, name: str, line: str) -> str:
    """Return the code, or the words, that a person's line gets."""
    answer = await evening.house.type(evening.house.person(name), "okey", f"league {line}")
    return answer.code or said(answer)


async def test_a_penalty_by_mistake_is_undone_from_the_log(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        assert "Ada got a penalty of 10 points" in said(await organise(evening, "penalty Ada 10 rude"))
        assert "Can got a bonus of 2 points" in said(await organise(evening, "bonus Can 2 helped"))
        log = await page_of(evening, f"night_log.{evening.night_id}.0")
        assert "Olga: Ada got a penalty of 10 points. (rude)" in words(log)
        first, second = [label for label in labels(log) if label.startswith("↩")]
        undo = button(log, second)
        after = await pressed(evening, undo.press)
        assert "was undone" in said(after)
        assert "Undone by Olga" in words(after.page)
        assert [label for label in labels(after.page) if label.startswith("↩")] == [first]  # type: ignore[arg-type]
        assert (await pressed(evening, undo.press)).code == "undone_already"
        night = await evening.night()
        assert (night.penalties, night.bonuses) == ((), (("m2", 2.0),))


async def test_a_skipped_night_comes_back(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        assert not (await organise(evening, "skip a holiday")).code
        await evening.comes("cancelled")
        log = await page_of(evening, "league_log.abcde.0")
        assert "was skipped. (a holiday)" in words(log)
        assert not (await pressed(evening, button(log, "↩").press)).code
        await evening.comes("announced")
        league = await evening.house.app.leagues.load("abcde")
        assert league.schedule.skipped == ()


async def test_an_ended_league_goes_on_when_that_is_undone(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await pressed(evening, "league_end.abcde.0")
        assert (await evening.house.app.leagues.load("abcde")).ended
        log = await page_of(evening, "league_log.abcde.0")
        assert not (await pressed(evening, button(log, "↩").press)).code
        assert not (await evening.house.app.leagues.load("abcde")).ended


ACTS = {
    "founder": ("role Ada, host", "end", "invite", "skip a holiday"),
    "referee": ("penalty Ada 1 rude", "void 1.1 wrong", "rename Ada, Ada L.", "members Zoe"),
    "host": ("pause dark", "extend 5 slow", "log", "run"),
}


@pytest.mark.parametrize("role", ["founder", "referee", "host"])
async def test_each_role_may_do_its_part_and_that_of_those_below(
    store: Store, until: Until, role: Role
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        await give(evening, "Fay", "founder")
        await give(evening, "Pat", role)
        order = list(ACTS)
        for part, lines in ACTS.items():
            may = order.index(part) >= order.index(role)
            for line in lines:
                told = await typed(evening, "Pat", line)
                assert (told == "league_role_only") != may, (role, line, told)


async def test_platform_rights_count_only_without_a_founder(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        assert not (await organise(evening, "pause dark")).code
        await give(evening, "Fay", "founder")
        assert (await organise(evening, "go light")).code == "league_organisers_only"
        assert (await typed(evening, "Fay", "role Fay, none")) == "last_founder"
        assert "Ada: referee" in await typed(evening, "Fay", "role Ada, referee")
        assert "Ada: no role" in await typed(evening, "Fay", "role Ada, none")


async def test_names_are_given_and_members_made_one(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        for name in ("Ada", "Zoe"):
            await evening.member(name)
        assert "Ada is called Ada Lovelace" in said(await organise(evening, "rename Ada, Ada Lovelace"))
        assert "one member now" in said(await organise(evening, "merge Zoe, Ada Lovelace"))
        assert (await organise(evening, "merge Zoe, Ada Lovelace")).code == "unknown_member"
        assert (await organise(evening, "rename Ada Lovelace")).code == "bad_pair"
        log = words(await page_of(evening, "league_log.abcde.0"))
        assert "Ada is called Ada Lovelace now" in log
        league = await evening.house.app.leagues.load("abcde")
        assert replace(league.members["m1"]).name == "Ada Lovelace"


async def test_a_withdrawn_place_comes_back_only_by_its_own_organiser(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        house, leagues = evening.house, evening.house.app.leagues
        await leagues.change("abcde", None, lambda now: replace(now, places=(*now.places, "mem:annex")))
        page = await page_of(evening, "league_places.abcde.0")
        assert not (await pressed(evening, button(page, "Remove place 2").press)).code
        assert len((await leagues.load("abcde")).places) == 1
        log = await page_of(evening, "league_log.abcde.0")
        assert "was withdrawn from one of its places" in words(log)
        undo = button(log, "↩").press
        assert (await pressed(evening, undo)).code == "organisers_only"
        assert len((await leagues.load("abcde")).places) == 1
        with house.runs(house.person("Olga"), "mem:annex"):
            assert not (await pressed(evening, undo)).code
        assert (await leagues.load("abcde")).places == (*weekly().places, "mem:annex")
