"""What a browser asks for when it opens the page, and what it draws while a tile is dragged."""

from functools import partial

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.fingers import Finger
from tests.browser.test_table import RAISED, Served, enter, pile, place, playing, served, tile
from tests.patience import found

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


NEAR = """(tile, place) => {
    const [a, b] = [tile, place].map(each => each.getBoundingClientRect());
    return Math.hypot(a.x - b.x, a.y - b.y) < 3;
}"""


async def lies_at(page: Page, name: str, number: int) -> bool:
    return bool(await tile(page, name).evaluate(NEAR, await place(page, number).element_handle()))


async def test_a_drag_shifts_tiles_and_draws_the_target_alone(phone: BrowserContext, served: Served) -> None:
    """A rack drawn anew at each slot would take a slow phone three frames."""
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await page.evaluate(
        "() => { window.changed = new Set(); new MutationObserver(all => all.forEach(({ type, target }) =>"
        "    changed.add(`${type} ${target.closest?.('.wood, .pile, .indicator, .seat')?.className}`)))"
        "    .observe(document.getElementById('app'),"
        "    { subtree: true, childList: true, attributes: true, characterData: true }); }"
    )
    finger = await Finger.on(page)
    await finger.hold(tile(page, "black 3"), place(page, 1), above=RAISED)
    for name, at in (("black 3", 1), ("red 2", 2)):  # it makes room
        await found(partial(lies_at, page, name, at))
    await finger.move(pile(page), above=RAISED)
    await expect(page.locator(".pile.br.over")).to_be_visible()
    await found(partial(lies_at, page, "red 2", 1))  # it needs none any more
    drawn = {" ".join(each.split()[:2]) for each in await page.evaluate("[...changed]")}
    assert drawn - {"attributes seat", "childList seat"} == {"attributes wood", "attributes pile"}  # a clock
    await finger.let_go()
    await served.until_pressed("discard.K3")
    await expect(page.locator(".over, .held, [data-previews]")).to_have_count(0)
