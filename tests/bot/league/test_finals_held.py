"""Finals on the program's own clock: who is in when what happens, and when a season is over."""

from collections import Counter
from dataclasses import replace

import pytest

from bot.league import decide
from bot.league import events as e
from bot.league.apply import rebuilt
from bot.league.night import Night
from bot.league.standings import season_standings
from bot.store import Store
from tests.bot.house import PLACE, open_house
from tests.bot.league.doomed import Killed
from tests.bot.league.leagues import START, MovedClock, weekly
from tests.bot.league.office import Office
from tests.bot.league.test_night_killed import CountedCalls
from tests.bot.league.test_seasons import WEEK, plays_night

pytestmark = pytest.mark.long

FIVE = ("Ada", "Bea", "Cem", "Deniz", "Ela")
EIGHT = (*FIVE, "Firat", "Gül", "Han")
EVERY = 149
"""One in so many calls to the store is the last."""


async def before_final(store: Store, *names: str, **settings: object) -> Office:
    """A league whose first night of two is over; the second is the final."""
    office = Office(store, MovedClock())
    await office.found(weekly(**{"rounds": 1, "nights": 2, **settings}))
    await plays_night(office, 0, *names)
    await opens(office)
    return office


async def opens(office: Office) -> Night:
    """The night that is announced."""
    office.night_id = (await office.leagues.load("abcde")).nights[-1].id
    return await office.night()


async def ranked(office: Office) -> list[str]:
    """The members in the order of the season's table."""
    league = await office.leagues.load("abcde")
    return [each.member for each in await office.leagues.standings.season(league, 1)]


async def name_of(office: Office, member: str) -> str:
    return (await office.leagues.load("abcde")).members[member].name


async def in_final(office: Office, *members: str, week: int = 1) -> Night:
    """Sign these members up for the final and check them in, until it begins."""
    await office.begins(*[await name_of(office, each) for each in members], start=week * WEEK)
    return await office.night()


async def test_a_season_ends_with_its_final_and_the_next_one_has_one_again(store: Store) -> None:
    office = await before_final(store, *FIVE, finals="cut4")
    first = await ranked(office)
    night = await office.night()
    assert night.final is not None
    assert [seed.member for seed in night.seeds] == first
    entitled = night.admit(tuple(first))
    assert entitled[:4] == tuple(first[:4]), "and who shares the last rank with them"
    night = await in_final(office, *first)
    assert night.playing == entitled
    await office.everybody_touches()
    await office.plays()
    league = await office.leagues.load("abcde")
    assert league.season == 2
    results = await office.leagues.standings.results(league, 1)
    table = season_standings(results, league.settings_of(1), 1)
    assert {each.member for each in table if each.in_final} == {*entitled}
    assert league.champions[1] == tuple(each.member for each in table if each.rank == 1)
    assert (await opens(office)).final is None


async def test_a_corrected_night_changes_who_is_in_before_the_first_deal_only(store: Store) -> None:
    office = await before_final(store, *FIVE, finals="cut4")
    before = await ranked(office)
    (first,) = (each for each in (await office.leagues.load("abcde")).nights if each.over)
    played = (await office.leagues.load_night(first.id)).rounds[0].tables[0]
    lowest = before[-1]
    if lowest not in played.seats:  # they had a bye: somebody at the table falls behind them
        scores = tuple(9 - seat for seat in range(len(played.seats)))
    else:
        scores = tuple(99 if member == lowest else -seat for seat, member in enumerate(played.seats))
    final, office.night_id = office.night_id, first.id
    await office.act(lambda night, now: decide.correct(night, now, round=1, table=1, scores=scores))
    office.night_id = final
    after = await ranked(office)
    assert [seed.member for seed in (await office.night()).seeds] == after
    night = await in_final(office, *after)
    entitled = night.admit(tuple(after))
    assert night.playing == entitled
    office.night_id = first.id
    await office.act(lambda night, now: decide.void(night, now, round=1, table=1))
    office.night_id = final
    assert [seed.member for seed in (await office.night()).seeds] == after
    assert (await office.night()).playing == entitled


