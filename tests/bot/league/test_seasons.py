"""From night to night: the next one, champions, bars, places that move, people who are forgotten."""

from dataclasses import replace

import pytest

from bot.errors import Refused
from bot.ids import NightId
from bot.league import decide, timers
from bot.league.members import after_night, is_barred
from bot.league.model import League, Member
from bot.league.results import result_of
from bot.league.standings import SeasonStanding, season_standings
from bot.store import Store
from tests.bot.house import PLACE
from tests.bot.league.leagues import DAY, START, MovedClock, weekly
from tests.bot.league.office import Office, person

pytestmark = pytest.mark.long

FOUR = ("Ada", "Bea", "Cem", "Deniz")
WEEK = 7 * DAY


async def plays_night(office: Office, week: int, *names: str) -> None:
    """A night from sign-up to its end, so many weeks after the first."""
    league = await office.leagues.load("abcde")
    office.night_id = league.nights[-1].id
    await office.begins(*names, start=week * WEEK)
    await office.everybody_touches()
    await office.plays()


async def test_a_season_has_its_nights_then_champions_and_the_next_one_begins(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2))
    for week in range(3):
        await plays_night(office, week, *FOUR)
    league = await office.leagues.load("abcde")
    assert [(ref.id, ref.season, ref.over) for ref in league.nights] == [
        ("abcde-202603122000", 1, True),
        ("abcde-202603192000", 1, True),
        ("abcde-202603262000", 2, True),
        ("abcde-202604022000", 2, False),
    ]
    assert (await office.leagues.load_night("abcde-202604022000")).number == 2
    nights = [result_of(night) for night in await office.leagues.nights(league, 1)]
    first = [row.member for row in season_standings(nights, league.format, 1) if row.rank == 1]
    assert league.champions == {1: tuple(first)}


async def test_a_correction_after_the_season_moves_the_championship(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=1))
    await plays_night(office, 0, *FOUR)
    before = (await office.leagues.load("abcde")).champions[1]
    night = await office.night()
    table = night.rounds[0].tables[0]
    last = min(table.seats, key=before.__contains__)  # a drawn round makes champions of all four
    scores = tuple(5 if member == last else 0 for member in table.seats)
    await office.act(lambda night, now: decide.correct(night, now, round=1, table=1, scores=scores))
    assert (await office.leagues.load("abcde")).champions == {1: (last,)}


@pytest.mark.parametrize("rule", ["", "FREQ=WEEKLY;COUNT=2"])
async def test_the_last_night_that_a_league_has_ends_its_season(store: Store, rule: str) -> None:
    office = Office(store, MovedClock())
    league = weekly(rounds=1, nights=8)
    await office.found(replace(league, schedule=replace(league.schedule, rule=rule)))
    if rule:
        await plays_night(office, 0, *FOUR)
        assert (await office.leagues.load("abcde")).champions == {}
    await plays_night(office, int(bool(rule)), *FOUR)
    after = await office.leagues.load("abcde")
    nights = [result_of(night) for night in await office.leagues.nights(after, 1)]
    first = tuple(row.member for row in season_standings(nights, after.format, 1) if row.rank == 1)
    assert (after.season, after.champions) == (1, {1: first}), "no second season begins"


async def test_a_night_that_is_moved_is_known_by_its_old_start(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    await office.act(lambda night, now: decide.reschedule(night, now, START + DAY))
    league = await office.leagues.load("abcde")
    assert [(ref.id, ref.start) for ref in league.nights] == [("abcde-202603122000", START + DAY)]
    assert (await office.at(0)).stage == "announced"
    assert (await office.at(DAY - 20 * 60)).stage == "check_in"


async def test_a_league_that_ends_calls_its_next_night_off(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    await office.leagues.change("abcde", None, lambda league: replace(league, ended=True))
    await office.work()
    assert (await office.night()).stage == "cancelled"
    assert len((await office.leagues.load("abcde")).nights) == 1


@pytest.mark.parametrize("announced", [True, False])
async def test_who_leads_when_an_organiser_ends_a_league_is_its_champion(
    store: Store, *, announced: bool
) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=8))
    await plays_night(office, 0, *FOUR)
    if not announced:  # the end comes between two nights

        def alone(league: League) -> League:
            return replace(league, nights=league.nights[:1])

        await office.leagues.change("abcde", None, alone)
    assert (await office.leagues.load("abcde")).champions == {}
    await office.leagues.change("abcde", None, lambda league: replace(league, ended=True))
    await office.work()
    league = await office.leagues.load("abcde")
    nights = [result_of(night) for night in await office.leagues.nights(league, 1)]
    first = tuple(row.member for row in season_standings(nights, league.format, 1) if row.rank == 1)
    assert (league.season, league.champions) == (1, {1: first})


async def test_a_league_that_ends_before_any_night_has_no_champion(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    await office.leagues.change("abcde", None, lambda league: replace(league, ended=True))
    await office.work()
    assert (await office.leagues.load("abcde")).champions == {}


async def test_founding_twice_founds_once(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    await office.says("Ada")
    again = await office.leagues.create_league(replace(weekly(), name="Other"), "again")
    assert (again.name, len(again.members)) == ("Thursday", 1)


async def test_who_checked_in_and_never_came_is_barred_until_they_play(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1))
    members = await office.begins("Eve", *FOUR[1:])
    table = await office.table(1)
    here = [seat for seat, each in enumerate(table.seats) if each.member != members[0].id]
    await office.touches(table, *here)
    await office.at(121)
    await office.plays()
    ended = office.clock.now
    eve = (await office.leagues.load("abcde")).members[members[0].id]
    assert (eve.missed, eve.barred_until) == (1, ended + DAY)
    await office.at(600)
    await office.act(lambda night, now: decide.correct(night, now, round=1, table=1, scores=(9, 0, 0, 0)))
    again = (await office.leagues.load("abcde")).members[members[0].id]
    assert again == eve, "a correction bars nobody twice"


async def test_nobody_is_barred_for_a_night_in_which_the_program_was_away(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1))
    members = await office.begins("Eve", *FOUR[1:])
    office.clock.now += 3600
    await office.act(lambda night, now: timers.note_unattended(night, 3600))
    table = await office.table(1)
    here = [seat for seat, each in enumerate(table.seats) if each.member != members[0].id]
    await office.touches(table, *here)
    await office.at(3600 + 121)
    assert (await office.plays()).stage == "over"
    eve = (await office.leagues.load("abcde")).members[members[0].id]
    assert (eve.missed, eve.barred_until) == (0, 0.0)


