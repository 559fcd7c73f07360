"""The wall: a night's tables shown together, to whoever has an organiser's link."""

import re

from bot.i18n import plain, words_for
from bot.markup import Link, ResultPicture, TablePicture, Wall
from bot.store import Store
from tests.bot.house import PLACE
from tests.bot.league.leagues import LeagueHouse, MovedClock, Until, open_house, weekly
from tests.bot.league.test_night_runs import first_round

ENGLISH = words_for("en")
EIGHT = ("Ada", "Bea", "Cem", "Deniz", "Ece", "Fulya", "Gül", "Hakan")


async def key_of(evening: LeagueHouse) -> str:
    """What stands behind the # of the address that an organiser gets."""
    house = evening.house
    with house.runs(house.person("Boss"), PLACE):
        answer = await house.press(house.person("Boss"), f"league_wall.{evening.league}.0")
    assert answer.page is not None
    (link,) = (part for part in answer.page.text if isinstance(part, Link))
    found = re.fullmatch(r"https://okey\.example/league/wall#([\w-]{43})", link.url)
    assert found is not None, link.url
    return found[1]


async def wall(evening: LeagueHouse, key: str) -> Wall | None:
    return await evening.house.app.published.wall(key, ENGLISH)


async def test_an_organisers_link_shows_the_tables_of_the_round_that_is_played(
    store: Store, until: Until
) -> None:
    clock = MovedClock()
    async with open_house(store, clock=clock, web_url="https://okey.example") as house:
        await house.app.leagues.create_league(weekly(rounds=1), "found")
        evening = LeagueHouse(house, clock, until)
        key = await key_of(evening)
        assert await wall(evening, key) == Wall("Thursday", ())
        await first_round(evening, *EIGHT)
        tables = await evening.tables()  # all are open
        shown = await wall(evening, key)
        assert shown is not None
        assert [
            plain(each.screen.text, ENGLISH).splitlines()[-1].split(" · ")[0] for each in shown.tables
        ] == [
            "Table 1",
            "Table 2",
        ]
        assert all(isinstance(each.screen.picture, TablePicture) for each in shown.tables)
        assert [each.replay for each in shown.tables] == ["", ""]
        names = {seat.name for each in shown.tables for seat in each.screen.picture.seats}  # type: ignore[union-attr]
        assert names == set(EIGHT)
        await evening.play_all()
        over = await wall(evening, key)
        assert over is not None
        assert all(isinstance(each.screen.picture, ResultPicture) for each in over.tables)
        assert [each.replay for each in over.tables] == [
            f"/league/abcde/replay/{id}?round=1" for id in tables
        ]


async def test_nobody_else_gets_a_link_and_a_wrong_one_shows_nothing(store: Store, until: Until) -> None:
    clock = MovedClock()
    async with open_house(store, clock=clock, work=False, web_url="https://okey.example") as house:
        await house.app.leagues.create_league(weekly(), "found")
        evening = LeagueHouse(house, clock, until)
        house.reads(house.person("Ada"))
        for name, code in (("Ada", "league_organisers_only"), ("Eve", "unknown_league")):
            assert (await house.press(house.person(name), "league_wall.abcde.0")).code == code
        key = await key_of(evening)
        assert await wall(evening, key) is not None
        for wrong in ("", "x", key[:-1], key.swapcase()):
            assert await wall(evening, wrong) is None
        await house.press(house.person("Boss"), "forget_now.me.0")
        assert await wall(evening, key) is None


async def test_without_an_address_there_is_none(store: Store, until: Until) -> None:
    async with open_house(store, clock=MovedClock(), work=False) as house:
        await house.app.leagues.create_league(weekly(), "found")
        with house.runs(house.person("Boss"), PLACE):
            page = (await house.type(house.person("Boss"), "okey", "league run")).page
            assert page is not None
            assert not any(b.press.startswith("league_wall") for row in page.buttons for b in row)
            assert (await house.press(house.person("Boss"), "league_wall.abcde.0")).code == "unknown_button"
