"""`okey league seating`: the table of nights, and what it says of them."""

import pytest

from bot.cli.seating import figures
from bot.league.seating import Seated
from bot.main import main


def rows(printed: str) -> dict[tuple[int, int], dict[str, str]]:
    """The table's rows by people and rounds."""
    head, *lines = printed.split("\n\n")[0].splitlines()
    columns = [column for column in head.split("  ") if column]
    table = [dict(zip(columns, line.split(), strict=True)) for line in lines]
    return {(int(row["people"]), int(row["rounds"])): row for row in table}


def test_the_table_has_a_line_for_every_number_of_people_and_of_rounds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["league", "seating", "--people", "14-17", "--rounds", "3-6"]) == 0
    table = rows(capsys.readouterr().out)
    assert list(table) == [(people, rounds) for people in range(14, 18) for rounds in range(3, 7)]
    assert [table[people, 3]["of three"] for people in range(14, 18)] == ["2", "1", "0", "3"]
    assert [table[16, rounds]["repeats"] for rounds in range(3, 7)] == ["0", "0", "0", "24"]


@pytest.mark.parametrize("given", ["3-8", "8-3", "many", "4-301"])
def test_numbers_that_cannot_be_are_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["league", "seating", "--people", given])
    assert stopped.value.code == 2
    assert "4-300" in capsys.readouterr().err


def test_what_is_measured_is_what_was_played() -> None:
    first = Seated(tables=(("a", "b", "c", "d"), ("e", "f", "g")))
    second = Seated(tables=(("a", "b", "c", "e"), ("d", "f", "g")))
    measured = figures([first, second])
    assert measured.repeats == 4, "a-b, a-c, b-c, f-g"
    assert measured.at_once == 4
    assert measured.partners_again == 1, "a and c; f sat opposite nobody"
    assert measured.unavoidable == 0, "18 meetings of 21 pairs"
    assert measured.seat_spread == 2, "a sat twice in seat 0"
    apart = figures([first, Seated(tables=(("x",),)), second])
    assert (apart.repeats, apart.at_once) == (4, 0)


def test_fixed_partners_do_not_count_as_meeting_again() -> None:
    rounds = [Seated(tables=(("a", "b", "c", "d"),)), Seated(tables=(("d", "c", "b", "a"),))]
    assert figures(rounds, fixed=[("a", "c"), ("b", "d")]).repeats == 4
