"""Start the server and print its address: `python -m tests.servers.discord_api --port 0`."""

import argparse
import asyncio
import re
from collections.abc import Awaitable, Callable

from aiohttp import web

from tests.servers.discord_api import activities, guilds, interactions, rest
from tests.servers.discord_api.control import Control, operation
from tests.servers.discord_api.gateway import Gateway
from tests.servers.discord_api.limits import GLOBAL, Limits
from tests.servers.discord_api.server import API, Server, guarded
from tests.servers.discord_api.world import World

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def application(server: Server) -> web.Application:
    """Every route of the API, the gateway, the attachments and the control side."""
    app = web.Application(client_max_size=32 * 1024 * 1024)
    for route in (*rest.ROUTES, *activities.ROUTES, *guilds.ROUTES, *interactions.ROUTES):
        app.router.add_route(route.method, API + _with_any_text(route.path), guarded(server, route))
    app.router.add_post(f"{API}/oauth2/token", activities.exchange(server))
    app.router.add_get("/gateway", server.gateway.handle)
    app.router.add_get("/attachments/{id}/{name}", _attachment(server))
    app.router.add_post("/control/{name}", operation(Control(server)))
    app.router.add_route("*", "/{rest:.*}", _unknown(server))
    return app


def _with_any_text(path: str) -> str:
    """A path whose parts take any text, such as the token `{}` of a damaged interaction: those of aiohttp
    take no braces."""
    return re.sub(r"\{(\w+)\}", r"{\1:[^/]+}", path)


def _attachment(server: Server) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        for channel in server.world.channels.values():
            for message in channel.messages.values():
                for attachment in message.attachments:
                    if str(attachment.id) == request.match_info["id"]:
                        return web.Response(body=attachment.content)
        raise web.HTTPNotFound

    return handle


def _unknown(server: Server) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        server.world.find(f"{request.method} {request.path} is not known here")
        raise web.HTTPNotFound

    return handle


async def serve(options: argparse.Namespace) -> None:
    world = World(
        token=options.token, answer_seconds=options.answer_seconds, token_seconds=options.token_seconds
    )
    server = Server(world, Gateway(world, options.heartbeat_seconds), limits=Limits(options.whole_limit))
    runner = web.AppRunner(application(server), shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", options.port)
    await site.start()
    server.base = server.gateway.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    print(server.base, flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description="A Discord for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", required=True)
    parser.add_argument("--answer-seconds", type=float, default=3.0)
    parser.add_argument("--token-seconds", type=float, default=900.0)
    parser.add_argument("--heartbeat-seconds", type=float, default=41.25)
    parser.add_argument("--whole-limit", type=_limit, default=GLOBAL, metavar="CALLS/SECONDS")
    asyncio.run(serve(parser.parse_args()))


def _limit(text: str) -> tuple[int, float]:
    calls, _, seconds = text.partition("/")
    return int(calls), float(seconds)


if __name__ == "__main__":
    main()
