"""The whole program in a real browser: people play on the page, alone and together."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

import pytest
import pytest_asyncio
from aiohttp import ClientError, ClientSession
from playwright.async_api import BrowserContext, Locator, Page, expect

from tests.browser.fingers import Finger
from tests.browser.test_table import (
    COVERED,
    RAISED,
    SHIFTS,
    SMALL,
    button,
    enter,
    place,
    typed,
    until_answered,
)
from tests.browser.test_teacher import STEPS, pressed
from tests.evening.running_bot import free_port
from tests.patience import PATIENCE, found

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHIFT_BESIDE_MELDS = """new Promise(done => {
    const beside = ({ node }) => node?.isConnected && !node.parentElement?.closest('.cloth');
    const worst = list => list.filter(each => !each.hadRecentInput && each.sources.every(beside)).reduce(
        ([worst, sum, first, last], { value, startTime: at }) => {
            const goesOn = at - last < 1000 && at - first < 5000, now = goesOn ? sum + value : value;
            return [Math.max(worst, now), now, goesOn ? first : at, at];
        }, [0, 0, -Infinity, -Infinity])[0];
    const observer = new PerformanceObserver(list => done(worst(list.getEntries())));
    observer.observe({type: 'layout-shift', buffered: true});
    setTimeout(() => done(0), 300);
})"""
"""Cumulative Layout Shift as it is defined: the largest burst, not the sum of a whole round. Without melds on
the table that make room for each other as others lay tiles off: how much they move depends on the tiles.
Where a node that moved is gone by now, it may have been one of them."""
MOST_TURNS = 110
"""More than a round has: the stock holds 48 tiles."""


FEWEST = 2
"""Decisions that make a curve. A computer player may finish before, or every discard may be as good."""


class Okey:
    """`okey run` with no token, on an embedded store, with computer players who do not think long."""

    def __init__(self, folder: Path, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self._folder, self._settings = folder, settings
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}/"

    async def start(self) -> None:
        environment = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(self._folder / "data"),
            "WEB_PORT": str(self._port),
            "OKEY_COMPUTER_SECONDS": "0.05",
            "OKEY_PRESSES_PER_SECOND": "1000",
            "OKEY_PROCESSES": "0",
            **self._settings,
        }
        self._program = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.main", "run", cwd=self._folder, env=environment
        )
        async with ClientSession() as session, asyncio.timeout(PATIENCE):
            await found(partial(self._answers, session))

    async def stop(self) -> None:
        self._program.terminate()
        assert await asyncio.wait_for(self._program.wait(), PATIENCE) == 0

    def hang(self) -> None:
        """Stop the program in the middle of what it does."""
        self._program.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let the program that hung go on."""
        self._program.send_signal(signal.SIGCONT)

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
    try:
        await program.start()
    except BaseException:
        await program.kill()
        raise
    yield program
    await program.stop()


async def come_in(context: BrowserContext, okey: Okey, name: str) -> Page:
    page = await context.new_page()
    await enter(page, okey.url, name)
    return page


async def rack_of(page: Page) -> list[str]:
    """A person's tiles in their own order, as a screen reader names them."""
    tiles = page.locator("#rack .tile")
    await expect(tiles.nth(13)).to_be_visible()
    return [await tile.get_attribute("aria-label") or "" for tile in await tiles.all()]


async def test_two_tabs_sit_at_one_table_and_a_killed_server_takes_nothing_from_them(
    phone: BrowserContext, okey: Okey
) -> None:
    ada, ece = await come_in(phone, okey, "Ada"), await come_in(phone, okey, "Ece")
    await ada.get_by_role("button", name="Play with friends").tap()
    link = await ada.get_by_label("Invite").input_value()
    await ece.goto(link)
    await ece.get_by_role("button", name="Sit here").first.tap()
    await expect(ada.locator("#table").get_by_text("Ece")).to_be_visible()
    await ada.get_by_role("button", name="Start with 2 computer players").tap()
    racks = [await rack_of(page) for page in (ada, ece)]
    assert sorted(map(len, racks)) in ([14, 14], [14, 15])
    await okey.kill()
    away = ada.get_by_text("The connection was lost.")
    await expect(away).to_be_visible()
    await okey.start()
    await expect(away).to_be_hidden()
    assert [await rack_of(page) for page in (ada, ece)] == racks


