"""The cloth of Okey 101: melds stand by owner, the newest is marked, and plates speak in words."""

import pytest
from playwright.async_api import BrowserContext, expect

from bot.live import LiveHappening
from tests.browser.test_table import Served, button, playing, served

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_melds_stand_by_owner_the_newest_is_marked_and_plates_speak_in_words(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.melds, served.router.opened = True, 3, "6 pairs"
    page = await playing(phone, served)
    laid = page.get_by_role("group", name="Can", exact=True).locator(".laid")
    await expect(laid).to_have_count(3)
    served.router.happened += [LiveHappening("laid_off", 2, "Y10", -1, 2)]
    await button(page, "Runs").tap()
    await expect(page.locator(".laid.newest")).to_have_count(1)
    await expect(laid.nth(1)).to_have_class("laid newest")
    await expect(page.locator(".seat.top .opened")).to_have_text("6 pairs · 14 tiles")


async def test_yellow_is_yellow_and_has_a_dark_outline(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    number = page.locator("#rack .yellow b").first
    style = "each => [getComputedStyle(each).color, getComputedStyle(each).webkitTextStrokeColor]"
    assert await number.evaluate(style) == ["rgb(255, 196, 0)", "rgb(69, 48, 0)"]
