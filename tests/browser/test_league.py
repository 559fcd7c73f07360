"""A league's public pages in a browser without scripts: on a phone, on a router, on paper, for everybody."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, ViewportSize

from bot.i18n import LANGUAGES
from bot.ids import night_id
from bot.league.events import CheckInClosed, Ended, NightEvent, Recorded, RoundEnded
from bot.league.model import League, NightRef
from bot.league.seasons import announcement
from bot.repository.leagues import LeagueRepository
from bot.store import open_store
from tests.bot.league.evenings import KEY, START, checked_in, league, played, replied, seated
from tests.browser.test_accessibility import complaints
from tests.browser.test_round import Okey

pytestmark = pytest.mark.asyncio(loop_scope="session")

WEEK = 7 * 24 * 3600.0
STARTS = ("2026-03-05T20:00", "2026-03-12T20:00", "2026-03-19T20:00")
NAMES = (
    *("Ada <b>Lovelace</b>", "Can", "Muhteşem Yüzyıl Şampiyonu Ğüçlü", "Bob"),
    *("Gül", "Han", "Ida", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"),
)
TABLES = (("m1", "m2", "m3", "m4"), ("m5", "m6", "m7", "m8"))

PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
WAYS = ("", "/night/abcde-202603052000", "/night/none")


def season() -> tuple[League, list[list[NightEvent]]]:
    """Three nights; the best two count, so that everybody has one that does not. Whoever has the longest
    name wins the last one."""
    ids = [night_id("abcde", start) for start in STARTS]
    refs = tuple(
        NightRef(id=id, start=START + number * WEEK, season=1, over=True) for number, id in enumerate(ids)
    )
    held = replace(league(NAMES, best_of=2), nights=refs, ended=True)
    everybody = [member for table in TABLES for member in table]
    return held, [
        [
            announcement(held, ref, KEY),
            *replied(everybody),
            *checked_in(everybody),
            CheckInClosed(playing=tuple(everybody)),
            *seated(*TABLES),
            *played(1, 1, TABLES[0], (10 * n, 4, -2, 0)),
            *played(1, 2, TABLES[1], (3, 3, 8 - n, -9) if n < 3 else (3, 3, -9, 40)),
            RoundEnded(round=1),
            Ended(),
        ]
        for n, ref in enumerate(refs, start=1)
    ]


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """Where a running program shows the season."""
    folder: Path = tmp_path_factory.mktemp("l")
    held, nights = season()
    async with open_store(None, folder / "data") as store:
        leagues = LeagueRepository(store)
        await leagues.create_league(held, "found")
        for ref, (announced, *events) in zip(held.nights, nights, strict=True):
            await leagues.announce(Recorded(ref.start, "", "", announced), ref.id)
            await leagues.act(ref.id, "played", lambda night, now, events=events: events)  # type: ignore[misc]
    program = Okey(folder)
    await program.start()
    yield f"{program.url}league/abcde"
    await program.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page on which no script runs."""
    context = await browser.new_context(java_script_enabled=False, locale="en-GB", viewport=PHONE)
    yield await context.new_page()
    await context.close()


LINES_OF_WORDS = """name => {
    const text = [...document.querySelectorAll('tbody th a')]
        .map(each => each.firstChild.firstChild ?? each.firstChild).find(each => each.data === name);
    return [...name.matchAll(/\\S+/g)].map(word => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length;
    });
}"""
"""The lines on which each word of a name in the first table stands."""

LINES = """all => all.map(each => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return new Set([...range.getClientRects()].filter(line => line.width > 1).map(line => line.top)).size;
})"""
"""On how many lines the words of each stand."""


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_name_is_broken_between_its_words(page: Page, address: str, language: str) -> None:
    await page.goto(f"{address}?lang={language}")
    assert await page.evaluate(LINES_OF_WORDS, NAMES[2]) == [1, 1, 1, 1]
    assert (await page.evaluate(LINES_OF_WORDS, NAMES[7]))[0] > 1, "a word wider than its column"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_decided_a_rank_stays_short(page: Page, address: str, language: str) -> None:
    await page.goto(f"{address}?lang={language}")
    decided = page.locator(".grid").first.locator("tbody td:nth-child(4)")
    assert await decided.count() == len(NAMES)
    assert max(await decided.evaluate_all(LINES)) <= 2


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_date_stays_short_beside_a_long_name(page: Page, address: str, language: str) -> None:
    await page.goto(f"{address}?lang={language}")
    dates = page.locator("tbody th time")
    assert await dates.count() == len(STARTS)
    assert max(await dates.evaluate_all(LINES)) <= 3


