"""HTTP headers of the page: host and origin check, security headers, preferred language.

Any site that somebody visits can reach a page on 127.0.0.1: by a name that points here (DNS rebinding), and
by a WebSocket, which browsers open across sites. Both show in the headers.
"""

import ipaddress
import re
import socket
from base64 import b64encode
from hashlib import blake2b, sha256
from typing import Final
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from babel.core import negotiate_locale

from bot.i18n import LANGUAGES


def security_headers(*, frames: str = "'none'", sockets: str = "", style: str = "") -> dict[str, str]:
    """Return the headers of a document. `frames`: the sites that may show it in a frame; `sockets`: a further
    address for WebSockets, for browsers that do not count `wss:` as the same origin; `style`: the one style
    that stands in it."""
    known = f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" if style else ""
    policy = (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' {known}".rstrip(),
        "img-src 'self' data:",
        "font-src 'self'",
        f"connect-src 'self' {sockets}".rstrip(),
        "manifest-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        f"frame-ancestors {frames}",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    } | ({"X-Frame-Options": "DENY"} if frames == "'none'" else {})


SECURITY_HEADERS: Final = security_headers()
FILE_HEADERS: Final = {
    name: SECURITY_HEADERS[name]
    for name in ("Cross-Origin-Resource-Policy", "Referrer-Policy", "X-Content-Type-Options")
}
"""The headers of a script, a style or a font: of the others a browser takes notice with a document alone. On
every file they weighed a fifth of the page."""


def revalidate(response: web.Response, tag: str) -> web.Response:
    """Return the response, of which browsers ask each time whether it is still that of this tag."""
    response.headers[hdrs.CACHE_CONTROL] = "no-cache"
    response.etag = tag
    return response


def vary_by_encoding(response: web.Response) -> web.Response:
    """Return the response, of which caches keep one for each encoding that a client accepts."""
    varies = response.headers.get(hdrs.VARY)
    response.headers[hdrs.VARY] = f"{varies}, {hdrs.ACCEPT_ENCODING}" if varies else hdrs.ACCEPT_ENCODING
    return response


_LANGUAGE_RANGE: Final = re.compile(
    r"\s*(?P<tag>[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,3})\s*(?:;\s*q=(?P<quality>0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?",
    re.IGNORECASE | re.ASCII,
)


_HOST: Final = re.compile(
    r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[\w.-]+))(?::\d{1,5})?", re.IGNORECASE | re.ASCII
)


def origin_of(request: web.Request) -> str:
    """Return the address under which a request came; empty if what it names is none."""
    return f"{request.scheme}://{request.host}" if _HOST.fullmatch(request.host) else ""


def refuse_host() -> web.HTTPException:
    """Return the refusal of a request under a name that is not ours: 421."""
    return web.HTTPMisdirectedRequest(text="This page is not served under that name.\n")


def foreign_origin() -> web.HTTPException:
    """Return the refusal of a request from another site, or from no page at all: 403."""
    return web.HTTPForbidden(text="Only the page itself may connect here.\n")


class HostCheck:
    """The names under which the page may be requested."""

    def __init__(self, host: str) -> None:
        self._names = {"localhost", host.lower()}
        self.loopback_only = _is_loopback(host)
        """Whether only this machine can reach the page."""
        if not self.loopback_only:
            self._names.add(socket.gethostname().lower())

    def check_host(self, request: web.Request) -> None:
        """Refuse a request under a name that is not ours: 421.

        An address is always accepted, because nobody can make it point elsewhere.
        """
        host = _HOST.fullmatch(request.host)
        name = (host["v6"] or host["name"]).lower() if host else ""
        if name not in self._names and not self._is_ours(name):
            raise refuse_host()

    def check_origin(self, request: web.Request) -> None:
        """Refuse a WebSocket from another site, or from no page at all: 403."""
        if _netloc(request.headers.get(hdrs.ORIGIN, "")) != request.host.lower():
            raise foreign_origin()

    def _is_ours(self, name: str) -> bool:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self.loopback_only


def client_of(request: web.Request) -> str:
    """Return the client's address: the last one that is no proxy of the operator's. Of an IPv6 address its
    network, since everybody has a whole one."""
    lines = request.headers.getall("X-Forwarded-For", ())
    remote = request.remote or ""
    for named in (remote, *reversed(",".join(lines).split(","))):
        try:
            address = _ip_of(named.strip())
        except ValueError:
            break  # what stands before is not from a proxy that we know
        if not address.is_private:
            return str(ipaddress.ip_network((address, 64 if address.version == 6 else 32), strict=False))
    return remote


def digest_of(text: str) -> str:
    """Return the digest under which an address or a proof is counted, so that a reader of the store learns
    none."""
    return blake2b(text.encode(), digest_size=12).hexdigest()


def _ip_of(named: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address; some proxies write the port, too, or an IPv4 address as an IPv6 one. Raises
    ValueError."""
    try:
        address = ipaddress.ip_address(named)
    except ValueError:
        address = ipaddress.ip_address(urlsplit(f"//{named}").hostname or "")
    return address.ipv4_mapped or address if address.version == 6 else address


def language_of(request: web.Request) -> str:
    """Return the browser's most preferred language that the program speaks, such as `tr` or `en-US`; else
    empty."""
    ranges = map(_LANGUAGE_RANGE.fullmatch, request.headers.get(hdrs.ACCEPT_LANGUAGE, "").split(","))
    liked = [(float(each["quality"] or 1), each["tag"]) for each in ranges if each]
    liked.sort(key=lambda each: each[0], reverse=True)
    spoken = (tag for quality, tag in liked if quality and negotiate_locale([tag], LANGUAGES, sep="-"))
    return next(spoken, "")


def _netloc(address: str) -> str:
    """Host and port of an address; empty if it is invalid."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
