"""Who may talk to the page: the right host name, the page itself, and nothing that it did not send.

A page on 127.0.0.1 can be reached by every site the person visits: by a name that is made to point
here (DNS rebinding) and by a WebSocket, which browsers open across sites. Both show in the headers.
"""

import ipaddress
import socket
from typing import Final
from urllib.parse import SplitResult, urlsplit

from aiohttp import web

HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "manifest-src 'self'",
            "form-action 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Knows by which names the page may be asked for."""

    def __init__(self, host: str) -> None:
        self._names = {"localhost", host.lower()}
        self.loopback_only = _is_loopback(host)
        """Whether only this machine can reach the page."""
        if not self.loopback_only:
            self._names.add(socket.gethostname().lower())

    def check_host(self, request: web.Request) -> None:
        """Refuse a request under a name that is not ours: 421.

        An address is not a name: no one can make it point elsewhere.
        """
        name = (_split(f"//{request.host}").hostname or "").lower()
        if name not in self._names and not self._is_ours(name):
            raise web.HTTPMisdirectedRequest(text="This page is not served under that name.\n")

    def check_origin(self, request: web.Request) -> None:
        """Refuse a WebSocket that another site, or no page at all, wants to open: 403."""
        origin = _split(request.headers.get("Origin", ""))
        if origin.netloc.lower() != request.host.lower():
            raise web.HTTPForbidden(text="Only the page itself may connect here.\n")

    def _is_ours(self, name: str) -> bool:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self.loopback_only


def _split(address: str) -> SplitResult:
    """The parts of an address; an empty one has those of what is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
