"""Fair deals on the web: the page that checks a record's deals in the browser.

The secret of its address follows the `#`, which browsers do not send. The page sends it in a header, so that
no log contains it.
"""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Final, Protocol

from aiohttp import hdrs, web

from adapters.web.headers import SECURITY_HEADERS, language_of
from adapters.web.server import WebServer, compress, unless_known
from bot.i18n import LANGUAGES, Words, words_for
from bot.logs import way_of

LOG: Final = logging.getLogger(__name__)

ROOT: Final = "/fair"

_PAGE: Final = {**SECURITY_HEADERS, hdrs.VARY: hdrs.ACCEPT_LANGUAGE, "X-Robots-Tag": "noindex"}
_NOT_KEPT: Final = {**SECURITY_HEADERS, hdrs.CACHE_CONTROL: "no-store"}


class FairReader(Protocol):
    """The source of the page and of its records."""

    @property
    def files(self) -> Mapping[str, str]:
        """The page's files, with their types."""
        ...

    def file(self, name: str) -> bytes:
        """Return the content of one of the page's files."""
        ...

    def page(self, words: Words) -> str:
        """Return the page."""
        ...

    async def record(self, key: str) -> bytes | None:
        """Return the record to which a secret leads; None when that is wrong or too old."""
        ...


class FairPages:
    """Serves the check page, under any name and from anywhere."""

    def __init__(self, reader: FairReader, server: WebServer) -> None:
        self._reader = reader
        server.add_route("GET", ROOT, self._page)
        server.add_route("GET", f"{ROOT}/record", self._record)
        for name, kind in reader.files.items():
            server.add_route("GET", f"{ROOT}/{name}", partial(self._file, name, kind))

    async def _page(self, request: web.Request) -> web.Response:
        chosen = request.query.get("lang", "")
        words = words_for(chosen if chosen in LANGUAGES else language_of(request))
        return unless_known(request, self._reader.page(words).encode(), "text/html", _PAGE)

    async def _file(self, name: str, kind: str, request: web.Request) -> web.Response:
        return unless_known(request, self._reader.file(name), kind, SECURITY_HEADERS)

    async def _record(self, request: web.Request) -> web.Response:
        """Answer with the record of a secret: 404 when that is wrong or too old."""
        key = request.headers.get(hdrs.AUTHORIZATION, "").removeprefix("Bearer ")
        try:
            record = await self._reader.record(key)
        except Exception as error:
            LOG.error("a record could not be read: %s", way_of(error))
            return web.Response(status=503, headers=_NOT_KEPT)
        if record is None:
            return web.Response(status=404, headers=_NOT_KEPT)
        return compress(web.Response(body=record, content_type="application/json", headers=_NOT_KEPT))
