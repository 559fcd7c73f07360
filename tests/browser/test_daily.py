"""The daily rack on the page's own rack: a tile is lifted and put on the pile, by finger and by keys."""

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from tests.browser.test_table import COVERED, SIZES, Served, button, come_in, served

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def asked(phone: BrowserContext, served: Served, kind: str = "discard") -> Page:
    """The page of somebody who is asked a daily rack."""
    served.router.puzzle = kind
    page = await come_in(phone, served)
    await button(page, "Daily rack").tap()
    await expect(page.get_by_role("heading", name="Daily rack · Friday")).to_be_visible()
    return page


def rack_tile(page: Page, name: str) -> Locator:
    return page.locator(".puzzle .wood").get_by_role("button", name=name, exact=True)


async def test_a_tile_is_lifted_put_back_and_discarded_by_a_tap_on_the_pile(
    phone: BrowserContext, served: Served
) -> None:
    page = await asked(phone, served)
    three, pile = rack_tile(page, "black 3"), button(page, "Discard: black 3")
    discard = button(page, "Discard")
    await expect(discard).to_have_attribute("aria-disabled", "true")
    for pressed in ("true", "false", "true"):
        await three.tap()
        await expect(three).to_have_attribute("aria-pressed", pressed)
        await expect(pile).to_have_count(int(pressed == "true"))
    await pile.tap()
    await expect(page.get_by_text("This is why.")).to_be_visible()
    number = list(dict.fromkeys(served.router.rack)).index("K3")
    await served.until_pressed(f"daily.me.0.{number}")
    await expect(page.get_by_role("img", name="yellow 13, the best")).to_be_visible()
    await expect(page.get_by_role("img", name="black 3, your choice")).to_be_visible()
    await expect(page.locator(".puzzle button")).to_have_count(0)
    await expect(page.locator("#reading img")).to_have_count(0)


async def test_a_rack_is_solved_by_keys_alone(phone: BrowserContext, served: Served) -> None:
    page = await asked(phone, served)
    await rack_tile(page, "yellow 13").focus()
    await page.keyboard.press("Space")
    await expect(rack_tile(page, "yellow 13")).to_have_attribute("aria-pressed", "true")
    await button(page, "Discard").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("img", name="yellow 13, the best")).to_be_visible()


@pytest.mark.parametrize(
    ("kind", "tap", "then"),
    [("finish", "yellow 10", "Finish"), ("open", "pairs", ""), ("discard", "red 1", "Discard")],
)
async def test_every_kind_of_rack_is_answered_and_fits_every_window(
    phone: BrowserContext, served: Served, kind: str, tap: str, then: str
) -> None:
    page = await asked(phone, served, kind)
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        parts = "#reading :is(.puzzle button, .puzzle .pile, .indicator, [data-closes])"
        assert await page.evaluate(COVERED, [".puzzle .wood .tile", ".puzzle .ground > *"]) == [], width
        for part in await page.locator(parts).all():
            await expect(part).to_be_in_viewport()
        tops = "new Set([...document.querySelectorAll('.offers > *')].map(each => each.offsetTop)).size"
        assert width < 360 or await page.evaluate(tops) <= 1, width
    await button(page, tap).first.tap()
    if then:
        await button(page, then).tap()
    await expect(page.get_by_text("This is why.")).to_be_visible()
