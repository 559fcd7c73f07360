"""Laying at Okey 101 on the page, by the real rules: given racks and melds in a real store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Locator, Page, expect

from bot.store import open_store
from tests.adapters.web.test_doors import DoorHouse, open_doors
from tests.bot.laid_101 import laid_out
from tests.browser.fingers import Finger
from tests.browser.test_doors import come_by_link
from tests.browser.test_staging import ENDLESS
from tests.browser.test_table import RAISED, button, tile

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def doors(valkey_url: str, tmp_path: Path) -> AsyncIterator[DoorHouse]:
    async with open_store(valkey_url, tmp_path) as store, open_doors(store) as house:
        yield house


async def laying(doors: DoorHouse, phone: BrowserContext, *, rack: str, melds: str) -> Page:
    """The page of somebody who has opened, to whom this table's melds lie open. The okey is black 1."""
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    others = "R8 R9 R13 Y13"
    await laid_out(house, ada, can, rack=rack, others=others, melds=melds, opened={0: "melds", 1: "melds"})
    page = await phone.new_page()
    await come_by_link(doors, page, ada)
    await expect(page.locator("#rack .tile")).to_have_count(len(rack.split()))
    return page


def meld(page: Page, tiles: str) -> Locator:
    """A meld on the table, by what a screen reader says of it."""
    return page.locator(".cloth").get_by_role("img", name=tiles, exact=True)


async def test_a_false_joker_is_laid_off_as_the_okeys_face_by_tap_and_by_drop(
    doors: DoorHouse, phone: BrowserContext
) -> None:
    page = await laying(doors, phone, rack="F F R2 Y9", melds="K2 K3 K4/R1 Y1 B1")
    await tile(page, "false joker").first.tap()
    await page.get_by_role("button", name="Lay false joker on black 2, black 3, black 4").tap()
    await expect(page.locator("#rack .tile")).to_have_count(3)
    finger = await Finger.on(page)
    await finger.drag(tile(page, "false joker"), meld(page, "red 1, yellow 1, blue 1"), above=RAISED)
    await expect(page.locator("#rack .tile")).to_have_count(2)


async def test_one_tap_lays_off_all_that_the_table_takes_and_what_that_made_room_for_by_another(
    doors: DoorHouse, phone: BrowserContext
) -> None:
    page = await laying(doors, phone, rack="K5 K6 R6 Y9 K1", melds="K2 K3 K4/R3 R4 R5")
    await button(page, "Lay off 2").tap()
    asked = page.get_by_role("alertdialog", name="Lay off all of these?")
    await expect(asked.locator(".group .black b")).to_have_text("5")
    await expect(asked.locator(".group .red b")).to_have_text("6")
    await button(page, "No").tap()
    await button(page, "Lay off 2").tap()
    await asked.get_by_role("button", name="Yes").tap()
    await expect(meld(page, "black 2, black 3, black 4, black 5")).to_be_visible()
    await expect(meld(page, "red 3, red 4, red 5, red 6")).to_be_visible()
    await button(page, "Lay off 1").tap()
    await expect(meld(page, "black 2, black 3, black 4, black 5, black 6")).to_be_visible()
    await expect(page.get_by_role("button", name="Lay off")).to_have_count(0)
    await button(page, "Take back").tap()
    await page.get_by_role("alertdialog").get_by_role("button", name="1").tap()
    await expect(button(page, "Lay off 1")).to_be_visible()


@pytest.mark.parametrize(("rack", "offered"), [("K5 R6", 1), ("K5 K5 Y9", 1), ("K5 K6 K7 Y9", 0)])
async def test_one_tile_stays_for_the_discard_and_a_meld_stays_whole(
    doors: DoorHouse, phone: BrowserContext, rack: str, offered: int
) -> None:
    page = await laying(doors, phone, rack=rack, melds="K2 K3 K4/R3 R4 R5")
    await expect(button(page, f"Lay off {offered}")).to_have_count(offered)
    await expect(page.get_by_role("button", name="Lay off")).to_have_count(offered)
    await tile(page, "black 5").first.tap()
    await expect(page.get_by_role("button", name="Lay off")).to_have_count(0)  # what it fits is lit instead


async def test_an_okey_is_laid_off_by_hand_alone(doors: DoorHouse, phone: BrowserContext) -> None:
    page = await laying(doors, phone, rack="K1 Y9 B12", melds="K2 K3 K4")
    await expect(tile(page, "black 1 (okey)")).to_be_visible()
    await expect(page.get_by_role("button", name="Lay off")).to_have_count(0)


async def test_who_declared_pairs_sees_only_their_pairs_counted(
    doors: DoorHouse, phone: BrowserContext
) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    rack, rules = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 B10 B11 B12 B13 K7 K7", "okey101 declare_pairs=true"
    await laid_out(house, ada, can, rack=rack, others="R8 R9", phase="draw", pile="K2", rules=rules)
    page = await phone.new_page()
    await come_by_link(doors, page, ada)
    await expect(page.locator(".counter")).to_contain_text("/ 101 points")
    await button(page, "Declare pairs").tap()
    asked = page.get_by_role("alertdialog", name="Declare pairs?")
    await expect(asked).to_contain_text("if you never open you pay double")
    await asked.get_by_role("button", name="Declare pairs").tap()
    await expect(page.locator(".counter")).not_to_contain_text("points")
    await expect(page.locator(".counter")).to_contain_text("/ 5 pairs")


async def test_melds_fly_from_the_rack_to_where_they_lie(doors: DoorHouse, phone: BrowserContext) -> None:
    page = await laying(doors, phone, rack="K5 K6 K7 R6 Y9", melds="K2 K3 K4/R3 R4 R5")
    await page.emulate_media(reduced_motion="no-preference")
    await page.evaluate(ENDLESS)
    await button(page, "Lay meld").tap()
    await expect(page.locator("body > .flying")).to_have_count(3)
    await expect(page.locator(".laid .tile:visible")).to_have_count(6)
    assert await page.evaluate("document.querySelector('.flying').getAnimations()[0].finish()") is None
    await expect(page.locator("body > .flying")).to_have_count(2)
    await expect(page.locator(".laid .tile:visible")).to_have_count(7)
