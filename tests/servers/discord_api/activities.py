"""Activities: their people, and the codes by which an application identifies a person."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import web

from tests.servers.discord_api.server import Request, Route, Server
from tests.servers.discord_api.world import Refusal

SECRET: Final = "the-client-secret"


async def instance(request: Request) -> tuple[int, Any]:
    world, id = request.server.world, request.parts["instance"]
    if id not in world.activities:
        raise Refusal(404, 10104, "Unknown Activity Instance")
    channel, users = world.activities[id]
    known = world.channels.get(channel)
    kind = "pc" if known is None or known.guild is None else "gc"
    guild = {} if known is None or kind == "pc" else {"guild_id": str(known.guild)}
    return 200, {
        "application_id": request.parts["application"],
        "instance_id": id,
        "launch_id": "1",
        "location": {"id": f"{kind}-{channel}", "kind": kind, "channel_id": str(channel), **guild},
        "users": [str(user) for user in users],
    }


def exchange(server: Server) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Exchange a code for an access token, once, for a caller with the secret: the only call without JSON."""

    async def handle(request: web.Request) -> web.Response:
        form, world = await request.post(), server.world
        if form.get("client_secret") != SECRET or form.get("client_id") != str(world.application):
            return web.json_response({"error": "invalid_client"}, status=401)
        user = world.codes.pop(str(form.get("code")), None)
        if user is None or form.get("grant_type") != "authorization_code":
            return web.json_response({"error": "invalid_grant"}, status=400)
        access = f"access-{len(world.access)}"
        world.access[access] = user
        return web.json_response({"access_token": access, "token_type": "Bearer", "scope": "identify"})

    return handle


ROUTES = (Route("GET", "/applications/{application}/activity-instances/{instance}", instance),)
