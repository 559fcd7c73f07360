"""Exports can be read by other programs, counted again, and lead to nobody's account."""

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.export import FORMULA, SeasonExport, nights_csv, results_csv, season_json, standings_csv
from bot.league.model import Format, League, Member, NightRef, Schedule, Season
from bot.league.schedule import Occurrence
from bot.league.standings import season_standings
from tests.bot.league.results import START, WEEK, night, table

LEAGUE = League(
    id="ab3cd",
    name="Perşembe",
    community="tg:-100777",
    places=("tg:-100777:5", "dc:424242/99"),
    language="tr",
    schedule=Schedule(start="2026-03-05T21:00", zone="Europe/Istanbul", rule="FREQ=WEEKLY"),
    format=Format(best_of=1),
    nights=(
        NightRef(id="L-1", start=START, season=1, over=True),
        NightRef(id="L-2", start=START + WEEK, season=1, over=True, cancelled=True),
    ),
    seasons={1: Season(number=1, settings=Format(best_of=1), champions=("m2",))},
    members={
        "m1": Member(id="m1", name="Ada", accounts=("tg:4711", "dc:4712")),
        "m2": Member(id="m2", name='Can "Bey", y', accounts=("dc:4713",), listed=True, partner="m1"),
        "m3": Member(id="m3", name="?"),
    },
)
NIGHTS = [
    night(
        1,
        table(1, "m1 -4", "m2 20", "- 7"),
        byes=((2, "m2"),),
        missed=((2, "m3"),),
        penalties=(("m1", 0.25),),
        bonuses=(("m2", 0.5),),
        missed_points=0.75,
    ),
    night(2, table(1, "m1 9", "m2 8", number=3, state="void"), table(1, "m2 3", "m1 2", "m3 1")),
]


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_standings_as_csv() -> None:
    head, *lines = rows(standings_csv(LEAGUE, season_standings(NIGHTS, LEAGUE.format, 1)))
    assert head == [
        *("rank", "tie_break", "member", "name", "points"),
        *("wins", "score", "opponents", "penalties", "bonuses", "qualified"),
        *("division", "move"),
        *("L-1", "L-1 counted", "L-2", "L-2 counted"),
    ]
    assert lines == [
        [
            "1",
            "",
            "m2",
            'Can "Bey", y',
            "5",
            "1",
            "20",
            "0",
            "0",
            "0.5",
            "yes",
            "0",
            "",
            "4.5",
            "yes",
            "3",
            "no",
        ],
        ["2", "", "m1", "Ada", "1.25", "0", "2", "1.5", "0.25", "0", "yes", "0", "", "0", "no", "1.5", "yes"],
        ["3", "", "m3", "?", "0.75", "0", "0", "0", "0", "0", "yes", "0", "", "0.75", "yes", "0", "no"],
    ]


def test_results_as_csv_hold_all_that_points_are_made_of() -> None:
    head, *lines = rows(results_csv(LEAGUE, NIGHTS[::-1]))
    assert head == [
        *("night", "kind", "round", "table", "seat", "member", "name"),
        *("score", "tiles_won", "points", "state", "corrected"),
    ]
    name = 'Can "Bey", y'
    assert lines == [
        ["L-1", "table", "1", "1", "0", "m1", "Ada", "-4", "0", "0", "counted", "no"],
        ["L-1", "table", "1", "1", "1", "m2", name, "20", "0", "3", "counted", "no"],
        ["L-1", "table", "1", "1", "2", "", "", "7", "0", "", "counted", "no"],
        ["L-1", "bye", "2", "", "", "m2", name, "", "", "1.5", "", ""],
        ["L-1", "missed", "2", "", "", "m3", "?", "", "", "0.75", "", ""],
        ["L-1", "penalty", "", "", "", "m1", "Ada", "", "", "-0.25", "", ""],
        ["L-1", "bonus", "", "", "", "m2", 'Can "Bey", y', "", "", "0.5", "", ""],
        ["L-2", "table", "1", "3", "0", "m1", "Ada", "9", "0", "", "void", "no"],
        ["L-2", "table", "1", "3", "1", "m2", name, "8", "0", "", "void", "no"],
        ["L-2", "table", "1", "1", "0", "m2", name, "3", "0", "3", "counted", "no"],
        ["L-2", "table", "1", "1", "1", "m1", "Ada", "2", "0", "1.5", "counted", "no"],
        ["L-2", "table", "1", "1", "2", "m3", "?", "1", "0", "0", "counted", "no"],
    ]


def test_nights_as_csv() -> None:
    assert rows(nights_csv(LEAGUE)) == [
        ["night", "season", "start", "over", "cancelled"],
        ["L-1", "1", "2026-03-05T18:00:00Z", "yes", "no"],
        ["L-2", "1", "2026-03-12T18:00:00Z", "yes", "yes"],
    ]


