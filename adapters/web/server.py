"""Web server of the program: it carries the page, the leagues, the health check and what Telegram calls."""

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import hdrs, web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

from bot import metrics
from bot.ports import ChatRefused


class _InOneLine(logging.Filter):
    """Whoever reaches the port can send what is no request: no error of ours, and no traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], HttpProcessingError):
            record.msg, record.args = "what came was no request: %s", (type(record.exc_info[1]).__name__,)
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = None
        return True


logging.getLogger("aiohttp.server").addFilter(_InOneLine())


class WebServer:
    """Listens at `http://host:port/` for whatever was added to it before `start`."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self._port = port
        self._app = web.Application()
        self._runner = web.AppRunner(self._app, access_log=None, shutdown_timeout=2)

    @property
    def url(self) -> str:
        """Where it listens, once started."""
        host, port = self._runner.addresses[0][:2]
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"

    def add_route(self, method: str, path: str, handler: Handler) -> None:
        """Serve a path; its handler decides who may ask."""
        self._app.router.add_route(method, path, handler)

    def at_end(self, ending: Callable[[], Awaitable[None]]) -> None:
        """Call this when the server stops, while its connections are still open."""

        async def end(app: web.Application) -> None:
            await ending()

        self._app.on_shutdown.append(end)

    async def start(self) -> None:
        """Begin to listen. Raises ChatRefused: `port_taken`, or `bad_address` when it can't listen there."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self.host, self._port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise ChatRefused("port_taken" if error.errno == errno.EADDRINUSE else "bad_address") from error

    async def run(self) -> None:
        """Serve until cancelled."""
        await asyncio.Event().wait()

    async def stop(self) -> None:
        """Close the port and all connections."""
        await self._runner.cleanup()


def measurements(measure: Callable[[], Awaitable[None]]) -> Handler:
    """A handler that answers with the metrics, brought up to date by `measure` as far as that can be done."""

    async def handle(request: web.Request) -> web.Response:
        with suppress(Exception):  # the rest is true all the same
            await measure()
        return web.Response(body=metrics.page(), headers={hdrs.CONTENT_TYPE: metrics.CONTENT_TYPE})

    return handle


def health(ask: Callable[[], Awaitable[None]]) -> Handler:
    """A handler that answers 200 while `ask` does not raise: whether a game could be played now."""

    async def handle(request: web.Request) -> web.Response:
        try:
            await ask()
        except Exception:
            return web.Response(status=503, text="the store is away\n")
        return web.Response(text="ok\n")

    return handle
