"""The server as one aiohttp application: the Bot API for the bot, the control side for tests."""

import logging
import time
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.servers.telegram_api import control, whispers
from tests.servers.telegram_api.delivery import Delivery
from tests.servers.telegram_api.description import official
from tests.servers.telegram_api.errors import Refused
from tests.servers.telegram_api.faults import Faults, cut
from tests.servers.telegram_api.limits import Limits, Meter
from tests.servers.telegram_api.methods import Methods
from tests.servers.telegram_api.people import People
from tests.servers.telegram_api.requests import ApiRequest, read_request
from tests.servers.telegram_api.world import World

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Call:
    """One request of the bot, for a test to read."""

    at: float
    """Seconds since the epoch."""
    method: str
    parameters: dict[str, Any]
    status: int = 0
    description: str = ""
    message: int | None = None
    """The message that was sent or edited."""
    lost: bool = False
    """Whether it was carried out without an answer to the bot."""


class Server:
    """The Telegram of one bot."""

    def __init__(self, token: str, bot_name: str, limits: Limits, callback_seconds: float) -> None:
        self._token = token
        self._bot_name = bot_name
        self._limits = limits
        self._callback_seconds = callback_seconds
        self._description = official()
        self._connections: set[Any] = set()
        self._begin()

    def reset(self) -> None:
        """Forget everything, for the next test."""
        self.drop_connections()
        self.delivery.stop_pushing()
        self._begin()

    def _begin(self) -> None:
        meter = Meter(self._limits)
        self._findings = meter.findings
        self.world = World(self._bot_name)
        self.delivery = Delivery(self.world)
        self.faults = Faults(meter)
        self.people = People(self.world, self.delivery)
        self._methods = Methods(self.world, meter, self._findings, self._callback_seconds)
        self.calls: list[Call] = []
        self._revoked = False

    def whispering(self, version: whispers.Version) -> None:
        """Support messages for one person in a group in this version, or not."""
        self._methods.whispers.version = version

    @property
    def checks_description(self) -> bool:
        """Return whether requests can be checked against the official description."""
        return self._description is not None

    def findings(self) -> list[str]:
        """Every broken rule so far, and every delivered press without an answer."""
        return self._findings + [f"the press {data!r} was never answered" for _, _, data in self.unanswered()]

    def unanswered(self) -> list[tuple[float, str, str]]:
        """Delivered presses without an answer: their times, ids and data."""
        began = time.time() - time.monotonic()
        return [
            (began + callback.delivered, callback.id, callback.data)
            for callback in self.world.callbacks.values()
            if callback.delivered is not None and callback.answer is None
        ]

    def application(self) -> web.Application:
        """Routes for the bot (`/bot<token>/<method>`) and for tests (`/control/<action>`)."""
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        app.router.add_post("/control/{action}", control.handler(self))
        app.router.add_get("/control/picture/{file_id}", self._picture)
        app.router.add_get("/control/document/{file_id}", self._document)
        return app

    def revoke(self) -> None:
        """Revoke the token. Every later request of the bot is refused."""
        self._revoked = True
        self.drop_connections()

    def drop_connections(self) -> int:
        """Cut every connection on which the bot waits for an answer. Return their number."""
        waiting = list(self._connections)
        for transport in waiting:
            transport.abort()
        return len(waiting)

    async def _picture(self, request: web.Request) -> web.Response:
        return web.Response(
            body=self.world.photos[request.match_info["file_id"]].content, content_type="image/png"
        )

    async def _document(self, request: web.Request) -> web.Response:
        return web.Response(body=self.world.documents[request.match_info["file_id"]].content)

    async def _serve(self, web_request: web.Request) -> web.Response:
        transport = web_request.transport
        self._connections.add(transport)
        try:
            return await self._answered(web_request)
        finally:
            self._connections.discard(transport)

    async def _answered(self, web_request: web.Request) -> web.Response:
        try:
            request = await read_request(web_request.match_info["method"], web_request)
        except ConnectionResetError:  # the program was killed during its request
            raise web.HTTPBadRequest from None
        call = Call(time.time(), request.method, request.loggable())
        self.calls.append(call)
        try:
            if self._revoked or web_request.match_info["token"] != self._token:
                raise Refused(401, "Unauthorized")
            fault = await self.faults.before(request, web_request)
            result = await self._carry_out(request)
            call.status = 200
            call.message = result.get("message_id") if isinstance(result, dict) else None
            if fault is not None:
                call.lost = True
                cut(web_request)
        except Refused as refused:
            call.status, call.description = refused.status, refused.description
            return web.json_response(refused.body(), status=refused.status)
        except web.HTTPException as page:
            call.status = page.status
            raise
        return web.json_response({"ok": True, "result": result})

    def _describe(self, request: ApiRequest) -> None:
        """Check against the description, which is older than messages for one person in a group."""
        if self._description is None or request.method in whispers.METHODS:
            return
        given = dict(request.given)
        if request.method == "sendMessage":
            given = {name: value for name, value in given.items() if name not in whispers.PARAMETERS}
        self._findings += self._description.faults(request.method, given, frozenset(request.files))

    async def _carry_out(self, request: ApiRequest) -> Any:
        self._methods.whispers.knows(request.method)
        self._describe(request)
        if request.method == "getUpdates":
            return await self.delivery.get_updates(request)
        known = self._methods.by_name | {
            "setWebhook": self.delivery.set_webhook,
            "deleteWebhook": self.delivery.delete_webhook,
            "getWebhookInfo": self.delivery.webhook_info,
        }
        if request.method not in known:
            self._findings.append(f"{request.method}: not served here")
            raise Refused(404, "Not Found")
        return known[request.method](request)
