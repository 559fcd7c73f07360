"""Doors: the ways from a chat to the table as an app, each of which identifies the person of that chat.

Every door does that in its own way and begins a session. From then on all work alike. A door has a document
of its own, which limits the sites that may show it in a frame.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from math import ceil
from typing import Final

from aiohttp import hdrs, web
from yarl import URL

from adapters.web.headers import (
    client_of,
    digest_of,
    foreign_origin,
    language_of,
    refuse_host,
    security_headers,
)
from adapters.web.markup import GROUND, renderer_for
from adapters.web.open_page import OPEN_AGAIN, OpenPage
from adapters.web.open_tabs import OpenTabs
from adapters.web.ports import AppPort, Door, DoorAway, Entry, NotAdmitted
from adapters.web.protocol import Enter, Hello, TabToken
from adapters.web.server import FILES, WebServer, compress, send_file
from adapters.web.sockets import NotNow, Sockets
from adapters.web.tab import Tab
from bot.ports import RateLimit, SessionOver, SharedStatePort

COOKIE: Final = "__Host-okey"
_COOKIE_SECONDS: Final = 30 * 24 * 3600
_LONGEST_SECRET: Final = 64

_SOCKETS: Final = 5
_LOGINS: Final = 10
_MINUTE: Final = 60.0
FAILURES: Final = 30
"""The most failed tries a minute to come in from one address; whoever fails more often has to wait. A good
proof from there is let in all the same: nobody guesses 256 bits, and checking one costs no more than
counting it."""
PROOF_SECONDS: Final = 24 * 3600.0 + 300.0
"""Seconds for which a used proof is remembered, longer than any is valid. Each proof begins one session."""

AGAIN_SECONDS: Final = 5
"""Seconds until a document that a door could not show is requested again."""


class Doors(Sockets):
    """The page under its public address, and all open pages."""

    def __init__(
        self,
        *,
        apps: AppPort,
        shared: SharedStatePort,
        server: WebServer,
        url: str,
        doors: Mapping[str, Door],
    ) -> None:
        super().__init__()
        self._apps = apps
        self._shared = shared
        self._doors = doors
        self._origin = str(URL(url).origin())
        """The address as browsers write it: in ASCII, and without a port that goes without saying."""
        self._host = self._origin.partition("//")[2]
        self._socket_url = f"ws{self._origin.removeprefix('http')}"
        self._open: dict[str, int] = {}
        self._tabs = OpenTabs()
        server.add_route("GET", "/", self._page)
        server.add_route("GET", "/telegram", self._page)
        server.add_route("POST", "/enter", self._enter_by_link)
        server.add_route("GET", "/socket", self.connect)
        server.add_route("GET", FILES, self._file)
        server.at_end(self.close)

    # Documents

    async def _page(self, request: web.Request) -> web.Response:
        self._check_host(request)
        name = self._find_door(request)
        door = self._doors.get(name)
        if name != "link" and door is None:
            raise web.HTTPNotFound
        renderer = renderer_for(language_of(request))
        frames = "'none'" if door is None else door.frames
        headers = security_headers(frames=frames, sockets=self._socket_url, style=GROUND)
        headers |= {hdrs.CACHE_CONTROL: "no-store", hdrs.VARY: hdrs.ACCEPT_LANGUAGE}
        homes = self._apps.homes()
        try:
            client = "" if door is None else await door.client()
        except DoorAway:
            html, status = renderer.sentence("page.door_away"), HTTPStatus.SERVICE_UNAVAILABLE
            headers |= {hdrs.RETRY_AFTER: str(AGAIN_SECONDS), "Refresh": str(AGAIN_SECONDS)}
        else:
            known = [homes[chat] for chat in homes if door is None or chat == door.platform]
            link = None if door is None else self._apps.link(door.platform, "")
            html, status = renderer.page(name, client, known, link or f"{self._origin}/#c="), HTTPStatus.OK
        answer = web.Response(text=html, content_type="text/html", headers=headers, status=status)
        return compress(answer)

    def _find_door(self, request: web.Request) -> str:
        """Return the door of a requested document. Discord maps our root and adds the frame's id."""
        if request.path == "/telegram":
            return "telegram"
        return "discord" if "frame_id" in request.query else "link"

    async def _file(self, request: web.Request) -> web.Response:
        self._check_host(request)
        return send_file(request)

    # Connecting

    def _check_host(self, request: web.Request) -> None:
        if request.host.lower() != self._host:
            raise refuse_host()

    async def _check(self, request: web.Request) -> None:
        self._check_host(request)
        await self._check_origin(request)

    async def _check_origin(self, request: web.Request) -> None:
        """Refuse a request from another site, or from no page at all: 403."""
        origin = request.headers.get(hdrs.ORIGIN, "").lower()
        if origin == self._origin:
            return
        for door in self._doors.values():
            if origin in await door.origins():
                return
        raise foreign_origin()

    async def _enter_by_link(self, request: web.Request) -> web.Response:
        """Exchange a personal link's secret for a session, whose token becomes a cookie."""
        await self._check(request)
        secret = (await request.read())[:_LONGEST_SECRET].decode("ascii", "replace")
        token = await self._apps.redeem(secret)
        if token is None:
            if wait := await self._shared.spend((_failures_of(request),)):
                raise web.HTTPTooManyRequests(headers={hdrs.RETRY_AFTER: str(ceil(wait))})
            raise web.HTTPForbidden(text="This link is used up or too old.\n")
        response = web.Response(status=204)
        response.set_cookie(
            COOKIE, token, max_age=_COOKIE_SECONDS, path="/", secure=True, httponly=True, samesite="Strict"
        )
        return response

    async def _token(self, first: Hello | Enter, request: web.Request) -> tuple[str, str, bool]:
        """Return the token of a page's session, the table that it is about, and whether the session is new.

        Raises NotAdmitted.
        """
        match first:
            case Hello(token=token, table=table):
                return str(token), table, False
            case Enter(door="link", table=table):
                return request.cookies.get(COOKIE, ""), table, False
        entry = await self._admit(first, request)
        return await self._apps.begin(entry.person, entry.place), entry.table or first.table, True

    async def _admit(self, entering: Enter, request: web.Request) -> Entry:
        """Return the identified person of a proof, which is good once. Raises NotAdmitted, and NotNow when
        the page is to try again in a moment."""
        entry = await self._identify(entering, request)
        if await self._shared.spend((RateLimit(f"login {entry.person.key}", _LOGINS, _MINUTE),)):
            raise NotNow
        if await self._shared.spend((RateLimit(f"proof {digest_of(entry.proof)}", 1, PROOF_SECONDS),)):
            raise NotAdmitted
        return entry

    async def _identify(self, entering: Enter, request: web.Request) -> Entry:
        """Return the person of a proof. Failures alone are counted. Raises NotAdmitted, NotNow."""
        door = self._doors.get(entering.door)
        if door is None:
            raise NotAdmitted
        failures = _failures_at(entering) if door.asks_platform else _failures_of(request)
        if door.asks_platform and await self._shared.wait((failures,)):
            raise NotNow
        try:
            return await door.enter(entering)
        except DoorAway:
            raise NotNow from None
        except NotAdmitted:
            if await self._shared.spend((failures,)):
                raise NotNow from None
            raise

    # Open pages

    async def _serve(self, socket: web.WebSocketResponse, request: web.Request, first: Enter | Hello) -> None:
        try:
            token, table, new = await self._token(first, request)
            async with self._apps.visit(token, table) as app:
                tab = Tab(await app.person(), self._shared.clock, at=table)
                with self._count(tab.person.key), self._tabs.showing(tab):
                    await OpenPage(app, tab, socket).serve(first, TabToken(token) if new else None)
        except (NotAdmitted, SessionOver):
            await socket.close(code=OPEN_AGAIN)

    @contextmanager
    def _count(self, person: str) -> Iterator[None]:
        """Count an open page of a person in this process. Raises NotNow when they have enough: connections
        that broke without a word are counted until a heartbeat tells."""
        if self._open.get(person, 0) >= _SOCKETS:
            raise NotNow
        self._open[person] = self._open.get(person, 0) + 1
        try:
            yield
        finally:
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]


def _failures_of(request: web.Request) -> RateLimit:
    """Return the limit on failures of an address."""
    return RateLimit(f"door {digest_of(client_of(request))}", FAILURES, _MINUTE)


def _failures_at(entering: Enter) -> RateLimit:
    """Return the limit on failures of a code in an activity: its platform is asked about it once a minute.
    Addresses say nothing, since the platform's proxy hides them."""
    return RateLimit(f"door {digest_of(f'{entering.instance} {entering.proof}')}", 1, _MINUTE)
