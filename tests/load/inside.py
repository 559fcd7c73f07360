"""An open loop: presses come at a given rate, whether the program keeps up or not.

Run as a file, by the interpreter and in the checkout that is measured, with its settings as JSON; prints a
line of JSON. Racks and tables are shown to a chat that only counts them.
"""

import asyncio
import itertools
import json
import math
import os
import random
import secrets
import socket
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

SLOW = 0.25
"""Seconds within which 99 of 100 presses must be acknowledged at the measured rate."""

PRESSES_PER_SECOND = 5
"""One person's share by default."""

SETTLED_SECONDS = 10.0
"""Seconds after which open pages have finished their initial work."""

CALL_SECONDS = 0.05
"""After so long a chat has shown what it was asked to show."""

STEP = 1.25
"""The factor from one rate to the next, until one is too high."""

FINENESS = 1.03
"""The factor between the highest rate that is borne and the lowest that is too high, once both are known."""


async def measure(folder: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """The load that one checkout can bear."""
    from bot.store import open_store
    from tests.bot.house import open_house

    pages = settings.get("pages")
    url = f"http://127.0.0.1:{free_port()}" if pages else ""
    fair: dict[str, Any] = {"web_url": url} if pages else {}
    if settings["flood"]:
        from bot.handlers.fair_share import FairShare

        fair = {"share": FairShare(PRESSES_PER_SECOND)}
    async with AsyncExitStack() as stack:
        if pool := _module("bot.pool"):
            modules = ("bot.pictures", "bot.worker.computers")
            await stack.enter_async_context(pool.POOL.processes(2, modules))
        store = await stack.enter_async_context(open_store(None, folder))
        house = await stack.enter_async_context(
            open_house(store, turn=3600, next_round=1.0 if settings["computers"] else 3600.0, **fair)
        )
        load = Load(house, settings)
        run = _module("bot.run")
        if hasattr(run, "shorten_collections"):
            run.shorten_collections()
        await load.open()
        if pages:
            return await load.pages(url)
        return await (load.computers() if settings["computers"] else load.presses())


class Forgetful(list[Any]):
    """A list that only counts what it is given. No chat keeps the screens it has shown, and a heap that grows
    with them is what the garbage collector would be measured by."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    def append(self, _: Any) -> None:
        self._count += 1

    def __len__(self) -> int:
        return self._count


class Load:
    """Tables of one process, and the people who press there."""

    def __init__(self, house: Any, settings: dict[str, Any]) -> None:
        self._house = house
        self._settings = settings
        self._newest: dict[str, Any] = {}
        self._free: list[str] = []
        """The tables that are played and where nobody presses."""
        self._numbers = itertools.count()
        self._places = itertools.count()
        self.commits = 0
        self.stall = 0.0
        """The longest time in seconds in which the event loop did nothing else."""
        self._pictures: list[float] = []
        """The seconds after which the pictures of answers were ready."""
        house.app.tables.listeners.append(self._committed)
        if settings["pictures"]:
            house.app.chats["mem"] = drawing_chat()
        chat = house.app.chats["mem"]
        chat.tables, chat.racks = Forgetful(), Forgetful()

    def _committed(self, table: str, stored: Any) -> None:
        if table not in self._newest and stored.value.stage != "over":
            self._free.append(table)
        self._newest[table] = stored.value
        self.commits += 1

    async def open(self) -> None:
        """Deal all tables."""
        await self._deal(self._settings["tables"])
        await asyncio.sleep(3)

    async def replace_ended(self) -> None:
        """Deal new tables in place of those that are over."""
        over = [table for table, newest in self._newest.items() if newest.stage == "over"]
        for table in over:
            del self._newest[table]
        await self._deal(len(over))

    def versions(self) -> dict[str, int]:
        """The number of moves made at each table."""
        return {table: newest.moment for table, newest in self._newest.items()}

    async def _deal(self, tables: int) -> None:
        for change in [dealt(next(self._places), self._settings["computers"]) for _ in range(tables)]:
            table = change.table
            chat = self._house.app.chats["mem"]
            chat.readers.update((seat.person, *table.places) for seat in table.seats)
            await self._house.app.tables.create(table.id, change, "open")

    async def presses(self) -> dict[str, Any]:
        """The results at growing rates, and the highest that is borne."""
        flooding = asyncio.create_task(self._flood(self._settings["flood"]))
        rows, borne, too_high, rate = [], 0.0, math.inf, float(self._settings["rate"])
        while too_high > borne * FINENESS:
            rows.append(await self.at(rate))
            if rows[-1]["p99_ms"] < 1000 * SLOW:
                borne = rate
            else:
                too_high = rate
            rate = borne * STEP if too_high == math.inf else math.sqrt(borne * too_high)
            if not rate:
                break
        flooding.cancel()
        return {"rows": rows, "bears": round(borne, 1)}

    async def computers(self) -> dict[str, Any]:
        """Computer players' turns a second."""
        watching = asyncio.create_task(self._watch())
        await self.replace_ended()
        before, cpu, begun = self.commits, time.process_time(), time.perf_counter()
        dealt, end = next(self._places), begun + self._settings["seconds"]
        while time.perf_counter() < end:  # a table that everybody has left is over with its round
            await asyncio.sleep(min(0.5, max(0.0, end - time.perf_counter())))
            await self.replace_ended()
        watching.cancel()
        seconds = time.perf_counter() - begun  # a program that cannot keep up deals late
        moves = self.commits - before - (next(self._places) - dealt - 1)
        each = round(1000 * (time.process_time() - cpu) / max(1, moves), 2)
        return {"moves_a_second": round(moves / seconds, 1), "cpu_ms": each, "stall_ms": self._stall_ms()}

    async def pages(self, url: str) -> dict[str, Any]:
        """Open a page at every seat and measure its cost for this process, at rest and while people move."""
        from adapters.web import Doors, WebServer
        from adapters.web.protocol import PROTOCOL
        from bot.ports import Person

        app, seats = self._house.app, [table.seats for table in self._newest.values()]
        server = WebServer("127.0.0.1", int(url.rpartition(":")[2]), connections=10_000)
        Doors(apps=app.apps, shared=app.delivery, server=server, url=url, doors={})
        await server.start()
        tokens = [
            [await app.apps.begin(Person(seat.person, seat.name, "tr")) for seat in of_table]
            for of_table in seats
        ]
        wanted = {key: self._settings[key] for key in ("rate", "seconds")}
        wanted |= {"url": url, "protocol": PROTOCOL, "tokens": tokens}
        program, pipe = Path(__file__).with_name("pages.py"), asyncio.subprocess.PIPE
        people = await asyncio.create_subprocess_exec(sys.executable, str(program), stdin=pipe, stdout=pipe)
        assert people.stdin is not None
        assert people.stdout is not None
        before = memory()
        people.stdin.write(json.dumps(wanted).encode() + b"\n")
        await people.stdout.readline()
        count = sum(map(len, tokens))
        told = {"pages": count, "kb_a_page": round((memory() - before) / count / 1024, 1)}
        await asyncio.sleep(SETTLED_SECONDS)
        told["share_at_rest"] = await self._share()
        people.stdin.write(b"\n")
        told["share"] = await self._share()
        told |= json.loads(await people.stdout.readline())
        await people.wait()
        await server.stop()
        return told | {"stall_ms": self._stall_ms()}

    async def _share(self) -> float:
        """The share of a core that is used, for a while."""
        self.stall, watching = 0.0, asyncio.create_task(self._watch())
        begun, cpu = time.perf_counter(), time.process_time()
        await asyncio.sleep(self._settings["seconds"])
        watching.cancel()
        return round((time.process_time() - cpu) / (time.perf_counter() - begun), 2)

    async def at(self, rate: float) -> dict[str, Any]:
        """Press at this rate; how the presses were answered."""
        self.stall = 0.0
        watching = asyncio.create_task(self._watch())
        waits: list[float] = []
        self._pictures = []
        begun, cpu = time.perf_counter(), time.process_time()
        async with asyncio.TaskGroup() as presses:
            for number in range(int(rate * self._settings["seconds"])):
                at = begun + number / rate
                await asyncio.sleep(max(0.0, at - time.perf_counter()))
                presses.create_task(self._press(at, waits))
        watching.cancel()
        each = round(1000 * (time.process_time() - cpu) / len(waits), 2)
        told = {"rate": round(rate, 1), **quantiles(waits), "cpu_ms": each, "stall_ms": self._stall_ms()}
        return told | ({"pictures": quantiles(self._pictures)} if self._pictures else {})

    async def _press(self, at: float, waits: list[float]) -> None:
        if not self._free:
            waits.append(math.inf)
            return
        table = self._taken(random.randrange(len(self._free)))
        pressed = press(self._newest[table], next(self._numbers))
        answer = await self._house.app.router.press(pressed)
        waits.append(time.perf_counter() - at if answer.private is not None else 10.0)
        if self._newest[table].stage != "over":
            self._free.append(table)
        if answer.private is not None:
            message = getattr(answer, "private_message", "") or f"{pressed.by.key}#1"
            await self._show(pressed.by.key, answer.private, message, at)

    def _taken(self, number: int) -> str:
        """Take one of the free tables. Their order does not matter, and a load should cost as little as it
        can: a search through all of them would be measured as well."""
        self._free[number], self._free[-1] = self._free[-1], self._free[number]
        return self._free.pop()

    async def _show(self, person: str, rack: Any, message: str, at: float) -> None:
        """As adapters do with the rack in an answer, in the message that shows it."""
        if self._settings["pictures"] and rack.picture is not None:
            await draw(rack.picture)
            self._pictures.append(time.perf_counter() - at)
        await asyncio.sleep(CALL_SECONDS)
        await self._house.app.delivery.note_shown(person, rack, message)

    async def _flood(self, rate: float) -> None:
        """Let one person press this many times a second at their own table, where nobody else presses."""
        if not rate:
            return
        table = self._taken(0)
        refused: set[asyncio.Task[Any]] = set()
        begun = time.perf_counter()
        for number in itertools.count():
            await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
            pressed = press(self._newest[table], next(self._numbers))
            task = asyncio.create_task(self._house.app.router.press(pressed))
            refused.add(task)
            task.add_done_callback(refused.discard)

    async def _watch(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.002)
            self.stall = max(self.stall, time.perf_counter() - before - 0.002)

    def _stall_ms(self) -> float:
        return round(1000 * self.stall, 1)


def quantiles(seconds: list[float]) -> dict[str, float]:
    """The median and the 99th percentile in milliseconds."""
    seconds.sort()
    found = (seconds[int(part * (len(seconds) - 1))] for part in (0.5, 0.99))
    return dict(zip(("p50_ms", "p99_ms"), (round(1000 * each, 1) for each in found), strict=True))


def memory() -> int:
    """The memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def free_port() -> int:
    """A port at which no program listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def dealt(number: int, computers: bool) -> Any:
    """A table of four whose first round is dealt."""
    from bot.app import fresh_secret
    from bot.tables import lobby, play
    from bot.tables.play import Delays
    from bot.tables.table import Seat
    from engine.rules import rules_from

    delays = Delays(computer=0.0 if computers else 3600.0, next_round=1.0)
    people = [Seat(person=f"mem:{number}-{i}", name=f"Player {i}") for i in range(4)]
    opened = lobby.open_table(
        table_id=f"load{secrets.token_hex(3)}",
        place=f"mem:{number}",
        host=people[0],
        rules=rules_from({"preset": "okey"}),
        language="tr",
        turn_seconds=3600,
        secret=fresh_secret(),
        now=time.time(),
    ).table
    for person in people[1:]:
        opened = lobby.join(opened, person).table
    if computers:  # the first player has left their seat to one, so that the match goes on
        opened = replace(opened, seats=tuple(replace(seat, computer="steady") for seat in opened.seats))
    return play.start(opened, str(people[0].person), delays)


def press(table: Any, number: int) -> Any:
    """A plain move of the seat on turn, or the next round."""
    from bot.callback_data import callback_text
    from bot.ports import Person, Press

    round, seat = table.match.round, 0
    if table.stage == "between":
        text = callback_text("next", table.id, table.moment)
    else:
        seat = round.turn
        tile = random.choice(round.racks[seat])
        sure = ("sure",) if tile is round.okey else ()
        tiles = () if round.phase == "draw" else (tile.name, *sure)
        text = callback_text("discard" if tiles else "draw", table.id, table.moment, *tiles)
    by = Person(table.seats[seat].person, f"Player {seat}", "tr")
    return Press(by=by, place=None, surface="private", data=text, id=f"press {number}")


async def draw(picture: Any) -> None:
    """Draw a picture in the way of adapters."""
    from bot import pictures

    if hasattr(pictures, "draw_picture"):
        await pictures.draw_picture(picture)
    else:
        await asyncio.to_thread(pictures.draw, picture)


def drawing_chat() -> Any:
    """A chat that draws everything that it is shown."""
    from tests.bot.house import MemoryChat

    class DrawingChat(MemoryChat):
        async def show_table(self, place: str, screen: Any, *arguments: Any, **named: Any) -> str:
            if screen.picture is not None:
                await draw(screen.picture)
            return await super().show_table(place, screen, *arguments, **named)

        async def show_rack(self, person: str, screen: Any, *arguments: Any, **named: Any) -> str:
            if screen.picture is not None:
                await draw(screen.picture)
            return await super().show_rack(person, screen, *arguments, **named)

    return DrawingChat()


def _module(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        return None


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())
    with TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(Path(folder), json.loads(sys.argv[1])))))
