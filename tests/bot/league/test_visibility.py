"""Who sees a league's pages: asked at founding, changed later, and the way there from the chat."""

import re

import pytest

from bot.i18n import plain, words_for
from bot.league.visibility import is_opened_by, path_of
from bot.markup import Link
from bot.store import Store
from tests.bot.house import PLACE, House, open_house, page_of
from tests.bot.league.leagues import MovedClock, weekly
from tests.bot.league.test_router_founding import NOW, begun, labelled, leagues, organiser, text

WEB = "https://okey.example"


def links(house_answer: object) -> list[str]:
    return [part.url for part in page_of(house_answer).text if isinstance(part, Link)]  # type: ignore[arg-type]


async def test_founding_asks_who_sees_the_pages(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW), web_url=WEB) as house:
        ada = organiser(house)
        zones = await house.type(ada, "okey", "league")
        days = await house.press(ada, labelled(zones, "Europe/London · 12:00"))
        times = await house.press(ada, labelled(days, "Thursday"))
        asked = await house.press(ada, labelled(times, "20:00"))
        assert "Who may see the league’s page on the web?" in text(asked)
        for name in ("Public", "Unlisted", "Members only"):
            assert f"• {name}: " in text(asked), "a line on each"
        summary = await house.press(ada, labelled(asked, "Members only"))
        assert "Page on the web: Members only" in text(summary)
        later = await house.press(
            ada, labelled(await house.press(ada, labelled(summary, "🕗 Time")), "21:00")
        )
        assert "Page on the web: Members only" in text(later), "asked once"
        await house.press(ada, labelled(later, "Create"))
        (league,) = await leagues(house)
        assert league.visibility == "members"


async def test_a_league_of_which_nobody_said_it_is_unlisted(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW), web_url=WEB) as house:
        ada = organiser(house)
        summary = await begun(house, ada, "start=2026-03-05 20:00 zone=UTC")
        assert "Page on the web: Unlisted" in text(summary)
        await house.press(ada, labelled(summary, "Create"))
        (league,) = await leagues(house)
        assert league.visibility == "unlisted"
        assert re.fullmatch(r"[a-z0-9]{8}-[a-z0-9]{16}", path_of(league))
        hub = await house.type(ada, "okey", "league")
        assert links(hub) == [f"{WEB}/league/{path_of(league)}"]


async def test_it_can_be_typed(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        line = "start=2026-03-05 20:00 zone=UTC visibility="
        assert (await begun(house, ada, f"{line}secret")).code == "league_word"
        summary = await begun(house, ada, f"{line}Public")
        await house.press(ada, labelled(summary, "Create"))
        (league,) = await leagues(house)
        assert path_of(league) == league.id


async def founded(house: House) -> None:
    await house.app.leagues.create_league(weekly(), "found")


async def test_organisers_change_it_and_old_addresses_end(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(), web_url=WEB) as house:
        await founded(house)
        ada, eve = organiser(house), house.person("Eve")
        run = await house.type(ada, "okey", "league run")
        page = await house.press(ada, labelled(run, "Who sees it"))
        assert "Page on the web: Public" in text(page)
        to_unlisted = labelled(page, "Unlisted")
        house.reads(eve)
        assert (await house.press(eve, to_unlisted)).code == "league_organisers_only"
        unlisted = await house.press(ada, to_unlisted)
        assert "Page on the web: Unlisted" in text(unlisted)
        first = await house.app.leagues.load("abcde")
        assert not is_opened_by(first, "")
        await house.press(ada, to_unlisted)
        second = await house.app.leagues.load("abcde")
        assert path_of(second) != path_of(first), "choosing it again gives a new address"
        assert not is_opened_by(second, first.page_key)
        await house.type(ada, "okey", "league visibility public")
        public = await house.app.leagues.load("abcde")
        assert is_opened_by(public, "")
        assert is_opened_by(public, second.page_key), "links that people have go on"
        assert not is_opened_by(public, first.page_key)


async def test_a_press_delivered_twice_gives_one_address(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(), web_url=WEB) as house:
        await founded(house)
        ada = organiser(house)
        await house.press(ada, "league_visibility.abcde.0.unlisted", id="same")
        once = path_of(await house.app.leagues.load("abcde"))
        await house.press(ada, "league_visibility.abcde.0.unlisted", id="same")
        assert path_of(await house.app.leagues.load("abcde")) == once


async def test_only_its_people_are_led_to_a_league_of_their_own(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(), web_url=WEB) as house:
        await founded(house)
        ada, eve = organiser(house), house.person("Eve")
        house.chat.readers.add((ada.key, PLACE))
        assert (await house.press(ada, "league_page.abcde.0")).code == "unknown_button", "it is public"
        await house.type(ada, "okey", "league visibility members")
        league = await house.app.leagues.load("abcde")
        hub = await house.type(ada, "okey", "league")
        assert links(hub) == [], "an address without a session would lead nowhere"
        (url,) = links(await house.press(ada, labelled(hub, "Page")))
        address, _, secret = url.partition("#k=")
        assert address == f"{WEB}/league/{path_of(league)}"
        token = await house.app.apps.redeem(secret)
        assert token is not None
        assert await house.app.published.open(path_of(league), token) is not None
        assert (await house.press(eve, "league_page.abcde.0")).code == "unknown_league"


@pytest.mark.parametrize("language", ["tr", "en", "de", "ko"])
async def test_the_choice_is_said_in_every_language(store: Store, language: str) -> None:
    async with open_house(store, work=False, clock=MovedClock(), web_url=WEB) as house:
        await founded(house)
        ada = organiser(house)
        words = words_for(language)
        ada = type(ada)(ada.key, ada.name, language)
        page = page_of(await house.press(ada, "league_visibility.abcde.0"))
        said = plain(page.text, words)
        for each in ("public", "unlisted", "members"):
            assert words.plain(f"league.value.visibility.{each}") in said
