"""Who sits with whom: nobody is forgotten, nobody meets anybody twice where that can be, nothing hangs."""

import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.model import Fill, Seating
from bot.league.seating import CannotSeat, Seated
from tests.bot.league.nights import all_tables, meetings, night, people, repeats, seated

pytestmark = pytest.mark.long

FILLS: tuple[Fill, ...] = ("three", "computers", "byes")
MODES: tuple[Seating, ...] = ("rotation", "standings", "partners", "pairs")


@pytest.mark.parametrize(
    ("count", "fill", "tables", "byes"),
    [
        (3, "three", [3], 0),
        (4, "three", [4], 0),
        (5, "three", [4], 1),
        (6, "three", [3, 3], 0),
        (7, "three", [4, 3], 0),
        (9, "three", [3, 3, 3], 0),
        (10, "three", [4, 3, 3], 0),
        (11, "three", [4, 4, 3], 0),
        (17, "three", [4, 4, 3, 3, 3], 0),
        (3, "computers", [3], 0),
        (5, "computers", [3, 2], 0),
        (6, "computers", [3, 3], 0),
        (9, "computers", [3, 3, 3], 0),
        (11, "computers", [4, 4, 3], 0),
        (5, "byes", [4], 1),
        (6, "byes", [4], 2),
        (7, "byes", [4], 3),
        (9, "byes", [4, 4], 1),
        (11, "byes", [4, 4], 3),
    ],
)
def test_how_people_are_parted_into_tables(count: int, fill: Fill, tables: list[int], byes: int) -> None:
    for each in night(people(count), 4, fill=fill):
        assert sorted(map(len, each.tables), reverse=True) == tables
        assert len(each.byes) == byes


@pytest.mark.parametrize(
    ("count", "fill", "mode", "needed"),
    [
        (0, "three", "rotation", 3),
        (2, "three", "rotation", 3),
        (1, "computers", "standings", 2),
        (3, "byes", "rotation", 4),
        (3, "three", "partners", 4),
        (3, "byes", "pairs", 4),
    ],
)
def test_too_few_people_are_refused(count: int, fill: Fill, mode: Seating, needed: int) -> None:
    with pytest.raises(CannotSeat) as refused:
        seated(people(count), fill=fill, mode=mode)
    assert (refused.value.code, refused.value.values) == ("too_few", {"people": count, "needed": needed})


def test_from_thirteen_people_on_nobody_meets_anybody_twice_in_four_rounds() -> None:
    counts = [*range(13, 81), *range(81, 301, 11)]
    assert [count for count in counts if repeats(night(people(count), 4))] == []


def test_nine_sit_at_three_tables_of_three_four_times_without_a_repeat() -> None:
    assert repeats(night(people(9), 4)) == 0


@pytest.mark.parametrize(
    ("count", "rounds"),
    [(15, 5), (16, 5), (17, 5), (20, 5), (21, 7), (24, 7), (25, 8), (28, 8), (36, 8), (90, 8)],
)
def test_longer_nights_without_a_repeat(count: int, rounds: int) -> None:
    assert repeats(night(people(count), rounds)) == 0


def test_where_people_must_meet_again_it_is_not_in_rounds_that_follow_each_other() -> None:
    rounds = night(people(16), 8)
    assert repeats(rounds) == 3 * 24, "all 120 pairs have met after five rounds of 24"
    for before, after in pairwise(rounds):
        assert not meetings(before.tables).keys() & meetings(after.tables).keys()


@pytest.mark.parametrize("count", [16, 20, 24, 28, 32, 40, 64, 256])
def test_in_four_rounds_of_full_tables_everybody_sits_once_in_each_seat(count: int) -> None:
    seats = Counter(
        (member, seat) for table in all_tables(night(people(count), 4)) for seat, member in enumerate(table)
    )
    assert set(seats.values()) == {1}
    assert len(seats) == 4 * count


@pytest.mark.parametrize("count", [13, 14, 17, 18, 29, 37, 41, 50])
def test_tables_of_three_keep_seats_balanced_too(count: int) -> None:
    tables = all_tables(night(people(count), 3))
    for member in people(count):
        mine = [table for table in tables if member in table]
        times = [sum(table[seat] == member for table in mine) for seat in range(min(map(len, mine)))]
        assert max(times) - min(times) <= 1


@pytest.mark.parametrize("count", range(6, 40))
def test_nobody_begins_three_times_in_four_rounds(count: int) -> None:
    begun = Counter(table[0] for table in all_tables(night(people(count), 4)))
    assert max(begun.values()) <= 2


