"""The page for everybody: axe finds nothing, and a keyboard and a screen reader are enough."""

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.test_round import Okey, okey, tab_to
from tests.browser.test_table import Served, button, come_in, enter, pile, playing, served, tile, typed

__all__ = ["okey", "served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


async def complaints(page: Page) -> str:
    """What axe finds on the page as it stands; empty when nothing."""
    options = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": STANDARDS}}
    results = await Axe().run(page, options=options)
    return str(results.generate_report()) if results.violations_count else ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_checker_finds_nothing_from_the_doors_to_the_result(
    phone: BrowserContext, served: Served, scheme: str
) -> None:
    page = await come_in(phone, served)
    await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    assert await complaints(page) == ""
    await page.get_by_role("button", name="Play with friends").click()
    start = page.get_by_role("button", name="Start with")
    await expect(start).to_be_visible()
    assert await complaints(page) == ""
    await button(page, "Menu").click()
    assert await complaints(page) == ""
    await page.keyboard.press("Escape")
    await start.click()
    await expect(tile(page, "red 1")).to_be_visible()
    await button(page, "Menu").click()
    assert await complaints(page) == ""
    await page.keyboard.press("Escape")
    await page.locator("button.stock").click()
    await tile(page, "red 5 (okey)").click()
    assert await complaints(page) == ""
    await pile(page).click()
    await expect(page.get_by_role("alertdialog")).to_be_visible()
    assert await complaints(page) == ""
    await button(page, "Yes, discard").click()
    await expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    assert await complaints(page) == ""


async def test_what_is_chosen_and_where_a_drawn_tile_goes_is_seen_in_the_systems_own_colours(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await page.emulate_media(forced_colors="active")
    background = "each => getComputedStyle(each).backgroundColor"
    chosen, others = page.locator("[aria-checked=true]"), page.locator("[aria-checked=false]")
    assert await chosen.first.evaluate(background) != await others.first.evaluate(background)
    await page.get_by_role("button", name="Play now").tap()
    await button(page, "Pairs").tap()
    await expect(button(page, "Pairs")).to_have_attribute("aria-pressed", "true")
    assert await button(page, "Pairs").evaluate(background) != await button(page, "Runs").evaluate(background)
    assert await page.locator(".bay").evaluate("each => getComputedStyle(each).outlineStyle") == "solid"


async def test_what_opens_takes_the_focus_and_gives_it_back(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await typed(page, "/replay")
    reading = page.get_by_role("dialog", name="Info")
    await expect(reading).to_be_focused()
    assert await complaints(page) == ""
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.closest('#reading') !== null")
    await page.keyboard.press("Escape")
    await expect(reading).to_be_hidden()
    await expect(button(page, "Menu")).to_be_focused()


OUTSIDE = """sheet => document.activeElement !== document.body && !document.activeElement.closest(sheet)
    ? document.activeElement.outerHTML : ''"""


async def within(page: Page, sheet: str) -> None:
    """The focus stays on a sheet, or leaves the page, however often Tab is pressed."""
    for key in ("Tab", "Shift+Tab"):
        for _ in range(12):
            await page.keyboard.press(key)
            assert await page.evaluate(OUTSIDE, sheet) == ""


async def test_tab_reaches_nothing_below_a_sheet(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await typed(page, "/replay")
    await expect(page.get_by_role("dialog", name="Info")).to_be_focused()
    await within(page, "#reading")
    await page.keyboard.press("Escape")
    await button(page, "Menu").click()
    await expect(page.get_by_role("navigation", name="Menu")).to_be_visible()
    await within(page, "#menu, header")
    await page.keyboard.press("Escape")
    await page.locator("button.stock").click()
    await tile(page, "red 5 (okey)").press("Delete")
    await expect(page.get_by_role("alertdialog")).to_be_visible()
    await within(page, "#question")
    await button(page, "Yes, discard").click()
    await expect(page.get_by_role("dialog", name="Result")).to_be_focused()
    await within(page, "#result, header")


async def test_what_disappears_when_it_is_pressed_leaves_the_focus_on_the_rack(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".bay button")).to_be_focused()
    await page.keyboard.press("Enter")
    await button(page, "Discard").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".bay button")).to_be_hidden()
    await expect(page.locator("#rack .slot .tile:focus")).to_have_count(1)


async def test_who_begins_by_keyboard_is_at_the_rack_once_it_is_dealt(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await page.get_by_role("button", name="Play now").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#rack .tile:focus")).to_have_count(1)


async def test_what_was_said_on_the_last_turn_is_not_said_on_the_next_but_its_task_is(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    script = """async ([turn, lines]) => {
        const {state} = await module(), {speak} = await module();
        state.tables.get('t1').turn = state.racks.get('t1').table.turn = turn;
        speak('t1', lines.join('\\n'));
        return document.getElementById('voice').textContent;
    }"""
    melds = "Can opened: red 1 2 3"
    for turn, lines, said in (
        (0, ["Round 1", "Draw", melds], f"Draw. {melds}"),
        (1, ["Round 1", "Waiting for Can", "Ada drew"], "Waiting for Can. Ada drew"),
        (0, ["Round 1", "Draw", melds], "Draw"),
        (1, ["Round 1", "Waiting for Can", "Ada drew"], "Waiting for Can. Ada drew"),
        (0, ["Round 1", "Draw", f"{melds} 4"], f"Draw. {melds} 4"),
    ):
        assert await page.evaluate(script, [turn, lines]) == said


async def test_one_of_several_is_chosen_by_arrow_keys(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    steady = page.get_by_role("radio", name="steady")
    await tab_to(page, steady)
    for key, name in (("ArrowRight", "sharp"), ("ArrowDown", "easy"), ("ArrowLeft", "sharp")):
        await page.keyboard.press(key)
        await expect(page.get_by_role("radio", name=name)).to_be_focused()
        await expect(page.get_by_role("radio", name=name)).to_be_checked()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Play now")).to_be_focused()


async def test_escape_closes_what_lies_on_top(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    lifted = tile(page, "red 1")
    await lifted.click()
    await button(page, "Menu").click()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("navigation", name="Menu")).to_be_hidden()
    await expect(lifted).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("Escape")
    await expect(lifted).to_have_attribute("aria-pressed", "false")


async def test_a_key_that_is_held_is_one_press(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await page.keyboard.press("d")
    drawn = page.locator(".bay button")
    await drawn.focus()
    for _ in range(3):
        await page.keyboard.down("Enter")
    await expect(drawn).to_have_attribute("aria-pressed", "true")
    assert served.router.discarded is None


async def press(page: Page, name: str) -> None:
    target = page.get_by_role("button", name=name).first
    await expect(target).to_be_visible()
    await tab_to(page, target)
    await page.keyboard.press("Enter")


async def test_settings_are_reached_and_thrown_by_keyboard_and_change_the_page(
    phone: BrowserContext, okey: Okey
) -> None:
    page = await phone.new_page()
    await enter(page, okey.url)
    await press(page, "Play now")
    rack = page.locator("#rack")
    await expect(rack.locator(".tile").nth(13)).to_be_visible()
    assert await complaints(page) == ""
    await press(page, "Menu")
    await press(page, "Settings")
    await press(page, "More settings")
    await press(page, "Letters")
    await expect(rack.locator(".slot u").nth(0)).to_be_visible()
    await press(page, "High contrast")
    await expect(page.locator("#rack.contrast")).to_be_visible()
    assert await complaints(page) == ""
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog", name="Info")).to_be_hidden()
