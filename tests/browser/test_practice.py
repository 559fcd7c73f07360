"""Help, guide and a practice round on a phone: the page shows a rack whose table no place shows."""

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from bot.i18n import words_for
from tests.browser.test_round import Okey, okey

__all__ = ["okey"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


def button(page: Page, key: str) -> Locator:
    return page.get_by_role("button", name=words_for("en").plain(key), exact=True)


async def come_in(phone: BrowserContext, okey: Okey) -> Page:
    page = await phone.new_page()
    await page.goto(okey.url)
    await page.get_by_label("Your name").fill("Ada")
    await page.keyboard.press("Enter")
    await expect(page.locator("#open, #nothing button").first).to_be_attached()
    return page


async def test_help_leads_through_the_guide_to_a_round_of_one_s_own(
    phone: BrowserContext, okey: Okey
) -> None:
    page = await come_in(phone, okey)
    reading, rack = (page.get_by_role("region", name=name) for name in ("Info", "Your rack"))
    await button(page, "page.help").click()
    await expect(reading).to_contain_text("the Turkish tile game")
    await button(page, "button.guide").click()
    for number in (1, 2, 3):
        await expect(reading).to_contain_text(f"{number}/3")
        await expect(reading.get_by_role("img").first).to_be_visible()
        if number < 3:
            await button(page, "button.guide_next").click()
    await button(page, "button.practice").click()
    await expect(rack.locator(".shelf > .tile").nth(13)).to_be_visible()
    await button(page, "page.close").click()
    await expect(page.locator("#nothing")).to_be_hidden()
    await expect(rack).to_contain_text("💡")

    await page.reload()
    await expect(rack.locator(".shelf > .tile").nth(13)).to_be_visible()
    await button(page, "button.practice_leave").click()
    await expect(rack).to_contain_text("It counts nowhere.")
    await expect(button(page, "button.practice")).to_be_visible()