IMPATIENT = "setTimeout = (later => (does, ms) => later(does, ms === 8000 ? 500 : ms))(setTimeout);"
"""Lets a page give up a socket without an answer sooner than after 8 seconds."""


async def test_a_discard_at_a_server_that_hangs_counts_once_and_is_not_called_expired(
    phone: BrowserContext, okey: Okey
) -> None:
    await phone.add_init_script(IMPATIENT)
    page = await come_in(phone, okey, "Ada")
    await page.get_by_role("button", name="Play now").tap()
    tiles, pile = page.locator("#rack .tile, .bay .tile"), page.locator("button.pile.br.open")
    stock = page.locator("button.stock.open")
    await stock.or_(pile).first.wait_for()
    if await stock.count():
        await stock.tap()
    await pile.wait_for()
    await expect(tiles).to_have_count(15)
    okey.hang()
    try:
        await tiles.first.tap()
        await pile.tap()
        await expect(tiles).to_have_count(14)
        await expect(page.locator(".away:not(.late)")).to_be_visible()
    finally:
        okey.go_on()
    await expect(stock).to_be_visible()  # the others have played, and the turn is Ada's again
    await expect(tiles).to_have_count(14)
    await expect(page.locator(".note")).to_have_count(0)


@pytest.mark.everyday
async def test_a_match_is_played_by_finger_and_again_by_keys_alone(phone: BrowserContext, okey: Okey) -> None:
    page = await phone.new_page()
    await enter(page, okey.url)
    await typed(page, "/play turkish-rummy-fast-1")
    await expect(page.get_by_role("dialog", name="Info")).to_contain_text("1/3")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Start with 3 computer players").tap()
    await expect(page.locator("#rack .tile").nth(13)).to_be_visible()
    assert await play_until_the_round_ends(page) > 0
    result = page.get_by_role("dialog", name="Result")
    await expect(result.get_by_role("row")).to_have_count(5)
    assert await page.evaluate(SHIFTS) < 0.02
    await page.set_viewport_size({"width": 1280, "height": 800})
    await tab_to(page, result.get_by_role("button", name="Play again"))
    await page.keyboard.press("Enter")
    await expect(page.locator("#rack .tile").nth(13)).to_be_visible()
    await expect(result).to_be_hidden()
    assert await play_by_keys_until_the_round_ends(page) > 0
    assert await page.evaluate(SHIFTS) < 0.02


async def test_the_order_of_the_fingers_is_the_order_of_the_chats(phone: BrowserContext, okey: Okey) -> None:
    page = await come_in(phone, okey, "Ada")
    await page.get_by_role("button", name="Play now").tap()
    finger, first = await Finger.on(page), page.locator(".slot .tile").first
    name = (await first.get_attribute("aria-label") or "").split(",")[0]
    await finger.drag(first, place(page, 23), above=RAISED)
    moved = place(page, 23).get_by_role("button", name=name)
    await expect(moved).to_be_visible()
    await expect(place(page, 0)).to_be_empty()
    await page.reload()
    await expect(moved).to_be_visible()
    pairs = button(page, "Pairs")
    await page.evaluate("performance.now = () => 0")
    await pairs.tap()
    await expect(place(page, 0).locator(".tile")).to_be_visible()
    await pairs.tap()  # the second of a double tap
    await expect(pairs).to_have_attribute("aria-pressed", "true")
    await expect(place(page, 0).locator(".tile")).to_be_visible()
    await until_answered(page)
    await page.evaluate("performance.now = () => 1000")
    await pairs.tap()  # once more brings back the own order
    await expect(moved).to_be_visible()
    await expect(place(page, 0)).to_be_empty()


async def test_who_learns_is_told_every_step_and_shown_where(phone: BrowserContext, okey: Okey) -> None:
    page = await phone.new_page()
    await enter(page, okey.url)
    await page.set_viewport_size({"width": 360, "height": 640})
    await page.get_by_role("button", name="Learn in two minutes").tap()
    for number, (_, presses, _) in enumerate(STEPS, 1):
        for name in (*presses, "Next" if number < len(STEPS) else "Practise a round"):
            await pressed(page, name, by_keys=False)
    hint = page.locator(".hint.told")
    await expect(hint).to_be_visible()
    assert await page.evaluate(COVERED, [".pile, .okey", ".disc, .plate"]) == []
    over = page.get_by_role("dialog", name="Result")
    for _ in range(3):
        await page.locator("button.stock.open, .pile.br.open").or_(over).first.wait_for()
        if await over.is_visible():
            return  # a computer player was dealt nearly a winning rack
        if await page.locator("button.stock.open").count():
            await page.locator("button.stock").tap()
        await page.locator("button.pile.br.open").wait_for()
        await expect(hint).to_contain_text(re.compile("Discard|finish|twin"))
        await page.locator("#rack .slot .tile").last.tap()
        await button(page, "Discard").tap()
        await answer(page)
        await expect(page.locator("button.pile.br.open")).to_have_count(0)
    await expect(page.locator("#rack .tile").nth(13)).to_be_visible()


