"""What people do before an earlier move is answered: it waits for the answer, and is done then."""

import json
import re
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.fingers import Finger
from tests.browser.slow_line import SlowLine
from tests.browser.test_table import RAISED, Served, button, come_in, pile, playing, served, tile

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def tap_twice(page: Page) -> None:
    for _ in range(2):
        await tile(page, "black 3").tap()


async def tap_the_pile(page: Page) -> None:
    await tile(page, "black 3").tap()
    await pile(page).tap()


async def drop_on_the_pile(page: Page) -> None:
    await (await Finger.on(page)).drag(tile(page, "black 3"), pile(page), above=RAISED)


async def by_key(page: Page) -> None:
    await tile(page, "black 3").tap()
    await tile(page, "black 3").press("Delete")


@pytest.mark.parametrize("discard", [tap_twice, tap_the_pile, drop_on_the_pile, by_key])
async def test_a_tile_is_discarded_once_the_draw_is_answered(
    phone: BrowserContext, served: Served, discard: Callable[[Page], Awaitable[None]]
) -> None:
    page, line = await drawing(phone, served)
    await discard(page)
    line.let_go()
    await served.until_pressed("draw.t1", "discard.K3")
    await expect(page.locator(".note")).to_have_count(0)


async def test_a_tile_dropped_on_the_indicator_asks_once_the_draw_is_answered(
    phone: BrowserContext, served: Served
) -> None:
    page, line = await drawing(phone, served)
    okey, indicator = tile(page, "red 5 (okey)"), page.locator(".indicator")
    await (await Finger.on(page)).drag(okey, indicator, above=RAISED)
    line.let_go()
    await page.get_by_role("alertdialog").get_by_role("button", name="Finish").tap()
    await served.until_pressed("finish.R5")


async def test_a_tile_dropped_on_a_meld_is_not_laid_with_its_own_unasked(
    phone: BrowserContext, served: Served
) -> None:
    page = await dropped_on_the_meld(phone, served, "yellow 10")
    asked = page.get_by_role("alertdialog", name="Lay the whole meld, or yellow 10 alone?")
    await expect(asked).to_be_visible()


async def test_a_second_tap_before_the_answer_lays_no_second_meld(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.rack = True, ["Y10", "Y11", "Y12", "R1", "R2", "R3", "K1"]
    page, line = await drawing(phone, served)
    line.let_go()
    lay = button(page, "Lay meld")
    await expect(lay).to_be_visible()
    line.hold()
    for _ in range(2):
        await lay.tap()
    line.let_go()
    await button(page, "Pairs").tap()
    await served.until_pressed("draw.t1", "put_down.t1.0.wxy", "pairs.t1.0.3")


async def test_a_tile_dropped_on_a_meld_that_it_does_not_fit_is_meant_for_the_cloth(
    phone: BrowserContext, served: Served
) -> None:
    await dropped_on_the_meld(phone, served, "yellow 11")
    await served.until_pressed("draw.t1", "put_down.t1.0.wxy")


async def test_what_waits_is_not_done_at_another_table(phone: BrowserContext, served: Served) -> None:
    page, line = await drawing(phone, served)
    await tap_twice(page)
    line.tell(re.sub(r"\bt1\b", "t2", await line.until_held("rack", "K13", then="done")))
    await button(page, "Home").tap()
    await page.locator("[data-table=t2]").tap()
    line.let_go()
    await button(page, "Pairs").tap()
    await served.until_pressed("draw.t1", "pairs.t2.0.3")


async def test_a_match_is_seen_once_the_rack_says_which_seat_is_ones_own(
    phone: BrowserContext, served: Served
) -> None:
    line = await SlowLine.of(phone)
    page = await come_in(phone, served)
    await page.get_by_role("button", name="Play with friends").tap()
    start = page.get_by_role("button", name="Start with")
    await expect(start).to_be_visible()
    line.hold()
    await start.tap()
    rack = json.loads(await line.until_held("rack", '"stage":"playing"', then="done"))
    line.tell(json.dumps({**rack, "kind": "table", "live": rack["live"]["table"]}))
    line.tell(json.dumps({"kind": "notice", "html": "A table came.", "urgent": False}))
    await expect(page.locator(".note")).to_be_visible()
    assert await start.is_visible()
    line.let_go()
    await expect(tile(page, "red 1")).to_be_visible()


async def drawing(phone: BrowserContext, served: Served) -> tuple[Page, SlowLine]:
    """A page whose draw the server has answered, and which doesn't know yet."""
    line = await SlowLine.of(phone)
    page = await playing(phone, served)
    line.hold()
    await page.locator("button.stock").tap()
    await line.until_held("rack", "K13", then="done")
    return page, line


async def dropped_on_the_meld(phone: BrowserContext, served: Served, name: str) -> Page:
    """A page on which a tile of a meld was dropped on another meld before the draw was answered."""
    served.router.lays, served.router.rack = True, ["Y10", "Y11", "Y12", "R1", "R2"]
    page, line = await drawing(phone, served)
    await (await Finger.on(page)).drag(tile(page, name), page.locator(".laid"), above=RAISED)
    line.let_go()
    return page
