"""The doors in a real browser: a personal link, and chats that frame the page, under their real origins."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from bot.store import open_store
from tests.adapters.web.test_doors import DoorHouse, open_doors

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def doors(valkey_url: str, tmp_path: Path) -> AsyncIterator[DoorHouse]:
    async with open_store(valkey_url, tmp_path) as store, open_doors(store) as opened:
        yield opened


async def test_a_personal_link_opens_the_own_table_until_they_log_out(
    doors: DoorHouse, phone: BrowserContext
) -> None:
    house = doors.house
    ada, can = house.person("Ada"), house.person("Can")
    table = await house.open(ada, can, words="2")
    await house.press(ada, f"start.{table}.0", private=False)
    page = await phone.new_page()
    await page.goto(f"{doors.url}/#k={await doors.secret(ada)}")
    assert page.url == f"{doors.url}/"  # the secret is in no history
    await page.get_by_role("button", name="Go to my table").tap()
    await expect(page.locator("#rack .tile").first).to_be_visible()
    await page.reload()
    await expect(page.locator("#rack .tile").first).to_be_visible()
    await page.get_by_role("button", name="Menu").tap()
    await page.get_by_role("button", name="Log out everywhere").tap()
    await expect(page.get_by_text("Open the table again from the chat.")).to_be_visible()
    await expect(page.locator("#rack")).to_have_count(0)
