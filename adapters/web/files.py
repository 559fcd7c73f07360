"""Files of the page: its scripts, styles and icons, served unchanged."""

import hashlib
from pathlib import Path
from typing import Final

from aiohttp import hdrs, web

from adapters.web.headers import SECURITY_HEADERS

FILES: Final = r"/static/{file:[a-z]+\.(?:css|js|svg|png|webmanifest)}"
"""The route that serves them."""

_STATIC: Final = Path(__file__).parent / "static"
_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


def send_file(request: web.Request) -> web.Response:
    """Send a file. Browsers revalidate it each time, and get it again only when it has changed."""
    path = _STATIC / request.match_info["file"]
    if not path.is_file():
        raise web.HTTPNotFound
    body = path.read_bytes()
    tag = hashlib.sha256(body).hexdigest()[:16]
    headers = {**SECURITY_HEADERS, hdrs.CACHE_CONTROL: "no-cache", hdrs.ETAG: f'"{tag}"'}
    if any(known.value == tag for known in request.if_none_match or ()):
        return web.Response(status=304, headers=headers)
    return compressed(web.Response(body=body, content_type=_TYPES[path.suffix], headers=headers))


def compressed(response: web.Response) -> web.Response:
    """The response, compressed for clients that accept it."""
    response.enable_compression()
    return response
