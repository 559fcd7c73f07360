"""`okey judge`, `replay` and `verify` as organisers' scripts call them (FORMATS)."""

import io
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.cli.offline import LONGEST_LINE
from bot.main import main
from engine.replay import seal
from tests.engine.fuzz_judge import CODES, damaged
from tests.engine.laid_out import rules_of
from tests.engine.many_records import Json, played_and_recorded
from tests.engine.many_records import damaged as damaged_record
from tests.patience import PATIENCE

PAIRS = ["R1", "R1", "Y2", "Y2", "B3", "B3", "K4", "K4", "R6", "R6", "Y7", "Y7", "B8", "B8"]
GOOD = json.dumps({"id": 7, "game": "classic", "indicator": "K9", "tiles": PAIRS}).encode()

Run = Callable[[bytes, str], tuple[int, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call `okey` with something on standard input; its exit status and what it printed."""

    def called(given: bytes, arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        status = main(arguments.split())
        return status, capsys.readouterr().out

    return called


def test_a_rack_is_judged_and_its_id_comes_back(run: Run) -> None:
    status, out = run(GOOD + b"\n", "judge")
    answer = json.loads(out)
    assert status == 0
    assert (answer["id"], answer["okey"], answer["wins"], answer["kinds"]) == (7, "K10", True, ["pairs"])


@pytest.mark.parametrize(
    "bad",
    [b"", b"not json", b"[]", b'{"id": 1, "game"', b'\xff{"id": 1}', b" " * 3 * LONGEST_LINE + GOOD],
    ids=["empty", "no json", "array", "cut", "no utf-8", "too long"],
)
def test_a_bad_line_is_answered_in_its_place_and_judging_goes_on(run: Run, bad: bytes) -> None:
    status, out = run(b"\n".join([GOOD, bad, GOOD]), "judge")
    first, second, third = map(json.loads, out.splitlines())
    assert status == 1
    assert second["error"]["code"] == "bad_json"
    assert first["wins"]
    assert first == third


def test_a_line_of_exactly_the_longest_length_is_still_a_line(run: Run) -> None:
    status, out = run(GOOD.ljust(LONGEST_LINE - 1) + b"\n" + GOOD, "judge")
    assert status == 0
    assert len(out.splitlines()) == 2


def test_nothing_to_judge_is_no_error(run: Run) -> None:
    assert run(b"", "judge") == (0, "")


def test_an_answer_comes_before_the_next_line_is_asked() -> None:
    with judging() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(GOOD + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["wins"]
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 0


def test_a_reader_who_goes_away_makes_no_traceback() -> None:
    with judging() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write((GOOD + b"\n") * 3)
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == b""


def judging() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "bot.main", "judge"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("command", ["judge --fast", "judge rack.txt", "replay", "verify", "fly"])
def test_wrong_usage_is_status_2(run: Run, command: str) -> None:
    with pytest.raises(SystemExit) as left:
        run(b"", command)
    assert left.value.code == 2


def test_a_file_that_is_not_there_is_wrong_usage(run: Run, tmp_path: Path) -> None:
    assert run(b"", f"replay {tmp_path}/none.json")[0] == 2


def test_any_line_is_answered_by_one_line_with_a_known_code(run: Run) -> None:
    chance = random.Random(5)
    given = [damaged(chance).encode("utf-8", "surrogatepass").replace(b"\n", b" ") for _ in range(1000)]
    status, out = run(b"\n".join(given) + b"\n", "judge")
    answers = [json.loads(line) for line in out.splitlines()]
    codes = {answer["error"]["code"] for answer in answers if "error" in answer}
    assert status == 1
    assert len(answers) == len(given)
    assert {"bad_json", "bad_tile", "bad_count", "bad_rules"} <= codes <= CODES


@pytest.fixture(scope="module")
def record() -> Json:
    """A sealed record of a short match."""
    rules = rules_of(preset="okey101", players=2, rounds=1, opening_points=51)
    return seal(played_and_recorded(rules, 2)[1])


def test_a_record_is_replayed_and_verified(run: Run, record: Json) -> None:
    status, out = run(json.dumps(record).encode(), "replay - --json")
    assert (status, json.loads(out)) == (0, record["result"])
    status, out = run(json.dumps(record).encode(), "verify -")
    assert (status, json.loads(out)["commitments"]) == (0, [record["rounds"][0]["commitment"]])


@pytest.mark.parametrize("command", ["replay -", "verify - --json"])
def test_a_damaged_record_is_an_error_with_a_code_and_a_sentence(
    run: Run, record: Json, command: str
) -> None:
    chance = random.Random(command)
    plain = {key: value for key, value in record.items() if key not in ("digest", "result")}
    statuses = [refusal(run, _bytes(damaged_record(plain, chance), chance), command) for _ in range(150)]
    assert statuses.count(1) > 100


def refusal(run: Run, given: bytes, command: str) -> int:
    """The exit status, once it fits what was printed."""
    status, out = run(given, command)
    answer: dict[str, Any] = json.loads(out)
    if status:
        assert answer["error"]["code"]
        assert answer["error"]["message"].endswith(".")
        assert set(answer["error"]) <= {"code", "message", "round", "action"}
    assert status == ("error" in answer)
    return status


def _bytes(record: Json, chance: random.Random) -> bytes:
    """A record as JSON, some of it with a byte changed or its end cut off."""
    data = bytearray(json.dumps(record).encode())
    match chance.randrange(4):
        case 0:
            data[chance.randrange(len(data))] = chance.randrange(256)
        case 1:
            del data[chance.randrange(len(data)) :]
    return bytes(data)
