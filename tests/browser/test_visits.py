"""What a browser asks for when it opens the page, and what it draws while a tile is dragged."""

import pytest
from playwright.async_api import BrowserContext, expect

from tests.browser.fingers import Finger
from tests.browser.test_table import RAISED, Served, enter, pile, place, playing, served, tile

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST = 4
"""Requests of a second visit."""


async def test_a_second_visit_asks_for_almost_nothing(phone: BrowserContext, served: Served) -> None:
    page = await phone.new_page()
    await enter(page, served.url)
    await page.get_by_role("button", name="Play now").wait_for()
    from_network = """performance.getEntriesByType('resource')
        .filter(each => each.transferSize > 0).map(each => each.name)"""
    await page.goto("about:blank")
    await page.goto(served.url)
    await page.get_by_role("button", name="Play now").wait_for()
    assert len(await page.evaluate(from_network)) + 1 <= MOST


async def test_a_drag_draws_the_rack_and_the_target_alone(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await page.evaluate(
        "() => { window.changed = new Set(); new MutationObserver(all => all.forEach(({ target }) =>"
        "    changed.add(target.closest?.('.wood, .pile, .indicator, .seat')?.className ?? 'elsewhere')))"
        "    .observe(document.getElementById('app'),"
        "    { subtree: true, childList: true, attributes: true, characterData: true }); }"
    )
    finger = await Finger.on(page)
    await finger.hold(tile(page, "black 3"), place(page, 20), above=RAISED)
    await expect(place(page, 20).get_by_role("button", name="black 3")).to_be_visible()
    await finger.move(pile(page), above=RAISED)
    await expect(page.locator(".pile.br.over")).to_be_visible()
    drawn = {each.split()[0] for each in await page.evaluate("[...changed]")}
    assert drawn - {"seat"} == {"wood", "pile"}  # the clock goes on at a seat
    await finger.let_go()
    await served.until_pressed("discard.K3")
    await expect(page.locator(".over")).to_have_count(0)
