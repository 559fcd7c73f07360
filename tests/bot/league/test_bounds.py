"""Bounds of the ranks at which a season can end: sound against every possible end, and they only narrow."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from random import Random

import pytest

from bot.league.bounds import Bounds, bounds, season_bounds
from bot.league.model import Counting, Format
from bot.league.results import NightResult, TableResult
from bot.league.standings import season_standings
from tests.bot.league.results import night, table

pytestmark = pytest.mark.long

FOUR = ("a", "b", "c", "d")


def tables_of(round: int, members: Sequence[str], order: Sequence[int]) -> TableResult:
    return table(round, *(f"{who} {score}" for who, score in zip(members, order, strict=True)))


def ranks_of(nights: Sequence[NightResult], format: Format) -> dict[str, int]:
    return {each.member: each.rank for each in season_standings(nights, format, 1)}


def all_ends(played: list[NightResult], left: int) -> Iterator[list[NightResult]]:
    """Every end of a season of one round a night: any two or more of three people come, and end in any
    order, also level."""
    people = FOUR[:3]
    who = [each for n in (2, 3) for each in set(permutations(people, n)) if list(each) == sorted(each)]
    evenings = [
        (members, order)
        for members in who
        for order in set(product(range(len(members)), repeat=len(members)))
    ]
    for choice in product([*evenings, None], repeat=left):
        nights = [*played]
        for more, each in enumerate(choice):
            if each is not None:
                nights.append(night(len(played) + more + 1, tables_of(1, *each)))
        yield nights


@pytest.mark.parametrize("counting", ["best", "sum", "average"])
@pytest.mark.parametrize("seed", range(4))
def test_no_end_of_a_small_season_is_outside_the_bounds(counting: Counting, seed: int) -> None:
    chance = Random(seed)
    format = Format(rounds=1, nights=4, best_of=2, counting=counting)
    left = 2
    played = []
    for number in (1, 2):
        members = chance.sample(FOUR[:3], 3)
        played.append(night(number, tables_of(1, members, [chance.randint(0, 2) for _ in members])))
    told = bounds(season_standings(played, format, 1), format, left)
    seen: dict[str, set[int]] = {}
    for nights in all_ends(played, left):
        for member, rank in ranks_of(nights, format).items():
            assert told[member].best <= rank, (member, rank)
            worst = told[member].worst
            assert worst is None or rank <= worst, (member, rank)
            seen.setdefault(member, set()).add(rank)
    if counting != "average":  # and whoever can come first is told so
        assert {member: min(ranks) for member, ranks in seen.items()} == {
            member: each.best for member, each in told.items()
        }


@pytest.mark.parametrize("counting", ["best", "sum", "average"])
@pytest.mark.parametrize("seed", range(12))
def test_bounds_only_narrow_over_a_season_and_hold_its_end(counting: Counting, seed: int) -> None:
    chance = Random(f"{counting} {seed}")
    format = Format(rounds=2, nights=8, best_of=5, counting=counting)
    people = [f"m{n}" for n in range(1, 13)]
    nights: list[NightResult] = []
    before: dict[str, Bounds] = {}
    courses: list[dict[str, Bounds]] = []
    for number in range(1, 9):
        there = chance.sample(people, 8)
        tables = []
        for round in (1, 2):
            chance.shuffle(there)
            for at in (0, 4):
                scores = [f"{who} {chance.randint(-5, 9)}" for who in there[at : at + 4]]
                tables.append(table(round, *scores, number=1 + at // 4))
        nights.append(night(number, *tables))
        now = dict(bounds(season_standings(nights, format, 1), format, 8 - number))
        for member, was in before.items():
            assert was.best <= now[member].best, (number, member)
            assert was.worst is None or (now[member].worst or 99) <= was.worst, (number, member)
        courses.append(now)
        before = now
    final = ranks_of(nights, format)
    for course in courses:
        for member, told in course.items():
            assert told.best <= final[member]
            assert told.worst is None or final[member] <= told.worst
    for each in season_standings(nights, format, 1):
        last = courses[-1][each.member]
        level = [other for other in season_standings(nights, format, 1) if other.points == each.points]
        assert last.worst is not None
        assert last.worst - last.best <= len(level) - 1, "nothing is left but the tie-breaks"


def test_who_has_not_played_yet_can_overtake_while_enough_nights_are_left() -> None:
    format = Format(rounds=1, nights=4, best_of=2)
    played = [night(1, tables_of(1, FOUR, (9, 5, 3, 0))), night(2, tables_of(1, FOUR, (9, 5, 3, 0)))]
    told = bounds(season_standings(played, format, 1), format, 2)
    assert told == {"a": Bounds(1, None), "b": Bounds(1, None), "c": Bounds(1, None), "d": Bounds(1, None)}
    told = bounds(season_standings(played, format, 1), format, 1)
    assert told == {"a": Bounds(1, 1), "b": Bounds(2, 3), "c": Bounds(2, None), "d": Bounds(3, None)}


def test_a_final_that_too_few_people_would_play_takes_no_night_from_the_season() -> None:
    format = Format(rounds=1, nights=4, best_of=2, finals="cut4")
    three = [night(number, table(1, "a 9", "b 5", "c 3")) for number in (1, 2)]
    assert season_bounds(three, format, 1)["a"] == Bounds(1, None), "two nights for who has not come yet"
    four = [night(number, tables_of(1, FOUR, (9, 5, 3, 0))) for number in (1, 2)]
    assert season_bounds(four, format, 1)["a"] == Bounds(1, 1), "one night, and the final after it"
    assert season_bounds([*four, night(3, tables_of(1, FOUR, (9, 5, 3, 0)))], format, 1) == {}
