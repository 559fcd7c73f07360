"""What people do on the page, over real sockets."""

import asyncio
import errno
import gc
import logging
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from socket import SHUT_RDWR
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSCloseCode

from adapters.web import WebServer, health
from adapters.web.local_page import person_of
from adapters.web.protocol import PROTOCOL, TabToken, read
from bot.i18n import words_for
from bot.ports import ChatRefused, Press, TypedCommand
from bot.run import REFUSALS
from tests.adapters.web.conftest import WITHIN, BrowserPage, Tab
from tests.adapters.web.scripted import TABLE

OfKind = Callable[[list[dict[str, Any]], str], list[dict[str, Any]]]


async def playing(page: BrowserPage) -> Tab:
    """Ada's tab, after she opened a table, joined it and started."""
    ada = await page.welcomed("Ada")
    await ada.command("play")
    await ada.press(f"join.{TABLE}")
    await ada.press(f"start.{TABLE}")
    return ada


async def test_a_new_tab_is_shown_nothing_when_there_is_nothing_and_says_who_it_is(
    page: BrowserPage,
) -> None:
    opened = await page.tab("Ada", table="t9")
    (welcome,) = await opened.until("welcome")
    assert (welcome["kind"], welcome["table"], welcome["opens"]) == ("welcome", "t9", True)
    assert page.router.asked == []
    await opened.command("help", "me")
    (asked,) = page.router.asked
    assert isinstance(asked, TypedCommand)
    assert (asked.verb, asked.argument, asked.place) == ("help", "me", "web:local")
    assert (asked.by.name, asked.by.language) == ("Ada", "en-GB")


async def test_a_press_says_who_where_and_what(page: BrowserPage) -> None:
    ada = await playing(page)
    await ada.press(f"draw.{TABLE}", private=True, id="AbC-_123456")
    press = page.router.asked[-1]
    assert isinstance(press, Press)
    assert (press.data, press.surface, press.place) == (f"draw.{TABLE}", "private", None)
    assert press.id == "AbC-_123456"
    await ada.press(f"rack.{TABLE}")
    press = page.router.asked[-1]
    assert isinstance(press, Press)
    assert (press.surface, press.place) == ("public", "web:local")


async def test_the_screens_after_an_act_come_before_its_answer_and_the_rack_first(page: BrowserPage) -> None:
    ada = await playing(page)
    heard = await ada.press(f"draw.{TABLE}", private=True)
    assert [message["kind"] for message in heard] == ["rack", "table", "done"]
    assert "K13" in heard[0]["live"]["places"]


async def test_a_press_sent_with_the_hello_delays_no_screen_of_the_welcome(page: BrowserPage) -> None:
    """A page drops what it has not been shown by then."""
    ada = await playing(page)
    again = await page.tab("Ada", ada.token)
    kinds = [message["kind"] for message in await again.press(f"draw.{TABLE}", private=True)]
    assert {"table", "rack"} <= {*kinds[: kinds.index("welcome")]}


async def test_every_tab_is_its_own_person_and_the_same_after_a_reload(page: BrowserPage) -> None:
    token = secrets.token_urlsafe(32)
    for each in (token, "", token):
        await (await page.welcomed("Ada", each)).command("help")
    first, other, again = (asked.by.key for asked in page.router.asked)
    assert first == again != other
    assert re.fullmatch(r"web:[0-9a-f]{20}", first)
    assert token not in first


async def test_the_rack_reaches_its_person_and_nobody_else(page: BrowserPage, of_kind: OfKind) -> None:
    ada = await page.welcomed("Ada")
    ece = await page.welcomed("Ece")
    await ada.command("play")
    await ada.press(f"join.{TABLE}")
    await ada.press(f"start.{TABLE}")
    page.router.pile = "B7"
    page.apps.tell()
    while (await ada.until("rack"))[-1]["live"]["table"]["seats"][3]["discard"] != "B7":
        pass
    heard = await ece.command("help")
    assert of_kind(heard, "table")
    assert not of_kind(heard, "rack")
    assert not any(code in str(heard) for code in ("K3", "K4", "Y13"))


