"""docs/rules.md says in both languages what the program plays: games, switches, defaults and figures."""

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import pytest

from bot.screens.switches import value_of
from engine.errors import Unreadable
from engine.games import game_of
from engine.match import new_match, next_round
from engine.rules import PRESETS, Rules, rules_from
from engine.shuffle import Seed
from engine.state import Ending, Round, over

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")
ENGLISH, TURKISH = PAGE.split("\n# Burada okey nasıl oynanır\n")
HALVES = pytest.mark.parametrize("half", [ENGLISH, TURKISH], ids=["English", "Turkish"])

SEED = Seed(bytes(64), (), "table", 1)
USUAL = {"classic": rules_from({}), "101": rules_from({"game": "101"})}

Row = list[str]


def changes(rules: Rules, round: Round) -> tuple[int, ...]:
    """What a round has done to every score."""
    return game_of(rules).changes(rules, round)


def tables(half: str) -> list[list[Row]]:
    """The tables' rows without their headings: costs of both games, games, switches."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", half, re.MULTILINE)
    return [
        [[cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines()[2:]]
        for block in blocks
    ]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def figures(row: Row) -> list[int]:
    return [int(cell.replace("−", "-")) for cell in row[1:]]


def switches_in(words: list[str]) -> dict[str, object]:
    """What a row of the games says: switches, and the name of another game to begin with."""
    said: dict[str, object] = {"preset": "okey"}
    for word in words:
        name, is_switch, value = word.partition("=")
        if not is_switch:
            said["preset"] = name
        elif name == "game":
            del said["preset"]
            said["game"] = value
        else:
            said[name] = value_of(name, value)
    return said


@HALVES
def test_every_game_is_what_its_row_says(half: str) -> None:
    games = {codes(name)[0]: codes(same) for name, same in tables(half)[2]}
    assert list(games) == list(PRESETS)
    for name, words in games.items():
        assert rules_from(switches_in(words)) == rules_from({"preset": name}), name


def test_the_readmes_count_every_game() -> None:
    english, turkish = {10: ("ten", "on"), 11: ("eleven", "on bir"), 12: ("twelve", "on iki")}[
        len(PRESETS) - len(USUAL)
    ]
    assert f"Classic Okey, Okey 101 and {english} variants" in (ROOT / "README.md").read_text("utf-8")
    assert f"Klasik okey, 101 ve {turkish} çeşidi" in (ROOT / "README.tr.md").read_text("utf-8")


@HALVES
def test_every_switch_has_its_values_and_its_default(half: str) -> None:
    rows = {codes(row[0])[0]: row[1] for row in tables(half)[3]}
    assert list(rows) == [field.name for field in fields(Rules)]
    for name, cell in rows.items():
        usual = getattr(USUAL["classic"], name)
        told = [value_of(name, text) for text in re.findall(r"\*\*`([^`]+)`\*\*", cell)]
        assert told == ([[each] for each in usual] if isinstance(usual, tuple) else [usual]), name
        assert_values(name, codes(cell), is_range="–" in cell)


def assert_values(name: str, told: list[str], *, is_range: bool) -> None:
    """The values told are all that a switch can have."""
    hint = get_type_hints(Rules)[name]
    if is_range:
        low, high = int(told[0]), int(told[1])
        assert [
            allowed(name, [number] * 4 if name == "factors" else number)
            for number in (low - 1, low, high, high + 1)
        ] == [
            False,
            True,
            True,
            False,
        ]
    elif hint is bool:
        assert set(told) == {"true", "false"}
    else:
        choices = get_args(hint) if get_origin(hint) is not tuple else get_args(get_args(hint)[0])
        assert set(told) == set(choices), name


def allowed(name: str, value: int | list[int]) -> bool:
    """Return whether a switch can have the value, whatever else would have to be different."""
    try:
        rules_from({name: value})
    except Unreadable as error:
        return error.code == "rules_clash"
    return True


@HALVES
def test_the_figures_of_classic_rounds_are_those_of_the_engine(half: str) -> None:
    start, win, winner, doubled, both, shown, nobody = (figures(row) for row in tables(half)[0])
    for column, scoring in enumerate(("countdown", "penalty", "rounds")):
        rules = rules_from({"scoring": scoring})
        round = next_round(new_match(rules), SEED)[0].round
        assert round is not None

        def ended(*how: str, rules: Rules = rules) -> tuple[int, ...]:
            return changes(rules, over(round, Ending("win", winner=0, how=how)))  # noqa: B023

        assert start[column] == game_of(rules).starting_score(rules)
        assert (winner[column], win[column]) == ended()[:2]
        assert doubled[column] == ended("joker")[1] == ended("pairs")[1]
        assert both[column] == ended("joker", "pairs")[1]
        assert (
            shown[column]
            == changes(rules, replace(over(round, Ending("exhausted")), shown_by=0))[1] - nobody[column]
        )
        assert [nobody[column]] * 4 == list(changes(rules, over(round, Ending("exhausted"))))


@HALVES
def test_the_figures_of_101_are_those_of_the_engine(half: str) -> None:
    rules = USUAL["101"]
    round = next_round(new_match(rules), SEED)[0].round
    assert round is not None
    once: tuple[tuple[str, ...], ...] = (("elden",), ("joker",), ("pairs",))
    ways: list[tuple[tuple[str, ...], ...]] = [((),), once, (("elden", "joker"), ("joker", "pairs"))]
    for row, hows in zip(tables(half)[1], ways, strict=True):
        for how in hows:
            ended = over(round, Ending("win", winner=0, how=how))
            assert figures(row) == list(changes(rules, ended)[:2])


def test_what_is_said_of_101_in_words_is_so() -> None:
    rules = USUAL["101"]
    assert (rules.starter, rules.one_after_thirteen) == ("dealer", False)
    assert "in 101 the dealer" in ENGLISH
    assert "in 101 it is not" in ENGLISH
    assert f"worth {rules.opening_points} points" in ENGLISH
    assert f"{rules.opening_points} sayılık" in TURKISH


def test_both_languages_have_the_same_tables() -> None:
    for english, turkish in zip(tables(ENGLISH), tables(TURKISH), strict=True):
        assert [row[0] for row in english if codes(row[0])] == [row[0] for row in turkish if codes(row[0])]
        assert [codes(row[1]) for row in english] == [codes(row[1]) for row in turkish]
