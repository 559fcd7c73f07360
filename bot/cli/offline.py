"""Offline commands: those that need no store and no chat: replay, verify, judge, simulate, daily."""

import json
import os
import sys
import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, BinaryIO, Final

from bot.cli.arguments import WrongUsage, content_of
from engine.arrange import wins
from engine.daily import Puzzle, puzzle_of, solution_of
from engine.errors import EngineError, Unreadable
from engine.judge import judge_line
from engine.melds import words_of
from engine.moves import Move
from engine.players import LEVELS, PlayerLevel, choose
from engine.replay import replay
from engine.rules import Rules, rules_from
from engine.simulate import duel, rack_distances, simulate
from engine.tiles import Tile
from engine.verify import shortcoming, verify
from engine.view import SeatView

LONGEST_LINE: Final = 1 << 16
"""The most bytes of a line to judge. Longer ones are never held in memory, and count as bad lines."""


def run_replay(arguments: Namespace) -> int:
    """Play a record again and print its result."""
    return _judge(arguments, replay)


def run_verify(arguments: Namespace) -> int:
    """Play a record again, and check every deal against what was published before it, and the signature of
    every public beacon whose key is known. 1 if anything is wrong or forged, and if the record doesn't say
    what its deals were bound to: then it proves less, and the output says so beside the result."""
    return _judge(arguments, _verify_signed)


def _verify_signed(record: object) -> dict[str, Any]:
    from bot.worker.signatures import is_signed  # the judge does not need it

    result = verify(record)
    for told in filter(None, result["beacons"]):
        given = bytes.fromhex(told["signature"] or "")
        told["signed"] = is_signed(told["chain"], told["round"], given) if given else None
    error = shortcoming(result)
    return result if error is None else result | {"error": _describe_error(error)}


def run_judge(arguments: Namespace) -> int:
    """Judge standard input line by line; 1 when some line had an error."""
    status = 0
    for line in _lines(sys.stdin.buffer):
        verdict = judge_line(line)
        status = status if verdict.good else 1
        print(verdict.line, flush=True)  # a caller that asks line by line waits for the answer
    return status


def run_simulate(arguments: Namespace) -> int:
    """Let computer players play, and print the figures as JSON."""
    if arguments.racks:
        print(json.dumps(asdict(rack_distances(arguments.racks, os.fsencode(arguments.seed)))))
        return 0
    rules = rules_from({"preset": arguments.preset})
    if arguments.duel:
        return _run_duel(rules, arguments)
    levels = arguments.players.split(",")
    levels = levels * rules.players if len(levels) == 1 else levels
    if len(levels) != rules.players or not set(levels) <= set(LEVELS):
        known = ", ".join(LEVELS)
        raise WrongUsage(f"--players takes one level or {rules.players} of them, of {known}.")
    figures = simulate(rules, levels, arguments.rounds, os.fsencode(arguments.seed))
    print(json.dumps(asdict(figures)))
    return 0


def run_daily(arguments: Namespace) -> int:
    """Print the puzzles of these days with their answers; 1 when a check found a bad one."""
    first = arguments.date.toordinal()
    days = range(first, first + arguments.days)
    if days[-1] > date.max.toordinal():
        raise WrongUsage(f"The last date is {date.max}.")
    puzzles = map(puzzle_of, days)
    if arguments.check:
        figures = check_puzzles(puzzles)
        print(json.dumps(figures))
        return 1 if figures["repeated"] or figures["doubtful"] else 0
    for puzzle in puzzles:
        print(json.dumps(_describe_puzzle(puzzle)), flush=True)
    return 0


def _run_duel(rules: Rules, arguments: Namespace) -> int:
    hero, others = arguments.duel
    timed = _Timed()
    figures = duel(rules, hero, others, arguments.deals, os.fsencode(arguments.seed), timed.choose)
    named = {"preset": arguments.preset, "hero": hero, "others": others}
    print(json.dumps({**named, **asdict(figures), "seconds_a_decision": timed.means()}))
    return 0


class _Timed:
    """Computer players whose decisions are timed."""

    def __init__(self) -> None:
        self._seconds: dict[PlayerLevel, float] = defaultdict(float)
        self._decisions: Counter[PlayerLevel] = Counter()

    def choose(
        self, level: PlayerLevel, rules: Rules, view: SeatView, legal: Sequence[Move], seed: bytes
    ) -> Move:
        started = time.perf_counter()
        move = choose(level, rules, view, legal, seed)
        self._seconds[level] += time.perf_counter() - started
        self._decisions[level] += 1
        return move

    def means(self) -> dict[str, float]:
        return {level: round(self._seconds[level] / count, 6) for level, count in self._decisions.items()}


