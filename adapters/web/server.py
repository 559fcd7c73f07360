"""The program's web server: it serves the page, the leagues, the health check and the chats' webhooks."""

import asyncio
import errno
import hashlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from aiohttp import hdrs, web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

from adapters.web.headers import FILE_HEADERS, SECURITY_HEADERS, HostCheck, revalidate, vary_by_encoding
from adapters.web.scripts import join_scripts
from bot import metrics
from bot.logs import shorten_records
from bot.ports import ChatRefused

HEADER_SECONDS: Final = 10.0
"""Seconds for a new connection, or for the next request's headers, to arrive complete."""

BODY_SECONDS: Final = 10.0
"""Seconds for a request's body to arrive."""

IDLE_SECONDS: Final = 150.0
"""Seconds that a connection waits for the next request; longer than the usual proxies keep theirs."""

SERVER: Final = "okey"
"""The name in the answers' `Server`. The library's own names its version and Python's, by which known faults
are found."""

FILES: Final = r"/static/{version:[0-9a-f]{24}}/{file:[a-z]+\.(?:css|js|svg|png|woff2|webmanifest)}"
"""The route of the page's files: its scripts, styles, font and icons. `version` is the digest of them all, so
that a browser keeps them: a second visit asks for the document and its socket alone."""

_FOR_A_YEAR: Final = "public, max-age=31536000, immutable"

_STATIC: Final = Path(__file__).parent / "static"
_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def _in_one_line(record: logging.LogRecord) -> str | None:
    """Return the line for bytes that are no HTTP request, or no body of one. Anybody can send some, so it is
    no error of the program."""
    error = record.exc_info and record.exc_info[1]
    if isinstance(error, HttpProcessingError | web.RequestPayloadError):
        return f"what came was no request: {type(error).__name__}"
    return None


shorten_records("aiohttp.server", _in_one_line)


class _Connection(web.RequestHandler):
    """A connection. An address may have a limited number, and each must send its request in time."""

    def __init__(self, manager: web.Server, of_address: Counter[str], most: int) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(manager, loop=loop, keepalive_timeout=IDLE_SECONDS)
        self._of_address = of_address
        self._most = most
        self._address = ""
        self._served = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._address = str((transport.get_extra_info("peername") or ("",))[0])
        self._of_address[self._address] += 1
        if self._of_address[self._address] > self._most:
            self.force_close()
        self._await_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._await_request()

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self.begin_request()
        self._of_address[self._address] -= 1
        if not self._of_address[self._address]:
            del self._of_address[self._address]

    def _await_request(self) -> None:
        if self._deadline is None and not self._served:
            self._deadline = self._loop.call_later(HEADER_SECONDS, self.force_close)

    def begin_request(self) -> None:
        """Note that a request's headers have been read."""
        self._served = True
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what was no request, or broke a handler; overrides the library's method."""
        response = super().handle_error(request, status, exc, message)
        response.headers[hdrs.SERVER] = SERVER
        return response

    def end_request(self) -> None:
        """Note that the request has been answered."""
        self._served = False


async def _name_server(request: web.Request, response: web.StreamResponse) -> None:
    response.headers[hdrs.SERVER] = SERVER


