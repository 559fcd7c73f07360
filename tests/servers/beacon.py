"""A public randomness beacon for tests, with drand's HTTP interface: /CHAIN/info and /CHAIN/public/ROUND."""

import asyncio
import hashlib
import math
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

CHAIN = hashlib.sha256(b"a chain whose key nobody has published").hexdigest()


def signature(number: int) -> str:
    """The beacon's signature of a round, as hex."""
    return hashlib.sha384(f"round {number}".encode()).hexdigest()


@dataclass
class BeaconServer:
    """A chain with a round every second. A round is not published before its time."""

    url: str = ""
    genesis: int = field(default_factory=lambda: int(time.time()) - 1000)
    info: Mapping[str, Any] = field(default_factory=dict)
    """Values that replace those of the chain's info."""
    faults: list[str] = field(default_factory=list)
    """The answers to the next requests for a round: `slow`, `500`, `early`, `garbage`, `large`, `away`,
    `other`, `unsigned`, `elsewhere`. One that ends with `*` stays."""
    asked: list[int] = field(default_factory=list)
    """The requested rounds."""

    async def tell_info(self, request: web.Request) -> web.Response:
        known = {"public_key": "00", "period": 1, "genesis_time": self.genesis, "hash": CHAIN}
        return web.json_response({**known, **self.info})

    async def tell_round(self, request: web.Request) -> web.StreamResponse:
        newest = math.floor(time.time() - self.genesis) + 1
        named = request.match_info["number"]
        number = newest if named == "latest" else int(named)
        self.asked.append(number)
        signed = signature(number)
        told = {"round": number, "randomness": hashlib.sha256(bytes.fromhex(signed)).hexdigest()}
        told["signature"] = signed
        match "" if request.path.startswith("/moved") else self._fault():
            case "slow":
                await asyncio.sleep(3600)
            case "500":
                return web.Response(status=500)
            case "early":
                return web.json_response({"error": "too early"}, status=425)
            case "garbage":
                return web.Response(text="{round: yes")
            case "large":
                return web.json_response({**told, "more": "x" * 100_000})
            case "away":
                raise web.HTTPFound(f"/moved/{number}")
            case "other":
                told["round"] = number - 1
            case "unsigned":
                told["randomness"] = "ab" * 32
            case "elsewhere":
                return web.json_response([told])
        return web.json_response(told) if number <= newest else web.Response(status=404)

    def _fault(self) -> str:
        if not self.faults:
            return ""
        return self.faults[0][:-1] if self.faults[0].endswith("*") else self.faults.pop(0)


@asynccontextmanager
async def running_beacon() -> AsyncIterator[BeaconServer]:
    """The beacon on a port of its own."""
    beacon = BeaconServer()
    app = web.Application()
    app.router.add_get(f"/{CHAIN}/info", beacon.tell_info)
    app.router.add_get(f"/{CHAIN}/public/{{number}}", beacon.tell_round)
    app.router.add_get("/moved/{number}", beacon.tell_round)
    async with TestServer(app) as server:
        beacon.url = str(server.make_url(f"/{CHAIN}"))
        yield beacon