def test_the_order_in_which_people_came_makes_no_difference_and_the_seed_does() -> None:
    members = people(30)
    assert seated(members) == seated(members[::-1])
    assert seated(members) != seated(members, seed=b"another night")


def test_another_process_seats_in_the_same_way() -> None:
    program = (
        "from tests.bot.league.nights import night, people, seated\n"
        "rounds = night(people(13), 1)\n"
        "print([night(people(18), 6, fill='byes', mode=m) for m in ('rotation', 'partners')])\n"
        "print(seated([*people(13), 'late', 'later', 'last'], rounds))"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_who_comes_late_takes_a_place_that_the_plan_left_empty() -> None:
    members = people(13)
    rounds = night(members, 1)
    for late in ("third", "second", "first"):
        members = [*members, late]
        rounds.append(seated(members, rounds))
    assert [len(each.tables) for each in rounds] == [4] * 4
    assert repeats(rounds) == 0


def test_who_comes_when_all_places_are_held_takes_that_of_somebody_who_left() -> None:
    members = people(16)
    rounds = night(members, 1)
    for number in range(4):
        members = [*members[1:], f"new{number}"]
        rounds.append(seated(members, rounds))
    assert repeats(rounds) == 0


def test_who_leaves_leaves_a_table_of_three_behind_and_the_plan_goes_on() -> None:
    members = people(20)
    rounds = night(members, 1)
    for gone in ("m3", "m8"):
        members = [member for member in members if member != gone]
        rounds.append(seated(members, rounds))
    assert sorted(map(len, rounds[-1].tables)) == [3, 3, 4, 4, 4]
    assert repeats(rounds) == 0


def test_people_whom_an_organiser_moved_are_seated_by_whom_they_really_met() -> None:
    members = people(24)
    rounds = night(members, 1)
    one, other, *rest = rounds[0].tables
    rounds = [Seated((other[:1] + one[1:], one[:1] + other[1:], *rest))]
    for _ in range(3):
        rounds.append(seated(members, rounds))
    assert repeats(rounds) == 0


def test_by_standings_the_best_begin_together_and_meet_new_people_of_their_height() -> None:
    order = people(32)
    first = seated(order, mode="standings", order=order)
    assert [set(table) for table in first.tables] == [set(order[at : at + 4]) for at in range(0, 32, 4)]
    second = seated(order, [first], mode="standings", order=order)
    assert repeats([first, second]) == 0
    places = {member: place for place, member in enumerate(order)}
    for number, table in enumerate(second.tables):
        assert all(abs(places[member] // 4 - number) <= 3 for member in table)


def test_who_is_not_in_the_standing_comes_last() -> None:
    order = people(8)
    first = seated([*order, "new"], mode="standings", order=order, fill="byes")
    assert first.byes == ("new",)


def test_a_penalty_changes_the_rounds_to_come_and_none_that_was_played() -> None:
    members = people(16)
    rounds = night(members, 2)
    played = list(rounds)
    before = seated(members, rounds, order=members)
    assert seated(members, rounds, order=[*members[1:], "m1"]) == before, "a plan knows no standing"
    stored = night(members, 1, mode="standings", order=members)
    fallen = seated(members, stored, mode="standings", order=[*members[1:], "m1"])
    assert "m1" in fallen.tables[-1]
    assert rounds == played


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Seating, Fill, list[list[str]]]:
    """A mode, a filling, and who is there in each of some rounds."""
    everybody = people(draw(st.integers(4, 40)))
    rounds = draw(st.integers(1, 8))
    there = [
        [member for member in everybody if draw(st.integers(0, 9))] if draw(st.booleans()) else everybody
        for _ in range(rounds)
    ]
    return draw(st.sampled_from(MODES)), draw(st.sampled_from(FILLS)), there


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_whoever_comes_and_goes_everybody_has_one_seat_or_a_bye(
    evening: tuple[Seating, Fill, list[list[str]]],
) -> None:
    mode, fill, rounds = evening
    played: list[Seated] = []
    couples = list(zip(people(40)[0::2], people(40)[1::2], strict=True))
    for members in rounds:
        try:
            each = seated(members, played, mode=mode, fill=fill, order=members, pairs=couples)
        except CannotSeat:
            assert len(members) < 4
            continue
        there = Counter([*each.byes, *(member for table in each.tables for member in table)])
        assert there == Counter(members)
        assert all(len(table) <= 4 for table in each.tables)
        assert all(len(table) >= (2 if fill == "computers" else 3) for table in each.tables)
        assert len(each.byes) < 4 + (mode == "pairs")
        played.append(each)
