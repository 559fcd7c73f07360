"""The table to touch in a real browser, on a router of few words: by finger, by keys, alone and together."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from itertools import count, product

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    ViewportSize,
    WebSocketRoute,
    expect,
)

from adapters.web import LocalPage, WebServer
from bot.i18n import LANGUAGES
from bot.live import LiveHint
from bot.ports import Answer, Press, TypedCommand
from bot.tables.names import FIGURES
from engine.melds import Meld, MeldRules, Played, meld_of, points_of
from engine.tiles import COLOURS, Tile, tile_of
from tests.adapters.web.scripted import TABLE, ScriptedApps, ScriptedDelivery, ScriptedRouter
from tests.browser.conftest import PHONE, WITHIN
from tests.browser.fingers import Finger, middle
from tests.patience import PATIENCE, found

pytestmark = pytest.mark.asyncio(loop_scope="session")

ACROSS: ViewportSize = {"width": 844, "height": 390}
SIZES = ((360, 640), (390, 844), (844, 390), (1280, 800))
LOW = ((320, 568), (360, 560))
RAISED = 30
"""Pixels by which a tile is held above the finger."""
SHIFTS = """new Promise(done => {
    const seen = list => list.filter(each => !each.hadRecentInput).reduce((sum, each) => sum + each.value, 0);
    const observer = new PerformanceObserver(list => done(seen(list.getEntries())));
    observer.observe({type: 'layout-shift', buffered: true});
    setTimeout(() => done(0), 300);
})"""
"""What has jumped on the page so far (CLS), as the browser counts it."""
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
BOXES = """JSON.stringify([...document.querySelectorAll('.slot, .pile, .seat, .stock')]
    .map(each => each.getBoundingClientRect()))"""
LAID = BOXES.replace(".slot, .pile, .seat, .stock", ".laid")
MELDS = """() => {
    const cloth = document.querySelector('.cloth'), melds = [...document.querySelectorAll('.laid')];
    return [melds[0].firstElementChild.getBoundingClientRect().width,
        Math.min(...melds.map(each => each.getBoundingClientRect().height)),
        cloth.scrollHeight - cloth.clientHeight];
}"""
"""How wide a tile of the melds is, how high the lowest meld, and how much of them is beyond the cloth."""
SMALL = """() => [...document.querySelectorAll('button, input')].filter(each => {
    const box = each.getBoundingClientRect(), tile = each.matches('#rack .tile, .gap');
    return box.width && box.bottom > 0 && (box.height < 44 || (box.width < 44 && !tile));
}).map(each => each.outerHTML)"""
"""What is too small for a finger; a tile is as wide as its shelf has room."""
LINES = """each => {
    const words = document.createRange();
    words.selectNodeContents(each);
    return new Set([...words.getClientRects()].map(line => Math.round(line.top))).size;
}"""
"""In how many lines an element's words stand."""
NARROW: ViewportSize = {"width": 360, "height": 640}


COVERED = """([over, under]) => {
    const boxed = each => [each, each.getBoundingClientRect()];
    const boxes = what => [...document.querySelectorAll(what)].map(boxed);
    const end = (each, box) => getComputedStyle(each).overflowX === 'visible'
        ? Math.max(box.right, box.left + each.scrollWidth) : box.right;
    return boxes(over).flatMap(([each, a]) => boxes(under).filter(([other, b]) =>
        a.left < end(other, b) && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map(([other]) =>
        `${each.className} on ${other.className}`));
}"""
"""What lies on something else, or on words that are longer than their box."""


class Served:
    """The page's server, which can be stopped and started again on its port."""

    def __init__(self) -> None:
        self.router = ScriptedRouter()
        self._server = self._new(0)

    def _new(self, port: int) -> WebServer:
        server = WebServer("127.0.0.1", port)
        LocalPage(apps=ScriptedApps(self.router), shared=ScriptedDelivery(), server=server)
        return server

    async def start(self) -> None:
        await self._server.start()
        self.url = self._server.url

    async def stop(self) -> None:
        await self._server.stop()

    async def start_again(self) -> None:
        self._server = self._new(int(self.url.rstrip("/").rsplit(":", 1)[1]))
        await self._server.start()

    async def restart(self) -> None:
        await self.stop()
        await self.start_again()

    def pressed(self) -> list[str]:
        return [asked.data for asked in self.router.asked if isinstance(asked, Press)]

    async def until_pressed(self, *last: str) -> None:
        """Wait until these are the last presses."""
        await self._until(lambda: self.pressed()[-len(last) :] == list(last))

    async def until_kept(self) -> None:
        """Wait until the last press was about the order of the rack."""
        await self._until(lambda: self.pressed()[-1].startswith("keep."))

    async def _until(self, holds: Callable[[], bool]) -> None:
        for _ in range(int(PATIENCE / 0.02)):
            if holds():
                return
            await asyncio.sleep(0.02)
        raise AssertionError(self.pressed())


@pytest_asyncio.fixture(loop_scope="session")
async def served() -> AsyncIterator[Served]:
    server = Served()
    await server.start()
    yield server
    await server.stop()


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def tile(page: Page, name: str) -> Locator:
    """A tile of the rack, by what a screen reader says."""
    return page.locator("#rack .tile").and_(page.get_by_role("button", name=name))


async def discard(page: Page, name: str) -> None:
    """Lift a tile and put it on the pile, by taps."""
    await tile(page, name).tap()
    await pile(page).tap()


def place(page: Page, number: int) -> Locator:
    return page.locator(f".slot[data-place='{number}']")


def pile(page: Page) -> Locator:
    """The viewer's own discard place."""
    return page.locator(".pile.br")


async def come_in(context: BrowserContext, served: Served, name: str = "Ada") -> Page:
    page = await context.new_page()
    await enter(page, served.url, name)
    return page


async def enter(page: Page, url: str, name: str = "Ada") -> None:
    """Open the page and say one's name."""
    await page.goto(url)
    await page.locator("#name").fill(name)
    await page.keyboard.press("Enter")


async def playing(context: BrowserContext, served: Served, name: str = "Ada") -> Page:
    page = await come_in(context, served, name)
    await page.get_by_role("button", name="Play now").tap()
    await expect(tile(page, "red 1")).to_be_visible()
    return page


async def until_answered(page: Page) -> None:
    """Wait until the page knows the answers to all that was done on it."""
    assert await found(lambda: holds(page, "state.busy.size === 0"))


async def holds(page: Page, condition: str) -> bool:
    """Return whether something is true now of the page's `state`."""
    script = f"module().then(({{ state }}) => {condition})"
    return bool(await page.evaluate(script))


async def same_person(context: BrowserContext, served: Served, page: Page) -> Page:
    """Another tab of the same person, on turn."""
    again = await context.new_page()
    kept = await page.evaluate("Object.entries(sessionStorage)")
    await again.goto(served.url)
    await again.evaluate("kept => kept.forEach(([key, value]) => sessionStorage.setItem(key, value))", kept)
    await again.reload()
    await expect(tile(again, "red 1")).to_be_visible()
    return again


