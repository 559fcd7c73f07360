"""Faults on demand: the next calls are refused, delayed or cut off."""

import asyncio
from dataclasses import dataclass
from typing import Literal

from aiohttp import web

from tests.servers.telegram_api.errors import Refused
from tests.servers.telegram_api.limits import Meter
from tests.servers.telegram_api.requests import ApiRequest

Kind = Literal["429", "502", "slow", "hang", "drop", "lost", "400", "403"]
"""`slow` answers late, `hang` never; `drop` closes the connection without reading, `lost` after carrying out
the call."""


@dataclass(slots=True)
class Fault:
    """A fault for the next `count` calls of `method` (any but `getUpdates`) to `chat` (any)."""

    kind: Kind
    count: int
    method: str
    chat: int | None
    seconds: float
    description: str

    def hits(self, request: ApiRequest) -> bool:
        """Return whether the fault applies to this call."""
        if self.count <= 0 or (self.chat is not None and request.number("chat_id") != self.chat):
            return False
        return request.method == self.method if self.method else request.method != "getUpdates"


class Faults:
    """The remaining faults, in the order in which they were added."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._coming: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Apply a fault from now on."""
        self._coming.append(fault)

    async def before(self, request: ApiRequest, web_request: web.Request) -> Fault | None:
        """Apply the faults due before a call is carried out, and return one that is due afterwards."""
        fault = next((fault for fault in self._coming if fault.hits(request)), None)
        if fault is None:
            return None
        fault.count -= 1
        if fault.kind == "429":
            chat, alone = request.number("chat_id"), "Ephemeral" in request.method
            raise self._meter.silence(f"one person in {chat}" if alone else chat, fault.seconds)
        if fault.kind in ("400", "403"):
            raise Refused(int(fault.kind), fault.description)
        if fault.kind == "502":
            raise web.HTTPBadGateway(text="<html>502 Bad Gateway</html>", content_type="text/html")
        if fault.kind in ("slow", "hang"):
            await asyncio.sleep(fault.seconds)
        if fault.kind in ("hang", "drop"):
            cut(web_request)
        return fault if fault.kind == "lost" else None


def cut(web_request: web.Request) -> None:
    """Close the connection without an answer."""
    if web_request.transport is not None:
        web_request.transport.abort()
    raise asyncio.CancelledError
