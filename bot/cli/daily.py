"""Daily racks at a terminal: `okey daily`."""

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from bot.cli.arguments import WrongUsage
from engine.arrange import wins
from engine.daily import Puzzle, puzzle_of, solution_of
from engine.melds import words_of
from engine.tiles import Tile


def run_daily(arguments: Namespace) -> int:
    """Print the puzzles of these days with their answers; 1 when a check found a bad one."""
    first = arguments.date.toordinal()
    days = range(first, first + arguments.days)
    if days[-1] > date.max.toordinal():
        raise WrongUsage(f"The last date is {date.max}.")
    puzzles = map(puzzle_of, days)
    if arguments.check:
        figures = check(puzzles)
        print(json.dumps(figures))
        return 1 if figures["repeated"] or figures["doubtful"] else 0
    for puzzle in puzzles:
        print(json.dumps(_told(puzzle)), flush=True)
    return 0


def check(puzzles: Iterable[Puzzle]) -> dict[str, Any]:
    """The number of puzzles of each kind and level, the number of repeated ones, the smallest margins of the
    best answers, and the number without a single best answer."""
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
    """The margin of the best answer: unseen tiles that help, points from opening, or 1 when only that tile
    finishes. 0 or less when it is not the only best one."""
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


def _told(puzzle: Puzzle) -> dict[str, Any]:
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
