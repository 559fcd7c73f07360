"""Acts on a league: each stands in its log and can be taken back, and no change moves a rank shown before."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import pytest

from bot.errors import Refused
from bot.league import decide
from bot.league.acts import PLACES_MOST, carry_out, change_list, check_revocable, pair, settings_of, withdraw
from bot.league.members import forget_member, parse_members, part_accounts, with_member
from bot.league.model import (
    COUNTED,
    ActRevoked,
    Format,
    League,
    LeagueEnded,
    LeagueEvent,
    LeagueSettings,
    LoggedAct,
    Merged,
    NightMoved,
    NightSkipped,
    Renamed,
    RoleGiven,
    SeasonPaused,
    SettingsChanged,
)
from bot.league.results import result_in
from bot.league.standings import season_standings
from bot.league.visibility import change_visibility
from bot.ports import Person
from bot.store import Store
from bot.tables.names import NOBODY
from tests.bot.house import PLACE
from tests.bot.league.leagues import DAY, START, MovedClock, weekly
from tests.bot.league.office import Office
from tests.bot.league.test_seasons import plays_night

NOW: Final = START - DAY
FOUR = ("Ada", "Bea", "Cem", "Deniz")


def people(*names: str, league: League | None = None) -> League:
    """Return a league with these people, each of an account of their own."""
    league = league or weekly()
    for name in names:
        league = with_member(league, Person(f"tg:{league.next_member}", name), None)
    return league


def do(league: League, event: LeagueEvent, at: float = NOW) -> League:
    return carry_out(league, LoggedAct(at, "m1", "agreed", event))


def take_back(league: League, of: int, at: float = NOW) -> League:
    check_revocable(league, of, at)
    return do(league, ActRevoked(of), at)


def changed(league: League, season: int = 1, **fields: object) -> SettingsChanged:
    """Return the act that changes these settings."""
    before = settings_of(league)
    own = {name: value for name, value in fields.items() if name in ("name", "start", "zone", "rule")}
    of_format = {name: value for name, value in fields.items() if name not in own}
    after: LeagueSettings = replace(before, **own, format=replace(before.format, **of_format))  # type: ignore[arg-type]
    return SettingsChanged(season, before, after)


LEAGUE: Final = people(
    "Ada", "Bea", "Cem", league=replace(weekly(), places=(PLACE, "mem:guest", "mem:third"))
)
MEMBERS: Final = LEAGUE.members
ACTS: Final[dict[str, LeagueEvent]] = {
    "name": changed(LEAGUE, name="Friday"),
    "night": changed(LEAGUE, rounds=5, cap=8),
    "day": changed(LEAGUE, start="2026-03-20T21:00", rule="FREQ=WEEKLY;BYDAY=FR"),
    "count": changed(LEAGUE, best_of=2, ties=("score",)),
    "rename": Renamed("m1", "Ada Lovelace", "Ada", False),
    "role": RoleGiven("m2", "referee", ""),
    "merge": Merged(MEMBERS["m3"], MEMBERS["m1"]),
    "skip": NightSkipped("2026-03-12T20:00"),
    "move": NightMoved("2026-03-12T20:00", "2026-03-13T20:00", ""),
    "withdrawal": withdraw(LEAGUE, "mem:guest"),
    "pair": pair(LEAGUE, "m1", "m3"),
    "visibility": change_visibility(LEAGUE, "members", "k" * 16),
    "pause": SeasonPaused(1, "2026-05-01T00:00", ""),
    "end": LeagueEnded(),
}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_taken_back_leaves_the_league_as_it_was(name: str) -> None:
    after = do(LEAGUE, ACTS[name])
    assert replace(after, acts=()) != LEAGUE
    back = take_back(after, 1)
    assert replace(back, acts=()) == LEAGUE
    assert [type(act.event) for act in back.acts] == [type(ACTS[name]), ActRevoked]
    with pytest.raises(Refused, match="undone_already"):
        take_back(back, 1)
    with pytest.raises(Refused, match="no_such_act"):
        take_back(back, 2)


def test_a_place_comes_back_only_while_there_is_room_for_it() -> None:
    league = do(LEAGUE, withdraw(LEAGUE, "mem:guest"))
    full = tuple(f"mem:{number}" for number in range(PLACES_MOST))
    with pytest.raises(Refused, match="too_many_places"):
        take_back(replace(league, places=full), 1)
    assert "mem:guest" in take_back(replace(league, places=full[1:]), 1).places


def test_what_a_later_act_touches_rests_until_that_is_taken_back() -> None:
    league = do(LEAGUE, changed(LEAGUE, rounds=5))
    league = do(league, changed(league, cap=8))
    league = do(league, changed(league, rounds=2))
    with pytest.raises(Refused, match="act_rests") as refused:
        take_back(league, 1)
    assert refused.value.values == {"number": 3}
    assert take_back(league, 2).format.rounds == 2, "another setting does not rest on it"
    both = take_back(take_back(league, 3), 1)
    assert (both.format.rounds, both.format.cap) == (LEAGUE.format.rounds, 8)


def test_partners_before_are_partners_again_when_a_pair_is_taken_back() -> None:
    league = people("Deniz", league=do(LEAGUE, pair(LEAGUE, "m1", "m2")))
    after = do(league, pair(league, "m2", "m3"))
    assert [each.partner for each in after.members.values()] == ["", "m3", "m2", ""]
    with pytest.raises(Refused, match="act_rests"):
        take_back(after, 1)
    back = take_back(after, 2)
    assert [each.partner for each in back.members.values()] == ["m2", "m1", "", ""]


def test_a_list_pasted_by_mistake_is_taken_back_with_the_members_that_it_made() -> None:
    pasted = parse_members("Ada\nZoe, dc:5\nYann")
    after = change_list(LEAGUE, pasted, [], at=NOW, by="m1")
    assert [each.id for each in after.members.values() if each.listed] == ["m1", "m4", "m5"]
    assert change_list(after, pasted, [], at=NOW, by="m1") == after, "once more changes nothing"
    assert "Zoe" not in str(after.acts)
    back = take_back(after, 1)
    assert {id: back.members[id] for id in LEAGUE.members} == LEAGUE.members
    nobody = [(each.name, each.accounts, each.listed) for each in back.members.values()][3:]
    assert nobody == [(NOBODY, (), False)] * 2
    given = change_list(after, parse_members("Yann, dc:6"), [], at=NOW, by="m1")
    assert given.members["m5"].accounts == ("dc:6",)
    assert take_back(given, 2).members == after.members
    joined = with_member(after, Person("tg:9", "Yann", "en"), None)
    assert take_back(joined, 1).members["m5"].name == "Yann", "who has joined by it stays a member"
    off = change_list(after, parse_members(""), ["Yann"], at=NOW, by="m1")
    assert not off.members["m5"].listed
    assert take_back(off, 2).members["m5"].listed


def test_a_withdrawn_address_is_valid_again_when_its_change_is_taken_back() -> None:
    unlisted = do(LEAGUE, change_visibility(LEAGUE, "unlisted", "a" * 16))
    anew = do(unlisted, change_visibility(unlisted, "unlisted", "b" * 16))
    assert (anew.visibility, anew.page_key) == ("unlisted", "b" * 16)
    assert "b" * 16 not in repr(anew.acts), "a key is a secret"
    assert take_back(anew, 2).page_key == "a" * 16


def test_what_counts_holds_from_the_next_season_and_the_rest_from_the_next_announcement() -> None:
    league = do(LEAGUE, changed(LEAGUE, rounds=5, best_of=1, counting="sum", nights=3))
    assert (league.format.rounds, league.format.best_of, league.format.counting) == (5, 5, "best")
    assert league.drafted is not None
    assert (league.drafted.rounds, league.drafted.best_of, league.drafted.counting) == (5, 1, "sum")
    twice = do(league, changed(league, best_of=2))
    assert twice.format == league.format
    assert twice.drafted == replace(league.drafted, best_of=2), "changed twice before it holds"


def test_no_format_field_is_both() -> None:
    fields = set(Format.__dataclass_fields__)
    assert set(COUNTED) < fields


def test_a_setting_by_which_a_season_has_begun_stays() -> None:
    league = replace(do(LEAGUE, changed(LEAGUE, best_of=1)), season=2)
    with pytest.raises(Refused, match="act_began"):
        take_back(league, 1)


def test_a_night_that_is_past_is_not_put_back() -> None:
    league = do(LEAGUE, NightSkipped("2026-03-12T20:00"))
    with pytest.raises(Refused, match="act_began"):
        take_back(league, 1, START + 1)


async def test_settings_changed_in_mid_season_move_no_rank(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2, best_of=1))
    await plays_night(office, 0, *FOUR)
    before = await table_of(office, 1)
    fields = {"counting": "sum", "ties": (), "nights": 1, "best_of": 9, "rounds": 2, "bye_points": 3.0}
    await office.leagues.carry_out("abcde", None, lambda now, at: changed(now, **fields), by="m1")
    await office.work()
    assert await table_of(office, 1) == before
    await plays_night(office, 1, *FOUR)
    league = await office.leagues.load("abcde")
    assert league.season == 2, "the first season had its two nights"
    assert league.settings_of(1).best_of == 1
    assert (league.format.nights, league.format.counting, league.drafted) == (1, "sum", None)
    held = await table_of(office, 1)
    await office.leagues.carry_out("abcde", None, lambda now, at: changed(now, ties=("score",)), by="m1")
    assert await table_of(office, 1) == held


async def test_more_best_nights_than_were_held_count_them_all(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2, best_of=9))
    for week in range(2):
        await plays_night(office, week, *FOUR)
    results = await office.leagues.standings.results(await office.leagues.load("abcde"), 1)
    lines = season_standings(results, weekly(best_of=9).format, 1)
    sums = season_standings(results, weekly(counting="sum").format, 1)
    assert [(each.member, each.rank, each.points) for each in lines] == [
        (each.member, each.rank, each.points) for each in sums
    ]
    assert all(night.counted for line in lines for night in line.nights)


async def test_of_settings_changed_twice_the_last_ones_hold_or_those_before_them(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=1, best_of=5))
    for best_of in (3, 2):
        await office.leagues.carry_out(
            "abcde", None, lambda now, at, n=best_of: changed(now, best_of=n), by="m1"
        )
    with pytest.raises(Refused, match="act_rests"):
        await office.leagues.take_back("abcde", None, 1, by="m1")
    await office.leagues.take_back("abcde", None, 2, by="m1")
    await plays_night(office, 0, *FOUR)
    league = await office.leagues.load("abcde")
    assert (league.season, league.settings_of(1).best_of, league.format.best_of) == (2, 5, 3)
    with pytest.raises(Refused, match="act_began"):
        await office.leagues.take_back("abcde", None, 1, by="m1")


async def test_of_two_organisers_who_undo_the_same_act_one_does(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    await office.leagues.carry_out("abcde", None, lambda now, at: changed(now, cap=8), by="m1")
    undone = [office.leagues.take_back("abcde", f"undo by {by}", 1, by=by) for by in ("m1", "m2")]
    told = await asyncio.gather(*undone, return_exceptions=True)
    assert [each.code for each in told if isinstance(each, Refused)] == ["undone_already"]
    league = await office.leagues.load("abcde")
    assert (league.format.cap, len(league.acts)) == (0, 2)


async def table_of(office: Office, season: int) -> object:
    league = await office.leagues.load("abcde")
    nights = [result_in(league, each) for each in await office.leagues.nights(league, season)]
    return season_standings(nights, league.settings_of(season), season)


def test_equal_names_are_told_apart_and_follow_the_chats() -> None:
    league = people("Mehmet", "Mehmet", "Mehmet")
    assert [each.name for each in league.members.values()] == ["Mehmet", "Mehmet (2)", "Mehmet (3)"]
    league = with_member(league, Person("tg:2", "Memo"), None)
    assert league.members["m2"].name == "Memo"
    assert with_member(league, Person("tg:4", "mehmet"), None).members["m4"].name == "mehmet (2)"
    named = do(league, Renamed("m1", "Mehmet Bey", "Mehmet", False))
    assert with_member(named, Person("tg:1", "M."), None).members["m1"].name == "Mehmet Bey"


def test_a_name_follows_the_first_account_alone() -> None:
    league = with_member(people("Ada"), Person("dc:9", "ada_l"), "tg:1")
    assert league.members["m1"].name == "Ada"
    assert with_member(league, Person("tg:1", "Ada L."), "dc:9").members["m1"].name == "Ada L."


async def test_two_accounts_of_one_person_become_one_member_with_both_results(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2))
    await plays_night(office, 0, *FOUR)
    await plays_night(office, 1, "Bea", "Cem", "Deniz", "Adaline")
    league = await office.leagues.load("abcde")
    ada, twin = (each for each in league.members.values() if each.name.startswith("Ada"))
    before = await table_of(office, 1)
    merged = await office.leagues.merge(league, twin.id, ada.id, None, by="m2")
    lines = {each.member: each for each in await table_of(office, 1)}  # type: ignore[attr-defined]
    assert twin.id not in lines
    assert len(lines[ada.id].nights) == 2
    assert {*merged.members[ada.id].accounts} == {"mem:ada", "mem:adaline"}
    assert (await office.member("Adaline")).id == ada.id
    await office.leagues.take_back("abcde", None, 1, by="m2")
    assert await table_of(office, 1) == before
    again = await office.leagues.load("abcde")
    assert again.members[twin.id].accounts == ("mem:adaline",)
    with pytest.raises(Refused, match="met_each_other"):
        await office.leagues.merge(again, "m2", "m3", None, by="m2")
    with pytest.raises(Refused, match="same_member"):
        await office.leagues.merge(again, "m2", "m2", None, by="m2")


async def test_a_merge_after_a_season_crowns_who_leads_it_then(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2, counting="sum"))
    await plays_night(office, 0, *FOUR)
    await plays_night(office, 1, "Bea", "Cem", "Deniz", "Adaline")
    league = await office.leagues.load("abcde")
    ada, twin = (each for each in league.members.values() if each.name.startswith("Ada"))
    for number, night in enumerate(await office.leagues.nights(league, 1)):
        table = night.rounds[0].tables[0]
        own = (ada, twin)[number].id
        scores = tuple(
            5 if member == own else 9 - at if number else at for at, member in enumerate(table.seats)
        )
        office.night_id = night.id
        correct = partial(decide.correct, round=1, table=1, scores=scores)
        await office.act(correct, by="m2", why="agreed")
    before = (await office.leagues.load("abcde")).champions
    await office.leagues.merge(league, twin.id, ada.id, None, by="m2")
    await office.work()
    after = await office.leagues.load("abcde")
    first = [each.member for each in await table_of(office, 1) if each.rank == 1]  # type: ignore[attr-defined]
    assert after.champions == {1: tuple(first)}
    await office.leagues.take_back("abcde", None, 1, by="m2")
    await office.work()
    assert (await office.leagues.load("abcde")).champions == before


async def test_who_links_two_accounts_is_one_member_from_then_on(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly())
    one = await office.member("Ada", chat="tg")
    two = await office.member("Ada", chat="dc")
    assert one.id != two.id
    await store.people.link("tg:ada", "dc:ada")
    await office.member("Ada", chat="dc")
    league = await office.leagues.load("abcde")
    assert league.members[two.id].into == one.id
    assert league.stands_for(two.id) == one.id
    assert league.member_of("dc:ada") == league.members[one.id]


def test_who_is_forgotten_is_nowhere_in_the_log_either() -> None:
    league = do(LEAGUE, Renamed("m1", "Ada Lovelace", "Ada", False))
    league = do(league, Merged(league.members["m3"], league.members["m1"]))
    after = forget_member(league, "tg:1")
    assert "Ada" not in str([*after.acts, *after.members.values()])
    assert "Cem" not in str([*after.acts, *after.members.values()])
    assert "tg:1" not in str(after.acts) + str(after.members)
    assert "tg:3" not in str(after.acts) + str(after.members)


def test_an_account_that_was_unlinked_is_nowhere_in_the_log_either() -> None:
    merged = do(LEAGUE, Merged(LEAGUE.members["m3"], LEAGUE.members["m1"]))
    assert {"tg:1", "tg:3"} == {*merged.members["m1"].accounts}
    later = merged.members["m1"].accounts[1]
    after = part_accounts(merged, "tg:1", "tg:3")
    assert later not in str(after.acts) + str(after.members)


async def test_a_league_that_was_ended_by_mistake_goes_on(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=8))
    await plays_night(office, 0, *FOUR)
    await office.leagues.carry_out("abcde", None, lambda now, at: LeagueEnded(), by="m1")
    await office.work()
    assert (await office.leagues.load("abcde")).champions.keys() == {1}
    await office.leagues.take_back("abcde", None, 1, by="m1")
    await office.work()
    league = await office.leagues.load("abcde")
    assert (league.champions, league.season, league.ended) == ({}, 1, False)
    assert [ref.over for ref in league.nights][-1] is False, "another night is announced"


async def test_an_announced_night_keeps_its_date_when_the_day_of_the_week_changes(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1))
    day: dict[str, object] = {"start": "2026-03-18T19:00", "rule": "FREQ=WEEKLY;BYDAY=WE"}
    await office.leagues.carry_out("abcde", None, lambda now, at: changed(now, **day), by="m1")
    await office.work()
    assert (await office.night()).start == START
    await plays_night(office, 0, *FOUR)
    league = await office.leagues.load("abcde")
    assert [ref.id for ref in league.nights] == ["abcde-202603122000", "abcde-202603181900"]
    member = await office.member("Ada")
    reply: Callable[..., object] = decide.reply
    assert reply(await office.leagues.load_night(league.nights[-1].id), START, member, "yes", PLACE)
