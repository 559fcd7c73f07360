"""What a browser asks for when it opens the page, and what it draws while a tile is dragged."""

import asyncio
import re
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Page, Route, expect

import adapters.web
from adapters.web.scripts import join_scripts
from tests.browser.fingers import Finger
from tests.browser.test_table import (
    RAISED,
    SHIFTS,
    Served,
    enter,
    holds,
    pile,
    place,
    playing,
    served,
    tile,
    until_answered,
)
from tests.patience import found

__all__ = ["served"]

STATIC = Path(adapters.web.__file__).parent / "static"

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST_FIRST, MOST = 8, 4
"""Requests of a first and of a second visit."""
FROM_NETWORK = """performance.getEntriesByType('resource')
    .filter(each => each.transferSize > 0).map(each => each.name)"""


async def test_a_visit_asks_for_little_and_a_second_one_for_almost_nothing(
    phone: BrowserContext, served: Served
) -> None:
    page = await phone.new_page()
    await enter(page, served.url)
    await page.get_by_role("button", name="Play now").wait_for()
    assert len(await page.evaluate(FROM_NETWORK)) + 1 <= MOST_FIRST
    await page.goto("about:blank")
    await page.goto(served.url)
    await page.get_by_role("button", name="Play now").wait_for()
    assert len(await page.evaluate(FROM_NETWORK)) + 1 <= MOST


async def test_the_first_paint_waits_for_the_document_alone(phone: BrowserContext, served: Served) -> None:
    page = await phone.new_page()
    come = asyncio.Event()

    async def hold(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await page.route("**/*.css", hold)
    await page.goto(served.url, wait_until="commit")
    painted = "performance.getEntriesByName('first-contentful-paint').length"
    assert await found(lambda: page.evaluate(painted))
    await expect(page.get_by_role("heading", name="Okey")).to_be_visible()
    ground = "getComputedStyle(document.body).backgroundColor"
    assert await page.evaluate(ground) == "rgb(243, 236, 221)"
    await expect(page.locator("#name")).to_have_count(0)  # nothing is drawn without its style
    come.set()
    await expect(page.locator("#name")).to_be_visible()
    assert await page.evaluate(SHIFTS) < 0.02


async def test_no_module_takes_a_name_of_the_browser_from_the_others(phone: BrowserContext) -> None:
    """They share one scope: a function `open` would be called where the window's is meant."""
    sent = join_scripts(STATIC / "app.js")
    names = re.findall(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", sent, re.MULTILINE)
    page = await phone.new_page()
    assert names
    assert await page.evaluate("names => names.filter(name => name in window)", names) == []


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
    sits = "Object.values(state.here).some(({ seats }) => seats.length)"  # which comes half a second later
    assert await found(lambda: holds(page, sits))
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


ADDED = """() => {
    window.added = [];
    new MutationObserver(all => all.forEach(({ target, addedNodes }) =>
        addedNodes.length && !target.closest('.seat') && added.push(target.outerHTML)))
        .observe(document.querySelector('main'), { subtree: true, childList: true });
}"""
"""Notes what is drawn anew, but for the clock."""


async def test_lifting_a_tile_at_okey_101_lights_what_takes_it_and_draws_nothing_anew(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.melds = True, 24  # of which a yellow 10 fits the first
    served.router.rack = ["Y10", "R1", "R2", "R3"]
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await page.locator(".cloth").evaluate("each => each.scrollTop = each.scrollHeight")
    await tile(page, "red 1").tap()
    await expect(page.locator("#rack .tile.lifted")).to_have_count(1)
    await until_answered(page)
    await page.evaluate(ADDED)
    finger = await Finger.on(page)
    await finger.hold(tile(page, "yellow 10"), place(page, 7), above=RAISED)
    await expect(page.locator(".laid.lit")).to_have_count(1)
    await expect(page.locator(".laid.lit")).to_be_in_viewport()
    await expect(page.locator("#rack .tile.held")).to_have_count(1)
    await expect(page.locator("#rack .tile.lifted")).to_have_count(0)
    await expect(page.locator(".gap:visible")).to_have_count(0)
    assert await page.evaluate("added") == []
    await finger.let_go()
    await expect(place(page, 7).get_by_role("button", name="yellow 10")).to_be_visible()
    await expect(page.locator(".lit, .over, .held, .gap, [data-previews]")).to_have_count(0)


MARKED = "() => document.querySelectorAll('#rack [data-tile]').forEach(each => each.known = true)"
UNKNOWN = """[...document.querySelectorAll('#rack [data-tile]')]
    .filter(each => !each.known).map(each => each.ariaLabel)"""


async def test_a_drop_keeps_the_tiles_that_make_room_for_it(phone: BrowserContext, served: Served) -> None:
    """Each of them drawn anew takes a slow phone as long as the rest of the rack."""
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await page.evaluate(MARKED)
    await (await Finger.on(page)).drag(tile(page, "yellow 7"), place(page, 1), above=RAISED)
    for name, at in (("yellow 7", 1), ("red 2", 2), ("red 3", 3)):
        await expect(place(page, at).get_by_role("button", name=name)).to_be_visible()
    await until_answered(page)
    assert await page.evaluate(UNKNOWN) == []


MEASURED_LATE = """() => {
    window.late = [];
    const changes = new MutationObserver(() => {});
    changes.observe(document.body, { subtree: true, childList: true, attributes: true });
    for (const [kind, name] of [[Element, 'getBoundingClientRect'], [Document, 'elementsFromPoint']]) {
        const asked = kind.prototype[name];
        kind.prototype[name] = function (...where) {
            if (window.event?.type === 'pointermove' && changes.takeRecords().length) late.push(name);
            return asked.apply(this, where);
        };
    }
}"""
"""Notes what is measured in a step of a finger after that step has changed something."""


async def test_a_step_of_a_drag_measures_before_it_changes_anything(
    phone: BrowserContext, served: Served
) -> None:
    """Else the page is laid out in the middle of it: twice as long a step where a tile is lifted."""
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await page.evaluate(MEASURED_LATE)
    finger = await Finger.on(page)
    await finger.hold(tile(page, "black 3"), place(page, 1), above=RAISED)
    await found(partial(lies_at, page, "black 3", 1))
    await finger.move(pile(page), above=RAISED)
    await expect(page.locator(".pile.br.over")).to_be_visible()
    assert await page.evaluate("late") == []
