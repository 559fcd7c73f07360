"""Points, and the order of a night and of a season: examples counted by hand."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.league.model import Format, TieBreak
from bot.league.results import NightResult, TableResult, points_at
from bot.league.standings import SeasonStanding, Tally, night_standings, season_standings
from tests.bot.league.results import night, table

TIES = Format().ties
Q = Fraction(1, 4)


def order(standings: tuple[Tally, ...]) -> list[tuple[int, str]]:
    return [(each.rank, each.member) for each in standings]


def points(standings: tuple[Tally, ...]) -> dict[str, Fraction]:
    return {each.member: each.points for each in standings}


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (("a 40", "b 30", "c 20", "d 10"), (3, 2, 1, 0)),
        (("a 40", "b 30", "c 30", "d 10"), (3, 6 * Q, 6 * Q, 0)),
        (("a 7", "b 7", "c 7", "d 7"), (6 * Q, 6 * Q, 6 * Q, 6 * Q)),
        (("a 5", "b 5", "c 5", "d -9"), (2, 2, 2, 0)),
        (("a 3", "b 2", "c 1"), (3, 6 * Q, 0)),
        (("a 3", "b 3", "c 1"), (9 * Q, 9 * Q, 0)),
        (("a 3", "b 1", "c 1"), (3, 3 * Q, 3 * Q)),
        (("a 1", "b 2"), (0, 3)),
        (("a 1", "b 1"), (6 * Q, 6 * Q)),
    ],
)
def test_points_are_the_share_of_opponents_beaten_whatever_the_tables_size(
    seats: tuple[str, ...], expected: tuple[Fraction, ...]
) -> None:
    assert points_at(table(1, *seats)) == expected


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (("a 20", "b 12", "c 20", "d 12"), (3, 0, 3, 0)),
        (("a 12", "b 12", "c 12", "d 12"), (6 * Q, 6 * Q, 6 * Q, 6 * Q)),
        (("a 30", "b 12", "c 0", "d 19"), (0, 3, 0, 3)),
    ],
)
def test_partners_both_earn_what_their_team_does(
    seats: tuple[str, ...], expected: tuple[Fraction, ...]
) -> None:
    assert points_at(table(1, *seats, teams=True)) == expected


def test_a_computer_player_is_an_opponent_and_earns_nothing() -> None:
    standings = night_standings(night(1, table(1, "m1 10", "- 30", "m2 20", "- 0")), TIES)
    assert points(standings) == {"m2": 2, "m1": 1}
    assert [each.wins for each in standings] == [0, 0]


def count(played: NightResult, ties: Sequence[TieBreak]) -> tuple[SeasonStanding, ...]:
    """Return the table of a season of one night."""
    return season_standings((played,), Format(counting="sum", ties=tuple(ties)), 1)


def test_byes_missed_rounds_and_penalties_are_in_the_points() -> None:
    standings = count(
        night(
            1,
            table(1, "m1 9", "m2 8", "m3 7", "m4 6"),
            byes=((1, "m5"), (2, "m1")),
            missed=((1, "m6"),),
            penalties=(("m1", 0.1), ("m1", 0.2), ("m7", 1.0)),
            bye_points=1.75,
            missed_points=0.5,
        ),
        TIES,
    )
    assert points(standings) == {
        "m1": Fraction("4.45"),
        "m2": 2,
        "m5": Fraction("1.75"),
        "m3": 1,
        "m6": Fraction("0.5"),
        "m4": 0,
        "m7": -1,
    }
    line = {each.member: each for each in standings}
    assert line["m1"].penalties == Fraction("0.3")
    assert [each.rank for each in standings] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(("state", "counts"), [("counted", True), ("disputed", True), ("running", False)])
def test_a_disputed_table_has_its_points_until_it_is_decided(state: str, counts: bool) -> None:
    disputed = replace(table(1, "m1 2", "m2 1"), state=state)
    assert bool(night_standings(night(1, disputed), TIES)) == counts


def test_a_void_table_counts_for_nobody() -> None:
    void = table(1, "m1 40", "m2 30", "m3 20", "m4 10", state="void")
    stored = table(1, "m5 3", "m6 2", "m7 1", number=2)
    assert set(points(night_standings(night(1, void, stored), TIES))) == {"m5", "m6", "m7"}


SHARED = night(
    1,
    table(1, "m1 40", "m2 30", "m3 20", "m4 10"),
    table(1, "m5 40", "m6 30", "m7 20", "m8 10", number=2),
)


def test_whom_nothing_parts_share_a_rank_and_the_next_stands_lower() -> None:
    assert order(night_standings(SHARED, ())) == [
        (1, "m1"),
        (1, "m5"),
        (3, "m2"),
        (3, "m6"),
        (5, "m3"),
        (5, "m7"),
        (7, "m4"),
        (7, "m8"),
    ]
    lone = night(1, table(1, "m1 4", "m2 3", "m3 3", "m4 1"))
    assert order(night_standings(lone, TIES)) == [(1, "m1"), (2, "m2"), (2, "m3"), (4, "m4")]


# m1 wins a table and loses one; m2 is second twice, and a penalty of 1 brings them from 4 points to 3, too.
# Scores: m1 21 + 1 = 22, m2 11 + 22 = 33. They met in round 1, where m1 was ahead.
# Opponents, before penalties: m1's have 4, 2, 1 and 3, 2, 1 points; m2's have 3, 2, 1 and 3, 1, 0.
# m5 and m8 would have 3 points, too, and met neither of them at first: their penalties keep them out of it.
EQUAL = night(
    1,
    table(1, "m1 21", "m2 11", "m3 8", "m4 5"),
    table(2, "m5 9", "m6 8", "m7 7", "m1 1"),
    table(2, "m8 30", "m2 22", "m9 2", "m10 1", number=2),
    byes=((2, "m3"), (2, "m4")),
    penalties=(("m2", 1.0), ("m5", 0.25), ("m8", 0.25)),
    bye_points=1.0,
)


@pytest.mark.parametrize(
    ("tie", "first"),
    [("wins", "m1"), ("score", "m2"), ("head_to_head", "m1"), ("opponents", "m1"), ("penalties", "m1")],
)
def test_each_tie_break_parts_those_who_are_equal(tie: TieBreak, first: str) -> None:
    standings = count(EQUAL, (tie,))
    assert points(standings)["m1"] == points(standings)["m2"] == 3
    ahead = [each.member for each in standings if each.member in ("m1", "m2")]
    assert ahead[0] == first
    ranks = {each.member: each.rank for each in standings}
    assert ranks["m1"] != ranks["m2"]


def test_every_place_among_equals_says_what_decided_it() -> None:
    one, other = table(1, "a 9", "b 4", "c 3", "d 0"), table(1, "e 9", "f 4", "g 3", "h 1", number=2)
    standings = night_standings(night(1, one, other, table(1, "i 20", "j 3", number=3)), TIES)
    assert [(each.rank, each.member, each.tie) for each in standings] == [
        (1, "i", "score"),
        (2, "a", "shared"),
        (2, "e", "shared"),
        (4, "b", "shared"),
        (4, "f", "shared"),
        (6, "c", "shared"),
        (6, "g", "shared"),
        (8, "j", "score"),
        (9, "h", "score"),
        (10, "d", "score"),
    ]
    assert {each.tie for each in night_standings(night(1, one), TIES)} == {""}, "nobody has as many points"
    season = count(EQUAL, TIES)
    assert [each.tie for each in season if each.member in ("m1", "m2")] == ["wins", "wins"]


@pytest.mark.parametrize("tie", ["wins", "score", "head_to_head", "opponents", "penalties"])
def test_the_tie_break_that_is_told_is_the_one_that_decided(tie: TieBreak) -> None:
    standings = season_standings([EQUAL], Format(ties=(tie,)), 1)
    assert [each.tie for each in standings if each.member in ("m1", "m2")] == [tie, tie]


def test_the_figures_of_the_tie_breaks() -> None:
    line = {each.member: each for each in count(EQUAL, TIES)}
    assert (line["m1"].wins, line["m1"].score, line["m1"].opponents) == (1, 22, Fraction(13, 6))
    assert (line["m2"].wins, line["m2"].score, line["m2"].opponents) == (0, 33, Fraction(5, 3))
    assert line["m2"].penalties == 1


def test_the_organisers_order_of_tie_breaks_decides() -> None:
    firsts = [
        next(each.member for each in count(EQUAL, ties) if each.member in ("m1", "m2"))
        for ties in (("wins", "score"), ("score", "wins"))
    ]
    assert firsts == ["m1", "m2"]


def met_in_a_ring(third: TableResult) -> NightResult:
    return night(1, table(1, "m1 2", "m2 1"), table(2, "m2 2", "m3 1"), third)


def test_head_to_head_says_nothing_about_a_ring_nor_where_two_never_met() -> None:
    ring = met_in_a_ring(table(3, "m3 2", "m1 1"))
    assert order(night_standings(ring, ("head_to_head",))) == [(1, "m1"), (1, "m2"), (1, "m3")]
    strangers = met_in_a_ring(table(3, "m3 2", "m9 1"))
    # m1, m2, m3 have 3 points each: m1 beat m2 and m2 beat m3, but m1 and m3 never met.
    assert order(night_standings(strangers, ("head_to_head",)))[:3] == [(1, "m1"), (1, "m2"), (1, "m3")]


def test_partners_are_no_opponents_head_to_head() -> None:
    partners = night(1, table(1, "m1 5", "m2 3", "m3 9", "m4 1", teams=True))
    assert order(night_standings(partners, ("head_to_head",))) == [(1, "m1"), (1, "m3"), (3, "m2"), (3, "m4")]


def test_a_penalty_is_never_forgotten_in_the_order() -> None:
    assert order(count(replace(SHARED, penalties=(("m1", 3.0),)), ()))[0] == (1, "m5")
    assert order(count(replace(SHARED, penalties=(("m1", 3.0),)), ()))[-3:] == [
        (6, "m1"),
        (6, "m4"),
        (6, "m8"),
    ]


def duel(number: int, one: int, other: int, **more: object) -> NightResult:
    """A night in which m1 and m2 met, and m3 and m4 did."""
    tables = (table(1, f"m1 {one}", f"m2 {other}"), table(1, "m3 1", "m4 1", number=2))
    return replace(night(number, *tables), **more)  # type: ignore[arg-type]


BEST = Format(counting="best", best_of=2, ties=())
SEASON = (duel(1, 2, 1), duel(2, 1, 2), duel(3, 2, 1))


def test_the_best_nights_count_and_the_others_stay_in_sight() -> None:
    first, *_ = season_standings(SEASON, BEST, 1)
    assert (first.member, first.points) == ("m1", 6)
    assert [(each.night, each.points, each.counted) for each in first.nights] == [
        ("L-1", 3, True),
        ("L-2", 0, False),
        ("L-3", 3, True),
    ]
    assert points(season_standings(SEASON, BEST, 1)) == {"m1": 6, "m2": 3, "m3": 3, "m4": 3}


def test_of_equal_nights_the_earlier_counts_in_whichever_order_they_come() -> None:
    for nights in (SEASON, SEASON[::-1]):
        third = next(each for each in season_standings(nights, BEST, 1) if each.member == "m3")
        assert [each.counted for each in third.nights] == [True, True, False]


def test_a_sum_counts_all_and_an_average_divides() -> None:
    assert points(season_standings(SEASON, replace(BEST, counting="sum"), 1))["m1"] == 6
    assert points(season_standings(SEASON, replace(BEST, counting="average"), 1))["m1"] == 2
    assert points(season_standings(SEASON, replace(BEST, counting="average"), 1))["m2"] == 1


def test_who_was_there_too_seldom_for_an_average_stands_after_all_who_were_not() -> None:
    guest = night(3, table(1, "m9 2", "m1 1", "m2 0"))
    season = season_standings((*SEASON[:2], guest), replace(BEST, counting="average", best_of=3), 1)
    assert [(each.member, each.points, each.qualified) for each in season] == [
        ("m1", Fraction(3, 2), True),
        ("m2", 1, True),
        ("m9", 3, False),
        ("m3", Fraction(3, 2), False),
        ("m4", Fraction(3, 2), False),
    ]
    assert [each.rank for each in season] == [1, 2, 3, 4, 4]


def test_an_average_asks_for_no_more_nights_than_were_played() -> None:
    cancelled = night(3)
    season = season_standings((*SEASON[:2], cancelled), replace(BEST, counting="average", best_of=5), 1)
    assert all(each.qualified for each in season)


def test_other_seasons_do_not_count() -> None:
    assert points(season_standings((SEASON[0], duel(2, 1, 2, season=2)), BEST, 2))["m2"] == 3
    assert season_standings(SEASON, BEST, 3) == ()


def test_a_seasons_tie_breaks_are_of_the_nights_that_count_and_meetings_of_all() -> None:
    # m1 and m3 have 3 points of their best night. m1's dropped night has the higher score, and in it m3 beat
    # them: that decides head to head, though both drop it.
    nights = (
        night(1, table(1, "m1 5", "m2 0"), table(1, "m3 7", "m4 0", number=2)),
        night(2, table(1, "m5 99", "m3 60", "m1 50")),
    )
    one = Format(counting="best", best_of=1, ties=("score",))
    line = {each.member: each for each in season_standings(nights, one, 1)}
    assert (line["m1"].score, line["m3"].score) == (5, 7)
    assert [each.member for each in season_standings(nights, one, 1)] == ["m5", "m3", "m1", "m2", "m4"]
    met = replace(one, ties=("head_to_head",))
    # m5 is equal, too, and met both: m5 beat them, m3 beat m1.
    assert order(season_standings(nights, met, 1))[:3] == [(1, "m5"), (2, "m3"), (3, "m1")]


def test_a_dropped_nights_tables_and_opponents_count_for_nothing() -> None:
    # m1's best night has a win, and opponents with 2, 1 and 0 points; the dropped one has a win, too, and an
    # opponent with 3, but no bye.
    nights = (
        night(1, table(1, "m1 9", "m2 8", "m3 7", "m4 6"), byes=((2, "m1"),)),
        night(2, table(1, "m1 9", "m9 8"), byes=((2, "m9"),), bye_points=3.0),
    )
    line = {each.member: each for each in season_standings(nights, replace(BEST, best_of=1), 1)}
    assert (line["m1"].points, line["m1"].wins) == (Fraction(9, 2), 1)
    assert (line["m1"].opponents, line["m1"].met) == (1, 3)
    both = {each.member: each for each in season_standings(nights, BEST, 1)}
    assert (both["m1"].points, both["m1"].wins) == (Fraction(15, 2), 2)
    # 2 + 1 + 0 and 3, of four.
    assert (both["m1"].opponents, both["m1"].met) == (Fraction(3, 2), 4)


def test_a_seasons_fewer_penalties_are_those_of_all_its_nights() -> None:
    nights = (duel(1, 2, 1), duel(2, 1, 2, penalties=(("m1", 0.25),)))
    season = season_standings(nights, Format(counting="best", best_of=1, ties=("penalties",)), 1)
    assert order(season)[:2] == [(1, "m2"), (2, "m1")]
    assert season[1].penalties == Q