async def test_who_is_forgotten_is_replaced_by_the_next(store: Store) -> None:
    office = await before_final(store, *FIVE, finals="cut4")
    first = await ranked(office)
    gone = await name_of(office, first[1])
    await office.says(gone)
    await office.leagues.forget(f"mem:{gone.lower()}")
    night = await in_final(office, *(each for each in first if each != first[1]))
    assert [seed.member for seed in night.seeds] == [each for each in first if each != first[1]]
    assert set(night.playing) == {*first} - {first[1]}


async def test_who_parts_their_accounts_is_in_with_the_one_that_has_the_results(store: Store) -> None:
    office = await before_final(store, *FIVE, finals="cut4")
    first = await ranked(office)
    name = await name_of(office, first[0])
    await store.people.link(f"mem:{name.lower()}", f"tg:{name.lower()}")
    await office.member(name, chat="tg")
    await store.people.unlink(f"mem:{name.lower()}", f"tg:{name.lower()}")
    await office.leagues.part(f"mem:{name.lower()}", f"tg:{name.lower()}")
    await office.work()
    assert len((await office.night()).seeds) == len(first)
    night = await in_final(office, *first[1:])
    assert set(night.playing) == {*first[1:]}


async def test_a_blocked_qualifier_is_replaced_by_the_next(store: Store) -> None:
    office = await before_final(store, *FIVE, finals="cut4")
    first = await ranked(office)
    out = await name_of(office, first[0])
    async with open_house(store, clock=office.clock, work=False) as house:
        await house.open(house.person(out))  # who was never here can't be named
        with house.runs(olga := house.person("Olga")):
            assert not (await house.type(olga, "block", out)).code
        lost = await house.press(house.person(out), f"night_yes.{office.night_id}.0", private=False)
        assert lost.code == "blocked"
    night = await in_final(office, *first[1:])
    assert [seed.member for seed in night.seeds] == first, "their results stay"
    assert set(night.playing) == {*first[1:]}


async def test_a_final_goes_on_when_a_guest_place_is_withdrawn(store: Store) -> None:
    office = await before_final(store, *FIVE, finals="cut4")
    await office.leagues.change("abcde", None, lambda now: replace(now, places=(PLACE, "mem:guest")))
    first = await ranked(office)
    guest = (await office.leagues.load("abcde")).members[first[0]]
    await office.act(lambda night, now: decide.reply(night, now, guest, "yes", "mem:guest"))
    playing = (await in_final(office, *first)).playing
    assert guest.id in playing
    await office.leagues.change("abcde", None, lambda now: replace(now, places=(PLACE,)))
    await office.everybody_touches()
    night = await office.plays()
    assert (night.stage, night.playing) == ("over", playing)
    assert (await office.leagues.load("abcde")).season == 2


async def test_a_final_that_is_called_off_is_played_on_the_next_date(store: Store) -> None:
    office = await before_final(store, *FIVE, finals="cut4")
    first = await ranked(office)
    await office.act(decide.cancel)
    league = await office.leagues.load("abcde")
    assert (league.season, league.champions) == (1, {})
    night = await opens(office)
    assert (night.id, night.number) == ("abcde-202603262000", 2)
    assert night.final is not None
    night = await in_final(office, *first[:4], week=2)
    await office.everybody_touches()
    await office.plays()
    assert (await office.leagues.load("abcde")).season == 2


