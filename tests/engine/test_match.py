"""RULES 2 and 4: who deals next, when a match ends, who has won, and who gets the pot."""

from dataclasses import replace

import pytest

from engine.deal import deal
from engine.errors import NotAllowed
from engine.events import Left, MatchEnded
from engine.match import Match, begin_round, break_off, new_match, next_dealer, next_round, play
from engine.moves import Discard, Draw, Finish, Show
from engine.scoring import payout
from engine.shuffle import Rng
from engine.tiles import Tile
from tests.engine.laid_out import (
    HOPELESS,
    SOME_SEED,
    WINS_IN_MELDS,
    dealt,
    match_of,
    round_in,
    rules_of,
    turn_of,
)


def won_by(match: Match, seat: int) -> Match:
    """The match after its next round, which `seat` wins plainly."""
    if match.round is None or match.round.phase == "over":
        match, _ = next_round(match, SOME_SEED)
    match = turn_of(match, seat, rack=f"{WINS_IN_MELDS} Y13")
    return play(match, seat, Finish(Tile.Y13))[0]


def nobody_won(match: Match) -> Match:
    match, _ = next_round(match, SOME_SEED)
    match = turn_of(match, match.seats[0], rack=f"{HOPELESS} K9", turns=399)
    return play(match, match.seats[0], Discard(Tile.K9))[0]


def with_scores(*scores: int, **switches: object) -> Match:
    rules = rules_of(**{"players": len(scores), **switches})
    return replace(new_match(rules), scores=scores)


def test_before_the_first_round_nothing_can_be_played() -> None:
    match = new_match(rules_of())
    assert (match.round_number, match.round, match.scores) == (0, None, (20, 20, 20, 20))
    with pytest.raises(NotAllowed) as refused:
        play(match, 0, Draw())
    assert refused.value.code == "no_round"


def test_rounds_follow_each_other_and_do_not_overlap() -> None:
    match, _ = next_round(new_match(rules_of()), SOME_SEED)
    assert match.round_number == 1
    with pytest.raises(NotAllowed) as refused:
        next_round(match, SOME_SEED)
    assert refused.value.code == "round_not_over"
    match, _ = next_round(won_by(match, 0), SOME_SEED)
    assert match.round_number == 2


def test_the_deal_passes_to_the_next_seat() -> None:
    match, _ = next_round(new_match(rules_of()), SOME_SEED)
    first = match.dealer
    assert first is not None
    dealers = []
    for _ in range(4):
        match, _ = next_round(won_by(match, 1), SOME_SEED)
        dealers.append(match.dealer)
    assert dealers == [(first + step) % 4 for step in (1, 2, 3, 4)]


# ------------------------------------------------------------------ end = zero


