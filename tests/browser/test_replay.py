"""A round that is over, played again on the page's own table: by fingers, by keys, and by itself."""

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from tests.adapters.web.scripted import STEPS, TABLE
from tests.browser.test_table import COVERED, SIZES, Served, button, playing, served, tile, typed

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def replayed(phone: BrowserContext, served: Served) -> Page:
    """The page of a player who looks at the round before."""
    served.router.moments = True
    page = await playing(phone, served)
    await typed(page, "/replay")
    await expect(told(page)).to_have_text("Moment 0")
    return page


def told(page: Page) -> Locator:
    return page.locator("#replay .words")


async def test_a_round_is_played_again_on_the_table_step_by_step(
    phone: BrowserContext, served: Served
) -> None:
    page = await replayed(phone, served)
    asked = len(served.router.asked)
    await expect(page.locator("#replay").get_by_role("img", name="red 13")).to_be_visible()
    await expect(page.locator("#rack, #reading")).to_have_count(0)
    await expect(button(page, "One step back")).to_have_attribute("aria-disabled", "true")
    await button(page, "One step on").tap()
    await expect(told(page)).to_have_text("Moment 1")
    await page.keyboard.press("ArrowRight")
    await expect(told(page)).to_have_text("Moment 2")
    await button(page, "One step back").tap()
    await expect(told(page)).to_have_text("Moment 1")
    await page.get_by_role("slider").fill(str(STEPS))
    await expect(told(page)).to_have_text(f"Moment {STEPS}")
    await expect(button(page, "One step on")).to_have_attribute("aria-disabled", "true")
    await expect(page.locator("button.stock, button.pile, #replay button.tile")).to_have_count(0)
    await page.locator(".stock").tap()
    await page.locator(".pile").first.tap()
    assert {each.data.partition(".")[0] for each in served.router.asked[asked:]} == {"replay_step"}  # type: ignore[union-attr]


async def test_the_table_is_seen_from_every_seat(phone: BrowserContext, served: Served) -> None:
    page = await replayed(phone, served)
    rack = page.locator("#replay .wood")
    await button(page, "Can").tap()
    await expect(rack.get_by_role("img", name="yellow 13")).to_be_visible()
    await expect(page.locator(".seat.me")).to_contain_text("Can")
    await button(page, "One step on").tap()
    await expect(rack.get_by_role("img", name="yellow 2")).to_be_visible()


async def test_what_was_better_is_marked_on_the_table(phone: BrowserContext, served: Served) -> None:
    page = await replayed(phone, served)
    await page.keyboard.press("End")
    await expect(told(page)).to_have_text(f"Moment {STEPS}")
    await expect(page.locator(".best, .missed")).to_have_count(0)
    await page.get_by_role("slider").fill("2")
    await expect(page.get_by_role("img", name="red 13, your choice")).to_be_visible()
    await expect(page.locator(".pile.bl.best")).to_be_visible()
    await expect(page.locator(".best, .missed")).to_have_count(2)


async def test_it_plays_by_itself_to_the_end(phone: BrowserContext, served: Served) -> None:
    page = await replayed(phone, served)
    await button(page, "Play automatically").tap()
    await expect(told(page)).to_have_text(f"Moment {STEPS}")
    await expect(button(page, "Play automatically")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("way", ["button", "Escape", "Back"])
async def test_it_is_left_for_the_table_before(phone: BrowserContext, served: Served, way: str) -> None:
    page = await replayed(phone, served)
    if way == "button":
        await button(page, "Close").tap()
    elif way == "Escape":
        await page.keyboard.press("Escape")
    else:
        await page.evaluate("history.back()")
    await expect(tile(page, "red 1")).to_be_visible()
    await expect(page.locator("#replay")).to_have_count(0)
    assert page.url.endswith(f"#{TABLE}")


async def test_a_player_is_called_from_it_to_their_turn(phone: BrowserContext, served: Served) -> None:
    served.router.turn = 1
    page = await replayed(phone, served)
    served.router.turn, served.router.version = 0, served.router.version + 1
    await typed(page, "/rack")
    await expect(page.locator("#replay")).to_have_count(0)
    await expect(page.locator("button.stock.open")).to_be_visible()


async def test_nothing_of_it_sticks_out_or_lies_on_anything(phone: BrowserContext, served: Served) -> None:
    page = await replayed(phone, served)
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        parts = "#replay .wood, #replay .told, #replay .steps > *"
        for each in await page.locator(parts).all():
            box = await each.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height, (width, await each.inner_html())
        assert await page.evaluate(COVERED, ["#replay .steps > *", "#replay .wood"]) == [], width


async def test_the_seat_that_is_seen_has_its_name_at_a_phone_too(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays = True
    page = await replayed(phone, served)
    await expect(page.locator(".seat.me bdi")).to_be_visible()
    assert await page.evaluate(COVERED, [".seat.me .plate", ".cloth"]) == []
