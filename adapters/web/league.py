"""League pages: plain HTML and files to download, almost without scripts; and the wall.

A league is public, unlisted or for its own people, who are known by the session of their table as an app.
Only pages of public leagues may be in search engines. Whoever tries addresses of no league must soon wait
between two tries; whoever has the address of an unlisted one never waits.

The wall shows the tables of a night, small and live, on a phone or a projector. The secret of its address
follows the `#`, which browsers do not send. The page sends it in a header, so that no log contains it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from math import ceil
from typing import Final, Literal, Protocol

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from adapters.web.doors import COOKIE
from adapters.web.headers import SECURITY_HEADERS, client_of, digest_of, language_of, origin_of
from adapters.web.kept import Content, KeptPages
from adapters.web.markup import Renderer, renderer_for
from adapters.web.server import WebServer, compress, send_file, unless_known
from bot.i18n import LANGUAGES, Words, words_for
from bot.logs import way_of
from bot.markup import SUBSCRIBED, Attachment, Document, Wall
from bot.pictures import draw_picture
from bot.ports import NotShown, RateLimit, SharedStatePort

LOG: Final = logging.getLogger(__name__)

ROOT: Final = "/league"

UNKNOWN: Final = 20
"""The most addresses of no league a minute that are answered for one client."""

_PATH: Final = "[a-z0-9]{1,16}(?:-[a-z0-9]{1,32})?"
_MINUTE: Final = 60.0
_BY_LANGUAGE: Final = {**SECURITY_HEADERS, hdrs.VARY: hdrs.ACCEPT_LANGUAGE}
_UNLISTED: Final = {**_BY_LANGUAGE, "X-Robots-Tag": "noindex"}
_NOT_KEPT: Final = {**_UNLISTED, hdrs.CACHE_CONTROL: "no-store"}
_JSON: Final = "application/json"
_KINDS: Final = {"ics": "text/calendar", "csv": "text/csv", "json": _JSON}
_FROM_ANYWHERE: Final[dict[str, str]] = {
    hdrs.ACCESS_CONTROL_ALLOW_ORIGIN: "*",
    hdrs.ACCESS_CONTROL_EXPOSE_HEADERS: hdrs.ETAG,
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""Pages of other sites may read it. They have no session here, so they never see more than anybody."""


class OpenLeague(Protocol):
    """A league that somebody may read. None: there is no such page. Any exception: it can't be read now."""

    @property
    def id(self) -> str:
        """The league's id."""
        ...

    @property
    def path(self) -> str:
        """The part of its addresses that names the league."""
        ...

    @property
    def visibility(self) -> Literal["public", "unlisted", "members"]:
        """Who sees its pages."""
        ...

    async def stamp(self, season: int | None, night: str = "", *, whole: bool = False) -> str:
        """Return what stays the same as long as a night's page does not change; without one, as long as the
        page and the files of a season do not; with `whole`, as long as nothing in the league does."""
        ...

    async def chronicle(self, page: str, words: Words) -> Document | None:
        """Return the hall of fame (`hall`), the list of ratings (`ratings`), or a member's page
        (`member/m1`)."""
        ...

    async def season(self, season: int | None, words: Words) -> Document | None:
        """Return a season, by default the newest."""
        ...

    async def night(self, night: str, words: Words) -> Document | None:
        """Return a night."""
        ...

    async def replay(self, table: str, round: int, step: int, words: Words) -> Document | None:
        """Return a step of a round that is over."""
        ...

    async def file(self, name: str, season: int | None, page: str) -> Attachment | None:
        """Return a file by its name. `page`: the address of the league's page; empty: unknown."""
        ...


class LeagueReader(Protocol):
    """The source of the pages."""

    async def open(self, path: str, token: str) -> OpenLeague | None:
        """Return the league that part of an address names; None when there is none. `token`: that of the
        reader's session; empty: they have none. Raises NotShown."""
        ...

    async def wall(self, key: str, words: Words) -> Wall | None:
        """Return the wall of a secret; None when the secret is wrong or has expired."""
        ...