async def test_a_copied_tab_shows_the_same_rack(page: BrowserPage) -> None:
    ada = await playing(page)
    copy = await page.tab("Ada", ada.token)
    assert [message["kind"] for message in await copy.until("welcome")] == ["rack", "table", "welcome"]
    await ada.press(f"draw.{TABLE}", private=True)
    assert "K13" in (await copy.until("rack"))[-1]["live"]["places"]


async def test_tabs_follow_tables_and_racks_themselves_and_an_older_board_replaces_none(
    page: BrowserPage,
) -> None:
    ada = await playing(page)
    await page.chat.show_table("web:local", replace(page.router.board(), version=2), None, anew=True)
    await page.chat.show_table("web:local", page.router.board(), None, anew=False)
    await page.chat.show_table("web:local", page.router.public(), TABLE, anew=False)
    await page.chat.show_rack(page.router.host, page.router.private(), TABLE, notify=True)
    await page.chat.post_line("web:local", ("that is all",))
    assert [message["kind"] for message in await ada.until("notice")] == ["board", "notice"]


async def test_a_new_tab_is_shown_all_tables_that_the_page_knows(page: BrowserPage, of_kind: OfKind) -> None:
    await playing(page)
    await page.chat.show_table("web:local", page.router.board(), None, anew=True)
    heard = await (await page.tab("Ece")).until("welcome")
    assert [message["live"]["id"] for message in of_kind(heard, "table")] == [TABLE]
    (board,) = of_kind(heard, "board")
    assert board["table"] == page.router.board().table
    assert "&lt;b&gt;Ada&lt;/b&gt;" in board["html"]
    assert 'src="data:image/png;base64,' in board["html"]


async def test_who_was_removed_reads_so_and_has_no_rack(page: BrowserPage) -> None:
    ada = await playing(page)
    farewell = replace(page.router.private(), text=("You were removed.",), live=None, version=99)
    await page.chat.show_rack(page.router.host, farewell, None, notify=False)
    (notice,) = await ada.until("notice")
    assert (notice["html"], notice["urgent"]) == ("You were removed.", True)
    page.router.host = ""
    page.apps.tell()
    await ada.until("norack", table=TABLE)


async def test_what_somebody_knows_of_their_seat_needs_no_alert(page: BrowserPage) -> None:
    ada = await playing(page)
    left = replace(page.router.private(), text=("You left.",), live=None, version=99, known=True)
    await page.chat.show_rack(page.router.host, left, None, notify=False)
    await page.chat.post_line("web:local", ("that is all",))
    assert [message["html"] for message in await ada.until("notice")] == ["that is all"]


async def test_who_was_removed_while_their_page_was_away_reads_so_once_it_is_back(page: BrowserPage) -> None:
    key = person_of(TabToken("k" * 43), "Ada", "en").key
    farewell = replace(page.router.private(), text=("You were removed.",), live=None, version=99)
    await page.chat.show_rack(key, farewell, None, notify=False)
    heard = await (await page.tab("Ada", "k" * 43)).until("welcome")
    assert [each["html"] for each in heard if each["kind"] == "notice"] == ["You were removed."]
    heard = await (await page.tab("Ada", "k" * 43)).until("welcome")
    assert not [each for each in heard if each["kind"] == "notice"]


async def test_a_page_of_another_version_is_asked_to_load_itself_again(page: BrowserPage) -> None:
    for protocol in (PROTOCOL - 1, PROTOCOL + 1):
        socket = await page.connect()
        hello = {"kind": "hello", "protocol": protocol, "token": "t" * 43, "name": "Ada"}
        await socket.send_json(hello)
        await closed_with(socket, 4001)
    assert page.router.asked == []


async def test_everybody_hears_what_is_told_to_the_place(page: BrowserPage) -> None:
    tabs = [await page.welcomed("Ada"), await page.welcomed("Ece")]
    await page.chat.post_line("web:local", ("<hello>",))
    for tab in tabs:
        (message,) = await tab.until("notice")
        assert (message["html"], message["urgent"]) == ("&lt;hello&gt;", False)


async def test_a_refusal_is_told_to_the_one_who_pressed(page: BrowserPage, of_kind: OfKind) -> None:
    ada = await playing(page)
    ece = await page.welcomed("Ece")
    heard = await ece.press(f"draw.{TABLE}", private=True)
    assert [(m["html"], m["urgent"]) for m in of_kind(heard, "notice")] == [
        ("You aren’t at this table.", True)
    ]
    assert of_kind(await ada.command("none"), "notice")[0]["html"] == "There is nothing."


