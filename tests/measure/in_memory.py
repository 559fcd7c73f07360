"""Presses in memory: the program with a chat that only remembers, and the calls of its presses to the store.

Run as a file, by the interpreter and with the tests of the checkout that is measured: `python in_memory.py`
prints a line of JSON. Only the application calls the store here, no platform's calls are charged, and no
picture is drawn.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

IDLE_SECONDS, SETTLED_SECONDS = 4.0, 4.0


def counters() -> Any:
    """The module `inside` beside this one."""
    spec = spec_from_file_location("inside", Path(__file__).with_name("inside.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def counted(
    inside: Any, idle: dict[str, int], what: Callable[[], Coroutine[Any, Any, object]]
) -> dict[str, Any]:
    """As `presses.Measured.counting`; `answered` are the commands until the presser has their answer."""
    inside.window.clear()
    inside.window.open = True
    sys.setprofile(inside.watch)

    async def press() -> None:
        inside.window.answering = inside.own_task()
        await what()
        inside.window.answering = ()

    await asyncio.create_task(press())
    answered = inside.window.named_commands()
    await asyncio.sleep(SETTLED_SECONDS)
    inside.window.open = False
    sys.setprofile(None)
    functions = [each for each in inside.window.functions if not each[1].endswith(">")]
    counts = {
        **inside.window.report(),
        "answered": answered,
        "functions": sorted(map(":".join, functions)),
        "modules": len({module for module, _ in functions}),
        "depth": inside.window.depth,
    }
    for kind in ("commands", "answered"):
        counts[kind] = {name: n for name, n in counts[kind].items() if name not in idle}
    return counts


async def measure(inside: Any, folder: Path) -> dict[str, Any]:
    """Measure `/okey`, a draw and a discard of two people at one table."""
    from bot.store import open_store
    from tests.bot.house import PLACE, offers, open_house

    async with open_store(None, folder) as store, open_house(store, turn=3600, next_round=3600.0) as house:
        people = [house.person(name) for name in ("Ada", "Can")]
        delivery: Any = house.app.delivery
        note_shown = getattr(delivery, "note_shown", None) or delivery.shown
        await asyncio.sleep(SETTLED_SECONDS)
        idle = (await counted(inside, {}, lambda: asyncio.sleep(IDLE_SECONDS)))["commands"]
        okey = await counted(inside, idle, lambda: house.type(people[0], "okey", "2"))
        (table,) = await getattr(store, "index", store).tables_at(PLACE)
        await house.press(people[1], f"join.{table}.0", private=False)
        await house.press(people[0], f"start.{table}.0", private=False)

        async def press(verb: str) -> dict[str, Any]:
            racks = [(person, offers(await house.rack(person, table), verb)) for person in people]
            person, offered = next((person, buttons) for person, buttons in racks if buttons)
            await asyncio.sleep(SETTLED_SECONDS)
            return await counted(inside, idle, lambda: answered(person, offered[0].press))

        async def answered(person: Any, text: str) -> None:
            screen = (await house.press(person, text)).private
            await note_shown(person.key, screen, f"{person.key} answer")

        await press("discard")
        return {"okey": okey, "draw": await press("draw"), "discard": await press("discard")}


def main() -> None:
    inside = counters()
    sys.path[:] = [
        str(inside.ROOT),
        *(each for each in sys.path if Path(each or ".") != Path(__file__).parent),
    ]
    inside.count_commands()
    inside.number_tasks()
    with TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(inside, Path(folder)))))


if __name__ == "__main__":
    main()
