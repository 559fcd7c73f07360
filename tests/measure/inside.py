"""Counters inside a running program: its store's commands, and the frames and modules of a press.

Run as a file, by the interpreter and in the checkout that is measured, so it needs nothing but the standard
library and the program's own requirements: `python inside.py OUT run` starts `okey run`. SIGUSR1 opens a
window; SIGUSR2 closes it and writes its counts to OUT as a line of JSON.
"""

import asyncio
import contextvars
import itertools
import json
import os
import signal
import sys
import threading
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ENTRY = ("bot.main", "main")
"""The function of the command `okey`."""

PRODUCT = ("engine", "bot", "adapters")
ENGINES_STEP = "step"
"""The function of the engine that turns a move into a state."""

CLIENTS = (("redis.asyncio.client", "Redis"), ("redis.asyncio.client", "Pipeline"))
"""The classes through which commands to the store pass."""

PACKERS = ("bot.store.wire", "bot.store.client")
"""The modules that may pack the others, which pass through no class of the library: the second in checkouts
from before it was split."""

FIRST_TIME = ("EVAL", "SCRIPT")
"""Commands that hand a script to a server that has not run it before: they are not counted."""

SENDERS = (("aiohttp.client", "ClientSession", "_request"),)
"""The functions through which calls to a platform leave."""

ROOT = Path(os.environ.get("PYTHONPATH", os.getcwd()))
_HOME = tuple(f"{ROOT / each}{os.sep}" for each in PRODUCT)
_numbers = itertools.count(1)
_chain: contextvars.ContextVar[tuple[int, ...]] = contextvars.ContextVar("chain", default=())
"""The running task, after its ancestors. Threads and tasks inherit it from their creators."""

_created: dict[int, list[str]] = {}
"""The program's frames in which tasks were created, by task number, while the window is open."""

_loops: list[asyncio.AbstractEventLoop] = []


class Window:
    """The counts between the two signals."""

    def __init__(self) -> None:
        self.open = False
        self.answering: tuple[int, ...] = ()
        """The task that makes a press and waits for its answer."""
        self.clear()

    def clear(self) -> None:
        _created.clear()
        self.commands: Counter[tuple[str, str]] = Counter()
        self.modules: dict[tuple[int, ...], set[str]] = {}
        self.sent: list[tuple[int, ...]] = []
        self.step: tuple[int, ...] = ()
        """The task in which the engine steps."""
        self.frames: list[str] = []
        self.deepest = 0
        self.functions: set[tuple[str, str]] = set()
        """The functions that the press's own task calls until it is answered, by module and name."""
        self.depth = 0
        """The most of the program's frames in that task at once."""
        self.first = next(_numbers)
        self.standing = standing_frames()
        """The frames that were there before: they wait for presses and belong to none."""

    @property
    def root(self) -> tuple[int, ...]:
        """The first of a press's own tasks, from which all others descend."""
        began = next((at for at, number in enumerate(self.step) if number > self.first), len(self.step) - 1)
        return self.step[: began + 1]

    def report(self) -> dict[str, Any]:
        """The counts in a form for JSON. A press's own tasks are those from the first to the one in which the
        engine steps, and to those that call the platform."""
        root = self.root
        own = {chain[:end] for chain in (self.step, *self.sent) for end in range(len(root), len(chain) + 1)}
        passed = {
            chain: names for chain, names in self.modules.items() if root and chain[: len(root)] == root
        }
        creators = [frame for number in self.step[len(root) - 1 :] for frame in _created.get(number, ())]
        return {
            "commands": self.named_commands(),
            "frames": [*creators, *self.frames],
            "deepest": len(creators) + self.deepest,
            "passed": sorted({name for chain, names in passed.items() if chain in own for name in names}),
            "caused": sorted({name for names in passed.values() for name in names}),
        }

    def named_commands(self) -> dict[str, int]:
        """The number of calls of each command of the store."""
        names = script_names()
        return {f"{word} {names.get(sha, sha)}".strip(): n for (word, sha), n in self.commands.items()}


def standing_frames() -> dict[int, Any]:
    """The frames of every task that is waiting now, by ids that stay theirs while they are held here."""
    frames = {}
    for task in [each for loop in _loops for each in asyncio.all_tasks(loop)]:
        waiting: Any = task.get_coro()
        while waiting is not None:
            frame = getattr(waiting, "cr_frame", None)
            frames[id(frame)] = frame
            waiting = getattr(waiting, "cr_await", None)
    return frames


window = Window()


