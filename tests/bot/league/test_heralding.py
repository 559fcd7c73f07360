"""Notices of a night besides its board, and what platforms show of it: once each."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.league import decide
from bot.league.model import League
from bot.ports import RetryAfter
from bot.store import Store
from tests.bot.house import PLACE
from tests.bot.league.crier import HOUR, LONG_BEFORE, Crier
from tests.bot.league.leagues import START, MovedClock, Until, league_house, weekly
from tests.bot.league.test_night_runs import first_round

FOUR = ("Ada", "Bea", "Cem", "Deniz")
EIGHT = (*FOUR, "Ela", "Firat", "Gül", "Hakan")


@pytest.fixture
async def crier(store: Store) -> AsyncIterator[Crier]:
    made = Crier(store, MovedClock(LONG_BEFORE))
    yield made
    await made.close()


async def announced(crier: Crier, league: League | None = None) -> None:
    """A league whose first night is announced."""
    await crier.office.found(league or weekly(rounds=1))
    await crier.tells()


# Reminders


async def test_who_signed_up_is_reminded_three_times(crier: Crier) -> None:
    await announced(crier)
    for name, said in (("Ada", "yes"), ("Bea", "yes"), ("Cem", "maybe"), ("Deniz", "no")):
        await crier.office.says(name, said)  # type: ignore[arg-type]
    await crier.tells()
    assert crier.letters() == {}
    for number, before in enumerate((24 * HOUR, HOUR, 600.0), 1):
        for _ in range(2):
            await crier.tells(before)
            assert crier.letters() == {"ada": number, "bea": number, "cem": number}
            await crier.tells_again()
    words, verbs = crier.newest("Ada")
    assert "Thursday" in words
    assert verbs == {"night_here", "night_no", "league_remind"}


async def test_who_is_here_is_not_asked_whether_he_is(crier: Crier) -> None:
    await announced(crier)
    ada = await crier.office.says("Ada")
    await crier.tells(20 * 60)
    await crier.office.checks_in(ada)
    await crier.tells(600)
    assert crier.newest("Ada")[1] == {"night_no", "league_remind"}


async def test_who_does_not_want_it_or_has_called_off_is_not_reminded(crier: Crier) -> None:
    await announced(crier)
    ada = await crier.office.says("Ada")
    await crier.office.says("Bea")

    def quiet(league: League) -> League:
        member = replace(league.members[ada.id], reminders=False)
        return replace(league, members={**league.members, ada.id: member})

    await crier.office.leagues.change("abcde", None, quiet)
    await crier.tells(24 * HOUR)
    assert crier.letters() == {"bea": 1}
    await crier.office.says("Bea", "no")
    await crier.tells(HOUR)
    assert crier.letters() == {"bea": 1}


async def test_nobody_is_reminded_of_what_he_has_just_said(crier: Crier) -> None:
    await announced(crier)
    await crier.office.says("Ada")
    await crier.tells(24 * HOUR)
    await crier.tells(23 * HOUR)
    await crier.office.says("Bea")
    await crier.tells()
    assert crier.letters() == {"ada": 1}
    await crier.tells(HOUR)
    assert crier.letters() == {"ada": 2, "bea": 1}


async def test_after_a_long_absence_the_last_reminder_alone_comes(crier: Crier) -> None:
    await announced(crier)
    await crier.office.says("Ada")
    await crier.tells(0.5 * HOUR)
    assert crier.letters() == {"ada": 1}
    await crier.tells(-60)
    assert crier.letters() == {"ada": 1}


async def test_a_night_that_is_moved_reminds_anew(crier: Crier) -> None:
    await announced(crier)
    await crier.office.says("Ada")
    await crier.tells(HOUR)
    await crier.office.act(lambda night, now: decide.reschedule(night, now, START + 48 * HOUR))
    await crier.tells()
    assert crier.letters() == {"ada": 1}
    await crier.tells(-24 * HOUR)
    assert crier.letters() == {"ada": 2}
    await crier.tells(-47 * HOUR)
    assert crier.letters() == {"ada": 3}


async def test_a_reminder_is_not_repeated_after_a_restart(crier: Crier, store: Store) -> None:
    await announced(crier)
    await crier.office.says("Ada")
    await crier.tells(24 * HOUR)
    assert crier.letters() == {"ada": 1}
    await crier.close()
    anew = Crier(store, crier.office.clock)
    await anew.tells_again()
    assert anew.letters() == {}
    await anew.close()


async def test_trouble_delays_a_reminder_and_a_closed_door_ends_it(crier: Crier) -> None:
    await announced(crier)
    await crier.office.says("Ada")
    await crier.office.says("Bea")
    await crier.tells()
    crier.chat.closed.add("mem:bea")
    crier.chat.refuse = [RetryAfter(0.01), RetryAfter(0.01), RetryAfter(0.01)]
    await crier.tells(24 * HOUR)
    assert crier.letters() == {"ada": 1}
    crier.chat.closed.clear()
    await crier.tells_again()
    assert crier.letters() == {"ada": 1}, "who could not be reached is not tried again for this one"


async def test_a_letter_speaks_its_readers_language(crier: Crier) -> None:
    await announced(crier)
    ada = await crier.office.says("Ada")

    def turkish(league: League) -> League:
        member = replace(league.members[ada.id], language="tr")
        return replace(league, members={**league.members, ada.id: member})

    await crier.office.leagues.change("abcde", None, turkish)
    await crier.tells(24 * HOUR)
    assert "gece başlıyor" in crier.newest("Ada")[0]


# Calls


async def test_everybody_is_called_once_a_round(crier: Crier) -> None:
    await announced(crier, weekly(rooms=False))
    await crier.office.begins(*EIGHT)
    await crier.tells()
    await crier.tells_again()
    assert [who for who, _ in crier.lines()] == [set(EIGHT)]
    await crier.office.plays()
    await crier.tells(-2 * 60 - 1)
    assert [who for who, _ in crier.lines()] == [set(EIGHT), set(EIGHT)]
    assert ["round 1" in crier.lines()[0][1], "round 2" in crier.lines()[1][1]] == [True, True]


async def test_nobody_is_called_before_his_table_is_there(crier: Crier) -> None:
    await announced(crier, weekly(rooms=False))
    await crier.tells()
    await crier.office.begins(*FOUR)
    for _ in range(20):
        assert not await crier.herald.settled(crier.office.night_id)
    assert crier.lines() == []
    await crier.tells()
    assert [who for who, _ in crier.lines()] == [set(FOUR)]


async def test_a_substitute_hears_of_a_free_seat_once(crier: Crier) -> None:
    await announced(crier)
    await crier.office.says("Sel", "substitute")
    gone, *_ = await crier.office.begins(*FOUR)
    await crier.tells()
    assert crier.letters() == {}
    await crier.office.act(lambda night, now: decide.leave(night, now, gone, PLACE))
    await crier.tells()
    await crier.tells_again()
    assert crier.letters() == {"sel": 1}
    words, verbs = crier.newest("Sel")
    assert "table 1" in words
    assert verbs == {"night_sit"}


async def test_people_are_called_in_their_tables_own_rooms(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(rounds=1), MovedClock()) as evening:
        await first_round(evening, *EIGHT)

        async def all_called() -> bool:
            called = [person for people, _ in evening.house.chat.lines.values() for person in people]
            return len(called) == len(EIGHT)

        await until(all_called)
        where = {line.partition("#")[0] for line, (people, _) in evening.house.chat.lines.items() if people}
        assert where == set(evening.house.chat.rooms.values())
        assert len(where) == 2


# What platforms show


async def test_the_board_is_pinned_until_the_night_is_over(crier: Crier, store: Store) -> None:
    await announced(crier)
    before = list(crier.chat.pinned)
    await crier.office.begins(*FOUR)
    await crier.tells()
    playing = list(crier.chat.pinned)
    assert len(before) == len(playing) == 1
    assert before != playing, "the newest message of the night is pinned, and no other"
    await crier.office.plays()
    await crier.tells()
    next_one = await store.shown("abcde-202603192000")
    assert crier.chat.pinned == [next_one[PLACE].message]


async def test_a_night_stands_on_the_calendar_until_it_is_over(crier: Crier) -> None:
    await announced(crier)
    ((reference, ahead),) = crier.chat.calendar.items()
    assert (ahead.title, ahead.start, ahead.stage) == ("Thursday · night 1", START, "ahead")
    assert ahead.end == START + 40 * 60, "a round of 30 minutes, and 10 until its hard end"
    await crier.office.act(lambda night, now: decide.reschedule(night, now, START + HOUR))
    await crier.tells()
    assert crier.chat.calendar[reference].start == START + HOUR
    await crier.office.act(lambda night, now: decide.reschedule(night, now, START))
    await crier.office.begins(*FOUR)
    await crier.tells()
    assert crier.chat.calendar[reference].stage == "running"
    await crier.office.plays()
    await crier.tells()
    assert [each.stage for each in crier.chat.calendar.values()] == ["past", "ahead"]


async def test_a_night_that_is_called_off_leaves_the_calendar(crier: Crier) -> None:
    await announced(crier)
    await crier.office.act(decide.cancel)
    await crier.tells()
    assert [each.stage for each in crier.chat.calendar.values()] == ["past", "ahead"]


async def test_a_server_with_two_places_has_one_event(crier: Crier) -> None:
    crier.chat.communities |= {PLACE: "mem:server", "mem:other": "mem:server"}
    await announced(crier, replace(weekly(), places=(PLACE, "mem:other")))
    assert len(crier.chat.calendar) == 1
    assert len(crier.chat.pinned) == 2


async def test_the_champion_wears_the_role_until_the_next_one(crier: Crier) -> None:
    await announced(crier, weekly(rounds=1, nights=1, best_of=1))
    await crier.office.begins(*FOUR)
    await crier.office.plays()
    await crier.tells()
    league = await crier.office.leagues.load("abcde")
    champions = sorted(league.members[each].accounts[0] for each in league.champions[1])
    assert champions
    assert crier.chat.roles == {"Thursday champion": champions}
    heir = next(each for each in league.members if each not in league.champions[1])

    def succeeded(league: League) -> League:
        return replace(league, champions={**league.champions, 1: (heir,)})

    await crier.office.leagues.change("abcde", None, succeeded)
    crier.chat.roles["Thursday champion"] = list(champions)
    await crier.tells_again()
    assert crier.chat.roles == {"Thursday champion": [league.members[heir].accounts[0]]}


async def test_a_missing_right_is_said_once_and_the_night_goes_on(crier: Crier) -> None:
    crier.chat.lacking |= {"pins", "events"}
    await announced(crier)
    await crier.office.begins(*FOUR)
    await crier.tells()
    said = [words for who, words in crier.lines() if not who]
    assert sorted("pin" in words for words in said) == [False, True]
    assert crier.chat.pinned == []
    crier.chat.lacking.clear()
    await crier.office.plays()
    await crier.tells()
    assert len(crier.chat.pinned) == 1, "the next night has what it needs"
