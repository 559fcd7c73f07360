"""Public league pages: plain HTML and files to download, without a login and without scripts; and the wall.

The wall shows the tables of a night, small and live, on a phone or a projector. The secret of its address
follows the `#`, which browsers do not send. The page sends it in a header, so that no log contains it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from adapters.web.headers import SECURITY_HEADERS, language_of, origin_of
from adapters.web.markup import Renderer, renderer_for
from adapters.web.server import WebServer, compressed, send_file, unless_known
from bot.i18n import LANGUAGES, Words, words_for
from bot.logs import way_of
from bot.markup import Attachment, Document, Wall
from bot.pictures import drawn

LOG: Final = logging.getLogger(__name__)

ROOT: Final = "/league"

_ID: Final = "[a-z0-9]{1,16}"
_BY_LANGUAGE: Final = {**SECURITY_HEADERS, hdrs.VARY: hdrs.ACCEPT_LANGUAGE}
_NOT_KEPT: Final = {**_BY_LANGUAGE, hdrs.CACHE_CONTROL: "no-store"}
_KINDS: Final = {"ics": "text/calendar", "csv": "text/csv"}


class LeagueReader(Protocol):
    """The source of the pages. None: there is no such page. Any exception: it can't be read now."""

    async def season(self, league: str, season: int | None, words: Words) -> Document | None:
        """A league's season, by default the newest."""
        ...

    async def night(self, league: str, night: str, words: Words) -> Document | None:
        """A night of it."""
        ...

    async def replay(self, league: str, table: str, round: int, step: int, words: Words) -> Document | None:
        """A step of a round that is over."""
        ...

    async def file(self, league: str, name: str, season: int | None, page: str) -> Attachment | None:
        """A file of it, by its name. `page`: the address of the league's page; empty: unknown."""
        ...

    async def wall(self, key: str, words: Words) -> Wall | None:
        """The wall of a secret; None when the secret is wrong or has expired."""
        ...


_Read = Callable[[web.Request, Words], Awaitable[Document | Attachment | None]]


class LeaguePages:
    """Serves a reader's documents. They are public: under any name, and from anywhere."""

    def __init__(self, reader: LeagueReader, server: WebServer, url: str = "") -> None:
        """`url` is the address at which people reach the server; empty: the one that they asked."""
        self._reader = reader
        self._url = url
        page = f"{ROOT}/{{league:{_ID}}}"
        server.add_route("GET", f"{ROOT}.css", _sending("league.css"))
        server.add_route("GET", f"{ROOT}/wall", _wall)
        server.add_route("GET", f"{ROOT}/wall.js", _sending("wall.js"))
        server.add_route("GET", f"{ROOT}/wall/tables", self._wall_tables)
        server.add_route("GET", page, _serving(self._season))
        server.add_route("GET", page + r"/night/{night:[a-z0-9-]{1,40}}", _serving(self._night))
        server.add_route("GET", page + r"/replay/{table:[a-z0-9]{1,16}}", _serving(self._replay))
        server.add_route("GET", page + r"/{file:[a-z]{1,20}\.(?:ics|csv)}", _serving(self._file))
        server.add_route("GET", ROOT + "/{anything:.*}", _serving(_nothing))

    async def _season(self, request: web.Request, words: Words) -> Document | None:
        return await self._reader.season(request.match_info["league"], _number(request, "season"), words)

    async def _night(self, request: web.Request, words: Words) -> Document | None:
        return await self._reader.night(request.match_info["league"], request.match_info["night"], words)

    async def _replay(self, request: web.Request, words: Words) -> Document | None:
        league, table = request.match_info["league"], request.match_info["table"]
        round, step = _number(request, "round"), _number(request, "step")
        return await self._reader.replay(league, table, round or 1, step or 0, words)

    async def _file(self, request: web.Request, words: Words) -> Attachment | None:
        league, name = request.match_info["league"], request.match_info["file"]
        # Behind a proxy that ends TLS, a request does not show that people came by https.
        origin = self._url or origin_of(request)
        page = f"{origin}{ROOT}/{league}" if origin else ""
        return await self._reader.file(league, name, _number(request, "season"), page)

    async def _wall_tables(self, request: web.Request) -> web.Response:
        """The current tables; for a wrong secret, a sentence with advice, which the page shows too."""
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
            text = renderer.wall(wall, [None if each is None else await drawn(each) for each in pictures])
        return compressed(web.Response(text=text, content_type="text/html", headers=_NOT_KEPT))


async def _nothing(request: web.Request, words: Words) -> None:
    return None


async def _wall(request: web.Request) -> web.Response:
    html = renderer_for(language_of(request)).wall_page()
    return web.Response(text=html, content_type="text/html", headers=_NOT_KEPT)


def _sending(file: str) -> Handler:
    """A handler that answers with one of our files."""

    async def handle(request: web.Request) -> web.Response:
        return send_file(request, file)

    return handle


def _serving(read: _Read) -> Handler:
    """A handler that answers with the result of `read`, in the chosen language or else the preferred one."""

    async def handle(request: web.Request) -> web.Response:
        chosen = request.query.get("lang", "")
        words = words_for(chosen if chosen in LANGUAGES else language_of(request))
        renderer = renderer_for(words.language)
        try:
            found = await read(request, words)
        except Exception as error:
            LOG.error("a league could not be read: %s", way_of(error))
            return _sentence(renderer, "sheet.away", 503)
        if found is None:
            return _sentence(renderer, "sheet.unknown", 404)
        if isinstance(found, Document):
            png = None if found.picture is None else await drawn(found.picture)
            html = await asyncio.to_thread(_page, renderer, found, png, request, chosen)
            return unless_known(request, html.encode(), "text/html", _BY_LANGUAGE)
        kind = _KINDS[request.match_info["file"].rpartition(".")[2]]
        response = unless_known(request, found.content, kind, _BY_LANGUAGE)
        name = f"{request.match_info['league']}-{found.name}"
        response.headers[hdrs.CONTENT_DISPOSITION] = f'attachment; filename="{name}"'
        return response

    return handle


def _page(
    renderer: Renderer, document: Document, png: bytes | None, request: web.Request, chosen: str
) -> str:
    """The page's HTML. Its links keep the chosen language."""
    root = f"{ROOT}/{request.match_info['league']}"

    def address(way: str) -> str:
        joint = "&" if "?" in way else "?"
        inside = way if way.startswith("?") or not way else f"/{way}"
        return f"{root}{inside}" + (f"{joint}lang={chosen}" if chosen else "")

    languages = {each: str(request.rel_url.update_query(lang=each)) for each in LANGUAGES}
    return renderer.document(document, png, address, languages)


def _sentence(renderer: Renderer, key: str, status: int) -> web.Response:
    text = renderer.sentence(key)
    return web.Response(text=text, content_type="text/html", status=status, headers=_NOT_KEPT)


def _number(request: web.Request, name: str) -> int | None:
    """A small number from the query; None for anything else."""
    text = request.query.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
