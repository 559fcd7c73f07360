"""The teacher: six steps on a fixed rack, and what a beginner is told during the first matches."""

import re

import pytest
from playwright.async_api import BrowserContext, Page, expect

from bot.live import LiveHint
from tests.browser.test_table import SIZES, SMALL, Served, button, come_in, playing, served, tile

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEPS = (
    ("The goal", (), ""),
    ("A set", ("blue 8", "blue 7"), "Right: three sevens"),
    ("A run", ("blue 6",), "Right: blue 4, 5, 6"),
    ("The okey", ("false joker", "red 5 (okey)"), "it now stands for black 10"),
    ("Your turn", ("Draw from the stock", "yellow 11", "Your discard pile"), "may take it"),
    ("Finish", ("yellow 2", "Indicator blue 1"), "You finished!"),
)
"""The heading of each step, what is pressed there, and what is said at last."""
TABS = 40
"""More than there are buttons on a page."""


async def pressed(page: Page, name: str, *, by_keys: bool) -> None:
    wanted = button(page, name)
    if not by_keys:
        return await wanted.tap()
    await wanted.focus()
    await page.keyboard.press("Enter")
    return None


@pytest.mark.parametrize("by_keys", [False, True])
async def test_the_six_steps_are_done_by_finger_and_by_keys(
    phone: BrowserContext, served: Served, by_keys: bool
) -> None:
    page = await come_in(phone, served)
    await page.get_by_role("button", name="Learn").tap()
    for number, (heading, presses, said) in enumerate(STEPS, 1):
        await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        await expect(page.get_by_text(f"Step {number} of 6")).to_be_visible()
        for name in presses:
            await pressed(page, name, by_keys=by_keys)
        await expect(page.locator(".said")).to_contain_text(said)
        assert await page.evaluate(SMALL) == []
        await pressed(page, "Next" if number < len(STEPS) else "Practise a round", by_keys=by_keys)
    assert served.pressed()[-1:] == ["practice.me.0"]
    await expect(page.locator(".lesson")).to_have_count(0)


async def test_the_finished_rack_lies_in_two_rows(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await page.get_by_role("button", name="Learn").tap()
    tops = "new Set([...document.querySelectorAll('.lesson .group')].map(each => each.offsetTop)).size"
    for width, height in ((360, 640), (390, 844), (768, 1024)):
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(tops) == 2, width


async def tabbed_to(page: Page, name: str) -> None:
    """Go on with the Tab key to a button."""
    wanted = button(page, name)
    for _ in range(TABS):
        if await wanted.evaluate("each => each === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(name)


async def test_the_focus_goes_along_with_the_lesson(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await page.set_viewport_size({"width": 360, "height": 640})
    await page.get_by_role("button", name="Learn").focus()
    await page.keyboard.press("Enter")
    for number, (heading, presses, said) in enumerate(STEPS, 1):
        await expect(page.get_by_role("heading", name=heading, level=1)).to_be_focused()
        for name in presses:
            await tabbed_to(page, name)
            await page.keyboard.press("Enter")
        await expect(page.locator(".said")).to_contain_text(said)
        for part in (page.locator(".page > header"), page.locator(".lesson h1"), page.locator(".said")):
            await expect(part).to_be_in_viewport(ratio=1)
        on = button(page, "Next" if number < len(STEPS) else "Practise a round")
        if presses:
            await expect(on).to_be_focused()
            await expect(on).to_be_in_viewport(ratio=1)
        else:
            await tabbed_to(page, "Next")
        await page.keyboard.press("Enter")
    await expect(page.locator(".lesson")).to_have_count(0)


async def test_the_tile_that_wins_is_marked_and_finish_stands_out(
    phone: BrowserContext, served: Served
) -> None:
    served.router.hint = LiveHint(kind="finish", tile="R5", missing=0, move="", why="")
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await expect(page.locator("#rack .hinted")).to_have_attribute("aria-label", re.compile("red 5"))
    await tile(page, "red 5 (okey)").tap()
    await expect(button(page, "Finish")).to_have_class(re.compile("primary"))
    await expect(button(page, "Discard")).not_to_have_class(re.compile("primary"))


async def test_the_menu_has_one_way_to_the_settings(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await button(page, "Menu").tap()
    await expect(page.locator("#menu button").filter(has_text=re.compile("settings", re.I))).to_have_count(1)
    await button(page, "Settings").tap()
    await page.locator("#settings").get_by_role("button", name="More settings").tap()
    await expect(page.locator("#settings")).to_have_count(0)
    assert served.pressed()[-1].startswith("preferences.")


async def test_a_wrong_tile_is_answered_with_the_reason(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await page.get_by_role("button", name="Learn").tap()
    await button(page, "Next").tap()
    await button(page, "red 7").tap()
    await expect(page.get_by_role("status").get_by_text("no colour may come twice")).to_be_visible()
    await expect(button(page, "Next")).to_have_count(0)


@pytest.mark.parametrize("wins", [True, False])
async def test_finish_is_offered_only_where_it_wins_unless_one_wants_it_always(
    phone: BrowserContext, served: Served, wins: bool
) -> None:
    served.router.wins = wins
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await tile(page, "red 5 (okey)").tap()
    await expect(button(page, "Finish")).to_have_count(int(wins))
    await expect(page.locator(".indicator.open")).to_have_count(int(wins))
    await page.keyboard.press("Escape")
    await button(page, "Menu").tap()
    await button(page, "Settings").tap()
    await page.get_by_role("switch", name="Offer Finish for every tile").tap()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(SMALL) == []
    await page.keyboard.press("Escape")
    await tile(page, "red 5 (okey)").tap()
    await expect(button(page, "Finish")).to_be_visible()


async def test_the_task_is_told_in_the_first_three_matches(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await expect(page.get_by_text("Draw from the stock, or take the tile on your left.")).to_be_visible()
    await page.locator("button.stock").tap()
    await expect(page.get_by_text("Put a tile that you don’t need on your pile.")).to_be_visible()
    await page.evaluate("localStorage.matches = 3")
    await page.reload()
    await expect(page.locator(".bay button")).to_be_visible()
    await expect(page.locator(".hint")).to_be_empty()


async def test_advice_is_gone_with_the_next_thing_that_is_done(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await page.locator("button.pile.br").tap()
    await expect(page.get_by_text("Tap a tile first, then your pile.")).to_be_visible()
    await tile(page, "red 1").tap()
    await expect(page.locator(".note")).to_have_count(0)


async def test_a_tap_on_the_indicator_says_what_it_is_and_which_tile_is_the_okey(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    await page.get_by_role("img", name="Indicator").tap()
    said = "It makes red 5 the okey, which stands for any tile."
    await expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
