"""Public pages of a league: its season, a night, a replay, files; and nothing of anybody's own."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.handlers.published import Published, PublishedLeague
from bot.i18n import plain, words_for
from bot.league import decide
from bot.league.prizes import month_leaders
from bot.league.results import result_of
from bot.markup import Document, Link, Name
from bot.store import Store
from tests.bot.house import open_house
from tests.bot.league.leagues import LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.league.office import Office
from tests.bot.league.test_night_runs import first_round
from tests.bot.league.test_seasons import plays_night
from tests.bot.rounds import finish_round

ENGLISH = words_for("en")
FOUR = ("Ada", "Bea", "Cem", "Deniz")


@pytest.fixture
async def played(store: Store, until: Until) -> AsyncIterator[LeagueHouse]:
    """A league whose first night, of one table, was played to its end."""
    async with league_house(store, until, weekly(rounds=1, best_of=1), MovedClock()) as evening:
        await first_round(evening, *FOUR)
        await evening.play_all()
        await evening.comes("over")
        yield evening


async def opened(published: Published, league: str = "abcde") -> PublishedLeague:
    """The pages of a league for somebody without a session."""
    found = await published.open(league, "")
    assert found is not None
    return found


async def reading(evening: LeagueHouse, league: str = "abcde") -> PublishedLeague:
    return await opened(evening.house.app.published, league)


def words_on(document: Document | None) -> str:
    """Everything that a page says."""
    assert document is not None
    said = [document.title, document.alt, *(plain(line, ENGLISH) for line in document.lines)]
    for section in document.sections:
        said += [section.title, *(plain(line, ENGLISH) for line in section.lines)]
        for row in section.grid.rows if section.grid else ():
            said.append(" | ".join(plain(cell.text, ENGLISH) for cell in row))
    return "\n".join(said)


async def test_a_season_tells_its_table_and_leads_to_its_nights(played: LeagueHouse) -> None:
    page = await (await reading(played)).season(None, ENGLISH)
    assert page is not None
    (table,) = (each.grid for each in page.sections if each.title == "Season table")
    assert table is not None
    rows = [[plain(cell.text, ENGLISH) for cell in row] for row in table.rows]
    assert sorted(row[1] for row in rows) == sorted(FOUR)
    assert sum(float(row[2]) for row in rows) == 6, "3, 2, 1 and 0 points, or ties that come to the same"
    assert rows == sorted(rows, key=lambda row: -float(row[2]))
    ways = {cell.way for each in page.sections if each.grid for row in each.grid.rows for cell in row}
    assert f"night/{played.night_id}" in ways


async def test_the_first_three_of_a_month_are_those_of_all_its_nights(store: Store, until: Until) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=1))
    for week in range(2):  # two seasons, of a night each, in one month
        await plays_night(office, week, *FOUR)
    async with open_house(store, clock=office.clock, work=False) as house:
        told = [
            words_on(await (await opened(house.app.published)).season(each, ENGLISH)) for each in (1, 2, 3)
        ]
        assert ["Next nights" in each for each in told] == [False, False, True]
        nights = [result_of(each) for each in await office.leagues.nights(await office.leagues.load("abcde"))]
        ((_, leaders),) = month_leaders(nights, lambda season: weekly().format, "UTC").items()
        assert sum(each.points for each in leaders) > 6, "more than one night has to give"
        for season in (1, 2):
            page = await (await opened(house.app.published)).season(season, ENGLISH)
            for each in leaders:
                told = f"{each.rank}. {(await office.leagues.load('abcde')).members[each.member].name}"
                assert told in words_on(page)
                assert f"{float(each.points):g} points" in words_on(page)


async def test_a_night_leads_to_the_replay_of_each_table(played: LeagueHouse) -> None:
    page = await (await reading(played)).night(played.night_id, ENGLISH)
    (table,) = await played.tables()
    assert page is not None
    ways = [cell.way for each in page.sections if each.grid for row in each.grid.rows for cell in row]
    assert ways.count(f"replay/{table}") == 1
    deal = await (await reading(played)).replay(table, 1, 0, ENGLISH)
    assert deal is not None
    assert deal.picture is not None
    assert len(deal.picture.racks) == 4
    told = {plain(cell.text, ENGLISH): cell.way for cell in deal.ways}
    assert told["Deal"] == "", "one is there"
    assert told["Next"] == f"replay/{table}?round=1&step=1"
    assert told["Back to the night"] == f"night/{played.night_id}"


async def test_matches_that_are_no_longer_kept_are_not_led_to(played: LeagueHouse) -> None:
    played.clock.now += 181 * 24 * 3600
    page = await (await reading(played)).night(played.night_id, ENGLISH)
    assert page is not None
    assert "replay" not in str(
        [cell.way for each in page.sections if each.grid for cell in each.grid.rows[0]]
    )


async def test_nothing_private_is_told(played: LeagueHouse) -> None:
    (table,) = await played.tables()
    read = await reading(played)
    pages = [
        words_on(await read.season(1, ENGLISH)),
        words_on(await read.night(played.night_id, ENGLISH)),
        words_on(await read.replay(table, 1, 0, ENGLISH)),
    ]
    for name in ("calendar.ics", "standings.csv", "results.csv"):
        file = await read.file(name, None, "https://league.test/")
        assert file is not None
        pages.append(file.content.decode())
    for page in pages:
        assert "Thursday" in page or "Ada" in page
        assert "mem:" not in page


async def test_a_night_tells_what_organisers_did_but_neither_who_nor_why(played: LeagueHouse) -> None:
    leagues, night = played.house.app.leagues, played.night_id
    await leagues.act(
        night, None, lambda held, now: decide.penalise(held, now, "m2", 1.0), by="m1", why="spoke of tiles"
    )
    number = len(await leagues.log(night))
    page = await (await reading(played)).night(night, ENGLISH)
    assert page is not None
    (did,) = (words_on(replace(page, sections=(each,))) for each in page.sections if "did" in each.title)
    assert "1 point" in did
    assert "Undone" not in did
    assert "spoke" not in words_on(page)
    await leagues.revoke(night, None, number, by="m1", why="")
    page = await (await reading(played)).night(night, ENGLISH)
    assert page is not None
    assert "Undone" in words_on(page)


async def test_there_is_no_page_of_what_is_not_there(played: LeagueHouse) -> None:
    read, (table,) = await reading(played), await played.tables()
    assert await played.house.app.published.open("zzzzz", "") is None
    assert await read.season(2, ENGLISH) is None
    assert await read.season(0, ENGLISH) is None
    assert await read.night("abcde-202603122001", ENGLISH) is None
    assert await read.night(table, ENGLISH) is None
    assert await read.replay(table, 2, 0, ENGLISH) is None
    assert await read.file("members.csv", None, "") is None


async def test_a_league_shows_no_other_tables_than_its_own(played: LeagueHouse) -> None:
    house = played.house
    own = await house.open(*(house.person(name) for name in FOUR))
    await house.press(house.person("Ada"), f"start.{own}.0", private=False)
    await finish_round(house.app.tables, own)
    assert await (await reading(played)).replay(own, 1, 0, ENGLISH) is None
    (table,) = await played.tables()
    other = replace(weekly(), id="fghij")
    await house.app.leagues.create_league(other, "found other")
    assert await (await reading(played, "fghij")).replay(table, 1, 0, ENGLISH) is None
    assert await (await reading(played, "fghij")).night(played.night_id, ENGLISH) is None


async def test_a_round_that_is_being_played_has_no_replay(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await first_round(evening, *FOUR)
        (table,) = await evening.tables()
        assert await (await reading(evening)).replay(table, 1, 0, ENGLISH) is None
        page = await (await reading(evening)).night(evening.night_id, ENGLISH)
        assert page is not None
        ways = [cell.way for each in page.sections if each.grid for row in each.grid.rows for cell in row]
        assert "Being played" in words_on(page)
        assert not any(ways)


async def test_a_table_cut_off_before_its_first_deal_was_over_leads_to_no_replay(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await first_round(evening, *FOUR)
        (table,) = await evening.tables()
        await evening.at(40 * 60, "break")
        assert await (await reading(evening)).replay(table, 1, 0, ENGLISH) is None
        page = await (await reading(evening)).night(evening.night_id, ENGLISH)
        assert page is not None
        ways = [cell.way for each in page.sections if each.grid for row in each.grid.rows for cell in row]
        assert "No finished deal, counts as a bye" in words_on(page)
        assert "Ada | 1.5 | equal in everything | 0 | 1" in words_on(page), "points, tables won, byes"
        assert not any("replay" in way for way in ways)


async def test_a_name_stays_a_name(played: LeagueHouse) -> None:
    page = await (await reading(played)).season(None, ENGLISH)
    assert page is not None
    (table,) = (each.grid for each in page.sections if each.title == "Season table")
    assert table is not None
    assert all(isinstance(row[1].text[0], Name) for row in table.rows), "hostile until it is escaped"


@pytest.mark.parametrize(
    ("web_url", "shown"), [("https://okey.test", ["https://okey.test/league/abcde"]), ("", [])]
)
async def test_a_league_leads_to_its_page_where_people_can_reach_it(
    store: Store, until: Until, web_url: str, shown: list[str]
) -> None:
    async with open_house(store, clock=MovedClock(), web_url=web_url) as house:
        await house.app.leagues.create_league(weekly(), "found")
        hub = (await house.type(house.person("Ada"), "okey", "league")).page
        assert hub is not None
        assert [part.url for part in hub.text if isinstance(part, Link)] == shown
