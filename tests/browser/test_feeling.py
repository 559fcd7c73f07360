"""What one sees slide, hears and is called by, and why something can't be done now."""

import asyncio
import re

import pytest
from playwright.async_api import BrowserContext, Page, WebSocketRoute, expect

from tests.adapters.web.scripted import TABLE
from tests.browser.fingers import Finger
from tests.browser.slow_line import SlowLine
from tests.browser.test_table import (
    RAISED,
    Served,
    button,
    come_in,
    discard,
    enter,
    holds,
    pile,
    place,
    playing,
    served,
    tile,
)
from tests.patience import PATIENCE, found

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

LISTENS = """
    window.told = [];
    const begun = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function (...at) {
        told.push(`${this.frequency?.value} Hz`);
        return begun.apply(this, at);
    };
    window.Notification = class {
        static permission = "granted";
        constructor(title, {body}) { told.push(body); }
    };
    if (navigator.wakeLock) navigator.wakeLock.request = async () => {
        told.push("awake");
        return Object.assign(new EventTarget(), {release: async () => told.push("asleep")});
    };
    window.hide = hidden => {
        Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    };
    window.slides = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, {duration}) {
        if (this.dataset.fly) slides.push([this.dataset.fly, duration]);
        return animate.call(this, frames, {duration});
    };
"""
"""What the page tells its browser, noted."""


async def told(page: Page, what: str) -> None:
    await page.wait_for_function("what => told.includes(what)", arg=what)
    await page.evaluate("told.length = 0")


async def test_a_turn_is_heard_and_keeps_the_screen_on_and_calls_who_looks_elsewhere(
    phone: BrowserContext, served: Served
) -> None:
    await phone.add_init_script(LISTENS)
    page = await playing(phone, served)
    await told(page, "awake")
    await page.locator("button.stock").tap()
    await tile(page, "red 1").tap()
    await place(page, 20).tap()
    await told(page, "1900 Hz")  # the click of a tile
    await page.evaluate("Date.now = (now => () => now)(Date.now())")
    served.router.seconds = 4
    await button(page, "Runs").tap()
    await page.wait_for_function("() => told.includes('440 Hz')")  # the last seconds
    assert not {"asleep", "784 Hz"} & {*await page.evaluate("told")}  # it was their turn all the time
    served.router.stage = "over"
    await button(page, "Pairs").tap()  # the answer shows the newest table
    await expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    await told(page, "asleep")
    await page.evaluate("hide(true)")
    served.router.stage = "draw"
    served.router.version += 1
    await served.restart()
    await told(page, "Your turn")


async def test_a_turn_is_drawn_though_the_browser_lets_no_page_call(
    phone: BrowserContext, served: Served
) -> None:
    """As on Android: it asks for the permission, and then refuses."""
    refuses = "constructor() { throw new TypeError('Illegal constructor'); }"
    await phone.add_init_script(LISTENS.replace("constructor(title, {body}) { told.push(body); }", refuses))
    page = await playing(phone, served)
    served.router.turn = 1
    await button(page, "Runs").tap()
    await expect(page.locator("#rack.turn")).to_have_count(0)
    await page.evaluate("hide(true)")
    served.router.turn = 0
    served.router.version += 1
    await served.restart()
    await expect(page.locator("#rack.turn")).to_have_count(1)


async def test_a_screen_that_may_not_be_kept_on_is_asked_for_once_a_turn(
    phone: BrowserContext, served: Served
) -> None:
    await phone.add_init_script(
        "if (navigator.wakeLock) navigator.wakeLock.request = async () => {"
        "    window.asked = (window.asked ?? 0) + 1;"
        "    throw new DOMException('low battery', 'NotAllowedError');"
        "};"
    )
    page = await playing(phone, served)
    for _ in range(2):
        await tile(page, "red 1").tap()
    assert await page.evaluate("asked") == 1
    for turn in (1, 0):
        served.router.turn = turn
        await button(page, "Runs" if turn else "Pairs").tap()
        await expect(page.locator("#rack.turn")).to_have_count(1 - turn)
    assert await page.evaluate("asked") == 2


