"""Compare the arrangement in C with its reference: `python -m tests.engine.compare_speedups --help`.

Prints every question with different answers and exits 1 if there is one. With `--sanitize` the extension is
first compiled again under the address and undefined-behaviour sanitizers, and is also asked questions that
make no sense.
"""

import argparse
import importlib
import importlib.util
import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from engine.arrange import reference
from engine.arrange.rollouts import OtherSeat, Sight
from engine.melds import MeldRules
from engine.tiles import COLOURS, FULL_SET, Tile, tile_of
from tests.engine.compare_arrange import Held, dense_racks, random_racks, winning_racks

SOURCE = Path(reference.__file__).with_name("_speedups.c")
QUESTIONS = {
    "distance": 30, "distances": 10, "wins": 20, "useful_tiles": 10, "distances_without": 8,
    "finishing_discards": 20, "look_ahead": 0.02,
}  # fmt: skip
"""The questions about racks of classic Okey, the slow ones less often."""
SANITIZERS = "address,undefined"


def differences(chance: Random, count: int, fast: Any) -> Iterator[str]:
    """The different answers about this many racks: dealt ones, and some of many melds or few faces."""
    parts = count // 10
    for held in random_racks(chance, 4 * parts):
        yield from _difference(chance, held, fast)
    for held in winning_racks(chance, 3 * parts):
        yield from _difference(chance, held, fast)
    for held in dense_racks(chance, parts):
        yield from _difference(chance, held, fast)
    for held in random_racks(chance, parts, size=21):
        yield from _asked(fast, "opening_points", _rules(chance, held), held.tiles)
    for held in random_racks(chance, count // 50, size=28):
        yield from _asked(fast, "opening_points", _rules(chance, held), held.tiles)
    for held in dense_racks(chance, parts, size=18):
        yield from _asked(fast, "opening_points", _rules(chance, held), held.tiles)
    for _ in range(count // 250):
        yield from _asked(fast, "rollouts", *random_sight(chance))


def random_sight(chance: Random) -> tuple[Any, ...]:
    """A question about rollouts: a seat with a tile too many in some round of Okey 101."""
    okey, *tiles = chance.sample([tile for tile in FULL_SET if tile is not Tile.F], 104)
    opened, count = chance.choice((0, 0, 1, 2)), chance.randint(1, 3)
    rack, rest = tiles[: chance.randint(2, 14) if opened else 22], tiles[22:]
    others = tuple(_random_seat(chance) for _ in range(count))
    stock = chance.randrange(20)
    sight = Sight(
        points=chance.choice((61, 101)),
        pairs=chance.choice((4, 5)),
        partners=count == 3 and chance.random() < 0.5,
        stock=stock,
        opened=opened,
        others=others,
        table=tuple(_random_meld(chance) for _ in range(chance.randrange(6))),
    )
    unseen = Counter(rest[: sum(other.size for other in others) + stock + chance.randrange(3)])
    discards = (*chance.sample(rack, 2), None)
    return MeldRules(okey, wrap=False), rack, unseen, sight, discards, 2, chance.getrandbits(64)


def _random_seat(chance: Random) -> OtherSeat:
    opened = chance.choice((0, 0, 1, 2))
    size = chance.randint(1, 12) if opened else 21
    return OtherSeat(size, opened, tuple(chance.sample(FULL_SET, chance.randrange(4))))


def _random_meld(chance: Random) -> tuple[Tile, ...]:
    """The faces of a set or a run."""
    number, colour = chance.randrange(11), chance.randrange(4)
    if chance.random() < 0.5:
        colours = chance.sample(range(4), chance.choice((3, 4)))
        return tuple(tile_of(COLOURS[colour], number + 1) for colour in sorted(colours))
    last = min(13, number + chance.randint(3, 6))
    return tuple(tile_of(COLOURS[colour], each + 1) for each in range(number, last))


def _difference(chance: Random, held: Held, fast: Any) -> Iterator[str]:
    """One question about a rack, or about the rack with one more tile."""
    (question,) = chance.choices(list(QUESTIONS), list(QUESTIONS.values()))
    other = chance.choice([tile for tile in FULL_SET if held.tiles.count(tile) < 2])
    more = (*held.tiles, other)
    unseen = Counter(FULL_SET) - Counter(more)
    unseen.subtract(chance.sample(sorted(unseen.elements()), 20))
    rules = _rules(chance, held)
    match question:
        case "distances" | "wins":
            yield from _asked(fast, question, rules, [held.tiles, held.tiles[1:]])
        case "distance" | "distances_without" | "finishing_discards":
            yield from _asked(fast, question, rules, more)
        case "look_ahead":
            yield from _asked(fast, question, rules, held.tiles, unseen, 0.9)
        case _:
            yield from _asked(fast, question, rules, held.tiles)


def _rules(chance: Random, held: Held) -> MeldRules:
    return MeldRules(held.okey, wrap=chance.random() < 0.7, pairs=chance.random() < 0.7)


def _asked(fast: Any, question: str, *asked: Any) -> Iterator[str]:
    slow, quick = getattr(reference, question)(*asked), getattr(fast, question)(*asked)
    same = abs(slow - quick) < 1e-12 if isinstance(slow, float) else repr_of(slow) == repr_of(quick)
    if not same:
        yield f"{question}{asked}: {quick}, not {slow}"


def repr_of(answer: Any) -> Any:
    """An answer with its types and its order, so that 1 is not True and a tile is not a number."""
    if isinstance(answer, dict):
        return [(repr(key), repr_of(value)) for key, value in answer.items()]
    if isinstance(answer, frozenset):
        return sorted(map(repr, answer))
    if isinstance(answer, list | tuple):
        return [type(answer).__name__, *map(repr_of, answer)]
    return repr(answer)


def ask_nonsense(chance: Random, count: int, fast: Any) -> None:
    """Check that any question is answered or refused with an exception that says what is wrong."""
    odd: tuple[Any, ...] = (None, -1, 53, 1 << 70, "R1", 1.5, [], {}, object(), Tile.F, (Tile.R1,) * 3)
    questions = [name for name in vars(fast) if not name.startswith("_")]
    for _ in range(count):
        tiles: list[Any] = [chance.choice(FULL_SET) for _ in range(chance.randrange(30))]
        if chance.randrange(2):
            tiles[chance.randrange(len(tiles) + 1) :] = [chance.choice(odd)]
        rules = chance.choice([MeldRules(chance.choice(FULL_SET)), MeldRules(chance.choice(odd)), *odd])
        asked = [rules, chance.choice([tiles, [tiles], *odd]), Counter(FULL_SET), 0.9]
        with suppress(TypeError, ValueError, OverflowError, AttributeError, KeyError):
            getattr(fast, chance.choice(questions))(*asked[: chance.randrange(5)])


def compiled(folder: Path) -> Path:
    """The extension compiled under the sanitizers."""
    module = folder / f"_speedups{sysconfig.get_config_var('EXT_SUFFIX')}"
    compiler = shlex.split(sysconfig.get_config_var("CC"))
    flags = ["-g", "-O1", "-shared", "-fPIC", f"-fsanitize={SANITIZERS}", "-fno-sanitize-recover"]
    include = f"-I{sysconfig.get_paths()['include']}"
    subprocess.run([*compiler, *flags, include, str(SOURCE), "-o", str(module)], check=True)
    return module


def loaded(module: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("_speedups", module)
    assert spec is not None
    assert spec.loader is not None
    fast = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fast)
    return fast


def _run_sanitized(arguments: list[str]) -> int:
    """Run this command again in a process that loads the sanitizers' library first."""
    compiler = shlex.split(sysconfig.get_config_var("CC"))
    library = subprocess.run(
        [*compiler, "-print-file-name=libasan.so"], capture_output=True, check=True, text=True
    )
    with tempfile.TemporaryDirectory() as folder:
        module = compiled(Path(folder))
        surroundings = {**os.environ, "LD_PRELOAD": library.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0"}
        command = [sys.executable, "-m", "tests.engine.compare_speedups", *arguments, "--module", str(module)]
        return subprocess.run(command, env=surroundings, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the arrangement in C with its reference.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--racks", type=int, default=20_000)
    parser.add_argument("--sanitize", action="store_true", help="compile and run under the sanitizers")
    parser.add_argument("--module", type=Path, help="a compiled extension, asked nonsense, too")
    asked = parser.parse_args()
    numbers = ["--seed", str(asked.seed), "--racks", str(asked.racks)]
    if asked.sanitize:
        return _run_sanitized(numbers)
    chance = Random(asked.seed)
    fast = loaded(asked.module) if asked.module else importlib.import_module("engine.arrange._speedups")
    found = 0
    for difference in differences(chance, asked.racks, fast):
        print(difference)
        found += 1
    if asked.module:
        ask_nonsense(chance, asked.racks, fast)
    print(asked.racks, "racks,", found, "differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
