"""The page in a real browser, on a router of few words: by mouse, touch and keyboard, alone and together."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Locator, Page, expect

from adapters.web import WebChat, WebServer
from bot.ports import Press, TypedCommand
from tests.adapters.web.scripted import TABLE, ScriptedDelivery, ScriptedRouter

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Served:
    """The page's server, which can be stopped and started again on its port."""

    def __init__(self) -> None:
        self.router = ScriptedRouter()
        self._server = self._new(0)

    def _new(self, port: int) -> WebServer:
        server = WebServer("127.0.0.1", port)
        WebChat(router=self.router, delivery=ScriptedDelivery(), server=server)
        return server

    async def start(self) -> None:
        await self._server.start()
        self.url = self._server.url

    async def stop(self) -> None:
        await self._server.stop()

    async def start_again(self) -> None:
        self._server = self._new(int(self.url.rstrip("/").rsplit(":", 1)[1]))
        await self._server.start()


@pytest_asyncio.fixture(loop_scope="session")
async def served() -> AsyncIterator[Served]:
    server = Served()
    await server.start()
    yield server
    await server.stop()


async def come_in(context: BrowserContext, served: Served, name: str = "Ada") -> Page:
    page = await context.new_page()
    await page.goto(served.url)
    await page.get_by_label("Your name").fill(name)
    await page.keyboard.press("Enter")
    return page


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def rack(page: Page) -> Locator:
    return page.get_by_role("region", name="Your rack")


async def playing(context: BrowserContext, served: Served, name: str = "Ada") -> Page:
    page = await come_in(context, served, name)
    for label in ("Open a table", "Join", "Start"):
        await button(page, label).click()
    await expect(button(page, "Draw")).to_be_visible()
    return page


