"""The `okey` command: its help and version, what it refuses to do, and what `okey run` says at its start."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.main import COMMANDS, main
from engine.rules import PRESETS
from tests.patience import PATIENCE

pytestmark = pytest.mark.long

LEAGUE = tuple(f"league {each}" for each in ("export", "members", "seating"))


HEAVY = ("redis", "discord", "telegram", "aiohttp", "PIL", "babel", "openskill", "prometheus_client")


def test_no_help_and_no_offline_command_waits_for_a_store_or_a_chat() -> None:
    code = """
import sys
from bot.main import main
heavy = sys.argv[1].split()
for words in sys.argv[2:]:
    try:
        main(words.split())
    except SystemExit as left:
        assert left.code == 0, words
    print(words, *(set(heavy) & set(sys.modules)), sep=": ", file=sys.stderr)
"""
    helps = [f"{words} --help" for words in ("", *(command.name for command in COMMANDS), *LEAGUE)]
    run = ["judge", "simulate --rounds 1", "daily", "league seating --people 8 --rounds 1"]
    command = [sys.executable, "-c", code, " ".join(HEAVY), "--version", *helps, *run]
    done = subprocess.run(command, input=b"", capture_output=True, check=True)
    assert done.stderr.decode().splitlines() == ["--version", *helps, *run]


@pytest.mark.parametrize(
    "words",
    ["", *(command.name for command in COMMANDS), *LEAGUE],
)
def test_every_help_ends_with_examples_and_names_no_text_that_is_not_shipped(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([*words.split(), "--help"])
    shown = capsys.readouterr().out
    assert left.value.code == 0
    examples = shown.split("examples:\n")[1].splitlines()
    assert examples
    assert all("okey " + words in line for line in examples)
    assert [text for text in ("FORMATS", "RULES", "module", "`okey`") if text in shown] == []


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert (left.value.code, capsys.readouterr().out) == (0, f"okey {version('okey-for-chat')}\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--rounds 0", "--rounds: 0 is not a whole number from 1 up"),
        ("--rounds -3", "--rounds: -3 is not a whole number from 1 up"),
        ("--racks 0", "--racks: 0 is not a whole number from 1 up"),
        ("--preset okey102", "--preset: there is no 'okey102'. Choose one of these: okey101, okey, "),
        ("--preset banana", f"Choose one of these: {', '.join(PRESETS)}\n"),
        ("--duel steady shrap", "Choose one of these: sharp, random, nearest, greedy, easy, steady\n"),
        ("--duel steady steady --deals 0", "--deals: 0 is not a whole number from 1 up"),
    ],
)
def test_simulate_says_what_it_takes(capsys: pytest.CaptureFixture[str], words: str, told: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["simulate", *words.split()])
    assert left.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("replay {}", "can't be read: Is a directory."),
        ("verify {}/none", "can't be read: No such file or directory."),
        ("league members 99j9x {}", "can't be read: Is a directory."),
        ("league members 99j9x {}/latin", "can't be read: it is not text in UTF-8."),
        ("daily 9999-12-31 --days 2", "The last date is 9999-12-31."),
        ("simulate --players easy,easy", "--players takes one level or 4 of them"),
    ],
)
def test_what_cannot_be_done_is_wrong_usage_and_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: str, told: str
) -> None:
    (tmp_path / "latin").write_bytes(b"Ay\xfee\n")
    assert main(words.format(tmp_path).split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("okey: ")
    assert told in line


@pytest.mark.parametrize(
    ("typed", "status", "told"),
    [
        ("daily > /dev/full", 1, "okey: No space left on device."),
        ("judge <&- >&-", 0, ""),
        (r"simulate --rounds 1 --seed $'\xff' > /dev/null", 0, ""),
        ("league seating --people 8 --rounds 1 > /dev/null", 0, ""),
        ("daily --days 9 | head -1 > /dev/null; exit ${PIPESTATUS[0]}", 0, ""),
    ],
)
def test_no_stream_makes_a_traceback(typed: str, status: int, told: str) -> None:
    command = f"PYTHONIOENCODING=ascii {sys.executable} -m bot.main {typed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (status, told)


def test_the_page_is_announced_once_it_is_served_and_a_taken_port_names_another(tmp_path: Path) -> None:
    with running(tmp_path, 0) as first:
        assert first.stdout is not None
        announced = re.search(r"open (http://127\.0\.0\.1:(\d+)/) and play", first.stdout.readline())
        assert announced is not None
        address, port = announced[1], int(announced[2])
        ready(f"{address}healthz")
        with urlopen(f"{address}metrics") as answer:
            counted = {
                family.name: family for family in text_string_to_metric_families(answer.read().decode())
            }
        assert {"okey_presses", "okey_calls", "okey_backlog", "okey_rate_limited"} <= set(counted)
        assert [sample.value for sample in counted["okey_tables"].samples] == [0.0]
        assert {sample.labels["work"] for sample in counted["okey_leases"].samples} == {"clock", "web"}
        with running(tmp_path, port, OKEY_TURN_SECOND="hush") as second:
            said, log = second.communicate(timeout=PATIENCE)
    assert (second.returncode, said) == (1, "")
    assert f"port {port} is taken by another program" in log
    assert f"WEB_PORT={port + 1} make run" in log
    assert ("OKEY_TURN_SECOND is no setting" in log, "hush" in log) == (True, False)


def ready(address: str) -> None:
    """Wait until this health check is passed."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(address):
                return
        except HTTPError as refused:
            if refused.code != 503 or time.monotonic() > deadline:
                raise
        time.sleep(0.02)


@contextmanager
def running(folder: Path, port: int, **more: str) -> Iterator[subprocess.Popen[str]]:
    """`okey run` with its data in a folder, without any token."""
    environment = {name: text for name, text in os.environ.items() if not name.endswith("_TOKEN")}
    environment |= {"WEB_PORT": str(port), "DATA_DIR": str(folder)} | more
    with subprocess.Popen(
        [sys.executable, "-m", "bot.main", "run"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
