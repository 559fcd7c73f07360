"""The page on a real port, and tabs that talk to it as the browser does."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession, ClientWebSocketResponse

from adapters.web import LocalPage, WebServer
from adapters.web.protocol import PROTOCOL
from bot.store import Store
from tests.adapters.web.scripted import ScriptedApps, ScriptedDelivery, ScriptedRouter
from tests.bot.house import House, open_house
from tests.patience import PATIENCE

WITHIN = PATIENCE
"""Seconds in which a message must have come."""


class Tab:
    """A browser tab: its secret, its socket, and what it heard."""

    def __init__(self, socket: ClientWebSocketResponse, token: str) -> None:
        self.socket = socket
        self.token = token
        self.here: dict[str, Any] = {}
        """Who is at the tables, as it heard last."""
        self._presses = 0

    async def say(self, **message: object) -> None:
        await self.socket.send_json(message)

    async def press(self, data: str, *, private: bool = False, id: str = "") -> list[dict[str, Any]]:
        """Press and return everything that was heard up to the end of the answer."""
        self._presses += 1
        id = id or f"press-{self._presses:04}"
        await self.say(kind="press", id=id, private=private, data=data)
        return await self.until("done", id=id)

    async def command(self, verb: str, argument: str = "") -> list[dict[str, Any]]:
        self._presses += 1
        id = f"typed-{self._presses:04}"
        await self.say(kind="typed", id=id, verb=verb, argument=argument)
        return await self.until("done", id=id)

    async def until(self, kind: str, **values: object) -> list[dict[str, Any]]:
        """Everything up to the first message of this kind with these values, that one included, but for who
        is at the tables, which may be told at any time."""
        heard = []
        while True:
            if (message := await self._hear())["kind"] == "here":
                continue
            heard.append(message)
            if heard[-1]["kind"] == kind and values.items() <= heard[-1].items():
                return heard

    async def until_here(self, tables: dict[str, Any]) -> None:
        """Wait until this is who is at the tables."""
        while self.here != tables:
            await self._hear()

    async def _hear(self) -> dict[str, Any]:
        message: dict[str, Any] = await self.socket.receive_json(timeout=WITHIN)
        if message["kind"] == "here":
            self.here = message["tables"]
        return message


class BrowserPage:
    """A running page and a way to open tabs on it."""

    def __init__(self, session: ClientSession, exits: AsyncExitStack) -> None:
        self.session = session
        self._exits = exits
        self.router = ScriptedRouter()
        self._serve_at(0)

    def _serve_at(self, port: int) -> None:
        self.apps = ScriptedApps(self.router)
        self.delivery = ScriptedDelivery()
        self._server = WebServer("127.0.0.1", port)
        self.chat = LocalPage(apps=self.apps, shared=self.delivery, server=self._server).chat

    async def start(self) -> None:
        await self._server.start()
        self.url = self._server.url

    async def stop(self) -> None:
        await self._server.stop()

    async def restart(self) -> None:
        """A new server on the same port that knows nothing of the old one."""
        port = int(self.url.rstrip("/").rsplit(":", 1)[1])
        await self.stop()
        self._serve_at(port)
        await self.start()

    async def connect(self, **headers: str) -> ClientWebSocketResponse:
        headers = {"Origin": self.url.rstrip("/"), "Accept-Language": "en-GB,en;q=0.8", **headers}
        connecting = self.session.ws_connect(self.url + "socket", headers=headers)
        return await self._exits.enter_async_context(connecting)

    async def tab(self, name: str = "Ada", token: str = "", table: str = "") -> Tab:
        """A tab that has said hello; the welcome has not been read yet."""
        tab = Tab(await self.connect(), token or secrets.token_urlsafe(32))
        await tab.say(kind="hello", protocol=PROTOCOL, token=tab.token, name=name, table=table)
        return tab

    async def welcomed(self, name: str = "Ada", token: str = "") -> Tab:
        tab = await self.tab(name, token)
        await tab.until("welcome")
        return tab


@pytest_asyncio.fixture
async def page() -> AsyncIterator[BrowserPage]:
    async with AsyncExitStack() as exits:
        session = await exits.enter_async_context(ClientSession())
        opened = BrowserPage(session, exits)
        await opened.start()
        yield opened
        await opened.stop()


@pytest.fixture
def of_kind() -> Callable[[list[dict[str, Any]], str], list[dict[str, Any]]]:
    """The messages of one kind."""
    return lambda heard, kind: [message for message in heard if message["kind"] == kind]


@pytest_asyncio.fixture
async def house(store: Store) -> AsyncIterator[House]:
    """An application on an empty store, at which nothing happens but what people do."""
    async with open_house(store, work=False) as opened:
        yield opened
