"""docs/verify.md: for every preset its program finds the engine's deal, and finds a changed tile."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.deal import deal
from engine.record import record_of, round_entry
from engine.rules import PRESETS
from engine.shuffle import Beacon, Rng, Seed
from tests.engine.laid_out import rules_of

PAGE = Path(__file__).parents[2] / "docs" / "verify.md"


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's program as a file."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path_factory.mktemp("page") / "check.py"
    path.write_text(program, encoding="utf-8")
    return path


def run(checker: Path, record: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    file = checker.parent / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", str(checker), str(file)], capture_output=True, text=True, check=False
    )


def sample(
    switches: dict[str, object],
    rounds: int = 40,
    gone: tuple[int, ...] = (),
    beacon: Beacon | None = None,
) -> dict[str, Any]:
    """A record of deals without actions."""
    rules = rules_of(**switches)
    seats = tuple(seat for seat in range(rules.players) if seat not in gone)
    entries = []
    for number in range(1, rounds + 1):
        seed = Seed(bytes([number]) * 64, ("elma", "", "göl"), "masa 1", number, beacon)
        dealer = seats[number % len(seats)]
        entries.append(round_entry(deal(rules, dealer, seats, Rng(seed, "deal")), [], seed))
    return record_of(rules, ["Ada", "Can", "Ece", "Ali"][: rules.players], entries)


VARIANTS: list[dict[str, object]] = [
    *[dict[str, object](preset=name) for name in PRESETS],
    {"players": 2},
    {"players": 3, "deal": "quick"},
    {"preset": "okey101", "players": 3, "starter": "after_dealer", "die_counts_from": "top"},
    {"preset": "okey-rounds", "false_joker_indicator": "reroll"},
    {"deal": "quick", "false_joker_indicator": "false_jokers_wild"},
]


@pytest.mark.parametrize("switches", VARIANTS, ids=str)
def test_the_page_finds_what_the_engine_dealt(checker: Path, switches: dict[str, object]) -> None:
    record = sample(switches)
    done = run(checker, record)
    assert done.stderr == ""
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 40
    for line, entry in zip(lines, record["rounds"], strict=True):
        assert line.endswith(f"{entry['commitment']} 2 words right")


def test_the_page_knows_of_seats_that_have_left(checker: Path) -> None:
    assert run(checker, sample({"preset": "okey-elimination"}, gone=(1,))).returncode == 0


@pytest.mark.parametrize("signature", [b"signed" * 8, b""], ids=["signed", "silent"])
def test_the_page_deals_with_a_beacon(checker: Path, signature: bytes) -> None:
    record = sample({}, rounds=3, beacon=Beacon("52db" * 16, 657413, signature))
    done = run(checker, record)
    assert done.stderr == ""
    entered = f"beacon {'52db' * 16} 657413 {signature.hex() or 'SILENT'}"
    commitments = [entry["commitment"] for entry in record["rounds"]]
    assert [line.split(": ")[1] for line in done.stdout.splitlines()] == [
        f"{commitment} 2 words {entered} right" for commitment in commitments
    ]
    record["rounds"][1]["seed"] = sample({}, rounds=3)["rounds"][1]["seed"]  # as if it had had no part
    assert run(checker, record).stdout.splitlines()[1].endswith("WRONG")


def test_the_page_needs_no_deal(checker: Path) -> None:
    record = sample({})
    for entry in record["rounds"]:
        del entry["deal"]
    assert run(checker, record).returncode == 0


@pytest.mark.parametrize("what", ["stock", "rack", "secret", "word", "commitment", "number", "no seed"])
def test_the_page_finds_what_was_changed(checker: Path, what: str) -> None:
    record = sample({}, rounds=2)
    entry = record["rounds"][1]
    deal_told = entry["deal"]
    seed = Seed(bytes([2]) * 64, ("elma", "", "göl"), "masa 1", 2)
    match what:
        case "stock":
            deal_told["stock"][0], deal_told["stock"][1] = deal_told["stock"][1], deal_told["stock"][0]
        case "rack":
            deal_told["racks"][0], deal_told["racks"][1] = deal_told["racks"][1], deal_told["racks"][0]
        case "secret":
            entry["seed"] = Seed(bytes([3]) * 64, seed.words, seed.table, 2).text()
        case "word":
            entry["seed"] = Seed(seed.secret, ("elm", "a", "göl"), seed.table, 2).text()
        case "commitment":
            entry["commitment"] = "0" * 64
        case "number":
            moved = Seed(seed.secret, seed.words, seed.table, 3)
            entry["seed"], entry["commitment"] = moved.text(), moved.commitment()
        case _:
            del entry["seed"]
    done = run(checker, record)
    assert done.returncode == 1
    assert "round 1" in done.stdout
    assert "right" in done.stdout.splitlines()[0]
    assert "right" not in done.stdout.splitlines()[1]
