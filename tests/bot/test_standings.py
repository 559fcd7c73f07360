"""What counts, for whom, and in what order: figures made from matches."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.history.played import Dated, PlayedMatch, Player
from bot.history.statistics import PersonStandings, describe_person, rank_leaders
from bot.history.tally import (
    DAY,
    MatchTally,
    PersonTally,
    count_match,
    forget_person,
    merge_persons,
    tally_matches,
)
from bot.tables.play import round_result
from bot.tables.table import RoundResult
from engine.match import new_match, next_round
from engine.rules import rules_from
from engine.shuffle import Seed
from engine.state import Ending

ADA, CAN, ECE = Player("mem:ada", "Ada"), Player("mem:can", "Can"), Player("mem:ece", "Ece")
ROBOT = Player(None, "Nasreddin")
HALL = "mem:hall"


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
            communities=(HALL,),
        ),
    )


def describe(person: str, matches: Sequence[Dated]) -> PersonStandings:
    """The figures of a person from their matches, the newest first."""
    tally = tally_matches(person, matches)
    held = tally.persons.get(person)
    return describe_person(held or PersonTally(), tally.names)


def rank(matches: Sequence[Dated], days: int | None = None, now: float = 100.0) -> list[tuple[str, int, int]]:
    """The leaders of a place with these matches: names, wins, rounds."""
    board = rank_leaders(tally_matches(HALL, matches), now, days)
    return [(leader.name, leader.wins, leader.rounds) for leader in board]


def test_wins_are_counted_by_kind_and_a_win_of_two_kinds_counts_in_both() -> None:
    rounds = (won(0), won(0, "joker", "pairs"), won(0, "color"), won(1, "pairs"), won(None))
    figures = describe("mem:ada", [match(*rounds)]).games["classic"]
    assert (figures.rounds, figures.wins) == (5, 3)
    assert figures.how == {"plain": 1, "joker": 1, "pairs": 1, "color": 1}


def test_each_game_has_its_figures_and_penalties_and_openings_are_those_of_the_seat() -> None:
    of_101 = replace(won(1, "elden"), opened=(0, 1), fines=(2, 0, 1))
    matches = [match(of_101, won(0), at=2, game="101"), match(won(0), at=1)]
    games = describe("mem:ada", matches).games
    assert games["classic"].rounds == 1
    assert (games["101"].rounds, games["101"].opened, games["101"].fines) == (2, 1, 2)


def test_a_streak_goes_over_matches_in_the_order_in_which_they_were_played() -> None:
    def ends(at: float, *winners: int) -> Dated:
        return match(won(0), at=at, winners=winners)

    newest_first = [ends(5, 0), ends(4, 1), ends(3, 0), match(won(1), at=2.5), ends(2, 0), ends(1, 1)]
    standings = describe("mem:ada", newest_first)
    assert (standings.streak, standings.longest) == (1, 2)
    assert (describe("mem:ece", newest_first).streak, describe("mem:ece", newest_first).longest) == (0, 0)


@pytest.mark.parametrize("away", [(0,), (1, 2), (0, 1, 2)])
def test_whoever_is_away_or_alone_with_computer_players_has_played_nothing(away: tuple[int, ...]) -> None:
    standings = describe("mem:ada", [match(won(0, away=away), winners=(0,))])
    assert standings.games == {}
    assert (standings.matches, standings.matches_won, standings.longest) == (0, 0, 0)
    assert "Ada" not in [name for name, *_ in rank([match(won(0, away=away))])]


def test_computer_players_are_nobodys_opponents_and_lead_nowhere() -> None:
    dated = match(won(2, away=(2,)), won(0, away=(2,)), players=(ADA, CAN, ROBOT))
    assert describe("mem:ada", [dated]).opponents == (("Can", 1),)
    assert rank([dated]) == [("Ada", 1, 2), ("Can", 0, 2)]


def test_a_result_stays_when_the_other_has_been_forgotten() -> None:
    dated = match(won(0, seats=2), players=(ADA, Player(None, "?")))
    assert describe("mem:ada", [dated]).games["classic"].wins == 1
    assert rank([dated]) == [("Ada", 1, 1)]


def test_the_usual_opponents_are_those_of_most_matches_by_their_newest_names() -> None:
    renamed = Player(CAN.person, "Canan")
    matches = [
        match(won(0), won(0), won(0), at=3, players=(ADA, renamed, ROBOT)),
        match(won(0), at=2),
        match(won(0), at=1),
    ]
    assert describe("mem:ada", matches).opponents == (("Canan", 3), ("Ece", 2))


def test_matches_count_when_they_are_over_and_are_won_by_their_winners() -> None:
    matches = [match(won(0), at=3, over=False), match(won(1), at=2, winners=(0, 1)), match(won(0), at=1)]
    standings = describe("mem:ada", matches)
    assert (standings.matches, standings.matches_won) == (2, 1)


def test_who_won_most_leads_and_of_two_who_needed_fewer_rounds() -> None:
    matches = [
        match(won(1), won(1), at=3, players=(ADA, ECE)),
        match(won(0), won(1), at=2, players=(CAN, ADA)),
        match(won(None), at=1, players=(CAN, ROBOT, ADA)),
        match(won(0), at=0, players=(ADA, Player("mem:ali", "Ali"))),
        match(won(0), won(None), at=0, players=(CAN, Player("mem:ali", "Ali"))),
    ]
    board = rank(matches)
    assert board == [("Ece", 2, 2), ("Can", 2, 5), ("Ada", 2, 6), ("Ali", 0, 3)]


def test_a_period_ends_today_and_has_so_many_days() -> None:
    now = 100 * DAY + 5
    matches = [match(won(0), at=100 * DAY), match(won(1), at=94 * DAY), match(won(0), won(0), at=93 * DAY)]
    assert [wins for _, wins, _ in rank(matches, 7, now)] == [1, 1, 0]
    assert [wins for _, wins, _ in rank(matches, 8, now)] == [3, 1, 0]
    assert rank(matches, 7, now + 7 * DAY) == []
    assert [wins for _, wins, _ in rank(matches, None, now + 999 * DAY)] == [3, 1, 0]


def test_a_cancelled_round_has_no_result() -> None:
    rules = rules_from({"preset": "okey101", "players": 2, "deal": "quick"})
    seed = Seed(secret=bytes(64), words=(), table="t", round_number=1)
    dealt, _ = next_round(new_match(rules), seed)
    assert dealt.round is not None
    for ending, counts in ((Ending("cancelled"), False), (Ending("exhausted"), True)):
        over = replace(dealt, round=replace(dealt.round, phase="over", ending=ending))
        assert (round_result(over, (), (0, 0)) is not None) == counts


def test_a_match_that_goes_on_counts_as_if_it_were_counted_once() -> None:
    """Whatever was written before, and however often."""
    first, second = match(won(0), at=50.0, over=False), match(won(0), won(1), at=60.0, over=False)
    last = match(won(0), won(1), won(2, "pairs"), at=70.0, winners=(2,))
    tally = MatchTally()
    before = None
    for now in (first, first, second, last, last):
        count_match(tally, HALL, before, now)
        before = now
    assert tally == tally_matches(HALL, [last])
    assert tally.persons["mem:ece"].counts["won"] == 1


def test_who_loses_their_seat_later_did_not_play() -> None:
    tally = MatchTally()
    before = match(won(0), at=50.0, over=False)
    after = match(won(0), won(1), at=60.0, players=(ROBOT, CAN, ECE))
    count_match(tally, HALL, None, before)
    count_match(tally, HALL, before, after)
    assert tally == tally_matches(HALL, [after])
    assert "mem:ada" not in tally.persons


def test_days_that_are_long_past_take_nothing_away() -> None:
    tally, before, after = MatchTally(), match(won(0), at=DAY, over=False), match(won(0), won(0), at=90 * DAY)
    count_match(tally, HALL, None, before)
    count_match(tally, HALL, match(won(1), at=50 * DAY), match(won(1), at=60 * DAY))
    count_match(tally, HALL, before, after)
    ada = tally.persons["mem:ada"].counts
    assert (ada["classic.rounds"], ada["classic.wins"], ada["day.90.rounds"]) == (2, 2, 2)
    assert "day.1.rounds" not in ada


def test_a_forgotten_person_is_in_no_tally_and_the_others_keep_their_sums() -> None:
    dated = match(won(0), winners=(1,))
    for owner in (HALL, "mem:can"):
        tally = tally_matches(owner, [dated])
        before = dict(tally.persons["mem:can"].counts)
        forget_person(tally, "mem:ada")
        assert "mem:ada" not in repr(tally)
        assert "Ada" not in repr(tally)
        before.pop("met.mem:ada", None)
        assert tally.persons["mem:can"].counts == before


def test_whoever_wins_more_is_rated_higher_after_ten_matches() -> None:
    def played(number: int, **changes: object) -> Dated:
        dated = match(won(0), at=float(number), winners=(0,))
        return replace(dated, match=replace(dated.match, places=(1, 2, 3), **changes))  # type: ignore[arg-type]

    nine = tally_matches(HALL, [played(number) for number in range(9, 0, -1)]).persons
    assert {describe_person(each, {}).rating for each in nine.values()} == {None}
    ten = tally_matches(HALL, [played(number) for number in range(10, 0, -1)]).persons
    ada, can, ece = (describe_person(ten[f"mem:{name}"], {}).rating for name in ("ada", "can", "ece"))
    assert ada is not None
    assert can is not None
    assert ece is not None
    assert ada > can > ece
    league = tally_matches(HALL, [played(number, league=True) for number in range(10, 0, -1)]).persons
    assert all(describe_person(each, {}).rated == 0 for each in league.values())
    assert describe_person(league["mem:ada"], {}).matches_won == 10


def test_places_are_counted_and_trophies_follow_from_sums() -> None:
    dated = match(won(0, "joker"), won(1), winners=(0,))
    dated = replace(dated, match=replace(dated.match, places=(1, 2, 2)))
    ada = describe("mem:ada", [dated])
    assert ada.places == {1: 1}
    assert describe("mem:ece", [dated]).places == {2: 1}
    assert ada.trophies == ("first_win", "joker")
    much_later = match(won(1), at=1000 * DAY, winners=(1,))
    assert set(ada.trophies) <= set(describe("mem:ada", [much_later, dated]).trophies)


def test_two_accounts_of_a_person_add_up() -> None:
    one = tally_matches("mem:ada", [match(won(0), at=1, winners=(0,)), match(won(0), at=0, winners=(0,))])
    other = tally_matches("mem:can", [match(won(0), won(1), at=2, winners=(0,))])
    both = describe_person(merge_persons((one.persons["mem:ada"], other.persons["mem:can"])), {})
    assert (both.matches, both.matches_won, both.games["classic"].rounds, both.longest) == (3, 2, 4, 2)