class _Guessing(Exception):
    """Raised when a client has tried too many addresses of no league. `seconds` until the next one."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


_Read = Callable[[OpenLeague, web.Request, Words], Awaitable[Document | Attachment | None]]


class LeaguePages:
    """Serves a reader's documents, under any name and from anywhere."""

    def __init__(
        self, reader: LeagueReader, shared: SharedStatePort, server: WebServer, url: str = ""
    ) -> None:
        """`url` is the address at which people reach the server; empty: the one that they asked."""
        self._reader = reader
        self._shared = shared
        self._url = url
        self._kept = KeptPages()
        page = f"{ROOT}/{{league:{_PATH}}}"
        server.add_route("GET", f"{ROOT}.css", _sending("league.css"))
        server.add_route("GET", f"{ROOT}/wall", _wall)
        server.add_route("GET", f"{ROOT}/wall.js", _sending("wall.js"))
        server.add_route("GET", f"{ROOT}/members.js", _sending("members.js"))
        server.add_route("GET", f"{ROOT}/wall/tables", self._wall_tables)
        server.add_route("GET", page, self._serving(_season))
        server.add_route("GET", page + r"{file:\.json}", self._serving(self._file))
        server.add_route("OPTIONS", page + r"{file:\.json}", _allow_reading)
        server.add_route("GET", page + r"/night/{night:[a-z0-9-]{1,40}}", self._serving(_night))
        server.add_route(
            "GET", page + r"/{chronicle:hall|ratings|member/m[0-9]{1,6}}", self._serving(_chronicle)
        )
        server.add_route("GET", page + r"/replay/{table:[a-z0-9]{1,16}}", self._serving(_replay))
        server.add_route("GET", page + r"/{file:[a-z]{1,20}\.(?:ics|csv)}", self._serving(self._file))
        server.add_route("GET", ROOT + "/{anything:.*}", _nothing)

    async def _open(self, request: web.Request) -> OpenLeague | None:
        """Return the league that a request names, if the client may read it. Raises NotShown, _Guessing."""
        path, token = request.match_info["league"], request.cookies.get(COOKIE, "")
        league = await self._reader.open(path, token)
        if league is not None and "-" in path:
            return league  # nobody guesses a page key
        limit = (RateLimit(f"league {digest_of(client_of(request))}", UNKNOWN, _MINUTE),)
        wait = await (self._shared.spend(limit) if league is None else self._shared.wait(limit))
        if wait > 0:
            raise _Guessing(wait)
        return league

    def _serving(self, read: _Read) -> Handler:
        """Return a handler that answers with the result of `read`, in the chosen language or else the
        preferred one."""

        async def handle(request: web.Request) -> web.Response:
            chosen = request.query.get("lang", "")
            words = words_for(chosen if chosen in LANGUAGES else language_of(request))
            renderer = renderer_for(words.language)
            try:
                league = await self._open(request)
                answer = None if league is None else await self._answer(league, read, request, words)
            except NotShown:
                return _sentence(renderer, "sheet.members_only", HTTPStatus.FORBIDDEN, script="members.js")
            except _Guessing as guessing:
                refusal = _sentence(renderer, "sheet.too_many", HTTPStatus.TOO_MANY_REQUESTS)
                refusal.headers[hdrs.RETRY_AFTER] = str(ceil(guessing.seconds))
                return refusal
            except Exception as error:
                LOG.error("a league could not be read: %s", way_of(error))
                return _sentence(renderer, "sheet.away", HTTPStatus.SERVICE_UNAVAILABLE)
            return answer or _sentence(renderer, "sheet.unknown", HTTPStatus.NOT_FOUND)

        return handle

    async def _answer(
        self, league: OpenLeague, read: _Read, request: web.Request, words: Words
    ) -> web.Response | None:
        """Answer with a page or a file of a league; None when there is none. A replay is made each time: it
        follows from a table, whose state is no part of its league's."""
        headers = _headers_for(league)
        if _is_data(request) and league.visibility != "members":
            headers = headers | _FROM_ANYWHERE

        async def make() -> Content | None:
            return await self._make(league, await read(league, request, words), request, words)

        if "table" in request.match_info:
            made = await make()
            response = None if made is None else unless_known(request, made.content, made.kind, headers)
        else:
            night = request.match_info.get("night", "")
            whole = "chronicle" in request.match_info
            stamp = await league.stamp(_number(request, "season"), night, whole=whole)
            terms = (stamp, words.language, self._origin(request), request.path_qs)
            response = await self._kept.send(request, terms, make, headers)
        if response is not None and league.visibility == "members":
            response.headers[hdrs.CACHE_CONTROL] = "private, no-cache"
        return response

    async def _make(
        self, league: OpenLeague, found: Document | Attachment | None, request: web.Request, words: Words
    ) -> Content | None:
        """Return a document as HTML, or a file with its name."""
        match found:
            case Document():
                png = None if found.picture is None else await draw_picture(found.picture)
                html = await asyncio.to_thread(
                    _page, league, found, png, request, self._origin(request), words
                )
                return Content(html.encode(), "text/html")
            case Attachment():
                kind = _KINDS[found.name.rpartition(".")[2]]
                name = "" if kind == _JSON else f"{league.id}-{found.name}"
                return Content(found.content, kind, name)
        return None

    def _origin(self, request: web.Request) -> str:
        """Return where people reach the server. Behind a proxy that ends TLS, a request does not show that
        they came by https."""
        return self._url or origin_of(request)

    async def _file(self, league: OpenLeague, request: web.Request, words: Words) -> Attachment | None:
        origin = self._origin(request)
        page = f"{origin}{ROOT}/{league.path}" if origin else ""
        name = "season.json" if _is_data(request) else request.match_info["file"]
        return await league.file(name, _number(request, "season"), page)

    async def _wall_tables(self, request: web.Request) -> web.Response:
        """Return the current tables; for a wrong secret, a sentence with advice, which the page shows too."""
        renderer = renderer_for(language_of(request))
        key = request.headers.get(hdrs.AUTHORIZATION, "").removeprefix("Bearer ")
        try:
            wall = await self._reader.wall(key, words_for(language_of(request)))
        except Exception as error:
            LOG.error("a wall could not be read: %s", way_of(error))
            return web.Response(status=503, headers=_NOT_KEPT)
        if wall is None:
            text = renderer.notice("sheet.wall_over")
        else:
            pictures = [table.screen.picture for table in wall.tables]
            text = renderer.wall(
                wall, [None if each is None else await draw_picture(each) for each in pictures]
            )
        return compress(web.Response(text=text, content_type="text/html", headers=_NOT_KEPT))