async def test_a_person_opens_a_table_plays_and_sees_the_result(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    table = page.get_by_role("region", name="The table")
    await expect(table.get_by_role("img", name="Indicator red 4, okey red 5, 48 tiles")).to_be_visible()
    await button(page, "Take blue 9").click()
    await expect(rack(page).get_by_text("discard a tile")).to_be_visible()
    await button(page, "red 5 (okey)").click()
    await expect(table.get_by_role("img", name="Result: red 1, red 2, red 3")).to_be_visible()
    assert [asked.data for asked in served.router.asked if isinstance(asked, Press)] == [
        f"join.{TABLE}",
        f"start.{TABLE}",
        f"take.{TABLE}",
        "discard.R5",
    ]


async def test_a_finger_is_enough(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await button(page, "Draw").tap()
    await button(page, "black 13").tap()
    await expect(button(page, "Draw")).to_be_visible()
    assert served.router.discarded == "K13"


async def test_a_keyboard_is_enough_and_keeps_its_place(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await button(page, "Sort: runs").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("That button is old")).to_be_visible()
    await expect(button(page, "Sort: runs")).to_be_focused()
    await button(page, "Draw").focus()
    await page.keyboard.press("Space")
    await expect(button(page, "red 1")).to_be_visible()
    await button(page, "red 1").focus()
    for key, now in (("ArrowRight", "red 2"), ("ArrowDown", "red 5 (okey)"), ("ArrowUp", "red 2")):
        await page.keyboard.press(key)
        await expect(button(page, now)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(button(page, "Draw")).to_be_visible()
    assert served.router.discarded == "R2"
    assert await page.evaluate("document.activeElement.closest('#rack') !== null")


async def test_two_tabs_are_two_people(phone: BrowserContext, served: Served) -> None:
    ada = await playing(phone, served)
    ece = await come_in(phone, served, "Ece")
    await expect(ece.get_by_role("region", name="The table")).to_be_visible()
    await expect(rack(ece)).to_be_hidden()
    await button(ece, "My rack").click()
    await expect(ece.get_by_role("alert")).to_contain_text("You aren’t at this table.")
    await button(ada, "Draw").click()
    await expect(button(ada, "black 13")).to_be_visible()
    assert await ece.get_by_role("button", name="black 13").count() == 0
    await button(ece, "Close").click()
    await expect(ece.get_by_role("alert")).to_be_empty()
    await button(ece, "My rack").click()
    await expect(ece.get_by_role("alert")).to_contain_text("You aren’t at this table.")
    await ece.keyboard.press("Escape")
    await expect(ece.get_by_role("alert")).to_be_empty()
    await button(ece, "My rack").click()
    await expect(ece.get_by_role("alert")).to_contain_text("You aren’t at this table.")
    await button(ece, "Help").click()
    await expect(ece.get_by_role("alert")).to_be_empty()


async def test_a_reload_changes_nothing(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await page.reload()
    await expect(page.get_by_label("Your name")).to_have_value("Ada")
    await button(page, "Draw").click()
    await expect(button(page, "black 13")).to_be_visible()


async def test_without_a_name_nothing_is_pressed(phone: BrowserContext, served: Served) -> None:
    page = await phone.new_page()
    await page.goto(served.url)
    await button(page, "Open a table").click()
    await expect(page.get_by_label("Your name")).to_be_focused()
    await expect(page.get_by_text("Say first what to call you.")).to_be_visible()
    assert served.router.stage == "none"


async def test_when_the_server_is_gone_the_page_says_so_and_comes_back_up_to_date(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    away = page.get_by_text("The connection is gone.")
    await expect(away).to_be_hidden()
    await served.stop()
    await expect(away).to_be_visible()
    served.router.pile = "K7"
    await served.start_again()
    await expect(away).to_be_hidden()
    await expect(button(page, "Take black 7")).to_be_visible()
    await button(page, "Draw").click()
    await expect(button(page, "black 13")).to_be_visible()


async def test_what_is_gone_after_a_restart_is_gone_from_the_page(
    phone: BrowserContext, served: Served
) -> None:
    page = await playing(phone, served)
    await served.stop()
    served.router.stage, served.router.host = "none", ""
    await served.start_again()
    await expect(page.get_by_text("No table is open here yet.")).to_be_visible()
    await expect(page.get_by_role("region")).to_have_count(0)


async def test_a_double_tap_is_one_press(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    await button(page, "Sort: pairs").dblclick()
    await button(page, "Draw").dblclick()
    await expect(button(page, "black 13")).to_be_visible()
    presses = [asked.data for asked in served.router.asked if isinstance(asked, Press)]
    assert presses[-2:] == [f"pairs.{TABLE}", f"draw.{TABLE}"]


async def test_who_gets_up_loses_his_rack(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await button(page, "Open a table").click()
    await button(page, "Join").click()
    await expect(rack(page).get_by_text("The rack comes when the match starts.")).to_be_visible()
    await button(page, "Leave").click()
    await expect(rack(page)).to_be_hidden()


async def test_a_long_answer_stays_until_it_is_closed(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await button(page, "Help").click()
    await expect(page.get_by_text("Draw, then discard.")).to_be_visible()
    await button(page, "Close").click()
    await expect(page.get_by_text("Draw, then discard.")).to_be_hidden()


async def test_a_command_can_be_typed(phone: BrowserContext, served: Served) -> None:
    page = await come_in(phone, served)
    await page.get_by_label("Command").fill("/WORD good luck")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("There is nothing.")).to_be_visible()
    await expect(page.get_by_label("Command")).to_have_value("")
    commands = [asked for asked in served.router.asked if isinstance(asked, TypedCommand)]
    assert [each.argument for each in commands if each.verb == "word"] == ["good luck"]


async def test_a_name_is_only_ever_a_name(phone: BrowserContext, served: Served) -> None:
    hostile = "<img src=x onerror=document.title='gone'>\u202e"
    page = await playing(phone, served, hostile)
    name = page.locator("#table bdi").first
    await expect(name).to_have_text(hostile[:32])
    assert await page.title() == "Okey"


async def test_the_clock_counts_down(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    clock = page.locator("#rack time")
    before = await clock.inner_text()
    assert before in ("0:30", "0:29")
    await expect(clock).not_to_have_text(before)


@pytest.mark.parametrize("width", [320, 390, 1280])
async def test_nothing_sticks_out_and_nothing_jumps(
    phone: BrowserContext, served: Served, width: int
) -> None:
    page = await playing(phone, served)
    await page.set_viewport_size({"width": width, "height": 900})
    size = (
        "JSON.stringify([...document.querySelectorAll('.shelf > .tile')].slice(0, 5).map(t => t.offsetWidth))"
    )
    before = await page.evaluate(size)
    await button(page, "Draw").click()
    await expect(button(page, "black 13")).to_be_visible()
    assert await page.evaluate(size) == before
    root = "document.documentElement"
    assert await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0


async def test_a_screen_reader_is_told_what_is_new(phone: BrowserContext, served: Served) -> None:
    page = await playing(phone, served)
    voice = page.locator("#voice")
    await expect(voice).to_contain_text("Your turn: draw, or take blue 9")
    await button(page, "Draw").click()
    await expect(voice).to_have_text("Your turn: discard a tile · until ")
