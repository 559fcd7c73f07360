"""The page on a phone in every language: its own words, and nothing that reaches beyond the screen."""

from itertools import product
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, expect

from bot.i18n import LANGUAGES, words_for
from bot.store import open_store
from tests.adapters.web.test_doors import DoorHouse, open_doors
from tests.browser.conftest import MODULE, WITHIN
from tests.browser.test_round import Okey, okey
from tests.browser.test_table import ACROSS, COVERED, SIZES, Served, button, come_in, enter, served

__all__ = ["okey", "served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

SMALLEST: ViewportSize = {"width": 360, "height": 640}
TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll('.press, p:not(.unseen), h1, h2')]
    .filter(part => getComputedStyle(part).textOverflow !== 'ellipsis')
    .filter(part => part.scrollWidth > part.clientWidth + 1)
    .map(part => part.innerText)"""

TWICE = "document.documentElement.style.fontSize = '200%'"
CUT_NAMES = """() => [...document.querySelectorAll('.plate bdi')]
    .filter(name => name.scrollWidth > name.clientWidth).map(name => name.innerText)"""

ON_EACH_OTHER = """() => [...document.querySelectorAll('#reactions button')]
    .filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"""
BEYOND_TOOLS = """() => [...document.querySelectorAll('.tools .press')]
    .filter(each => each.getBoundingClientRect().right > innerWidth || each.scrollWidth > each.clientWidth
        || each.offsetWidth < 44)
    .map(each => each.innerText)"""


async def nothing_is_cut(page: Page) -> None:
    assert await page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("lays", [False, True])
async def test_twice_the_text_covers_nothing_and_half_the_width_cuts_nothing(
    phone: BrowserContext, served: Served, lays: bool
) -> None:
    """WCAG 1.4.4 and 1.4.10: the page may be scrolled downwards, and nowhere else."""
    served.router.lays = lays
    page = await come_in(phone, served, "Alexandra")
    await page.set_viewport_size({"width": 180, "height": 320})
    await page.get_by_role("button", name="Play with friends").click()
    await expect(page.locator(".sharing input")).to_be_visible()
    await nothing_is_cut(page)
    await page.set_viewport_size(SMALLEST)
    await page.evaluate(TWICE)
    await nothing_is_cut(page)
    await button(page, "Home").click()
    await expect(page.get_by_role("radio", name="steady")).to_be_visible()
    await nothing_is_cut(page)
    await page.locator(".card").click()
    await page.get_by_role("button", name="Start with").click()
    await expect(page.locator("#rack .tile").first).to_be_visible()
    assert (
        await page.evaluate(
            COVERED,
            [".plate, .plate > *", ".pile, .stock, .indicator .lying, .laid, .okey, .disc, .press"],
        )
        == []
    )
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        under = ".indicator .lying, .pile, .plate, .own, .page > header button"
        assert await page.evaluate(COVERED, [".okey", under]) == [], width
    await page.set_viewport_size(SMALLEST)
    await page.get_by_role("button", name="Runs").tap()
    await button(page, "React").tap()
    await expect(page.locator("#reactions")).to_be_visible()
    assert await page.evaluate(ON_EACH_OTHER) == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_all_buttons_below_a_rack_are_in_sight_on_a_small_phone(
    browser: Browser, served: Served, language: str
) -> None:
    context = await browser.new_context(viewport=SMALLEST, has_touch=True, locale=language)
    await context.add_init_script(MODULE)
    context.set_default_timeout(WITHIN)
    page = await context.new_page()
    await enter(page, served.url)
    await page.locator("[data-do=now]").tap()
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    served.router.rack += ["Y6", "Y10"]
    for lays, lifts in product((False, True), (False, True)):
        served.router.lays = lays
        await page.reload()
        await page.locator("#rack .slot .tile").first.wait_for()
        if lifts:
            await page.locator("#rack .slot .tile").first.tap()
        await expect(page.locator(".tools [data-do=put_down]")).to_have_count(int(lays))
        await expect(page.locator(".tools [data-do=lay_off]")).to_have_count(int(lays and not lifts))
        for width, height in ((360, 640), (640, 360)):
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate(BEYOND_TOOLS) == [], (lays, lifts, width)
    await context.close()


async def test_every_language_fits_a_phone_from_the_doors_to_the_rack(browser: Browser, okey: Okey) -> None:
    for language in LANGUAGES:
        await _played(browser, okey, language)


async def _played(browser: Browser, okey: Okey, language: str) -> None:
    words = words_for(language)

    def own(key: str, **values: int) -> str:
        return words.plain(f"live.{key}", **values)

    context = await browser.new_context(viewport=SMALLEST, has_touch=True, locale=language)
    context.set_default_timeout(WITHIN)
    await context.add_init_script(MODULE)
    page = await context.new_page()
    await enter(page, okey.url)
    await expect(page.get_by_role("button", name=own("now"))).to_be_visible()
    await nothing_is_cut(page)
    figure = "module().then(({ figure }) => figure(-2000.5))"
    assert await page.evaluate(figure) == f"−2000{words.number(0.5)[1:]}"
    for seconds, unit, n in (
        (90, "seconds", 90),
        (60, "minutes", 1),
        (7200, "hours", 2),
        (86400, "hours", 24),
    ):
        said = await page.evaluate(f"module().then(({{ clock }}) => clock({seconds}))")
        assert said == words.plain(f"clock.{unit}", n=n), "as the chats say it"
    loose = "module().then(({ say, tileName }) => say('live.loose', { tile: tileName('B4') }))"
    sentence = await page.evaluate(loose)
    assert sentence[0] == sentence[0].upper()
    assert await page.evaluate(loose.replace("live.loose", "level.easy")) == words.plain("level.easy")
    await page.get_by_role("button", name=own("friends")).click()
    start = page.get_by_role("button", name=own("start_with", n=3))
    await expect(start).to_be_visible()
    await expect(page.locator(".sharing input")).to_be_visible()
    await expect(start).to_be_in_viewport(ratio=1)
    await nothing_is_cut(page)
    await start.click()
    rack = page.get_by_role("region", name=words.plain("page.rack"))
    await expect(rack.locator(".tile").nth(13)).to_be_visible()
    await expect(rack.get_by_role("button", name=own("runs"), exact=True)).to_be_visible()
    await nothing_is_cut(page)
    await page.set_viewport_size(ACROSS)
    await expect(page.locator(".shelf")).to_have_count(2)
    assert await page.evaluate(CUT_NAMES) == []
    await page.set_viewport_size(SMALLEST)
    await page.get_by_role("button", name=own("menu"), exact=True).click()
    await nothing_is_cut(page)
    await page.get_by_role("button", name=words.plain("page.rules"), exact=True).click()
    await expect(page.get_by_role("dialog", name=words.plain("page.reading"))).to_be_visible()
    await nothing_is_cut(page)
    await context.close()


async def test_every_language_fits_a_phone_behind_a_door(
    browser: Browser, valkey_url: str, tmp_path: Path
) -> None:
    async with open_store(valkey_url, tmp_path) as store, open_doors(store) as doors:
        for language in LANGUAGES:
            await _entered(browser, doors, language)


async def _entered(browser: Browser, doors: DoorHouse, language: str) -> None:
    words, ada = words_for(language), doors.house.person("Ada")
    await doors.house.press(ada, f"speak.me.0.{language}")
    context = await browser.new_context(viewport=SMALLEST, has_touch=True, locale=language)
    await context.add_init_script(MODULE)
    context.set_default_timeout(WITHIN)
    page = await context.new_page()
    await page.goto(f"{doors.url}/#k={await doors.secret(ada)}")
    enter = page.get_by_role("button", name=words.plain("page.enter"))
    await expect(enter).to_be_visible()
    await nothing_is_cut(page)
    await enter.click()
    await expect(page.get_by_label(words.plain("live.code"))).to_be_visible()
    await nothing_is_cut(page)
    await page.get_by_role("button", name=words.plain("live.menu"), exact=True).click()
    await page.get_by_role("button", name=words.plain("page.log_out")).click()
    await expect(page.get_by_text(words.plain("page.open_again"))).to_be_visible()
    await nothing_is_cut(page)
    await context.close()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_word_of_the_settings_is_broken_on_a_small_phone(
    browser: Browser, served: Served, language: str
) -> None:
    context = await browser.new_context(viewport=SMALLEST, locale=language, reduced_motion="reduce")
    context.set_default_timeout(WITHIN)
    page = await context.new_page()
    await enter(page, served.url)
    await page.locator("[data-do=settings]").click()
    broken = """() => [...document.querySelectorAll('#settings .choice .press')].filter(each => {
        const words = each.textContent.split(' ').length, range = document.createRange();
        range.selectNodeContents(each);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return lines.size > words || each.scrollWidth > each.clientWidth;
    }).map(each => each.textContent)"""
    assert await page.evaluate(broken) == []
    await context.close()