def sentence(error: EngineError) -> str:
    """Return the sentence about an error, for a person at a terminal."""
    from bot.errors import sentence_key  # the judge needs neither these nor a catalogue
    from bot.i18n import words_for

    return words_for("en").plain(sentence_key(error.code, error.parameters), **error.parameters)


def _judge(arguments: Namespace, judge: Callable[[object], dict[str, Any]]) -> int:
    try:
        result = judge(_read(arguments.file))
    except EngineError as error:
        print(json.dumps({"error": _describe_error(error)}))
        return 1
    print(json.dumps(result, indent=None if arguments.json else 2))
    return int("error" in result)


def _lines(source: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream. A line that is too long or not UTF-8 becomes an empty, and so a bad
    one."""
    while line := source.readline(LONGEST_LINE):
        if _goes_on(line):
            while _goes_on(source.readline(LONGEST_LINE)):
                pass
            line = b""
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield ""


def _goes_on(part: bytes) -> bool:
    return len(part) == LONGEST_LINE and not part.endswith(b"\n")


def _read(file: str) -> object:
    try:
        return json.loads(content_of(file))
    except (ValueError, RecursionError):
        raise Unreadable("bad_json") from None


def _describe_error(error: EngineError) -> dict[str, Any]:
    where: dict[str, Any] = {
        key: error.parameters[key] for key in ("round", "action") if key in error.parameters
    }
    return {"code": error.code, "message": sentence(error), **where}


def check_puzzles(puzzles: Iterable[Puzzle]) -> dict[str, Any]:
    """Return the number of puzzles of each kind and level, the number of repeated ones, the smallest margins
    of the best answers, and the number without a single best answer."""
    kinds, racks, margins = Counter[str](), Counter[object](), dict[str, int]()
    doubtful = 0
    for puzzle in puzzles:
        kinds[f"{puzzle.kind} {puzzle.level}"] += 1
        racks[puzzle.kind, puzzle.indicator, puzzle.rack] += 1
        margin = margin_of(puzzle)
        margins[puzzle.kind] = min(margin, margins.get(puzzle.kind, margin))
        doubtful += margin <= 0
    return {
        "days": racks.total(),
        "puzzles": dict(sorted(kinds.items())),
        "repeated": racks.total() - len(racks),
        "narrowest": margins,
        "doubtful": doubtful,
    }


def margin_of(puzzle: Puzzle) -> int:
    """Return the margin of the best answer: unseen tiles that help, points from opening, or 1 when only that
    tile finishes. 0 or less when it is not the only best one."""
    if puzzle.kind == "finish":
        racks = [(*puzzle.rack, tile) for tile in puzzle.choices if isinstance(tile, Tile)]
        won = wins(puzzle.rules.meld_rules(puzzle.okey), racks)
        return 2 - sum(won) if won[puzzle.choices.index(puzzle.best)] else 0
    solution = solution_of(puzzle)
    if puzzle.kind == "open":
        return _margin_of_opening(puzzle, solution.points, solution.pairs)
    best, *others = sorted(solution.outlooks.values(), key=lambda each: (each.distance, -each.live))
    rivals = [each.live for each in others if each.distance == best.distance]
    right = isinstance(puzzle.best, Tile) and solution.outlooks[puzzle.best] == best
    return best.live - max(rivals, default=0) if right else 0


def _margin_of_opening(puzzle: Puzzle, points: int, pairs: int) -> int:
    enough, paired = points >= puzzle.rules.opening_points, pairs >= puzzle.rules.opening_pairs
    right = {"melds": enough and not paired, "pairs": paired and not enough, "no": not (enough or paired)}
    return abs(points - puzzle.rules.opening_points) if right[str(puzzle.best)] else 0


def _describe_puzzle(puzzle: Puzzle) -> dict[str, Any]:
    solution = solution_of(puzzle)
    told: dict[str, Any] = {
        "day": date.fromordinal(puzzle.day).isoformat(),
        "kind": puzzle.kind,
        "level": puzzle.level,
        "indicator": puzzle.indicator.name,
        "tiles": _names(puzzle.rack),
        "choices": _names(puzzle.choices),
        "best": str(puzzle.best),
    }
    if solution.outlooks:
        told["discards"] = {
            tile.name: {"distance": each.distance, "live": each.live, "unseen": each.unseen}
            for tile, each in solution.outlooks.items()
        }
    if solution.melds:
        told["melds"] = [words_of(meld, puzzle.okey) for meld in solution.melds]
    return told | ({"opening": solution.points, "pairs": solution.pairs} if puzzle.kind == "open" else {})


def _names(values: Sequence[object]) -> list[str]:
    return [str(value) for value in values]
