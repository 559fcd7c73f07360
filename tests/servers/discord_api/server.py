"""The server's parts, and the checks on every call of the bot: faults, token, limits, description."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from aiohttp import BodyPartReader, web

from tests.servers.discord_api import contract
from tests.servers.discord_api.bodies import TEXT, walk
from tests.servers.discord_api.gateway import Gateway
from tests.servers.discord_api.limits import Limits, Window
from tests.servers.discord_api.mentions import notified
from tests.servers.discord_api.posting import Posting
from tests.servers.discord_api.shapes import interaction_json, user_json
from tests.servers.discord_api.world import Interaction, Json, Refusal, World

API: Final = "/api/v10"
VIA: Final = {"Via": "1.1 google"}
"""The header that tells Discord's own 429 from one of the proxy in front of it."""


@dataclass
class Call:
    """One call of the bot, without secrets in its path."""

    at: float
    method: str
    path: str
    status: int | None = None
    """The status; None while the call is under way, and for good when it got no answer."""
    presses: list[str] = field(default_factory=list)
    """The presses of the message that it sends or edits."""
    words: str = ""
    """The text of that message."""
    message: int | None = None
    """The message's id, once the call was carried out. With an error in `status`, the bot does not know."""
    notifies: list[str] = field(default_factory=list)
    """Whom that message notifies, as in `mentions.notified`."""


@dataclass
class Fault:
    """A fault for the next `times` matching calls."""

    times: int
    kind: str
    """`status`, `hang` (no answer for `seconds`) or `lost` (carried out, but the answer never arrives)."""
    status: int = 503
    seconds: float = 0.0
    """Seconds to hang, or a 429's retry_after."""
    code: int = 0
    """Discord's own code beside the status."""
    method: str = ""
    path: str = ""

    def fits(self, call: Call) -> bool:
        return self.times > 0 and self.method in ("", call.method) and self.path in call.path


@dataclass
class Server:
    """One Discord server."""

    world: World
    gateway: Gateway
    base: str = ""
    """`http://host:port`, once it listens."""
    limits: Limits = field(default_factory=Limits)
    faults: list[Fault] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    posting: Posting = field(default_factory=Posting)

    async def deliver(self, interaction: Interaction) -> None:
        """Deliver an interaction to the application, over HTTP or through the gateway."""
        if not self.posting.addresses:
            await self.gateway.dispatch_interaction(interaction)
        elif (status := await self.posting.post(interaction_json(self.world, interaction, self.base))) != 202:
            self.world.find(f"an interaction that was posted was answered with {status}")

    def can_deliver(self) -> bool:
        return bool(self.posting.addresses) or self.gateway.can_deliver()

    def reset(self) -> None:
        """Start anew, without people and records."""
        self.world = self.gateway.world = self.world.emptied()
        self.gateway.reset()
        self.limits = self.limits.emptied()
        self.faults.clear()
        self.calls.clear()
        self.posting.addresses = []

    def calls_json(self) -> list[Json]:
        return [asdict(call) for call in self.calls]


@dataclass(frozen=True)
class Request:
    """A handler's input: the parts of the path, the JSON, the files by their form names."""

    server: Server
    parts: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    files: dict[str, bytes]

    def number(self, name: str) -> int:
        try:
            return int(self.parts[name])
        except ValueError:
            raise Refusal(404, 0, "404: Not Found") from None


Handler = Callable[[Request], Awaitable[tuple[int, Any]]]
"""Return a status and JSON (None for no body), or raise Refusal."""


@dataclass(frozen=True)
class Route:
    """One operation. Its window is that of `kind` and of the path's `major` part."""

    method: str
    path: str
    handler: Handler
    kind: str = ""
    major: str = ""
    with_token: bool = False
    """Whether the path has a token of its own: no Authorization, not counted for the whole bot."""


