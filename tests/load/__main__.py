"""`python -m tests.load [--beside PATH]`: what one process bears, in an open loop at 300 tables.

The rate of presses, without pictures and with them, and while somebody else presses 500 times a second, at
which the 99th percentile of answers comes within 250 ms; and computer players' turns a second. `cpu_ms`
is what each costs this process, whose event loop answers everybody; `stall_ms` the longest time in which that
loop did nothing else; `pictures` how soon the racks of answers are drawn. With a page open at every seat: the
share of a core that this process needs, at rest and while people move at the given rate, and after how long a
move has reached the others at its table. With another checkout beside it, whose `.venv` is used, each is
measured in turn.
"""

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any

from tests.measure.presses import interpreter_of

HERE = Path(__file__).resolve().parents[2]
INSIDE = Path(__file__).with_name("inside.py")

KINDS = {
    "presses": {"pictures": False, "computers": False, "flood": 0},
    "open pages": {"pictures": False, "computers": False, "flood": 0, "pages": True},
    "presses beside a flood": {"pictures": False, "computers": False, "flood": 500},
    "presses with pictures": {"pictures": True, "computers": False, "flood": 0},
    "computer players": {"pictures": False, "computers": True, "flood": 0},
}


def measured(root: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """One measurement of a checkout."""
    found: dict[str, Any] = json.loads(
        subprocess.run(
            [interpreter_of(root), str(INSIDE), json.dumps(settings)],
            cwd=root,
            env={"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
    )
    return found


def main() -> None:
    """Measure, and print a line of JSON for each measurement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--rate", type=float, default=20.0, help="of the first try, a second (default: 20)")
    parser.add_argument("--seconds", type=float, default=8.0, help="for each rate (default: 8)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--beside", type=Path, help="another checkout, with its own .venv")
    options = parser.parse_args()
    roots = {"here": HERE} | ({"beside": options.beside.resolve()} if options.beside else {})
    for kind in options.kinds:
        given = {"tables": options.tables, "rate": options.rate, "seconds": options.seconds}
        for name, root in roots.items():
            found = measured(root, given | KINDS[kind])
            print(json.dumps({"what": kind, "checkout": name, **found}), flush=True)


if __name__ == "__main__":
    main()
