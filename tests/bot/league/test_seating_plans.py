"""The plans: nobody meets anybody twice, whichever number of tables it is for."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from bot.league.seating.plan import Plan, plan_of_fours, plan_of_twos

ROUNDS = {4: 5, 5: 5, 6: 7, 7: 9, 8: 10, 9: 11, 10: 12}
"""How many rounds the plans for few tables have in which nobody meets anybody twice: at four, seven and
eight tables there cannot be more. With more than ten, no round of a plan has a repeat, and there are at least
eight."""

APART = {4: 4, 5: 5, 7: 8, 8: 9}
"""In how many of them the last three places, which may stay empty, share no table; else in all of them."""


def meetings(plan: Plan) -> Counter[tuple[int, int]]:
    return Counter(
        pair for tables in plan.rounds for table in tables for pair in combinations(sorted(table), 2)
    )


@pytest.mark.parametrize("tables", range(4, 76))
def test_a_plan_seats_everybody_each_round_and_lets_nobody_meet_anybody_twice(tables: int) -> None:
    plan = plan_of_fours(4 * tables)
    assert plan is not None
    assert len(plan.rounds) >= ROUNDS.get(tables, 8)
    for round_tables in plan.rounds:
        assert [len(table) for table in round_tables] == [4] * tables
        assert sorted(place for table in round_tables for place in table) == list(range(4 * tables))
    assert set(meetings(Plan(plan.rounds[: ROUNDS.get(tables)])).values()) == {1}


@pytest.mark.parametrize("tables", range(4, 76))
def test_the_last_three_places_never_share_a_table_in_four_rounds(tables: int) -> None:
    plan = plan_of_fours(4 * tables)
    assert plan is not None
    last = set(range(4 * tables - 3, 4 * tables))
    rounds = plan.rounds[: APART.get(tables)]
    assert all(len(last & set(table)) <= 1 for round_tables in rounds for table in round_tables)


@pytest.mark.parametrize("tables", range(4, 76))
def test_in_a_plan_everybody_sits_in_every_seat_once_in_four_rounds(tables: int) -> None:
    plan = plan_of_fours(4 * tables)
    assert plan is not None
    for first in range(0, len(plan.rounds) - 3, 4):
        seats = Counter(
            (place, seat)
            for round_tables in plan.rounds[first : first + 4]
            for table in round_tables
            for seat, place in enumerate(table)
        )
        assert set(seats.values()) == {1}


@pytest.mark.parametrize("people", range(6, 13))
def test_few_people_meet_again_at_once_no_more_often_than_they_must(people: int) -> None:
    plan = plan_of_fours(people)
    assert plan is not None
    tables = -(-people // 4)
    for round_tables in plan.rounds:
        assert sorted(place for table in round_tables for place in table) == list(range(people))
    must = people - tables * tables  # at each table all those beyond one from each table of the round before
    for before, after in pairwise(plan.rounds):
        again = meetings(Plan((before,))).keys() & meetings(Plan((after,))).keys()
        assert len(again) == must


@pytest.mark.parametrize(
    ("people", "length"), [(11, 5), (12, 5), (13, 6), (14, 6), (17, 6), (17, 7), (18, 6), (19, 6), (19, 7)]
)
def test_a_plan_for_long_nights_leaves_no_two_places_of_a_table_empty(people: int, length: int) -> None:
    plan = plan_of_fours(people, length)
    assert plan is not None
    assert plan != plan_of_fours(people)
    assert len(plan.rounds) >= length
    tables = -(-people // 4)
    for round_tables in plan.rounds:
        seated = [[place for place in table if place < people] for table in round_tables]
        assert sorted(place for table in seated for place in table) == list(range(people))
        assert sorted(map(len, seated)) == [3] * (4 * tables - people) + [4] * (people - 3 * tables)


def test_plans_of_as_many_tables_begin_alike_so_that_who_comes_late_finds_room_in_a_larger_one() -> None:
    for people, full in ((13, 16), (14, 16), (17, 20), (18, 20), (19, 20)):
        long, larger = plan_of_fours(people, 6), plan_of_fours(full)
        assert long is not None
        assert larger is not None
        assert long.rounds[0] == larger.rounds[0]


def test_fixed_pairs_meet_each_other_pair_once() -> None:
    for tables in range(1, 40):
        pairs = meetings(plan_of_twos(2 * tables))
        assert len(pairs) == tables * (2 * tables - 1)
        assert set(pairs.values()) == {1}