def guarded(server: Server, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """The route's handler, with all checks before it."""

    async def handle(request: web.Request) -> web.StreamResponse:
        secret = request.match_info.get("token", "")
        path = request.path.removeprefix(API)
        call = Call(time.time(), request.method, path.replace(secret, "…") if secret else path)
        server.calls.append(call)
        fault = next((f for f in server.faults if f.fits(call)), None)
        response = await _with_fault(server, fault, request, lambda: _admitted(server, route, request, call))
        call.status = response.status
        if response.status in (401, 403, 429) and not server.limits.refused.take():
            server.world.find("too many refused calls: the address is banned")
        return response

    return handle


async def _with_fault(
    server: Server,
    fault: Fault | None,
    request: web.Request,
    proceed: Callable[[], Awaitable[web.Response]],
) -> web.Response:
    if fault is None:
        return await proceed()
    fault.times -= 1
    if fault.kind == "hang":
        await asyncio.sleep(fault.seconds)
    elif fault.kind == "lost":
        await proceed()
        server.world.answer_lost(request.match_info.get("channel", ""))
        if request.transport is not None:
            request.transport.close()
    elif fault.status == 429:
        return _too_many(fault.seconds, scope="shared", code=fault.code)
    return _json({"message": "upstream trouble", "code": fault.code}, status=fault.status)


async def _admitted(server: Server, route: Route, request: web.Request, call: Call) -> web.Response:
    authorization = request.headers.get("Authorization", "")
    if route.path == "/users/@me" and (
        user := server.world.access.get(authorization.removeprefix("Bearer "))
    ):
        return _json(user_json(server.world.users[user]), status=200)
    if not route.with_token and authorization != f"Bot {server.world.token}":
        return _error(Refusal(401, 0, "401: Unauthorized"))
    if not route.with_token and not server.limits.overall.take():
        return _too_many(server.limits.overall.reset_after, scope="global")
    window = server.limits.route(
        route.kind or f"{route.method} {route.path}", request.match_info.get(route.major, "")
    )
    if not window.take():
        if window.told_empty:
            server.world.find(f"{route.method} {route.path} was called though nothing remained of its limit")
        return _too_many(window.reset_after, scope="user", headers=_headers(window, route))
    try:
        response = await _carried_out(server, route, request, call)
    except Refusal as refusal:
        response = _error(refusal)
    response.headers.update(_headers(window, route))
    window.told_empty = window.remaining == 0
    return response


async def _carried_out(server: Server, route: Route, request: web.Request, call: Call) -> web.Response:
    body, files = await _read(request)
    path = request.path.removeprefix(API)
    call.presses = _presses(body)
    problems = contract.problems(request.method, path, body, files=bool(files))
    if problems:
        server.world.findings.extend(problems)
        raise Refusal(400, 50035, f"Invalid Form Body: {problems[0]}")
    call.words = _words(body)
    status, answer = await route.handler(Request(server, request.match_info, request.query, body, files))
    call.message = _message_of(server.world, request, answer)
    if request.method == "POST" and call.message is not None:
        channel = request.match_info.get("channel")
        found = None if channel is None else server.world.channel(int(channel))
        call.notifies = notified(_message(body), call.words, found)
    return web.Response(status=status) if answer is None else _json(answer, status=status)


def _message_of(world: World, request: web.Request, answer: Any) -> int | None:
    """Return the message that a call sent or edited."""
    if "interaction" in request.match_info:
        return world.interactions[int(request.match_info["interaction"])].original
    return int(answer["id"]) if isinstance(answer, dict) and "author" in answer else None


async def _read(request: web.Request) -> tuple[Any, dict[str, bytes]]:
    """The JSON of a call, and its files."""
    if not request.can_read_body:
        return None, {}
    if not request.content_type.startswith("multipart/"):
        return _parsed(await request.read()), {}
    files: dict[str, bytes] = {}
    payload: Any = None
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        content = bytes(await part.read())
        if part.name == "payload_json":
            payload = _parsed(content)
        else:
            files[str(part.name)] = content
    return payload, files


def _presses(body: Any) -> list[str]:
    """The press texts of the message in a call's JSON, which an answer to an interaction wraps."""
    return [c["custom_id"] for c in walk(_message(body).get("components") or []) if "custom_id" in c]


def _words(body: Any) -> str:
    """All text of that message."""
    message = _message(body)
    texts = [c["content"] for c in walk(message.get("components") or []) if c["type"] == TEXT]
    return "\n".join([message.get("content") or "", *texts]).strip()


def _message(body: Any) -> Json:
    return (body.get("data") or body) if isinstance(body, dict) else {}


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        raise Refusal(400, 50109, "The request body contains invalid JSON.") from None


def _json(value: object, *, status: int, headers: dict[str, str] | None = None) -> web.Response:
    """JSON in Discord's form: without a charset, which discord.py could not read."""
    body = json.dumps(value).encode()
    return web.Response(body=body, status=status, headers=headers, content_type="application/json")


def _error(refusal: Refusal) -> web.Response:
    return _json({"message": refusal.message, "code": refusal.code}, status=refusal.status)


def _too_many(
    seconds: float, *, scope: str, headers: dict[str, str] | None = None, code: int = 0
) -> web.Response:
    body = {"message": "You are being rate limited.", "retry_after": seconds, "global": scope == "global"}
    body |= {"code": code} if code else {}
    told = {"Retry-After": str(int(seconds) + 1), "X-RateLimit-Scope": scope}
    return _json(body, status=429, headers=VIA | told | (headers or {}))


def _headers(window: Window, route: Route) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(window.calls),
        "X-RateLimit-Remaining": str(window.remaining),
        "X-RateLimit-Reset": f"{time.time() + window.reset_after:.3f}",
        "X-RateLimit-Reset-After": f"{window.reset_after:.3f}",
        "X-RateLimit-Bucket": f"{abs(hash(route.kind or route.method + route.path)):x}",
    }