@pytest.mark.parametrize(
    ("before", "winner", "after", "winners"),
    [
        ((3, 9, 9, 9), 1, (1, 9, 7, 7), ()),
        ((2, 9, 12, 9), 1, (0, 9, 10, 7), (1, 2)),
        ((1, 9, 12, 9), 1, (-1, 9, 10, 7), (1, 2)),
        ((2, 9, 11, 12), 1, (0, 9, 9, 10), (1, 2, 3)),  # a tie for the second place shares it
        ((2, 7, 9, 9), 1, (0, 7, 7, 7), (1, 2, 3)),
        ((2, 7, 8), 1, (0, 7, 6), (1,)),
        ((2, 5, 7), 1, (0, 5, 5), (1, 2)),
        ((2, 7), 1, (0, 7), (1,)),
        ((2, 20), 0, (2, 18), ()),
    ],
)
def test_the_match_ends_at_zero(
    before: tuple[int, ...], winner: int, after: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    """With four players the two highest win, else the highest; ties share."""
    match = won_by(with_scores(*before), winner)
    assert match.scores == after
    assert (match.finished, match.winners) == (bool(winners), winners)


def test_a_team_ends_at_zero_and_the_other_one_wins() -> None:
    match = won_by(with_scores(3, 2, 3, 2, teams=True), 0)
    assert match.scores == (3, 0, 3, 0)
    assert (match.finished, match.winners) == (True, (0, 2))


def test_a_score_of_zero_in_the_middle_of_a_round_does_not_end_it() -> None:
    match = match_of(rules_of(), {1: f"{HOPELESS.replace('K6', 'K13')} K9"}, scores=(1, 8, 8, 8))
    match, _ = play(match, 1, Show())
    assert match.scores == (0, 8, 7, 7)
    assert not match.finished
    match = won_by(match, 0)
    assert match.scores == (0, 6, 5, 5)
    assert match.winners == (1, 2, 3)


def test_a_finished_match_has_no_next_round() -> None:
    match = won_by(with_scores(2, 9, 9, 9), 1)
    with pytest.raises(NotAllowed) as refused:
        next_round(match, SOME_SEED)
    assert refused.value.code == "match_over"


# ------------------------------------------------------------------ end = elimination


def test_who_has_no_points_left_leaves_and_the_last_one_wins() -> None:
    match = with_scores(4, 2, 6, 9, end="elimination")
    match = won_by(match, 3)
    assert match.scores == (2, 0, 4, 9)
    assert match.seats == (0, 2, 3)
    assert not match.finished
    match = won_by(match, 3)
    assert match.scores == (0, 0, 2, 9)
    assert match.seats == (2, 3)
    match = won_by(match, 3)
    assert match.scores == (0, 0, 0, 9)
    assert (match.finished, match.winners) == (True, (3,))


def test_leaving_is_told_and_the_others_sit_closer() -> None:
    match, _ = next_round(with_scores(4, 2, 6, 9, end="elimination"), SOME_SEED)
    match = turn_of(match, 3, rack=f"{WINS_IN_MELDS} Y13")
    match, events = play(match, 3, Finish(Tile.Y13))
    assert events[1:] == (Left(1),)
    match = replace(match, dealer=0)
    assert next_dealer(match) == 2
    match, _ = next_round(match, SOME_SEED)
    assert [len(rack) for rack in round_in(match).racks] == [14, 0, 14, 15]
    assert len(round_in(match).stock) == 62
    with pytest.raises(NotAllowed) as refused:
        play(match, 1, Draw())
    assert refused.value.code == "not_playing"
    match = turn_of(match, 0, rack=f"{HOPELESS} K9")
    match, _ = play(match, 0, Discard(Tile.K9))
    assert round_in(match).turn == 2


def test_when_all_leave_at_once_the_highest_wins() -> None:
    match = match_of(rules_of(end="elimination", players=3), {1: f"{HOPELESS.replace('K6', 'K13')} K9"},
                     scores=(1, 1, 1))  # fmt: skip
    match, _ = play(match, 1, Show())
    match = won_by(match, 0)
    assert match.scores == (0, -1, -2)
    assert (match.finished, match.winners) == (True, (0,))


def test_who_left_before_does_not_share_the_win_of_the_last_to_leave() -> None:
    rules = rules_of(end="elimination", players=3)
    match = replace(new_match(rules), scores=(1, 2, 0), seats=(0, 1))
    twin = {1: f"{HOPELESS.replace('K6', 'K13')} K9"}
    match, _ = begin_round(match, dealt(rules, twin, seats=(0, 1)))
    match, _ = play(match, 1, Show())
    match = won_by(match, 0)
    assert match.scores == (0, 0, 0)
    assert (match.finished, match.winners) == (True, (0, 1))


# ------------------------------------------------------------------ end = rounds


def test_a_fixed_number_of_rounds_most_won() -> None:
    match = new_match(rules_of(preset="okey-rounds", rounds=3))
    match = nobody_won(won_by(match, 2))
    assert (match.scores, match.finished) == ((0, 0, 1, 0), False)
    match = won_by(match, 0)
    assert (match.scores, match.finished, match.winners) == ((1, 0, 1, 0), True, (0, 2))


def test_fewest_penalty_points_win() -> None:
    match = new_match(rules_of(preset="turkish-rummy", rounds=2, show="off"))
    match = won_by(won_by(match, 2), 2)
    assert match.scores == (40, 40, 0, 40)
    assert (match.finished, match.winners) == (True, (2,))


def test_counting_down_for_a_number_of_rounds_goes_on_below_zero() -> None:
    match = with_scores(2, 2, 2, end="rounds", rounds=2)
    match = won_by(match, 0)
    assert (match.scores, match.finished) == ((2, 0, 0), False)
    match = won_by(match, 0)
    assert (match.scores, match.winners) == ((2, -2, -2), (0,))


def test_the_last_round_tells_who_won() -> None:
    match, _ = next_round(new_match(rules_of(preset="okey-rounds", rounds=1)), SOME_SEED)
    match = turn_of(match, 2, rack=f"{WINS_IN_MELDS} Y13")
    assert play(match, 2, Finish(Tile.Y13))[1][-1] == MatchEnded((2,))


# ------------------------------------------------------------------ the pot


@pytest.mark.parametrize(
    ("rounds", "stake", "scores", "winners", "chips"),
    [
        # 100 of 400 chips go to those below 40 points: 20 and 10 below share 2 : 1; the rest to the winner
        (1, 100, (0, 20, 30, 50), (0,), (301, 66, 33, 0)),
        (1, 100, (0, 20, 20, 20), (0,), (301, 33, 33, 33)),
        (1, 100, (0, 40, 40, 80), (0,), (400, 0, 0, 0)),
        (1, 100, (0, 39, 40, 40), (0,), (300, 100, 0, 0)),
        # 80 points is the limit of three rounds
        (3, 100, (20, 79, 80, 120), (0,), (300, 100, 0, 0)),
        (3, 10, (40, 0, 60, 60), (1,), (5, 31, 2, 2)),
        # two equal winners split; the odd chip goes to the first
        (1, 100, (10, 10, 30, 40), (0, 1), (150, 150, 100, 0)),
        (1, 1, (10, 10, 50), (0, 1), (2, 1, 0)),
        (1, 100, (10, 10, 10, 10), (0, 1, 2, 3), (100, 100, 100, 100)),
        (3, 7, (0, 100, 100), (0,), (21, 0, 0)),
    ],
)
def test_the_pot(
    rounds: int, stake: int, scores: tuple[int, ...], winners: tuple[int, ...], chips: tuple[int, ...]
) -> None:
    rules = rules_of(preset=f"turkish-rummy-fast-{rounds}", stake=stake, players=len(scores))
    assert payout(rules, scores, winners) == chips
    assert sum(chips) == stake * len(scores)


def test_a_deal_can_be_handed_in() -> None:
    rules = rules_of()
    dealt = deal(rules, 2, range(4), Rng(SOME_SEED, "deal"))
    match, _ = begin_round(new_match(rules), dealt)
    assert round_in(match).racks == dealt.racks
    assert (match.dealer, match.round_number) == (2, 1)


def test_a_round_that_is_broken_off_was_never_played() -> None:
    before = won_by(with_scores(20, 17), 1)
    match, _ = next_round(before, SOME_SEED)
    shown = replace(match, scores=(match.scores[0] - 1, match.scores[1]), changes=(-1, 0))
    after = break_off(shown)
    assert after.scores == before.scores
    assert (after.round_number, after.rounds_scored, after.round) == (1, 1, None)
    assert not after.finished
