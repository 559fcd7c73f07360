"""What follows from nights is counted once for each of their states, beside the event loop."""

import asyncio
import threading
from dataclasses import replace

import pytest

from bot.league.events import Corrected, Voided
from bot.league.results import NightResult
from bot.league.standings import season_standings
from bot.repository.leagues import LeagueRepository
from bot.store import Store
from tests.bot.league.leagues import MovedClock, weekly
from tests.bot.league.office import Office
from tests.bot.league.test_seasons import plays_night

FOUR = ("Ada", "Bea", "Cem", "Deniz")


@pytest.fixture
async def office(store: Store) -> Office:
    """A league that has met once."""
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1))
    await plays_night(office, 0, *FOUR)
    return office


async def test_results_are_counted_again_only_when_the_night_has_changed(office: Office) -> None:
    league = await office.leagues.load("abcde")
    first, *_ = await office.leagues.standings.results(league)
    again, *_ = await office.leagues.standings.results(league)
    assert again is first
    corrected_to = Corrected(1, 1, (9, 8, 7, 6))
    await office.leagues.act(first.id, "correct", lambda night, now: [corrected_to], why="typo")
    corrected, *_ = await office.leagues.standings.results(league)
    assert [seat.score for seat in corrected.tables[0].seats] == [9, 8, 7, 6]
    other = LeagueRepository(office.store, office.clock)
    assert await other.standings.results(league) == await office.leagues.standings.results(league)
    await other.act(first.id, "void", lambda night, now: [Voided(1, 1)], why="all agreed")
    (voided, *_) = await office.leagues.standings.results(league)
    assert voided.tables[0].state == "void", "another process's change is seen at once"


async def test_a_season_is_counted_once_for_all_who_ask_and_not_on_the_event_loop(office: Office) -> None:
    league = await office.leagues.load("abcde")
    results = await office.leagues.standings.results(league)
    threads = []

    def count() -> int:
        threads.append(threading.current_thread())
        return 7

    asked = [office.leagues.standings.count("seven", league, results, count) for _ in range(5)]
    assert await asyncio.gather(*asked) == [7] * 5
    assert await office.leagues.standings.count("seven", league, results, count) == 7
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    assert await office.leagues.standings.season(league, 1) == season_standings(results, league.format, 1)


async def test_a_season_that_is_read_again_is_the_identical_table(office: Office) -> None:
    league = await office.leagues.load("abcde")
    standings = office.leagues.standings
    assert len(await standings.season(league, 1)) == len(FOUR)
    assert await standings.season(league, 1) is await standings.season(league, 1)
    other = replace(league, format=replace(league.format, counting="average"))
    assert await standings.season(other, 1) is not await standings.season(league, 1)


async def test_a_league_is_known_by_its_newest_state(office: Office) -> None:
    held = await office.leagues.newest("abcde")
    assert held is await office.leagues.newest("abcde")
    assert await office.leagues.newest("zzzzz") is None
    before = await office.leagues.stamp(held or weekly())
    await office.member("Eve")
    changed = await office.leagues.newest("abcde")
    assert changed is not None
    assert changed == await office.leagues.load("abcde")
    assert await office.leagues.stamp(changed) != before


def test_nights_of_one_hash_are_told_apart() -> None:
    one, other = (
        NightResult(id="L-1", season=1, number=1, start=start, over=True, tables=()) for start in (1.0, 2.0)
    )
    assert hash(one) == hash(other)
    assert one != other
