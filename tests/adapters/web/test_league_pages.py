"""League pages over HTTP: what is not sent again, and in which language they come."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from adapters.web import LeaguePages, WebServer
from bot.i18n import Words
from bot.league.model import Visibility
from bot.markup import Attachment, Cell, Column, Document, Grid, Section, Wall
from tests.adapters.web.scripted import ScriptedDelivery

TABLE = Grid(
    caption="Table",
    columns=(Column("Rank", figures=True), Column("Name"), Column("Points", figures=True)),
    rows=tuple((Cell((f"{rank}",)), Cell((name,)), Cell(("3",))) for rank, name in enumerate("abc", start=1)),
    lines=((1, "final"), (2, "down"), (2, "out")),
)


@dataclass
class OneLeague:
    """A league of one page and one file."""

    id = "abcde"
    path = "abcde"
    visibility: Visibility = "public"

    async def open(self, path: str, token: str) -> "OneLeague | None":
        if path == "away":
            raise RuntimeError("the store is away")
        return self if path == "abcde" else None

    state = "first"
    made: int = 0

    async def stamp(self, season: int | None, night: str = "", *, whole: bool = False) -> str:
        return self.state

    async def chronicle(self, page: str, words: Words) -> Document | None:
        return Document(title=page)

    async def season(self, season: int | None, words: Words) -> Document | None:
        self.made += 1
        await asyncio.sleep(0)
        return Document(title=f"Season {season or 1}", sections=(Section(title="Table", grid=TABLE),))

    async def night(self, night: str, words: Words) -> Document | None:
        return None

    async def replay(self, table: str, round: int, step: int, words: Words) -> Document | None:
        return Document(title=f"{table} {round} {step}")

    async def wall(self, key: str, words: Words) -> Wall | None:
        if key == "away":
            raise RuntimeError("the store is away")
        return Wall("Thursday <league>", ()) if key == "right" else None

    async def file(self, name: str, season: int | None, page: str) -> Attachment | None:
        return Attachment(name, page.encode())


@pytest.fixture
def shown() -> OneLeague:
    """The league that is read."""
    return OneLeague()


@pytest_asyncio.fixture
async def pages(shown: OneLeague) -> AsyncIterator[ClientSession]:
    """A browser at the league's root."""
    server = WebServer("127.0.0.1", 0)
    LeaguePages(shown, ScriptedDelivery(), server)
    await server.start()
    async with ClientSession(f"{server.url}league/") as session:
        yield session
    await server.stop()


@pytest.mark.parametrize("path", ["abcde", "abcde/table.csv"])
@pytest.mark.parametrize("known", ["{}", "W/{}", '"other", {}', 'W/"other",W/{} , "more"', "*"])
async def test_what_is_known_is_not_sent_again(pages: ClientSession, path: str, known: str) -> None:
    async with pages.get(path) as first:
        tag = first.headers["ETag"]
        assert await first.read()
    async with pages.get(path, headers={"If-None-Match": known.format(tag)}) as again:
        assert again.status == 304
        assert again.headers["ETag"] == tag
        assert again.headers["Vary"] == "Accept-Language, Accept-Encoding"
        assert await again.read() == b""


async def test_a_line_of_a_table_says_whom_it_parts(pages: ClientSession) -> None:
    async with pages.get("abcde") as answer:
        body = (await answer.text()).partition("<tbody>")[2].partition("</tbody>")[0]
    lines = [re.sub(r"<[^>]*>", " ", row).split() for row in body.split("</tr>")]
    assert lines == [
        ["1", "a", "3"],
        ["final"],
        ["2", "b", "3"],
        ["down"],
        ["out"],
        ["3", "c", "3"],
        [],
    ]
    assert body.count('colspan="3"') == 3


async def test_what_is_known_is_not_made_again(pages: ClientSession, shown: OneLeague) -> None:
    async with pages.get("abcde") as first:
        tag = first.headers["ETag"]
    assert shown.made == 1
    async with pages.get("abcde", headers={"If-None-Match": tag}) as again:
        assert (again.status, shown.made) == (304, 1)


async def test_a_page_is_made_once_for_all_who_read_it_until_its_league_changes(
    pages: ClientSession, shown: OneLeague
) -> None:
    async def read(**headers: str) -> str:
        async with pages.get("abcde", headers={"Accept-Language": "en", **headers}) as answer:
            return await answer.text()

    at_once = await asyncio.gather(*(read() for _ in range(5)))
    assert len({*at_once, await read(), await read(**{"Accept-Encoding": "identity"})}) == 1
    assert shown.made == 1
    assert await read(**{"Accept-Language": "tr"}) not in at_once, "a page of its own"
    async with pages.get("abcde?season=2", headers={"Accept-Language": "en"}) as other:
        assert "Season 2" in await other.text()
    assert shown.made == 3
    async with pages.get("abcde") as before:
        shown.state = "second"
        async with pages.get("abcde") as after:
            assert before.headers["ETag"] != after.headers["ETag"]
    assert shown.made == 4


