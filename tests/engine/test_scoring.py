"""RULES 4, row by row: the scores of a classic round. Every number is from RULES."""

import pytest

from engine.match import Match, play
from engine.moves import Discard, Finish, Show
from engine.tiles import tile_from_text
from tests.engine.laid_out import (
    HOPELESS,
    WINS_IN_MELDS,
    WINS_IN_PAIRS,
    match_of,
    rules_of,
    turn_of,
)

# The indicator is K13: K1 is the okey. Seat 2 is on turn and wins.

RED_RUNS = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R4 R5 R6"
BLUE_RUNS = "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B1"
BLACK_PAIRS = "K2 K2 K3 K3 K5 K5 K7 K7 K9 K9 K10 K10 K12 K12"
YELLOW_PAIRS = "Y2 Y2 Y3 Y3 Y5 Y5 Y7 Y7 Y9 Y9 Y10 Y10 Y12 Y12"


def won(rack: str, discard: str, **switches: object) -> Match:
    match = turn_of(match_of(rules_of(**switches), {}), 2, rack=f"{rack} {discard}")
    return play(match, 2, Finish(tile_from_text(discard)))[0]


def exhausted(**switches: object) -> Match:
    match = turn_of(match_of(rules_of(**switches), {}), 2, rack=f"{HOPELESS} K9", turns=399)
    return play(match, 2, Discard(tile_from_text("K9")))[0]


PLAIN, OKEY, PAIRS, BOTH = (
    (WINS_IN_MELDS, "Y13"),
    (WINS_IN_MELDS, "K1"),
    (WINS_IN_PAIRS, "Y13"),
    (WINS_IN_PAIRS, "K1"),
)


@pytest.mark.parametrize(
    ("win", "countdown", "penalty", "rounds"),
    [
        (PLAIN, (-2, -2, 0, -2), (20, 20, 0, 20), (0, 0, 1, 0)),
        (OKEY, (-4, -4, 0, -4), (40, 40, 0, 40), (0, 0, 1, 0)),
        (PAIRS, (-4, -4, 0, -4), (40, 40, 0, 40), (0, 0, 1, 0)),
        (BOTH, (-8, -8, 0, -8), (80, 80, 0, 80), (0, 0, 1, 0)),
    ],
    ids=["win", "okey", "pairs", "pairs and okey"],
)
def test_a_win(
    win: tuple[str, str], countdown: tuple[int, ...], penalty: tuple[int, ...], rounds: tuple[int, ...]
) -> None:
    assert won(*win).changes == countdown
    assert won(*win, scoring="penalty").changes == penalty
    assert won(*win, scoring="rounds").changes == rounds


@pytest.mark.parametrize(("win", "changes"), [
    (PLAIN, (-2, -2, 0, -2)), (OKEY, (-4, -4, 0, -4)), (BOTH, (-4, -4, 0, -4)),
])  # fmt: skip
def test_only_the_largest_doubling_counts_without_stacking(
    win: tuple[str, str], changes: tuple[int, ...]
) -> None:
    assert won(*win, stack_doublings=False).changes == changes


@pytest.mark.parametrize(("players", "changes"), [(2, None), (3, (-2, -2, 0)), (4, (-2, -2, 0, -2))])
def test_a_win_with_fewer_players(players: int, changes: tuple[int, ...] | None) -> None:
    if changes is not None:
        assert won(*PLAIN, players=players).changes == changes
        return
    match = turn_of(match_of(rules_of(players=2), {}), 1, rack=f"{WINS_IN_MELDS} Y13")
    assert play(match, 1, Finish(tile_from_text("Y13")))[0].changes == (-2, 0)


@pytest.mark.parametrize(
    ("scoring", "changes"),
    [("countdown", (0, 0, 0, 0)), ("penalty", (10, 10, 10, 10)), ("rounds", (0, 0, 0, 0))],
)
def test_an_exhausted_round(scoring: str, changes: tuple[int, ...]) -> None:
    match = exhausted(scoring=scoring)
    assert match.changes == changes