async def _season(league: OpenLeague, request: web.Request, words: Words) -> Document | None:
    return await league.season(_number(request, "season"), words)


async def _night(league: OpenLeague, request: web.Request, words: Words) -> Document | None:
    return await league.night(request.match_info["night"], words)


async def _chronicle(league: OpenLeague, request: web.Request, words: Words) -> Document | None:
    return await league.chronicle(request.match_info["chronicle"], words)


async def _replay(league: OpenLeague, request: web.Request, words: Words) -> Document | None:
    round, step = _number(request, "round"), _number(request, "step")
    return await league.replay(request.match_info["table"], round or 1, step or 0, words)


async def _allow_reading(request: web.Request) -> web.Response:
    """Answer a browser that asks whether a page of another site may read a league's data."""
    asked: dict[str, str] = {
        hdrs.ACCESS_CONTROL_ALLOW_METHODS: "GET, HEAD",
        hdrs.ACCESS_CONTROL_ALLOW_HEADERS: hdrs.IF_NONE_MATCH,
        hdrs.ACCESS_CONTROL_MAX_AGE: "86400",
    }
    headers: dict[str, str] = SECURITY_HEADERS | _FROM_ANYWHERE | asked
    return web.Response(status=HTTPStatus.NO_CONTENT, headers=headers)


def _is_data(request: web.Request) -> bool:
    """Return whether a request is for a league as data."""
    return request.match_info.get("file") == ".json"


async def _nothing(request: web.Request) -> web.Response:
    return _sentence(renderer_for(language_of(request)), "sheet.unknown", HTTPStatus.NOT_FOUND)


async def _wall(request: web.Request) -> web.Response:
    html = renderer_for(language_of(request)).wall_page()
    return web.Response(text=html, content_type="text/html", headers=_NOT_KEPT)


def _sending(file: str) -> Handler:
    """Return a handler that answers with one of our files."""

    async def handle(request: web.Request) -> web.Response:
        return send_file(request, file)

    return handle


def _headers_for(league: OpenLeague) -> dict[str, str]:
    """Return the headers of a league's pages. What is for its own people alone depends on their session."""
    match league.visibility:
        case "public":
            return _BY_LANGUAGE
        case "unlisted":
            return _UNLISTED
        case "members":
            return {**_UNLISTED, hdrs.VARY: f"{hdrs.ACCEPT_LANGUAGE}, {hdrs.COOKIE}"}


def _page(
    league: OpenLeague,
    document: Document,
    png: bytes | None,
    request: web.Request,
    origin: str,
    words: Words,
) -> str:
    """Return the page's HTML. Its links keep the chosen language."""
    chosen, renderer = request.query.get("lang", ""), renderer_for(words.language)
    root = f"{ROOT}/{request.match_info['league']}"

    def address(way: str) -> str:
        if way.startswith(SUBSCRIBED):
            there = f"{root}/{way.removeprefix(SUBSCRIBED)}"
            return f"webcal://{origin.partition('://')[2]}{there}" if origin else there
        joint = "&" if "?" in way else "?"
        inside = way if way.startswith("?") or not way else f"/{way}"
        return f"{root}{inside}" + (f"{joint}lang={chosen}" if chosen else "")

    languages = {each: str(request.rel_url.update_query(lang=each)) for each in LANGUAGES}
    indexed = league.visibility == "public"
    return renderer.document(document, png, address, languages, indexed=indexed)


def _sentence(renderer: Renderer, key: str, status: int, *, script: str = "") -> web.Response:
    text = renderer.sentence(key, f"{ROOT}/{script}" if script else "")
    return web.Response(text=text, content_type="text/html", status=status, headers=_NOT_KEPT)


def _number(request: web.Request, name: str) -> int | None:
    """Return a small number from the query; None for anything else."""
    text = request.query.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
