"""Who is blocked on the local page, in the whole application behind it."""

import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from aiohttp import ClientSession

from adapters.web import WebChat, WebServer
from adapters.web.protocol import PROTOCOL
from bot.store import Store
from tests.adapters.web.conftest import Tab
from tests.bot.house import open_house


@asynccontextmanager
async def local_page(store: Store) -> AsyncIterator[tuple[Tab, Tab]]:
    """The tabs of Ada, who sits at the machine, and of Can."""
    async with AsyncExitStack() as exits:
        house = await exits.enter_async_context(open_house(store))
        server = WebServer("127.0.0.1", 0)
        house.app.chats["web"] = WebChat(router=house.app.router, delivery=house.app.delivery, server=server)
        await server.start()
        exits.push_async_callback(server.stop)
        session = await exits.enter_async_context(ClientSession())
        tabs = []
        for name in ("Ada", "Can"):
            connecting = session.ws_connect(f"{server.url}socket", headers={"Origin": server.url.rstrip("/")})
            tab = Tab(await exits.enter_async_context(connecting), secrets.token_urlsafe(32))
            hello = {"protocol": PROTOCOL, "token": tab.token, "name": name, "language": "en"}
            await tab.say(kind="hello", **hello)
            await tab.until("welcome")
            tabs.append(tab)
        yield tabs[0], tabs[1]


def replaced(table: dict[str, Any]) -> bool:
    """Return whether a table's message tells that somebody else plays on for Can."""
    seats = [seat["name"] for seat in table["live"]["seats"]]
    return "Can" not in seats and "replaces a removed player" in table["spoken"]


async def test_who_is_blocked_in_a_match_reads_so_and_has_no_rack(store: Store) -> None:
    async with local_page(store) as (ada, can):
        await ada.command("play", "2 clock=5m")
        id = (await can.until("table"))[-1]["live"]["id"]
        await can.press(f"join.{id}.0")
        await ada.press(f"start.{id}.0")
        while (await can.until("rack"))[-1]["live"]["table"]["stage"] != "playing":
            pass
        shown = await ada.command("block", "Can")
        heard = await can.until("norack", table=id)
        (notice,) = [each for each in heard if each["kind"] == "notice"]
        assert notice["urgent"]
        assert "organisers have blocked you here" in notice["html"]
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
