"""`okey bench` plays on tables of its own: what it measures is the game itself."""

import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from msgspec import structs

from bot import bench
from bot.bench.moves import move_times, one_move, open_tables, press_times
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Store
from bot.tables.table import Change
from tests.engine.laid_out import WINS_IN_MELDS, match_of, turn_of

pytestmark = pytest.mark.long


async def test_tables_are_opened_and_played_at(store: Store) -> None:
    tables = await open_tables(store, 2)
    for play in (move_times, press_times):
        versions = [
            held.version for table in tables if (held := await store.documents.load(table)) is not None
        ]
        await play(store, tables, 0.05)
        after = [held.version for table in tables if (held := await store.documents.load(table)) is not None]
        assert all(new > old for new, old in zip(after, versions, strict=True))
    assert len(versions) == 2


async def test_a_round_is_played_on_though_its_last_discard_may_be_taken(store: Store) -> None:
    """Nobody can draw then. A round in some ten thousand ends so."""
    (table,) = await open_tables(store, 1)
    repository = TableRepository(store)

    def to_the_last_take(stored: StoredTable) -> Change:
        match = match_of(stored.value.match.rules, {2: WINS_IN_MELDS}, stock="Y2")
        match = turn_of(match, 2, rack=WINS_IN_MELDS, phase="draw", stock="", piles={1: "Y2"})
        return Change(structs.replace(stored.value, match=match))

    stored = await repository.change(table, "to the last take", to_the_last_take)
    for number in range(8):  # all four may take
        stored = await repository.change(table, f"move {number}", one_move)
    assert stored.value.results


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
    assert bench.measure_by("tests.evening.turn_calls") is None
    assert "tests.evening.turn_calls failed" in capfd.readouterr().err
