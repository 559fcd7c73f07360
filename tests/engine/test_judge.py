"""`okey judge`, line by line (FORMATS)."""

import json
from random import Random
from typing import Any

import pytest

from engine.judge import judge_line
from tests.engine.fuzz_judge import CODES, damaged, outcome

MELDS = "R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11"
PAIRS = "R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K12"
HOPELESS = "R1 R7 R9 R12 Y1 Y5 Y8 Y12 B2 B5 B10 B13 K2 K6"
RUN_AND_SET = "R10 R11 R12 R13 Y12 B12 K12"
WORTH_100 = RUN_AND_SET + " R6 Y6 B6 Y1 Y3 Y8 B2 B4 B9 K1 K3 K5 K7 K9"
WORTH_101 = RUN_AND_SET + " R4 Y4 B4 K4 R1 Y1 B1 K2 K6 K8 Y6 Y8 B7 B9"
"""46 + 36 + 18, and 46 + 36 + 16 + 3."""


def asked(rack: str, **changes: Any) -> str:
    return json.dumps({"id": 1, "game": "classic", "indicator": "R4", "tiles": rack.split()} | changes)


def answer(line: str) -> dict[str, Any]:
    verdict = judge_line(line)
    assert "\n" not in verdict.line
    read: dict[str, Any] = json.loads(verdict.line)
    assert verdict.good == ("error" not in read)
    return read


def test_fourteen_tiles_that_win() -> None:
    assert answer(asked("B6 R5 R5 B9 F R6 R7 Y1 Y2 Y3 K7 K8 K9 K10")) == {
        "id": 1,
        "okey": "R5",
        "wins": True,
        "kinds": ["melds"],
        "melds": [
            ["F", "R6", "R7"],
            ["Y1", "Y2", "Y3"],
            ["B6", "*B7", "*B8", "B9"],
            ["K7", "K8", "K9", "K10"],
        ],
        "distance": 0,
        "finishes": None,
    }


def test_fourteen_tiles_that_do_not() -> None:
    assert answer(asked(MELDS.replace("R3", "R8"))) == {
        "id": 1,
        "okey": "R5",
        "wins": False,
        "kinds": [],
        "melds": None,
        "distance": 1,
        "finishes": None,
    }


def test_pairs_and_the_switch_that_allows_them() -> None:
    found = answer(asked(PAIRS))
    assert (found["wins"], found["kinds"], found["distance"]) == (True, ["pairs"], 0)
    assert sorted(found["melds"]) == sorted([tile, tile] for tile in set(PAIRS.split()))
    assert not answer(asked(PAIRS, rules={"pairs_win": False}))["wins"]
    assert not answer(asked(PAIRS, rules={"preset": "okey-rounds"}))["wins"]


def test_one_after_thirteen_is_a_switch() -> None:
    rack = MELDS.replace("R1 R2 R3", "R12 R13 R1")
    assert answer(asked(rack))["wins"]
    assert not answer(asked(rack, rules={"one_after_thirteen": False}))["wins"]


def test_the_finishing_discards_of_fifteen_tiles() -> None:
    found = answer(asked(MELDS + " K12"))
    assert found["finishes"] == [
        {"discard": tile, "kinds": ["melds"], "joker": False, "one_color": False} for tile in ("K7", "K12")
    ]
    assert (found["wins"], found["kinds"], found["distance"]) == (True, ["melds"], 0)
    assert sum(map(len, found["melds"])) == 14


def test_finishing_with_an_okey_and_in_one_colour() -> None:
    found = answer(asked("K1 K2 K3 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 R5"))
    by_tile = {finish["discard"]: finish for finish in found["finishes"]}
    assert by_tile["R5"] == {"discard": "R5", "kinds": ["melds"], "joker": True, "one_color": True}
    assert by_tile["K13"]["one_color"]


@pytest.mark.parametrize(
    ("rack", "rules", "one_color"),
    [
        ("K1 K2 K3 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 R1", {}, True),
        ("K1 K2 K3 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 R1", {"one_color_double": "red_black"}, True),
        ("B1 B2 B3 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 R1", {"one_color_double": "any"}, True),
        ("B1 B2 B3 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 R1", {"one_color_double": "red_black"}, False),
        ("K1 K2 K3 F R6 R7 K6 K7 K8 K9 K10 K11 K12 K13 R1", {}, False),
        ("R1 R2 R3 F R6 R7 R6 R7 R8 R9 R10 R11 R12 R13 Y1", {}, True),
    ],
)
def test_one_colour(rack: str, rules: dict[str, object], one_color: bool) -> None:
    """RULES 4: the 14 tiles without the discard; a false joker is of the okey's colour."""
    finishes = answer(asked(rack, rules=rules))["finishes"]
    last = {"discard": rack.split()[-1], "kinds": ["melds"], "joker": False, "one_color": one_color}
    assert last in finishes


def test_fifteen_tiles_that_cannot_finish() -> None:
    found = answer(asked(HOPELESS + " K4"))
    assert (found["wins"], found["kinds"], found["melds"], found["finishes"]) == (False, [], None, [])
    assert found["distance"] >= 4


