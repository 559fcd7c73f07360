"""The whole program in a real browser: a person plays a round on the page against computer players."""

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


@pytest_asyncio.fixture(loop_scope="session")
async def okey(tmp_path: Path) -> AsyncIterator[str]:
    """`okey run` with no token, on an embedded store, with computer players who do not think long."""
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path / "data"),
        "WEB_PORT": str(port),
        "OKEY_COMPUTER_SECONDS": "0.05",
    }
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.main", "run", cwd=tmp_path, env=environment
    )
    try:
        url = f"http://127.0.0.1:{port}/"
        await answers(url, program)
        yield url
        program.terminate()
        assert await asyncio.wait_for(program.wait(), STARTS_WITHIN) == 0
    finally:
        if program.returncode is None:
            program.kill()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def answers(url: str, program: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(STARTS_WITHIN), ClientSession() as session:
        while program.returncode is None:
            try:
                async with session.get(url) as response:
                    assert response.status == 200
                    return
            except ClientError:
                await asyncio.sleep(0.05)
    raise AssertionError("okey run has ended")


async def test_a_person_plays_a_round_against_computer_players(phone: BrowserContext, okey: str) -> None:
    page = await phone.new_page()
    await page.goto(okey)
    await page.get_by_label("Your name").fill("Ada")
    await page.keyboard.press("Enter")
    await button(page, "Open a table").click()
    await button(page, "▶ Start with 3 computer players").click()
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
