"""The wall: the tables of a league's night, small and live, on a phone or a projector.

The secret of its address follows the `#`, which browsers do not send. The page sends it in a header, so that
no log contains it.
"""

import logging
from pathlib import Path
from typing import Final, Protocol

from aiohttp import hdrs, web

from adapters.web.headers import SECURITY_HEADERS, language_of
from adapters.web.markup import renderer_for
from adapters.web.server import WebServer
from bot.i18n import Words, words_for
from bot.logs import way_of
from bot.markup import Wall
from bot.pictures import drawn

LOG: Final = logging.getLogger(__name__)

_SCRIPT: Final = Path(__file__).parent / "static" / "wall.js"
_HEADERS: Final = {**SECURITY_HEADERS, hdrs.CACHE_CONTROL: "no-store", hdrs.VARY: hdrs.ACCEPT_LANGUAGE}


class WallReader(Protocol):
    """The source of the wall. Any exception: it can't be read now."""

    async def wall(self, key: str, words: Words) -> Wall | None:
        """The wall of a secret; None when the secret is wrong or has expired."""
        ...


class WallPage:
    """Serves the wall to everybody who has its secret."""

    def __init__(self, reader: WallReader, server: WebServer, root: str) -> None:
        self._reader = reader
        server.add_route("GET", f"{root}/wall", _page)
        server.add_route("GET", f"{root}/wall.js", _script)
        server.add_route("GET", f"{root}/wall/tables", self._tables)

    async def _tables(self, request: web.Request) -> web.Response:
        """The current tables; for a wrong secret, a sentence with advice, which the page shows too."""
        renderer = renderer_for(language_of(request))
        key = request.headers.get(hdrs.AUTHORIZATION, "").removeprefix("Bearer ")
        try:
            wall = await self._reader.wall(key, words_for(language_of(request)))
        except Exception as error:
            LOG.error("a wall could not be read: %s", way_of(error))
            return web.Response(status=503, headers=_HEADERS)
        if wall is None:
            text = renderer.notice("sheet.wall_over")
        else:
            pictures = [table.screen.picture for table in wall.tables]
            text = renderer.wall(wall, [None if each is None else await drawn(each) for each in pictures])
        response = web.Response(text=text, content_type="text/html", headers=_HEADERS)
        response.enable_compression()
        return response


async def _page(request: web.Request) -> web.Response:
    html = renderer_for(language_of(request)).wall_page()
    return web.Response(text=html, content_type="text/html", headers=_HEADERS)


async def _script(request: web.Request) -> web.FileResponse:
    return web.FileResponse(_SCRIPT, headers={**SECURITY_HEADERS, hdrs.CACHE_CONTROL: "no-cache"})
