"""Who sees a league's pages, through the real web server: with its address, a session, patience."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from random import Random

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from adapters.web import LeaguePages, WebServer
from adapters.web.doors import COOKIE
from adapters.web.league import UNKNOWN
from bot.handlers.league.founding import fresh_page_key
from bot.i18n import LANGUAGES
from bot.league.model import League, Visibility
from bot.league.visibility import path_of
from bot.people.codes import ALPHABET
from bot.store import Store
from tests.bot.house import PLACE, House, open_house
from tests.bot.league.leagues import MovedClock, weekly

PAGES = ("", "/night/abcde-202603122000", "/calendar.ics", "/standings.csv", "/results.csv")
FOUND = (200, 200, 404, 200, 200, 200)

WAYS = ("", "/calendar.ics", "/standings.csv", "/results.csv", ".json")
KEY = fresh_page_key()


@dataclass
class Site:
    """A program's web server, and a client of it from a certain address."""

    house: House
    session: ClientSession
    url: str

    async def found(self, visibility: Visibility, **changes: object) -> League:
        """Found the league."""
        league = replace(weekly(), visibility=visibility, page_key=KEY, **changes)  # type: ignore[arg-type]
        return await self.house.app.leagues.create_league(league, f"found {visibility}")

    async def get(self, path: str, *, token: str = "", client: str = "93.184.216.34", **query: str) -> "Page":
        """A page of `/league/`."""
        headers = {"X-Forwarded-For": client}
        cookies = {"Cookie": f"{COOKIE}={token}"} if token else {}
        async with self.session.get(
            f"{self.url}league/{path}", headers=headers | cookies, params=query
        ) as answer:
            return Page(answer.status, {**answer.headers}, await answer.text())


