"""Open pages: sockets that speak like the page, in a process of their own.

Reads an address, the sessions' tokens by table and how to play as a line of JSON. Reports when all are open,
plays when told to, and prints the times after which moves reached the others at their tables.
"""

import asyncio
import json
import random
import sys
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector

AT_ONCE = 50
"""The number of connections made at the same time."""
AGAIN_SECONDS = 1.0
LAST_SECONDS = 2.0
"""Seconds for which the last moves may be on their way."""


@dataclass(eq=False)
class Page:
    """One person's page."""

    socket: ClientWebSocketResponse
    acts: list[dict[str, Any]] = field(default_factory=list)
    """The acts that are possible for them now."""
    moves: int = 0
    """The moves of the newest view."""


class Table:
    """The pages of one table, and the move that is on its way."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.begun = 0.0
        self.move = 0
        self.waits: list[float] = []

    def hear(self, page: Page, told: dict[str, Any]) -> None:
        if told["kind"] == "rack":
            page.acts = [
                act for act in told["live"]["acts"] if act["kind"] in ("draw", "discard") and not act["sure"]
            ]
        if told["kind"] in ("rack", "table"):
            moves = (told["live"] if told["kind"] == "table" else told["live"]["table"])["moment"]
            if page.moves < self.move <= moves:
                self.waits.append(time.perf_counter() - self.begun)
            page.moves = max(page.moves, moves)

    async def play(self, id: str) -> bool:
        """Move for the player on turn, after everybody has seen the previous move."""
        moves = max(page.moves for page in self.pages)
        on_turn = next((page for page in self.pages if page.acts and page.moves == moves), None)
        if on_turn is None or any(page.moves < moves for page in self.pages):
            return False
        act, on_turn.acts = random.choice(on_turn.acts), []
        self.begun, self.move = time.perf_counter(), moves + 1
        on_turn.moves = self.move  # only the others are waited for
        await on_turn.socket.send_json({"kind": "press", "id": id, "private": True, "data": act["press"]})
        return True


async def follow(table: Table, page: Page) -> None:
    async for message in page.socket:
        table.hear(page, json.loads(message.data))


async def opened(web: ClientSession, settings: dict[str, Any], table: Table, token: str) -> Page | None:
    """A page that has been welcomed; None when it was told to come back later."""
    url = settings["url"]
    page = Page(await web.ws_connect(f"{url}/socket", headers={"Origin": url}))
    hello = {"kind": "hello", "protocol": settings["protocol"], "token": token, "language": "tr"}
    await page.socket.send_json(hello)
    async for message in page.socket:
        told = json.loads(message.data)
        if told["kind"] == "welcome":
            return page
        table.hear(page, told)
    await asyncio.sleep(AGAIN_SECONDS)
    return None


async def run(settings: dict[str, Any]) -> None:
    tables, gate = [Table() for _ in settings["tokens"]], asyncio.Semaphore(AT_ONCE)
    async with ClientSession(connector=TCPConnector(limit=0)) as web, asyncio.TaskGroup() as following:

        async def come(table: Table, token: str) -> None:
            async with gate:
                page = None
                while page is None:
                    page = await opened(web, settings, table, token)
                table.pages.append(page)
                tasks.append(following.create_task(follow(table, page)))

        tasks: list[asyncio.Task[None]] = []
        await asyncio.gather(
            *(
                come(table, token)
                for table, tokens in zip(tables, settings["tokens"], strict=True)
                for token in tokens
            )
        )
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        numbers, begun = count(), time.perf_counter()
        for number in range(int(settings["rate"] * settings["seconds"])):
            await asyncio.sleep(max(0.0, begun + number / settings["rate"] - time.perf_counter()))
            for table in random.sample(tables, len(tables)):
                if await table.play(f"move-{next(numbers):08}"):
                    break
        await asyncio.sleep(LAST_SECONDS)
        waits = sorted(wait for table in tables for wait in table.waits)
        p50, p99 = (round(1000 * waits[int(part * (len(waits) - 1))], 1) for part in (0.5, 0.99))
        seconds = time.perf_counter() - begun - LAST_SECONDS
        moves = sum(1 for table in tables for _ in table.waits) / 3
        print(
            json.dumps({"moves_a_second": round(moves / seconds, 1), "p50_ms": p50, "p99_ms": p99}),
            flush=True,
        )
        for task in tasks:
            task.cancel()


if __name__ == "__main__":
    asyncio.run(run(json.loads(sys.stdin.readline())))
