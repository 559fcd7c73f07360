"""Every screen in every language, window and theme: nothing is cut, covered or faint, and sheets close."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import product

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from bot.i18n import LANGUAGES
from bot.live import LiveHint, LiveRound
from tests.browser.conftest import MODULE, WITHIN
from tests.browser.test_table import Served, enter, served, typed

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

WINDOWS = ((320, 480), (360, 640), (390, 844), (844, 390), (768, 1024), (1440, 900))
FAULTS = """() => {
    const faults = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide`);
    const cut = each => each.scrollWidth > each.clientWidth + 1
        && !['auto', 'scroll'].includes(getComputedStyle(each).overflowX)
        && getComputedStyle(each).textOverflow !== 'ellipsis';
    for (const each of document.querySelectorAll('.press, p:not(.unseen), h1, h2, th, .hint, .counter')) {
        if (each.clientWidth && cut(each)) faults.push(`cut: ${each.textContent}`);
    }
    const sheet = [...document.querySelectorAll('.sheet')].at(-1);
    for (const each of sheet?.querySelectorAll('[data-closes], .result .primary, [data-do=unset]') ?? []) {
        const { left, top, width, height, bottom } = each.getBoundingClientRect();
        const seen = width && bottom <= innerHeight
            && each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        if (width && !seen) faults.push(`out of sight: ${each.textContent}`);
    }
    const boxes = [...(sheet ?? root).querySelectorAll('.row .press, .tools .press, .choice .press')]
        .map(each => [each, each.getBoundingClientRect()]);
    for (const [at, [one, a]] of boxes.entries()) for (const [other, b] of boxes.slice(at + 1)) {
        if (one.parentElement !== other.parentElement || !a.width || !b.width) continue;
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) {
            faults.push(`on each other: ${one.textContent}, ${other.textContent}`);
        }
    }
    for (const tools of document.querySelectorAll('.tools')) {
        if (tools.scrollWidth > tools.clientWidth + 1) faults.push('a tool is beyond its row');
    }
    if (innerWidth >= 340) for (const each of document.querySelectorAll('.play .choice .press')) {
        const words = document.createRange();
        words.selectNodeContents(each);
        const size = parseFloat(getComputedStyle(each).fontSize);
        if (words.getBoundingClientRect().height > 2 * size) faults.push(`two lines: ${each.textContent}`);
    }
    const lines = [...document.querySelectorAll('.laid')]
        .filter(each => new Set([...each.children].map(tile => tile.offsetTop)).size > 1);
    if (lines.length) faults.push(`${lines.length} broken melds`);
    for (const each of document.querySelectorAll('.page > :not(#reading), .reading .press')) {
        const signs = each.innerText?.match(/\\p{Extended_Pictographic}/gu);
        if (signs) faults.push(`signs: ${signs}`);
    }
    for (const hint of document.querySelectorAll('.hint:not(.told)')) {
        const lines = hint.getBoundingClientRect().height / parseFloat(getComputedStyle(hint).lineHeight);
        if (innerWidth >= 340 && lines > 2.1) faults.push(`${Math.round(lines)} lines: ${hint.textContent}`);
    }
    for (const badge of document.querySelectorAll('.badge')) {
        if (cut(badge)) faults.push(`cut: ${badge.textContent}`);
        const a = badge.getBoundingClientRect();
        for (const under of document.querySelectorAll('.cloth, .pile > .tile, .plate bdi, .score')) {
            const b = under.getBoundingClientRect();
            const meet = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
            if (b.width && meet) faults.push(`${badge.textContent} on ${under.className || under.localName}`);
        }
    }
    return faults;
}"""
"""What is wider than its window or its box, lies on its neighbour, or can't be reached to close a sheet;
choices of the first page and melds that go on in a second line, and tasks in a third; signs for icons;
and words about moves that lie on others."""
SAYING = """module().then(({ state, render, say }) => {
    const words = [['took'], ['laid_off', 3], ['shown', '-1'], ['opened_pairs', 5], ['opened_melds', 116]]
        .map(([what, n]) => say(`live.badge_${what}`, { n, points: n }));
    for (const seat of [1, 2, 3]) state.badges.set(seat, words.slice(seat));
    render();
})"""
"""Several words at each of the others' seats."""


@asynccontextmanager
async def opened(browser: Browser, served: Served, language: str) -> AsyncIterator[Page]:
    context = await browser.new_context(has_touch=True, locale=language, reduced_motion="reduce")
    context.set_default_timeout(WITHIN)
    await context.add_init_script(MODULE)
    page = await context.new_page()
    await enter(page, served.url)
    yield page
    await context.close()


async def home(page: Page, served: Served) -> None:
    await page.locator("[data-do=now]").wait_for()


async def lesson(page: Page, served: Served) -> None:
    await page.locator("[data-do=learn]").click()
    await page.locator(".lesson").wait_for()


async def lobby(page: Page, served: Served) -> None:
    await page.locator("[data-do=friends]").click()
    await page.locator(".sharing input").wait_for()


async def table(page: Page, served: Served) -> None:
    await page.locator("[data-do=now]").click()
    await page.locator("button.stock").click()
    await page.locator(".bay button").wait_for()
    await page.locator("#rack .slot .tile").first.click()


async def cloth(page: Page, served: Served) -> None:
    served.router.lays, served.router.melds, served.router.owners, served.router.long = True, 12, 3, True
    await table(page, served)
    await page.evaluate(SAYING)


async def unopened(page: Page, served: Served) -> None:
    served.router.lays, served.router.opened = True, ""
    await page.locator("[data-do=now]").click()
    await page.locator(".counter > span").first.wait_for()


async def taught(page: Page, served: Served) -> None:
    served.router.hint = LiveHint("draw", "", None, "Draw from the stock.", "13 of 52 unseen tiles help.")
    await page.locator("[data-do=now]").click()
    await page.locator(".hint.told").wait_for()


async def menu(page: Page, served: Served) -> None:
    await table(page, served)
    await page.locator("[data-do=menu]").click()
    await page.locator("#menu").wait_for()


async def settings(page: Page, served: Served) -> None:
    await page.locator("[data-do=settings]").click()
    await page.locator("#settings").wait_for()


async def daily(page: Page, served: Served) -> None:
    served.router.puzzle = "finish"
    await typed(page, "/daily")
    await page.locator("#reading .puzzle").wait_for()


async def review(page: Page, served: Served) -> None:
    await typed(page, "/review")
    await page.locator("#reading .curve").wait_for()


async def result(page: Page, served: Served) -> None:
    served.router.winners, served.router.scores = (1,), (3, 9, 6, 1)
    served.router.rounds = [LiveRound(0, (0, -4, -4, -4)), LiveRound(2, (-2, -2, 0, -2))]
    await page.locator("[data-do=now]").click()
    await page.locator("button.stock").wait_for()
    served.router.stage = "over"
    await page.locator("[data-kind=sort_runs]").click()
    await page.locator("#result").wait_for()


SCREENS = (home, lesson, lobby, table, cloth, unopened, taught, menu, settings, daily, review, result)


@pytest.mark.parametrize("screen", SCREENS)
async def test_nothing_is_cut_or_covered_in_any_language_and_window(
    browser: Browser, served: Served, screen: Callable[[Page, Served], Awaitable[None]]
) -> None:
    faults = []
    for language in LANGUAGES:
        served.router.__init__()  # type: ignore[misc]  # the table is opened anew
        async with opened(browser, served, language) as page:
            await screen(page, served)
            for width, height in WINDOWS:
                await page.set_viewport_size({"width": width, "height": height})
                await page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
                faults += [(language, width, fault) for fault in await page.evaluate(FAULTS)]
    assert faults == []


async def test_settings_stand_in_two_columns_in_a_low_window(phone: BrowserContext, served: Served) -> None:
    page = await phone.new_page()
    await enter(page, served.url)
    await settings(page, served)
    tops = "[...document.querySelectorAll('.setting')].map(each => each.getBoundingClientRect().top)"
    for (width, height), columns in (((390, 844), 1), ((844, 390), 2)):
        await page.set_viewport_size({"width": width, "height": height})
        found = await page.evaluate(tops)
        assert max(map(found.count, found)) == columns


CONTRASTS = """async ([cloth, tiles]) => {
    Object.assign(document.documentElement.dataset, { cloth, tiles });
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const seen = (...colours) => {
        for (const colour of colours) Object.assign(context, { fillStyle: colour }).fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map(each => each / 255)
            .map(each => (each <= .04 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4))
            .reduce((sum, each, at) => sum + each * [.2126, .7152, .0722][at], 0);
    };
    const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const faint = [];
    const game = getComputedStyle(document.querySelector('.page.game'));
    const felts = ['--felt', '--felt-dark'].map(name => game.getPropertyValue(name));
    const words = document.querySelectorAll('.plate bdi, .score, .opened, .hint, .counter, .title span');
    for (const each of [...words].filter(({ textContent }) => textContent.trim())) {
        const { color } = getComputedStyle(each);
        const least = Math.min(...felts.map(felt => ratio(seen(felt, color), seen(felt))));
        if (least < 4.5) faint.push(`${each.className} ${least.toFixed(1)}`);
    }
    for (const each of document.querySelectorAll('#rack .face b, .laid .face b')) {
        const { backgroundColor, backgroundImage } = getComputedStyle(each.closest('.face'));
        const upper = backgroundImage.match(/rgba?\\([^)]*\\)/)?.[0] ?? backgroundColor;
        const { color, webkitTextStrokeColor, webkitTextStrokeWidth } = getComputedStyle(each);
        const inks = parseFloat(webkitTextStrokeWidth) ? [color, webkitTextStrokeColor] : [color];
        const best = Math.max(...inks.map(ink => ratio(seen(upper, ink), seen(upper))));
        if (best < 4.5) faint.push(`${each.closest('.face').className} ${best.toFixed(1)}`);
    }
    return faint;
}"""
"""The words on the felt (there are none in its light middle) and the numbers on tiles whose contrast is
below 4.5 (WCAG 1.4.3)."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_words_and_numbers_stand_out_in_every_theme(
    phone: BrowserContext, served: Served, scheme: str
) -> None:
    page = await phone.new_page()
    await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    await enter(page, served.url)
    await cloth(page, served)
    await expect(page.locator(".laid")).to_have_count(12)
    faint = {}
    for look in product(("green", "blue", "red"), ("ivory", "night", "contrast")):
        faint[look] = await page.evaluate(CONTRASTS, look)
    assert {look: what for look, what in faint.items() if what} == {}