async def play_until_the_round_ends(page: Page) -> int:
    """Draw when it is one's turn, then drag the last tile of the rack away; how many were discarded."""
    finger = await Finger.on(page)
    stock, mine = page.locator("button.stock.open"), page.locator("button.pile.br.open")
    over = page.get_by_role("dialog", name="Result")
    for discarded in range(MOST_TURNS):
        await stock.or_(mine).or_(over).first.wait_for()
        if await over.is_visible():
            return discarded
        if await stock.is_visible():
            await stock.tap()
            await mine.or_(over).first.wait_for()
        if await mine.is_visible():
            await finger.drag(page.locator("#rack .slot .tile").last, mine, above=RAISED)
            await answer(page)
            await expect(mine).to_have_count(0)
    raise AssertionError("the round did not end")


async def play_by_keys_until_the_round_ends(page: Page) -> int:
    """The same by keys alone, and by what a screen reader says of the table, the rack and each turn."""
    stock, mine = page.locator("button.stock.open"), page.locator("button.pile.br.open")
    over, voice = page.get_by_role("dialog", name="Result"), page.locator("#voice")
    asked = page.get_by_role("alertdialog")
    opens = page.locator("[data-do=put_down]:not([aria-disabled])")
    for discarded in range(MOST_TURNS):
        await stock.or_(mine).or_(over).first.wait_for()
        if await over.is_visible():
            return discarded
        read = await page.locator("#table").aria_snapshot()
        assert len(re.findall(r'^  - group ".+ points?, \d+ tiles?', read, re.M)) == 4
        assert read.count(", on turn") == 1
        assert re.search(r'img "Indicator \w+ \d+, okey \w+ \d+"', read)
        if await stock.is_visible():
            assert re.search(r'button "Draw from the stock, \d+ tiles? left', read), read
            await page.keyboard.press("d")
            await mine.or_(over).first.wait_for()
        if await over.is_visible():
            return discarded + 1
        await expect(voice).to_contain_text(re.compile("Your turn|discard|Lay|open"))
        tiles = page.locator("#rack .tile")
        read = await page.locator("#rack").aria_snapshot()
        named = re.findall(r'button "(?:red|yellow|blue|black|false) [\w ()]+', read)
        assert len(named) == await tiles.count()
        if await page.locator(".cloth").count():
            await tab_to(page, button(page, "Best"))
            await page.keyboard.press("Enter")
            await expect(page.locator(".bay button")).to_have_count(0)
        while await opens.count() and await page.locator("#rack .slot:not(.meld) .tile").count():
            meld = page.locator(".laid").nth(await page.locator(".laid").count())
            await tab_to(page, opens)
            await page.keyboard.press("Enter")
            await meld.or_(asked).first.wait_for()
            while await asked.is_visible():
                await page.keyboard.press("Enter")
                await meld.or_(asked).first.wait_for()
        await tab_to(page, page.locator("#rack .wood [tabindex='0']"))
        for key in ("ArrowDown", "ArrowDown"):
            await page.keyboard.press(key)
        await page.keyboard.press("Delete")
        await answer(page, by_keys=True)
        await expect(mine).to_have_count(0)
    raise AssertionError("the round did not end")


async def play_by_keys_and_review(page: Page, info: Locator) -> int:
    """Play a round by keys and open its review; how many decisions its curve shows."""
    await play_by_keys_until_the_round_ends(page)
    await page.get_by_role("dialog", name="Result").get_by_role("button", name="How did I play?").tap()
    await expect(info).to_contain_text("Luck in points to open with")
    return await info.locator(".curve rect").count()


