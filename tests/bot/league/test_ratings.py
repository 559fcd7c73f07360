"""Ratings: the update of Weng and Lin's paper, folded over the results; who is rated, and when it shows."""

import random
from collections.abc import Sequence
from dataclasses import replace
from math import exp, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.ratings import Rating, RatingPool, ratings
from bot.league.results import NightResult, TableResult, TableState
from tests.bot.league.results import START, WEEK, night, table

Belief = tuple[float, float]
"""μ and σ."""
UNKNOWN: Belief = (25.0, 25.0 / 3)
BETA, TAU = 25.0 / 6, 25.0 / 300


def plackett_luce(players: Sequence[Belief], scores: Sequence[int]) -> list[Belief]:
    """Algorithm 4 of Weng and Lin, "A Bayesian approximation method for online ranking" (2011), γ = 1.

    A player's uncertainty grows by τ before a game and never ends above where it was.
    """
    spread = [sigma * sigma + TAU * TAU for _, sigma in players]
    c = sqrt(sum(each + BETA * BETA for each in spread))
    strength = [exp(mu / c) for mu, _ in players]
    after = []
    for i, (mu, sigma) in enumerate(players):
        omega = delta = 0.0
        for q, score in enumerate(scores):
            if score < scores[i]:
                continue
            share = strength[i] / sum(strength[s] for s in range(len(players)) if scores[s] <= score)
            omega += ((i == q) - share) / scores.count(score)
            delta += share * (1 - share) / scores.count(score)
        narrower = sqrt(spread[i] * (1 - delta * spread[i] / (c * c)))
        after.append((mu + omega * spread[i] / c, min(sigma, narrower)))
    return after


def believed(rated: Rating) -> Belief:
    return rated.believed.mu, rated.believed.sigma


def of(member: str, *nights: NightResult, pool: RatingPool = "free") -> Rating:
    return ratings(nights)[pool, member]


@pytest.mark.parametrize("scores", [[40, 30, 20, 10], [7, 7, 1, 7], [1, 2, 3], [0, 0, 0, 0], [2, 9]])
def test_ratings_are_the_papers_folded_over_the_results(scores: list[int]) -> None:
    members = [f"m{number}" for number in range(1, len(scores) + 1)]
    first = table(1, *(f"{who} {score}" for who, score in zip(members, scores, strict=True)))
    second = table(2, *(f"{who} {score}" for who, score in zip(members, reversed(scores), strict=True)))
    expected = plackett_luce([UNKNOWN] * len(scores), scores)
    expected = plackett_luce(expected, scores[::-1])
    rated = ratings([night(1, first, second)])
    for member, belief in zip(members, expected, strict=True):
        assert believed(rated["free", member]) == pytest.approx(belief, abs=1e-9)


LEFT_OUT = [
    (table(1, "m1 4", "- 3", "m2 2", "- 1"), table(1, "m1 4", "m2 2")),
    (table(1, "m1 4", "m2 3", "m3 2", "- 9"), table(1, "m1 4", "m2 3", "m3 2")),
]


@pytest.mark.parametrize(("mixed", "people"), LEFT_OUT)
def test_computer_players_are_left_out(mixed: TableResult, people: TableResult) -> None:
    assert {key: believed(each) for key, each in ratings([night(1, mixed)]).items()} == {
        key: believed(each) for key, each in ratings([night(1, people)]).items()
    }


@pytest.mark.parametrize(
    "unrated",
    [
        table(1, "m1 4", "- 3", "- 2", "- 1"),
        table(1, "- 4", "- 3"),
        table(1, "m1 4", "m2 1", "m3 4", "- 1", teams=True),
        table(1, "m1 4", "- 1", "m3 4", "- 1", teams=True),
        table(1, "m1 4", "m2 3", state="void"),
        table(1, "m1 4", "m2 3", state="running"),
        table(1, "m1 4", "m2 3", state="disputed"),
    ],
)
def test_what_says_nothing_fair_of_people_is_not_rated(unrated: TableResult) -> None:
    assert ratings([night(1, unrated)]) == {}


def test_partners_are_rated_together_and_apart_from_those_who_play_for_themselves() -> None:
    partners = table(1, "m1 20", "m2 8", "m3 20", "m4 8", teams=True)
    alone = table(2, "m1 1", "m2 9", "m3 1", "m4 9")
    rated = ratings([night(1, partners, alone)])
    assert {pool for pool, _ in rated} == {"partners", "free"}
    for winner, loser in (("m1", "m2"), ("m3", "m4")):
        assert rated["partners", winner].believed.mu > 25 > rated["partners", loser].believed.mu
        assert rated["free", winner].believed.mu < 25 < rated["free", loser].believed.mu
    assert believed(rated["partners", "m1"]) == believed(rated["partners", "m3"])


