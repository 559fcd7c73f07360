"""People who play in the table as an app, each through a socket in the page's protocol."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType

from adapters.web.doors import COOKIE
from adapters.web.protocol import PROTOCOL
from tests.patience import PATIENCE

ANSWER_SECONDS = 8.0
"""Seconds for which the page waits for an answer before it reconnects."""
AGAIN_SECONDS = 0.3
Message = dict[str, Any]


@dataclass
class Player:
    """One person at the table, who entered through a door with the door's proof."""

    url: str
    web: ClientSession
    enter: Message = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    presses: int = 0
    refused: list[str] = field(default_factory=list)
    connections: int = 0
    tables: dict[str, Message] = field(default_factory=dict)
    rack: Message | None = None
    _socket: ClientWebSocketResponse | None = field(default=None, repr=False)
    _token: str = field(default="", repr=False)
    _reading: asyncio.Task[None] | None = None
    _welcomed: asyncio.Event = field(default_factory=asyncio.Event)
    _done: dict[str, asyncio.Event] = field(default_factory=dict)

    async def open(self) -> None:
        """Open the page, and wait for its screens."""
        self._reading = asyncio.create_task(self._stay())
        async with asyncio.timeout(PATIENCE):
            await self._welcomed.wait()

    async def close(self) -> None:
        """Close the page."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    @property
    def on_turn(self) -> bool:
        """Return whether they can act."""
        return self.rack is not None and chosen(self.rack) is not None

    async def play(self) -> None:
        """Make the next move, and wait for its answer."""
        assert self._reading is not None
        if self._reading.done():
            self._reading.result()
        if self.rack is not None and (press := chosen(self.rack)):
            await self.press(press)

    async def press(self, data: str, *, private: bool = True) -> None:
        """Press a button; when the connection breaks, again with the same id."""
        self.presses += 1
        id = f"press-{self.presses:06}"
        self._done[id] = asyncio.Event()
        async with asyncio.timeout(PATIENCE):
            while not self._done[id].is_set():
                with suppress(ConnectionError, TimeoutError):
                    if self._socket is not None:
                        await self._socket.send_json(
                            {"kind": "press", "id": id, "private": private, "data": data}
                        )
                        await asyncio.wait_for(self._done[id].wait(), ANSWER_SECONDS)
                await asyncio.sleep(0.02)

    async def _stay(self) -> None:
        """Stay connected, again and again."""
        while True:
            with suppress(ClientError, ConnectionError):
                async with self.web.ws_connect(f"{self.url}/socket", headers=self._headers()) as socket:
                    await self._listen(socket)
            self._socket = None
            await asyncio.sleep(AGAIN_SECONDS)

    def _headers(self) -> dict[str, str]:
        return {"Origin": self.url, **self.headers}

    async def _listen(self, socket: ClientWebSocketResponse) -> None:
        known = {"kind": "hello", "token": self._token}
        await socket.send_json({"protocol": PROTOCOL, **(known if self._token else self.enter)})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                self._hear(message.json(), socket)
        assert socket.close_code != 4002, "not let in"

    def _hear(self, told: Message, socket: ClientWebSocketResponse) -> None:
        match told["kind"]:
            case "session":
                self._token = told["token"]
            case "table":
                self.tables[told["live"]["id"]] = told["live"]
            case "rack":
                self.rack = told["live"]
            case "welcome":
                self._socket = socket
                self.connections += 1
                self._welcomed.set()
            case "notice" if told["urgent"]:
                self.refused.append(told["html"])
            case "done":
                self._done[told["id"]].set()


async def by_link(url: str, web: ClientSession, secret: str) -> Player:
    """A person who has opened their personal link."""
    async with web.post(f"{url}/enter", data=secret, headers={"Origin": url}) as entered:
        assert entered.status == 204
        cookie = entered.cookies[COOKIE].value
    return Player(url, web, {"kind": "enter", "door": "link"}, {"Cookie": f"{COOKIE}={cookie}"})


def chosen(rack: Message) -> str | None:
    """A simple choice of a press: draw, or discard a tile without a warning."""
    acts = [act for act in rack["acts"] if act["kind"] in ("back_in", "draw", "discard")]
    acts.sort(key=lambda act: act["sure"] != "")
    return acts[0]["press"] if acts else None