async def test_the_screen_is_kept_on_once_however_often_the_page_is_drawn_meanwhile(
    phone: BrowserContext, served: Served
) -> None:
    """A second wake lock would be released by nobody: the screen would stay on all evening."""
    await phone.add_init_script(
        "if (navigator.wakeLock) navigator.wakeLock.request = () => new Promise(done => {"
        "    window.asked = (window.asked ?? 0) + 1;"
        "    window.grant = () => done(Object.assign(new EventTarget(), {"
        "        release: async () => (window.released = true)}));"
        "});"
    )
    page = await playing(phone, served)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    assert await page.evaluate("asked") == 1
    served.router.turn = 1
    await button(page, "Runs").tap()
    await expect(page.locator("#rack.turn")).to_have_count(0)
    await page.evaluate("grant()")
    await page.wait_for_function("() => window.released")  # it came too late


async def test_sounds_that_the_browser_silenced_are_heard_again_from_the_next_touch(
    phone: BrowserContext, served: Served
) -> None:
    """As an iPhone does when another app is looked at."""
    await phone.add_init_script(
        "const made = AudioContext;"
        "window.AudioContext = class extends made { constructor() { super(); window.sounds = this; } };"
    )
    page = await playing(phone, served)
    await page.wait_for_function("() => sounds.state === 'running'")
    await page.evaluate("sounds.suspend()")
    await tile(page, "red 1").tap()
    await page.wait_for_function("() => sounds.state === 'running'")


async def test_who_missed_a_result_is_told_so_once_the_next_round_is_dealt(
    phone: BrowserContext, served: Served
) -> None:
    await phone.add_init_script(LISTENS)
    served.router.round = "1/5"
    page = await playing(phone, served)
    missed = page.get_by_role("alert").get_by_text("A round ended while you were away. Replay in the menu")
    result = page.get_by_role("dialog", name="Result")

    async def dealt(number: str) -> None:
        served.router.stage, served.router.round = "draw", number
        served.router.version += 1
        await served.restart()
        await expect(page.get_by_role("heading", level=1)).to_contain_text(number)

    async def ended() -> None:
        served.router.stage = "over"
        served.router.version += 1
        await served.restart()
        await expect(result).to_be_visible()

    await ended()
    await dealt("2/5")
    await expect(missed).to_be_hidden()  # the result was seen
    await dealt("3/5")  # the result came while there was no connection
    await expect(missed).to_be_visible()
    await button(page, "Menu").tap()
    await expect(missed).to_be_hidden()
    await button(page, "Replay").tap()
    await expect(page.get_by_role("dialog", name="Info")).to_contain_text("Step 0")
    assert [each.argument for each in served.router.asked if getattr(each, "verb", "") == "replay"] == [TABLE]
    await page.keyboard.press("Escape")
    await page.evaluate("hide(true)")
    await ended()
    await dealt("4/5")
    await expect(missed).to_be_visible()