async def test_a_new_name_is_used_from_then_on(page: BrowserPage) -> None:
    opened = await page.welcomed("")
    await opened.say(kind="name", name="<b>Ece</b>")
    await opened.command("help")
    assert page.router.asked[-1].by.name == "<b>Ece</b>"


async def test_when_the_desk_fails_the_person_is_told_and_the_tab_lives(
    page: BrowserPage, of_kind: OfKind, caplog: pytest.LogCaptureFixture
) -> None:
    ada = await page.welcomed("Ada")
    page.router.fail = True
    with caplog.at_level(logging.ERROR):
        heard = await ada.press("draw.t1")
    assert of_kind(heard, "notice") == [
        {"kind": "notice", "html": words_for("en").plain("refused.failed"), "urgent": True}
    ]
    assert "could not be answered" in caplog.text
    assert ada.token not in caplog.text
    page.router.fail = False
    assert of_kind(await ada.command("help"), "notice")


async def test_a_tab_that_vanishes_is_no_trouble_to_anybody(
    page: BrowserPage, caplog: pytest.LogCaptureFixture
) -> None:
    ada = await playing(page)
    ece = await page.welcomed("Ece")
    silent = await page.connect()
    for socket in (ece.socket, silent):
        transport = socket.get_extra_info("socket")
        transport.shutdown(SHUT_RDWR)
    for _ in range(3):
        await ada.press(f"rack.{TABLE}")
    gc.collect()
    assert caplog.text == ""


async def test_a_tab_that_cannot_be_welcomed_is_asked_to_come_back(page: BrowserPage) -> None:
    page.router.fail = True
    tab = await page.tab("Ada")
    await closed_with(tab.socket, WSCloseCode.TRY_AGAIN_LATER)


@pytest.mark.parametrize(
    "message",
    [
        "no json",
        "[]",
        '{"kind":"press","id":"12345678","private":false,"data":""}',
        '{"kind":"press","id":"12345678","private":false,"data":"%s"}' % ("x" * 65),
        '{"kind":"press","id":"short","private":false,"data":"x"}',
        '{"kind":"typed","id":"12345678","verb":""}',
        '{"kind":"hello","token":"%s","name":""}' % ("x" * 43),
        '{"kind":"other"}',
    ],
)
async def test_what_the_page_would_never_send_ends_the_connection(page: BrowserPage, message: str) -> None:
    tab = await page.welcomed()
    before = len(page.router.asked)
    await tab.socket.send_str(message)
    await closed_with(tab.socket, WSCloseCode.POLICY_VIOLATION)
    assert len(page.router.asked) == before


@pytest.mark.parametrize("token", ["", "x", "x" * 42, "x" * 44, "+" * 43])
async def test_a_secret_that_is_too_easy_to_guess_is_refused(page: BrowserPage, token: str) -> None:
    socket = await page.connect()
    await socket.send_json({"kind": "hello", "token": token, "name": "Ada"})
    await closed_with(socket, WSCloseCode.POLICY_VIOLATION)
    assert page.router.asked == []


async def test_who_gets_up_has_no_rack_any_more_and_may_sit_down_again(
    page: BrowserPage, of_kind: OfKind
) -> None:
    ada = await page.welcomed("Ada")
    await ada.command("play")
    await ada.press(f"join.{TABLE}")
    heard = await ada.press(f"leave.{TABLE}")
    assert [message["kind"] for message in heard] == ["norack", "table", "notice", "done"]
    page.router.version = 0
    assert of_kind(await ada.press(f"join.{TABLE}"), "rack")


async def test_an_act_shows_what_others_did_meanwhile(page: BrowserPage, of_kind: OfKind) -> None:
    ada = await playing(page)
    page.router.pile = "K7"
    heard = await ada.command("help")
    assert [message["kind"] for message in heard] == ["rack", "table", "notice", "done"]


