"""The whole program in a real browser: people play on the page, alone and together."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp import ClientError, ClientSession
from playwright.async_api import BrowserContext, Locator, Page, expect

pytestmark = pytest.mark.asyncio(loop_scope="session")

STARTS_WITHIN = 20
"""Seconds."""
MOST_TURNS = 110
"""More than a round has: the stock holds 48 tiles."""


class Okey:
    """`okey run` with no token, on an embedded store, with computer players who do not think long."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}/"

    async def start(self) -> None:
        environment = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(self._folder / "data"),
            "WEB_PORT": str(self._port),
            "OKEY_COMPUTER_SECONDS": "0.05",
        }
        self._program = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.main", "run", cwd=self._folder, env=environment
        )
        async with ClientSession() as session:
            for _ in range(STARTS_WITHIN * 20):
                if await self._answers(session):
                    return
                await asyncio.sleep(0.05)
        raise AssertionError("okey run does not answer")

    async def stop(self) -> None:
        self._program.terminate()
        assert await asyncio.wait_for(self._program.wait(), STARTS_WITHIN) == 0

    async def kill(self) -> None:
        self._program.kill()
        await self._program.wait()

    async def _answers(self, session: ClientSession) -> bool:
        assert self._program.returncode is None, "okey run has ended"
        try:
            async with session.get(self.url) as response:
                return response.status == 200
        except ClientError:
            return False


@pytest_asyncio.fixture(loop_scope="session")
async def okey(tmp_path: Path) -> AsyncIterator[Okey]:
    program = Okey(tmp_path)
    await program.start()
    yield program
    await program.stop()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def come_in(context: BrowserContext, okey: Okey, name: str) -> Page:
    page = await context.new_page()
    await page.goto(okey.url)
    await page.get_by_label("Your name").fill(name)
    await page.keyboard.press("Enter")
    return page


async def test_two_tabs_sit_at_one_table_and_a_killed_server_takes_nothing_from_them(
    phone: BrowserContext, okey: Okey
) -> None:
    ada, ece = await come_in(phone, okey, "Ada"), await come_in(phone, okey, "Ece")
    await button(ada, "Open a table").click()
    await button(ece, "Join").click()
    await expect(ada.locator("#table").get_by_text("Ece")).to_be_visible()
    await button(ada, "▶ Start with 2 🤖").click()
    racks = [await rack_of(page) for page in (ada, ece)]
    assert sorted(map(len, racks)) in ([14, 14], [14, 15])
    await okey.kill()
    away = ada.get_by_text("The connection is gone.")
    await expect(away).to_be_visible()
    await okey.start()
    await expect(away).to_be_hidden()
    assert [await rack_of(page) for page in (ada, ece)] == racks


async def rack_of(page: Page) -> list[str]:
    """A person's tiles in his own order, as a screen reader names them."""
    tiles = page.locator("#rack .shelf > .tile")
    await expect(tiles.nth(13)).to_be_visible()
    return [await tile.get_attribute("aria-label") or "" for tile in await tiles.all()]


async def test_a_person_plays_a_round_against_computer_players(phone: BrowserContext, okey: Okey) -> None:
    page = await come_in(phone, okey, "Ada")
    await button(page, "Open a table").click()
    await button(page, "▶ Start with 3 🤖").click()
    rack, table = page.locator("#rack"), page.locator("#table")
    await expect(rack.locator(".shelf > .tile").nth(13)).to_be_visible()
    assert await play_until_the_round_ends(page, rack) > 0
    await expect(table.get_by_text("result of round 1")).to_be_visible()
    await expect(table.get_by_role("img", name="Ada:")).to_be_visible()
    await button(page, "▶ Next round").first.click()
    await expect(table.get_by_text("round 2")).to_be_visible()
    await expect(rack.locator(".shelf > .tile").nth(13)).to_be_visible()


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


async def play_until_the_round_ends(page: Page, rack: Locator) -> int:
    """Draw when it is his turn, then discard the last tile of the rack; how many he discarded."""
    draw, over = button(page, "Draw"), button(page, "▶ Next round").first
    tiles, sure = rack.locator("button.tile"), page.get_by_role("button", name="Yes, discard")
    answered = expect(page.locator("[aria-busy]"))
    for discarded in range(MOST_TURNS):
        await expect(draw.or_(tiles).or_(sure).or_(over).first).to_be_visible()
        if await over.is_visible():
            return discarded
        for press in (draw, tiles.last, sure):
            if await press.is_visible():
                await press.click()
                await answered.to_have_count(0)
    raise AssertionError("the round did not end")
