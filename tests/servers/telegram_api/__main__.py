"""Run the server: `python -m tests.servers.telegram_api --port 0`; its first line is its address."""

import argparse
import asyncio
import signal

from aiohttp import web

from tests.servers.telegram_api.app import Server
from tests.servers.telegram_api.limits import Limit, Limits


def _limit(text: str) -> Limit:
    calls, _, seconds = text.partition("/")
    return Limit(int(calls), float(seconds))


def _options() -> argparse.Namespace:
    limits = Limits()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", required=True)
    parser.add_argument("--bot-name", default="okey_bot")
    parser.add_argument("--callback-seconds", type=float, default=15.0)
    parser.add_argument("--group-limit", type=_limit, default=limits.group, metavar="CALLS/SECONDS")
    parser.add_argument("--private-limit", type=_limit, default=limits.private, metavar="CALLS/SECONDS")
    parser.add_argument("--whole-limit", type=_limit, default=limits.whole, metavar="CALLS/SECONDS")
    return parser.parse_args()


async def _run(options: argparse.Namespace) -> None:
    limits = Limits(group=options.group_limit, private=options.private_limit, whole=options.whole_limit)
    server = Server(options.token, options.bot_name, limits, options.callback_seconds)
    runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", options.port)
    await site.start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    await runner.cleanup()


asyncio.run(_run(_options()))
