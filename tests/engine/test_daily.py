"""The daily rack: one puzzle a date, the same for everybody, with one best answer."""

from collections import Counter
from dataclasses import replace
from datetime import date

import pytest

from bot.cli.offline import check_puzzles, margin_of
from engine.arrange import distance
from engine.daily import MARGIN, Puzzle, puzzle_of, solution_of
from engine.melds import MeldRules
from engine.tiles import COPIES, FULL_SET, Tile, text_of
from tests.engine.slow_search import slow_distance, slow_opening, slow_pairs

MONDAY = date(2026, 11, 23).toordinal()


@pytest.fixture(scope="module")
def week() -> list[Puzzle]:
    return [puzzle_of(MONDAY + number) for number in range(7)]


def test_a_date_has_always_had_the_same_puzzle() -> None:
    """Part of the formats: another version of the program has the same puzzle."""
    finish, opening = puzzle_of(MONDAY + 2), puzzle_of(MONDAY + 6)
    assert text_of(finish.rack) == "R3 R4 R7 Y2 Y9 Y10 Y11 Y12 B4 B5 B6 B7 B8 F"
    assert (finish.indicator, finish.best) == (Tile.R4, Tile.R6)
    assert text_of(opening.rack).startswith("R4 R7 R8 R9 R13 Y2")
    assert (opening.indicator, opening.best) == (Tile.B2, "no")


def test_a_week_asks_every_question_and_grows_harder(week: list[Puzzle]) -> None:
    assert {puzzle.kind for puzzle in week} == {"discard", "finish", "open"}
    assert [puzzle.level for puzzle in week] == ["easy"] * 2 + ["medium"] * 3 + ["hard"] * 2


def test_racks_are_dealt_from_one_set(week: list[Puzzle]) -> None:
    for puzzle in week:
        tiles = Counter([*puzzle.rack, puzzle.indicator])
        assert len(puzzle.rack) == {"discard": 15, "finish": 14, "open": 22}[puzzle.kind]
        assert max(tiles.values()) <= COPIES
        assert puzzle.best in puzzle.choices


@pytest.mark.long
def test_the_answers_are_the_only_ones(week: list[Puzzle]) -> None:
    """Checked by a search that shares no code with the one that made them."""
    for puzzle in week:
        match puzzle.kind:
            case "finish":
                right = [
                    tile
                    for tile in puzzle.choices
                    if isinstance(tile, Tile) and not slow_distance(puzzle.okey, (*puzzle.rack, tile))
                ]
                assert right == [puzzle.best]
            case "open":
                enough = slow_opening(puzzle.okey, puzzle.rack) >= 101
                paired = slow_pairs(puzzle.okey, puzzle.rack) >= 5
                assert puzzle.best == ("melds" if enough else "pairs" if paired else "no")
                assert not (enough and paired)


def test_the_best_discard_leaves_clearly_most_to_hope_for(week: list[Puzzle]) -> None:
    """Counted tile by tile: the unseen tiles that bring the rack nearer."""
    puzzle = next(each for each in week if each.kind == "discard")
    outlooks, unseen = (
        solution_of(puzzle).outlooks,
        Counter(FULL_SET) - Counter([*puzzle.rack, puzzle.indicator]),
    )
    rack = list(puzzle.rack)
    rack.remove(puzzle.best)  # type: ignore[arg-type]
    rules = MeldRules(puzzle.okey)
    away = distance(rules, rack)
    live = sum(n for face, n in unseen.items() if distance(rules, (*rack, face)) < away)
    assert all(each.distance >= away for each in outlooks.values())
    others = [each for tile, each in outlooks.items() if tile != puzzle.best and each.distance == away]
    assert others
    assert live >= max(each.live for each in others) + MARGIN


def test_the_check_counts_what_is_there_twice(week: list[Puzzle]) -> None:
    figures = check_puzzles([*week, week[3]])
    assert (figures["days"], figures["repeated"], figures["doubtful"]) == (8, 1, 0)
    assert check_puzzles(week)["repeated"] == 0


def test_the_check_finds_answers_that_are_not_the_best(week: list[Puzzle]) -> None:
    for puzzle in week[:3]:
        wrong = next(choice for choice in puzzle.choices if choice != puzzle.best)
        assert margin_of(puzzle) > 0
        changed = replace(puzzle, best=wrong)
        assert check_puzzles([changed])["doubtful"] == 1