@dataclass
class Page:
    """An answer."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def indexed(self) -> bool:
        """Return whether search engines may keep it; header and page must agree."""
        header = self.headers.get("X-Robots-Tag") != "noindex"
        if "<html" in self.text:
            assert header is ('name="robots" content="noindex"' not in self.text)
        return header


@asynccontextmanager
async def site_of(house: House) -> AsyncIterator[Site]:
    server = WebServer("127.0.0.1", 0)
    LeaguePages(house.app.published, house.app.delivery, server, "https://okey.example")
    await server.start()
    async with ClientSession() as session:
        yield Site(house, session, server.url)
    await server.stop()


@pytest_asyncio.fixture
async def site(store: Store) -> AsyncIterator[Site]:
    clock = MovedClock()
    async with (
        open_house(store, work=False, clock=clock, web_url="https://okey.example") as house,
        site_of(house) as opened,
    ):
        yield opened


async def test_a_public_league_is_open_and_may_be_indexed(site: Site) -> None:
    await site.found("public")
    for way in WAYS:
        page = await site.get(f"abcde{way}")
        assert (page.status, page.indexed) == (200, True), way


async def test_an_unlisted_league_is_known_by_its_address_alone(site: Site) -> None:
    league = await site.found("unlisted")
    assert len(path_of(league).partition("-")[2]) == 16
    for way in WAYS:
        page = await site.get(path_of(league) + way)
        assert (page.status, page.indexed) == (200, False), way
        for wrong in ("abcde", "abcde-", f"abcde-{KEY[:-1]}", f"abcde-{KEY}x", f"fghij-{KEY}"):
            assert (await site.get(wrong + way)).status == 404
    inside = await site.get(path_of(league))
    assert 'href="/league/abcde-' in inside.text, "links inside keep the address"
    assert 'href="/league/abcde/' not in inside.text
    assert f"URL:https://okey.example/league/{path_of(league)}" in (
        await site.get(f"{path_of(league)}/calendar.ics")
    ).text.replace("\r\n ", "")


async def test_a_league_for_its_own_people_wants_a_session_of_one(site: Site) -> None:
    league, house = await site.found("members"), site.house
    reader, stranger = house.person("Rea"), house.person("Eve")
    house.chat.readers.add((reader.key, PLACE))
    sessions = {who.name: await house.app.apps.begin(who, "") for who in (reader, stranger)}
    for way in WAYS:
        path = path_of(league) + way
        for token in ("", "made-up", sessions[stranger.name]):
            page = await site.get(path, token=token)
            assert (page.status, page.indexed) == (403, False), (way, token)
            assert "Thursday" not in page.text
            assert "BEGIN:VCALENDAR" not in page.text
        page = await site.get(path, token=sessions[reader.name])
        assert (page.status, page.indexed) == (200, False)
        assert page.headers["Cache-Control"] == "private, no-cache"
        assert "Cookie" in page.headers["Vary"]
        # The id alone, which people may know from the chat, tells not even that there is such a league.
        assert (await site.get(f"abcde{way}", token=sessions[reader.name])).status == 404
    await house.press(reader, "log_out.me.0")
    assert (await site.get(path_of(league), token=sessions[reader.name])).status == 403


@pytest.mark.parametrize("visibility", ["public", "unlisted", "members"])
async def test_other_sites_may_read_what_everybody_may(site: Site, visibility: Visibility) -> None:
    league, reader = await site.found(visibility), site.house.person("Rea")
    site.house.chat.readers.add((reader.key, PLACE))
    token = await site.house.app.apps.begin(reader, "")
    data = await site.get(f"{path_of(league)}.json", token=token)
    assert (data.status, data.headers["Content-Type"]) == (200, "application/json")
    assert '"okey-league/1"' in data.text
    assert "Content-Disposition" not in data.headers
    open_to_all = visibility != "members"
    assert data.headers.get("Access-Control-Allow-Origin") == ("*" if open_to_all else None)
    assert data.headers["Cross-Origin-Resource-Policy"] == ("cross-origin" if open_to_all else "same-origin")
    assert "Access-Control-Allow-Credentials" not in data.headers
    page = await site.get(path_of(league), token=token)
    assert "Access-Control-Allow-Origin" not in page.headers, "nor anything else"
    assert (await site.get(f"{path_of(league)}.json", token=token, season="9")).status == 404
    again = {"If-None-Match": data.headers["Etag"], "Cookie": f"{COOKIE}={token}"}
    async with site.session.get(f"{site.url}league/{path_of(league)}.json", headers=again) as answer:
        assert answer.status == 304


async def test_a_browser_may_ask_whether_it_may_read(site: Site) -> None:
    async with site.session.options(f"{site.url}league/abcde.json") as answer:
        assert answer.status == 204
        assert answer.headers["Access-Control-Allow-Headers"] == "If-None-Match"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    async with site.session.options(f"{site.url}league/abcde") as answer:
        assert answer.status == 405


async def test_who_guesses_must_wait_and_finds_nothing(site: Site) -> None:
    """A client that tries ids gets no more answers than those of its share, not even about leagues that
    exist."""
    await site.found("public")
    chance = Random("ids")
    tried = ["".join(chance.choices(ALPHABET.lower(), k=5)) for _ in range(UNKNOWN + 10)]
    statuses = [(await site.get(each)).status for each in tried]
    assert statuses == [404] * UNKNOWN + [429] * 10
    held_back = await site.get("abcde")
    assert held_back.status == 429, "a hit tells no more than a miss"
    assert 0 < int(held_back.headers["Retry-After"]) <= 60
    assert not held_back.indexed
    assert (await site.get("abcde", client="93.184.215.14")).status == 200, "others are not kept waiting"


async def test_who_knows_the_address_never_waits(site: Site) -> None:
    league = await site.found("unlisted")
    for _ in range(UNKNOWN + 1):
        await site.get("zzzzz")
    assert (await site.get("zzzzz")).status == 429
    assert (await site.get(path_of(league))).status == 200


async def test_visits_are_not_counted(site: Site) -> None:
    await site.found("public")
    assert {(await site.get("abcde")).status for _ in range(2 * UNKNOWN)} == {200}
    assert (await site.get("zzzzz")).status == 404


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_refused_is_said_in_every_language(site: Site, language: str) -> None:
    league = await site.found("members")
    page = await site.get(path_of(league), lang=language)
    assert f'<html lang="{language}">' in page.text
    assert 'src="/league/members.js"' in page.text


async def test_the_wall_is_in_no_search_engine(site: Site) -> None:
    assert not (await site.get("wall")).indexed
