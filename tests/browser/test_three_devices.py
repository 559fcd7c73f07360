"""Two phones and a desktop at one table, with the whole program behind it; one of them far away."""

import asyncio

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.fingers import Finger
from tests.browser.slow_line import FarAway
from tests.browser.test_round import (
    Okey,
    come_in,
    okey,
    play_by_keys_until_the_round_ends,
    play_until_the_round_ends,
    rack_of,
)
from tests.browser.test_table import RAISED, enter, typed, until_answered

__all__ = ["okey"]

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.long]

ROUND_TRIP = 0.4
"""Seconds."""
DROPPED = 40.0
"""Seconds without a line: longer than a turn."""


async def test_a_round_is_played_to_its_end_though_one_of_three_has_a_slow_line_that_drops(
    phone: BrowserContext, okey: Okey
) -> None:
    line = FarAway(ROUND_TRIP)
    port = await line.open(int(okey.url.rstrip("/").rsplit(":", 1)[1]))
    near, desktop, far = (
        await come_in(phone, okey, "Ada"),
        await come_in(phone, okey, "Ece"),
        await phone.new_page(),
    )
    await desktop.set_viewport_size({"width": 1280, "height": 800})
    await enter(far, f"http://127.0.0.1:{port}/", "Can")
    await typed(near, "/play turkish-rummy-fast-1 clock=30s")
    await expect(near.get_by_role("dialog", name="Info")).to_contain_text("1/3")
    await near.keyboard.press("Escape")
    table = await near.evaluate("module().then(({ state }) => state.selected)")
    for page, at in ((desktop, 0), (far, -1)):  # who is far away may not know yet who has sat down
        await page.locator(f".spot[data-table='{table}']").nth(at).tap()
        await expect(page.locator(".chair.mine")).to_be_visible()
        await page.locator("#reading [data-closes]").tap()  # the guide, for somebody who is new
    await near.locator("[data-kind=start]").tap()
    for page in (near, desktop, far):
        assert len(await rack_of(page)) in (14, 15)
        await expect(page.locator("#table").get_by_text("Can", exact=True)).to_be_visible()
    others = asyncio.gather(play_until_the_round_ends(near), play_by_keys_until_the_round_ends(desktop))
    await _lose_the_line_on_turn(far, line)
    await _play_on(far)
    await others
    results = [
        await page.get_by_role("dialog", name="Result").get_by_role("row").all_inner_texts()
        for page in (near, desktop, far)
    ]
    assert len(results[0]) == 5
    assert sorted(results[0]) == sorted(results[1]) == sorted(results[2])
    await line.close()


async def _lose_the_line_on_turn(page: Page, line: FarAway) -> None:
    """Move while the line is gone: the clock plays, and says so once the line is back."""
    stock, mine = page.locator("button.stock.open"), page.locator("button.pile.br.open")
    await stock.or_(mine).first.wait_for()
    line.drop()
    if await stock.is_visible():
        await stock.tap()
        await expect(page.locator(".bay .tile.back")).to_be_visible()
    else:
        await (await Finger.on(page)).drag(page.locator("#rack .slot .tile").last, mine, above=RAISED)
        await expect(page.locator(".pile.br .face")).to_be_visible()
    back = asyncio.create_task(asyncio.sleep(DROPPED))
    await expect(page.get_by_text("The connection was lost.")).to_be_visible()
    await back
    line.restore()
    await expect(page.locator(".away")).to_have_count(0)
    await until_answered(page)
    await expect(page.get_by_role("alert")).to_contain_text("Your time was up")
    assert len(await rack_of(page)) in (14, 15)


async def _play_on(page: Page) -> None:
    """Draw and discard whenever it is one's turn, until the round ends."""
    finger, over = await Finger.on(page), page.get_by_role("dialog", name="Result")
    stock, mine = page.locator("button.stock.open"), page.locator("button.pile.br.open")
    yes = page.get_by_role("alertdialog").get_by_role("button").first
    while True:
        await stock.or_(mine).or_(over).first.wait_for()
        if await over.is_visible():
            return
        if await yes.is_visible():
            await yes.tap()
        elif await stock.is_visible():
            await stock.tap()
        elif await mine.is_visible():
            await finger.drag(page.locator("#rack .slot .tile").last, mine, above=RAISED)
        await until_answered(page)
