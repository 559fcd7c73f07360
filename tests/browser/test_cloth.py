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
    await expect(page.locator(".seat.top .opened")).to_have_text("opened 6 pairs · 14 tiles")


async def test_yellow_is_yellow_and_has_a_dark_outline(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    number = page.locator("#rack .yellow b").first
    style = "each => [getComputedStyle(each).color, getComputedStyle(each).webkitTextStrokeColor]"
    assert await number.evaluate(style) == ["rgb(255, 196, 0)", "rgb(69, 48, 0)"]


async def test_on_a_wide_cloth_the_melds_of_two_players_stand_side_by_side(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.melds, served.router.owners = True, 12, 2
    page = await playing(phone, served)
    await page.set_viewport_size({"width": 1280, "height": 800})
    owners = "() => [...document.querySelectorAll('.owner')].map(each => each.getBoundingClientRect())"
    first, second = await page.evaluate(f"({owners})().map(({{left, right, top}}) => [left, right, top])")
    assert first[1] <= second[0]
    assert first[2] == second[2]
    hidden = "document.querySelector('.cloth').scrollHeight - document.querySelector('.cloth').clientHeight"
    assert await page.evaluate(hidden) <= 0