async def typed(page: Page, words: str) -> None:
    """Send a command as people type it in the chats. The page has buttons instead."""
    verb, _, argument = words.removeprefix("/").partition(" ")
    script = "([verb, argument]) => module().then(({ type }) => type(verb, argument))"
    await page.evaluate(script, [verb, argument])


async def test_play_now_begins_against_computers_of_the_chosen_level(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await expect(page.get_by_text("Plays soundly, without big mistakes.")).to_be_visible()
    await page.get_by_role("radio", name="sharp").tap()
    await expect(page.get_by_text("Weighs every draw and discard.")).to_be_visible()
    await expect(page.get_by_text("A lost round costs 2 or more of your 20 points.")).to_be_visible()
    await page.get_by_role("button", name="Play now").tap()
    await expect(tile(page, "red 1")).to_be_visible()
    assert served.pressed() == ["level.t1.sharp", "start.t1"]


async def test_the_okey_beside_the_indicator_bears_its_crown(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await expect(page.locator(".indicator .okey .face.red.wild")).to_be_visible()


@pytest.mark.parametrize("twin", [0, 1])
async def test_of_two_equal_tiles_the_tapped_one_is_discarded(
    phone: BrowserContext, served: Served, twin: int
) -> None:
    """A move names a face alone: the server chooses which of the two leaves its own order."""
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    twins = tile(page, "black 4")
    places = [await each.evaluate("each => each.parentElement.dataset.place") for each in await twins.all()]
    await twins.nth(twin).tap()
    await pile(page).tap()
    await until_answered(page)
    await expect(twins).to_have_count(1)
    await expect(place(page, int(places[1 - twin])).get_by_role("button", name="black 4")).to_be_visible()
    assert "discard.K4" in served.pressed()


async def test_an_address_with_a_long_name_opens_the_first_page(
    phone: BrowserContext, served: Served
) -> None:
    page = await phone.new_page()
    await enter(page, f"{served.url}#{'x' * 300}")
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    assert await holds(page, "state.online && state.welcomed")
    await page.reload()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    assert await found(lambda: holds(page, "state.online && state.welcomed"))


async def test_fingers_draw_arrange_and_discard(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    finger = await Finger.on(page)
    assert await page.evaluate(SMALL) == []
    await finger.drag(tile(page, "red 3"), place(page, 12), above=RAISED)
    await expect(place(page, 12).get_by_role("button", name="red 3")).to_be_visible()
    await expect(page.get_by_role("button", name="Draw from the stock")).to_be_visible()
    await finger.drag(page.locator(".stock .back"), place(page, 23), above=RAISED)
    drawn = page.locator(".bay").get_by_role("button", name="black 13")
    await expect(drawn).to_be_visible()
    assert served.router.kept == "ab--tuvKePQQc0Bz"
    await finger.drag(drawn, pile(page), above=RAISED)
    await expect(pile(page).locator(".black b")).to_have_text("13")
    assert served.router.discarded == "K13"
    assert await page.evaluate(SMALL) == []
    assert await page.evaluate(SHIFTS) < 0.02


async def test_a_neighbours_discard_is_taken_by_dragging_it(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    finger = await Finger.on(page)
    await finger.drag(page.locator(".pile.bl .tile"), place(page, 20), above=RAISED)
    await expect(page.locator(".bay").get_by_role("button", name="blue 9")).to_be_visible()
    await served.until_pressed(f"take.{TABLE}")


async def test_what_is_dropped_nowhere_or_lost_by_the_finger_goes_back(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    finger = await Finger.on(page)
    before = served.pressed()
    await finger.drag(tile(page, "red 3"), page.locator(".seat.top"))
    await finger.hold(tile(page, "red 3"), place(page, 12))
    await finger.lose()
    await finger.hold(page.locator(".stock .back"), place(page, 12))
    await page.keyboard.press("Escape")
    await finger.let_go()
    await expect(page.locator(".ghost")).to_have_count(0)
    await expect(place(page, 2).get_by_role("button", name="red 3")).to_be_visible()
    assert served.pressed() == before


async def test_a_tap_is_not_one_on_what_it_uncovers_too(phone: BrowserContext, served: Served) -> None:
    """A browser sends a click after the touch, to whatever is there by then."""
    await phone.add_init_script("window.Notification = class { static permission = 'default' }")
    page = await come_in(phone, served)
    await button(page, "Menu").tap()
    name = page.locator("#name")
    x, y = await middle(name)
    menu = page.get_by_role("navigation", name="Menu")
    assert await menu.evaluate(
        "(menu, at) => document.elementFromPoint(...at).closest('#menu') === menu", [x, y]
    )
    await page.touchscreen.tap(x, y)
    await expect(menu).to_be_hidden()
    await expect(name).not_to_be_focused()


async def test_a_button_of_the_mouse_let_go_outside_the_window_lets_the_tile_go(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    x, y = await middle(tile(page, "red 1"))
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(-60, y)
    await page.mouse.up()
    await page.mouse.move(200, 400)
    await expect(page.locator(".ghost")).to_have_count(0)
    await page.mouse.click(x, y)
    await expect(tile(page, "red 1")).to_have_attribute("aria-pressed", "true")


async def test_a_finger_of_whose_end_nobody_told_blocks_no_other(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    script = """(each, [type, pointerId]) => each.dispatchEvent(new PointerEvent(type,
        {pointerId, pointerType: 'touch', isPrimary: true, bubbles: true}))"""
    await tile(page, "red 1").evaluate(script, ["pointerdown", 77])
    await tile(page, "red 2").tap()
    await expect(tile(page, "red 2")).to_have_attribute("aria-pressed", "true")


async def test_a_second_tap_puts_a_lifted_tile_back_however_late_it_comes(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    before = served.pressed()
    for pressed in ("true", "false"):
        await tile(page, "black 3").tap()
        await expect(tile(page, "black 3")).to_have_attribute("aria-pressed", pressed)
    assert served.pressed() == before


async def test_a_lifted_tile_is_discarded_by_the_pile_and_an_okey_is_asked_for(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    okey = tile(page, "red 5 (okey)")
    for answer in ("No", "Yes, discard"):
        await expect(okey).to_be_visible()
        await okey.tap()
        await expect(okey).to_have_attribute("aria-pressed", "true")
        await pile(page).tap()
        await (
            page.get_by_role("alertdialog", name="Really discard the okey red 5?")
            .get_by_role("button", name=answer)
            .tap()
        )
    result = page.get_by_role("dialog", name="Result")
    await expect(result.get_by_role("heading", name="Ada finished")).to_be_visible()
    await expect(result.get_by_role("img", name="red 1 red 2 red 3")).to_be_visible()
    await served.until_pressed("discard.R5")
    assert await page.evaluate(SMALL) == []


async def test_a_result_tells_its_penalties_and_why_a_match_ended_without_a_winner(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    served.router.stage, served.router.fines, served.router.ending = "over", 2, "abandoned"
    await button(page, "Runs").tap()
    result = page.get_by_role("dialog", name="Result")
    await expect(result.get_by_role("row").nth(1)).to_contain_text("202 of it in penalties")
    await expect(result.get_by_role("row").nth(2)).not_to_contain_text("penalties")
    await expect(result).to_contain_text("Everyone left, so the match is over.")


async def test_every_button_before_a_match_suits_a_finger_on_a_narrow_phone(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await page.set_viewport_size(NARROW)
    chosen = page.get_by_role("radio", name="Three rounds")
    await chosen.tap()
    assert await page.evaluate(SMALL) == []
    assert await chosen.evaluate(LINES) == 1
    await page.get_by_role("button", name="Play with friends").tap()
    await expect(page.locator(".chair.mine")).to_be_visible()
    assert await page.evaluate(SMALL) == []
    assert await page.locator(".chair .press").first.evaluate(LINES) == 1


@pytest.mark.parametrize("lays", [False, True])
async def test_the_way_back_to_the_result_lies_on_nothing(
    phone: BrowserContext, served: Served, lays: bool
) -> None:
    served.router.lays = lays
    page = await playing(phone, served)
    served.router.stage = "over"
    await button(page, "Runs").tap()
    await button(page, "See the table").tap()
    await expect(page.locator(".reopen")).to_be_visible()
    for width, height in (*SIZES, *LOW, (640, 360)):
        await page.set_viewport_size({"width": width, "height": height})
        under = ".disc, .plate, .pile, .cloth, .counter, .bay, .slot, .watching p"
        assert await page.evaluate(COVERED, [".reopen", under]) == [], (width, height)


async def test_a_question_closes_when_its_moment_is_over(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    again = await same_person(phone, served, page)
    await page.bring_to_front()
    await page.locator("button.stock").tap()
    okey = tile(page, "red 5 (okey)")
    await okey.tap()
    await pile(page).tap()
    asked = page.get_by_role("alertdialog", name="Really discard the okey red 5?")
    await expect(asked).to_be_visible()
    await button(again, "React").dispatch_event("click")
    await button(again, "Well played").dispatch_event("click")
    await expect(page.locator(".emote")).to_be_visible()
    await expect(asked).to_be_visible()
    await tile(again, "red 1").dispatch_event("click")
    await pile(again).dispatch_event("click")
    await served.until_pressed("discard.R1")
    await expect(asked).to_have_count(0)


async def test_what_an_okey_stands_for_and_how_many_are_taken_back_is_asked(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.rack = True, ["B9", "K9", "R5", "R1", "R2"]
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    asked = page.get_by_role("alertdialog", name="Which tile does the okey stand for?")
    boxes = BOXES.replace("'", "'.laid, .tools [data-kind], ", 1)
    before = await page.evaluate(boxes)
    for face, press in (("yellow 10", "Y10"), ("yellow 6", "Y6")):
        await tile(page, "red 5 (okey)").tap()
        assert await page.evaluate(boxes) == before
        await page.get_by_role("button", name="Lay red 5 (okey) on").tap()
        await expect(asked.get_by_role("button")).to_have_count(3)
        await asked.get_by_role("button", name=face).tap()
        await expect(asked).to_have_count(0)
        await served.until_pressed(f"lay_wild.t1.0.{press}.0")
    for colour, sign in (("red", "i"), ("yellow", "v")):
        await until_answered(page)  # meanwhile a second tap lays nothing
        await button(page, "Lay meld").tap()
        await asked.get_by_role("button", name=f"blue 9 black 9 {colour} 9").tap()
        await expect(asked).to_have_count(0)
        await served.until_pressed(f"put_down.t1.0.IV*{sign}")
    await button(page, "Take back").tap()
    assert await page.evaluate(SMALL) == []
    await page.get_by_role("alertdialog", name="Take back").get_by_role("button", name="2").tap()
    await expect(page.get_by_role("alertdialog")).to_have_count(0)
    await served.until_pressed("take_back.t1.0.2")


async def test_a_tile_of_a_meld_dropped_on_a_meld_that_it_fits_lays_the_one_or_the_other(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.rack = True, ["Y10", "Y11", "Y12", "R1", "R2"]
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    finger, laid = await Finger.on(page), page.locator(".laid")
    asked = page.get_by_role("alertdialog", name="Lay the whole meld, or yellow 10 alone?")
    for answer, press in (
        ("yellow 10 yellow 11 yellow 12", "put_down.t1.0.wxy"),
        ("yellow 10", "lay.t1.0.Y10.0"),
    ):
        await finger.drag(tile(page, "yellow 10"), laid, above=RAISED)
        assert await page.evaluate(SMALL) == []
        await asked.get_by_role("button", name=answer, exact=True).tap()
        await expect(asked).to_have_count(0)
        await served.until_pressed(press)
    await finger.drag(tile(page, "yellow 11"), laid, above=RAISED)  # fits no meld alone
    await served.until_pressed("put_down.t1.0.wxy", "lay.t1.0.Y10.0", "put_down.t1.0.wxy")


async def test_whatever_is_dropped_on_the_cloth_is_laid_or_answered_in_words(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.rack = True, ["Y10", "Y11", "Y12", "R1", "R2"]
    page = await playing(phone, served)
    finger, cloth = await Finger.on(page), page.locator(".cloth")

    async def answered(dropped: str, words: str) -> None:
        before = served.pressed()
        await finger.drag(tile(page, dropped), cloth, above=RAISED)
        await expect(page.locator(".note").last).to_contain_text(words)
        assert served.pressed() == before

    await answered("yellow 11", "You can lay melds on your turn, after you draw.")
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await answered("black 13", "Black 13 isn’t in a complete meld")
    served.router.opened = ""
    await button(page, "Runs").tap()
    await expect(page.locator(".counter")).to_contain_text("33 / 101 points")
    await answered("yellow 11", "You can’t open yet: 33 / 101 points")
    opens = button(page, "Open")
    await expect(opens).to_be_disabled()
    await expect(opens).to_have_accessible_description(re.compile("^You can’t open yet: 33 / 101 points"))
    await page.locator(".note button").last.tap()
    await opens.tap(force=True)
    await expect(page.locator(".note").last).to_contain_text("You can’t open yet: 33 / 101 points")


async def test_melds_dropped_one_after_the_other_are_laid_whatever_the_line_takes(
    phone: BrowserContext, served: Served
) -> None:
    """The second drop waits for the answer to the first, as its press is made for the rack after that."""
    served.router.lays, served.router.rack = True, ["Y10", "Y11", "Y12", "R1", "R2", "R3"]
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    finger, cloth = await Finger.on(page), page.locator(".cloth")
    await served.stop()
    await expect(page.get_by_text("The connection was lost.")).to_be_visible()
    for dropped in ("yellow 11", "red 2"):
        await finger.drag(tile(page, dropped), cloth, above=RAISED)
    await served.start_again()
    await served.until_pressed("put_down.t1.0.wxy", "put_down.t1.0.abc")


async def test_a_lifted_tile_is_put_into_a_gap_by_a_second_tap(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await tile(page, "red 1").tap()
    await page.get_by_role("button", name="Put it here: shelf 3, place 8").tap()
    await expect(place(page, 23).get_by_role("button", name="red 1")).to_be_visible()
    await expect(place(page, 0)).to_be_empty()
    await page.reload()
    await expect(tile(page, "red 1")).to_be_visible()
    assert served.router.kept == "-bc-tuvKePQQ0Bz--------a"


async def test_a_long_press_lifts_a_whole_meld_for_the_rack_or_the_cloth(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    finger, ghosts = await Finger.on(page), page.locator(".ghost")
    lifted = tile(page, "red 2")
    await finger.press(lifted)
    await expect(ghosts).to_have_count(3)
    await finger.let_go()  # without moving: that was a tap
    await expect(lifted).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("Escape")
    await finger.press(lifted)
    await expect(ghosts).to_have_count(3)
    await finger.move(place(page, 20), above=RAISED)
    await finger.let_go()
    await expect(place(page, 20).get_by_role("button", name="red 2")).to_be_visible()
    await served.until_kept()
    assert served.router.kept == "----tuvKePQQ0Bz----abc"
    served.router.lays, served.router.rack = True, ["Y10", "Y11", "Y12", "R1", "R2"]
    served.router.kept = ""
    await page.locator("button.stock").tap()
    await finger.press(tile(page, "yellow 10"))
    await expect(ghosts).to_have_count(3)
    await finger.move(page.locator(".laid"), above=RAISED)  # which the yellow 10 alone would fit
    await finger.let_go()
    await served.until_pressed("put_down.t1.0.wxy")


async def test_a_meld_is_moved_and_seen_as_one_across_narrow_rows(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    script = """async ([codes, meld, to, shelf, width]) => {
        const {movedMeld} = await module(), {meldsOn} = await module();
        const tiles = codes.split(' ').map((code, id) => code === '.' ? null : {id, code});
        const [start, length] = meld, after = movedMeld(tiles, {start, length}, to, width);
        const found = meldsOn(after, shelf, width, 'R5', true);
        return [after.map(tile => tile?.code ?? '.').join(' '), found.map(each => [each.start, each.length])];
    }"""
    beside = [[0, 3], [6, 3], [9, 3]]
    for codes, meld, to, shelf, width, after, melds in (
        ("Y1 Y2 Y3 . . . B9 . . .", (0, 3), 6, 10, 10, ". . . . . Y1 Y2 Y3 . B9", [[5, 3]]),
        ("Y1 Y2 Y3 . B9 R9 . . . .", (0, 3), 7, 10, 10, ". . . . B9 R9 . Y1 Y2 Y3", [[7, 3]]),
        ("Y1 Y2 Y3 . . . B1 B2 B3 B4 B5 B6", (0, 3), 6, 6, 6, "B4 B5 B6 . . . Y1 Y2 Y3 B1 B2 B3", beside),
        ("Y1 Y2 Y3 . . B7 B8 B9", (0, 3), 0, 8, 4, "Y1 Y2 Y3 . . B7 B8 B9", [[0, 3], [5, 3]]),
        ("Y1 Y2 Y3 . B9 . . .", (0, 3), 5, 8, 8, ". . . B9 . Y1 Y2 Y3", [[5, 3]]),
        (". Y1 Y2 Y3 Y4 . . .", (1, 4), 1, 8, 4, "", [[1, 4]]),
        (". . . B7 B8 B9 R7 R8 R9 . . .", (3, 3), 3, 6, 4, "", [[3, 3], [6, 3]]),
        (". Y1 Y2 Y3 Y4 . . .", (1, 4), 1, 4, 4, "", [[1, 3]]),
    ):
        moved, seen = await page.evaluate(script, [codes, meld, to, shelf, width])
        assert (moved, seen) == (after or codes, melds)


async def test_a_meld_counts_wherever_it_stands_among_other_tiles(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    script = """async rows => {
        const {meldsOn} = await module();
        return rows.map(row => {
            const tiles = row.split(' ').map((code, id) => code === '.' ? null : {id, code});
            const found = meldsOn(tiles, tiles.length, tiles.length, 'R5', true);
            return found.map(({start, length, points}) => [start, length, points]);
        });
    }"""
    expected = {
        "K9 Y6 Y7 Y8 B2 . R1": [[1, 3, 21]],
        "Y6 Y7 Y8 Y8 B8 K8": [[0, 3, 21], [3, 3, 24]],
        "Y1 Y2 Y3 Y4 R4 B4": [[0, 3, 6], [3, 3, 12]],
        "Y1 Y2 Y3 Y4 Y5 Y6": [[0, 6, 21]],
        "R9 R9 Y9 B9 R2 R2": [[1, 3, 27], [4, 2, 0]],
        "Y12 R5 Y1 K2 K3": [[0, 3, 26]],
        "R5 R5 Y3 B9": [[0, 3, 9]],
        "Y1 . Y2 Y3 B9": [],
    }
    assert await page.evaluate(script, [*expected]) == [*expected.values()]


async def test_keys_are_enough_and_each_step_is_said(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    voice = page.locator("#voice")
    await expect(voice).to_contain_text("Your turn: draw, or take blue 9")
    await tile(page, "red 1").focus()
    for key, now in (("ArrowRight", "red 2"), ("ArrowDown", "black 3"), ("ArrowUp", "red 2")):
        await page.keyboard.press(key)
        await expect(page.locator(":focus")).to_have_accessible_name(name_of(now))
    await page.keyboard.press("Space")
    await expect(voice).to_have_text("Lifted red 2")
    for _ in range(2):
        await page.keyboard.press("ArrowRight")
    await expect(voice).to_have_text("shelf 1, place 4")
    await page.keyboard.press("Enter")
    await expect(voice).to_have_text("Dropped on shelf 1, place 4")
    await expect(place(page, 3).get_by_role("button", name="red 2")).to_be_focused()
    await page.keyboard.press("d")
    await expect(page.locator(".bay").get_by_role("button", name="black 13")).to_be_visible()
    await expect(voice).to_contain_text("Your turn: discard a tile")
    await page.keyboard.press("Delete")
    await expect(pile(page).locator(".red b")).to_have_text("2")
    assert served.router.discarded == "R2"
    assert await page.evaluate("document.activeElement.closest('#rack') !== null")


def name_of(tile: str) -> re.Pattern[str]:
    return re.compile(rf"^{tile}\b")


async def test_letters_are_keys_on_a_korean_keyboard_too(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ㅇ', code: 'KeyD', bubbles: true}))"
    )
    await expect(page.locator(".bay").get_by_role("button", name="black 13")).to_be_visible()


async def test_two_tabs_are_two_people_and_who_watches_sees_no_rack(
    phone: BrowserContext, served: Served
) -> None:
    ada = await playing(phone, served)
    ece = await come_in(phone, served, "Ece")
    await ece.get_by_role("button", name="Ada · Can · Ece · Ali").click()
    await expect(ece.get_by_text("You are watching this table.")).to_be_visible()
    await ada.keyboard.press("d")
    await expect(ada.locator(".bay button")).to_be_visible()
    assert await ece.get_by_role("button", name="black 13").count() == 0
    assert await ece.locator(".own .tile").count() == 0


async def test_a_reload_changes_nothing(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await button(page, "Sound off").tap()
    await page.reload()
    await expect(tile(page, "red 1")).to_be_visible()
    await button(page, "Sound on").tap()
    await page.locator("button.stock").click()
    await expect(page.locator(".bay button")).to_be_visible()
    assert served.router.name == "Ada"


@pytest.mark.parametrize("size", SIZES)
async def test_a_reload_moves_nobody_however_late_the_rack_comes(
    phone: BrowserContext, served: Served, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    served.router.lays = True
    page = await playing(phone, served)
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    command, wanted = served.router.command, asyncio.Event()

    async def late(typed: TypedCommand) -> Answer:
        if typed.verb == "rack":
            await wanted.wait()
        return await command(typed)

    monkeypatch.setattr(served.router, "command", late)
    await page.reload()
    await expect(page.get_by_text("Ece").first).to_be_visible()
    await page.evaluate(PAINTED)
    wanted.set()
    await expect(tile(page, "red 1")).to_be_visible()
    assert await page.evaluate(SHIFTS) == 0


async def test_when_the_server_is_gone_the_page_says_so_and_comes_back_up_to_date(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    away = page.get_by_text("The connection was lost.")
    await expect(away).to_be_hidden()
    boxes = await page.evaluate(BOXES)
    await served.stop()
    await expect(away).to_be_visible()
    assert await page.evaluate(BOXES) == boxes
    for width, height in ((360, 640), (844, 390), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(COVERED, [".away", ".disc, .plate, .pile, .tile, .icon"]) == []
    served.router.pile = "K7"
    served.router.version += 1
    await served.start_again()
    await expect(away).to_be_hidden()
    await expect(button(page, "Take black 7")).to_be_visible()
    await served.stop()
    served.router.stage, served.router.host = "none", ""
    await served.start_again()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()


async def test_who_was_at_a_table_before_the_line_broke_is_forgotten_once_it_is_back(
    phone: BrowserContext, served: Served
) -> None:
    """A new line is told only of tables where somebody is."""
    ada, ece = await playing(phone, served), await come_in(phone, served, "Ece")
    await expect(ece.locator(".card .here")).to_have_text("Ada")
    await served.stop()
    await ada.close()
    await expect(ece.get_by_text("The connection was lost.")).to_be_visible()
    await expect(ece.locator(".card .here")).to_have_count(1)  # it may be a moment only
    await served.start_again()
    await expect(ece.get_by_text("The connection was lost.")).to_have_count(0)
    await expect(ece.locator(".card .here")).to_have_count(0)


async def test_what_is_tapped_without_a_connection_is_done_once_there_is_one(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await typed(page, "/word luck")
    await expect(page.get_by_text("There is nothing.")).to_be_visible()
    await served.stop()
    await expect(page.get_by_text("The connection was lost.")).to_be_visible()
    await page.get_by_role("button", name="Play now").tap()
    await served.start_again()
    await expect(tile(page, "red 1")).to_be_visible()
    assert served.pressed() == [f"start.{TABLE}"]


async def test_tiles_arranged_without_a_connection_stay_and_the_newest_order_is_sent(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    finger, away = await Finger.on(page), page.get_by_text("The connection was lost.")
    before = served.pressed()
    await served.stop()
    await expect(away).to_be_visible()
    await finger.drag(tile(page, "red 3"), place(page, 12), above=RAISED)
    await finger.drag(tile(page, "red 1"), place(page, 20), above=RAISED)
    await finger.hold(tile(page, "red 2"), place(page, 22), above=RAISED)
    served.router.rack[-1] = "K9"  # the clock has drawn it and discarded the yellow 13
    served.router.version += 1
    await served.start_again()
    await expect(away).to_be_hidden()
    await expect(tile(page, "black 9")).to_be_visible()
    await expect(page.locator(".ghost")).to_have_count(1)
    for number, name in ((12, "red 3"), (20, "red 1"), (22, "red 2")):
        await expect(place(page, number).get_by_role("button", name=name)).to_be_visible()
    await finger.let_go()
    orders = ["-b--tuvKePQQc0B-----a--V", "----tuvKePQQc0B-----a-bV"]
    await served.until_pressed(*before, *(f"keep.{TABLE}.0.{order}" for order in orders))


async def test_an_order_that_its_answer_did_not_reach_is_sent_again_but_never_over_a_new_deal(
    phone: BrowserContext, served: Served
) -> None:
    page = await phone.new_page()
    lost = asyncio.Queue[str]()
    orders = count()

    def loses_every_second_order(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def passed(message: str | bytes) -> None:
            if "keep." in str(message) and next(orders) % 2 == 0:
                lost.put_nowait(str(message))
            else:
                server.send(message)

        route.on_message(passed)

    await page.route_web_socket("**/socket", loses_every_second_order)
    await enter(page, served.url)
    await page.get_by_role("button", name="Play now").tap()
    finger, away = await Finger.on(page), page.get_by_text("The connection was lost.")

    async def lose_an_order(at: int) -> None:
        await finger.drag(tile(page, "red 3"), place(page, at), above=RAISED)
        await lost.get()
        await served.stop()
        await expect(away).to_be_visible()

    await lose_an_order(12)
    await served.start_again()
    await served.until_pressed(f"keep.{TABLE}.0.ab--tuvKePQQc0Bz")
    await lose_an_order(2)
    served.router.rack, served.router.kept = [f"K{number}" for number in range(1, 14)] + ["B1"], ""
    await served.start_again()
    await expect(away).to_be_hidden()
    await button(page, "Pairs").tap()
    await expect(place(page, 0).get_by_role("button", name="black 1")).to_be_visible()
    await served.until_pressed(f"keep.{TABLE}.0.ab--tuvKePQQc0Bz", f"pairs.{TABLE}.0.3")


async def test_a_double_tap_is_one_press(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await page.evaluate("performance.now = () => 0")  # however slow this machine is
    await button(page, "Pairs").dblclick()
    await page.locator("button.stock").dblclick()
    await expect(page.locator(".bay button")).to_be_visible()
    await served.until_pressed(f"pairs.{TABLE}.0.3", f"draw.{TABLE}")


async def test_a_sorted_rack_is_laid_again_when_the_window_is_turned_but_never_an_own_order(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)

    async def turned(to: ViewportSize, rows: int) -> None:
        await page.set_viewport_size(to)
        await expect(page.locator(".shelf")).to_have_count(rows)

    async def turned_there_and_back() -> None:
        await turned(ACROSS, 2)
        await turned(PHONE, 3)

    keep, pairs, runs = [f"{verb}.{TABLE}.0." for verb in ("keep", "pairs", "runs")]
    await turned_there_and_back()
    await button(page, "Runs").tap()
    await served.until_pressed(f"start.{TABLE}", f"{runs}3")
    await turned(ACROSS, 2)
    await served.until_pressed(f"{runs}3", f"{runs}2")
    await turned(PHONE, 3)
    await served.until_pressed(f"{runs}2", f"{runs}3")
    await tile(page, "red 1").tap()
    await page.get_by_role("button", name="Put it here: shelf 3, place 8").tap()
    await turned_there_and_back()
    await button(page, "Pairs").tap()
    await served.until_pressed(f"{runs}3", f"{keep}-bc-tuvKePQQ0Bz--------a", f"{pairs}3")
    served.router.kept = "cb--tuvKePQQ0Bz---a"  # in the chat
    await page.locator("button.stock").tap()
    await expect(place(page, 0).get_by_role("button", name="red 3")).to_be_visible()
    await turned_there_and_back()
    await button(page, "Runs").tap()
    await served.until_pressed(f"{pairs}3", f"draw.{TABLE}", f"{runs}3")


@pytest.mark.parametrize("secure", [True, False])
async def test_the_link_to_a_table_is_copied_and_that_is_said(
    phone: BrowserContext, served: Served, secure: bool
) -> None:
    """Without https a browser has no clipboard for pages."""
    if secure:
        await phone.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        await phone.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page = await come_in(phone, served)
    await page.get_by_role("button", name="Play with friends").tap()
    await page.evaluate("addEventListener('copy', () => (window.copied = `${getSelection()}`))")
    await page.get_by_role("button", name="Copy").tap()
    await expect(page.locator(".note")).to_contain_text("The link is copied.")
    text = await page.evaluate("copied" if not secure else "navigator.clipboard.readText()")
    assert text == f"{served.url}#{TABLE}"


async def test_a_link_is_shared_beside_the_seats_and_says_where_it_works(
    phone: BrowserContext, served: Served
) -> None:
    """A phone that scanned 127.0.0.1 would ask itself."""
    page = await come_in(phone, served)
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.get_by_role("button", name="Play with friends").tap()
    await expect(page.locator(".sharing input")).to_be_visible()
    await expect(page.locator(".sharing")).to_contain_text("This link works on this computer only.")
    await expect(page.locator(".sharing .qr")).to_have_count(0)
    for seen in (".chair", ".sharing input", ".lobby .last button"):
        for each in await page.locator(seen).all():
            await expect(each).to_be_in_viewport(ratio=1)


async def test_an_address_with_a_long_end_leads_to_the_first_page(
    phone: BrowserContext, served: Served
) -> None:
    await playing(phone, served)
    page = await phone.new_page()
    await enter(page, f"{served.url}#{'x' * 80}", "Ece")
    await expect(page.get_by_role("button", name="Ada · Can · Ece · Ali")).to_be_visible()


async def test_what_is_typed_is_asked_and_a_long_answer_stays_until_it_is_closed(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await typed(page, "/word good luck")
    await expect(page.get_by_text("There is nothing.")).to_be_visible()
    commands = [asked for asked in served.router.asked if isinstance(asked, TypedCommand)]
    assert [each.argument for each in commands if each.verb == "word"] == ["good luck"]
    await button(page, "Menu").click()
    await button(page, "Help").click()
    answer = page.get_by_text("Draw, then discard.")
    await expect(answer).to_be_visible()
    await page.locator(".note", has=answer).get_by_role("button", name="Close").click()
    await expect(answer).to_be_hidden()


async def test_a_command_in_a_note_is_a_button_that_asks_for_its_words(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await button(page, "My profile").tap()
    await expect(page.get_by_role("alert")).to_contain_text("Your word: word tulip")
    await button(page, "word tulip").tap()
    field = page.get_by_label("Any word: it changes the next shuffle")
    await expect(field).to_have_value("tulip")
    await field.fill("$& rose")
    await button(page, "Continue").tap()
    await expect(field).to_have_count(0)
    await until_answered(page)
    asked = served.router.asked[-1]
    assert isinstance(asked, TypedCommand)
    assert (asked.verb, asked.argument) == ("word", "$& rose")


async def test_an_urgent_note_is_an_alert_and_no_other_live_region_reads_it_too(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    served.router.away = "store_away"
    await typed(page, "/replay")
    await expect(page.locator("[role=alert] .note.urgent")).to_have_count(1)
    await expect(page.locator("[role=status] [role=alert], [role=status] .urgent")).to_have_count(0)


async def test_a_note_covers_no_player_no_pile_and_no_drawn_tile(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    served.router.away = "store_away"
    await button(page, "Menu").tap()
    await button(page, "Help").tap()
    await expect(page.locator(".note.urgent")).to_be_visible()
    for lines in ("urgent", "long"):
        if lines == "long":
            await page.locator("[data-do=unnote]").tap()
            await page.locator("[data-do=indicator]").tap()
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate("module().then(all => all.render())")
            others = ".seat:not(.me), .pile, .stock, .indicator, .bay, .slot, [data-do=menu]"
            assert await page.evaluate(COVERED, [".note", others]) == []


async def test_a_table_that_is_closed_leads_back_to_the_first_page(
    phone: BrowserContext, served: Served
) -> None:
    page = await come_in(phone, served)
    await page.locator("[data-do=friends]").tap()
    await expect(button(page, "Leave")).to_be_visible()
    served.router.stage = "closed"
    await button(page, "Leave").tap()
    await expect(button(page, "Play now")).to_be_visible()
    await expect(page.locator(".page.game")).to_have_count(0)


async def test_a_plate_tells_its_figures_in_words(phone: BrowserContext, served: Served) -> None:
    served.router.lays, served.router.score, served.router.tiles = True, 1, 1
    page = await playing(phone, served)
    plate = page.locator(".seat.left .plate")
    await expect(plate).to_contain_text("1 point")
    await expect(plate).to_contain_text("opened 101 · 1 tile")
    await expect(plate).not_to_contain_text("1 tiles")


async def test_a_name_is_only_ever_a_name(phone: BrowserContext, served: Served) -> None:
    hostile = "<img src=x onerror=document.title='gone'>\u202e"
    page = await playing(phone, served, hostile)
    await expect(page.locator(".seat.me bdi")).to_have_text(hostile[:32])
    await expect(page).to_have_title("● Your turn – Okey")


async def test_the_ring_and_the_title_show_whose_turn_it_is(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    ring = page.locator(".seat.me .ring")
    left = "each => Number(each.style.getPropertyValue('--left'))"
    assert 0.3 < await ring.evaluate(left) <= 0.51
    icon = page.locator("link[rel=icon]")
    await expect(icon).to_have_attribute("href", re.compile("/turn.svg$"))
    await expect(page.locator("#rack.turn")).to_be_visible()
    served.router.stage = "over"
    await button(page, "Runs").click()
    await expect(icon).to_have_attribute("href", re.compile("/icon.svg$"))
    await expect(page).to_have_title("Okey")
    await expect(page.locator("#rack.turn")).to_have_count(0)


async def test_the_header_tells_the_round_of_a_match_that_has_several(
    phone: BrowserContext, served: Served
) -> None:
    for told, header in (("3", "Okey · Round 3"), ("2/3", "Okey · Round 2/3"), ("1/1", "Okey")):
        served.router.round = told
        page = await playing(phone, served)
        # Behind it stands how many look on.
        await expect(page.locator("h1 > span")).to_have_text(re.compile(rf"^{header}\d?$"))


async def test_the_header_tells_whose_turn_it_is_to_who_waits_and_to_who_watches(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    heading = page.get_by_role("heading", level=1)
    await expect(heading).to_have_text("Okey · Round 1Your turn")
    served.router.turn = 1
    await button(page, "Runs").tap()
    await expect(heading).to_have_text("Okey · Round 1Waiting for Can")
    ece = await come_in(phone, served, "Ece")
    await ece.get_by_role("button", name="Ada · Can · Ece · Ali").click()
    name = "Okey · Round 1 1 watches Waiting for Can"
    await expect(ece.get_by_role("heading", level=1, name=name)).to_be_visible()
    await ece.close()
    served.router.stage = "over"
    await page.bring_to_front()
    await button(page, "Runs").tap()
    await expect(heading).to_have_text("Okey · Round 1\u00a0")


async def test_the_time_until_the_next_round_is_told_as_clocks_do(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    script = """async left => {
        const {tick, serverTime} = await module();
        const until = document.createElement('span');
        until.dataset.count = serverTime() + left;
        document.getElementById('app').append(until);
        tick();
        const told = until.textContent.trim();
        until.remove();
        return told;
    }"""
    for left, told in ((0, "0:00"), (45, "0:45"), (3599, "59:59"), (3600, "1:00:00"), (86_399, "23:59:59")):
        assert await page.evaluate(script, left) == told


async def test_a_long_hint_keeps_to_the_rack_s_width(phone: BrowserContext, served: Served) -> None:
    served.router.hint = LiveHint(
        kind="draw", tile="", missing=4, move="", why="Twelve of ninety tiles help. " * 5
    )
    page = await playing(phone, served)
    for width, height in ((360, 640), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        await expect(page.locator(".hint.told")).to_contain_text("Twelve")
        rack = await page.locator(".wood").bounding_box()
        row = await page.locator(".above").bounding_box()
        bay = await page.locator(".bay").bounding_box()
        slot = await page.locator(".slot").first.bounding_box()
        assert rack is not None
        assert row is not None
        assert bay is not None
        assert slot is not None
        assert bay["width"] > slot["width"]
        assert rack["x"] - 8 <= row["x"]
        assert row["x"] + row["width"] <= rack["x"] + rack["width"] + 8


async def test_nothing_sticks_out_and_nothing_jumps(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    for width, height, rows in ((320, 568, 2), (360, 640, 3), (844, 390, 2), (1280, 800, 2)):
        await page.set_viewport_size({"width": width, "height": height})
        await expect(page.locator(".shelf")).to_have_count(rows)
        root = "document.documentElement"
        assert await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0
        assert await page.evaluate(f"{root}.scrollHeight - {root}.clientHeight") == 0
        assert await page.evaluate(SMALL) == []
        await expect(page.locator("button.stock")).to_be_visible()
        before = await page.evaluate(BOXES)
        await page.keyboard.press("d")
        await expect(page.locator(".bay button")).to_be_visible()
        assert await page.evaluate(BOXES) == before
        served.router.drawn = None
        served.router.rack.remove("K13")
        served.router.stage = "draw"
        await until_answered(page)  # the wider rack is sorted anew, and meanwhile the button does nothing
        await button(page, "Runs").click()
        await expect(page.locator(".bay button")).to_have_count(0)
    assert await page.evaluate(SHIFTS) < 0.02


@pytest.mark.parametrize("lays", [False, True])
async def test_a_small_phone_held_across_shows_the_whole_rack(
    phone: BrowserContext, served: Served, lays: bool
) -> None:
    served.router.lays = lays
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    script = """() => Math.max(...[...document.querySelectorAll('.slot, .bay')]
        .map(each => each.getBoundingClientRect().right)) - innerWidth"""
    low = """() => Math.max(...[...document.querySelectorAll('.slot, .tools')]
        .map(each => each.getBoundingClientRect().bottom)) - innerHeight"""
    narrowest = """() => Math.min(...[...document.querySelectorAll('.slot')]
        .map(each => each.getBoundingClientRect().width))"""
    for width, height, wide in ((568, 320, 24), (640, 360, 25), (667, 375, 27), (740, 360, 33)):
        await page.set_viewport_size({"width": width, "height": height})
        await expect(page.locator(".shelf")).to_have_count(3 if lays or width < 620 else 2)
        assert await page.evaluate(script) <= 0
        assert await page.evaluate(low) <= 0
        assert await page.evaluate(narrowest) >= wide, (width, height)
        assert await page.evaluate(COVERED, [".bay, .slot", "header button"]) == [], (width, height)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_nobody_at_okey_101_sits_on_a_tile_however_low_the_window(
    browser: Browser, served: Served, language: str
) -> None:
    served.router.lays = True
    context = await browser.new_context(viewport=PHONE, has_touch=True, locale=language)
    context.set_default_timeout(WITHIN)
    page = await context.new_page()
    await enter(page, served.url)
    await page.locator("#name").fill("Maximiliane Wolkenstein-Trostburg")
    await page.keyboard.press("Enter")
    await page.locator("[data-do=now]").tap()
    await expect(page.locator(".me .score")).to_be_visible()
    tiles = ".pile, .cloth, .indicator, .stock"
    for score, fines in product((20, 1212), (0, 2)):
        served.router.score, served.router.fines = score, fines
        await page.reload()
        await expect(page.locator(".me .score")).to_have_text(
            re.compile(rf"{score}\D*\+202" if fines else rf"{score}\D*$")
        )
        for width, height in (*SIZES, *(LOW if not fines and score == 20 else ())):
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate(COVERED, [tiles, ".disc, .plate, .plate > *"]) == [], (score, width)
    await context.close()


CUT = """(each, name) => {
    each.textContent = name;
    return [each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight];
}"""
"""The pixels of a name that are cut off, across and down."""


async def test_a_name_beside_the_cloth_of_okey_101_is_shown_whole(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays = True
    page = await playing(phone, served)
    for width, height in (*SIZES, *LOW, (640, 360)):
        await page.set_viewport_size({"width": width, "height": height})
        for side, figure in product((".left bdi", ".right bdi"), FIGURES):
            assert (await page.locator(side).evaluate(CUT, figure.name))[0] <= 0, (figure.name, width)
            assert await page.locator(side).evaluate(LINES) == 1, (figure.name, width)
    await page.set_viewport_size(PHONE)
    tiles = ".pile, .cloth, .indicator, .stock"
    assert await page.evaluate(COVERED, [tiles, ".disc, .plate, .plate > *"]) == []


async def test_a_name_of_two_words_beside_the_cloth_of_okey_101_is_whole_in_two_lines(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays = True
    page = await playing(phone, served)
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        for side in (".left bdi", ".right bdi"):
            for name in ("Mehmet Ali Şahin", "Lena Hoffmann"):
                assert max(await page.locator(side).evaluate(CUT, name)) <= 0, (name, width)
        assert await page.evaluate(COVERED, [".pile, .cloth", ".disc, .plate, .plate > *"]) == [], width


async def test_a_meld_that_the_lifted_tile_fits_comes_into_sight(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays, served.router.melds = True, 24  # of which a yellow 10 fits the first
    served.router.rack = ["Y10", "R1", "R2", "R3"]
    page = await playing(phone, served)
    await page.set_viewport_size({"width": 320, "height": 568})
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    first, last, cloth = page.locator(".laid").first, page.locator(".laid").last, page.locator(".cloth")
    await cloth.evaluate("each => each.scrollTop = each.scrollHeight")
    await expect(first).not_to_be_in_viewport()
    await tile(page, "yellow 10").tap()
    await expect(first).to_have_class(re.compile("lit"))
    await expect(first).to_be_in_viewport()
    await cloth.evaluate("each => each.scrollTop = each.scrollHeight")
    await button(page, "Sound off").tap()  # the page is drawn anew
    await expect(button(page, "Sound on")).to_be_visible()
    await expect(last).to_be_in_viewport()


@pytest.mark.parametrize("size", SIZES)
async def test_melds_are_as_large_as_the_cloth_shows_them_all_and_move_nothing_else(
    phone: BrowserContext, served: Served, size: tuple[int, int]
) -> None:
    served.router.lays = True
    page = await playing(phone, served)
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    melds, seen, beside = page.locator(".laid"), list[tuple[float, float]](), set[str]()
    for number in (1, 3, 6, 9, 24):
        served.router.melds = number
        await page.reload()
        await expect(melds).to_have_count(number)
        wide, high, beyond = await page.evaluate(MELDS)
        assert high >= 44, "large enough for a finger"
        seen.append((wide, beyond))
        beside.add(await page.evaluate(BOXES))
    assert len(beside) == 1
    widths = [wide for wide, _ in seen]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] >= 1.5 * widths[-1]
    assert all(beyond <= 0 for wide, beyond in seen if wide > widths[-1])
    before, jumped = await page.evaluate(LAID), await page.evaluate(SHIFTS)
    await page.keyboard.press("d")
    await expect(page.locator(".bay button")).to_be_visible()
    assert await page.evaluate(LAID) == before
    await expect(melds.last, "the newest stays in sight").to_be_in_viewport()
    assert await page.evaluate(SHIFTS) - jumped < 0.02


async def test_melds_that_go_on_beyond_the_cloth_fade_at_its_end(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays = True
    page = await playing(phone, served)
    cloth = page.locator(".cloth")
    await expect(cloth).to_have_attribute("data-cut", "")
    await cloth.evaluate("each => { each.style.height = '30px'; dispatchEvent(new Event('resize')); }")
    await expect(cloth).to_have_attribute("data-cut", "below")
    await cloth.evaluate("each => each.scrollTop = 99")
    await expect(cloth).to_have_attribute("data-cut", "above")


async def test_the_page_sees_the_melds_that_the_rules_see(phone: BrowserContext, served: Served) -> None:
    """Groups of tiles in rising order, with and without okeys and false jokers, as they lie side by side."""
    page = await phone.new_page()
    await enter(page, served.url)
    dice = random.Random(7)
    groups = [group for group in (_group(dice) for _ in range(600)) if group.count(Tile.R5) < 3]
    okey, wrap = Tile.R5, True
    asked = [[tile.name for tile in group] for group in groups]
    script = """async ([groups, okey, wrap]) => {
        const {readings} = await module();
        return groups.map(group => readings(group, okey, wrap));
    }"""
    found = await page.evaluate(script, [asked, okey.name, wrap])
    rules, kinds = MeldRules(okey, wrap), Counter[str]()
    for group, seen in zip(groups, found, strict=True):
        expected = _melds(rules, group)
        kinds.update(meld.kind for meld in expected)
        assert {_told(each["kind"], group, [Tile[face] for face in each["faces"]]) for each in seen} == {
            _told(meld.kind, group, [played.face for played in meld.tiles]) for meld in expected
        }
        points = [each["points"] for each in seen]
        assert points == sorted(points, reverse=True)
        assert sorted(points) == sorted(0 if meld.kind == "pair" else points_of(meld) for meld in expected)
    assert min(kinds[kind] for kind in ("run", "set", "pair")) > 20


def _melds(rules: MeldRules, group: list[Tile]) -> list[Meld]:
    """What tiles make as they lie, whatever okeys stand for; those of a set in any order, and two okeys that
    are a pair as their own."""
    near = {tile_of(colour, number) for number in _numbers(group) for colour in COLOURS}
    wild = {okey: sorted(near) for okey in (rules.okey,)}
    found: dict[object, Meld] = {}
    for faces in product(*(wild.get(tile, [rules.okey if tile is Tile.F else tile]) for tile in group)):
        played = tuple(map(Played, group, faces))
        meld = meld_of(rules, played)
        lies = meld is not None and meld.tiles == played
        if (
            meld is not None
            and lies
            and (meld.kind != "pair" or set(group) != {rules.okey} or faces[0] is rules.okey)
        ):
            found.setdefault(_told(meld.kind, group, list(faces)), meld)
    return list(found.values())


def _numbers(group: list[Tile]) -> set[int]:
    """The numbers that okeys among these may stand for: a run reaches no further than it is long."""
    held = {tile.number or 5 for tile in group}
    return {(number + step - 1) % 13 + 1 for number in held for step in range(-4, 5)}


def _told(kind: str, group: list[Tile], faces: list[Tile]) -> tuple[str, tuple[Tile, ...]]:
    """A meld; of a set it does not matter which okey is which colour."""
    return kind, tuple(sorted(faces) if kind == "set" else faces)


def _group(dice: random.Random) -> list[Tile]:
    """Often nearly a meld: a run or a set of which tiles are exchanged now and then."""
    size, start, colour = dice.randint(2, 5), dice.randint(1, 13), dice.randrange(4)
    if dice.random() < 0.5:
        tiles = [Tile(13 * colour + (start + step - 1) % 13) for step in range(size)]
    elif size == 2:
        tiles = [Tile(13 * colour + start - 1)] * 2
    else:
        tiles = [Tile(13 * each + start - 1) for each in dice.sample(range(4), min(size, 4))]
    return [dice.choice((Tile.R5, Tile.F, tile, tile, tile, tile, tile, tile)) for tile in tiles]