def test_a_rack_of_101() -> None:
    found = answer(asked(WORTH_101, game="101"))
    assert sorted(found.pop("melds")) == [
        ["R1", "Y1", "B1"],
        ["R10", "R11", "R12", "R13"],
        ["R4", "Y4", "B4", "K4"],
        ["Y12", "B12", "K12"],
    ]
    assert found == {"id": 1, "okey": "R5", "opening": 101, "pairs": 0, "opens": True}


@pytest.mark.parametrize(
    ("rack", "rules", "opens"),
    [
        (WORTH_100, {}, False),
        (WORTH_101, {}, True),
        (WORTH_100, {"opening_points": 100}, True),
        (WORTH_101, {"opening_points": 102}, False),
        (WORTH_101 + " R3", {"preset": "okey101-raise"}, True),
    ],
)
def test_enough_points_to_open(rack: str, rules: dict[str, object], opens: bool) -> None:
    assert answer(asked(rack, game="101", rules=rules))["opens"] is opens


@pytest.mark.parametrize(("pairs", "opens"), [(4, False), (5, True)])
def test_enough_pairs_to_open(pairs: int, opens: bool) -> None:
    doubled = ["R1", "R1", "Y4", "Y4", "B7", "B7", "K10", "K10", "R12", "R12"][: 2 * pairs]
    alone = ["R3", "R6", "R9", "Y1", "Y7", "Y9", "B2", "B5", "B11", "K3", "K6", "K8", "K13"][: 21 - 2 * pairs]
    found = answer(asked(" ".join(doubled + alone), game="101"))
    assert (found["opening"], found["pairs"], found["opens"]) == (0, pairs, opens)
    assert answer(asked(" ".join(doubled + alone), game="101", rules={"opening_pairs": 4}))["opens"]


def test_a_false_joker_lies_open_only_where_false_jokers_are_wild() -> None:
    wild = {"false_joker_indicator": "false_jokers_wild"}
    found = answer(asked(MELDS.replace("R3", "F"), indicator="F", rules=wild))
    assert (found["okey"], found["wins"]) == ("F", True)
    assert "*R3" in found["melds"][0] or ["R1", "R2", "*R3"] in found["melds"]
    assert answer(asked(MELDS, indicator="F"))["error"]["code"] == "bad_indicator"


def test_lower_case_and_green() -> None:
    assert answer(asked(MELDS.lower().replace("b", "g"), indicator="r4"))["wins"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "bad_json"),
        ("{", "bad_json"),
        ("[]", "bad_json"),
        ("null", "bad_json"),
        ('{"id": NaN}', "bad_json"),
        ('{"id": 1e999}', "bad_json"),
        ("[" * 100_000, "bad_json"),
        ('{"id":' + "[" * 900 + "]" * 900 + "}", "bad_rules"),
        ("9" * 5000, "bad_json"),
        (asked(MELDS, tiles=None), "bad_json"),
        (asked(MELDS, tiles=MELDS), "bad_json"),
        (asked(MELDS, game="chess"), "bad_rules"),
        (asked(MELDS, game=None), "bad_rules"),
        (asked(MELDS, game=["classic"]), "bad_rules"),
        (asked(MELDS, rules=[]), "bad_rules"),
        (asked(MELDS, rules={"jokers": 3}), "bad_rules"),
        (asked(MELDS, rules={"pairs_win": "yes"}), "bad_rules"),
        (asked(MELDS, rules={"teams": True, "players": 3}), "bad_rules"),
        (asked(MELDS, rules={"preset": "okey101"}), "bad_rules"),
        (asked(MELDS, rules={"game": "101"}), "bad_rules"),
        (asked(MELDS, indicator="R14"), "bad_indicator"),
        (asked(MELDS, indicator=4), "bad_indicator"),
        (asked(MELDS, indicator=None), "bad_indicator"),
        (asked(MELDS.replace("R1", "R0")), "bad_tile"),
        (asked(MELDS.replace("R1", "{tile}")), "bad_tile"),
        (asked(MELDS, tiles=[1] * 14), "bad_tile"),
        (asked(MELDS, tiles=[["R1"]] * 14), "bad_tile"),
        (asked("R1 R2 R3"), "bad_count"),
        (asked(MELDS + " K12 K13"), "bad_count"),
        (asked(MELDS, game="101"), "bad_count"),
        (asked(WORTH_101), "bad_count"),
        (asked(MELDS.replace("R2 R3", "R1 R1")), "impossible_tiles"),
        (asked(MELDS.replace("R2 R3", "R4 R4")), "impossible_tiles"),
        (asked(MELDS.replace("R1 R2 R3", "F F F")), "impossible_tiles"),
    ],
)
def test_a_bad_line(line: str, code: str) -> None:
    found = answer(line)
    assert found["error"]["code"] == code
    assert found["error"]["message"].endswith(".")


def test_the_identity_comes_back_whatever_it_is() -> None:
    for value in (None, "ç", 0, 1.5, ["a", {"b": []}], True):
        assert answer(asked(MELDS, id=value))["id"] == value
        assert answer(asked("R1", id=value))["id"] == value
    assert answer(json.dumps({"game": "classic", "indicator": "R4", "tiles": MELDS.split()}))["id"] is None


def test_no_line_makes_it_stumble() -> None:
    """At full size: `python -m tests.engine.fuzz_judge`."""
    chance = Random(7)
    outcomes = {outcome(damaged(chance)) for _ in range(3000)}
    assert outcomes == CODES | {"good"}
