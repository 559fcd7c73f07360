"""The cloth of Okey 101: melds stand by owner, the newest is marked, and plates speak in words."""

import pytest
from playwright.async_api import BrowserContext, expect

from bot.live import LiveHappening
from bot.pictures import theme
from tests.browser.test_table import Served, button, playing, served
from tests.patience import found

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
    assert await number.evaluate(style) == [f"rgb{theme.YELLOW}", f"rgb{theme.DARK}"]


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


IN_SIGHT = """() => {
    const cloth = document.querySelector('.cloth').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('.laid')].map(each => each.getBoundingClientRect());
    const inside = box => box.top >= cloth.top - 1 && box.bottom <= cloth.bottom + 1;
    return boxes.filter(inside).length;
}"""
"""How many melds are whole in sight."""
NARROWEST = """() => Math.min(...[...document.querySelectorAll('.laid .tile')]
    .map(each => each.getBoundingClientRect().width))"""
HEADS = "each => each.every(owner => owner.querySelectorAll('.head .portrait').length === 1)"


@pytest.mark.parametrize(("width", "height", "melds"), [(360, 640, 7), (390, 844, 12), (844, 390, 10)])
async def test_a_phone_shows_many_melds_in_large_tiles_beside_the_face_of_whose_they_are(
    phone: BrowserContext, served: Served, width: int, height: int, melds: int
) -> None:
    served.router.lays, served.router.melds, served.router.owners = True, 12, 3
    page = await playing(phone, served)
    await page.set_viewport_size({"width": width, "height": height})
    await expect(page.locator(".laid")).to_have_count(12)
    assert await page.evaluate(NARROWEST) >= 26
    assert await found(lambda: page.evaluate(f"({IN_SIGHT})() >= {melds}"))
    assert await page.locator(".owner").evaluate_all(HEADS)


async def test_what_was_laid_last_comes_into_sight_wherever_its_owner_sits(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.melds, served.router.owners = True, 24, 3
    page = await playing(phone, served)
    await page.set_viewport_size({"width": 360, "height": 640})
    first = page.locator(".owner").first.locator(".laid").first
    await page.locator(".cloth").evaluate("each => each.scrollTop = each.scrollHeight")
    await expect(first).not_to_be_in_viewport()
    served.router.happened += [LiveHappening("laid_off", 1, "Y10", -1, 1)]
    await button(page, "Runs").tap()
    await expect(first).to_have_class("laid newest")
    await expect(first).to_be_in_viewport()
