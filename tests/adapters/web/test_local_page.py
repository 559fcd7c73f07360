"""The local page with the whole application behind it: who sees what, and as whom they act."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from aiohttp import ClientSession, web

from adapters.web import LocalPage, WebServer
from adapters.web.protocol import PROTOCOL
from bot.store import Store
from tests.adapters.web.conftest import BrowserPage, Tab
from tests.bot.house import open_house
from tests.conftest import Until
from tests.patience import PATIENCE

Come = Callable[..., Awaitable[Tab]]


@asynccontextmanager
async def open_page(store: Store) -> AsyncIterator[Come]:
    """A way to open tabs on the page: with a name, and with the secret of somebody who comes again."""
    async with AsyncExitStack() as exits:
        house = await exits.enter_async_context(open_house(store))
        server = WebServer("127.0.0.1", 0)
        page = LocalPage(apps=house.app.apps, shared=house.app.delivery, server=server)
        house.app.chats["web"] = page.chat
        await server.start()
        exits.push_async_callback(server.stop)
        session = await exits.enter_async_context(ClientSession())

        async def come(name: str, token: str = "") -> Tab:
            connecting = session.ws_connect(f"{server.url}socket", headers={"Origin": server.url.rstrip("/")})
            tab = Tab(await exits.enter_async_context(connecting), token or secrets.token_urlsafe(32))
            hello = {"protocol": PROTOCOL, "token": tab.token, "name": name, "language": "en"}
            await tab.say(kind="hello", **hello)
            return tab

        yield come


@asynccontextmanager
async def local_page(store: Store) -> AsyncIterator[tuple[Tab, Tab]]:
    """The tabs of Ada, who sits at the machine, and of Can."""
    async with open_page(store) as come:
        ada, can = await come("Ada"), await come("Can")
        for tab in (ada, can):
            await tab.until("welcome")
        yield ada, can


def replaced(table: dict[str, Any]) -> bool:
    """Return whether a table's message tells that somebody else plays on for Can."""
    seats = [seat["name"] for seat in table["live"]["seats"]]
    return "Can" not in seats and "replaces a removed player" in table["spoken"]


async def test_who_is_blocked_in_a_match_reads_so_and_sees_it_no_more(store: Store) -> None:
    async with local_page(store) as (ada, can):
        await ada.command("play", "2 clock=5m")
        id = (await can.until("table"))[-1]["live"]["id"]
        await can.press(f"join.{id}.0")
        await ada.press(f"start.{id}.0")
        while (await can.until("rack"))[-1]["live"]["table"]["stage"] != "playing":
            pass
        shown = await ada.command("block", "Can")
        heard = await can.until("gone", table=id)
        while not (notices := [each for each in heard if each["kind"] == "notice" and each["urgent"]]):
            heard += await can.until("notice")
        assert ["organisers have blocked you here" in each["html"] for each in notices] == [True]
        while not [each for each in shown if each["kind"] == "table" and replaced(each)]:
            shown = await ada.until("table")


async def test_who_leaves_a_lobby_is_told_so_once_and_in_passing(store: Store) -> None:
    async with local_page(store) as (ada, can):
        await ada.command("play", "2")
        id = (await can.until("table"))[-1]["live"]["id"]
        await can.press(f"join.{id}.0")
        heard = await can.press(f"leave.{id}.0")
        heard += await can.command("help")
        told = [each for each in heard if each["kind"] == "notice"]
        assert [(each["html"], each["urgent"]) for each in told] == [("You left the table.", False)]


async def test_a_table_of_the_place_is_seen_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.handlers.apps.LOOK_SECONDS", 10 * PATIENCE)
    monkeypatch.setattr("bot.repository.watch.POLL_SECONDS", 10 * PATIENCE)
    async with local_page(store) as (ada, can):
        await ada.command("play", "2")
        (table,) = of_kind(await can.until("table"), "table")
        await can.press(f"join.{table['live']['id']}.0")
        while names_of((await ada.until("table"))[-1]["live"]) != ["Ada", "Can"]:
            pass


async def test_who_comes_again_has_their_seat_under_the_name_that_they_took(store: Store) -> None:
    async with open_page(store) as come:
        ada, can = await come("Ada"), await come("Can")
        await can.say(kind="name", name="Cansu")
        await ada.command("play", "2")
        id = (await can.until("table"))[-1]["live"]["id"]
        await can.press(f"join.{id}.0")
        again = await come("Cansu", can.token)
        (rack,) = of_kind(await again.until("welcome"), "rack")
        assert names_of(rack["live"]["table"]) == ["Ada", "Cansu"]
        assert rack["live"]["seat"] == 1


async def test_what_only_a_chat_may_ask_can_be_asked_here_since_the_page_is_the_chat(store: Store) -> None:
    async with local_page(store) as (ada, _):
        (page,) = of_kind(await ada.command("forget"), "reading")
        assert "forget_now" in page["html"]


def of_kind(heard: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [each for each in heard if each["kind"] == kind]


def names_of(live: dict[str, Any]) -> list[str]:
    """Who sits at a table."""
    return [seat["name"] for seat in live["seats"] if seat["name"]]


async def test_a_page_that_goes_while_it_connects_is_no_error(
    page: BrowserPage, until: Until, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a hang of the program, in which the page has given up."""
    gone = asyncio.Event()

    async def check(self: LocalPage, request: web.Request) -> None:
        async def has_gone() -> bool:
            return request.transport is None or request.transport.is_closing()

        await until(has_gone)
        gone.set()

    monkeypatch.setattr(LocalPage, "_check", check)
    _, writer = await asyncio.open_connection("127.0.0.1", int(page.url.rstrip("/").rpartition(":")[2]))
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    writer.write(
        f"GET /socket HTTP/1.1\r\nHost: x\r\n{upgrade}\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
    )
    writer.close()
    await gone.wait()
    async with page.session.get(page.url) as response:
        assert response.status == 200
    assert [each for each in caplog.records if each.levelname == "ERROR"] == []
