"""Champions, the first three of a month, and pots of chips: examples counted by hand."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.model import Format
from bot.league.prizes import champions, chips, month_leaders, pot
from bot.league.results import NightResult
from bot.league.standings import night_standings, season_standings
from tests.bot.league.results import night, table

POT = Format(prizes=("pot",), stake=100)


def on(day: str, *results: object, number: int = 1) -> NightResult:
    """A night at a moment in UTC."""
    start = datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
    return night(number, *results, start=start)  # type: ignore[arg-type]


def test_who_leads_a_season_is_its_champion_and_equals_are_champions_together() -> None:
    alone = [night(1, table(1, "m1 9", "m2 8", "m3 7", "m4 6"))]
    assert champions(season_standings(alone, Format(), 1)) == ("m1",)
    equal = [night(1, table(1, "m1 9", "m2 9", "m3 7", "m4 6"))]
    assert champions(season_standings(equal, Format(), 1)) == ("m1", "m2")
    assert champions(season_standings([], Format(), 1)) == ()


def test_no_average_of_too_few_nights_makes_a_champion() -> None:
    nights = [night(1, table(1, "m1 9", "m2 8")), night(2, table(1, "m3 9", "m4 8"))]
    average = Format(counting="average", best_of=2)
    assert [each.rank for each in season_standings(nights, average, 1)] == [1, 1, 3, 3]
    assert champions(season_standings(nights, average, 1)) == ()


def test_the_first_three_of_each_month_by_all_their_points() -> None:
    nights = [
        on("2026-03-05 18:00", table(1, "m1 9", "m2 8", "m3 7", "m4 6")),
        on("2026-03-12 18:00", table(1, "m2 9", "m3 8", "m4 7", "m1 6"), number=2),
        on("2026-03-31 22:30", table(1, "m4 9", "m3 8", "m2 7", "m1 6"), number=3),
    ]
    format = Format(counting="best", best_of=1, ties=())
    leaders = month_leaders(nights, lambda season: format, "Europe/Istanbul")
    # At half past ten UTC it is April in Istanbul already.
    assert list(leaders) == [(2026, 4), (2026, 3)]
    assert [(each.rank, each.member, each.points) for each in leaders[2026, 3]] == [
        (1, "m2", 5),
        (2, "m1", 3),
        (2, "m3", 3),
    ]
    assert [each.member for each in leaders[2026, 4]] == ["m4", "m3", "m2"]
    assert list(month_leaders(nights, lambda season: format, "UTC")) == [(2026, 3)]


def test_months_without_a_night_played_to_its_end_have_no_leaders() -> None:
    running = replace(on("2026-03-05 18:00", table(1, "m1 9", "m2 8")), over=False)
    assert month_leaders([running, on("2026-05-05 18:00")], lambda season: Format(), "UTC") == {}


# Two rounds offer 6 points; half of them is 3. m1 has 6, m3 4.5, m2 and m5 4, m4 3.5, all others less. The
# pot is 800. A quarter of it is 200: m3 is 1½ above the half, m2 and m5 1, m4 ½; m1 gets the rest.
# Penalties are the season's, not the night's.
EIGHT = night(
    1,
    table(1, "m1 9", "m2 8", "m5 7", "m6 6"),
    table(1, "m3 9", "m4 8", "m7 7", "m8 6", number=2),
    table(2, "m1 9", "m2 8", "m7 7", "m8 6"),
    table(2, "m5 9", "m4 8", "m3 8", "m6 6", number=2),
    penalties=(("m5", 1.5), ("m3", 1.0), ("m4", 0.5)),
)


def test_a_pot_gives_the_first_three_quarters_and_the_rest_to_those_above_half() -> None:
    paid = pot(EIGHT, POT)
    assert paid == {"m1": 600, "m2": 50, "m3": 75, "m4": 25, "m5": 50, "m6": 0, "m7": 0, "m8": 0}


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        # Nobody else above half of 3 points: the first has all.
        (("m1 9", "m2 8", "m3 7"), {"m1": 300, "m2": 0, "m3": 0}),
        # m2 alone above half: they have the whole quarter.
        (("m1 9", "m2 8", "m3 7", "m4 6"), {"m1": 300, "m2": 100, "m3": 0, "m4": 0}),
        # Two equal firsts split; the odd chip is the first one's.
        (("m1 9", "m2 9", "m3 7"), {"m1": 150, "m2": 150, "m3": 0}),
        (("m1 9", "m2 9", "m3 9"), {"m1": 100, "m2": 100, "m3": 100}),
    ],
)
def test_pots_of_one_table(seats: tuple[str, ...], expected: dict[str, int]) -> None:
    assert pot(night(1, table(1, *seats)), POT) == expected


def test_a_round_in_which_all_have_byes_offered_points_too() -> None:
    """Two rounds offer 6 points; half of them is 3. m1 has 4.5, m2 3.5, all others less."""
    four = ("m1 9", "m2 8", "m3 7", "m4 6")
    cut = table(2, *four, state="unfinished")
    paid = pot(night(1, table(1, *four), cut, byes=tuple((2, each[:2]) for each in four)), POT)
    assert paid == {"m1": 300, "m2": 100, "m3": 0, "m4": 0}


def test_an_odd_chip_is_not_lost() -> None:
    odd = Format(prizes=("pot",), stake=1)
    assert pot(night(1, table(1, "m1 9", "m2 9", "m3 7")), odd) == {"m1": 2, "m2": 1, "m3": 0}


def test_only_who_earned_a_table_stakes_and_computer_players_have_no_chips() -> None:
    paid = pot(night(1, table(1, "m1 1", "- 9"), byes=((1, "m2"),), bye_points=3.0), POT)
    assert paid == {"m1": 100}


def test_no_pot_where_there_is_none_or_the_night_is_not_over() -> None:
    assert pot(EIGHT, replace(POT, prizes=("champion",))) == {}
    assert pot(replace(EIGHT, over=False), POT) == {}
    assert pot(night(1), POT) == {}
    assert chips([]) == {}


def test_chips_are_what_came_out_less_what_was_put_in() -> None:
    second = night(2, table(1, "m2 9", "m1 8", "m3 7", "m4 6"))
    balance = chips([(EIGHT, POT), (second, replace(POT, stake=10))])
    assert balance["m1"] == 500 + 0
    assert balance["m2"] == -50 + 20
    assert balance["m4"] == -75 - 10


SEATS = st.lists(st.integers(0, 3), min_size=2, max_size=4)


@settings(max_examples=80)
@given(st.lists(SEATS, min_size=1, max_size=6), st.integers(0, 1000))
def test_no_chip_is_made_or_lost_and_the_first_have_three_quarters(
    scores: list[list[int]], stake: int
) -> None:
    tables = [
        table(round, *(f"m{seat} {score}" for seat, score in enumerate(each, 1)))
        for round, each in enumerate(scores, 1)
    ]
    format = Format(prizes=("pot",), stake=stake)
    played = night(1, *tables)
    paid = pot(played, format)
    assert sum(paid.values()) == stake * len(paid)
    assert min(paid.values()) >= 0
    first = [each.member for each in night_standings(played, format.ties) if each.rank == 1]
    assert 4 * sum(paid[member] for member in first) >= 3 * sum(paid.values())
    assert sum(chips([(played, format)] * 2).values()) == 0
