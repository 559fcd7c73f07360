"""How few people meet again: as few as anybody found for nights of that size, and not in the next round."""

from itertools import pairwise

import pytest

from bot.league.seating import Seated
from tests.bot.league.find_plans import annealed, constructed
from tests.bot.league.find_plans import repeats as repeats_of_plan
from tests.bot.league.nights import meetings, night, people, repeats, seated


@pytest.mark.parametrize(
    ("count", "rounds", "best_known"),
    [(8, 3, 8), (10, 4, 3), (11, 3, 4), (12, 3, 6), (13, 6, 12), (17, 7, 14), (18, 6, 2), (20, 7, 25)],
)
def test_small_nights_have_no_more_repeats_than_the_best_known(
    count: int, rounds: int, best_known: int
) -> None:
    assert repeats(night(people(count), rounds, length=rounds)) <= best_known


@pytest.mark.parametrize(("count", "rounds"), [(28, 9), (32, 10), (36, 11), (40, 12), (37, 12)])
def test_nights_of_more_than_eight_rounds_without_a_repeat(count: int, rounds: int) -> None:
    assert repeats(night(people(count), rounds, length=rounds)) == 0


@pytest.mark.parametrize(("count", "rounds"), [(13, 6), (14, 6), (17, 7), (18, 6), (19, 7), (20, 7)])
def test_nobody_who_must_meet_again_does_so_in_the_next_round(count: int, rounds: int) -> None:
    for before, after in pairwise(night(people(count), rounds, length=rounds)):
        assert not meetings(before.tables).keys() & meetings(after.tables).keys()


@pytest.mark.parametrize("count", [9, 12, 13, 17, 20, 24])
def test_a_night_whose_length_nobody_knows_has_no_repeat_that_its_first_rounds_could_do_without(
    count: int,
) -> None:
    assert repeats(night(people(count), 4)) == {9: 0, 12: 13, 13: 0, 17: 0, 20: 0, 24: 0}[count]


@pytest.mark.parametrize("count", [13, 17])
def test_who_is_late_in_the_second_round_of_a_long_night_finds_a_plan_too(count: int) -> None:
    members = people(count)
    rounds = night(members, 1, length=6)
    members = [*members, "late"]
    for _ in range(3):
        rounds.append(seated(members, rounds, length=6))
    assert repeats(rounds) == 0


def test_a_night_that_began_by_another_plan_goes_on_from_what_was_played() -> None:
    lines = [people(20)[at : at + 5] for at in (0, 5, 10, 15)]
    rounds = [
        Seated(
            tuple(tuple(lines[seat][(table + seat * turn) % 5] for seat in range(4)) for table in range(5))
        )
        for turn in range(2)
    ]
    assert repeats(rounds) == 0
    for _ in range(2):
        rounds.append(seated(people(20), rounds, length=4))
    assert repeats(rounds) <= 2
    assert not meetings(rounds[-2].tables).keys() & meetings(rounds[-1].tables).keys()


def test_a_round_seated_again_is_the_same() -> None:
    rounds = night(people(18), 4, length=6)
    assert seated(people(18), rounds, length=6) == seated(people(18)[::-1], list(rounds), length=6)


def test_where_plans_come_from() -> None:
    assert repeats_of_plan(annealed(8, [0, 1, 1], seed=1, steps=20_000), 8) == [0, 4, 8]
    for count, rounds in ((28, 9), (32, 10), (36, 11), (40, 12)):
        assert repeats_of_plan(constructed(count), count) == [0] * rounds
