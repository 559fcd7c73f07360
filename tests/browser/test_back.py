"""The browser's Back on the page: it closes what lies over the table first, and keeps nobody there."""

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.test_table import Served, button, discard, playing, served, tile, typed

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

BEFORE = "about:blank"


async def unmarked(page: Page) -> None:
    """Wait until no entry of the history stands for something that is closed."""
    await page.wait_for_function("history.state?.sheet !== 'over'")


async def test_back_closes_what_is_open_and_only_then_leaves(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await button(page, "Menu").tap()
    menu = page.get_by_role("navigation", name="Menu")
    await expect(menu).to_be_visible()
    await page.go_back()
    await expect(menu).to_be_hidden()
    await expect(tile(page, "red 1")).to_be_visible()
    await typed(page, "/replay")
    reading = page.get_by_role("dialog", name="Info")
    await expect(reading).to_be_visible()
    await page.go_back()
    await expect(reading).to_be_hidden()
    await page.locator("button.stock").tap()
    await discard(page, "red 5 (okey)")
    asked = page.get_by_role("alertdialog")
    await expect(asked).to_be_visible()
    await page.go_back()
    await expect(asked).to_be_hidden()
    assert served.router.discarded is None
    await page.go_back()
    await expect(page).to_have_url(BEFORE)


async def test_what_is_closed_without_back_leaves_nothing_to_go_back_from(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    menu = page.get_by_role("navigation", name="Menu")
    for _ in range(3):
        await button(page, "Menu").tap()
        await expect(menu).to_be_visible()
        await page.keyboard.press("Escape")
        await unmarked(page)
    await button(page, "Menu").tap()
    await page.reload()
    await expect(tile(page, "red 1")).to_be_visible()
    await unmarked(page)
    await button(page, "Menu").tap()
    await menu.get_by_role("button", name="Home").tap()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    await unmarked(page)
    await expect(page).to_have_url(served.url)
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    await page.go_back()
    await expect(page).to_have_url(BEFORE)


async def test_forward_to_what_is_closed_by_now_stays_on_the_table(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    menu = page.get_by_role("navigation", name="Menu")
    await button(page, "Menu").tap()
    await page.go_back()
    await expect(menu).to_be_hidden()
    await page.go_forward()
    await unmarked(page)
    await expect(menu).to_be_hidden()
    await button(page, "Menu").tap()
    await expect(menu).to_be_visible()
