"""Honest rounds of every preset, and every forgery of some, before all checkers of deals.

`python -m tests.engine.many_deals 1000` plays that many rounds of each preset, and hands their records to the
engine (as `okey verify` does), to the program of docs/verify.md, to the page's script in node, and to a third
checker that was written from the page alone. It prints how many each accepts, and of the forged ones refuses.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from engine.errors import EngineError
from engine.rules import PRESETS
from engine.verify import shortcoming, verify
from tests.engine.forgeries import DRAND, FORGERIES, forge, honest
from tests.engine.third_checker import reason_against

Json = dict[str, Any]
Answers = list[str | None]
"""Why each record is refused; None: it is accepted."""

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "verify.md"
SCRIPT: Final = ROOT / "bot" / "screens" / "check" / "check.js"
IN_NODE: Final = """
import { check } from "./check.mjs";
import { readFileSync } from "node:fs";
for (const line of readFileSync(0, "utf-8").split("\\n").filter(Boolean)) {
  try {
    await check(JSON.parse(line));
    console.log("null");
  } catch (error) {
    console.log(JSON.stringify(String(error.code ?? error)));
  }
}
"""


def by_engine(records: list[Json]) -> Answers:
    """What `okey verify` says."""
    said: Answers = []
    for record in records:
        try:
            error: EngineError | None = shortcoming(verify(record))
        except EngineError as refused:
            error = refused
        said.append(None if error is None else error.code)
    return said


def by_page(records: list[Json]) -> Answers:
    """What the program of docs/verify.md says. It is the program's own text, run once for all records."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    parts = program[: program.index("if not check_record(")]
    told = "for line in sys.stdin:\n    print('=', check_record(json.loads(line)))\n"
    lines = _run([sys.executable, "-I", "-c", f"{parts}\n{told}"], records)
    said, reason = list[str | None](), "refused"
    for line in lines:
        if "WRONG: " in line:
            reason = line.split("WRONG: ")[1]
        elif line.startswith("= "):
            said.append(None if line == "= True" else reason)
            reason = "refused"
    return said


def by_script(records: list[Json]) -> Answers:
    """What the script of the page in the browser says, in node."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SCRIPT, f"{folder}/check.mjs")
        Path(folder, "run.mjs").write_text(IN_NODE)
        return [json.loads(line) for line in _run(["node", f"{folder}/run.mjs"], records)]


def by_third(records: list[Json]) -> Answers:
    """What the third checker says."""
    return [reason_against(record) for record in records]


def _run(command: list[str], records: list[Json]) -> list[str]:
    told = "\n".join(map(json.dumps, records)) + "\n"
    done = subprocess.run(command, input=told, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def checkers() -> dict[str, Callable[[list[Json]], Answers]]:
    """Every checker that this machine can run."""
    known = {"okey verify": by_engine, "check.py": by_page, "third": by_third}
    return known | ({"page": by_script} if shutil.which("node") else {})


def honest_rounds(preset: str, rounds: int, first: int = 0) -> Iterator[Json]:
    """Records of a preset with at least this many rounds in all, every other one with a beacon."""
    number = first
    while rounds > 0:
        record = honest(preset, number, DRAND if number % 2 else None)
        rounds -= len(record["rounds"])
        number += 1
        yield record


def forged_records() -> Iterator[Json]:
    """Every forgery, with a beacon and without."""
    for beacon in (None, DRAND):
        record = honest(number=7, beacon=beacon)
        yield from (forge(record, way) for way in FORGERIES)


def main(rounds: int) -> int:
    """Run all of it, and print the figures. 1 if anything was judged wrong."""
    wrong = 0
    for preset in PRESETS:
        records = list(honest_rounds(preset, rounds))
        played = sum(len(record["rounds"]) for record in records)
        refused = {name: sum(map(bool, check(records))) for name, check in checkers().items()}
        wrong += sum(refused.values())
        print(
            json.dumps({"preset": preset, "rounds": played, "records": len(records), "refused": refused}),
            flush=True,
        )
    forged = list(forged_records())
    accepted = {name: check(forged).count(None) for name, check in checkers().items()}
    wrong += sum(accepted.values())
    print(json.dumps({"forged": len(forged), "ways": len(FORGERIES), "accepted": accepted}))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
