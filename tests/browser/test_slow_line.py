"""What people do before an earlier move is answered: it waits for the answer, and is done then."""

import json
import re
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.fingers import Finger
from tests.browser.slow_line import SlowLine
from tests.browser.test_table import (
    RAISED,
    Served,
    button,
    come_in,
    discard,
    pile,
    place,
    playing,
    served,
    tile,
)

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def double_tap(page: Page) -> None:
    await page.evaluate("module().then(({ state }) => (state.settings.double_tap = true))")
    await page.evaluate("performance.now = (now => () => now)(0)")  # however slow the machine is
    for _ in range(2):
        await tile(page, "black 3").tap()


async def tap_the_pile(page: Page) -> None:
    await discard(page, "black 3")


async def drop_on_the_pile(page: Page) -> None:
    await (await Finger.on(page)).drag(tile(page, "black 3"), pile(page), above=RAISED)


async def by_key(page: Page) -> None:
    await tile(page, "black 3").tap()
    await tile(page, "black 3").press("Delete")


@pytest.mark.parametrize("by", [double_tap, tap_the_pile, drop_on_the_pile, by_key])
async def test_a_tile_is_discarded_once_the_draw_is_answered(
    phone: BrowserContext, served: Served, by: Callable[[Page], Awaitable[None]]
) -> None:
    page, line = await drawing(phone, served)
    await by(page)
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


async def test_a_tile_laid_on_a_meld_lies_there_at_once_and_comes_back_if_it_is_refused(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.rack = True, ["Y6", "Y10", "R1", "K1"]
    page, line = await drawing(phone, served)
    line.let_go()
    await expect(page.locator(".bay button")).to_be_visible()
    meld = page.locator(".laid")
    line.hold()
    await (await Finger.on(page)).drag(tile(page, "yellow 6"), meld, above=RAISED)
    numbers = meld.locator(".tile b")
    await expect(numbers).to_have_text(["6", "7", "8", "9"])
    await expect(tile(page, "yellow 6")).to_have_count(0)
    await served.until_pressed("lay.t1.0.Y6.0")
    line.let_go()  # the script lays nothing
    await expect(numbers).to_have_text(["7", "8", "9"])
    await expect(tile(page, "yellow 6")).to_be_visible()


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
    await tap_the_pile(page)
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
    line.tell(json.dumps({"kind": "notice", "html": "A table came.", "urgent": True}))  # which stays
    await expect(page.get_by_role("alert")).to_contain_text("A table came.")
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


WATCHED = """
    window.seen = [];
    const look = () => {
        const told = document.querySelector('.pile.br')?.textContent + '|' +
            [...document.querySelectorAll('.slot .tile')].filter(each => each.textContent === '3').length;
        if (seen.at(-1) !== told) seen.push(told);
        requestAnimationFrame(look);
    };
    look();
"""
"""Notes what is seen of the viewer's pile, and how many threes are on the rack, frame by frame."""


async def test_a_discard_stays_where_it_was_dropped_from_the_drop_on(
    phone: BrowserContext, served: Served
) -> None:
    page, line = await drawing(phone, served)
    line.let_go()
    await expect(page.locator(".bay button")).to_be_visible()
    line.hold()
    black = tile(page, "black 3")
    finger = await Finger.on(page)
    await finger.hold(black, pile(page), above=RAISED)
    await page.evaluate(WATCHED)
    await finger.let_go()
    await expect(pile(page).locator(".black b")).to_have_text("3")
    await expect(black).to_have_count(0)
    await line.until_held("rack", then="done")
    line.let_go()
    await served.until_pressed("discard.K3")
    await expect(page.locator("button.stock")).to_be_visible()
    assert await page.evaluate("seen") == ["|2", "3|1"]  # red 3 and black 3, then red 3 alone


async def test_a_refused_discard_comes_back_with_a_word(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    at = await tile(page, "black 3").evaluate("each => each.parentElement.dataset.place")
    served.router.fail = True
    await discard(page, "black 3")
    await expect(page.get_by_role("alert")).to_contain_text("nothing has changed")
    await expect(place(page, int(at)).get_by_role("button", name="black 3")).to_be_visible()
    await expect(pile(page).locator(".tile.none")).to_be_visible()


async def test_an_okey_lies_on_the_pile_while_it_is_asked_for_and_comes_back_after_no(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await discard(page, "red 5 (okey)")
    await expect(page.get_by_role("alertdialog")).to_be_visible()
    await expect(pile(page).locator(".wild")).to_be_visible()
    await button(page, "No").tap()
    await expect(pile(page).locator(".wild")).to_have_count(0)
    await expect(tile(page, "red 5 (okey)")).to_be_visible()


async def test_a_draw_shows_a_tile_at_once_which_turns_over_with_the_answer(
    phone: BrowserContext, served: Served
) -> None:
    page, line = await drawing(phone, served)
    coming = page.locator(".bay .tile.back")
    await expect(coming).to_be_visible()
    await expect(page.locator(".stock .count")).to_have_text("47")
    line.let_go()
    await expect(page.locator(".bay").get_by_role("button", name="black 13")).to_be_visible()
    await expect(coming).to_have_count(0)


async def test_a_taken_tile_is_in_hand_at_once_and_is_back_when_it_is_refused(
    phone: BrowserContext, served: Served
) -> None:
    line = await SlowLine.of(phone)
    page = await playing(phone, served)
    line.hold()
    served.router.fail = True
    await button(page, "Take blue 9").tap()
    await expect(page.locator(".bay .blue b")).to_have_text("9")
    await expect(page.locator(".pile.bl .none")).to_be_visible()
    line.let_go()
    await expect(page.get_by_role("alert")).to_contain_text("nothing has changed")
    await expect(page.locator(".bay .tile")).to_have_count(0)
    await expect(button(page, "Take blue 9")).to_be_visible()


async def test_a_server_that_hangs_is_told_of_while_the_tile_is_drawn(
    phone: BrowserContext, served: Served
) -> None:
    page, line = await drawing(phone, served)
    waiting = page.get_by_text("Waiting for the server…")
    await expect(waiting).to_be_visible()
    await expect(page.locator(".bay .tile.back")).to_be_visible()
    line.let_go()
    await expect(waiting).to_have_count(0)
