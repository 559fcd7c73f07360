"""Laws of every night's and every season's table, whatever was played."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.model import Counting, Format, TieBreak
from bot.league.results import NightResult, SeatResult, TableResult, TableState, points_at
from bot.league.standings import night_standings, season_standings
from tests.bot.league.results import night

pytestmark = pytest.mark.long

MEMBERS = [f"m{number}" for number in range(1, 10)]
SCORES = st.integers(-3, 3)
STATES = st.sampled_from(get_args(TableState))
TIES = st.permutations(list(get_args(TieBreak))).flatmap(
    lambda ties: st.integers(0, len(ties)).map(lambda count: tuple(ties[:count]))
)


@st.composite
def tables(draw: st.DrawFn) -> TableResult:
    """A table of two to four seats, some of them computer players'."""
    members = draw(st.permutations(MEMBERS))
    size = draw(st.integers(2, 4))
    seats = tuple(
        SeatResult("" if draw(st.integers(0, 5)) == 0 else member, draw(SCORES), 0)
        for member in members[:size]
    )
    teams = size == 4 and draw(st.booleans())
    return TableResult(round=1, number=1, table="t", seats=seats, state=draw(STATES), teams=teams)


FREE = st.lists(st.tuples(st.integers(1, 3), st.sampled_from(MEMBERS)), max_size=2).map(tuple)
QUARTERS = st.integers(0, 12).map(lambda quarters: quarters / 4)
NIGHTS = st.builds(
    lambda played, byes, missed, penalties, bye: replace(
        night(1, *played, byes=byes, missed=missed, penalties=tuple(penalties), bye_points=bye)
    ),
    st.lists(tables(), max_size=5),
    FREE,
    FREE,
    st.lists(st.tuples(st.sampled_from(MEMBERS), QUARTERS), max_size=2),
    QUARTERS,
)
SEASONS = st.lists(NIGHTS, max_size=5).map(
    lambda nights: [
        replace(each, id=f"L-{number}", start=float(number)) for number, each in enumerate(nights, 1)
    ]
)
FORMATS = st.builds(
    lambda counting, best, ties: Format(counting=counting, best_of=best, ties=ties),
    st.sampled_from(get_args(Counting)),
    st.integers(1, 4),
    TIES,
)


@given(tables())
def test_a_table_gives_out_the_same_whoever_wins_and_nobody_more_than_three(table: TableResult) -> None:
    points = points_at(table)
    assert sum(points) == Fraction(3, 2) * len(table.seats)
    assert all(0 <= each <= 3 for each in points)


@given(tables(), st.integers(1, 9), st.integers(-9, 9))
def test_points_hang_on_the_order_of_the_scores_alone(table: TableResult, times: int, more: int) -> None:
    other = replace(
        table, seats=tuple(replace(seat, score=times * seat.score + more) for seat in table.seats)
    )
    assert points_at(other) == points_at(table)


@given(NIGHTS, TIES)
def test_ranks_are_shared_and_skipped_and_follow_the_points(
    night: NightResult, ties: tuple[TieBreak, ...]
) -> None:
    standings = night_standings(night, ties)
    assert len({each.member for each in standings}) == len(standings)
    for place, (above, below) in enumerate(pairwise(standings), 2):
        assert above.points >= below.points
        assert below.rank in (above.rank, place)
        assert above.points == below.points or below.rank == place
    assert not standings or standings[0].rank == 1


@given(NIGHTS, TIES, st.randoms(use_true_random=False))
def test_order_does_not_hang_on_the_order_in_which_results_come(
    night: NightResult, ties: tuple[TieBreak, ...], chance: Random
) -> None:
    shuffled = replace(
        night,
        tables=tuple(chance.sample(night.tables, len(night.tables))),
        byes=night.byes[::-1],
        penalties=night.penalties[::-1],
    )
    assert night_standings(shuffled, ties) == night_standings(night, ties)


@given(NIGHTS)
def test_another_tie_break_only_parts_those_who_were_equal(night: NightResult) -> None:
    ties = get_args(TieBreak)
    for count in range(len(ties)):
        fewer = {each.member: each.rank for each in night_standings(night, ties[:count])}
        more = {each.member: each.rank for each in night_standings(night, ties[: count + 1])}
        assert all(fewer[member] <= more[member] for member in fewer)
        for one in fewer:
            for other in fewer:
                assert fewer[one] >= fewer[other] or more[one] < more[other]


@given(NIGHTS, st.sampled_from(MEMBERS), st.integers(1, 12))
def test_a_penalty_never_lifts_anybody(night: NightResult, member: str, quarters: int) -> None:
    format = Format(counting="sum", ties=get_args(TieBreak))
    before = {each.member: each for each in season_standings((night,), format, 1)}
    fined = replace(night, penalties=(*night.penalties, (member, quarters / 4)))
    after = {each.member: each for each in season_standings((fined,), format, 1)}
    if member in before:
        assert after[member].points == before[member].points - Fraction(quarters, 4)
        assert after[member].rank >= before[member].rank
    for other in before.keys() - {member}:
        assert after[other].points == before[other].points


@given(NIGHTS)
def test_what_does_not_count_changes_nothing(night: NightResult) -> None:
    without = replace(night, tables=tuple(t for t in night.tables if t.state in ("counted", "disputed")))
    assert night_standings(night, get_args(TieBreak)) == night_standings(without, get_args(TieBreak))


@settings(max_examples=60)
@given(SEASONS, FORMATS)
def test_a_season_is_what_its_nights_say(nights: list[NightResult], format: Format) -> None:
    by_night = {each.id: {own.member: own for own in night_standings(each, ())} for each in nights}
    for own in season_standings(nights, format, 1):
        assert {each.night for each in own.nights} == {
            id for id, table in by_night.items() if own.member in table
        }
        assert all(each.points == by_night[each.night][own.member].points for each in own.nights)
        counted = [each.points for each in own.nights if each.counted]
        dropped = [each.points for each in own.nights if not each.counted]
        assert not dropped or (format.counting == "best" and max(dropped) <= min(counted))
        assert len(counted) == (min(format.best_of, len(own.nights)) if dropped else len(own.nights))
        fined = [Fraction(taken) for each in nights for who, taken in each.penalties if who == own.member]
        times = max(1, len(counted)) if format.counting == "average" else 1
        assert own.points * times == sum(counted) - sum(fined)


@settings(max_examples=60)
@given(SEASONS, FORMATS, st.randoms(use_true_random=False))
def test_a_season_does_not_hang_on_the_order_in_which_nights_come(
    nights: list[NightResult], format: Format, chance: Random
) -> None:
    shuffled = chance.sample(nights, len(nights))
    assert season_standings(shuffled, format, 1) == season_standings(nights, format, 1)