@pytest.mark.parametrize(
    ("switch", "rack", "discard", "lost"),
    [
        ("off", RED_RUNS, "Y13", -2),
        ("any", RED_RUNS, "Y13", -4),
        ("any", RED_RUNS, "K1", -8),
        ("any", BLUE_RUNS, "Y13", -4),
        ("red_black", RED_RUNS, "Y13", -4),
        ("red_black", BLUE_RUNS, "Y13", -2),
        ("red_black", BLACK_PAIRS, "Y13", -8),
        ("red_black", YELLOW_PAIRS, "Y13", -4),
        ("any", YELLOW_PAIRS, "K1", -16),
        ("any", PLAIN[0], "Y13", -2),
        # okeys count as the colour they stand for, a false joker as the okey's colour (black)
        ("any", RED_RUNS.replace("R7", "K1"), "Y13", -4),
        ("any", BLACK_PAIRS.replace("K2 K2", "F F"), "Y13", -8),
        ("any", BLACK_PAIRS.replace("K2 K2", "K2 K1"), "Y13", -8),
        ("any", YELLOW_PAIRS.replace("Y2 Y2", "F F"), "Y13", -4),
        ("any", YELLOW_PAIRS.replace("Y2 Y2", "K1 K1"), "Y13", -8),
    ],
)
def test_a_rack_of_one_colour(switch: str, rack: str, discard: str, lost: int) -> None:
    match = won(rack, discard, one_color_double=switch, start_points=50)
    assert match.changes == (lost, lost, 0, lost)


def test_one_colour_without_stacking_counts_once() -> None:
    assert won(RED_RUNS, "K1", one_color_double="any", stack_doublings=False).changes == (-4, -4, 0, -4)


# ------------------------------------------------------------------ teams


def test_the_losing_team_loses_once_and_both_carry_it() -> None:
    match = won(*PLAIN, teams=True)
    assert match.changes == (0, -2, 0, -2)
    assert match.scores == (20, 18, 20, 18)
    assert won(*BOTH, teams=True).changes == (0, -8, 0, -8)
    assert won(*PLAIN, teams=True, scoring="penalty").changes == (0, 20, 0, 20)
    assert won(*PLAIN, teams=True, scoring="rounds").changes == (1, 0, 1, 0)


def test_a_shown_indicator_costs_the_other_team_one_point() -> None:
    match = match_of(rules_of(teams=True), {1: f"{HOPELESS.replace('K6', 'K13')} K9"})
    assert play(match, 1, Show())[0].scores == (19, 20, 19, 20)


# ------------------------------------------------------------------ showing and the other scorings


@pytest.mark.parametrize(
    ("scoring", "at_once", "at_the_end"),
    [
        ("countdown", (-1, 0, -1, -1), (-3, 0, -3, -3)),
        ("penalty", (0, 0, 0, 0), (30, 0, 30, 30)),
        ("rounds", (0, 0, 0, 0), (0, 1, 0, 0)),
    ],
)
def test_a_shown_indicator(scoring: str, at_once: tuple[int, ...], at_the_end: tuple[int, ...]) -> None:
    match = match_of(rules_of(scoring=scoring), {1: f"{WINS_IN_MELDS} K13"})
    match, _ = play(match, 1, Show())
    assert match.changes == at_once
    match, _ = play(match, 1, Finish(tile_from_text("K13")))
    assert match.changes == at_the_end


def test_a_shown_indicator_stays_scored_when_the_round_is_exhausted() -> None:
    match = match_of(rules_of(), {1: f"{HOPELESS.replace('K6', 'K13')} K9"})
    match, _ = play(match, 1, Show())
    match = turn_of(match, 2, rack=f"{HOPELESS} K9", turns=399)
    match, _ = play(match, 2, Discard(tile_from_text("K9")))
    assert match.changes == (-1, 0, -1, -1)
    assert match.scores == (19, 20, 19, 19)


def test_the_automatic_twin_costs_the_others_at_the_end_in_countdown_too() -> None:
    match = match_of(rules_of(show="automatic"), {1: f"{WINS_IN_MELDS} K13"})
    assert play(match, 1, Finish(tile_from_text("K13")))[0].changes == (-3, 0, -3, -3)