@pytest.mark.parametrize("known", ['"other"', 'W/"other", "more"', "", "nonsense", '"', "W/"])
async def test_what_is_not_known_is_sent(pages: ClientSession, known: str) -> None:
    async with pages.get("abcde", headers={"If-None-Match": known}) as response:
        assert response.status == 200
        assert "Season 1" in await response.text()


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("tr", "tr"),
        ("TR-tr", "tr"),
        ("eo,tr;q=0.8", "tr"),
        ("tr;q=0.1,de;q=0.9", "de"),
        ("tr ; q=0.1 , de", "de"),
        ("de;q=0.5,tr;q=0.5", "de"),
        ("tr;q=0,de;q=0.1", "de"),
        ("tr;q=0.000", "en"),
        ("eo-CH, eo;q=0.9, *;q=0.5", "en"),
        ("de-AT-1996,en;q=0.3", "de"),
        ("tr;q=2,ko;q=0.2", "ko"),
        ("tr;q=,;,=,;q=1,-,ko", "ko"),
        ("", "en"),
    ],
)
async def test_pages_speak_what_is_liked_best(pages: ClientSession, accepted: str, language: str) -> None:
    async with pages.get("abcde", headers={"Accept-Language": accepted}) as response:
        assert f'<html lang="{language}">' in await response.text()


async def test_a_language_that_was_chosen_stays(pages: ClientSession) -> None:
    async with pages.get("abcde?lang=ko", headers={"Accept-Language": "tr"}) as response:
        assert '<html lang="ko">' in await response.text()
    async with pages.get("abcde?lang=eo", headers={"Accept-Language": "tr"}) as response:
        assert '<html lang="tr">' in await response.text()


@pytest.mark.parametrize(
    ("path", "status"), [("none", 404), ("none/table.csv", 404), ("a/b/c", 404), ("away", 503)]
)
async def test_what_is_not_there_is_said_and_not_kept(pages: ClientSession, path: str, status: int) -> None:
    async with pages.get(path) as response:
        assert response.status == status
        assert response.headers["Cache-Control"] == "no-store"
        assert "ETag" not in response.headers


async def test_a_file_is_to_be_kept_under_its_leagues_name(pages: ClientSession) -> None:
    async with pages.get("abcde/table.csv") as response:
        assert response.content_type == "text/csv"
        assert response.headers["Content-Disposition"] == 'attachment; filename="abcde-table.csv"'
        assert (await response.text()).endswith("/league/abcde")


async def test_a_file_leads_to_the_page_s_published_address() -> None:
    server = WebServer("127.0.0.1", 0)
    LeaguePages(OneLeague(), ScriptedDelivery(), server, "https://okey.example")
    await server.start()
    async with ClientSession() as session, session.get(f"{server.url}league/abcde/league.ics") as response:
        assert await response.text() == "https://okey.example/league/abcde"
    await server.stop()


@pytest.mark.parametrize("named", [b"\xff", b"evil.example/x?", b"okey.example:1 2", b"a@okey.example"])
async def test_a_file_leads_nowhere_for_who_names_no_host(pages: ClientSession, named: bytes) -> None:
    url = pages._build_url("abcde/league.ics")
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(b"GET %b HTTP/1.0\r\nHost: %b\r\n\r\n" % (url.path.encode(), named))
    assert (await reader.read()).partition(b"\r\n\r\n")[2] == b""
    writer.close()


@pytest.mark.parametrize(
    ("key", "status", "said"),
    [
        ("right", 200, "No table is being played now."),
        ("wrong", 200, "This link has expired."),
        ("away", 503, ""),
    ],
)
async def test_a_wall_is_shown_to_whoever_hands_over_its_secret(
    pages: ClientSession, key: str, status: int, said: str
) -> None:
    async with pages.get("wall/tables", headers={"Authorization": f"Bearer {key}"}) as answer:
        assert answer.status == status
        assert said in (text := await answer.text())
        assert ("Thursday &lt;league&gt;" in text) is (key == "right")
        assert answer.headers["Cache-Control"] == "no-store"
    async with pages.get("wall") as page, pages.get("wall.js") as script:
        assert "/league/wall.js" in await page.text()
        assert "Authorization" in await script.text()