@pytest.mark.parametrize("language", LANGUAGES)
async def test_pages_are_as_wide_as_what_they_are_read_on(page: Page, address: str, language: str) -> None:
    for size in (PHONE, DESKTOP):
        await page.set_viewport_size(size)
        for way in WAYS:
            await page.goto(f"{address}{way}?lang={language}")
            picture = await page.screenshot(full_page=True)
            assert int.from_bytes(picture[16:20]) == size["width"], (way, "a page that scrolls sideways")
            assert await page.locator("html").get_attribute("lang") == language


async def test_rank_and_name_stay_in_sight_beside_the_figures(page: Page, address: str) -> None:
    await page.goto(address)
    table = page.locator(".grid").first
    name, points = table.get_by_role("rowheader").first, table.get_by_role("cell").nth(1)
    before = [await box.bounding_box() for box in (name, points)]
    assert await table.evaluate("table => (table.scrollLeft = 60, table.scrollLeft)") == 60
    after = [await box.bounding_box() for box in (name, points)]
    moved = [one["x"] - other["x"] for one, other in zip(before, after, strict=True) if one and other]
    assert moved == [pytest.approx(0, abs=6), pytest.approx(60)], "at most by the padding of the rank"


async def test_what_is_dropped_is_told_in_words_and_by_marks(page: Page, address: str) -> None:
    await page.goto(address)
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Ada <b>Lovelace</b>"))
    cells = [" ".join(cell.split()) for cell in await row.get_by_role("cell").all_inner_texts()]
    assert cells == ["1", "6", "sum of scores: 30", "3", "3", "(3) does not count", "2"], (
        "two nights, and their tables"
    )


async def test_one_goes_from_the_season_to_a_night_and_back(page: Page, address: str) -> None:
    await page.goto(f"{address}?lang=tr")
    await page.get_by_role("link", name="5 Mar 2026").click()
    assert "1. gece" in await page.inner_text("main")
    await page.get_by_role("link", name="sayfasına dön").click()
    assert await page.get_by_role("heading", name="Sezon tablosu").is_visible()


async def test_a_page_that_has_not_changed_is_not_sent_again(page: Page, address: str) -> None:
    first = await page.request.get(address)
    again = await page.request.get(address, headers={"If-None-Match": first.headers["etag"]})
    assert (first.status, again.status, await again.body()) == (200, 304, b"")


async def test_files_are_for_keeping(page: Page, address: str) -> None:
    for name, begins in (
        ("calendar.ics", "BEGIN:VCALENDAR"),
        ("standings.csv", "rank,"),
        ("results.csv", "night,"),
    ):
        file = await page.request.get(f"{address}/{name}")
        assert (await file.text()).startswith(begins)
        assert file.headers["content-disposition"] == f'attachment; filename="abcde-{name}"'


async def test_on_paper_everything_of_a_table_is_there(page: Page, address: str) -> None:
    await page.emulate_media(media="print")
    await page.goto(address)
    assert not await page.get_by_role("navigation").first.is_visible()
    assert await page.get_by_role("rowheader", name="Bob").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_checker_finds_nothing(browser: Browser, address: str, scheme: str) -> None:
    # The checker is itself a script; the pages have none.
    dark = scheme == "dark"
    context = await browser.new_context(bypass_csp=True, color_scheme="dark" if dark else "light")
    page = await context.new_page()
    for size in (PHONE, DESKTOP):
        await page.set_viewport_size(size)
        for way in WAYS:
            await page.goto(address + way)
            assert await page.locator("script").count() == 0
            assert await complaints(page) == "", way
    await context.close()
