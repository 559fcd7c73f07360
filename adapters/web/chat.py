"""The page as a chat: its address, its files, and the screens that delivery shows on it."""

import asyncio
from collections.abc import Sequence
from io import BytesIO

import segno
from aiohttp import hdrs, web

from adapters.web.headers import SECURITY_HEADERS, HostCheck, language_of
from adapters.web.markup import renderer_for
from adapters.web.server import FILES, WebServer, compress, send_file
from adapters.web.sessions import Sessions
from adapters.web.tabs import Tabs
from bot.markup import Name, Page, PublicScreen, SeatScreen, Text
from bot.ports import Chat, DeliveryPort, Dispatcher, Person, PrivateClosed, RateLimit


class WebChat(Chat):
    """The page on a web server. Its only place is `web:local`, and each tab is a person."""

    def __init__(self, *, router: Dispatcher, delivery: DeliveryPort, server: WebServer) -> None:
        self._tabs = Tabs()
        self._hosts = HostCheck(server.host)
        self._sessions = Sessions(router, delivery, self._tabs, self._hosts)
        server.add_route("GET", "/", self._page)
        server.add_route("GET", "/socket", self._sessions.connect)
        server.add_route("GET", FILES, self._file)
        server.add_route("GET", r"/qr/{table:[a-z0-9]{1,16}}.svg", self._qr)
        server.at_end(self._sessions.close)

    @property
    def name(self) -> str:
        return "web"

    @property
    def received_by_one(self) -> bool:
        return False

    @property
    def draws_tables(self) -> bool:
        return True

    @property
    def private_everywhere(self) -> bool:
        return True

    async def start(self) -> None:
        """Do nothing: the page's server is started by its owner."""

    async def run(self) -> None:
        """Serve tabs until cancelled."""
        await asyncio.Event().wait()

    async def stop(self) -> None:
        """Close the tabs' connections. The tabs reconnect by themselves."""
        await self._sessions.close()

    def public_limits(self, place: str) -> tuple[RateLimit, ...]:
        return ()

    def private_limits(self, person: str) -> tuple[RateLimit, ...]:
        return ()

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        await self._sessions.show_table(screen)
        return screen.table

    async def show_rack(
        self, person: str, screen: SeatScreen, message: str | None, *, notify: bool, silent: bool = False
    ) -> str:
        """Show a rack in the person's open tabs. A person without one can still be reached: their tab asks
        for the rack when it connects."""
        await self._tabs.show_rack(person, screen, notify=notify and not silent)
        return screen.table

    async def in_sight(self, person: str, message: str) -> bool:
        """Always true: a rack has a fixed spot on the page."""
        return True

    async def send_direct(self, person: str, page: Page, once: str) -> str:
        """Show a page in the person's open tab. Without one they can't be reached in private. It has no
        reference, because it is closed there."""
        if not await self._tabs.show_page(person, page):
            raise PrivateClosed
        return ""

    async def post_line(
        self,
        place: str,
        text: Text,
        *,
        calls: Sequence[Person] = (),
        opens: str | None = None,
        once: str = "",
    ) -> str:
        """Show a temporary line. It has no reference, because nothing ever deletes it."""
        names = [part for person in calls for part in (", ", Name(person.name))][1:]
        self._tabs.show_notice((*names, ": ", *text) if names else text)
        return ""

    async def delete_line(self, place: str, message: str) -> None:
        """Do nothing: the line has disappeared by itself."""

    async def organises(self, person: str, place: str) -> bool:
        """Everybody is an organiser on a page that only this machine can reach."""
        return self._hosts.loopback_only

    async def reads(self, person: str, place: str) -> bool:
        """Every tab shows the page's only place."""
        return True

    async def community(self, place: str) -> str:
        """The page is its own community."""
        return place

    async def _page(self, request: web.Request) -> web.Response:
        self._hosts.check_host(request)
        html = renderer_for(language_of(request)).page()
        headers = {**SECURITY_HEADERS, "Cache-Control": "no-store", "Vary": "Accept-Language"}
        return compress(web.Response(text=html, content_type="text/html", headers=headers))

    async def _qr(self, request: web.Request) -> web.Response:
        """A table's address as a QR code to scan with a phone, under the name that this page was requested
        by.

        That name has been checked, so it is short and belongs to this machine.
        """
        self._hosts.check_host(request)
        address = f"{request.scheme}://{request.host}/#{request.match_info['table']}"
        image = BytesIO()
        segno.make_qr(address).save(image, kind="svg", omitsize=True, light="#fff", xmldecl=False)
        headers = {**SECURITY_HEADERS, hdrs.CACHE_CONTROL: "no-store"}
        return compress(web.Response(body=image.getvalue(), content_type="image/svg+xml", headers=headers))

    async def _file(self, request: web.Request) -> web.Response:
        self._hosts.check_host(request)
        return send_file(request)
