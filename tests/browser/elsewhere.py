"""The table in other browsers: `python -m tests.browser.elsewhere [PICTURES]`, beside the tests in Chromium.

In each that is installed (Debian: firefox-esr; webkit2gtk-driver xvfb) a match is played by finger while the
server is killed and started again, one by keys alone, and one of Okey 101 with melds dragged to the cloth.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from tests.browser.test_round import MOST_TURNS, Okey
from tests.browser.test_table import BOXES, RAISED, SMALL
from tests.browser.webdriver import BROWSERS, Browser

STOCK, MINE, RESULT = "button.stock.open", "button.pile.br.open", "#result"
LAST_TILE, NOT_OPEN = "#rack .wood .slot:nth-last-child(1 of :has(.tile)) .tile", ".pile.br:not(.open)"
PLACES = (
    """[...document.querySelectorAll('.slot')].map(each => each.querySelector('.tile')?.dataset.tile ?? '')"""
)
RACK = "[...document.querySelectorAll('#rack .tile')].map(each => each.getAttribute('aria-label'))"


class Player:
    """Somebody at the table, who looks at everything between the turns."""

    def __init__(self, browser: Browser, okey: Okey, pictures: Path | None) -> None:
        self._browser = browser
        self._okey = okey
        self._pictures = pictures

    async def play(self) -> None:
        browser = self._browser
        await browser.open(self._okey.url)
        await browser.until(_there("#name"))
        await browser.tap("#name")
        await browser.keys(*"Ada", "Enter")
        await self._look("home")
        await self._start("/play turkish-rummy-fast-1", tiles=14, guided=True)
        await browser.drag(".slot .tile", ".slot[data-place='23']", above=self._raised)
        await browser.until("document.querySelector(\".slot[data-place='23'] .tile\") !== null")
        await self._look("round")
        assert await browser.complaints() == []
        await self._lose_the_server()
        await self._until_the_result(self._turn_by_finger)
        await self._look("result")
        await self._go_to("[data-do=again]")
        await browser.keys("Enter")
        await browser.until(f"document.querySelectorAll('#rack .tile').length >= 14 && !{_there(RESULT)}")
        await self._until_the_result(self._turn_by_keys)
        await browser.tap("#result [data-do=home]")
        await self._start("/play okey101 rounds=1 opening_points=51 opening_pairs=10", tiles=21)
        await self._look("101")
        await self._until_the_result(self._turn_of_101)
        await self._look("101-result")
        assert await browser.complaints() == []

    @property
    def _raised(self) -> float:
        return RAISED if self._browser.pointer == "touch" else 0

    async def _look(self, name: str) -> None:
        small = await self._browser.evaluate(f"({SMALL})()")
        assert small == [], (name, small)
        if self._pictures:
            picture = self._pictures / f"{self._browser.name.lower()}-{name}.png"
            picture.write_bytes(await self._browser.screenshot())

    async def _start(self, command: str, *, tiles: int, guided: bool = False) -> None:
        browser = self._browser
        await browser.until(_there("[data-do=now]"))
        verb, _, argument = command.removeprefix("/").partition(" ")
        module = "import(document.body.dataset.files + 'app.js')"
        await browser.evaluate(f"{module}.then(all => all.type('{verb}', '{argument}'))")
        if guided:
            await browser.until(_there("#reading"))
            await browser.keys("Escape")
        await browser.tap("[data-kind=start]")
        await browser.until(f"document.querySelectorAll('#rack .tile').length >= {tiles}")

    async def _lose_the_server(self) -> None:
        before = await self._browser.evaluate(RACK)
        await self._okey.kill()
        await self._browser.until(_there(".away"))
        await self._okey.start()
        await self._browser.until(f"!{_there('.away')}")
        assert await self._browser.evaluate(RACK) == before
        await self._browser.complaints()  # of the server that was away

    async def _until_the_result(self, turn: Callable[[], Awaitable[None]]) -> None:
        for _ in range(MOST_TURNS):
            await self._browser.until(f"{_there(STOCK)} || {_there(MINE)} || {_there(RESULT)}")
            if await self._browser.evaluate(_there(RESULT)):
                return
            boxes = await self._browser.evaluate(BOXES)
            await turn()
            assert await self._browser.evaluate(BOXES) == boxes, "something jumped"
        raise AssertionError("the round did not end")

    async def _turn_by_finger(self) -> None:
        before = await self._browser.evaluate(PLACES)
        if await self._browser.evaluate(_there(STOCK)):
            await self._browser.tap(STOCK)
            await self._browser.until(f"{_there(MINE)} || {_there(RESULT)}")
            after = await self._browser.evaluate(PLACES)
            assert after == before, ("drawing moved a tile", before, after)
        if await self._browser.evaluate(_there(MINE)):
            await self._discard()

    async def _discard(self) -> None:
        await self._browser.drag(LAST_TILE, MINE, above=self._raised)
        await self._answer()

    async def _which(self, done: str) -> None:
        """Choose the first answer where it is asked what a drop means, until it is done."""
        while not await self._browser.evaluate(done):
            await self._browser.until(f"{_there('#question')} || {done}")
            if await self._browser.evaluate(_there("#question")):
                await self._browser.tap("#question button")

    async def _answer(self) -> None:
        """Say yes where something is asked once more."""
        await self._browser.until(f"{_there('#question')} || {_there(NOT_OPEN)}")
        if await self._browser.evaluate(_there("#question")):
            await self._browser.tap("#question button")
        await self._browser.until(_there(NOT_OPEN))

    async def _turn_by_keys(self) -> None:
        await self._go_to("#rack [tabindex='0']")
        if await self._browser.evaluate(_there(STOCK)):
            await self._browser.keys("d")
            await self._browser.until(f"{_there(MINE)} || {_there(RESULT)}")
        if await self._browser.evaluate(_there(MINE)):
            await self._browser.keys("Space", "ArrowRight", "Enter", "Delete")
            await self._browser.until(f"{_there('#question')} || {_there(NOT_OPEN)}")
            if await self._browser.evaluate(_there("#question")):
                await self._browser.keys("Enter")
            await self._browser.until(_there(NOT_OPEN))

    async def _go_to(self, selector: str) -> None:
        """Go to something by the Tab key alone."""
        for _ in range(60):
            if await self._browser.evaluate(
                f"Boolean(document.activeElement?.matches({json.dumps(selector)}))"
            ):
                return
            await self._browser.keys("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    async def _turn_of_101(self) -> None:
        browser = self._browser
        if await browser.evaluate(_there(STOCK)):
            await browser.tap(STOCK)
            await browser.until(f"{_there(MINE)} || {_there(RESULT)}")
        await browser.tap("[data-kind=sort_melds]")
        await browser.until(f"!{_there('.bay button')}")
        while await browser.evaluate(_there("[data-do=put_down]:not([aria-disabled])")):
            laid = await browser.evaluate("document.querySelectorAll('.laid').length")
            kind = "run" if await browser.evaluate(_there(".slot.run")) else "set"
            await browser.drag(f".slot.{kind} .tile", ".cloth", above=self._raised)
            await self._which(f"document.querySelectorAll('.laid').length > {laid}")
            await self._look("101-melds")
        if await browser.evaluate(_there(MINE)):
            await self._discard()


def _there(selector: str) -> str:
    return f"Boolean(document.querySelector({json.dumps(selector)}))"


async def _try(kind: type[Browser], pictures: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        okey = Okey(Path(folder))
        await okey.start()
        try:
            async with AsyncExitStack() as stack:
                await Player(await kind.launch(stack), okey, pictures).play()
        finally:
            await okey.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", nargs="?", type=Path, help="a folder for pictures of the matches")
    pictures: Path | None = parser.parse_args().pictures
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    for kind in BROWSERS:
        if kind.is_installed():
            asyncio.run(_try(kind, pictures))
            print(f"{kind.name}: three matches played, nothing to complain of")
        else:
            print(f"{kind.name}: not installed")


if __name__ == "__main__":
    main()
