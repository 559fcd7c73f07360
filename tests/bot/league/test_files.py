"""`okey league export` and `okey league members`, as an organiser's scripts call them."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import redis
from msgspec import msgpack

from bot.league.events import CheckInClosed, Ended, NightEvent, Recorded, RoundEnded
from bot.league.model import NightRef
from bot.league.seasons import announcement
from bot.repository.leagues import LeagueRepository
from bot.store import Store, open_store
from tests.bot.league.evenings import KEY, NIGHT, START, checked_in, league, played, replied, seated
from tests.patience import PATIENCE

pytestmark = pytest.mark.long

HELD = replace(league(), nights=(NightRef(id=NIGHT, start=START, season=1, over=True),))
FOUR = ("m1", "m2", "m3", "m4")
EVENING: tuple[NightEvent, ...] = (
    *replied(FOUR),
    *checked_in(FOUR),
    CheckInClosed(playing=FOUR),
    *seated(FOUR),
    *played(1, 1, FOUR, (10, 4, -2, 0)),
    RoundEnded(round=1),
    Ended(),
)

Okey = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
async def held(store: Store) -> LeagueRepository:
    """A league with one night, of one table."""
    leagues = LeagueRepository(store)
    await leagues.create_league(HELD, "found")
    announced = announcement(HELD, NightRef(id=NIGHT, start=START, season=1), KEY)
    await leagues.announce(Recorded(START, "", "", announced), NIGHT)
    await leagues.act(NIGHT, "played", lambda night, now: EVENING)
    return leagues


@pytest.fixture
def okey(valkey_url: str, tmp_path: Path) -> Okey:
    """Calls `okey league …` on the store of the test."""
    environment = {"PATH": os.environ["PATH"], "REDIS_URL": valkey_url, "DATA_DIR": str(tmp_path)}

    def call(*words: str, typed: str = "", **other: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bot.main", "league", *words]
        return subprocess.run(
            command,
            input=typed,
            capture_output=True,
            text=True,
            env=environment | other,
            cwd=tmp_path,
            timeout=PATIENCE,
        )

    return call


async def test_everything_is_exported_as_json_and_nobodys_account(held: LeagueRepository, okey: Okey) -> None:
    done = okey("export", "ABCDE")
    whole = json.loads(done.stdout)
    assert whole["format"] == "okey-league-export/1"
    assert [member["name"] for member in whole["league"]["members"].values()][:2] == ["Ada", "Can"]
    assert len(whole["nights"][0]["events"]) == 1 + len(EVENING)
    assert "mem:" not in done.stdout


async def test_a_season_is_exported_as_csv_into_a_file(
    held: LeagueRepository, okey: Okey, tmp_path: Path
) -> None:
    file = tmp_path / "table.csv"
    assert okey("export", "abcde", "--format", "csv", "--output", str(file)).returncode == 0
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert [(row["rank"], row["name"], row["points"]) for row in rows] == [
        ("1", "Ada", "3"),
        ("2", "Can", "2"),
        ("3", "Bob", "1"),
        ("4", "Eve", "0"),
    ]
    results = okey("export", "abcde", "--format", "csv", "--what", "results").stdout
    assert [row["score"] for row in csv.DictReader(results.splitlines())] == ["10", "4", "-2", "0"]
    assert "BEGIN:VCALENDAR" in okey("export", "abcde", "--format", "ics").stdout


@pytest.mark.parametrize("words", [("export", "abcde"), ("members", "abcde", "-")])
def test_where_nothing_was_ever_kept_nothing_is_left_behind(
    okey: Okey, tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = okey(*words, REDIS_URL="", DATA_DIR="data")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Nothing has been kept in data:" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("export", "zzzzz"), "There is no such league: the address of its page ends with"),
        (("export", "abcde", "--format", "csv", "--season", "2"), "The league has seasons 1 to 1."),
        (("export", "abcde", "--output", "/"), "/: Is a directory."),
        (("members", "\udcff", "-"), "There is no such league"),
    ],
)
async def test_what_there_is_not_is_said(
    held: LeagueRepository, okey: Okey, words: tuple[str, ...], sentence: str
) -> None:
    done = okey(*words)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_league_of_a_newer_version_is_left_alone(
    held: LeagueRepository, okey: Okey, valkey_url: str
) -> None:
    with redis.Redis.from_url(valkey_url) as server:
        for key in server.scan_iter("*abcde*", _type="HASH"):
            server.hset(key, "s", msgpack.encode((999, {})))
    for words in (("export", "abcde"), ("members", "abcde", "-")):
        done = okey(*words, typed="Ada\n")
        assert (done.returncode, done.stdout) == (1, "")
        assert "another version" in done.stderr
        assert "Traceback" not in done.stderr


async def test_a_list_of_members_is_taken_in_whole_or_not_at_all(held: LeagueRepository, okey: Okey) -> None:
    wrong = okey("members", "abcde", "-", typed="Ada\nLia,discord:abc\nMia,tg:1,tg:x\n")
    assert wrong.returncode == 1
    assert len(wrong.stderr.splitlines()) == 2, "each wrong line is told"
    before = await held.league("abcde")
    assert before is not None
    assert before.value == HELD

    long = okey("members", "abcde", "-", typed="".join(f"Name {n}\n" for n in range(1001)))
    assert (long.returncode, "too long" in long.stderr, "Traceback" in long.stderr) == (1, True, False)
    assert okey("members", "abcde", "-", typed="Ada\nLia,discord:123456\n").returncode == 0
    after = await held.league("abcde")
    assert after is not None
    assert {member.name for member in after.value.members.values() if member.listed} == {"Ada", "Lia"}


async def test_a_league_moves_to_another_store_by_its_file(
    held: LeagueRepository, okey: Okey, tmp_path: Path, store: Store
) -> None:
    file = tmp_path / "league.json"
    exported = okey("export", "abcde", "--output", str(file))
    assert (exported.returncode, exported.stderr) == (0, "")
    again = okey("import", str(file))
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr == "okey: This league is here already.\n"
    other = tmp_path / "other"
    other.mkdir()
    async with open_store(None, other):
        pass
    there = {"REDIS_URL": "", "DATA_DIR": str(other)}
    taken = okey("import", str(file), **there)
    assert (taken.returncode, taken.stderr) == (0, "")
    assert taken.stdout.startswith("League abcde is here, with 1 nights and 9 members.\n")
    assert okey("export", "abcde", **there).stdout == file.read_text(), "byte for byte"
    rows = list(csv.reader(okey("codes", "abcde", **there).stdout.splitlines()))
    assert rows[1][2].startswith("/okey league join ")
    assert [row[1] for row in rows[2:]][:3] == ["Ada", "Can", "Eve"]
    wrong = okey("import", "-", typed="{}", **there)
    assert wrong.stderr == "okey: This is no league that this version of the program exported.\n"
