"""The wall in a browser: a night's tables side by side, kept up to date, on a phone and on a projector."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Route, expect

from adapters.web import LeaguePages, WebServer
from bot.i18n import Words
from bot.markup import Wall, WallTable
from tests.adapters.web.scripted import ScriptedDelivery, ScriptedRouter
from tests.browser.test_accessibility import complaints

pytestmark = pytest.mark.asyncio(loop_scope="session")

KEY = "k" * 43


class Changing:
    """A night of which the test says how many tables are played."""

    tables = 3

    async def wall(self, key: str, words: Words) -> Wall | None:
        screen = ScriptedRouter().public()
        shown = [
            WallTable(replace(screen, text=(f"Table {number} · round 1",)), replay="/league/abcde/replay/x")
            for number in range(1, self.tables + 1)
        ]
        return Wall("Thursday <b>league</b>", tuple(shown)) if key == KEY else None


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[tuple[str, Changing]]:
    reader, server = Changing(), WebServer("127.0.0.1", 0)
    LeaguePages(reader, ScriptedDelivery(), server)  # type: ignore[arg-type]
    await server.start()
    yield f"{server.url}league/wall", reader
    await server.stop()


async def test_the_tables_are_shown_and_kept_up_to_date(
    phone: BrowserContext, server: tuple[str, Changing]
) -> None:
    address, reader = server
    page = await phone.new_page()
    await page.goto(f"{address}#{KEY}")
    tables = page.get_by_role("article")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thursday <b>league</b>")
    await expect(tables.get_by_role("heading")).to_have_text([f"Table {n} · round 1" for n in (1, 2, 3)])
    assert not await complaints(page)
    reader.tables = 1
    await expect(tables).to_have_count(1)
    await page.set_viewport_size({"width": 1280, "height": 800})
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_tables_stay_while_a_proxy_says_that_the_server_is_away(
    browser: Browser, server: tuple[str, Changing]
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(f"{server[0]}#{KEY}")
    tables = page.get_by_role("article")
    await expect(tables).to_have_count(3)
    asked = asyncio.Event()

    async def answer(route: Route) -> None:
        await route.fulfill(status=502, content_type="text/html", body="<h1>502 Bad Gateway</h1>")
        asked.set()

    await page.route("**/league/wall/tables", answer)
    await asked.wait()
    asked.clear()
    await asked.wait()  # what the first answer brought is shown
    assert await tables.count() == 3
    await context.close()


async def test_a_link_that_is_no_longer_good_says_so(
    phone: BrowserContext, server: tuple[str, Changing]
) -> None:
    page = await phone.new_page()
    await page.goto(f"{server[0]}#old")
    await expect(page.get_by_text("This link has expired.")).to_be_visible()
    await page.goto(f"{server[0]}#{KEY}")  # another one, in the address of the same page
    await expect(page.get_by_role("article")).to_have_count(3)
