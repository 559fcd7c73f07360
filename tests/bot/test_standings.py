"""What counts, for whom, and in what order: figures made from matches."""

from dataclasses import replace

import pytest

from bot.history.matches import Dated, PlayedMatch, Player
from bot.history.statistics import Leader, leaders, of_person
from bot.tables.play import round_result
from bot.tables.table import RoundResult
from engine.match import new_match, next_round
from engine.rules import rules_from
from engine.shuffle import Seed
from engine.state import Ending

ADA, CAN, ECE = Player("mem:ada", "Ada"), Player("mem:can", "Can"), Player("mem:ece", "Ece")
ROBOT = Player(None, "Nasreddin")


def won(winner: int | None, *how: str, away: tuple[int, ...] = (), seats: int = 3) -> RoundResult:
    return RoundResult(winner=winner, how=how, changes=(0,) * seats, away=away)


def match(
    *rounds: RoundResult,
    at: float = 100.0,
    players: tuple[Player, ...] = (ADA, CAN, ECE),
    winners: tuple[int, ...] = (),
    over: bool = True,
    game: str = "classic",
) -> Dated:
    return Dated(
        at,
        PlayedMatch(
            table=f"t{at:g}",
            game=game,
            players=players,
            rounds=rounds,
            scores=(0,) * len(players),
            winners=winners,
            over=over,
            owners=(),
        ),
    )


def test_wins_are_counted_by_kind_and_a_win_of_two_kinds_counts_in_both() -> None:
    rounds = (won(0), won(0, "joker", "pairs"), won(0, "color"), won(1, "pairs"), won(None))
    figures = of_person(["mem:ada"], [match(*rounds)]).games["classic"]
    assert (figures.rounds, figures.wins) == (5, 3)
    assert figures.how == {"plain": 1, "joker": 1, "pairs": 1, "color": 1}


def test_each_game_has_its_figures_and_penalties_and_openings_are_those_of_the_seat() -> None:
    of_101 = replace(won(1, "elden"), opened=(0, 1), fines=(2, 0, 1))
    matches = [match(of_101, won(0), at=2, game="101"), match(won(0), at=1)]
    games = of_person(["mem:ada"], matches).games
    assert games["classic"].rounds == 1
    assert (games["101"].rounds, games["101"].opened, games["101"].fines) == (2, 1, 2)


def test_the_best_streak_goes_over_matches_in_the_order_in_which_they_were_played() -> None:
    newest_first = [match(won(0), won(1), won(0), at=3), match(won(0), won(0), at=2), match(won(1), at=1)]
    assert of_person(["mem:ada"], newest_first).streak == 3
    assert of_person(["mem:ada"], [newest_first[1], newest_first[2]]).streak == 2
    assert of_person(["mem:ece"], newest_first).streak == 0


@pytest.mark.parametrize("away", [(0,), (1, 2), (0, 1, 2)])
def test_whoever_is_away_or_alone_with_computer_players_has_played_nothing(away: tuple[int, ...]) -> None:
    standings = of_person(["mem:ada"], [match(won(0, away=away), winners=(0,))])
    assert standings.games == {}
    assert (standings.matches, standings.matches_won, standings.streak) == (0, 0, 0)
    assert not [leader for leader in leaders([match(won(0, away=away))], 0, 9) if leader.name == "Ada"]


def test_computer_players_are_nobodys_opponents_and_lead_nowhere() -> None:
    dated = match(won(2, away=(2,)), won(0, away=(2,)), players=(ADA, CAN, ROBOT))
    assert of_person(["mem:ada"], [dated]).opponents == (("Can", 1),)
    assert leaders([dated], 0, 9) == [Leader("Ada", 1, 2), Leader("Can", 0, 2)]


def test_a_result_stays_when_the_other_has_been_forgotten() -> None:
    dated = match(won(0, seats=2), players=(ADA, Player(None, "?")))
    assert of_person(["mem:ada"], [dated]).games["classic"].wins == 1
    assert leaders([dated], 0, 9) == [Leader("Ada", 1, 1)]


def test_the_usual_opponents_are_those_of_most_matches_by_their_newest_names() -> None:
    renamed = Player(CAN.person, "Canan")
    matches = [
        match(won(0), won(0), won(0), at=3, players=(ADA, renamed, ROBOT)),
        match(won(0), at=2),
        match(won(0), at=1),
    ]
    assert of_person(["mem:ada"], matches).opponents == (("Canan", 3), ("Ece", 2))


def test_matches_count_when_they_are_over_and_are_won_by_their_winners() -> None:
    matches = [match(won(0), at=3, over=False), match(won(1), at=2, winners=(0, 1)), match(won(0), at=1)]
    standings = of_person(["mem:ada"], matches)
    assert (standings.matches, standings.matches_won) == (2, 1)


def test_who_won_most_leads_and_of_two_who_needed_fewer_rounds() -> None:
    matches = [
        match(won(1), won(1), at=3, players=(ADA, ECE)),
        match(won(0), won(1), at=2, players=(CAN, ADA)),
        match(won(None), at=1, players=(CAN, ROBOT, ADA)),
        match(won(0), at=0, players=(ADA, Player("mem:ali", "Ali"))),
        match(won(0), won(None), at=0, players=(CAN, Player("mem:ali", "Ali"))),
    ]
    board = leaders(matches, 0, 9)
    assert board == [Leader("Ece", 2, 2), Leader("Can", 2, 5), Leader("Ada", 2, 6), Leader("Ali", 0, 3)]
    assert leaders(matches, 0, 1) == board[:1]


def test_a_period_begins_at_its_first_moment() -> None:
    matches = [match(won(0), at=100.0), match(won(1), at=99.9)]
    assert [leader.wins for leader in leaders(matches, 100.0, 9)] == [1, 0, 0]
    assert leaders(matches, 100.1, 9) == []


def test_a_cancelled_round_has_no_result() -> None:
    rules = rules_from({"preset": "okey101", "players": 2, "deal": "quick"})
    seed = Seed(secret=bytes(64), words=(), table="t", round_number=1)
    dealt, _ = next_round(new_match(rules), seed)
    assert dealt.round is not None
    for ending, counts in ((Ending("cancelled"), False), (Ending("exhausted"), True)):
        over = replace(dealt, round=replace(dealt.round, phase="over", ending=ending))
        assert (round_result(over, (), (0, 0)) is not None) == counts
