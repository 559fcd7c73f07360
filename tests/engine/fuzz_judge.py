"""Damaged lines into `judge`: `python -m tests.engine.fuzz_judge [--lines 100000]`."""

import argparse
import json
import sys
from collections import Counter
from random import Random

from engine.judge import judge_line
from engine.tiles import FACES

CODES = {"bad_json", "bad_tile", "bad_count", "impossible_tiles", "bad_rules", "bad_indicator"}
SCRAPS = ['"', "{", "]", "\\", "\ud800", "0", "é", "", ",", "F", "null"]


def damaged(chance: Random) -> str:
    """A line that is right, nearly right, or nonsense."""
    game, size = chance.choice([("classic", 14), ("classic", 15), ("101", 21), ("101", 22), ("chess", 14)])
    tiles = [chance.choice(FACES).name for _ in range(size - (chance.randrange(20) == 0))]
    indicator = chance.choice(FACES).name
    asked = {"id": chance.randrange(9), "game": game, "indicator": indicator, "tiles": tiles}
    if chance.randrange(3) == 0:
        asked["rules"] = {chance.choice(["teams", "preset", "false_joker_indicator", ""]): chance.choice(
            [True, "okey101", "false_jokers_wild", None]
        )}  # fmt: skip
    line = json.dumps(asked)
    for _ in range(chance.choice([0, 0, 1, 3])):
        at = chance.randrange(len(line))
        line = line[:at] + chance.choice(SCRAPS) + line[at + 1 :]
    return line


def outcome(line: str) -> str:
    """The code of the answer's error, or `good`; raises when it is not an answer."""
    verdict = judge_line(line)
    answer = json.loads(verdict.line)
    code: str = answer["error"]["code"] if "error" in answer else "good"
    if verdict.good != (code == "good") or (code != "good" and code not in CODES) or "\n" in verdict.line:
        raise ValueError(verdict.line)
    return code


def main() -> int:
    parser = argparse.ArgumentParser(description="Judge damaged lines.")
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = Random(asked.seed)
    print(dict(Counter(outcome(damaged(chance)) for _ in range(asked.lines))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
