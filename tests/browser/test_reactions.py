"""Reactions in a real browser: shown at the seat for three seconds, where nothing moves for them."""

import time
from typing import Literal

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.test_table import (
    BOXES,
    SHIFTS,
    SMALL,
    Served,
    button,
    come_in,
    discard,
    playing,
    served,
    tile,
)

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def stop_clock(page: Page) -> None:
    """Let no time pass on a page until the test says so."""
    await page.clock.install(time=0)
    await page.clock.pause_at(1)


async def test_a_reaction_is_seen_by_all_for_three_seconds_unless_they_hide_them(
    phone: BrowserContext, served: Served
) -> None:
    ece = await come_in(phone, served, "Ece")
    ada = await playing(phone, served)
    await ece.locator(".card").first.dispatch_event("click")  # a browser hardly draws the page behind
    await ece.locator(".watching").wait_for()
    for page in (ada, ece):
        await page.set_viewport_size({"width": 360, "height": 640})
        await stop_clock(page)
    assert await button(ece, "React").count() == 0
    before = [await page.evaluate(BOXES) for page in (ada, ece)]
    await button(ada, "React").tap()
    assert await ada.evaluate(SMALL) == []
    await button(ada, "Wow").tap()
    for page in (ada, ece):
        await expect(page.locator(".seat").first.locator(".emote [data-icon=wow]")).to_have_count(1)
        await expect(page.get_by_role("status").filter(has_text="Ada: Wow")).to_have_count(1)
    assert [await page.evaluate(BOXES) for page in (ada, ece)] == before
    assert await ada.evaluate(SHIFTS) < 0.02
    await expect(button(ada, "React")).to_be_disabled()
    await served.until_pressed("react.t1.0.wow")
    for page in (ada, ece):
        await page.clock.fast_forward(3000)
        await expect(page.locator(".emote")).to_have_count(0)
    for name in ("Menu", "Settings"):
        await button(ece, name).dispatch_event("click")
    reactions = ece.get_by_role("switch", name="Show reactions")
    await reactions.dispatch_event("click")
    await expect(reactions).not_to_be_checked()
    await ece.reload()
    await ece.locator(".watching").wait_for()
    await button(ada, "React").press("Enter")
    await expect(button(ada, "Well played")).to_be_focused()
    await ada.keyboard.press("Enter")
    await expect(ada.locator(".emote [data-icon=clap]")).to_have_count(1)
    assert await ece.locator(".emote").count() == 0


async def test_the_reactions_of_one_player_can_be_hidden(phone: BrowserContext, served: Served) -> None:
    served.router.people = 2
    ada = await playing(phone, served)
    await stop_clock(ada)

    async def claps() -> None:
        served.router.reactions[1] = ("clap", time.time())
        await ada.reload()
        await tile(ada, "red 1").wait_for()

    emote = ada.locator(".seat", has_text="Can").locator(".emote")
    await claps()
    await expect(emote.locator("[data-icon=clap]")).to_have_count(1)
    await button(ada, "Can: Hide reactions").tap()
    await ada.get_by_role("alertdialog", name="Can").get_by_role("button", name="Hide reactions").tap()
    await expect(emote).to_have_count(0)
    assert await ada.evaluate(SMALL) == []
    await claps()
    await expect(button(ada, "Can: Show reactions")).to_be_visible()
    assert await emote.count() == 0
    assert await ada.get_by_role("button", name="reactions").count() == 1  # computer players are not asked


async def test_the_emote_of_a_winner_is_seen_at_their_seat_too(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await stop_clock(page)
    await page.locator("button.stock").tap()
    await discard(page, "red 5 (okey)")
    await button(page, "Yes, discard").tap()
    emote = page.get_by_role("row", name="Ada").locator(".emote")
    await expect(emote.locator("[data-icon=laugh]")).to_have_count(1)
    await page.clock.fast_forward(3000)
    await expect(emote).to_have_count(0)


async def test_a_phrase_is_read_at_the_seat_in_the_readers_language(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    for width, height in ((360, 640), (844, 390)):
        await page.set_viewport_size({"width": width, "height": height})
        await button(page, "React").tap()
        assert await page.evaluate(SMALL) == []
        panel = page.locator("#reactions")
        await expect(panel.locator(".phrase")).to_have_count(16)
        assert await panel.evaluate("each => each.getBoundingClientRect().top >= 0")
        await page.keyboard.press("Escape")
        await expect(panel).to_have_count(0)
    await stop_clock(page)
    await button(page, "React").tap()
    await button(page, "Good luck!").tap()
    await expect(page.locator(".seat.me .says")).to_have_text("Good luck!")
    await served.until_pressed("react.t1.0.luck")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_emotes_are_dark_on_their_light_ground_in_every_scheme(
    phone: BrowserContext, served: Served, scheme: Literal["light", "dark"]
) -> None:
    page = await playing(phone, served)
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await button(page, "React").tap()
    drawn = page.locator("#reactions .drawn").first
    assert await drawn.evaluate("each => getComputedStyle(each).stroke") == "rgb(59, 42, 18)"
