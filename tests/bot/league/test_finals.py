"""Finals: who plays them, how a knockout goes on, and who comes out where. Worked out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.errors import Refused
from bot.i18n import LANGUAGES, plain, words_for
from bot.league import decide, finals, timers
from bot.league import events as e
from bot.league.apply import rebuilt
from bot.league.events import NightEvent, Recorded, SeededMember
from bot.league.knockout import count_heats, deal_out, seat_heat
from bot.league.model import Format, League, Member, NightRef, Stage
from bot.league.night import Night
from bot.league.results import result_of
from bot.league.seasons import final_of
from bot.league.seating import Seated
from bot.league.standings import SeasonStanding, season_standings
from bot.screens.league.organising import night_run_page
from bot.screens.league.results import season_picture, table_page
from tests.bot.league.leagues import START, weekly
from tests.bot.league.results import night as held
from tests.bot.league.results import table

HOUR = 3600.0
CUT = Stage(kind="cut", size=4, carry_over="half")
KNOCKOUT = Stage(kind="knockout", size=8)


def people(count: int) -> tuple[str, ...]:
    return tuple(f"m{n}" for n in range(1, count + 1))


def seeds(count: int, *, shared: Sequence[int] = ()) -> tuple[SeededMember, ...]:
    """The first is m1, with the most points. Who is in `shared` has the rank of the one before."""
    ranks = list(range(1, count + 1))
    for each in shared:
        ranks[each - 1] = ranks[each - 2]
    return tuple(SeededMember(f"m{n}", ranks[n - 1], str(2 * (count - n))) for n in range(1, count + 1))


CORRECTED = (*seeds(3), *(SeededMember(f"m{n}", rank, "0") for rank, n in enumerate((7, 4, 5, 6), start=4)))
"""The seeds after a correction that brings the last of seven before three others."""


class Evening:
    """A final that is played step by step."""

    def __init__(self, stage: Stage, known: Sequence[SeededMember], **settings: object) -> None:
        format = weekly(**{"rounds": 3, "nights": 8, **settings}).format
        announced = e.Announced("abcde-1", "abcde", 1, 8, START, format, b"key", stage)
        self.now = START - HOUR
        self.log = [Recorded(self.now, "", "", announced)]
        self.tell(e.StageSeeded(tuple(known)))

    @property
    def night(self) -> Night:
        return rebuilt(self.log)

    def tell(self, *events: NightEvent) -> None:
        self.log += [Recorded(self.now, "", "", event) for event in events]

    def comes(self, *members: str) -> None:
        for member in members:
            self.tell(e.Replied(member, "yes", "mem:hall"))
        self.tell(e.CheckInOpened(START - 180))
        for member in members:
            self.tell(e.CheckedIn(member, "mem:hall"))

    def at(self, seconds: float) -> None:
        """Let the clock do all that is due at this time after the start."""
        self.now = START + seconds
        while happened := timers.due(self.night, self.now, _all_at_one_table):
            self.tell(*happened)

    def plays(self, *scores: Sequence[int]) -> None:
        """Play the tables of the running round to their ends."""
        round = self.night.running
        assert round is not None
        for each, made in zip(round.tables, scores, strict=True):
            tiles = (e.TilesRound(each.seats, tuple(made), None),)
            self.tell(e.TilesPlayed(round.number, each.number, tiles, tuple(made), over=True))
        self.at(self.now - START)

    def seats(self) -> list[tuple[str, ...]]:
        round = self.night.running
        assert round is not None
        return [each.seats for each in round.tables]

    def places(self) -> list[tuple[int, str]]:
        played = result_of(self.night)
        lines = season_standings([played], self.night.format, 1)
        return [(each.rank, each.member) for each in lines if each.in_final]


def of_eight() -> Evening:
    """A knockout of eight at its start."""
    final = Evening(KNOCKOUT, seeds(8))
    final.comes(*people(8))
    final.at(0)
    return final


def _all_at_one_table(night: Night, members: Sequence[str]) -> Seated:
    return Seated((tuple(members),), ())


def line(member: str, rank: int, points: int) -> SeasonStanding:
    return SeasonStanding(
        member=member,
        rank=rank,
        points=Fraction(points),
        wins=0,
        score=0,
        opponents=Fraction(0),
        met=0,
        nights=(),
    )


# Which final


@pytest.mark.parametrize(
    ("settings", "count", "stage"),
    [
        ({"finals": "none"}, 20, None),
        ({"finals": "cut8", "carry": "all"}, 20, Stage(kind="cut", size=8, carry_over="all")),
        ({"finals": "cut8"}, 7, Stage(kind="cut", size=4, carry_over="half")),
        ({"finals": "cut8"}, 3, None),
        ({"finals": "knockout16", "matches": 3}, 15, Stage(kind="knockout", size=8, tables_per_match=3)),
        ({"finals": "knockout16"}, 16, Stage(kind="knockout", size=16)),
        ({"finals": "knockout8", "nights": 1, "rounds": 2}, 0, Stage(kind="knockout", size=8, groups=2)),
        ({"finals": "cut8", "nights": 1}, 20, None),
    ],
)
def test_with_too_few_people_the_next_smaller_final_is_played_or_none(
    settings: dict[str, object], count: int, stage: Stage | None
) -> None:
    assert finals.stage_of(Format(**settings), count) == stage  # type: ignore[arg-type]


def ref(number: int, *, over: bool = True, cancelled: bool = False) -> NightRef:
    start = START + (number - 1) * 7 * 24 * HOUR
    return NightRef(id=f"abcde-{number}", start=start, season=1, over=over, cancelled=cancelled)


def test_the_final_is_on_the_last_night_and_moves_on_when_one_is_called_off() -> None:
    league = weekly(finals="cut4", nights=3)
    league = replace(league, nights=(ref(1), ref(2), ref(3, over=False)))
    assert [final_of(league, each, 9) is not None for each in league.nights] == [False, False, True]
    league = replace(league, nights=(ref(1), ref(2, cancelled=True), ref(3, over=False)))
    assert final_of(league, league.nights[-1], 9) is None
    league = replace(league, nights=(ref(1), ref(2), ref(3, cancelled=True), ref(4, over=False)))
    assert final_of(league, league.nights[-1], 9) is not None


def test_the_last_date_of_a_calendar_is_the_final_even_if_a_night_was_called_off() -> None:
    league = weekly(finals="cut4", nights=3)
    schedule = replace(league.schedule, rule="FREQ=WEEKLY;COUNT=3")
    league = replace(league, schedule=schedule, nights=(ref(1), ref(2, cancelled=True), ref(3, over=False)))
    assert final_of(league, league.nights[-1], 9) is not None


# Who is in


def test_the_first_of_the_table_are_in_and_the_next_replaces_who_is_absent() -> None:
    final = Evening(CUT, seeds(7))
    final.comes("m7", "m6", "m4", "m2", "m1")
    assert final.night.coming == ("m1", "m2", "m4", "m6")
    assert final.night.waiting == ("m7",)
    final.at(-180)
    assert final.night.playing == ("m1", "m2", "m4", "m6")


def test_who_shares_the_last_rank_is_in() -> None:
    final = Evening(CUT, seeds(7, shared=(5, 6)))
    final.comes(*people(7))
    final.at(-180)
    assert final.night.playing == people(6)


def test_with_fewer_people_than_places_all_of_them_play() -> None:
    final = Evening(KNOCKOUT, seeds(12))
    final.comes("m12", "m3", "m9")
    final.at(0)
    assert final.seats() == [("m3", "m9", "m12")]


def test_two_people_are_too_few_and_the_final_is_called_off() -> None:
    final = Evening(KNOCKOUT, seeds(12))
    final.comes("m12", "m3")
    final.at(0)
    assert final.night.cancelled == "too_few"


def test_a_final_is_only_for_those_in_its_table() -> None:
    night = Evening(CUT, seeds(5)).night
    stranger = Member(id="m9", name="Nine")
    with pytest.raises(Refused) as refused:
        decide.reply(night, START - HOUR, stranger, "yes", "mem:hall")
    assert (refused.value.code, refused.value.values["n"]) == ("not_in_final", 4)
    assert decide.reply(night, START - HOUR, Member(id="m5", name="Five"), "yes", "mem:hall")


def test_a_late_qualifier_finds_no_seat_in_a_knockout_that_has_begun() -> None:
    final = Evening(KNOCKOUT, seeds(9))
    final.comes(*people(8)[1:])
    final.at(0)
    with pytest.raises(Refused) as refused:
        decide.come(final.night, START + 60, Member(id="m1", name="One"), "mem:hall")
    assert refused.value.code == "too_late_for_night"


def test_a_late_qualifier_plays_a_cut_from_the_next_round_on_if_a_place_is_free() -> None:
    final = Evening(CUT, seeds(9))
    final.comes("m2", "m3", "m4")
    final.at(0)
    assert final.night.room_for("m1") == 1
    (came,) = decide.come(final.night, START + 60, Member(id="m1", name="One"), "mem:hall")
    assert came == e.Came("m1", "mem:hall")


def test_a_corrected_table_changes_who_is_in_until_the_first_deal() -> None:
    final = Evening(CUT, seeds(7))
    final.comes(*people(7))
    final.at(-180)
    final.tell(*finals.seed(final.night, START - 120, CORRECTED))
    assert final.night.playing == ("m1", "m2", "m3", "m7")
    final.at(0)
    assert finals.seed(final.night, START, seeds(7)) == (), "they have their tiles"


def test_organisers_learn_who_would_be_in_by_a_table_corrected_too_late() -> None:
    final = Evening(CUT, seeds(7))
    final.comes(*people(7))
    final.at(0)
    assert finals.find_changed(final.night, CORRECTED) == (("m7",), ("m4",))
    assert finals.find_changed(final.night, seeds(7)) == ((), ())
    league = replace(weekly(), members={f"m{n}": Member(id=f"m{n}", name=f"P{n}") for n in range(1, 8)})
    words = words_for("en")
    told = night_run_page(league, final.night, words, changed=(("m7",), ("m4",)), turns=False)
    assert "P7 would be in this final, and P4 would not" in plain(told.text, words)
    told = night_run_page(league, final.night, words, changed=((), ()), turns=False)
    assert "would be" not in plain(told.text, words)


def test_who_was_forgotten_is_not_among_the_seeds() -> None:
    league = replace(
        weekly(),
        members={"m1": Member(id="m1", name="?"), "m2": Member(id="m2", name="B", accounts=("mem:b",))},
    )
    found = finals.list_seeds(league, [line("m1", 1, 9), line("m2", 2, 8)], league.format)
    assert found == (SeededMember("m2", 2, "8"),)


# A cut


@pytest.mark.parametrize(("carry", "points"), [("none", 0), ("half", 3), ("all", 6)])
def test_a_cut_counts_what_was_taken_along_and_the_last_night(carry: str, points: int) -> None:
    final = Evening(replace(CUT, carry_over=carry), seeds(7))  # type: ignore[arg-type]
    final.comes(*people(4))
    final.at(0)
    final.plays([0, 0, 0, 10])
    final.tell(e.Ended())
    season = season_standings([result_of(final.night)], final.night.format, 1)
    fourth = next(each for each in season if each.member == "m4")
    assert (fourth.points, fourth.carried) == (Fraction(3 + points), Fraction(points))


def test_equals_of_a_cut_are_parted_by_the_rank_before_it() -> None:
    final = Evening(replace(CUT, carry_over="none"), seeds(4), ties=())
    final.comes(*people(4))
    final.at(0)
    final.plays([0, 9, 9, 0])
    season = season_standings([result_of(final.night)], final.night.format, 1)
    assert [(each.rank, each.member, each.tie) for each in season] == [
        (1, "m2", "seed"),
        (2, "m3", "seed"),
        (3, "m1", "seed"),
        (4, "m4", "seed"),
    ]


def test_the_others_stay_behind_the_finalists_as_they_were() -> None:
    before = held(1, table(1, "m1 9", "m2 8", "m3 7", "m4 6"), table(1, "m5 9", "m6 8", "m7 7", number=2))
    final = Evening(
        CUT,
        (
            SeededMember("m1", 1, "3"),
            SeededMember("m2", 3, "2"),
            SeededMember("m3", 5, "1"),
            SeededMember("m7", 6, "0"),
        ),
    )
    final.comes("m1", "m2", "m3", "m7")
    final.at(0)
    final.plays([1, 2, 3, 4])
    last = result_of(final.night)
    season = season_standings([before, last], final.night.format, 1)
    assert [(each.rank, each.member) for each in season][:4] == [(1, "m7"), (2, "m3"), (3, "m2"), (4, "m1")]
    assert [(each.rank, each.member) for each in season][4:] == [(5, "m5"), (6, "m6"), (7, "m4")]


# A knockout


def test_the_best_meet_the_last() -> None:
    assert deal_out(people(16), 4) == [
        ("m1", "m8", "m9", "m16"),
        ("m2", "m7", "m10", "m15"),
        ("m3", "m6", "m11", "m14"),
        ("m4", "m5", "m12", "m13"),
    ]


@pytest.mark.parametrize(("count", "sizes"), [(3, [3]), (4, [4]), (6, [3, 3]), (7, [3, 4]), (9, [3, 3, 3])])
def test_tables_have_three_or_four(count: int, sizes: list[int]) -> None:
    seated = seat_heat(people(count), seeds(count), pairs=False, teams=False)
    assert seated is not None
    assert sorted(map(len, seated.tables)) == sizes


@pytest.mark.parametrize(("count", "heats"), [(4, 1), (8, 2), (12, 3), (16, 3), (17, 4), (32, 4)])
def test_a_knockout_has_so_many_heats(count: int, heats: int) -> None:
    assert count_heats(count, pairs=False) == heats


def test_two_of_each_table_play_on_until_the_final() -> None:
    final = of_eight()
    assert final.seats() == [("m1", "m4", "m5", "m8"), ("m2", "m3", "m6", "m7")]
    final.plays([-5, 1, 2, 9], [4, 3, 2, 1])
    final.at(600)
    assert final.seats() == [("m2", "m3", "m5", "m8")]
    final.plays([1, 2, 7, 3])
    assert final.night.stage == "over"
    assert final.places() == [
        *((1, "m5"), (2, "m8"), (3, "m3"), (4, "m2")),  # at the last table
        *((5, "m4"), (6, "m6"), (7, "m1"), (8, "m7")),  # third before fourth, then by seed
    ]


def test_equal_scores_are_parted_by_seed() -> None:
    final = of_eight()
    final.plays([5, 5, 5, 5], [0, 0, 1, 0])
    final.at(600)
    assert final.seats() == [("m1", "m2", "m4", "m6")]


def test_a_computer_player_never_plays_on() -> None:
    final = of_eight()
    for seat in (1, 2, 3):
        final.tell(e.SeatFreed(1, 1, seat))
    for member in ("m4", "m5", "m8"):
        final.tell(e.Went(member))
    final.plays([-9, 5, 5, 5], [4, 3, 2, 1])
    final.at(600)
    assert final.seats() == [("m1", "m2", "m3", "m6")], "the best of those who were out fills the place"


def test_who_had_the_computer_play_for_them_does_not_play_on() -> None:
    final = of_eight()
    tiles = e.TilesRound(("", "m4", "m5", "m8"), (9, 3, 2, 1), None)
    final.tell(e.TilesPlayed(1, 1, (tiles,), tiles.changes, over=True))
    tiles = e.TilesRound(("m2", "m3", "m6", "m7"), (4, 3, 2, 1), None)
    final.tell(e.TilesPlayed(1, 2, (tiles,), tiles.changes, over=True))
    final.at(60)
    final.at(900)
    assert final.seats() == [("m2", "m3", "m4", "m5")]


def test_a_table_without_a_result_lets_the_better_seeds_play_on() -> None:
    final = of_eight()
    final.tell(e.Voided(1, 1))
    tiles = e.TilesRound(("m2", "m3", "m6", "m7"), (0, 0, 9, 8), None)
    final.tell(e.TilesPlayed(1, 2, (tiles,), tiles.changes, over=True))
    final.at(60)
    final.at(600)
    assert final.seats() == [("m1", "m4", "m6", "m7")]


def test_a_dispute_is_waited_for_and_decided_before_anybody_plays_on() -> None:
    final = of_eight()
    final.plays([4, 3, 2, 1], [4, 3, 2, 1])
    final.tell(e.Disputed(1, 1, "m5", "my deal"))
    final.at(900)
    assert (final.night.stage, len(final.night.rounds)) == ("break", 1)
    assert timers.wakes_at(final.night, final.now) is None
    final.tell(e.Decided(1, 1, upheld=True), e.Corrected(1, 1, (1, 2, 3, 4)))
    final.at(900)
    assert final.seats() == [("m2", "m3", "m5", "m8")]


def test_a_correction_after_the_next_deal_takes_nobody_out() -> None:
    final = of_eight()
    final.plays([4, 3, 2, 1], [4, 3, 2, 1])
    final.at(600)
    final.tell(e.Corrected(1, 1, (1, 2, 3, 4)))
    final.plays([1, 2, 3, 4])
    assert [member for _, member in final.places()][:4] == ["m4", "m3", "m2", "m1"]


def test_of_three_tables_the_most_points_count() -> None:
    final = Evening(replace(KNOCKOUT, size=4, tables_per_match=3), seeds(4))
    final.comes(*people(4))
    final.at(0)
    for minute, scores in enumerate(([4, 3, 2, 1], [1, 2, 3, 4], [1, 2, 3, 4])):
        final.at(900 * minute)
        assert final.seats() == [people(4)]
        final.plays(scores)
    assert final.night.stage == "over"
    assert [member for _, member in final.places()] == ["m4", "m3", "m2", "m1"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_says_that_a_knockout_decided_it(language: str) -> None:
    words = words_for(language)
    league = replace(weekly(), members={id: Member(id=id, name=f"Player {id}") for id in people(8)})
    final = of_eight()
    final.plays([4, 3, 2, 1], [4, 3, 2, 1])
    said = words.plain("league.table.knockout")
    for told, lines in (
        (False, (line("m1", 1, 3), line("m2", 2, 1))),
        (True, season_standings([result_of(final.night)], final.night.format, 1)),
    ):
        assert (season_picture(league, 1, lines, words).subtitle == said) == told
        assert (said in plain(table_page(league, 1, lines, words, turns=False).text, words)) == told


PAIRED = tuple(
    each_of
    for n in range(1, 9, 2)
    for each_of in (SeededMember(f"m{n}", n, "5", f"m{n + 1}"), SeededMember(f"m{n + 1}", n, "5", f"m{n}"))
)
TEAMS = {"rules": {"preset": "okey-rounds", "rounds": 1, "teams": True}, "seating": "pairs"}


def test_a_pair_plays_on_once_it_has_won_two_of_three_tables() -> None:
    final = Evening(replace(KNOCKOUT, tables_per_match=3), PAIRED, **TEAMS)
    final.comes(*people(8))
    final.at(0)
    assert final.seats() == [("m1", "m7", "m2", "m8"), ("m3", "m5", "m4", "m6")]
    final.plays([9, 0, 0, 0], [0, 9, 0, 0])
    final.at(1000)
    final.plays([9, 0, 0, 0], [9, 0, 0, 0])
    final.at(2000)
    assert final.seats() == [("m3", "m5", "m4", "m6")], "the other match is decided"
    final.plays([0, 0, 0, 9])
    final.at(3000)
    assert final.seats() == [("m1", "m5", "m2", "m6")]
    final.plays([0, 0, 0, 9])
    final.at(4000)
    final.plays([0, 9, 0, 0])
    assert final.night.stage == "over"
    assert final.places() == [
        *((1, "m5"), (1, "m6"), (3, "m1"), (3, "m2")),
        *((5, "m3"), (5, "m4"), (7, "m7"), (7, "m8")),
    ]


def test_an_odd_number_of_pairs_leaves_the_best_one_out_of_the_first_heat() -> None:
    final = Evening(KNOCKOUT, PAIRED, **TEAMS)
    final.comes(*people(6))
    final.at(0)
    assert final.seats() == [("m3", "m5", "m4", "m6")]
    final.plays([0, 9, 0, 0])
    final.at(1000)
    assert final.seats() == [("m1", "m5", "m2", "m6")]


def test_without_their_partner_nobody_plays_a_final_of_pairs() -> None:
    final = Evening(KNOCKOUT, PAIRED, **TEAMS)
    final.comes("m1", "m3", "m4", "m5", "m6")
    final.at(-180)
    assert final.night.playing == ("m3", "m4", "m5", "m6")


def test_pairs_are_seeded_by_the_points_of_both() -> None:
    members = {
        f"m{n}": Member(id=f"m{n}", name=f"P{n}", accounts=(f"mem:{n}",), partner=partner)
        for n, partner in ((1, "m4"), (2, "m3"), (3, "m2"), (4, "m1"), (5, ""))
    }
    league: League = replace(weekly(seating="pairs"), members=members)
    season = [line("m1", 1, 9), line("m5", 2, 8), line("m2", 3, 7), line("m3", 4, 6), line("m4", 5, 1)]
    found = finals.list_seeds(league, season, league.format)
    assert [(each.member, each.rank, each.partner) for each in found] == [
        *(("m2", 1, "m3"), ("m3", 1, "m2"), ("m1", 3, "m4"), ("m4", 3, "m1")),
    ]


def test_equal_pairs_are_parted_by_the_table_and_share_a_rank_if_that_does_not() -> None:
    table = [
        *(line("m1", 1, 9), line("m2", 1, 9), line("m3", 3, 6), line("m4", 3, 6)),
        *(line("m5", 5, 6), line("m6", 5, 6), line("m7", 7, 6), line("m8", 7, 6)),
        *(line("m9", 7, 6), line("m10", 7, 6)),
    ]
    partners = {f"m{n}": f"m{n + 1 if n % 2 else n - 1}" for n in range(1, 11)}
    found = finals.order_seeds(table, partners)
    assert [(each.member, each.rank) for each in found] == [
        *(("m1", 1), ("m2", 1), ("m3", 3), ("m4", 3), ("m5", 5), ("m6", 5)),
        *(("m7", 7), ("m8", 7), ("m9", 7), ("m10", 7)),
    ]


# A tournament


def test_a_tournament_goes_on_with_a_knockout_after_its_rounds() -> None:
    stage = Stage(kind="knockout", size=4, groups=2)
    final = Evening(stage, (), rounds=2, nights=1)
    final.comes(*people(6))
    final.at(0)
    assert final.night.playing == people(6)
    for minute in (0, 1000):
        final.at(minute)
        final.plays([6, 5, 4, 3, 2, 1])
    final.at(2000)
    assert final.night.heats[0].members == people(4)
    final.plays([1, 2, 3, 4])
    assert final.night.stage == "over"
    season = season_standings([result_of(final.night)], final.night.format, 1)
    assert [(each.rank, each.member) for each in season] == [
        *((1, "m4"), (2, "m3"), (3, "m2"), (4, "m1"), (5, "m5"), (6, "m6")),
    ]