async def test_while_the_store_is_away_a_tab_keeps_what_it_shows_and_comes_back(
    page: BrowserPage, caplog: pytest.LogCaptureFixture
) -> None:
    page.router.away = "store_away"
    opened = await page.tab("Ada")
    await closed_with(opened.socket, WSCloseCode.TRY_AGAIN_LATER)
    assert caplog.text == ""


async def test_who_acts_while_the_store_is_away_is_told_so(page: BrowserPage, of_kind: OfKind) -> None:
    ada = await playing(page)
    page.router.away = "store_away"
    heard = await ada.command("help")
    assert [message["kind"] for message in heard] == ["notice", "done"]
    assert heard[0]["html"] == "Please press again shortly."
    (notice,) = of_kind(await ada.press("draw.t1"), "notice")
    assert notice == {"kind": "notice", "html": words_for("en").plain("refused.store_away"), "urgent": True}


async def test_a_message_of_any_length_is_not_read(page: BrowserPage) -> None:
    tab = await page.welcomed()
    await tab.socket.send_str("x" * 100_000)
    await closed_with(tab.socket, WSCloseCode.MESSAGE_TOO_BIG)


async def closed_with(socket: ClientWebSocketResponse, code: int) -> None:
    message = await socket.receive(timeout=WITHIN)
    assert message.data == code


def test_a_secret_is_not_written_out() -> None:
    token = secrets.token_urlsafe(32)
    hello = read(f'{{"kind":"hello","token":"{token}","name":"Ada"}}')
    assert token not in repr(hello)
    assert token not in repr(TabToken(token))


async def test_after_a_restart_the_same_tab_is_up_to_date(page: BrowserPage) -> None:
    ada = await playing(page)
    await page.restart()
    assert (await ada.socket.receive(timeout=WITHIN)).data == WSCloseCode.GOING_AWAY
    page.router.version += 5
    page.router.pile = "K7"
    again = await page.tab("Ada", ada.token, TABLE)
    rack, table, _ = await again.until("welcome")
    assert table["kind"] == "table"
    assert rack["live"]["table"]["seats"][3]["discard"] == "K7"


async def test_a_port_that_is_taken_is_said_so(page: BrowserPage) -> None:
    port = int(page.url.rstrip("/").rsplit(":", 1)[1])
    second = WebServer("127.0.0.1", port)
    with pytest.raises(ChatRefused) as refused:
        await second.start()
    assert refused.value.code == "port_taken"


async def test_an_address_that_is_not_ours_is_said_so() -> None:
    server = WebServer("192.0.2.1", 0)
    with pytest.raises(ChatRefused) as refused:
        await server.start()
    assert refused.value.code == "bad_address"


async def test_a_port_that_the_user_may_not_use_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*asked: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(asyncio.get_running_loop(), "create_server", refuse)
    with pytest.raises(ChatRefused) as refused:
        await WebServer("127.0.0.1", 80).start()
    assert refused.value.code == "port_forbidden"
    assert "80" in REFUSALS[refused.value.code].format(port=80, other=81)


async def test_health_is_told_under_any_name() -> None:
    asked = iter(["", "the store is away"])

    async def missing() -> str:
        return next(asked)

    server = WebServer("127.0.0.1", 0)
    server.add_route("GET", "/healthz", health(missing))
    await server.start()
    try:
        async with ClientSession() as session:
            for status in (200, 503):
                address, headers = server.url + "healthz", {"Host": "okey.example"}
                async with session.get(address, headers=headers) as response:
                    assert response.status == status
    finally:
        await server.stop()


async def test_a_page_that_is_sent_nothing_hears_that_the_server_is_there(
    page: BrowserPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.web.tab.QUIET_SECONDS", 0.01)
    opened = await page.welcomed()
    await opened.until("alive")
    (*_, heard) = await opened.until("alive")
    assert abs(heard["now"] - page.delivery.clock()) < WITHIN


async def test_a_person_reads_what_their_page_reads(page: BrowserPage) -> None:
    """Whatever the browser says when it opens the WebSocket."""
    socket = await page.connect(**{"Accept-Language": ""})
    hello = {"kind": "hello", "protocol": PROTOCOL, "token": "t" * 43, "name": "Ada", "language": "tr"}
    await socket.send_json(hello)
    await Tab(socket, "t" * 43).command("help")
    assert page.router.asked[-1].by.language == "tr"
