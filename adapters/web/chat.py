"""The page as a chat: what the post asks of it, and what it serves."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from aiohttp import web

from adapters.web.board import Board
from adapters.web.guard import HEADERS, Guard
from adapters.web.markup import markings_for
from adapters.web.server import WebServer
from adapters.web.visits import Visits, language_of
from bot.markup import Name, Page, PublicScreen, SeatScreen, Text
from bot.ports import Chat, DeliveryPort, Dispatcher, Person, PrivateClosed, RateLimit

_STATIC: Final = Path(__file__).parent / "static"


class WebChat(Chat):
    """The page on a web server: its one place is `web:local`, each tab is a person."""

    def __init__(self, *, router: Dispatcher, post: DeliveryPort, server: WebServer) -> None:
        self._board = Board()
        self._guard = Guard(server.host)
        self._visits = Visits(router, post, self._board)
        server.add_route("GET", "/", self._page)
        server.add_route("GET", "/socket", self._socket)
        server.add_route("GET", r"/static/{file:[a-z]+\.(?:css|js)}", self._file)
        server.at_end(self._visits.close)

    @property
    def name(self) -> str:
        return "web"

    @property
    def private_everywhere(self) -> bool:
        return True

    async def start(self) -> None:
        """Nothing to begin: the server that the page is on is started by its owner."""

    async def run(self) -> None:
        """Tabs come and go until cancelled."""
        await asyncio.Event().wait()

    async def stop(self) -> None:
        """Close the tabs' connections; they come back by themselves."""
        await self._visits.close()

    def public_limits(self, place: str) -> tuple[RateLimit, ...]:
        return ()

    def private_limits(self, person: str) -> tuple[RateLimit, ...]:
        return ()

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        await self._board.show_table(screen)
        return screen.table

    async def show_rack(self, person: str, screen: SeatScreen, message: str | None, *, notify: bool) -> str:
        """Who has no tab open is not out of reach: his tab asks for the rack when it connects."""
        await self._board.show_rack(person, screen, notify=notify)
        return screen.table

    async def send_direct(self, person: str, page: Page, once: str) -> None:
        """In the tab that is open; who has none has no private way to him."""
        if not await self._board.hand(person, page):
            raise PrivateClosed

    def link(self, place: str, message: str) -> str | None:
        """None: an address on this machine leads nowhere from elsewhere."""
        return None

    async def post_line(self, place: str, text: Text, *, calls: Sequence[Person] = ()) -> str:
        """A passing line, which has no reference: nobody has to take it back."""
        self._board.tell((*_called(calls), *text))
        return ""

    async def delete_line(self, place: str, message: str) -> None:
        """The line has passed."""

    async def organises(self, person: str, place: str) -> bool:
        """Everybody who can reach a page that this machine alone can reach."""
        return self._guard.loopback_only

    async def community(self, place: str) -> str:
        """The page is one."""
        return place

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


def _called(people: Sequence[Person]) -> Text:
    names = [part for person in people for part in (", ", Name(person.name))][1:]
    return (*names, ": ") if names else ()
