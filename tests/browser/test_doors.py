"""The doors in a real browser: a personal link, and chats that frame the page, under their real origins."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Frame, Page, expect

from adapters.web import Door, TelegramDoor
from bot.ports import Person
from bot.store import open_store
from tests.adapters.web.signed import TOKEN, init_data
from tests.adapters.web.test_doors import DoorHouse, open_doors
from tests.bot.house import MemoryChat

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def doors(valkey_url: str, tmp_path: Path) -> AsyncIterator[DoorHouse]:
    def made(url: str) -> dict[str, Door]:
        return {"telegram": TelegramDoor(TOKEN)}

    async with open_store(valkey_url, tmp_path) as store, open_doors(store, made) as opened:
        for name in ("tg", "dc"):
            opened.house.app.chats[name] = MemoryChat(name=name)
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


THEME = '{"bg_color": "#102030", "text_color": "#f0f0f0"}'
TELEGRAM = """<!doctype html><title>Telegram Web</title><script>
    window.heard = [];
    addEventListener('message', ({data, origin}) => heard.push({origin, ...JSON.parse(data)}));
    function tell(eventType, eventData) {
        frames[0].postMessage(JSON.stringify({eventType, eventData}), '*');
    }
</script><iframe src="SRC" width="390" height="700"></iframe>"""
"""What stands round a Mini App in a browser, as far as the app can tell."""
ADA = Person("tg:11", "Ada", "en")
CAN = Person("tg:22", "Can", "en")


async def begun(doors: DoorHouse, place: str, *people: Person) -> str:
    """A round for two in a place."""
    house = doors.house
    await house.type(people[0], "play", "2", place=place)
    (table,) = await house.store.tables_at(place)
    await house.press(people[1], f"join.{table}.0", private=False, place=place)
    await house.press(people[0], f"start.{table}.0", private=False, place=place)
    return table


def launched(doors: DoorHouse, table: str, proof: str) -> str:
    """The address at which Telegram opens the app."""
    hash = {
        "tgWebAppData": proof,
        "tgWebAppVersion": "8.0",
        "tgWebAppPlatform": "weba",
        "tgWebAppThemeParams": THEME,
    }
    return f"{doors.url}/telegram?table={table}#{urlencode(hash)}"


async def framed_at(page: Page, origin: str, src: str, parent: str) -> tuple[Page, Frame]:
    """A page of that origin with the app in a frame."""

    async def fulfil(route: Any) -> None:
        await route.fulfill(body=parent.replace("SRC", src.replace("&", "&amp;")), content_type="text/html")

    await page.route(f"{origin}/**", fulfil)
    await page.goto(f"{origin}/")
    return page, page.frames[1]


async def heard(page: Page, kind: str) -> list[dict[str, Any]]:
    """What the app has told its parent of that kind, once it has."""
    await page.wait_for_function("kind => heard.some(each => each.eventType === kind)", arg=kind)
    told: list[dict[str, Any]] = await page.evaluate("heard")
    return [each for each in told if each["eventType"] == kind]


async def test_telegram_s_page_frames_the_table(doors: DoorHouse, phone: BrowserContext) -> None:
    table = await begun(doors, "tg:-100", ADA, CAN)
    src = launched(doors, table, init_data())
    page, app = await framed_at(await phone.new_page(), "https://web.telegram.org", src, TELEGRAM)
    await expect(app.locator("#rack .tile").first).to_be_visible()
    assert "tgWebAppData" not in await app.evaluate("location.href")
    (swipes,) = await heard(page, "web_app_setup_swipe_behavior")
    assert swipes["eventData"] == {"allow_vertical_swipe": False}
    assert swipes["origin"] == doors.url
    assert await app.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 32, 48)"
    await page.evaluate("tell('safe_area_changed', {top: 30, bottom: 20, left: 0, right: 0})")
    await page.evaluate("tell('content_safe_area_changed', {top: 46, bottom: 0, left: 0, right: 0})")
    header = app.locator(".page > header")
    await expect(header).to_have_css("padding-top", "76px")
    assert (await heard(page, "web_app_setup_back_button"))[-1]["eventData"] == {"is_visible": True}
    await page.evaluate("tell('back_button_pressed', {})")
    await expect(app.locator(".home")).to_be_visible()
    assert (await heard(page, "web_app_setup_back_button"))[-1]["eventData"] == {"is_visible": False}
    await app.evaluate("location.reload()")
    await expect(app.locator("#rack .tile").first).to_be_visible()


async def test_nobody_else_frames_the_table(doors: DoorHouse, browser: Browser) -> None:
    context = await browser.new_context()
    src = launched(doors, "", init_data())
    for door, origin in ((src, "https://evil.example"), (f"{doors.url}/", "https://web.telegram.org")):
        page = await context.new_page()
        async with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
            _, app = await framed_at(page, origin, door, TELEGRAM)
        await expect(app.locator("#app")).to_have_count(0)
    await context.close()


async def test_an_old_proof_leads_back_to_the_chat(doors: DoorHouse, phone: BrowserContext) -> None:
    src = launched(doors, "", init_data(age=25 * 3600))
    page, app = await framed_at(await phone.new_page(), "https://web.telegram.org", src, TELEGRAM)
    await expect(app.get_by_text("Open the table again from the chat.")).to_be_visible()
    await page.evaluate("tell('main_button_pressed', {})")
    await heard(page, "web_app_close")


async def test_telegram_s_own_window_has_the_main_button_and_is_felt(
    doors: DoorHouse, phone: BrowserContext
) -> None:
    house = doors.house
    await house.type(ADA, "play", "2", place="tg:-100")
    (table,) = await house.store.tables_at("tg:-100")
    await house.press(CAN, f"join.{table}.0", private=False, place="tg:-100")
    page = await phone.new_page()
    await page.add_init_script(
        "window.heard = []; window.TelegramWebviewProxy = {"
        "postEvent: (eventType, data) => heard.push({eventType, eventData: JSON.parse(data)})};"
    )
    await page.goto(launched(doors, table, init_data()))
    await expect(page.locator("#table")).to_be_visible()
    button = (await heard(page, "web_app_setup_main_button"))[-1]["eventData"]
    assert (button["is_visible"], button["text"]) == (True, "Start")
    await page.evaluate("Telegram.WebView.receiveEvent('main_button_pressed', {})")
    tiles = page.locator("#rack .tile")
    await expect(tiles.first).to_be_visible()
    await tiles.first.tap()
    await page.locator("#rack .gap").first.tap()
    (felt, *_) = await heard(page, "web_app_trigger_haptic_feedback")
    assert felt["eventData"] in ({"type": "impact", "impact_style": "light"}, {"type": "selection_change"})