@web.middleware
async def _in_time(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Stop the clock of a request that has arrived. Refuse one whose body takes too long, 408, or can't be
    read: 400."""
    connection = request.protocol
    assert isinstance(connection, _Connection)
    connection.begin_request()
    try:
        if request.method == hdrs.METH_POST and request.match_info.http_exception is None:
            await _read(request)
        return await handler(request)
    finally:
        connection.end_request()


async def _read(request: web.Request) -> None:
    try:
        async with asyncio.timeout(BODY_SECONDS):
            await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except web.RequestPayloadError:
        raise web.HTTPBadRequest from None


class WebServer:
    """Listens at `http://host:port/` and serves everything added before `start`.

    `connections` is the most that one address may have at once.
    """

    def __init__(self, host: str, port: int, *, connections: int = 256) -> None:
        self.host = host
        self._port = port
        self._connections = connections
        self._app = web.Application(middlewares=[_in_time])
        self._app.on_response_prepare.append(_name_server)
        self._runner = web.AppRunner(self._app, shutdown_timeout=2)
        self._listening: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The address at which this machine opens it, once started."""
        assert self._listening is not None
        host, port = self._listening.sockets[0].getsockname()[:2]
        if ip_address(host).is_unspecified:  # it listens at every address, and not every browser opens this
            host = "localhost"
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"

    def add_route(self, method: str, path: str, handler: Handler) -> None:
        """Serve a path; one for GET also answers HEAD. Its handler checks access."""
        resource = self._app.router.add_resource(path)
        for each in (method, hdrs.METH_HEAD) if method == hdrs.METH_GET else (method,):
            resource.add_route(each, handler)

    def at_end(self, ending: Callable[[], Awaitable[None]]) -> None:
        """Call this when the server stops, while its connections are still open."""

        async def end(app: web.Application) -> None:
            await ending()

        self._app.on_shutdown.append(end)

    async def start(self) -> None:
        """Start listening. Raises ChatRefused: `port_taken`, `port_forbidden`, or `bad_address` when it can't
        listen there."""
        await self._runner.setup()
        manager, of_address = self._runner.server, Counter[str]()
        assert manager is not None
        loop = asyncio.get_running_loop()
        try:
            self._listening = await loop.create_server(
                lambda: _Connection(manager, of_address, self._connections), self.host, self._port
            )
        except OSError as error:
            await self._runner.cleanup()
            if error.errno == errno.EACCES:
                raise ChatRefused("port_forbidden") from error
            raise ChatRefused("port_taken" if error.errno == errno.EADDRINUSE else "bad_address") from error

    async def run(self) -> None:
        """Serve until cancelled."""
        await asyncio.Event().wait()

    async def stop(self) -> None:
        """Close the port and all connections."""
        if self._listening is not None:
            self._listening.close()
        await self._runner.cleanup()


def measurements(host: str, measure: Callable[[], Awaitable[None]]) -> Handler:
    """Return a handler that answers with the metrics to requests under the names of `host`: no page of
    another site can read them. `measure` updates them first, as far as it can."""
    hosts = HostCheck(host)

    async def handle(request: web.Request) -> web.Response:
        hosts.check_host(request)
        with suppress(Exception):  # the other metrics are valid all the same
            await measure()
        return web.Response(body=metrics.page(), headers={hdrs.CONTENT_TYPE: metrics.CONTENT_TYPE})

    return handle


def health(missing: Callable[[], Awaitable[str]]) -> Handler:
    """Return a handler for the health check: 200, or 503 with the text of what is missing before people can
    play."""

    async def handle(request: web.Request) -> web.Response:
        if why := await missing():
            return web.Response(status=503, text=f"{why}\n")
        return web.Response(text="ok\n")

    return handle


@cache
def files_version() -> str:
    """Return the digest of the page's files, as this process found them when it first needed one."""
    digest = hashlib.blake2s(digest_size=12)
    for path in sorted(_STATIC.iterdir()):
        if path.is_file():
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def send_file(request: web.Request, name: str = "") -> web.Response:
    """Send a file of the page; by default the one that the path names. Browsers keep one of this version; a
    page of another, as while servers are replaced, gets what there is, and asks again."""
    path = _STATIC / (name or request.match_info["file"])
    if not path.is_file():
        raise web.HTTPNotFound
    headers = (
        SECURITY_HEADERS if path.suffix == ".svg" else FILE_HEADERS
    )  # one is a document, opened by itself
    response = unless_known(request, _content_of(path), _TYPES[path.suffix], headers)
    if request.match_info.get("version") == files_version():
        response.headers[hdrs.CACHE_CONTROL] = _FOR_A_YEAR
    return response


def _content_of(path: Path) -> bytes:
    """Return a file as it is sent: a script with all that it imports."""
    return join_scripts(path).encode() if path.suffix == ".js" else path.read_bytes()


def unless_known(request: web.Request, content: bytes, kind: str, headers: Mapping[str, str]) -> web.Response:
    """Return the content, which browsers revalidate each time; a 304 if they have it already."""
    tag = hashlib.blake2s(content, digest_size=12).hexdigest()
    known = any(each.value in (tag, "*") for each in request.if_none_match or ())
    if known:
        response = web.Response(status=304, headers=headers)
    else:
        charset = "utf-8" if kind.startswith("text/") else None
        response = web.Response(body=content, content_type=kind, charset=charset, headers=headers)
    return compress(revalidate(response, tag))


def compress(response: web.Response) -> web.Response:
    """Return the response, its body compressed for clients that accept it."""
    vary_by_encoding(response)
    if response.body is not None:
        response.enable_compression()
    return response
