"""docs/verify.md: for every preset its program finds the engine's deal, and refuses what is forged."""

import copy
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.match import new_match
from engine.replay import make_record
from engine.rules import PRESETS
from engine.shuffle import Beacon
from tests.engine.forgeries import DRAND, FORGERIES, forge, honest
from tests.engine.laid_out import rules_of
from tests.engine.many_records import bind

pytestmark = pytest.mark.long

PAGE = Path(__file__).parents[2] / "docs" / "verify.md"
NAMES = ["Ada", "Can", "Ece", "Ali"]


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


def first_rounds(switches: dict[str, object], count: int = 40) -> list[dict[str, Any]]:
    """Records of first deals without moves."""
    rules = rules_of(**switches)
    found = []
    for number in range(count):
        match, names = new_match(rules), NAMES[: rules.players]
        bound = bind(match, bytes([number]) * 64, list(zip(names, ["", "göl", "", "elma"], strict=False)), [])
        found.append(make_record(rules, ["?"] * rules.players, [bound._replace(words={})]))
    return found


VARIANTS: list[dict[str, object]] = [
    *[dict[str, object](preset=name) for name in PRESETS],
    {"players": 2},
    {"players": 3, "deal": "quick"},
    {"preset": "okey101", "players": 3, "starter": "after_dealer", "die_counts_from": "top"},
    {"preset": "okey-rounds", "false_joker_indicator": "reroll"},
    {"deal": "quick", "false_joker_indicator": "false_jokers_wild"},
    {"first_dealer": "highest_tile", "teams": True},
    {"preset": "okey101", "first_dealer": "highest_die", "players": 2},
    {"false_joker_indicator": "next_tile", "riziko": True},
    {"false_joker_indicator": "next_tile", "die_counts_from": "top", "riziko": True, "players": 2},
    {"preset": "okey101-raise", "false_joker_indicator": "next_tile", "riziko": True},
    {"riziko": True},
    {"deal": "quick", "riziko": True},
]


@pytest.mark.parametrize("switches", VARIANTS, ids=str)
def test_the_page_finds_what_the_engine_dealt(checker: Path, switches: dict[str, object]) -> None:
    for record in first_rounds(switches, 40):
        done = run(checker, record)
        assert (done.stderr, done.returncode) == ("", 0), done.stdout
        (entry,) = record["rounds"]
        told = f"round 1: seal {entry['commitment']} fingerprint {entry['context']['digest']} right"
        assert done.stdout.splitlines()[0] == told


BEACONS = {"alone": None, "beacon": DRAND, "silent": Beacon(DRAND.chain, 7, b"")}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "beacon", [None, DRAND, Beacon(DRAND.chain, 7, b"")], ids=["alone", "beacon", "silent"]
)
def test_the_page_accepts_whole_matches(checker: Path, preset: str, beacon: Beacon | None) -> None:
    record = honest(preset, 3, beacon)
    done = run(checker, record)
    assert (done.stderr, done.returncode) == ("", 0), done.stdout
    assert done.stdout.count("right\n") == len(record["rounds"])
    if beacon is not None:
        told = f"beacon {beacon.chain} {beacon.round} {beacon.signature.hex() or 'SILENT'}"
        assert done.stdout.count(told) == len(record["rounds"])
    for seat in record["rounds"][0]["context"]["seats"]:
        assert f"  {seat['name']}: {seat['word'] or '(no word)'}\n" in done.stdout


def test_the_page_knows_of_seats_that_have_left(checker: Path) -> None:
    """Elimination: the deal passes on among those who still play."""
    records = [honest("okey-elimination", number) for number in range(1, 30)]
    left = [r for r in records if any(len(e["context"]["playing"]) < 4 for e in r["rounds"])]
    assert left
    assert run(checker, left[0]).returncode == 0


def test_the_page_needs_no_deal(checker: Path) -> None:
    record = honest()
    for entry in record["rounds"]:
        del entry["deal"]
    assert run(checker, record).returncode == 0


@pytest.mark.parametrize("beacon", [None, DRAND], ids=["alone", "beacon"])
@pytest.mark.parametrize("way", FORGERIES)
def test_the_page_refuses_what_is_forged_and_says_why(checker: Path, way: str, beacon: Beacon | None) -> None:
    done = run(checker, forge(honest(beacon=beacon), way))
    assert done.returncode == 1
    assert done.stderr == ""
    assert re.search(r"round \d: WRONG: .+", done.stdout), done.stdout
    assert "can't be read" not in done.stdout


def test_the_page_accepts_nothing_that_claims_nothing(checker: Path) -> None:
    record = honest()
    assert run(checker, {**record, "rounds": []}).returncode == 1
    older = copy.deepcopy(record)
    older["rounds"][0]["seed"] = "00000001aa"
    assert run(checker, older).returncode == 1
