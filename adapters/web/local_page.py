"""The local page: the door for whoever reaches this server, with no chat behind it.

A secret that the tab made is the person, so their session is anonymous. Any site can be made to point here,
so the names under which the page is requested are checked.
"""

import hashlib
from io import BytesIO
from typing import Final

import msgspec
import segno
from aiohttp import hdrs, web

from adapters.web.headers import SECURITY_HEADERS, HostCheck, language_of, security_headers
from adapters.web.local_chat import PLACE, LocalChat
from adapters.web.markup import GROUND, renderer_for
from adapters.web.open_page import OpenPage
from adapters.web.ports import AppPort
from adapters.web.protocol import Enter, Hello, TabToken
from adapters.web.server import FILES, WebServer, compress, send_file
from adapters.web.sockets import Sockets
from adapters.web.tab import Tab
from bot.ports import Person, SharedStatePort

_PUBLIC_ID: Final = 20
"""Hexadecimal digits of a person's id: 80 bits, so that no two tabs get the same."""


def person_of(token: TabToken, name: str, language: str) -> Person:
    """Return the person of a tab's secret: the same after a restart. The secret cannot be computed from the
    person."""
    digest = hashlib.sha256(b"okey: a person on the page\0" + token.encode()).hexdigest()
    return Person(f"web:{digest[:_PUBLIC_ID]}", name, language)


class LocalPage(Sockets):
    """The page without a chat, and all its open tabs."""

    def __init__(self, *, apps: AppPort, shared: SharedStatePort, server: WebServer) -> None:
        super().__init__()
        self._apps = apps
        self._shared = shared
        self._hosts = HostCheck(server.host)
        self.chat = LocalChat(private=self._hosts.loopback_only)
        server.add_route("GET", "/", self._page)
        server.add_route("GET", "/socket", self.connect)
        server.add_route("GET", FILES, self._file)
        server.add_route("GET", r"/qr/{table:[a-z0-9]{1,16}}.svg", self._qr)
        server.at_end(self.close)

    async def _check(self, request: web.Request) -> None:
        self._hosts.check_host(request)
        self._hosts.check_origin(request)

    async def _serve(self, socket: web.WebSocketResponse, request: web.Request, first: Enter | Hello) -> None:
        if not isinstance(first, Hello):
            raise msgspec.ValidationError("the local page has no proofs")
        language = first.language or language_of(request)
        person = person_of(first.token, first.name, language)
        tab = Tab(person, self._shared.clock, at=first.table)
        async with self._apps.visit_as(lambda: tab.person, PLACE, first.table) as app:
            tab.person = await app.person()
            with self.chat.showing(tab):
                await OpenPage(app, tab, socket).serve(first)

    async def _page(self, request: web.Request) -> web.Response:
        self._hosts.check_host(request)
        html = renderer_for(language_of(request)).page()
        headers = security_headers(style=GROUND) | {
            hdrs.CACHE_CONTROL: "no-store",
            hdrs.VARY: hdrs.ACCEPT_LANGUAGE,
        }
        return compress(web.Response(text=html, content_type="text/html", headers=headers))

    async def _qr(self, request: web.Request) -> web.Response:
        """Return a table's address as a QR code to scan with a phone, under the name that this page was
        requested by.

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