async def test_a_page_that_was_open_overnight_loads_the_new_version_and_has_its_rack(
    phone: BrowserContext, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await playing(phone, served)
    await served.stop()
    for module in ("sockets", "markup"):
        monkeypatch.setattr(f"adapters.web.{module}.PROTOCOL", 99)
    await served.start_again()
    await expect(page.locator("body")).to_have_attribute("data-protocol", "99")
    await expect(tile(page, "red 1")).to_be_visible()


NOTES_CLOSINGS = """const made = WebSocket;
    window.closings = [];
    window.WebSocket = class extends made {
        constructor(url) {
            super(url);
            this.addEventListener('close', ({ code }) => closings.push(code));
        }
    };"""


async def test_a_page_of_one_version_that_meets_a_server_of_another_is_not_loaded_again_and_again(
    phone: BrowserContext, served: Served
) -> None:
    """As while servers are replaced one by one."""
    met, greeted = asyncio.Queue[WebSocketRoute](), asyncio.Event()

    def meet(route: WebSocketRoute) -> None:
        route.on_message(lambda _: greeted.set())
        met.put_nowait(route)

    await phone.route_web_socket("**/socket", meet)
    page = await phone.new_page()
    await page.add_init_script(NOTES_CLOSINGS)
    await page.clock.install(time=0)
    await page.clock.pause_at(1)
    await enter(page, served.url)
    await asyncio.wait_for(greeted.wait(), PATIENCE)
    await page.evaluate("window.sameDocument = true")
    await met.get_nowait().close(code=4001)
    await found(lambda: page.evaluate("closings.includes(4001) || !window.sameDocument"))
    await page.clock.run_for(1000)
    assert await page.evaluate("window.sameDocument")
    await page.clock.run_for(5000)
    await asyncio.wait_for(met.get(), PATIENCE)


async def test_a_line_that_was_cut_while_nobody_looked_is_made_anew_and_what_was_pressed_is_sent(
    phone: BrowserContext, served: Served
) -> None:
    """A phone cuts the sockets of what is in the background, and tells nobody."""
    await phone.add_init_script(LISTENS)
    cut: list[bool] = []

    async def hold(route: object) -> None:
        server = route.connect_to_server()  # type: ignore[attr-defined]
        number = len(cut)
        cut.append(False)
        route.on_message(lambda message: cut[number] or server.send(message))  # type: ignore[attr-defined]
        server.on_message(lambda message: cut[number] or route.send(message))  # type: ignore[attr-defined]

    await phone.route_web_socket("**/socket", hold)
    page = await playing(phone, served)
    cut[0] = True
    await page.locator("button.stock").tap()
    await page.evaluate("hide(true)")
    await page.evaluate("const now = Date.now; Date.now = () => now() + 40_000;")
    served.router.pile = "K7"
    served.router.version += 1
    await page.evaluate("hide(false)")
    await expect(page.locator(".bay").get_by_role("button", name="black 13")).to_be_visible()
    await expect(page.locator(".pile.bl .black b")).to_have_text("7")
    assert served.pressed().count("draw.t1") == 1


async def test_a_message_that_waited_for_the_phone_does_not_turn_the_clock_back(
    phone: BrowserContext, served: Served
) -> None:
    """A phone that shows another app keeps what comes until it shows the page again."""
    line = await SlowLine.of(phone)
    page = await playing(phone, served)
    served.router.seconds = 18
    line.hold()
    await page.locator("button.stock").tap()
    await line.until_held("rack", "K13", then="done")
    await page.evaluate("Date.now = (now => () => now)(Date.now() + 15_000)")
    line.let_go()
    await expect(page.locator(".bay button")).to_be_visible()
    await expect(page.locator(".seconds")).to_have_text(re.compile(r"^[0-9]$"))


async def test_a_line_on_which_nobody_answers_the_first_message_is_made_anew(
    phone: BrowserContext, served: Served
) -> None:
    tried, again = asyncio.Event(), asyncio.Event()

    def first_is_dead(route: WebSocketRoute) -> None:
        if tried.is_set():
            route.connect_to_server()
            again.set()
        tried.set()

    page = await phone.new_page()
    await page.route_web_socket("**/socket", first_is_dead)
    await page.clock.install()
    await enter(page, served.url)
    await asyncio.wait_for(tried.wait(), PATIENCE)
    await page.clock.run_for(25_000)
    await asyncio.wait_for(again.wait(), PATIENCE)


FIRST_IS_DEAD = """const Real = WebSocket;
    const first = () => (window.dead = { close() {}, send() {} });
    WebSocket = function (url) { return window.dead ? new Real(url) : first(); };
    WebSocket.OPEN = Real.OPEN;"""


async def test_a_line_that_was_given_up_ends_nothing_when_it_is_closed_later(
    phone: BrowserContext, served: Served
) -> None:
    page = await phone.new_page()
    await page.add_init_script(FIRST_IS_DEAD)
    await page.clock.install()
    await enter(page, served.url)
    await page.wait_for_function("() => window.dead")
    await page.clock.run_for(25_000)
    await found(lambda: holds(page, "state.online"))
    token = await page.evaluate("sessionStorage.token")
    await page.evaluate("dead.onclose({ code: 4002 })")
    assert await page.evaluate("sessionStorage.token") == token
    await page.evaluate("dead.onclose({ code: 1006 })")
    assert await holds(page, "state.online && !state.shut")


async def test_a_line_on_which_nothing_comes_any_more_is_made_anew(
    phone: BrowserContext, served: Served
) -> None:
    """As after a tunnel: the phone's end stays open, and nobody has told it."""
    silent = False

    def line(route: WebSocketRoute) -> None:
        server, first = route.connect_to_server(), not lines
        server.on_message(lambda message: (first and silent) or route.send(message))
        lines.append(route)

    lines: list[WebSocketRoute] = []
    await phone.route_web_socket("**/socket", line)
    page = await phone.new_page()
    await page.clock.install()
    await enter(page, served.url)
    await page.get_by_role("button", name="Play now").tap()
    await expect(tile(page, "red 1")).to_be_visible()
    silent = True
    served.router.pile = "K7"
    served.router.version += 1
    await page.clock.run_for(20_000)
    await expect(button(page, "Take black 7")).to_be_visible()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_tiles_slide_for_those_who_like_motion(
    phone: BrowserContext, served: Served, motion: str
) -> None:
    await phone.add_init_script(LISTENS)
    page = await come_in(phone, served)
    await page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    await page.get_by_role("button", name="Play now").tap()
    await page.locator("button.stock").tap()
    await page.locator(".bay button").tap()
    await pile(page).tap()
    await expect(pile(page).locator(".black b")).to_have_text("13")
    slides: list[tuple[str, int]] = await page.evaluate("slides")
    if motion == "reduce":
        assert slides == []
    else:
        assert {name[:4] for name, _ in slides} >= {"comi", "tile"}  # drawn, and discarded
        assert all(150 <= duration <= 200 for _, duration in slides)


MEASURES = """() => {
    window.measured = [];
    addEventListener('pointerup', () => (window.lets_go = true), true);
    addEventListener('pointerup', () => (window.lets_go = false));
    const measure = Element.prototype.getBoundingClientRect;
    Element.prototype.getBoundingClientRect = function () {
        const drawn = document.querySelector('[data-place="9"] [aria-label^="red 1,"]');
        if (window.lets_go) measured.push(Boolean(drawn));
        return measure.call(this);
    };
}"""
"""Notes, for all that is measured while a finger lets go, whether the tile that it drops is drawn already."""


async def test_a_drop_is_drawn_before_anything_is_measured_anew(
    phone: BrowserContext, served: Served
) -> None:
    """Measured in between, the page was laid out twice at each drop."""
    page = await playing(phone, served)
    await page.emulate_media(reduced_motion="no-preference")
    await page.evaluate(MEASURES)
    finger = await Finger.on(page)
    await finger.drag(tile(page, "red 1"), place(page, 9), above=RAISED)
    await expect(place(page, 9).locator("[data-tile]")).to_be_visible()
    assert True not in await page.evaluate("measured")


async def test_a_taken_tile_slides_from_its_pile(phone: BrowserContext, served: Served) -> None:
    await phone.add_init_script(LISTENS.replace("[this.dataset.fly, duration]", "this.dataset.from"))
    page = await come_in(phone, served)
    await page.emulate_media(reduced_motion="no-preference")
    await page.get_by_role("button", name="Play now").tap()
    await page.locator("button.pile.bl").tap()
    await expect(page.locator(".bay").get_by_role("button", name="blue 9")).to_be_visible()
    slides = await page.evaluate("slides")
    assert "taken" in slides
    assert "stock" not in slides


async def test_a_drawn_tile_slides_from_where_the_finger_let_it_go(
    phone: BrowserContext, served: Served
) -> None:
    begins = "this.getBoundingClientRect().x + Number(frames[0].transform.match(/-?[0-9.]+/)[0])"
    await phone.add_init_script(LISTENS.replace("[this.dataset.fly, duration]", begins))
    page = await come_in(phone, served)
    await page.emulate_media(reduced_motion="no-preference")
    await page.get_by_role("button", name="Play now").tap()
    finger = await Finger.on(page)
    at = place(page, 0)
    await finger.drag(page.locator(".stock .back"), at, above=RAISED)
    await expect(page.locator(".bay button")).to_be_visible()
    begun, *_ = await page.evaluate("slides")
    box = await at.bounding_box()
    assert box is not None
    assert abs(begun - box["x"]) < 20


async def test_a_tile_is_flicked_away_and_dropped_on_the_indicator_to_finish_after_one_question(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    finger = await Finger.on(page)
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    await finger.flick(tile(page, "black 3"))
    await served.until_pressed("discard.K3")
    await page.locator("button.stock").tap()
    await finger.drag(tile(page, "red 5 (okey)"), page.locator(".indicator"), above=RAISED)
    question = page.get_by_role("alertdialog")
    await question.get_by_role("button", name="Finish").tap()
    await served.until_pressed("finish.R5")
    await expect(page.get_by_role("dialog", name="Result").locator(".confetti i")).to_have_count(14)


async def test_what_cannot_be_done_now_is_answered_with_the_reason(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    finger, before = await Finger.on(page), served.pressed()

    async def said(words: str) -> None:
        note = page.locator(".note").last
        await expect(note).to_have_text(words)
        await note.get_by_role("button").tap()

    first = "Draw or take a tile first."
    await finger.drag(tile(page, "red 1"), pile(page), above=RAISED)
    await said(first)
    await discard(page, "red 1")
    await said(first)
    assert served.pressed() == before
    await page.keyboard.press("d")
    await expect(page.locator(".bay button")).to_be_visible()
    await page.locator(".stock").tap()
    await said("You already have your tile: now discard one.")
    served.router.turn = 1
    await button(page, "Runs").tap()
    await expect(page.locator("#rack.turn")).to_have_count(0)
    await finger.drag(tile(page, "red 1"), pile(page), above=RAISED)
    await said("It isn’t your turn.")
    await finger.drag(tile(page, "red 1"), pile(page), above=RAISED)
    await expect(page.locator(".note")).to_have_text("It isn’t your turn.")
    served.router.turn = 0
    await button(page, "Pairs").tap()
    await expect(page.locator("#rack.turn")).to_have_count(1)
    assert await page.locator(".note").count() == 0  # it would lie over what is to do now
    served.router.turn = 1
    await button(page, "Runs").tap()
    await expect(page.locator("#rack.turn")).to_have_count(0)
    await finger.drag(tile(page, "red 1"), place(page, 20), above=RAISED)  # the rack is arranged always
    await expect(place(page, 20).get_by_role("button", name="red 1")).to_be_visible()
    await served.until_kept()


async def test_settings_dress_the_page_at_once_and_after_a_reload(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    looks = """() => [getComputedStyle(document.querySelector('.felt')).backgroundImage,
        getComputedStyle(document.querySelector('.face')).backgroundImage,
        document.querySelector('.bay').getBoundingClientRect().left < innerWidth / 2]"""
    glow = "getComputedStyle(document.querySelector('.own.turn .wood'), '::after').animationName"
    await page.emulate_media(reduced_motion="no-preference")
    assert await page.evaluate(glow) == "breathes"
    before = await page.evaluate(looks)
    await button(page, "Menu").tap()
    await button(page, "Settings").tap()
    for value in ("Blue", "Dark", "Off"):
        await page.get_by_role("radio", name=value, exact=True).tap()
    await page.get_by_role("switch", name="For the left hand").tap()
    await button(page, "Close").tap()
    after = await page.evaluate(looks)
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert not await page.evaluate("module().then(all => all.likesMotion())")
    assert await page.evaluate(glow) == "none"
    await page.reload()
    await expect(page.locator("#rack .tile").first).to_be_visible()
    assert await page.evaluate(looks) == after


async def test_no_control_and_no_seat_is_drawn_by_a_font_of_emoji(
    phone: BrowserContext, served: Served
) -> None:
    signs = r"""() => document.body.innerText.match(/[\p{Emoji_Presentation}\u2190-\u2bff]/gu) ?? []"""
    page = await come_in(phone, served)
    assert await page.evaluate(signs) == []
    assert await page.evaluate("document.fonts.load('800 16px Okey').then(found => found.length)") == 1
    await page.locator("[data-do=now]").tap()
    await expect(page.locator("#rack .tile").first).to_be_visible()
    assert await page.evaluate(signs) == []
