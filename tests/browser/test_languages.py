"""The page on a phone in every language: its own words, and nothing that reaches beyond the screen."""

import pytest
from playwright.async_api import Browser, Page, expect

from bot.i18n import LANGUAGES, words_for
from tests.browser.conftest import PHONE, WITHIN
from tests.browser.test_round import Okey, okey

__all__ = ["okey"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll('button, p:not(.unseen), h1, h2')]
    .filter(part => !part.closest('#tables') && part.scrollWidth > part.clientWidth + 1)
    .map(part => part.innerText)"""


async def nothing_is_cut(page: Page) -> None:
    assert await page.evaluate(TOO_WIDE) == []


async def test_every_language_fits_a_phone_from_the_door_to_the_rack(browser: Browser, okey: Okey) -> None:
    for number, language in enumerate(LANGUAGES):
        await _played(browser, okey, language, "#table" if number else "#nothing")


async def _played(browser: Browser, okey: Okey, language: str, seen_first: str) -> None:
    words = words_for(language)

    def own(key: str) -> str:
        return words.plain(f"page.{key}")

    context = await browser.new_context(viewport=PHONE, has_touch=True, locale=language)
    context.set_default_timeout(WITHIN)
    page = await context.new_page()
    await page.goto(okey.url)
    await page.get_by_label(own("your_name")).fill("Ada")
    await page.keyboard.press("Enter")
    await expect(page.locator(seen_first)).to_be_visible()
    await page.get_by_role("button", name=own("open_table"), exact=True).click()
    start = page.get_by_role("button", name=words.plain("button.start_with", n=3), exact=True)
    await expect(start).to_be_visible()
    await nothing_is_cut(page)
    await start.click()
    rack = page.get_by_role("region", name=own("rack"))
    await expect(rack.locator(".shelf > .tile").nth(13)).to_be_visible()
    await expect(rack.get_by_role("button", name=words.plain("button.sort_runs"), exact=True)).to_be_visible()
    await nothing_is_cut(page)
    await page.get_by_role("button", name=own("rules"), exact=True).click()
    await expect(page.get_by_role("region", name=own("reading"))).to_be_visible()
    await nothing_is_cut(page)
    await context.close()
