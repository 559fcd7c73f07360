"""Markup: what every platform does alike with tiles, names and rows of buttons."""

import pytest

from bot.markup import Button, TileMark, fold_evenly, isolate


@pytest.mark.parametrize(
    ("mark", "signs"),
    [
        (TileMark("R4"), "🔴4"),
        (TileMark("K13", wild=True), "👑⬛13"),
        (TileMark("Y1", letter=True), "⭐Y1"),
        (TileMark("F", letter=True), "🃏"),
    ],
)
def test_a_tile_in_signs(mark: TileMark, signs: str) -> None:
    assert mark.signs == signs


@pytest.mark.parametrize(
    ("buttons", "lengths"), [(0, []), (5, [5]), (6, [3, 3]), (14, [5, 5, 4]), (11, [4, 4, 3])]
)
def test_rows_are_folded_evenly_and_in_order(buttons: int, lengths: list[int]) -> None:
    row = tuple(Button((str(number),), f"look.{number}") for number in range(buttons))
    folded = fold_evenly(row, 5)
    assert [len(part) for part in folded] == lengths
    assert tuple(button for part in folded for button in part) == row


def test_a_name_turns_nothing_round() -> None:
    assert isolate("شهرزاد") == "\u2068شهرزاد\u2069"
