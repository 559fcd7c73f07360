"""What the web port takes of one address: so many connections, and only those that say what they want."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from aiohttp import ClientSession, web

from adapters.web import WebServer, server
from tests.conftest import Until
from tests.patience import PATIENCE

HEAD = b"GET /there HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """A server for two connections of an address, which waits a moment only."""
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.3)
    monkeypatch.setattr(server, "BODY_SECONDS", 0.3)
    opened = WebServer("127.0.0.1", 0, connections=2)

    async def there(request: web.Request) -> web.Response:
        return web.Response(text=str(len(await request.read())))

    async def broken(request: web.Request) -> web.Response:
        raise RuntimeError

    opened.add_route("GET", "/broken", broken)
    opened.add_route("GET", "/there", there)
    opened.add_route("POST", "/there", there)
    await opened.start()
    yield int(opened.url.rstrip("/").rpartition(":")[2])
    await opened.stop()


@asynccontextmanager
async def connection(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def asked(port: int) -> bytes:
    """What a whole request is answered; nothing: it was hung up on."""
    async with connection(port) as (reader, writer):
        writer.write(HEAD + b"Connection: close\r\n\r\n")
        try:
            return (await reader.read())[:15]
        except ConnectionError:
            return b""


async def test_one_address_has_so_many_connections_and_gets_them_back(port: int, until: Until) -> None:
    async with AsyncExitStack() as held:
        for _ in range(2):
            _, writer = await held.enter_async_context(connection(port))
            writer.write(HEAD)
        assert await asked(port) == b""

    async def let_in() -> bool:
        return await asked(port) == b"HTTP/1.1 200 OK"

    await until(let_in)


@pytest.mark.parametrize(("before", "begun"), [(0, b""), (0, HEAD), (1, HEAD)])
async def test_who_does_not_say_what_they_want_is_hung_up_on(port: int, before: int, begun: bytes) -> None:
    async with connection(port) as (reader, writer), asyncio.timeout(PATIENCE):
        for _ in range(before):
            writer.write(HEAD + b"\r\n")
            assert (await reader.readuntil(b"\r\n\r\n0")).startswith(b"HTTP/1.1 200 OK")
        writer.write(begun)
        assert await reader.read() == b""


async def test_who_has_said_it_may_take_their_time_for_the_next(port: int) -> None:
    async with ClientSession() as session:
        for _ in range(2):
            async with session.get(f"http://127.0.0.1:{port}/there") as response:
                assert response.status == 200
            await asyncio.sleep(0.5)  # longer than a header may take


async def test_a_body_that_is_not_what_it_says_is_no_error(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"Content-Encoding": "gzip"}
    for body, status in ((b"plain", 400), (gzip.compress(bytes(50_000_000)), 413)):
        async with (
            ClientSession() as session,
            session.post(f"http://127.0.0.1:{port}/there", data=body, headers=headers) as response,
        ):
            assert response.status == status
    assert not any(record.levelname == "ERROR" or record.exc_info for record in caplog.records)


async def test_a_body_that_does_not_come_is_not_waited_for(port: int) -> None:
    async with connection(port) as (reader, writer):
        writer.write(HEAD.replace(b"GET", b"POST") + b"Content-Length: 10\r\n\r\n12345")
        async with asyncio.timeout(PATIENCE):
            answered = await reader.readline()
    assert answered == b"HTTP/1.1 408 Request Timeout\r\n"


@pytest.mark.parametrize("request_line", [b"GET /there", b"GET /nowhere", b"GET /broken", b"rubbish"])
async def test_no_answer_names_the_version_of_what_serves(port: int, request_line: bytes) -> None:
    async with connection(port) as (reader, writer):
        writer.write(request_line + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        head, _, _ = (await reader.read()).partition(b"\r\n\r\n")
    named = [line for line in head.split(b"\r\n") if line.lower().startswith(b"server:")]
    assert named == [b"Server: okey"]
