"""Whatever is sent to the page's server, by HTTP or by its socket: it serves on, a damaged message ends its
own visit alone, and nobody acts but the person of the tab's own secret."""

import asyncio
import json
import random
import secrets
from typing import Any

import pytest
from aiohttp import ClientError, ClientWebSocketResponse, WSMsgType

from adapters.web.local_page import person_of
from adapters.web.protocol import PROTOCOL, TabToken
from bot.ports import Answer, Press, TypedCommand
from tests.adapters.web.conftest import WITHIN, BrowserPage
from tests.adapters.web.scripted import ScriptedRouter
from tests.fuzz import times
from tests.fuzz.draws import damaged, strange_text
from tests.fuzz.quiet import quietly
from tests.patience import PATIENCE

pytestmark = pytest.mark.long

Json = dict[str, Any]

PRESSES = (
    "join.t1.0",
    "leave.t1.0",
    "start.t1.0",
    "draw.t1.0",
    "discard.R1",
    "rack.t1.0",
    "replay_step.t1.0.2",
)
EVE = "e" * 43
VERBS = ("play", "look", "rack", "join", "help", "defaults", "start", "fly")
PATHS = ("", "socket", "health", "static/page.js", "static/none.js", "static/..%2f..%2fchat.py", "x" * 2000)
HOSTS = ("127.0.0.1", "localhost:80", "evil.example", "[", "[::1", "[::1]:x", "", "a@b", "\xff")
MORE = (
    *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Content-Length: 5"),
    *("Sec-WebSocket-Key: x", "Transfer-Encoding: chunked", "Cookie: a=b", ": nothing", "no colon"),
)
METHODS = ("GET", "GET", "GET", "POST", "HEAD", "PUT", "OPTIONS", "FLY")


class AnyRouter(ScriptedRouter):
    """Bears a command of any kind."""

    async def press(self, press: Press) -> Answer:
        return await super().press(press) if press.data in PRESSES else Answer(notice=("No such button.",))


def message(dice: random.Random) -> Json:
    """One that the page sends, as it should be."""
    id = f"id-{dice.randrange(10**9):09}"
    return dice.choice(
        (
            {"kind": "press", "id": id, "private": dice.random() < 0.5, "data": dice.choice(PRESSES)},
            {"kind": "press", "id": id, "private": dice.random() < 0.5, "data": dice.choice(PRESSES)},
            {"kind": "typed", "id": id, "verb": dice.choice(VERBS), "argument": "3 quick"},
            {"kind": "name", "name": "Ece"},
            {"kind": "hello", "protocol": PROTOCOL, "token": EVE, "name": "Eve"},
        )
    )


async def send_anything(dice: random.Random, socket: ClientWebSocketResponse) -> None:
    """A message, whole or damaged; or what is no message at all."""
    kind = dice.random()
    if kind < 0.4:
        await socket.send_json(message(dice))
    elif kind < 0.7:
        await socket.send_json(damaged(dice, message(dice)))
    elif kind < 0.8:
        await socket.send_bytes(dice.randbytes(dice.randrange(200)))
    elif kind < 0.85:
        await socket.send_str(json.dumps(message(dice) | {"more": "x" * 5000}))
    elif kind < 0.9:
        await socket.ping(dice.randbytes(20))
    else:
        await socket.send_str(strange_text(dice).encode(errors="replace").decode())


async def test_any_frame_is_borne(page: BrowserPage, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(5)
    page.router = AnyRouter()
    await page.restart()
    tokens = {EVE}
    with quietly(caplog):
        left = times(400)
        while left > 0:
            async with asyncio.timeout(PATIENCE):
                left -= await _one_visit(page, dice, tokens, left)
        watching = await page.welcomed()
        assert await watching.press("join.t1.0")
    people = {person_of(TabToken(token), "", "").key for token in (*tokens, watching.token)}
    assert {asked.by.key for asked in page.router.asked} <= people
    assert any(isinstance(asked, Press) for asked in page.router.asked)
    assert all(
        isinstance(asked, TypedCommand) or asked.place in (None, "web:local") for asked in page.router.asked
    )


async def _one_visit(page: BrowserPage, dice: random.Random, tokens: set[str], most: int) -> int:
    """From hello until the server has had enough, or so many frames; how many were sent."""
    socket = await page.connect()
    listening = asyncio.create_task(_listen(socket))
    if dice.random() < 0.9:
        tokens.add(token := secrets.token_urlsafe(32))
        await socket.send_json({"kind": "hello", "protocol": PROTOCOL, "token": token, "name": "Ada"})
    sent = 0
    try:
        while sent < min(most, 20) and not socket.closed:
            await send_anything(dice, socket)
            sent += 1
            await asyncio.sleep(0)
    except (ClientError, ConnectionError):
        pass  # it has hung up
    finally:
        await socket.close()
        await listening
    return max(sent, 1)


async def _listen(socket: ClientWebSocketResponse) -> None:
    while (await socket.receive()).type not in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED):
        pass


async def test_any_request_is_borne(page: BrowserPage, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(6)
    with quietly(caplog):
        for _ in range(times(400)):
            sent = _request(dice)
            answer = await asyncio.wait_for(_answer(page, sent), WITHIN)
            assert answer.startswith(b"HTTP/1.") or not answer, sent
            assert answer[9:10] in (b"2", b"3", b"4", b""), (sent, answer)
        async with page.session.get(page.url) as response:
            assert response.status == 200


def _request(dice: random.Random) -> bytes:
    """A request line and its headers, of which some are strange."""
    origin = dice.choice(("http://127.0.0.1", "null", "http://[", "", "\x00", "http://" + "a" * 3000))
    lines = [
        f"{dice.choice(METHODS)} /{dice.choice(PATHS)} HTTP/1.{dice.choice('11102')}",
        f"Host: {dice.choice(HOSTS)}",
        f"Origin: {origin}",
        f"Accept-Language: {strange_text(dice)}",
        *dice.sample(MORE, dice.randrange(5)),
    ]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode(errors="replace")


async def _answer(page: BrowserPage, request: bytes) -> bytes:
    """The first line of what is answered; empty when the server hangs up."""
    port = int(page.url.rstrip("/").rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        writer.write_eof()
        return await reader.readline()
    except ConnectionError:
        return b""
    finally:
        writer.close()
