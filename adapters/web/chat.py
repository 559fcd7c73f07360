"""The page as a chat: what the post asks of it, and the small web server behind it."""

import asyncio
import errno
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.web.board import Board
from adapters.web.guard import HEADERS, Guard
from adapters.web.markup import markings_for
from adapters.web.visits import Visits, language_of
from bot.chats import Allowance, Chat, ChatRefused, Desk, Post
from bot.screens.model import PublicScreen, SeatScreen, Text

_STATIC: Final = Path(__file__).parent / "static"


class WebChat(Chat):
    """Serves the page at `http://host:port/`: its one place is `web:local`, each tab is a person."""

    def __init__(self, *, desk: Desk, post: Post, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._board = Board()
        self._visits = Visits(desk, post, self._board)
        self._guard = Guard(host)
        self._app = web.Application()
        self._app.on_shutdown.append(self._end_visits)
        self._app.add_routes(self._routes())
        self._runner = web.AppRunner(self._app, access_log=None, shutdown_timeout=2)
        self._stopped = asyncio.Event()

    @property
    def name(self) -> str:
        return "web"

    @property
    def private_everywhere(self) -> bool:
        return True

    @property
    def url(self) -> str:
        """Where the page is, once started."""
        host, port = self._runner.addresses[0][:2]
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"

    def add_route(self, method: str, path: str, handler: Handler) -> None:
        """Serve something else beside the page; its handler decides who may ask. Call before `start`."""
        self._app.router.add_route(method, path, handler)

    async def start(self) -> None:
        """Begin to serve. Raises ChatRefused: `port_taken`, or `bad_address` when it can't listen there."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise ChatRefused("port_taken" if error.errno == errno.EADDRINUSE else "bad_address") from error

    async def run(self) -> None:
        """Serve until `stop`."""
        await self._stopped.wait()

    async def stop(self) -> None:
        """Close the port and the tabs' connections; they come back by themselves."""
        await self._runner.cleanup()
        self._stopped.set()

    def public_allowances(self, place: str) -> tuple[Allowance, ...]:
        return ()

    def private_allowances(self, person: str) -> tuple[Allowance, ...]:
        return ()

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        await self._board.show_table(screen)
        return screen.table

    async def show_rack(self, person: str, screen: SeatScreen, message: str | None, *, notify: bool) -> str:
        """Who has no tab open is not out of reach: his tab asks for the rack when it connects."""
        self._board.show_rack(person, screen, notify=notify)
        return screen.table

    def link(self, place: str, message: str) -> str | None:
        """None: an address on this machine leads nowhere from elsewhere."""
        return None

    async def tell_place(self, place: str, text: Text) -> None:
        self._board.tell(text)

    def _routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self._page),
            web.get("/socket", self._socket),
            web.get(r"/static/{file:[a-z]+\.(?:css|js)}", self._file),
        ]

    async def _page(self, request: web.Request) -> web.Response:
        self._guard.check_host(request)
        html = markings_for(language_of(request)).page()
        headers = {**HEADERS, "Cache-Control": "no-store", "Vary": "Accept-Language"}
        return web.Response(text=html, content_type="text/html", headers=headers)

    async def _file(self, request: web.Request) -> web.FileResponse:
        self._guard.check_host(request)
        path = _STATIC / request.match_info["file"]
        if not path.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(path, headers={**HEADERS, "Cache-Control": "no-cache"})

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        self._guard.check_host(request)
        self._guard.check_origin(request)
        return await self._visits.socket(request)

    async def _end_visits(self, app: web.Application) -> None:
        await self._visits.close()
