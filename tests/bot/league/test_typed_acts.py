"""Organisers' acts as they are typed: the names, numbers and reasons of a line."""

import pytest

from bot.handlers.league.night_actions import read_action
from tests.bot.league.evenings import league

NAMED = league(("Ada", "Ada 2", "Player 1"))


@pytest.mark.parametrize(
    ("line", "arguments", "why"),
    [
        ("Ada 2", ("m1", "2"), ""),
        ("Ada 1 late again", ("m1", "1"), "late again"),
        ("Ada 2 1", ("m2", "1"), ""),
        ("Ada 2 1.5 late again", ("m2", "1,5"), "late again"),
        ("player 1 3", ("m3", "3"), ""),
    ],
)
def test_a_penalty_is_for_the_longest_name_that_the_line_begins_with(
    line: str, arguments: tuple[str, ...], why: str
) -> None:
    assert read_action("penalty", line, NAMED) == (arguments, why)


@pytest.mark.parametrize("minus", ["-", "−"])
def test_scores_are_typed_or_copied_from_a_board(minus: str) -> None:
    line = f"1.3 12 4 0 {minus}2 as agreed"
    assert read_action("correct", line, NAMED) == (("1_3", "12", "4", "0", "-2"), "as agreed")
