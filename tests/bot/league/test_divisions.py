"""Divisions: who plays where, at which tables, who goes up and down, and how it is told."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.errors import Refused
from bot.i18n import LANGUAGES, plain, words_for
from bot.league import decide
from bot.league import events as e
from bot.league.apply import after
from bot.league.divisions import place_members
from bot.league.events import Division, Recorded
from bot.league.finals import list_seeds
from bot.league.model import Divisions, Format, League, Member, Stage
from bot.league.night import Night, take_first
from bot.league.night_tables import seater
from bot.league.prizes import champions, pot
from bot.league.results import FinalResult, NightResult, TableResult
from bot.league.seating import CannotSeat
from bot.league.standings import SeasonStanding, night_table, season_table
from bot.screens.league.document import SeasonFacts, season_document
from bot.screens.league.results import season_picture, table_page
from bot.store import Store
from tests.bot.house import PLACE
from tests.bot.league.leagues import START, MovedClock, weekly
from tests.bot.league.office import Office
from tests.bot.league.results import night, table
from tests.bot.league.test_seasons import WEEK, plays_night

TWO = Format(divisions="two2", ties=())
TWELVE = tuple(f"m{n}" for n in range(1, 13))
UPPER, LOWER = TWELVE[:6], TWELVE[6:]
HELD = (Division(UPPER, 0, 2), Division(LOWER, 2, 0))


def season(*ranked: Sequence[str], held: tuple[Division, ...] = HELD) -> tuple[SeasonStanding, ...]:
    """The table of a season of one night, at which each of these came in before those after them."""
    return season_table([replace(night(1, *tables_of(*ranked)), divisions=held)], TWO, 1)


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
    lower = table(1, "m7 9", "m8 5", "m9 5", "m10 3", "m11 2", "m12 1", number=2)
    standings = season_table([replace(night(1, upper, lower), divisions=HELD)], TWO, 1)
    assert [each.member for each in standings if each.move == "up"] == ["m7", "m8", "m9"]
    assert [each.member for each in standings if each.move == "down"] == []


def test_of_few_who_played_no_more_than_half_go_down() -> None:
    standings = season(("m1", "m2", "m3"), LOWER)
    assert [each.member for each in standings if each.move == "down"] == ["m3"]
    alone = replace(night(1, *tables_of(LOWER), byes=((1, "m1"),)), divisions=HELD)
    assert [each.move for each in season_table([alone], TWO, 1) if each.division == 1] == [""]


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
    assert [(each.rank, each.member) for each in night_table(evening, ())] == [
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
    seeds = list_seeds(league, season_table([before], TWO, 1), replace(TWO, finals="cut4"))
    last = replace(
        night(2, *tables_of(UPPER[3::-1], LOWER[3::-1])),
        divisions=HELD,
        final=FinalResult(stage=Stage(kind="cut", size=4), seeds=seeds, heats=()),
    )
    standings = season_table([before, last], TWO, 1)
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


# Two seasons


async def two_seasons(store: Store, **settings: object) -> Office:
    """A league in its second season, whose first night is announced."""
    office = Office(store, MovedClock())
    await office.found(weekly(**{"rounds": 1, "nights": 2, "divisions": "two2", **settings}))
    for week in (0, 1):
        await plays_night(office, week, *NAMES)
    await announced(office)
    return office


NAMES = tuple(f"P{n}" for n in range(1, 13))


async def announced(office: Office) -> Night:
    office.night_id = (await office.leagues.load("abcde")).nights[-1].id
    return await office.night()


async def standings_of(office: Office, number: int) -> list[SeasonStanding]:
    league = await office.leagues.load("abcde")
    return list(await office.leagues.season(league, number))


async def test_the_second_season_has_divisions_and_the_third_exchanges_people(store: Store) -> None:
    office = await two_seasons(store)
    first = [each.member for each in await standings_of(office, 1)]
    evening = await office.night()
    assert (evening.season, [each.members for each in evening.divisions]) == (
        2,
        [tuple(first[:6]), tuple(first[6:])],
    )
    for week in (2, 3):
        await plays_night(office, week, *NAMES)
        for place, member in enumerate(first if week == 2 else ()):  # the last of each come first
            points = 8.0 * (place + 1)
            await office.act(lambda night, now, who=member, more=points: decide.award(night, now, who, more))  # type: ignore[misc]
        (tables,) = ([table.members for table in round.tables] for round in (await office.night()).rounds)
        assert all({*each} <= {*first[:6]} or {*each} <= {*first[6:]} for each in tables)
    second = await standings_of(office, 2)
    assert [each.division for each in second] == [1] * 6 + [2] * 6
    third = await announced(office)
    upper, lower = first[5::-1], first[:5:-1]
    assert [each.member for each in second] == [*upper, *lower]
    assert third.divisions[0].members == (*upper[:4], *lower[:2])
    assert third.divisions[1].members == (*upper[4:], *lower[2:])
    assert (await office.leagues.load("abcde")).champions[2] == (upper[0],)


async def in_order(office: Office, members: Sequence[str]) -> None:
    """Give everybody so many points that this is their order, whatever was dealt."""
    for place, member in enumerate(members[::-1]):
        points = 8.0 * (place + 1)
        await office.act(lambda night, now, who=member, more=points: decide.award(night, now, who, more))  # type: ignore[misc]


async def test_each_division_ends_with_its_own_final(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2, divisions="two2", finals="cut4"))
    for season in (1, 2):
        await plays_night(office, 2 * season - 2, *NAMES)
        await in_order(office, TWELVE)
        final = await announced(office)
        await plays_night(office, 2 * season - 1, *NAMES)
    seeded = (await office.leagues.load_night(final.id)).seeds
    assert [(seed.division, seed.rank) for seed in seeded] == [
        (tier, rank) for tier in (1, 2) for rank in range(1, 7)
    ]
    held = await office.leagues.load_night(final.id)
    assert sorted(map(sorted, (each.members for each in held.rounds[0].tables))) == [
        sorted(UPPER[:4]),
        sorted(LOWER[:4]),
    ]
    second = await standings_of(office, 2)
    assert [each.member for each in second if each.in_final and each.division == 2][-1] in LOWER[:4]
    assert [{*each.members} for each in (await announced(office)).divisions] == [
        {each.member for each in second if (each.division == 1) != bool(each.move)},
        {each.member for each in second if (each.division == 2) != bool(each.move)},
    ]
    champions = (await office.leagues.load("abcde")).champions[2]
    assert champions
    assert {*champions} <= {*UPPER[:4]}


async def test_a_correction_changes_the_divisions_until_the_first_deal(store: Store) -> None:
    office = await two_seasons(store)
    before = (await office.night()).divisions
    league = await office.leagues.load("abcde")
    later, office.night_id = office.night_id, league.nights[0].id
    last = before[1].members[-1]

    async def correct(points: int) -> None:
        held = await office.night()
        (seated,) = (each for each in held.rounds[0].tables if last in each.seats)
        scores = tuple(points if each == last else 0 for each in seated.seats)
        await office.act(
            lambda night, now: decide.correct(night, now, round=1, table=seated.number, scores=scores)
        )

    for _ in range(2):  # a win for them, and a bonus that nobody else reaches
        await office.act(lambda night, now: decide.award(night, now, last, 100))
    await correct(99)
    office.night_id = later
    placed = (await office.night()).divisions
    assert placed[0].members[0] == last
    assert last not in before[0].members
    await office.begins(*NAMES, start=2 * WEEK)
    office.night_id = league.nights[0].id
    for member in placed[0].members[1:]:
        await office.act(lambda night, now, who=member: decide.award(night, now, who, 100))  # type: ignore[misc]
    office.night_id = later
    assert (await office.night()).divisions == placed


async def test_a_substitute_takes_seats_of_their_own_division(store: Store) -> None:
    office = await two_seasons(store)
    lower = (await office.night()).divisions[1].members
    league = await office.leagues.load("abcde")
    stays = league.members[lower[-1]]
    await office.begins(*(name for name in NAMES if name != stays.name), start=2 * WEEK)
    held = await office.night()
    (upper, *_), (own, *_) = (
        [each for each in held.rounds[0].tables if (each.seats[0] in lower) is below]
        for below in (False, True)
    )
    for each in (upper, own):
        held = after(held, Recorded(START, "", "", e.SeatFreed(1, each.number, 0)))
    with pytest.raises(Refused, match="other_division"):
        decide.take_seat(held, START, stays, PLACE, table=upper.number, seat=0)
    assert decide.take_seat(held, START, stays, PLACE, table=own.number, seat=0)


# Screens


def told_league() -> League:
    members = {id: Member(id=id, name=f"Player {id[1:]}", accounts=(f"mem:{id}",)) for id in TWELVE}
    return replace(weekly(divisions="two2"), members=members, season=2)


def nights_of_two() -> list[NightResult]:
    return [replace(night(1, *tables_of(UPPER, LOWER), season=2), divisions=HELD)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_shows_the_divisions_and_who_goes_up_and_down(language: str) -> None:
    words, league = words_for(language), told_league()
    standings = season_table(nights_of_two(), league.format, 2)
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
        table=season_table(nights, league.format, 2),
        nights=[(each, night_table(each, ())) for each in nights],
        months={},
        dates=(),
    )
    document = season_document(facts, words)
    tables = [each for each in document.sections if "Division" in each.title]
    assert [len(each.grid.rows) for each in tables if each.grid] == [6, 6]
    assert [each.grid.lines for each in tables if each.grid] == [(4,), (2,)]
    assert "The last 2 go down" in plain(tables[0].lines[-1], words)
    assert "The first 2 go up" in plain(tables[1].lines[-1], words)