def test_two_people_with_a_computer_player_each_are_a_team_each() -> None:
    rated = ratings([night(1, table(1, "m1 20", "m2 8", "- 20", "- 8", teams=True))])
    assert believed(rated["partners", "m1"]) == pytest.approx(plackett_luce([UNKNOWN] * 2, [40, 16])[0])


def played(number: int, *, winner: str = "m1") -> NightResult:
    """A night of four tables, all won by the same one."""
    scores = [f"{who} {9 if who == winner else 1}" for who in ("m1", "m2", "m3", "m4")]
    return night(number, *(table(round, *scores) for round in (1, 2, 3, 4)))


def test_a_rating_is_hidden_until_ten_tables_and_its_curve_begins_there() -> None:
    assert of("m1", played(1), played(2)).shown is None
    assert of("m1", played(1), played(2)).curve == []
    rated = of("m1", *map(played, (1, 2, 3, 4)))
    assert (rated.tables, rated.shown) == (16, rated.curve[-1].value)
    assert [(each.night, each.start) for each in rated.curve] == [
        ("L-3", START + 2 * WEEK),
        ("L-4", START + 3 * WEEK),
    ]
    assert rated.curve[0].value < rated.curve[1].value


def test_the_tenth_table_shows_it() -> None:
    nine = night(3, table(1, "m1 9", "m2 1"))
    assert of("m1", played(1), played(2), nine).shown is None
    ten = night(3, table(1, "m1 9", "m2 1"), table(2, "m1 9", "m2 1"))
    assert of("m1", played(1), played(2), ten).shown is not None


def test_uncertainty_never_grows() -> None:
    """Not even where a result was so certain that openskill learns less from it than it adds by τ."""
    before = UNKNOWN[1]
    for count in (500, 1000, 2000):
        rounds = [table(round, "m1 9", "m2 1") for round in range(count)]
        sigma = of("m1", night(1, *rounds)).believed.sigma
        assert sigma <= before
        before = sigma


def test_what_is_shown_counts_from_1500_and_takes_uncertainty_off() -> None:
    rated = of("m1", *map(played, (1, 2, 3)))
    mu, sigma = believed(rated)
    assert rated.shown == round(1500 + 24 * (mu - 3 * sigma))


def test_a_night_in_which_somebody_did_not_play_is_no_point_of_their_curve() -> None:
    others = night(4, table(1, "m8 2", "m9 1"))
    assert [each.night for each in of("m1", *map(played, (1, 2, 3)), others).curve] == ["L-3"]


def test_a_corrected_result_moves_every_rating_after_it() -> None:
    nights = [played(number) for number in (1, 2, 3)]
    corrected = [played(1, winner="m2"), *nights[1:]]
    before, after = ratings(nights), ratings(corrected)
    for member in ("m1", "m2", "m3"):
        assert before["free", member].curve != after["free", member].curve
    assert ratings([played(1), *corrected[1:]])["free", "m2"].curve == before["free", "m2"].curve


ONE_TABLE = st.builds(
    lambda members, scores, state: replace(
        table(1, *(f"{who} {score}" for who, score in zip(members, scores, strict=False))), state=state
    ),
    st.permutations(["m1", "m2", "m3", "m4", "m5", "-"]),
    st.lists(st.integers(-9, 9), min_size=2, max_size=4),
    st.sampled_from(list[TableState](["counted", "counted", "counted", "void"])),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(ONE_TABLE, max_size=4), max_size=6), st.randoms())
def test_nights_are_rated_in_order_of_time_in_whichever_order_they_come(
    tables: list[list[TableResult]], chance: random.Random
) -> None:
    nights = [
        night(number, *(replace(each, number=place) for place, each in enumerate(of_night, 1)))
        for number, of_night in enumerate(tables, 1)
    ]
    shuffled = [replace(each, tables=tuple(chance.sample(each.tables, len(each.tables)))) for each in nights]
    chance.shuffle(shuffled)
    rated, again = ratings(nights), ratings(shuffled)
    assert {key: believed(each) for key, each in rated.items()} == {
        key: believed(each) for key, each in again.items()
    }
    assert all(each.believed.sigma <= UNKNOWN[1] for each in rated.values())


def test_who_plays_better_is_rated_higher_in_the_end() -> None:
    chance = random.Random(7)
    strength = {f"m{number}": number for number in range(1, 13)}
    nights = []
    for number in range(1, 21):
        members = chance.sample(sorted(strength), 12)
        seats = [f"{who} {round(strength[who] + chance.gauss(0, 3))}" for who in members]
        nights.append(night(number, *(table(1, *seats[4 * k : 4 * k + 4], number=k + 1) for k in range(3))))
    rated = ratings(nights)
    shown = {who: rated["free", who].shown or 0 for who in strength}
    assert max(shown[f"m{number}"] for number in (1, 2, 3)) < min(
        shown[f"m{number}"] for number in (10, 11, 12)
    )
