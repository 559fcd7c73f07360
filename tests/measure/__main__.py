"""`python -m tests.measure [--beside PATH] [--details]`: the program in figures.

Two columns with another checkout; `--details` lists what the figures are made of.
"""

import argparse
import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.measure.presses import in_discord, in_memory, in_telegram
from tests.measure.sources import Figures, figures_of

Presses = dict[str, dict[str, Any]]
"""The counts of `/okey`, a draw and a discard."""

TRIES: Final = 4

HERE: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Checkout:
    """All measurements of a checkout."""

    sources: Figures
    telegram: Presses
    discord: Presses
    memory: Presses


def measure(root: Path) -> Checkout:
    """Measure a checkout: two minutes, more on a busy machine."""
    return Checkout(
        figures_of(root),
        *(_again(lambda play=play: asyncio.run(play(root))) for play in (in_telegram, in_discord, in_memory)),
    )


def _again(what: Callable[[], Presses]) -> Presses:
    """Retry failures: on a busy machine people sometimes wait in vain."""
    for _ in range(TRIES - 1):
        with suppress(AssertionError, RuntimeError, TimeoutError):
            return what()
    return what()


def _each(what: Callable[[Presses], int]) -> Callable[[Checkout], str]:
    return lambda it: " / ".join(str(what(chat)) for chat in (it.memory, it.telegram, it.discord))


def _commands(press: str) -> Callable[[Checkout], str]:
    return _each(lambda chat: sum(chat[press]["commands"].values()))


ROWS: Final[tuple[tuple[str, Callable[[Checkout], str]], ...]] = (
    ("product files", lambda it: str(it.sources.files)),
    ("product lines", lambda it: str(it.sources.lines)),
    ("files of under 60 lines", lambda it: str(it.sources.small)),
    ("rooms of bot, and of these loose modules", lambda it: f"{it.sources.rooms}, {it.sources.loose}"),
    ("imports that run upwards, in arrows between rooms", lambda it: _sum(it.sources.upwards)),
    ("rooms of bot without a floor", lambda it: str(it.sources.floorless)),
    ("pairs of folders that import each other", lambda it: str(len(it.sources.mutual))),
    ("the same with loose modules", lambda it: str(len(it.sources.mutual_loose))),
    ("In memory / in Telegram / in Discord:", lambda it: ""),
    ("  frames of a draw to the engine's step", _each(lambda chat: len(chat["draw"]["frames"]))),
    ("  frames of a draw to the deepest below it", _each(lambda chat: chat["draw"]["deepest"])),
    ("  modules of a draw until it is answered", _each(lambda chat: len(chat["draw"]["passed"]))),
    ("  modules of a draw with what it causes", _each(lambda chat: len(chat["draw"]["caused"]))),
    ("  store commands of a draw with what it causes", _commands("draw")),
    ("  store commands of a discard and two more screens", _commands("discard")),
    ("  store commands of /okey and one screen", _commands("okey")),
    (
        "  store commands of /okey until it is answered",
        lambda it: str(sum(it.memory["okey"]["answered"].values())),
    ),
    ("Until a discard in memory is answered:", lambda it: ""),
    ("  functions, modules", lambda it: _functions(it.memory["discard"])),
    ("  frames to the deepest", lambda it: str(it.memory["discard"]["depth"])),
    ("bounded or weak caches", lambda it: _sum(it.sources.caches)),
    ("bounded or weak mappings that are none", lambda it: _sum(it.sources.memories)),
    (
        "types with more than 20 fields",
        lambda it: ", ".join(f"{name} {n}" for name, n in it.sources.wide.items()) or "none",
    ),
    ("tests on rules.game outside of the games, in modules", lambda it: _sum(it.sources.games)),
    ("looks at rules.game there, lookups too", lambda it: _sum(it.sources.game_reads)),
    ("public type names in several modules", lambda it: str(len(it.sources.doubled))),
    ("docstrings that begin with What, Who, How, When", lambda it: str(it.sources.riddles)),
)


def _functions(press: Mapping[str, Any]) -> str:
    return f"{len(press['functions'])}, {press['modules']}"


def _join(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"


def _sum(counts: Mapping[str, int]) -> str:
    return f"{sum(counts.values())} in {len(counts)}"


def table(columns: dict[str, Checkout]) -> str:
    """The figures, a column for each checkout."""
    rows = [("", *columns), *((name, *map(of, columns.values())) for name, of in ROWS)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )


def details(it: Checkout) -> str:
    """The parts of the figures."""
    lines = [f"upwards: {arrow} ({count})" for arrow, count in it.sources.upwards.items()]
    lines += [f"mutual: {pair}" for pair in (*it.sources.mutual, *it.sources.mutual_loose)]
    lines += [f"caches: {module} ({count})" for module, count in it.sources.caches.items()]
    lines += [f"no caches: {module} ({count})" for module, count in it.sources.memories.items()]
    lines += [f"function: {name}" for name in it.memory["discard"]["functions"]]
    lines += [f"game: {module} ({count})" for module, count in it.sources.game_reads.items()]
    lines += [f"doubled: {name}: {', '.join(homes)}" for name, homes in it.sources.doubled.items()]
    for chat, presses in (("memory", it.memory), ("telegram", it.telegram), ("discord", it.discord)):
        for press, counted in presses.items():
            lines += [f"{chat} {press}: {n} {name}" for name, n in sorted(counted["commands"].items())]
        lines += [f"{chat} frame: {frame}" for frame in presses["draw"].get("frames", ())]
        lines += [f"{chat} passes: {module}" for module in presses["draw"].get("passed", ())]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.measure")
    parser.add_argument("--beside", type=Path, help="another checkout, with its own .venv")
    parser.add_argument("--details", action="store_true", help="list what the figures are made of")
    asked = parser.parse_args()
    columns = {"here": measure(HERE)}
    if asked.beside is not None:
        columns["beside"] = measure(asked.beside.resolve())
    print(table(columns))
    if asked.details:
        for name, it in columns.items():
            print(f"\n{name}\n{details(it)}")


if __name__ == "__main__":
    main()
