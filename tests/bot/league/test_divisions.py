"""Divisions: who plays where, at which tables, who goes up and down, and how it is told."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.i18n import LANGUAGES, plain, words_for
from bot.league.divisions import mark_moves, place_members
from bot.league.events import Division
from bot.league.finals import list_seeds
from bot.league.model import Divisions, Format, League, Member, Stage
from bot.league.night import Night, take_first
from bot.league.night_tables import seater
from bot.league.prizes import champions, pot
from bot.league.results import FinalResult, NightResult, TableResult
from bot.league.seating import CannotSeat
from bot.league.standings import SeasonStanding, night_standings, season_standings
from bot.screens.league.divisions import moving_lines
from bot.screens.league.document import SeasonFacts, season_document
from bot.screens.league.results import season_picture, table_page
from tests.bot.league.leagues import START, weekly
from tests.bot.league.results import night, table

TWO = Format(divisions="two2", ties=())
TWELVE = tuple(f"m{n}" for n in range(1, 13))
UPPER, LOWER = TWELVE[:6], TWELVE[6:]
HELD = (Division(UPPER, 0, 2), Division(LOWER, 2, 0))


def season(*ranked: Sequence[str], held: tuple[Division, ...] = HELD) -> tuple[SeasonStanding, ...]:
    """The table of a season of one night, at which each of these came in before those after them."""
    return marked(replace(night(1, *tables_of(*ranked)), divisions=held))


def marked(
    evening: NightResult, *, earlier: Sequence[str] = (), gone: Sequence[str] = ()
) -> tuple[SeasonStanding, ...]:
    """The table of a season of one night, with who goes up and down."""
    table, held = season_standings([evening], TWO, evening.season), evening.divisions
    following = place_members(TWO, table, held, earlier, is_there=lambda member: member not in gone)
    return mark_moves(table, held, following)


def placed(
    standings: Sequence[SeasonStanding],
    held: tuple[Division, ...] = HELD,
    *,
    divisions: Divisions = "two2",
    earlier: Sequence[str] = (),
    gone: Sequence[str] = (),
) -> list[tuple[str, ...]]:
    format = replace(TWO, divisions=divisions)
    found = place_members(format, standings, held, earlier, is_there=lambda member: member not in gone)
    return [each.members for each in found]


# Who plays where


def test_the_table_of_the_first_season_makes_equal_divisions() -> None:
    together = season(TWELVE, held=())
    assert placed(together, ()) == [UPPER, LOWER]
    assert placed(season((*TWELVE, "m13"), held=()), ()) == [UPPER, (*LOWER, "m13")]
    eighteen = tuple(f"m{n}" for n in range(1, 19))
    assert [len(each) for each in placed(season(eighteen, held=()), (), divisions="three2")] == [6, 6, 6]


def test_the_first_go_up_and_the_last_go_down() -> None:
    standings = season(UPPER, LOWER)
    assert [each.member for each in standings if each.move == "up"] == ["m7", "m8"]
    assert [each.member for each in standings if each.move == "down"] == ["m5", "m6"]
    assert placed(standings) == [
        ("m1", "m2", "m3", "m4", "m7", "m8"),
        ("m5", "m6", "m9", "m10", "m11", "m12"),
    ]


def test_no_more_than_a_third_of_a_division_moves() -> None:
    format = replace(TWO, divisions="two4")
    found = place_members(format, season(TWELVE, held=()), (), (), is_there=lambda member: True)
    assert [(each.promote, each.relegate) for each in found] == [(0, 2), (2, 0)]


def test_of_equals_on_the_line_all_go_up_and_nobody_goes_down() -> None:
    upper = table(1, "m1 9", "m2 8", "m3 7", "m4 1", "m5 1", "m6 1")
    places = ("m7 9", "m8 5", "m9 5", "m10 3", "m11 2", "m12 1", "m13 0", "m14 0", "m15 0")
    held = (HELD[0], Division((*LOWER, "m13", "m14", "m15"), 2, 0))
    standings = marked(replace(night(1, upper, table(1, *places, number=2)), divisions=held))
    assert [each.member for each in standings if each.move == "up"] == ["m7", "m8", "m9"]
    assert [each.member for each in standings if each.move == "down"] == []


def test_who_moves_is_known_where_a_division_would_be_too_small() -> None:
    """Twelve people are divided anew if the numbers that go up and down differ: the table says what comes."""
    even = table(1, *(f"{member} 5" for member in LOWER), number=2)
    tied = replace(night(1, *tables_of(UPPER), even), divisions=HELD)
    last = table(1, "m1 9", "m2 8", "m3 7", "m4 1", "m5 1", "m6 0")
    one_down = replace(night(1, last, tables_of((), LOWER)[1]), divisions=HELD)
    for evening, up, down in ((tied, ["m7", "m8"], ["m5", "m6"]), (one_down, ["m7"], ["m6"])):
        standings = marked(evening)
        assert [each.member for each in standings if each.move == "up"] == up
        assert [each.member for each in standings if each.move == "down"] == down
        assert {*placed(standings)[0]} == {*UPPER, *up} - {*down}, "as it is said"
    everybody = table(1, *(f"{member} 5" for member in UPPER))
    standings = marked(replace(night(1, everybody, even), divisions=HELD))
    assert {each.move for each in standings} == {""}
    assert placed(standings) == [UPPER, LOWER]
    assert not moving_lines(standings[6:], words_for("en"))


def test_who_is_gone_is_not_counted_as_staying() -> None:
    """Without m6, who keeps no division twice, or m1, who was forgotten, the higher one is too small."""
    fourteen = (*LOWER, "m13", "m14")
    held = (HELD[0], Division(fourteen, 2, 0))
    absent = replace(night(1, *tables_of(UPPER[:5], fourteen)), divisions=held)
    everybody = replace(night(1, *tables_of(UPPER, fourteen)), divisions=held)
    for evening, earlier, gone, down in (
        (absent, TWELVE, (), ["m4", "m5"]),
        (absent, (), (), ["m5"]),
        (everybody, (), ("m1",), ["m6"]),
    ):
        standings = marked(evening, earlier=earlier, gone=gone)
        assert [each.member for each in standings if each.move == "up"] == ["m7", "m8"]
        assert [each.member for each in standings if each.move == "down"] == down
        following = placed(standings, held, earlier=earlier, gone=gone)
        assert {each.member for each in standings if each.member in following[1]} == {*fourteen[2:], *down}


def test_nobody_goes_up_or_down_where_the_divisions_are_made_anew() -> None:
    standings = season(UPPER, LOWER)
    assert {each.move for each in mark_moves(season_standings(nights_of_two(), TWO, 2), HELD, ())} == {""}
    assert moving_lines(standings[6:], words_for("en"))
    among = (standings[6], replace(standings[7], move=""), replace(standings[8], move="up"), *standings[9:])
    assert not moving_lines(among, words_for("en")), "the first two do not"


def test_of_few_who_played_no_more_than_half_go_down() -> None:
    few = replace(night(1, *tables_of(UPPER[:3], LOWER)), divisions=HELD)
    assert [each.member for each in marked(few, earlier=UPPER) if each.move == "down"] == ["m3"]
    alone = replace(night(1, *tables_of(LOWER), byes=((1, "m1"),)), divisions=HELD)
    assert [each.move for each in marked(alone) if each.division == 1] == [""]


def test_who_is_absent_keeps_their_division_once() -> None:
    standings = season(UPPER[1:], LOWER)
    assert "m1" in placed(standings, earlier=("m1",))[0]
    assert all("m1" not in each for each in placed(standings, earlier=("m2",)))


def test_who_is_new_plays_in_the_lowest_and_is_promoted_like_the_others() -> None:
    standings = season(UPPER, ("m13", *LOWER))
    assert [each.member for each in standings if each.move == "up"] == ["m13", "m7"]
    assert standings[6].division == 2


def test_with_too_few_people_there_is_a_division_less() -> None:
    assert placed(season(UPPER, LOWER[:5])) == []
    three = (Division(UPPER, 0, 2), Division(LOWER, 2, 2), Division(("m13", "m14", "m15"), 2, 0))
    found = placed(season(UPPER, LOWER, ("m13", "m14", "m15"), held=three), three, divisions="three2")
    assert [len(each) for each in found] == [7, 8]
    assert found[0][:4] == UPPER[:4], "in the order of all"


def test_a_division_that_would_be_too_small_is_filled_in_the_order_of_all() -> None:
    found = placed(season(UPPER, (*LOWER, "m13")), gone=("m1", "m2"))
    assert [len(each) for each in found] == []
    found = placed(season(UPPER, (*LOWER, "m13", "m14")), gone=("m1", "m2"))
    assert [len(each) for each in found] == [6, 6]
    assert found[0] == ("m3", "m4", "m7", "m8", "m5", "m6")


def test_partners_who_stay_the_same_and_a_league_of_one_evening_have_none() -> None:
    for other in (replace(TWO, seating="pairs"), replace(TWO, nights=1), replace(TWO, divisions="none")):
        assert place_members(other, season(TWELVE, held=()), (), (), is_there=lambda member: True) == ()


# Tables


def test_each_division_has_ranks_of_its_own_and_the_highest_the_champion() -> None:
    standings = season(UPPER, LOWER)
    assert [(each.division, each.rank) for each in standings] == [
        *((1, rank) for rank in range(1, 7)),
        *((2, rank) for rank in range(1, 7)),
    ]
    assert champions(standings) == ("m1",)
    tables = (table(1, "m1 9", "m2 8"), table(1, "m7 9", "m8 8", number=2))
    evening = replace(night(1, *tables), divisions=HELD)
    assert [(each.rank, each.member) for each in night_standings(evening, ())] == [
        (1, "m1"),
        (2, "m2"),
        (1, "m7"),
        (2, "m8"),
    ]
    assert pot(evening, Format(prizes=("pot",), stake=100)) == {"m1": 200, "m2": 0, "m7": 200, "m8": 0}


def test_each_division_has_its_cut_and_the_highest_its_knockout() -> None:
    members = {id: Member(id=id, name=id, accounts=(f"mem:{id}",)) for id in TWELVE}
    league = replace(weekly(), members=members)
    standings = season(UPPER, LOWER)
    seeds = list_seeds(league, standings, replace(TWO, finals="cut4"))
    assert take_first(seeds, 4) == (*UPPER[:4], *LOWER[:4])
    final = Night(
        id="n", league="l", season=2, number=2, start=START, format=TWO, key=b"k", seeds=seeds,
        final=Stage(kind="cut", size=4), playing=(*UPPER[:4], *LOWER[:3]),
    )  # fmt: skip
    assert (final.room_for("m5"), final.room_for("m11")) == (0, 1)
    seeds = list_seeds(league, standings, replace(TWO, finals="knockout8"))
    assert [seed.member for seed in seeds] == [*UPPER]


def test_a_cut_is_counted_in_each_division() -> None:
    before = replace(night(1, *tables_of(UPPER, LOWER)), divisions=HELD)
    league = replace(weekly(), members={id: Member(id=id, name=id, accounts=(f"mem:{id}",)) for id in TWELVE})
    seeds = list_seeds(league, season_standings([before], TWO, 1), replace(TWO, finals="cut4"))
    last = replace(
        night(2, *tables_of(UPPER[3::-1], LOWER[3::-1])),
        divisions=HELD,
        final=FinalResult(stage=Stage(kind="cut", size=4), seeds=seeds, heats=()),
    )
    standings = season_standings([before, last], TWO, 1)
    assert [each.member for each in standings] == [*UPPER[3::-1], *UPPER[4:], *LOWER[3::-1], *LOWER[4:]]
    assert [each.rank for each in standings] == [*range(1, 7)] * 2
    assert [each.in_final for each in standings] == [True] * 4 + [False] * 2 + [True] * 4 + [False] * 2


def tables_of(*ranked: Sequence[str]) -> list[TableResult]:
    return [
        table(1, *(f"{member} {-place}" for place, member in enumerate(each)), number=number)
        for number, each in enumerate(ranked, start=1)
    ]


# Seating


def divided() -> Night:
    format = replace(TWO, rounds=3)
    return Night(id="n", league="l", season=2, number=1, start=START, format=format, key=b"k", divisions=HELD)


def test_each_division_sits_at_its_own_tables() -> None:
    seated = seater(weekly(), (), ())(divided(), TWELVE)
    assert sorted(map(len, seated.tables)) == [3, 3, 3, 3]
    assert all({*each} <= {*UPPER} or {*each} <= {*LOWER} for each in seated.tables)


@pytest.mark.parametrize("there", [(*UPPER[:2], *LOWER), (*UPPER, *LOWER[:2])])
def test_too_few_of_a_division_sit_with_the_next_one(there: tuple[str, ...]) -> None:
    seated = seater(weekly(), (), ())(divided(), there)
    assert sorted(map(len, seated.tables)) == [4, 4]
    assert {member for each in seated.tables for member in each} == {*there}


def test_too_few_people_of_all_divisions_are_too_few() -> None:
    with pytest.raises(CannotSeat):
        seater(weekly(), (), ())(divided(), ("m1", "m7"))


# Screens


def told_league() -> League:
    members = {id: Member(id=id, name=f"Player {id[1:]}", accounts=(f"mem:{id}",)) for id in TWELVE}
    return replace(weekly(divisions="two2"), members=members, season=2)


def nights_of_two() -> list[NightResult]:
    return [replace(night(1, *tables_of(UPPER, LOWER), season=2), divisions=HELD)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_shows_the_divisions_and_who_goes_up_and_down(language: str) -> None:
    words, league = words_for(language), told_league()
    standings = marked(*nights_of_two())
    lines = plain(table_page(league, 2, standings, words, turns=False).text, words).splitlines()
    first, second = (words.plain("league.division", tier=tier) for tier in (1, 2))
    at = {line: number for number, line in enumerate(lines)}
    assert at[f"▼ — {second} — ▼"] == at[first] + 5
    assert at[f"▲ — {first} — ▲"] == at[second] + 3
    picture = season_picture(league, 2, standings, words)
    assert picture.lines == (
        (0, first),
        (4, f"▼ — {second} — ▼"),
        (6, second),
        (8, f"▲ — {first} — ▲"),
    )
    assert [row.rank for row in picture.rows] == [str(rank) for rank in range(1, 7)] * 2


def test_the_page_has_a_table_for_each_division() -> None:
    words, league = words_for("en"), told_league()
    nights = nights_of_two()
    facts = SeasonFacts(
        league=league,
        season=2,
        table=marked(*nights),
        nights=[(each, night_standings(each, ())) for each in nights],
        months={},
        dates=(),
    )
    document = season_document(facts, words)
    tables = [each for each in document.sections if "Division" in each.title]
    assert [len(each.grid.rows) for each in tables if each.grid] == [6, 6]
    assert [each.grid.lines for each in tables if each.grid] == [
        ((4, "▼ — Division 2 — ▼"),),
        ((2, "▲ — Division 1 — ▲"),),
    ]
    assert "The last 2 go down" in plain(tables[0].lines[-1], words)
    assert "The first 2 go up" in plain(tables[1].lines[-1], words)
