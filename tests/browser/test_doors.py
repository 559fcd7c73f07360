"""The doors in a real browser: a personal link, and chats that frame the page, under their real origins."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlencode

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Frame, Page, WebSocketRoute, expect

from adapters.web import DiscordDoor, Door, TelegramDoor
from bot.ids import TableId
from bot.people.codes import Invitations
from bot.people.tokens import HashedTokens
from bot.ports import Person
from bot.store import open_store
from tests.adapters.web.signed import TOKEN, init_data
from tests.adapters.web.test_doors import DoorHouse, open_doors
from tests.bot.house import MemoryChat
from tests.browser.slow_line import SlowLine
from tests.browser.test_accessibility import complaints
from tests.patience import found
from tests.servers.discord_api.activities import SECRET
from tests.servers.discord_api.client import Discord, running_discord

pytestmark = pytest.mark.asyncio(loop_scope="session")


class PlatformDoors(DoorHouse):
    """Doors, and the Discord that one of them asks."""

    discord: Discord


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def discord() -> AsyncIterator[Discord]:
    async with running_discord() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def doors(valkey_url: str, tmp_path: Path, discord: Discord) -> AsyncIterator[PlatformDoors]:
    def made(url: str) -> dict[str, Door]:
        activities = DiscordDoor(token=discord.token, secret=SECRET, api_url=discord.api_url)
        return {"telegram": TelegramDoor(TOKEN), "discord": activities}

    async with open_store(valkey_url, tmp_path) as store, open_doors(store, made) as house:
        opened = PlatformDoors(house.house, house.url, house.session)
        opened.discord = discord
        for name in ("tg", "dc"):
            opened.house.app.chats[name] = MemoryChat(name=name, bot_name="okey" if name == "tg" else "")
        yield opened


async def come_by_link(doors: DoorHouse, page: Page, person: Person) -> None:
    """Open a person's table by their personal link."""
    await page.goto(f"{doors.url}/#k={await doors.secret(person)}")
    await page.get_by_role("button", name="Go to my table").tap()
    await expect(page.locator("#rack .tile").first).to_be_visible()


async def without_welcome(doors: DoorHouse, phone: BrowserContext) -> tuple[Page, SlowLine]:
    """A page that was loaded anew at the own table, and has its rack but not yet the welcome."""
    ada, can = Person("tg:1", "Ada", "en"), Person("tg:2", "Can", "en")
    await begun(doors, "tg:-100", ada, can)
    page = await phone.new_page()
    await come_by_link(doors, page, ada)
    line = await SlowLine.of(page)
    line.hold(after="rack")
    await page.reload()
    await expect(page.locator("#rack .tile").first).to_be_visible()
    return page, line


