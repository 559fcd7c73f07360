"""The page that checks deals, in a browser: served and as a file, honest records and forged ones."""

import json
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Page, expect

from adapters.web import FairPages, WebServer
from bot.i18n import LANGUAGES, words_for
from bot.markup import Link
from bot.screens.check import check_file
from bot.store import open_store
from tests.bot.house import open_house
from tests.bot.rounds import play_round
from tests.browser.test_accessibility import complaints
from tests.engine.forgeries import DRAND, FORGERIES, Json, forge, honest

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = ((390, 844), (1280, 800))


async def opened(page: Page, folder: Path, record: Json, language: str = "en") -> None:
    """Open the page as a file with a record in it, as people save it from a chat."""
    file = folder / "okey.html"
    file.write_bytes(check_file(words_for(language), json.dumps(record, ensure_ascii=False).encode()))
    await page.goto(file.as_uri())
    await expect(page.locator(".verdict")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_file_says_without_a_network_that_honest_deals_are_right(
    phone: BrowserContext, tmp_path: Path, language: str
) -> None:
    words, record = words_for(language), honest(beacon=DRAND)
    await phone.set_offline(True)
    page = await phone.new_page()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await opened(page, tmp_path, record, language)
        await expect(page.locator(".verdict")).to_have_text(words.plain("check.right"))
        await expect(page.locator("section")).to_have_count(len(record["rounds"]) + 2)
        first = page.locator("section").first
        for seat in record["rounds"][0]["context"]["seats"]:
            told = f"{seat['name']}: {seat['word'] or words.plain('fair.none')}"
            await expect(first.get_by_text(told, exact=True)).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        assert await complaints(page) == ""


async def test_digits_that_somebody_saw_are_found(phone: BrowserContext, tmp_path: Path) -> None:
    record = honest()
    page = await phone.new_page()
    await opened(page, tmp_path, record)
    field, answer = page.get_by_label("Digits that you saw"), page.locator("output")
    for kind in ("seal", "digest"):
        await field.fill(record["rounds"][1]["context"][kind][:16])
        await expect(answer).to_have_text("✅ Those are of round 2.")
    await field.fill("0123456789abcdef")
    await expect(answer).to_have_text("❌ No deal here has these digits.")
    await field.fill("01")
    await expect(answer).to_have_text("Type at least 8 digits.")


async def test_every_forgery_is_refused_with_its_reason(phone: BrowserContext, tmp_path: Path) -> None:
    page, words = await phone.new_page(), words_for("en")
    reasons = {
        words.plain(f"refused.{code}") for _, codes in FORGERIES.values() for code in codes - NEEDS_MOVES
    }
    for beacon in (None, DRAND):
        record = honest(beacon=beacon)
        for way in FORGERIES:
            await opened(page, tmp_path, forge(record, way))
            await expect(page.locator(".verdict.wrong")).to_be_visible()
            assert await page.locator(".verdict + p").inner_text() in reasons, way


NEEDS_MOVES = {"bad_deal", "not_your_turn"}
"""Refusals of a replay, which the page doesn't do."""


async def test_the_served_page_fetches_the_record_of_its_link(
    phone: BrowserContext, valkey_url: str, tmp_path: Path
) -> None:
    server = WebServer("127.0.0.1", 0)
    async with (
        open_store(valkey_url, tmp_path) as store,
        open_house(store, work=False, web_url="https://okey.test") as house,
    ):
        ada = house.person("Ada")
        table = await house.open(ada, words="2 quick")
        await house.type(ada, "word", "lavender")
        await house.press(ada, f"start.{table}.0", private=False)
        await play_round(house, table)
        told = (await house.press(ada, f"fair_check.{table}.0")).page
        assert told is not None
        (link,) = [part for part in told.text if isinstance(part, Link)]
        FairPages(house.app.fair, server)
        await server.start()
        try:
            page = await phone.new_page()
            await page.goto(f"{server.url}fair#{link.url.partition('#')[2]}")
            await expect(page.locator(".verdict.right")).to_be_visible()
            await expect(page.get_by_text("Ada: lavender")).to_be_visible()
            assert await complaints(page) == ""
        finally:
            await server.stop()
