"""A founder changes a league by the dialogue of its founding, and sees before what changes when."""

from bot.markup import Page
from bot.store import Store
from tests.bot.league.leagues import LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.league.test_router_evening import button, page_of, pressed, words


async def choose(evening: LeagueHouse, option: str, word: str) -> Page:
    """Return the page after a choice in the dialogue."""
    await page_of(evening, f"league_choose.abcde.0.{option}.{word}")
    return await page_of(evening, "league_draft.abcde.0.summary")


async def test_the_dialogue_previews_what_changes_when_and_saves_it(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(nights=8), MovedClock()) as evening:
        await evening.comes("announced")
        begun = await page_of(evening, "league_edit.abcde.0")
        assert "Nothing was changed." in words(begun)
        assert "Thursday at 20:00" in words(begun)
        await choose(evening, "rounds", "4")
        page = await choose(evening, "counting", "sum")
        assert "From the next announcement: Rounds: 4" in words(page)
        assert "From the next season: " in words(page)
        league = await evening.house.app.leagues.load("abcde")
        assert (league.format.rounds, league.drafted) == (2, None), "nothing is changed before it is saved"
        saved = await pressed(evening, button(page, "Save").press)
        assert "Saved" in words(saved.page)
        league = await evening.house.app.leagues.load("abcde")
        assert (league.format.rounds, league.format.counting) == (4, "best")
        assert league.drafted is not None
        assert league.drafted.counting == "sum"
        assert (await evening.night()).format.rounds == 2, "the announced night stays as it was announced"
        assert league.schedule == weekly().schedule
        log = await page_of(evening, "league_log.abcde.0")
        assert "Settings changed: Rounds: 4" in words(log)
        assert not (await pressed(evening, button(log, "↩").press)).code
        league = await evening.house.app.leagues.load("abcde")
        assert (league.format, league.drafted) == (weekly(nights=8).format, None)


async def test_another_day_holds_from_the_next_announcement(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await page_of(evening, "league_edit.abcde.0")
        page = await choose(evening, "day", "2")
        assert "From the next announcement: 🗓 Every week on Wednesday at 20:00" in words(page)
        assert not (await pressed(evening, button(page, "Save").press)).code
        league = await evening.house.app.leagues.load("abcde")
        assert league.schedule.rule == "FREQ=WEEKLY;BYDAY=WE"
        assert [ref.id for ref in league.nights] == ["abcde-202603122000"]


async def test_what_others_changed_meanwhile_stays(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await page_of(evening, "league_edit.abcde.0")
        page = await choose(evening, "cap", "8")
        await pressed(evening, "league_edit.abcde.0", name="Otto")
        await pressed(evening, "league_choose.abcde.0.rounds.5", name="Otto")
        await pressed(evening, "league_save.abcde.0", name="Otto")
        assert not (await pressed(evening, button(page, "Save").press)).code
        league = await evening.house.app.leagues.load("abcde")
        assert (league.format.rounds, league.format.cap) == (5, 8)
        assert len(league.acts) == 2


async def test_only_founders_change_a_league(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await page_of(evening, "league_edit.abcde.0")
        page = await choose(evening, "cap", "8")
        house = evening.house
        lost = await house.press(house.person("Olga"), button(page, "Save").press)
        assert lost.code == "league_organisers_only"
        assert (await house.app.leagues.load("abcde")).format.cap == 0