async def test_a_season_waits_for_a_disputed_result(store: Store) -> None:
    office = await before_final(store, *FIVE, finals="cut4")
    first = await ranked(office)
    await in_final(office, *first[:4])
    await office.everybody_touches()
    who = (await office.leagues.load("abcde")).members[first[0]]
    table = await office.table(1)
    await office.act(lambda night, now: (e.Disputed(1, 1, who.id, "my deal"),))
    await office.plays()
    assert table.id
    night = await office.night()
    assert night.stage == "over"
    league = await office.leagues.load("abcde")
    assert (league.season, league.champions) == (1, {})
    assert all(ref.over for ref in league.nights), "nothing is announced meanwhile"
    await office.act(lambda night, now: decide.settle_dispute(night, now, round=1, table=1, upheld=False))
    league = await office.leagues.load("abcde")
    assert (league.season, len(league.champions[1]) > 0) == (2, True)
    assert not league.nights[-1].over


async def test_the_final_keeps_its_hour_when_the_clocks_change(store: Store) -> None:
    """In Berlin the clocks go forward between 26 March and 2 April."""
    office = Office(store, MovedClock(START + 6 * 24 * 3600))
    league = weekly(rounds=1, nights=2, finals="cut4")
    schedule = replace(league.schedule, start="2026-03-26T20:00", zone="Europe/Berlin")
    await office.found(replace(league, schedule=schedule))
    office.night_id = "abcde-202603262000"
    await office.begins(*FIVE, start=2 * WEEK - 3600)
    await office.everybody_touches()
    await office.plays()
    night = await opens(office)
    assert (night.id, night.start - START) == ("abcde-202604022000", 3 * WEEK - 2 * 3600)
    assert night.final is not None


class Knockout:
    """A knockout of eight in steps, each of which can be repeated."""

    def __init__(self, order: list[str]) -> None:
        self._order = order

    async def carry_on(self, office: Office) -> None:
        """All steps, as far as they are not done."""
        league = await office.leagues.load("abcde")
        if (await office.night()).stage == "announced":
            for each in self._order:
                await office.says(league.members[each].name)
            await office.at(self._time(office, -20 * 60))
        if (await office.night()).stage == "check_in":
            await office.checks_in(*(league.members[each] for each in self._order))
        for moment in (-3 * 60, 0):
            await office.at(self._time(office, moment))
        for number in (1, 2):
            night = await office.night()
            if night.stage == "playing" and len(night.rounds) == number:
                await office.everybody_touches()
                await office.plays()
            await office.at(self._time(office, number * 5 * 60))
        await office.work()

    def _time(self, office: Office, seconds: float) -> float:
        return max(WEEK + seconds, office.clock.now - START)


@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_knockout_survives_a_kill_at_every_step(store: Store, carried_out: bool) -> None:
    at, calls = EVERY // 2, 10**9
    while at < calls:
        office = await before_final(store, *EIGHT, finals="knockout8")
        script = Knockout(await ranked(office))
        doomed = CountedCalls(store, at, carried_out=carried_out)
        again = Office(doomed, office.clock, night_id=office.night_id)  # type: ignore[arg-type]
        try:
            await script.carry_on(again)
            calls = at
        except Killed:
            await script.carry_on(office)
        await is_whole(office)
        await store._server.call("FLUSHALL")
        at += EVERY


async def is_whole(office: Office) -> None:
    night = await office.night()
    log = await office.leagues.log(night.id)
    assert rebuilt(log) == night
    assert night.stage == "over"
    kinds = Counter(type(each.event) for each in log)
    once = {kind: kinds[kind] for kind in (e.Announced, e.CheckInClosed, e.RoundSeated, e.Advanced, e.Ended)}
    assert once == {e.Announced: 1, e.CheckInClosed: 1, e.RoundSeated: 2, e.Advanced: 2, e.Ended: 1}
    assert [len(heat.members) for heat in night.heats] == [8, 4]
    assert set(night.rounds[1].tables[0].members) == {*night.heats[1].members}
    league = await office.leagues.load("abcde")
    (champion,) = league.champions[1]
    assert champion in night.heats[1].members
    assert league.season == 2
    assert PLACE in league.places
