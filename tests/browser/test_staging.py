"""What others do is seen: tiles that fly, words at their seats, and how a round begins."""

import pytest
from playwright.async_api import BrowserContext, Page, expect

from bot.live import LiveFirstDraw, LiveHappening
from tests.browser.test_reactions import stop_clock
from tests.browser.test_table import COVERED, Served, button, come_in, playing, served, tile
from tests.patience import found

__all__ = ["served"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

SEES = """
    window.flights = [], window.words = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        if (this.dataset.flight) flights.push([this.dataset.flight, this.textContent, timing.duration]);
        return animate.call(this, frames, timing);
    };
    addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
        for (const each of document.querySelectorAll('.badge')) {
            const said = `${each.closest('.seat').querySelector('bdi').textContent}: ${each.textContent}`;
            if (!words.includes(said)) words.push(said);
        }
    }).observe(document, { childList: true, subtree: true, characterData: true }));
"""
"""Notes each tile that flies, and each word at a seat."""

STAYING = "() => void (setTimeout = (later => (does, ms) => (ms === 1800 ? 0 : later(does, ms)))(setTimeout))"
"""Lets words stay at their seats."""

ROUND = (
    LiveHappening("drew", 1),
    LiveHappening("discarded", 1, "B5"),
    LiveHappening("took", 2, "B5", 1),
    LiveHappening("discarded", 2, "K1"),
)


async def watching(phone: BrowserContext, served: Served, motion: str) -> Page:
    """A page on which a match is played, and everything is noted from then on."""
    await phone.add_init_script(SEES)
    page = await playing(phone, served)
    await page.emulate_media(reduced_motion="no-preference" if motion == "moving" else "reduce")
    return page


async def happen(page: Page, served: Served, *happened: LiveHappening) -> None:
    """Let something happen at the table, and the page hear of it."""
    served.router.happened += happened
    await button(page, "Runs").tap()


@pytest.mark.parametrize("motion", ["moving", "still"])
async def test_each_move_of_others_is_seen_from_its_pile_to_the_seat_and_on(
    phone: BrowserContext, served: Served, motion: str
) -> None:
    page = await watching(phone, served, motion)
    await happen(page, served, *ROUND)
    assert await found(lambda: page.evaluate("words.includes('Ece: took')"))
    assert await found(lambda: page.evaluate("module().then(all => !all.isStaging())"))
    flights = await page.evaluate("flights")
    if motion == "still":
        assert flights == []
    else:
        flown = [(way, number) for way, number, _ in flights]
        ways = ("stock>seat1", ""), ("seat1>pile1", "5"), ("pile1>seat2", "5"), ("seat2>pile2", "1")
        assert flown == [*ways]
        assert sum(duration for *_, duration in flights) <= 1000


@pytest.mark.parametrize("lays", [False, True])
async def test_a_word_at_a_seat_covers_neither_name_nor_points_nor_tiles(
    phone: BrowserContext, served: Served, lays: bool
) -> None:
    served.router.lays, served.router.melds = lays, 14
    page = await watching(phone, served, "still")
    took = [LiveHappening("took", seat, "B5", (seat + 3) % 4) for seat in (1, 2, 3)]
    await page.evaluate(STAYING)
    opened = [LiveHappening("opened_melds", seat, "", -1, 116) for seat in (1, 2, 3)] if lays else took
    others = ".plate bdi, .plate .score, .pile, .stock, .indicator, .cloth"
    for width, height in ((360, 640), (390, 844), (844, 390), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        await happen(page, served, *opened)
        await expect(page.locator(".badge")).to_have_count(3)
        assert await page.evaluate(COVERED, [".badge", others]) == []


LONG_WORDS = """module().then(({ state, render }) => {
    for (const seat of [1, 2, 3]) state.badges.set(seat, ["genommen", "eröffnet: 116"]);
    render();
})"""
OUTSIDE = """[...document.querySelectorAll('.badge')].filter(each => {
    const { left, right } = each.getBoundingClientRect();
    return left < 0 || right > innerWidth || each.scrollWidth > each.clientWidth;
}).map(each => each.closest('.seat').className)"""
"""The seats whose words go on beyond the window, or beyond their own box."""
MEETING = """[...document.querySelectorAll('.badge')].map(each => each.getBoundingClientRect())
    .some((a, at, all) => all.slice(at + 1).some(b =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom))"""
"""Whether the words at one seat lie on those at another."""


@pytest.mark.parametrize("lays", [False, True])
async def test_long_words_at_a_seat_stay_in_the_window(
    phone: BrowserContext, served: Served, lays: bool
) -> None:
    served.router.lays = lays
    page = await watching(phone, served, "still")
    for width, height in ((360, 640), (390, 844), (640, 360), (844, 390), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate(LONG_WORDS)
        await expect(page.locator(".badge")).to_have_count(3)
        assert await page.evaluate(OUTSIDE) == [], width
        assert not await page.evaluate(MEETING), width


ENDLESS = """() => void (Element.prototype.animate = (play => function (frames, timing) {
    return play.call(this, frames, { ...timing, duration: 1e6 }); })(Element.prototype.animate))"""
"""Lets every flight go on until it is ended."""


async def test_a_touch_ends_what_is_shown_and_the_table_is_as_it_is(
    phone: BrowserContext, served: Served
) -> None:
    page = await watching(phone, served, "moving")
    await page.evaluate(ENDLESS)
    await happen(page, served, *ROUND)
    await expect(page.locator(".flying")).to_have_count(1)
    await tile(page, "red 1").tap()
    await expect(page.locator(".flying")).to_have_count(0)
    await expect(page.locator(".pile.tl .black b")).to_have_text("1")
    assert await found(lambda: page.evaluate("words.includes('Ece: took')"))


async def test_a_computer_is_glad_once_its_finish_has_been_shown(
    phone: BrowserContext, served: Served
) -> None:
    page = await watching(phone, served, "moving")
    await page.evaluate(ENDLESS)
    await stop_clock(page)
    served.router.winners, served.router.round_winner, served.router.stage = (1,), 2, "over"
    await happen(page, served, LiveHappening("finished", 2, "Y13"))
    await expect(page.locator(".flying")).to_have_count(1)
    await expect(page.locator(".emote")).to_have_count(0)
    await page.evaluate("document.querySelector('.flying').getAnimations()[0].finish()")
    await expect(page.locator(".seat .emote")).to_have_count(1)


async def test_openings_lay_offs_and_a_shown_indicator_are_told_in_figures(
    phone: BrowserContext, served: Served
) -> None:
    served.router.lays = True
    page = await watching(phone, served, "moving")
    laid = [LiveHappening("laid_off", 2, tile, -1, 1) for tile in ("Y6", "Y10")]
    opened = LiveHappening("opened_melds", 1, "", -1, 116)
    served.router.score -= 1
    await happen(page, served, LiveHappening("shown", 3), opened, LiveHappening("melded", 1), *laid)
    for said in ("Ali: showed: −1", "Can: opened 116", "Ece: laid off 2"):
        assert await found(lambda said=said: page.evaluate("said => words.includes(said)", said))


CLOTHS = """
    window.cloths = [];
    const begin = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        const tiles = [...document.querySelectorAll('.laid')].map(each => each.childElementCount);
        const plate = document.querySelector('.seat.right .opened').textContent;
        if (this.dataset.flight) cloths.push([this.dataset.flight, tiles, plate.includes('116')]);
        return begin.apply(this, given);
    };
"""
"""Notes at each flight how many tiles the melds on the cloth have, and whether the right seat has opened."""


async def test_what_others_lay_comes_to_the_cloth_with_its_own_move(
    phone: BrowserContext, served: Served
) -> None:
    await phone.add_init_script(CLOTHS)
    served.router.lays, served.router.melds, served.router.opened = True, 0, ""
    page = await watching(phone, served, "moving")
    served.router.melds, served.router.opened = 2, "116 melds"
    opened = LiveHappening("opened_melds", 1, "", -1, 116)
    laid = LiveHappening("melded", 1), LiveHappening("melded", 1), LiveHappening("discarded", 1, "B5")
    added = LiveHappening("laid_off", 2, "Y9", -1, 1), LiveHappening("reclaimed", 2, "Y7", -1, 2)
    await happen(page, served, LiveHappening("drew", 1), opened, *laid, LiveHappening("drew", 2), *added)
    assert await found(lambda: page.evaluate("module().then(all => flights.length > 0 && !all.isStaging())"))
    assert await page.evaluate("cloths") == [
        ["stock>seat1", [], False],
        ["seat1>cloth", [], True],
        ["seat1>pile1", [2, 3], True],
        ["stock>seat2", [2, 3], True],
        ["seat2>meld0", [2, 3], True],
        ["seat2>meld1", [3, 3], True],
    ]
    await expect(page.locator(".laid").nth(1).locator(".tile").first).to_have_class("tile lying")
    await expect(page.locator(".laid .tile")).to_have_count(6)


SLIDES = """
    window.slid = new Set(), window.ends = [];
    const slide = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const moved = String(frames[0].transform);
        if (this.matches('.laid') && Number(/scale\\(([\\d.]+)\\)/.exec(moved)?.[1]) > 1.1) slid.add(this);
        const end = /translate\\(([\\d.]+)px, ([\\d.]+)px/.exec(frames.at(-1).transform);
        if (this.dataset.flight?.endsWith('>meld0')) ends.push(end.slice(1).map(Number));
        return slide.call(this, frames, timing);
    };
"""
"""Notes the melds that are clearly larger as they begin to slide, and where tiles for the first one end."""


async def test_melds_that_become_smaller_slide_and_a_tile_flies_to_where_they_will_lie(
    phone: BrowserContext, served: Served
) -> None:
    await phone.add_init_script(SLIDES)
    served.router.lays, served.router.melds, served.router.owners = True, 4, 2
    page = await watching(phone, served, "moving")
    served.router.melds = 14
    laid = [LiveHappening("melded", 1)] * 10
    await happen(page, served, *laid, LiveHappening("laid_off", 2, "Y9", -1, 1))
    assert await found(lambda: page.evaluate("module().then(all => ends.length > 0 && !all.isStaging())"))
    assert (
        await page.evaluate("slid.size") == 4
    )  # each slides anew where the page is drawn once more meanwhile
    [(x, y)] = await page.evaluate("ends")
    box = await page.locator("[data-drop=meld0]").bounding_box()
    assert box
    assert box["x"] < x < box["x"] + box["width"]
    assert y == pytest.approx(box["y"] + box["height"] / 2, abs=1)


LANDINGS = """
    window.landings = [], window.points = [];
    const fly = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const [, to] = this.dataset.flight?.split('>') ?? [];
        const tile = document.querySelector(`[data-spot="${to}"] .tile`);
        if (tile) {
            const scale = Number(/scale\\(([\\d.]+)\\)/.exec(frames.at(-1).transform)?.[1] ?? 1);
            landings.push([Math.round(scale * this.offsetWidth), tile.offsetWidth]);
        }
        if (to) points.push(document.querySelector('.seat.left .score').textContent);
        return fly.call(this, frames, timing);
    };
"""
"""Notes how wide a tile is as it lands, beside those of its pile, and the points of the seat on the left."""


@pytest.mark.parametrize("lays", [False, True])
async def test_a_tile_lands_as_large_as_its_pile_and_points_change_with_what_is_told(
    phone: BrowserContext, served: Served, lays: bool
) -> None:
    served.router.lays = lays
    await phone.add_init_script(LANDINGS)
    page = await watching(phone, served, "moving")
    served.router.score -= 1
    shown = LiveHappening("shown", 3), LiveHappening("drew", 3), LiveHappening("discarded", 3, "B9")
    await happen(page, served, *ROUND, *shown)
    assert await found(lambda: page.evaluate("module().then(all => points.length > 0 && !all.isStaging())"))
    assert [lands == wide for lands, wide in await page.evaluate("landings")] == [True] * 3
    assert await page.evaluate("points") == ["20 points"] * 4 + ["19 points"] * 2


async def test_what_the_clock_did_for_the_viewer_is_said_and_marked(
    phone: BrowserContext, served: Served
) -> None:
    page = await watching(phone, served, "still")
    await page.locator("button.stock").tap()
    await expect(page.locator(".bay button")).to_be_visible()
    served.router._discard("K3")
    served.router.turn = 1
    by_clock = (LiveHappening("drew", 0), LiveHappening("discarded", 0, "K3"), LiveHappening("overdue", 0))
    await happen(page, served, *by_clock)
    said = page.get_by_role("alert").get_by_text("Your time was up: black 3 was discarded for you.")
    await expect(said).to_be_visible()
    await expect(page.locator(".pile.br.clocked")).to_be_visible()
    await happen(page, served, LiveHappening("drew", 0), LiveHappening("discarded", 0, "K3"))
    await expect(page.locator(".pile.br.clocked")).to_have_count(0)


FRAMED = "[...document.querySelectorAll('.meld')].map(each => getComputedStyle(each, '::before').content)"


async def test_a_match_begins_with_throws_and_the_deal_and_a_touch_skips_them(
    phone: BrowserContext, served: Served
) -> None:
    await phone.add_init_script(SEES)
    served.router.first = tuple(LiveFirstDraw(seat, 3 + seat, "") for seat in range(3))
    page = await come_in(phone, served)
    await page.emulate_media(reduced_motion="no-preference")
    await page.evaluate(ENDLESS)
    await page.get_by_role("button", name="Play now").tap()
    await expect(tile(page, "red 1")).to_be_visible()
    assert await found(lambda: page.evaluate("flights.length >= 1"))
    assert await page.evaluate("words.slice(0, 3)") == ["Ada: threw 3", "Can: threw 4", "Ece: threw 5"]
    await expect(page.locator(".indicator .lying")).to_be_hidden()
    assert set(await page.evaluate(FRAMED)) == {"none"}, "a meld is framed where its tiles are to come"
    await page.locator("button.stock").tap()
    await expect(page.locator("#rack.dealing")).to_have_count(0)
    await expect(page.locator(".indicator .lying")).to_be_visible()
    await expect(page.locator(".bay button")).to_be_visible()
    assert await page.evaluate("flights[0][0]") == "stock>seat0"