async def tab_to(page: Page, target: Locator) -> None:
    """Go to something by the Tab key alone."""
    for _ in range(60):
        if await target.evaluate("each => each === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    at = await page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    read = await page.locator("body").aria_snapshot()
    raise AssertionError(f"Tab does not lead to {target}; it is at {at} of\n{read}")


async def answer(page: Page, *, by_keys: bool = False) -> None:
    """Say yes where something is asked once more."""
    yes = page.get_by_role("alertdialog").get_by_role("button").first
    await yes.or_(page.locator(".pile.br:not(.open)")).first.wait_for()
    if await yes.is_visible():
        await (page.keyboard.press("Enter") if by_keys else yes.tap())


async def test_a_round_of_101_is_played_by_finger_with_melds_dragged_to_the_cloth(
    phone: BrowserContext, okey: Okey
) -> None:
    page = await phone.new_page()
    await enter(page, okey.url)
    await typed(page, "/play okey101 rounds=1 opening_points=51 opening_pairs=10")
    await expect(page.get_by_role("dialog", name="Info")).to_contain_text("1/3")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Start with 3 computer players").tap()
    await expect(page.locator("#rack .tile").nth(20)).to_be_visible()
    await expect(page.locator(".shelf")).to_have_count(3)
    assert await page.evaluate(SMALL) == []
    finger, cloth = await Finger.on(page), page.locator(".cloth")
    stock, mine = page.locator("button.stock.open"), page.locator("button.pile.br.open")
    over = page.get_by_role("dialog", name="Result")
    for _ in range(MOST_TURNS):
        await stock.or_(mine).or_(over).first.wait_for()
        if await over.is_visible():
            break
        if await stock.is_visible():
            await stock.tap()
            await mine.or_(over).first.wait_for()
        await button(page, "Best").tap()
        await expect(page.locator(".bay button")).to_have_count(0)
        enough = page.locator("[data-do=put_down]:not([aria-disabled])")
        spare = page.locator("#rack .slot:not(.meld) .tile")  # a tile must be left for the discard
        while await enough.count() and await spare.count():
            laid = await cloth.locator(".laid").count()
            kind = ".run" if await page.locator(".slot.run").count() else ".set"
            await finger.drag(page.locator(f".slot{kind} .tile").first, cloth, above=RAISED)
            meld, reading = cloth.locator(".laid").nth(laid), page.get_by_role("alertdialog")
            await meld.or_(reading).first.wait_for()
            while await reading.is_visible():  # the meld or its tile alone; an okey may stand for several
                await reading.get_by_role("button").first.tap()
                await meld.or_(reading).first.wait_for()
            await expect(meld).to_be_visible()
        await finger.drag(page.locator("#rack .slot .tile").last, mine, above=RAISED)
        await answer(page)
        await expect(mine).to_have_count(0)
    await expect(over.get_by_role("row")).to_have_count(5)
    assert await page.evaluate(SHIFT_BESIDE_MELDS) < 0.02


async def test_a_round_of_101_is_played_by_keys_with_hints_and_reviewed_decision_by_decision(
    phone: BrowserContext, okey: Okey
) -> None:
    page = await phone.new_page()
    await page.set_viewport_size({"width": 360, "height": 640})
    await enter(page, okey.url)
    await typed(page, "/play okey101 rounds=1 opening_points=51 opening_pairs=10")
    info = page.get_by_role("dialog", name="Info")
    await expect(info).to_contain_text("1/3")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Rules").tap()
    await info.get_by_role("button", name="Hints for everyone").tap()
    await expect(info.get_by_role("button", name="✓ Hints for everyone")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Start with 3 computer players").tap()
    hint = page.locator(".hint.told")
    await expect(hint).to_be_visible()
    await expect(page.locator(".above")).to_have_class("above helped")
    points = info.locator(".curve rect")
    while await play_by_keys_and_review(page, info) < FEWEST:
        await info.get_by_role("button", name="Close").tap()
        await page.get_by_role("button", name="Play again").tap()
        await expect(page.get_by_role("dialog", name="Result")).to_be_hidden()
    last = await points.count()
    await points.nth(last - 1).tap()
    moment = page.get_by_role("region", name="Replay")
    await expect(moment).to_contain_text(f"Decision {last} of {last}")
    await expect(moment.locator(".wood")).to_be_in_viewport()
    await page.get_by_role("slider").fill("0")
    await expect(info).to_contain_text("Accuracy")
    for number in range(1, last + 1):
        await page.keyboard.press("ArrowRight")
        await expect(moment).to_contain_text(f"Decision {number} of {last}")
        await expect(moment).to_contain_text(re.compile("Better|Nothing was better"))
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
