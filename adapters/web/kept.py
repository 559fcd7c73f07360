"""Kept pages: what costs time to make, under a tag of what it was made from, compressed once.

Whoever has the page of a tag is told so before anything is made. Everybody else gets what is kept, if it
still stands under its tag.
"""

import asyncio
import gzip
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from aiohttp import hdrs, web
from cachetools import LRUCache

from adapters.web.headers import revalidate, vary_by_encoding

BYTES_KEPT: Final = 32 * 1024 * 1024

_LEVEL: Final = 6
_ROOT: Final = Path(__file__).resolve().parents[2]
_PROGRAM: Final = ("adapters", "bot", "engine")
_READ: Final = (".html", ".po", ".py")


@dataclass(frozen=True, slots=True)
class Content:
    """A page or a file as it is sent."""

    content: bytes = field(repr=False)
    kind: str
    """Its media type."""
    name: str = ""
    """The name of a file for keeping; empty: it is a page."""


class KeptPages:
    """The last pages that a process made."""

    def __init__(self, most: int = BYTES_KEPT) -> None:
        self._kept: LRUCache[str, Content] = LRUCache(most, lambda page: len(page.content))
        """Without it a league's page takes 1 050 ms of a processor instead of 5, for 30 nights of 60 tables
        (`tests.measure.league_costs`)."""
        self._version = ""
        self._making: dict[str, asyncio.Future[Content | None]] = {}

    async def send(
        self,
        request: web.Request,
        terms: Sequence[str],
        make: Callable[[], Awaitable[Content | None]],
        headers: Mapping[str, str],
    ) -> web.Response | None:
        """Answer with the page that `make` makes, unless it is kept since it was made under the same terms;
        None when it makes nothing."""
        self._version = self._version or await asyncio.to_thread(program_version)
        tag = _digest(self._version, *terms)
        known = [each.value for each in request.if_none_match or ()]
        if tag in known:
            return vary_by_encoding(revalidate(web.Response(status=304, headers=headers), tag))
        page = self._kept.get(tag) or await self._make(tag, make)
        if page is None:
            return None
        if "*" in known:
            return vary_by_encoding(revalidate(web.Response(status=304, headers=headers), tag))
        compressed = "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, "").lower()
        body = page.content if compressed else await asyncio.to_thread(gzip.decompress, page.content)
        charset = "utf-8" if page.kind.startswith("text/") else None
        response = web.Response(body=body, content_type=page.kind, charset=charset, headers=headers)
        if compressed:
            response.headers[hdrs.CONTENT_ENCODING] = "gzip"
        if page.name:
            response.headers[hdrs.CONTENT_DISPOSITION] = f'attachment; filename="{page.name}"'
        return vary_by_encoding(revalidate(response, tag))

    async def _make(self, tag: str, make: Callable[[], Awaitable[Content | None]]) -> Content | None:
        """Make the page of a tag; those who ask for it meanwhile wait for the same one."""
        if (making := self._making.get(tag)) is None:
            making = self._making[tag] = asyncio.ensure_future(self._keep(tag, make))
            making.add_done_callback(lambda made: self._making.pop(tag))
        return await asyncio.shield(making)

    async def _keep(self, tag: str, make: Callable[[], Awaitable[Content | None]]) -> Content | None:
        made = await make()
        if made is None:
            return None
        content = await asyncio.to_thread(gzip.compress, made.content, _LEVEL, mtime=0)
        page = Content(content, made.kind, made.name)
        if len(content) <= self._kept.maxsize:
            self._kept[tag] = page
        return page


@cache
def program_version() -> str:
    """Return the digest of the program's code, words and templates, as this process found them first."""
    digest = hashlib.blake2s(digest_size=12)
    for room in _PROGRAM:
        for path in sorted((_ROOT / room).rglob("*.*")):
            if path.suffix in _READ:
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _digest(*terms: str) -> str:
    return hashlib.blake2s("\n".join(terms).encode(), digest_size=12).hexdigest()
