"""Benchmarks: measurements of this machine, as JSON. Times are measured here, never in a test."""

import asyncio
import json
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any

from bot.bench.engine import bench_arrange, bench_judge, bench_pictures
from bot.bench.moves import bench_moves, example_table
from bot.store import open_store

TABLES = (10, 100, 1000, 3000)
DURABLE_TABLES = (1, 100)
"""The numbers of tables with `DURABILITY=always`, for comparison."""


def run_bench(arguments: Namespace) -> int:
    """Measure everything on a store of its own, and print it as JSON."""
    report: dict[str, Any] = {
        "engine": bench_arrange(),
        "judge": bench_judge(),
        "pictures": bench_pictures(example_table()),
    }
    report["tables"] = asyncio.run(_tables(TABLES, arguments.seconds, "everysec"))
    report["tables_always_on_disk"] = asyncio.run(_tables(DURABLE_TABLES, arguments.seconds, "always"))
    report["calls_a_turn"] = measure_by("tests.evening.turn_calls")
    report["league_page"] = measure_by("tests.adapters.web.league_load")
    report["league_costs"] = measure_by("tests.measure.league_costs")
    print(json.dumps(report, indent=2))
    return 0


def measure_by(module: str) -> dict[str, Any] | None:
    """Return the measurements of a program among the tests, which has chats and pages; null without the
    tests, and when it fails: what was measured before it took minutes."""
    root = Path(__file__).resolve().parents[2]
    if not root.joinpath(*module.split(".")).with_suffix(".py").exists():
        return None
    ended = subprocess.run([sys.executable, "-m", module], cwd=root, stdout=subprocess.PIPE, check=False)
    if ended.returncode != 0:
        print(f"{module} failed: its figures are missing.", file=sys.stderr)
        return None
    measured: dict[str, Any] = json.loads(ended.stdout)
    return measured


async def _tables(counts: tuple[int, ...], seconds: float, fsync: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(None, Path(folder), fsync) as store:
            return await bench_moves(store, counts, seconds)