def named(name: str) -> str:
    """The cell in which a member's name stands."""
    league = replace(LEAGUE, members={"m1": Member(id="m1", name=name)})
    season = season_standings([night(1, table(1, "m1 1", "- 0"))], LEAGUE.format, 1)
    return rows(standings_csv(league, season))[1][3]


HYPERLINKED = '=HYPERLINK("http://example.org")'
CALLED = "=cmd|' /C calc'!A0"


@pytest.mark.parametrize(
    "name",
    [HYPERLINKED, CALLED, "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠SUM(A1)"],
)
def test_a_name_is_never_a_formula(name: str) -> None:
    assert named(name) == f"'{name}"


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1))
def test_any_name_comes_through_as_one_cell(name: str) -> None:
    assert named(name) == ("'" * name.startswith(FORMULA) + name)


def test_lines_end_as_rfc_4180_wants_it_and_numbers_are_numbers() -> None:
    text = standings_csv(LEAGUE, season_standings(NIGHTS, LEAGUE.format, 1))
    assert text.endswith("\r\n")
    assert text.count("\r\n") == text.count("\n") == 4
    assert ",-0.25," in results_csv(LEAGUE, NIGHTS)


def exported(season: int = 1) -> dict[str, object]:
    table = season_standings(NIGHTS, LEAGUE.format, 1)
    dates = (Occurrence("2026-03-19T21:00", START + 2 * WEEK),)
    facts = SeasonExport(
        league=LEAGUE, season=season, settings=LEAGUE.format, nights=NIGHTS, table=table, dates=dates
    )
    read: dict[str, object] = json.loads(season_json(facts))
    return read


def test_a_season_as_json() -> None:
    whole = exported()
    assert list(whole) == [
        *("format", "league", "season", "members", "nights", "standings", "next_nights"),
        *("paused_until", "champions"),
    ]
    assert whole["format"] == "okey-league/1"
    assert whole["members"] == [
        {"id": "m2", "name": 'Can "Bey", y'},
        {"id": "m1", "name": "Ada"},
        {"id": "m3", "name": "?"},
    ]
    assert whole["champions"] == {"1": ["m2"]}
    assert whole["next_nights"] == [START + 2 * WEEK]
    assert whole["paused_until"] is None
    league, season = whole["league"], whole["season"]
    assert isinstance(league, dict)
    assert isinstance(season, dict)
    assert (league["name"], league["schedule"]["rule"]) == ("Perşembe", "FREQ=WEEKLY")
    assert (season["number"], season["settings"]["best_of"]) == (1, 1)


def test_nights_hold_all_that_points_are_made_of() -> None:
    nights = exported()["nights"]
    assert isinstance(nights, list)
    first, second = nights
    assert (first["id"], first["number"], first["start"]) == ("L-1", 1, START)
    assert first["tables"][0]["seats"] == [
        {"member": "m1", "score": -4, "wins": 0, "points": 0.0},
        {"member": "m2", "score": 20, "wins": 0, "points": 3.0},
        {"member": "", "score": 7, "wins": 0, "points": None},
    ]
    assert "table" not in first["tables"][0], "no id that leads to a replay"
    assert first["penalties"] == [["m1", 0.25]]
    assert [each["state"] for each in second["tables"]] == ["void", "counted"]
    assert second["tables"][0]["seats"][0]["points"] is None


def test_standings_in_json_are_those_of_the_season() -> None:
    standings = exported()["standings"]
    assert isinstance(standings, list)
    assert [(each["rank"], each["tie"], each["member"], each["points"]) for each in standings] == [
        (1, "", "m2", 5.0),
        (2, "", "m1", 1.25),
        (3, "", "m3", 0.75),
    ]
    assert standings[0]["nights"][1] == {"night": "L-2", "points": 3.0, "counted": False}


def test_nothing_leads_to_an_account_or_a_place() -> None:
    everything = json.dumps(exported()) + results_csv(LEAGUE, NIGHTS) + nights_csv(LEAGUE)
    everything += standings_csv(LEAGUE, season_standings(NIGHTS, LEAGUE.format, 1))
    for secret in ("4711", "4712", "4713", "100777", "424242"):
        assert secret not in everything


def test_the_points_of_a_members_lines_add_up_to_their_points() -> None:
    for played in NIGHTS:
        head, *lines = rows(results_csv(LEAGUE, [played]))
        summed: dict[str, Fraction] = {}
        for line in (dict(zip(head, line, strict=True)) for line in lines):
            if line["points"]:
                summed[line["member"]] = summed.get(line["member"], Fraction(0)) + Fraction(line["points"])
        season = season_standings([played], Format(counting="sum"), 1)
        assert summed == {each.member: each.points for each in season}
