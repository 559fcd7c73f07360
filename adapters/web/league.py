"""The public pages of leagues: plain HTML, without a login and without a script."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Protocol

from aiohttp import web

from adapters.web.guard import HEADERS
from adapters.web.markup import Markings, markings_for
from adapters.web.server import WebServer
from adapters.web.visits import language_of
from bot.i18n import LANGUAGES, Words, words_for
from bot.logs import way_of
from bot.markup import Attachment, Document
from bot.pictures import draw

LOG: Final = logging.getLogger(__name__)

ROOT: Final = "/league"

_STYLE: Final = Path(__file__).parent / "static" / "league.css"
_ID: Final = "[a-z0-9]{1,16}"
_CACHED: Final = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
"""Asked for again each time, and not sent again while it has not changed."""
_KINDS: Final = {"ics": "text/calendar", "csv": "text/csv"}


class Reader(Protocol):
    """What the pages are made from; None for what there is not. Any exception: it can't be read just now."""

    async def season(self, league: str, season: int | None, words: Words) -> Document | None:
        """A league's season, the newest when none is named."""
        ...

    async def night(self, league: str, night: str, words: Words) -> Document | None:
        """A night of it."""
        ...

    async def replay(self, league: str, table: str, round: int, step: int, words: Words) -> Document | None:
        """A step of a round that is over."""
        ...

    async def file(self, league: str, name: str, season: int | None, page: str) -> Attachment | None:
        """A file of it, by its name."""
        ...


Asked = Callable[[web.Request, str, Words], Awaitable[Document | None]]


class LeaguePages:
    """Serves what a reader reads. It is for everybody: under any name, and from anywhere."""

    def __init__(self, reader: Reader, server: WebServer) -> None:
        self._reader = reader
        page = f"{ROOT}/{{league:{_ID}}}"
        server.add_route("GET", f"{ROOT}.css", _style)
        server.add_route("GET", page, self._page(self._season))
        server.add_route("GET", page + r"/night/{night:[a-z0-9-]{1,40}}", self._page(self._night))
        server.add_route("GET", page + r"/replay/{table:[a-z0-9]{1,16}}", self._page(self._replay))
        server.add_route("GET", page + r"/{file:[a-z]{1,20}\.(?:ics|csv)}", self._file)
        server.add_route("GET", ROOT + "/{anything:.*}", self._page(_nothing))

    def _page(self, asked: Asked) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            chosen = request.query.get("lang", "")
            language = chosen if chosen in LANGUAGES else words_for(language_of(request)).language
            league = request.match_info.get("league", "")
            try:
                document = await asked(request, league, words_for(language))
            except Exception as error:
                LOG.error("a league's page could not be read: %s", way_of(error))
                return _told(markings_for(language), "sheet.away", 503)
            if document is None:
                return _told(markings_for(language), "sheet.unknown", 404)
            root = f"{ROOT}/{league}"
            html = await asyncio.to_thread(_drawn, markings_for(language), document, request, root, chosen)
            return _unless_known(request, html.encode(), "text/html")

        return handle

    async def _season(self, request: web.Request, league: str, words: Words) -> Document | None:
        return await self._reader.season(league, _number(request, "season"), words)

    async def _night(self, request: web.Request, league: str, words: Words) -> Document | None:
        return await self._reader.night(league, request.match_info["night"], words)

    async def _replay(self, request: web.Request, league: str, words: Words) -> Document | None:
        round, step = _number(request, "round"), _number(request, "step")
        return await self._reader.replay(league, request.match_info["table"], round or 1, step or 0, words)

    async def _file(self, request: web.Request) -> web.Response:
        league, name = request.match_info["league"], request.match_info["file"]
        page = f"{request.scheme}://{request.host}{ROOT}/{league}"
        words = words_for(language_of(request))
        try:
            file = await self._reader.file(league, name, _number(request, "season"), page)
        except Exception as error:
            LOG.error("a league's file could not be read: %s", way_of(error))
            return _told(markings_for(words.language), "sheet.away", 503)
        if file is None:
            return _told(markings_for(words.language), "sheet.unknown", 404)
        response = _unless_known(request, file.content, _KINDS[name.rpartition(".")[2]])
        response.headers["Content-Disposition"] = f'attachment; filename="{league}-{file.name}"'
        return response


async def _nothing(request: web.Request, league: str, words: Words) -> Document | None:
    return None


async def _style(request: web.Request) -> web.FileResponse:
    return web.FileResponse(_STYLE, headers={**HEADERS, "Cache-Control": "no-cache"})


def _drawn(markings: Markings, document: Document, request: web.Request, root: str, chosen: str) -> str:
    """The page's HTML. Its links keep the language that was chosen."""

    def address(way: str) -> str:
        joint = "&" if "?" in way else "?"
        inside = way if way.startswith("?") or not way else f"/{way}"
        return f"{root}{inside}" + (f"{joint}lang={chosen}" if chosen else "")

    languages = {each: str(request.rel_url.update_query(lang=each)) for each in LANGUAGES}
    png = None if document.picture is None else draw(document.picture)
    return markings.document(document, png, address, languages)


def _unless_known(request: web.Request, content: bytes, kind: str) -> web.Response:
    """The content, or only that it has not changed since the reader was given it."""
    tag = f'"{hashlib.blake2s(content, digest_size=12).hexdigest()}"'
    headers = {**HEADERS, **_CACHED, "ETag": tag}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    return web.Response(body=content, content_type=kind, charset="utf-8", headers=headers)


def _told(markings: Markings, sentence: str, status: int) -> web.Response:
    headers = {**HEADERS, "Cache-Control": "no-store"}
    return web.Response(
        text=markings.sentence(sentence), content_type="text/html", status=status, headers=headers
    )


def _number(request: web.Request, name: str) -> int | None:
    """A small number out of the address; None for anything else."""
    text = request.query.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
