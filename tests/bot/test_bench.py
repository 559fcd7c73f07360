"""`okey bench` plays on tables of its own: what it measures is the game itself."""

import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from bot import bench
from bot.bench.moves import move_times, open_tables, press_times
from bot.store import Store


async def test_tables_are_opened_and_played_at(store: Store) -> None:
    tables = await open_tables(store, 2)
    for play in (move_times, press_times):
        versions = [held.version for table in tables if (held := await store.load(table)) is not None]
        await play(store, tables, 0.05)
        after = [held.version for table in tables if (held := await store.load(table)) is not None]
        assert all(new > old for new, old in zip(after, versions, strict=True))
    assert len(versions) == 2


@pytest.mark.parametrize("program", ["tests.evening.turn_calls", "tests.adapters.web.league_load"])
def test_what_it_runs_of_the_tests_needs_nothing_that_only_tests_need(program: str) -> None:
    """`make run` installs no more than that."""
    checkout = Path(__file__).resolve().parents[2]
    pinned = {
        file: {line.split("==")[0] for line in (checkout / file).read_text().splitlines() if "==" in line}
        for file in ("requirements.lock", "requirements-dev.lock")
    }
    only_tested = pinned["requirements-dev.lock"] - pinned["requirements.lock"]
    absent = [
        module
        for module, packages in packages_distributions().items()
        if {package.lower().replace("_", "-") for package in packages} <= only_tested
    ]
    assert "jsonschema" in absent
    without = f"import sys; sys.modules.update(dict.fromkeys({absent})); import {program}"
    ended = subprocess.run([sys.executable, "-c", without], cwd=checkout, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_a_program_that_fails_costs_no_other_measurement(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert bench.measured_by("tests.evening.turn_calls") is None
    assert "tests.evening.turn_calls failed" in capfd.readouterr().err