def script_names() -> dict[str, str]:
    """Scripts of the store, by the names of the constants that hold them."""
    names = {}
    for module in [each for name, each in sys.modules.items() if name.startswith("bot.store")]:
        for name, held in vars(module).items():
            if isinstance(getattr(held, "sha", None), str):
                names[held.sha] = name.strip("_").lower()
    return names


def count_commands() -> None:
    """Count all commands to the store."""
    for module, name in CLIENTS:
        client = getattr(import_module(module), name)
        if "execute_command" in vars(client):
            client.execute_command = _counting(client.execute_command)
    packer: Any = next(import_module(each) for each in PACKERS if find_spec(each) is not None)
    pack = packer.pack_command
    packer.pack_command = lambda words: _counting(lambda _, *sent: pack(sent))(None, *words)


def _counting(execute: Any) -> Any:
    def counted(self: Any, *words: Any, **options: Any) -> Any:
        if window.open:
            word = str(words[0])
            if word not in FIRST_TIME:
                window.commands[word, str(words[1]) if word == "EVALSHA" else ""] += 1
        return execute(self, *words, **options)

    return counted


def note_calls() -> None:
    """Note the tasks from which platforms are called."""
    for module, name, method in SENDERS:
        try:
            sender = getattr(import_module(module), name)
        except ImportError:
            continue
        setattr(sender, method, _noting(getattr(sender, method)))


def _noting(send: Any) -> Any:
    async def noted(self: Any, *arguments: Any, **options: Any) -> Any:
        if window.open:
            window.sent.append(_chain.get())
        return await send(self, *arguments, **options)

    return noted


def number_tasks() -> None:
    """Have every task know its ancestors."""
    create = asyncio.BaseEventLoop.create_task

    def create_task(self: Any, coroutine: Any, *, name: Any = None, context: Any = None) -> Any:
        if self not in _loops:
            _loops.append(self)
        number = next(_numbers)
        if window.open:
            _created[number] = frames_of(sys._getframe(1))
        context = contextvars.copy_context() if context is None else context
        context.run(lambda: _chain.set((*_chain.get(), number)))
        return create(self, coroutine, name=name, context=context)

    asyncio.BaseEventLoop.create_task = create_task  # type: ignore[method-assign, assignment]


def own_task() -> tuple[int, ...]:
    """Return the running task, after its ancestors."""
    return _chain.get()


def watch(frame: Any, event: str, argument: Any) -> None:
    """Note the target of a call while the window is open."""
    if event != "call" or not window.open:
        return
    file = frame.f_code.co_filename
    if not file.startswith(_HOME):
        return
    chain, module = _chain.get(), file[len(str(ROOT)) + 1 :]
    window.modules.setdefault(chain, set()).add(module)
    if chain == window.answering:
        window.functions.add((module, getattr(frame.f_code, "co_qualname", frame.f_code.co_name)))
        window.depth = max(window.depth, len(frames_of(frame)))
    if file.startswith(_HOME[0]):
        if not window.step and frame.f_code.co_name == ENGINES_STEP:
            window.step, window.frames = chain, frames_of(frame)
        if chain == window.step and window.frames and under_step(frame):
            window.deepest = max(window.deepest, len(frames_of(frame)))


def under_step(frame: Any) -> bool:
    """Return whether the engine is handling the move, and not a view."""
    while frame is not None and frame.f_code.co_filename.startswith(_HOME[0]):
        if frame.f_code.co_name == ENGINES_STEP:
            return True
        frame = frame.f_back
    return False


def frames_of(frame: Any) -> list[str]:
    """The program's own frames in this task, the outermost first, without those that were there before."""
    found = []
    while frame is not None and not frame.f_code.co_filename.endswith("asyncio/events.py"):
        if frame.f_code.co_filename.startswith(_HOME) and id(frame) not in window.standing:
            found.append(f"{frame.f_code.co_filename[len(str(ROOT)) + 1 :]}:{frame.f_code.co_name}")
        frame = frame.f_back
    return found[::-1]


def main() -> None:
    out = Path(sys.argv.pop(1))
    sys.path[:] = [str(ROOT), *(each for each in sys.path if Path(each or ".") != Path(__file__).parent)]
    count_commands()
    note_calls()
    number_tasks()
    threading.setprofile(watch)

    def begin(number: int, frame: Any) -> None:
        window.clear()
        window.open = True
        sys.setprofile(watch)

    def end(number: int, frame: Any) -> None:
        window.open = False
        sys.setprofile(None)
        with out.open("a") as file:
            file.write(json.dumps(window.report()) + "\n")

    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, end)
    module, function = ENTRY
    sys.exit(getattr(import_module(module), function)())


if __name__ == "__main__":
    main()