async def test_a_personal_link_opens_the_own_table_until_they_log_out(
    doors: PlatformDoors, phone: BrowserContext
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
    back = page.get_by_role("link", name="Back to the chat (tg)")
    await expect(back).to_have_attribute("href", "https://chat.test/okey")
    box = await back.bounding_box()
    assert box is not None
    assert box["height"] >= 44


async def test_the_menu_lists_their_sessions_and_ends_this_one(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    ada, can = Person("tg:1", "Ada", "en"), Person("tg:2", "Can", "en")
    await begun(doors, "tg:-100", ada, can)
    page = await phone.new_page()
    await come_by_link(doors, page, ada)
    await page.get_by_role("button", name="Menu").tap()
    await page.get_by_role("button", name="Where I’m logged in").tap()
    await expect(page.get_by_text("1. browser, by your own link: since")).to_be_visible()
    await page.get_by_role("button", name="End 1").tap()
    await expect(page.get_by_text("Open the table again from the chat.")).to_be_visible()
    assert await found(lambda: page.evaluate("module().then(({ state }) => state.late.size > 0)"))
    await expect(page.locator(".away")).to_have_count(0)


async def test_the_first_page_stays_though_the_welcome_names_a_table(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    """The viewer goes home before a page that was loaded anew has been told everything."""
    page, line = await without_welcome(doors, phone)
    await page.get_by_role("button", name="Home").tap()
    assert '"table":"' in await line.until_held("welcome")
    line.let_go()
    await expect(page.locator(".card")).to_be_visible()


async def test_the_first_page_is_in_the_middle_where_no_match_can_be_opened(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    page, line = await without_welcome(doors, phone)
    line.let_go()
    await page.get_by_role("button", name="Home").tap()
    await expect(page.locator(".card")).to_be_visible()
    await expect(page.locator("[data-do=now]")).to_have_count(0)
    for width, height in ((390, 844), (844, 390), (1440, 900)):
        await page.set_viewport_size({"width": width, "height": height})
        box = await page.locator(".tables").bounding_box()
        assert box is not None
        assert abs(box["x"] + box["width"] / 2 - width / 2) <= 1, width


async def test_a_menu_and_a_lifted_tile_stay_when_the_welcome_names_the_table_that_is_open(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    page, line = await without_welcome(doors, phone)
    await page.locator("#rack .tile").first.tap()
    lifted = page.locator("#rack [aria-pressed=true]")
    await expect(lifted).to_have_count(1)
    await page.get_by_role("button", name="Menu").tap()
    assert '"table":"' in await line.until_held("welcome")
    line.let_go()
    line.tell(json.dumps({"kind": "notice", "html": "The welcome came.", "urgent": False}))
    await expect(page.locator(".note")).to_be_visible()
    assert await page.locator("#menu").is_visible()
    assert await lifted.count() == 1


async def test_another_link_in_the_address_of_an_open_page_is_followed(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    ada, can = Person("tg:1", "Ada", "en"), Person("tg:2", "Can", "en")
    await begun(doors, "tg:-100", ada, can)
    page = await phone.new_page()
    await page.goto(doors.url)
    await expect(page.get_by_text("Open the table again from the chat.")).to_be_visible()
    await come_by_link(doors, page, ada)
    assert "k=" not in page.url


async def test_a_personal_link_is_redeemed_though_the_line_breaks_at_the_press(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    ada, can = Person("tg:1", "Ada", "en"), Person("tg:2", "Can", "en")
    await begun(doors, "tg:-100", ada, can)
    page = await phone.new_page()
    await page.route("**/enter", lambda route: route.abort("connectionfailed"), times=1)
    await come_by_link(doors, page, ada)


THEME = '{"bg_color": "#102030", "text_color": "#f0f0f0"}'
TELEGRAM = """<!doctype html><title>Telegram Web</title><script>
    window.heard = [];
    addEventListener('message', ({data, origin}) => heard.push({origin, ...JSON.parse(data)}));
    function tell(eventType, eventData) {
        frames[0].postMessage(JSON.stringify({eventType, eventData}), '*');
    }
</script><iframe src="SRC" width="390" height="700"></iframe>"""
"""What stands round a Mini App in a browser, as far as the app can tell."""
BRIDGE = """window.heard = []; window.TelegramWebviewProxy = {
    postEvent: (eventType, data) => heard.push({eventType, eventData: JSON.parse(data)})};"""
"""Telegram's own window, as far as the app can tell."""
ADA = Person("tg:11", "Ada", "en")
CAN = Person("tg:22", "Can", "en")


async def begun(doors: PlatformDoors, place: str, *people: Person) -> str:
    """A round for two in a place."""
    house = doors.house
    await house.type(people[0], "play", "2", place=place)
    (table,) = await house.store.index.tables_at(place)
    await house.press(people[1], f"join.{table}.0", private=False, place=place)
    await house.press(people[0], f"start.{table}.0", private=False, place=place)
    return table


def launched(doors: PlatformDoors, table: str, proof: str, platform: str = "weba") -> str:
    """The address at which Telegram opens the app."""
    hash = {
        "tgWebAppData": proof,
        "tgWebAppVersion": "8.0",
        "tgWebAppPlatform": platform,
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


async def heard(page: Page, kind: str | int) -> list[dict[str, Any]]:
    """What the app has told its parent of that kind, once it has."""
    await page.wait_for_function("kind => heard.some(each => each.eventType === kind)", arg=kind)
    told: list[dict[str, Any]] = await page.evaluate("heard")
    return [each for each in told if each["eventType"] == kind]


async def test_telegram_s_page_frames_the_table(doors: PlatformDoors, phone: BrowserContext) -> None:
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
    entries = await page.evaluate("history.length")
    await app.locator("[data-do=menu]").tap()
    await expect(app.locator("#menu")).to_be_visible()
    await page.evaluate("tell('back_button_pressed', {})")
    await expect(app.locator("#menu")).to_be_hidden()
    assert await page.evaluate("history.length") == entries, "the history is Telegram's"
    await page.evaluate("tell('back_button_pressed', {})")
    await expect(app.locator(".home")).to_be_visible()
    assert (await heard(page, "web_app_setup_back_button"))[-1]["eventData"] == {"is_visible": False}
    await app.evaluate("location.reload()")
    await expect(app.locator("#rack .tile").first).to_be_visible()


async def test_a_browser_that_keeps_nothing_for_frames_shows_the_table_all_the_same(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    """As some do when third parties may keep no cookies."""
    await phone.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name,"
        "{get() { throw new DOMException('denied', 'SecurityError'); }, configurable: true});"
    )
    table = await begun(doors, "tg:-100", ADA, CAN)
    src = launched(doors, table, init_data())
    _, app = await framed_at(await phone.new_page(), "https://web.telegram.org", src, TELEGRAM)
    await expect(app.locator("#rack .tile").first).to_be_visible()
    await app.get_by_role("button", name="Sound off").tap()
    await expect(app.get_by_role("button", name="Sound on")).to_be_visible()


async def test_nobody_else_frames_the_table(doors: PlatformDoors, browser: Browser) -> None:
    context = await browser.new_context()
    src = launched(doors, "", init_data())
    for door, origin in ((src, "https://evil.example"), (f"{doors.url}/", "https://web.telegram.org")):
        page = await context.new_page()
        async with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
            _, app = await framed_at(page, origin, door, TELEGRAM)
        await expect(app.locator("#app")).to_have_count(0)
    await context.close()


async def test_an_old_proof_leads_back_to_the_chat(doors: PlatformDoors, phone: BrowserContext) -> None:
    src = launched(doors, "", init_data(age=25 * 3600))
    page, app = await framed_at(await phone.new_page(), "https://web.telegram.org", src, TELEGRAM)
    await expect(app.get_by_text("Open the table again from the chat.")).to_be_visible()
    await page.evaluate("tell('main_button_pressed', {})")
    await heard(page, "web_app_close")


async def test_who_has_to_wait_is_told_so_and_let_in_without_a_press(
    doors: PlatformDoors, phone: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.web.doors._LOGINS", 1)
    for age in (0, 5):
        src = launched(doors, "", init_data(age=age))
        _, app = await framed_at(await phone.new_page(), "https://web.telegram.org", src, TELEGRAM)
        if age:
            await expect(app.get_by_text("One moment, please.")).to_be_visible()
            monkeypatch.setattr("adapters.web.doors._LOGINS", 10)
        await expect(app.get_by_label("Code of a table")).to_be_visible()
        await expect(app.get_by_text("One moment, please.")).to_have_count(0)


async def test_telegram_s_own_window_has_the_main_button_and_is_felt(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    house = doors.house
    await house.type(ADA, "play", "2", place="tg:-100")
    (table,) = await house.store.index.tables_at("tg:-100")
    await house.press(CAN, f"join.{table}.0", private=False, place="tg:-100")
    page = await phone.new_page()
    await page.add_init_script(BRIDGE)
    await page.goto(launched(doors, table, init_data(), "android"))
    await expect(page.locator("#table")).to_be_visible()
    await page.get_by_role("button", name="Invite").tap()
    await page.get_by_role("button", name="Send the invitation").tap()
    (sent,) = await heard(page, "web_app_open_tg_link")
    stored = await house.app.tables.load(TableId(table))
    assert stored is not None
    (shared,) = parse_qs(sent["eventData"]["path_full"].removeprefix("/share/url?"))["url"]
    assert shared == f"https://t.me/okey/table?startapp={stored.value.calls.invitation}"
    button = (await heard(page, "web_app_setup_main_button"))[-1]["eventData"]
    assert (button["is_visible"], button["text"]) == (True, "Start")
    await page.evaluate("Telegram.WebView.receiveEvent('main_button_pressed', {})")
    tiles = page.locator("#rack .tile")
    await expect(tiles.first).to_be_visible()
    assert (await heard(page, "web_app_setup_closing_behavior"))[-1]["eventData"] == {
        "need_confirmation": True
    }
    await heard(page, "web_app_request_fullscreen")
    assert (await heard(page, "web_app_toggle_orientation_lock"))[-1]["eventData"] == {"locked": True}
    await page.get_by_role("button", name="Menu").tap()
    await page.get_by_role("button", name="No full screen during matches").tap()
    await heard(page, "web_app_exit_fullscreen")
    assert (await heard(page, "web_app_toggle_orientation_lock"))[-1]["eventData"] == {"locked": False}
    await page.get_by_role("button", name="Menu").tap()
    await tiles.first.tap()
    await page.locator("#rack .gap").first.tap()
    (felt, *_) = await heard(page, "web_app_trigger_haptic_feedback")
    assert felt["eventData"] in ({"type": "impact", "impact_style": "light"}, {"type": "selection_change"})
    await page.get_by_role("button", name="Sound off").tap()
    before = await heard(page, "web_app_trigger_haptic_feedback")
    await tiles.first.tap()
    await page.locator("#rack .gap").first.tap()
    await expect(page.locator("#rack .gap")).to_have_count(0)
    assert await heard(page, "web_app_trigger_haptic_feedback") == before


@pytest.mark.parametrize(
    ("system", "colours"),
    [
        ("light", ("#17212b", "#232e3c", "#f5f5f5", "#b3c0cf", "#8ab4f8", "#000000")),
        ("dark", ("#ffffff", "#f4f4f7", "#000000", "#5b6670", "#1a5fb4", "#ffffff")),
        ("light", ("#102030", "", "#f0f0f0", "", "", "")),
        ("light", ("#102030", "", "", "", "", "")),
        ("dark", ("#ffffff", "", "#000000", "", "", "")),
    ],
)
async def test_everything_is_read_on_a_theme_that_is_not_the_system_s(
    doors: PlatformDoors,
    phone: BrowserContext,
    monkeypatch: pytest.MonkeyPatch,
    system: Literal["light", "dark"],
    colours: tuple[str, ...],
) -> None:
    names = ("bg", "secondary_bg", "text", "hint", "button", "button_text")
    theme = {f"{name}_color": colour for name, colour in zip(names, colours, strict=True) if colour}
    monkeypatch.setattr("tests.browser.test_doors.THEME", json.dumps(theme))
    await doors.house.type(ADA, "play", "3", place="tg:-100")
    (table,) = await doors.house.store.index.tables_at("tg:-100")
    page = await phone.new_page()
    await page.emulate_media(color_scheme=system, reduced_motion="reduce")
    await page.goto(launched(doors, table, init_data()))
    await expect(page.get_by_role("button", name="Close table")).to_be_visible()
    assert await complaints(page) == ""


async def test_telegram_s_main_button_counts_down_to_the_next_round(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    table = await begun(doors, "tg:-100", ADA, CAN)
    page = await phone.new_page()

    def between(message: str | bytes) -> str:
        told = json.loads(message)
        if told["kind"] in ("table", "rack"):
            live = told["live"]
            live["acts"] = [{"kind": "next", "press": f"next.{table}.1"}]
            live.get("table", live).update(stage="between", deadline=told["now"] + 20)
        return json.dumps(told)

    def after_the_round(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda message: route.send(between(message)))

    await page.route_web_socket("**/socket", after_the_round)
    await page.add_init_script(BRIDGE)
    await page.goto(launched(doors, table, init_data(), "android"))
    await page.wait_for_function(
        "() => new Set(heard.filter(each => each.eventType === 'web_app_setup_main_button')"
        ".map(each => each.eventData.text).filter(Boolean)).size > 1"
    )


def as_won(message: str | bytes) -> str:
    """What the server told, as if the match were over and everybody had won it."""
    told = json.loads(message)
    if told["kind"] in ("table", "rack"):
        live = told["live"].get("table", told["live"])
        live.update(stage="over", winners=[0, 1])
    return json.dumps(told)


async def won(route: WebSocketRoute) -> None:
    server = route.connect_to_server()
    server.on_message(lambda message: route.send(as_won(message)))


async def test_who_wins_in_telegram_shares_that_and_is_once_offered_the_home_screen(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    table = await begun(doors, "tg:-100", ADA, CAN)
    page = await phone.new_page()
    await page.route_web_socket("**/socket", won)
    await page.add_init_script(BRIDGE)
    await page.goto(launched(doors, table, init_data(), "android"))
    result, add = page.locator("#result"), page.get_by_role("button", name="Add to home screen")
    await result.get_by_role("button", name="Share the result").tap()
    (sent,) = await heard(page, "web_app_open_tg_link")
    shared = parse_qs(sent["eventData"]["path_full"].removeprefix("/share/url?"), keep_blank_values=True)
    assert shared["url"] == ["https://t.me/okey/table?startapp="]
    assert shared["text"] == ["Okey: place 1 of 2. Points: 20"]
    await heard(page, "web_app_check_home_screen")
    for status, offered in (("unsupported", 0), ("added", 0), ("missed", 1)):
        await page.evaluate(f"Telegram.WebView.receiveEvent('home_screen_checked', {{status: '{status}'}})")
        await result.get_by_role("button", name="See the table").tap()
        await page.get_by_role("button", name="Result").tap()
        await expect(add).to_have_count(offered)
    await add.tap()
    assert len(await heard(page, "web_app_add_to_home_screen")) == 1
    await expect(add).to_have_count(0)
    await page.reload()
    await heard(page, "web_app_check_home_screen")
    await page.evaluate("Telegram.WebView.receiveEvent('home_screen_checked', {status: 'missed'})")
    await result.get_by_role("button", name="See the table").tap()
    await page.get_by_role("button", name="Result").tap()
    await expect(result.get_by_role("button", name="Share the result")).to_be_visible()
    await expect(add).to_have_count(0)


async def test_a_link_with_an_invitation_shows_its_table_live(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    house = doors.house
    table = await begun(doors, "tg:-100", ADA, CAN)
    stored = await house.app.tables.load(TableId(table))
    assert stored is not None
    code = await Invitations(house.app.tables, HashedTokens(house.store)).give(stored)
    src = launched(doors, "", init_data(33, "Ece", start_param=code))
    page, app = await framed_at(await phone.new_page(), "https://web.telegram.org", src, TELEGRAM)
    await expect(app.locator(".own.watching")).to_be_visible()
    await expect(app.locator("h1 .watchers")).to_have_text("1")
    assert not [
        each for each in await page.evaluate("heard") if "closing" in each["eventType"]
    ]  # nothing is lost
    await app.get_by_role("button", name="Home").tap()
    assert await app.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await app.get_by_label("Code of a table").fill(f"{code[:3]}-{code[3:].lower()}")
    await app.get_by_role("button", name="Watch", exact=True).tap()
    await expect(app.locator(".own.watching")).to_be_visible()


DISCORD = """<!doctype html><title>Discord</title><script>
    window.heard = [];
    const answers = {
        AUTHORIZE: () => ({code: "CODE"}), SUBSCRIBE: ({evt}) => ({evt}),
        SET_ORIENTATION_LOCK_STATE: () => null,
        SHARE_LINK: () => ({success: true, didCopyLink: false, didSendMessage: true}),
    };
    function tell(frame) { frames[0].postMessage(frame, "*"); }
    addEventListener("message", ({data: [opcode, data], origin}) => {
        heard.push({eventType: opcode === 1 ? data.cmd : opcode, origin, ...data});
        if (opcode === 0) {
            tell([3, {}]);
            tell([1, {cmd: "DISPATCH", evt: "READY", nonce: null, data: {v: 1, config: {}}}]);
        } else if (opcode === 1) {
            const {cmd, nonce} = data;
            if (answers[cmd]) tell([1, {cmd, evt: null, nonce, data: answers[cmd](data)}]);
            else tell([1, {cmd, evt: "ERROR", nonce, data: {code: 4002, message: "unknown"}}]);
        }
    });
</script><iframe src="SRC" width="844" height="390"></iframe>"""
"""What stands round an Activity, as far as the page can tell."""


async def in_channel(doors: PlatformDoors, *names: str) -> tuple[int, list[Person]]:
    """A channel of Discord, and people who can read it."""
    guild = await doors.discord.guild()
    channel = await doors.discord.channel(guild)
    people = [Person(f"dc:{await doors.discord.user(name, guild=guild)}", name, "en") for name in names]
    chat = doors.house.app.chats["dc"]
    assert isinstance(chat, MemoryChat)
    chat.readers |= {(person.key, f"dc:{channel}") for person in people}
    return channel, people


async def activity(
    doors: PlatformDoors, context: BrowserContext, person: Person, channel: int
) -> tuple[Page, Frame]:
    """A person's page in a channel's activity."""
    user = int(person.key.removeprefix("dc:"))
    instance, code = await doors.discord.launched(user, channel), await doors.discord.authorize(user)
    query = {"instance_id": instance, "frame_id": "f-1", "platform": "mobile", "channel_id": channel}
    src, parent = f"{doors.url}/?{urlencode(query)}", DISCORD.replace("CODE", code)
    return await framed_at(await context.new_page(), "https://discord.com", src, parent)


async def test_discord_s_window_frames_the_tables_of_its_channel(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    channel, (ada, can, eve) = await in_channel(doors, "Ada", "Can", "Eve")
    place = f"dc:{channel}"
    table = await begun(doors, place, ada, can)
    await doors.house.press(eve, f"another.{table}.0", private=False, place=place)
    page, app = await activity(doors, phone, ada, channel)
    await expect(app.locator("#rack .tile").first).to_be_visible()
    (hello,) = await heard(page, 0)
    assert (hello["v"], hello["frame_id"], hello["origin"]) == (1, "f-1", doors.url)
    (asked,) = await heard(page, "AUTHORIZE")
    assert asked["args"]["scope"] == ["identify"]
    await page.evaluate(
        "tell([1, {cmd: 'DISPATCH', evt: 'ACTIVITY_LAYOUT_MODE_UPDATE', data: {layout_mode: 1}}])"
    )
    await expect(app.locator("#rack .tile").first).to_be_hidden()
    await expect(app.locator(".seat.turn .ring")).to_be_visible()
    await expect(app.locator(".seat:not(.turn), .centre").first).to_be_hidden()
    other, watching = await activity(doors, phone, eve, channel)
    await expect(watching.locator(".tables .card, #table").first).to_be_visible()
    await watching.get_by_role("button", name="Home").tap()
    await expect(watching.locator(".tables .card")).to_have_count(2)
    await watching.locator(".tables .card", has_text="free").tap()
    await watching.get_by_role("button", name="Invite").tap()
    await watching.get_by_role("button", name="Send the invitation").tap()
    (shared,) = await heard(other, "SHARE_LINK")
    code = await watching.get_by_label("Code of a table").input_value()
    assert shared["args"] == {"message": "Okey: watch my table, or join in.", "custom_id": code}
    await doors.house.press(eve, f"app.{table}.0", private=False, place=place)
    await other.close()
    _, watching = await activity(doors, phone, eve, channel)
    await expect(watching.locator(".own.watching")).to_be_visible()


async def test_who_plays_in_discord_shares_their_result(doors: PlatformDoors, phone: BrowserContext) -> None:
    channel, (ada, can) = await in_channel(doors, "Ada", "Can")
    await begun(doors, f"dc:{channel}", ada, can)
    await phone.route_web_socket("**/socket", won)
    page, app = await activity(doors, phone, ada, channel)
    await app.locator("#result").get_by_role("button", name="Share the result").tap()
    (sent,) = await heard(page, "SHARE_LINK")
    assert sent["args"] == {"message": "Okey: place 1 of 2. Points: 20"}  # and no table: it is over


async def test_play_now_beside_somebody_s_match_offers_another_table(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    channel, (ada, can, eve) = await in_channel(doors, "Ada", "Can", "Eve")
    await begun(doors, f"dc:{channel}", ada, can)
    _, app = await activity(doors, phone, eve, channel)
    await app.get_by_role("button", name="Play now").tap()
    await app.locator("#reading").get_by_role("button", name="Open another table").tap()
    await expect(app.get_by_role("button", name="Close table")).to_be_visible()


async def test_an_activity_opens_a_table_in_the_channel_where_it_was_launched(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    channel, (ada,) = await in_channel(doors, "Ada")
    _, app = await activity(doors, phone, ada, channel)
    await app.get_by_role("button", name="Play with friends").tap()
    await expect(app.locator(".chair.mine")).to_be_visible()
    (table,) = await doors.house.store.index.tables_at(f"dc:{channel}")
    stored = await doors.house.app.tables.load(TableId(table))
    assert stored is not None
    assert [seat.person for seat in stored.value.seats if seat.person] == [ada.key]


GROUP_MESSAGE = 4242
"""A message of a few people on Discord: no bot can read it, write there, or ask who is in it."""


async def test_in_a_group_message_one_sits_down_by_an_invitation_and_opens_nothing(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    channel, (ada, eve) = await in_channel(doors, "Ada", "Eve")
    await doors.house.type(ada, "play", "2", place=f"dc:{channel}")
    (table,) = await doors.house.store.index.tables_at(f"dc:{channel}")
    stored = await doors.house.app.tables.load(TableId(table))
    assert stored is not None
    code = await Invitations(doors.house.app.tables, HashedTokens(doors.house.store)).give(stored)
    chat = doors.house.app.chats["dc"]
    assert isinstance(chat, MemoryChat)
    chat.readers.discard((eve.key, f"dc:{channel}"))
    _, app = await activity(doors, phone, eve, GROUP_MESSAGE)
    await expect(app.get_by_text("You aren’t at a table.")).to_be_visible()
    await expect(app.locator("[data-do=now], [data-do=friends], .card")).to_have_count(0)
    await app.get_by_label("Code of a table").fill(code)
    await app.get_by_role("button", name="Watch", exact=True).tap()
    await app.get_by_role("button", name="Sit here").first.tap()
    await expect(app.locator(".chair.mine")).to_contain_text("Eve")


async def test_an_activity_stays_one_when_it_reloads_after_its_first_page(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    channel, (ada,) = await in_channel(doors, "Ada")
    await doors.house.type(ada, "play", place=f"dc:{channel}")
    _, app = await activity(doors, phone, ada, channel)
    await app.get_by_role("button", name="Home").tap()
    await expect(app.locator(".tables .card")).to_be_visible()
    await app.evaluate("void setTimeout(() => location.reload())")
    await expect(app.locator("#table")).to_be_visible()


async def test_an_activity_that_discord_gave_no_code_asks_again(
    doors: PlatformDoors, phone: BrowserContext
) -> None:
    discord = doors.discord
    guild = await discord.guild()
    channel = await discord.channel(guild)
    ada = await discord.user("Ada", guild=guild)
    instance, code = await discord.launched(ada, channel), await discord.authorize(ada)
    src = f"{doors.url}/?{urlencode({'instance_id': instance, 'frame_id': 'f-1'})}"
    once = '() => (window.refused ? {code: "CODE"} : ((window.refused = true), null))'
    parent = DISCORD.replace('() => ({code: "CODE"})', once).replace("CODE", code)
    _, app = await framed_at(await phone.new_page(), "https://discord.com", src, parent)
    await expect(app.get_by_label("Code of a table")).to_be_visible()
    await app.wait_for_function("() => Object.keys(sessionStorage).some(key => key.startsWith('discord '))")


async def test_who_is_not_in_the_activity_is_not_let_in(doors: PlatformDoors, phone: BrowserContext) -> None:
    discord = doors.discord
    guild = await discord.guild()
    channel = await discord.channel(guild)
    ada = await discord.user("Ada", guild=guild)
    instance = await discord.launched(ada, channel)
    await discord.leave_activity(ada, instance)
    code = await discord.authorize(ada)
    src = f"{doors.url}/?{urlencode({'instance_id': instance, 'frame_id': 'f-1'})}"
    parent = DISCORD.replace("CODE", code)
    page, app = await framed_at(await phone.new_page(), "https://discord.com", src, parent)
    await app.get_by_role("button", name="Back to the chat").tap()
    await heard(page, 2)


async def test_an_activity_outside_discord_leads_back(doors: PlatformDoors, phone: BrowserContext) -> None:
    page = await phone.new_page()
    await page.clock.install()
    await page.goto(f"{doors.url}/?frame_id=f-1&instance_id=i-1")
    await page.clock.run_for(9000)
    await expect(page.get_by_text("Open the table again from the chat.")).to_be_visible()