async def test_champions_follow_from_corrections_of_two_nights_at_the_same_moment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2))
    for week in range(2):
        await plays_night(office, week, *FOUR)
    first, second = [ref.id for ref in (await office.leagues.load("abcde")).nights[:2]]
    season, meanwhile = office.leagues.standings.season, [first]
    (begun,) = result_of(await office.leagues.load_night(first)).tables
    leader = max(begun.seats, key=lambda seat: seat.score).member
    other = next(seat.member for seat in begun.seats if seat.member != leader)

    async def corrected(night: NightId, scores: dict[str, int]) -> None:
        (table,) = (await office.leagues.load_night(night)).rounds[0].tables
        all = tuple(scores.get(member, 5) for member in table.seats)
        await office.leagues.act(
            night, None, lambda night, now: decide.correct(night, now, round=1, table=1, scores=all)
        )
        await office.league_nights.look(night, 0.0)

    async def season_late(league: League, number: int) -> tuple[SeasonStanding, ...]:
        found = await season(league, number)
        if meanwhile:
            await corrected(meanwhile.pop(), {other: 9, leader: 0})
        return found

    monkeypatch.setattr(office.leagues.standings, "season", season_late)
    await corrected(second, {leader: 9, other: 8})
    assert (await office.leagues.load("abcde")).champions[1] == (other,)


def test_bars_double_up_to_thirty_days_and_a_night_played_clears_them() -> None:
    league: League = replace(weekly(), members={"m1": Member(id="m1", name="Eve")})
    days = []
    for _ in range(7):
        league = after_night(league, set(), {"m1"}, START)
        days.append((league.members["m1"].barred_until - START) / DAY)
    assert days == [1, 2, 4, 8, 16, 30, 30]
    assert is_barred(league.members["m1"], START + 29 * DAY)
    assert not is_barred(league.members["m1"], START + 30 * DAY)
    league = after_night(league, {"m1"}, set(), START)
    assert league.members["m1"] == Member(id="m1", name="Eve")


async def test_a_barred_member_signs_up_to_no_night_before_it_ends(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    eve = await office.member("Eve")
    barred = replace(eve, barred_until=START + 3600)
    with pytest.raises(Refused) as refused:
        await office.act(lambda night, now: decide.reply(night, now, barred, "yes", PLACE))
    assert (refused.value.code, refused.value.values) == ("barred", {"n": 25})


async def test_a_league_of_members_lets_in_whom_its_list_names(store: Store) -> None:
    office = Office(store, MovedClock())
    listed = Member(id="m1", name="Ada", listed=True)
    await office.found(replace(weekly(entry="members"), members={"m1": listed}, next_member=2))
    assert (await office.member("Ada")).id == "m1"
    with pytest.raises(Refused) as refused:
        await office.member("Eve")
    assert refused.value.code == "members_only"
    assert (await office.leagues.organiser("abcde", person("Eve"))).id == "m2"
    with pytest.raises(Refused):
        await office.member("Eve")


async def test_a_league_follows_its_place_and_forgets_people(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    ada = await office.says("Ada")
    await office.leagues.move(PLACE, "mem:new")
    assert await office.leagues.at_place(PLACE) == []
    (league,) = await office.leagues.at_place("mem:new")
    assert league.places == ("mem:new",)
    signed_up = (await office.night()).entrant(ada.id)
    assert signed_up is not None
    assert (signed_up.place, signed_up.reply) == ("mem:new", "yes"), "where their tables are shown"
    await office.leagues.forget("mem:ada")
    league = await office.leagues.load("abcde")
    assert (league.members[ada.id].name, league.members[ada.id].accounts) == ("?", ())
    assert await store.index.leagues_at("mem:ada") == []
    assert (await office.night()).signed_up == (ada.id,)


async def test_a_league_is_found_from_a_thread_of_its_channel(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(replace(weekly(), places=("tg:-100/17",), community="tg:-100"))
    await office.leagues.create_league(
        replace(weekly(), id="other", name="Other", places=("tg:-100/18",)), "other"
    )
    assert [each.id for each in await office.leagues.at_place("tg:-100/17")] == ["abcde"]
    assert [each.id for each in await office.leagues.at_place("tg:-100/25")] == ["other", "abcde"]
    assert await office.leagues.at_place("tg:-200/17") == []


async def test_who_was_forgotten_or_is_somebody_else_now_is_not_waited_for(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    ada, bea = await office.says("Ada"), await office.says("Bea")
    twice = await office.leagues.member("abcde", person("Bea", chat="tg"))
    await office.act(lambda night, now: decide.reply(night, now, twice, "yes", "tg:-100"))
    await office.leagues.forget("mem:ada")
    await store.people.link("mem:bea", "tg:bea")
    one = await office.leagues.member("abcde", person("Bea", chat="tg"))
    night = await office.at(-20 * 60)
    assert one.id in (bea.id, twice.id)
    assert night.signed_up == (one.id,)
    assert ada.id not in night.signed_up
