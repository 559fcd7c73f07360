"""What people are told of a night besides its board, and what platforms show of it: once each."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.delivery.items import Item, Rank
from bot.delivery.notes import NoteKind, Notes
from bot.i18n import plain, words_for
from bot.league import decide
from bot.league.model import League
from bot.league.night import Night
from bot.league.timers import THERE_SECONDS
from bot.ports import NotPermitted, PlaceRefused, RetryAfter
from bot.store import Store
from tests.bot.house import PLACE
from tests.bot.league.leagues import START, MovedClock, Until, league_house, weekly
from tests.bot.league.messenger import HOUR, LONG_BEFORE, Messenger
from tests.bot.league.test_night_runs import first_round
from tests.bot.store.waiting import dirty

pytestmark = pytest.mark.long

FOUR = ("Ada", "Bea", "Cem", "Deniz")
EIGHT = (*FOUR, "Ela", "Firat", "Gül", "Hakan")


@pytest.fixture
async def messenger(store: Store) -> AsyncIterator[Messenger]:
    made = Messenger(store, MovedClock(LONG_BEFORE))
    yield made
    await made.close()


async def announced(messenger: Messenger, league: League | None = None) -> None:
    """A league whose first night is announced."""
    await messenger.office.found(league or weekly(rounds=1))
    await messenger.tells()


# Reminders


async def test_who_signed_up_is_reminded_three_times(messenger: Messenger) -> None:
    await announced(messenger)
    for name, said in (("Ada", "yes"), ("Bea", "yes"), ("Cem", "maybe"), ("Deniz", "no")):
        await messenger.office.says(name, said)  # type: ignore[arg-type]
    await messenger.tells()
    assert messenger.messages() == {}
    for number, before in enumerate((24 * HOUR, HOUR, 600.0), 1):
        for _ in range(2):
            await messenger.tells(before)
            assert messenger.messages() == {"ada": number, "bea": number, "cem": 1}, "a maybe is asked once"
            await messenger.tells_again()
    words, verbs = messenger.newest("Ada")
    assert "Thursday" in words
    assert verbs == {"night_here", "night_no", "league_remind"}


async def test_a_chat_that_nobody_serves_keeps_no_reminders_from_the_others(messenger: Messenger) -> None:
    await announced(messenger, replace(weekly(), places=("away:1", PLACE)))
    await messenger.office.says("Ada")
    await messenger.tells(24 * HOUR)
    assert messenger.messages() == {"ada": 1}


async def test_who_is_here_is_not_asked_again(messenger: Messenger) -> None:
    await announced(messenger)
    ada = await messenger.office.says("Ada")
    await messenger.tells(20 * 60)
    await messenger.office.checks_in(ada)
    await messenger.tells(600)
    assert messenger.newest("Ada")[1] == {"night_no", "league_remind"}


async def test_who_does_not_want_it_or_has_called_off_is_not_reminded(messenger: Messenger) -> None:
    await announced(messenger)
    ada = await messenger.office.says("Ada")
    await messenger.office.says("Bea")

    def quiet(league: League) -> League:
        member = replace(league.members[ada.id], reminders=False)
        return replace(league, members={**league.members, ada.id: member})

    await messenger.office.leagues.change("abcde", None, quiet)
    await messenger.tells(24 * HOUR)
    assert messenger.messages() == {"bea": 1}
    await messenger.office.says("Bea", "no")
    await messenger.tells(HOUR)
    assert messenger.messages() == {"bea": 1}


async def test_nobody_is_reminded_of_what_they_have_just_said(messenger: Messenger) -> None:
    await announced(messenger)
    await messenger.office.says("Ada")
    await messenger.tells(24 * HOUR)
    await messenger.tells(23 * HOUR)
    await messenger.office.says("Bea")
    await messenger.tells()
    assert messenger.messages() == {"ada": 1}
    await messenger.tells(HOUR)
    assert messenger.messages() == {"ada": 2, "bea": 1}


async def test_whoever_says_maybe_late_has_their_one_reminder_later(messenger: Messenger) -> None:
    await announced(messenger)
    await messenger.office.says("Ada")
    await messenger.tells(24 * HOUR)
    await messenger.office.says("Bea", "maybe")
    await messenger.tells(HOUR)
    await messenger.tells(600)
    assert messenger.messages() == {"ada": 3, "bea": 1}
    assert messenger.newest("Bea")[1] == {"night_yes", "night_no", "league_remind"}


async def test_after_a_long_absence_the_last_reminder_alone_comes(messenger: Messenger) -> None:
    await announced(messenger)
    await messenger.office.says("Ada")
    await messenger.tells(0.5 * HOUR)
    assert messenger.messages() == {"ada": 1}
    await messenger.tells(-60)
    assert messenger.messages() == {"ada": 1}


async def test_a_night_that_is_moved_reminds_anew(messenger: Messenger) -> None:
    await announced(messenger)
    await messenger.office.says("Ada")
    await messenger.tells(HOUR)
    await messenger.office.act(lambda night, now: decide.reschedule(night, now, START + 48 * HOUR))
    await messenger.tells()
    assert messenger.messages() == {"ada": 1}
    await messenger.tells(-24 * HOUR)
    assert messenger.messages() == {"ada": 2}
    await messenger.tells(-47 * HOUR)
    assert messenger.messages() == {"ada": 3}


async def test_a_reminder_is_not_repeated_after_a_restart(messenger: Messenger, store: Store) -> None:
    await announced(messenger)
    await messenger.office.says("Ada")
    await messenger.tells(24 * HOUR)
    assert messenger.messages() == {"ada": 1}
    await messenger.close()
    anew = Messenger(store, messenger.office.clock)
    await anew.tells_again()
    assert anew.messages() == {}
    await anew.close()


async def test_trouble_delays_a_reminder_and_a_closed_door_ends_it(messenger: Messenger) -> None:
    await announced(messenger)
    await messenger.office.says("Ada")
    await messenger.office.says("Bea")
    await messenger.tells()
    messenger.chat.closed.add("mem:bea")
    messenger.chat.refuse = [RetryAfter(0.01), RetryAfter(0.01), RetryAfter(0.01)]
    await messenger.tells(24 * HOUR)
    assert messenger.messages() == {"ada": 1}
    messenger.chat.closed.clear()
    await messenger.tells_again()
    assert messenger.messages() == {"ada": 1}, "who could not be reached is not tried again for this one"


async def test_a_letter_speaks_its_readers_language(messenger: Messenger) -> None:
    await announced(messenger)
    ada = await messenger.office.says("Ada")

    def turkish(league: League) -> League:
        member = replace(league.members[ada.id], language="tr")
        return replace(league, members={**league.members, ada.id: member})

    await messenger.office.leagues.change("abcde", None, turkish)
    await messenger.tells(24 * HOUR)
    assert "gece başlıyor" in messenger.newest("Ada")[0]


# Calls


async def test_everybody_is_called_once_a_round(messenger: Messenger) -> None:
    await announced(messenger, weekly(rooms=False))
    await messenger.office.begins(*EIGHT)
    await messenger.tells()
    await messenger.tells_again()
    assert [who for who, _ in messenger.lines()] == [set(EIGHT)]
    await messenger.office.plays()
    await messenger.tells(-2 * 60 - 1)
    assert [who for who, _ in messenger.lines()] == [set(EIGHT), set(EIGHT)]
    assert ["round 1" in messenger.lines()[0][1], "round 2" in messenger.lines()[1][1]] == [True, True]


async def test_nobody_is_called_before_their_table_is_there(messenger: Messenger) -> None:
    await announced(messenger, weekly(rooms=False))
    await messenger.tells()
    await messenger.office.begins(*FOUR)
    for _ in range(20):
        assert await messenger.looks()
    assert messenger.lines() == []
    await messenger.tells()
    assert [who for who, _ in messenger.lines()] == [set(FOUR)]


async def test_a_substitute_hears_of_a_free_seat_once(messenger: Messenger) -> None:
    await announced(messenger)
    await messenger.office.says("Sel", "substitute")
    gone, *_ = await messenger.office.begins(*FOUR)
    await messenger.tells()
    assert messenger.messages() == {}
    await messenger.office.act(lambda night, now: decide.leave(night, now, gone, PLACE))
    await messenger.tells()
    await messenger.tells_again()
    assert messenger.messages() == {"sel": 1}
    words, verbs = messenger.newest("Sel")
    assert "table 1" in words
    assert verbs == {"night_sit"}


async def test_a_substitute_is_called_and_never_the_person_whose_seat_it_was(messenger: Messenger) -> None:
    await announced(messenger, weekly(rooms=False))
    sel = await messenger.office.says("Sel", "substitute")
    await messenger.office.begins(*FOUR)
    await messenger.tells()
    await messenger.office.touches(await messenger.office.table(1), 0, 1, 2)
    await messenger.tells(-THERE_SECONDS - 1)

    def sit(night: Night, now: float) -> decide.Happening:
        assert night.round is not None
        (seat,) = night.round.tables[0].free
        return decide.take_seat(night, now, sel, PLACE, table=1, seat=seat)

    await messenger.office.leagues.act(messenger.office.night_id, None, sit)
    await messenger.looks()  # before the table has the news of its night
    await messenger.tells()
    assert [who for who, _ in messenger.lines()] == [set(FOUR), {"Sel"}]


async def test_whom_no_private_message_reaches_is_mentioned_once_as_a_round_begins(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(rounds=1, rooms=False), MovedClock()) as evening:
        chat = evening.house.chat
        chat.closed = {f"mem:{name.lower()}" for name in FOUR}
        await first_round(evening, *FOUR)
        closed = "Privacy Settings → Direct Messages"

        async def all_told() -> bool:
            words = " ".join(plain(text, words_for("en")) for _, text in chat.lines.values())
            return "round 1" in words and closed in words

        await until(all_told)

        async def nothing_left() -> bool:
            return not await dirty(store)

        await until(nothing_left)
        mentioned = [person.name for people, _ in chat.lines.values() for person in people]
        assert sorted(mentioned) == sorted(FOUR)
        (how,) = (
            words for _, text in chat.lines.values() if closed in (words := plain(text, words_for("en")))
        )
        assert set(how.partition(":")[0].split(", ")) == set(FOUR), "it says whom it concerns"


async def test_people_are_called_in_their_tables_own_rooms(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(rounds=1), MovedClock()) as evening:
        await first_round(evening, *EIGHT)

        async def all_called() -> bool:
            called = [person for people, _ in evening.house.chat.lines.values() for person in people]
            return len(called) == len(EIGHT)

        await until(all_called)
        where = {line.partition("#")[0] for line in evening.house.chat.lines}
        assert where == set(evening.house.chat.rooms.values()), "the board says where the tables are, no line"
        names = {name for _, name in evening.house.chat.rooms}
        assert names == {"Table 1 · round 1 · Thursday", "Table 2 · round 1 · Thursday"}


# What platforms show


async def test_the_board_is_pinned_until_the_night_is_over(messenger: Messenger, store: Store) -> None:
    await announced(messenger)
    before = list(messenger.chat.pinned)
    await messenger.office.begins(*FOUR)
    await messenger.tells()
    playing = list(messenger.chat.pinned)
    assert len(before) == len(playing) == 1
    assert before != playing, "the newest message of the night is pinned, and no other"
    await messenger.office.plays()
    await messenger.tells()
    next_one = await store.notes.load("abcde-202603192000")
    assert messenger.chat.pinned == [next_one[PLACE].text]


async def test_a_night_stands_on_the_calendar_until_it_is_over(messenger: Messenger) -> None:
    await announced(messenger)
    ((reference, ahead),) = messenger.chat.calendar.items()
    assert (ahead.title, ahead.start, ahead.stage) == ("Thursday · night 1", START, "ahead")
    assert ahead.end == START + 40 * 60, "a round of 30 minutes, and 10 until its hard end"
    await messenger.office.act(lambda night, now: decide.reschedule(night, now, START + HOUR))
    await messenger.tells()
    assert messenger.chat.calendar[reference].start == START + HOUR
    await messenger.office.act(lambda night, now: decide.reschedule(night, now, START))
    await messenger.office.begins(*FOUR)
    await messenger.tells()
    assert messenger.chat.calendar[reference].stage == "running"
    await messenger.office.plays()
    await messenger.tells()
    assert [each.stage for each in messenger.chat.calendar.values()] == ["past", "ahead"]


async def test_a_night_that_is_called_off_leaves_the_calendar(messenger: Messenger) -> None:
    await announced(messenger)
    await messenger.office.act(decide.cancel)
    await messenger.tells()
    assert [each.stage for each in messenger.chat.calendar.values()] == ["past", "ahead"]


async def test_a_server_with_two_places_has_one_event(messenger: Messenger) -> None:
    messenger.chat.communities |= {PLACE: "mem:server", "mem:other": "mem:server"}
    await announced(messenger, replace(weekly(), places=(PLACE, "mem:other")))
    assert len(messenger.chat.calendar) == 1
    assert len(messenger.chat.pinned) == 2


async def test_the_champion_wears_the_role_until_the_next_one(messenger: Messenger) -> None:
    await announced(messenger, weekly(rounds=1, nights=1, best_of=1))
    await messenger.office.begins(*FOUR)
    await messenger.office.plays()
    await messenger.tells()
    league = await messenger.office.leagues.load("abcde")
    champions = sorted(league.members[each].accounts[0] for each in league.champions[1])
    assert champions
    assert messenger.chat.roles == {"Thursday champion": champions}
    heir = min(league.members, key=league.champions[1].__contains__)  # a drawn round makes champions of all

    def succeeded(league: League) -> League:
        return replace(league, seasons={1: replace(league.seasons[1], champions=(heir,))})

    await messenger.office.leagues.change("abcde", None, succeeded)
    messenger.chat.roles["Thursday champion"] = list(champions)
    await messenger.tells_again()
    assert messenger.chat.roles == {"Thursday champion": [league.members[heir].accounts[0]]}


async def test_the_champion_of_a_season_that_an_organiser_ends_wears_the_role(messenger: Messenger) -> None:
    await announced(messenger, weekly(rounds=1, nights=8))
    await messenger.office.begins(*FOUR)
    await messenger.office.plays()
    await messenger.office.leagues.change("abcde", None, lambda league: replace(league, ended=True))
    await messenger.office.work()
    messenger.office.night_id = "abcde-202603192000"
    await messenger.tells()
    league = await messenger.office.leagues.load("abcde")
    champions = sorted(league.members[each].accounts[0] for each in league.champions[1])
    assert messenger.chat.roles == {"Thursday champion": champions}


async def test_the_champion_wears_it_too_where_a_league_ends_between_two_nights(messenger: Messenger) -> None:
    await announced(messenger, weekly(rounds=1, nights=8))
    await messenger.office.begins(*FOUR)
    await messenger.office.plays()
    await messenger.tells()
    assert messenger.chat.roles == {}

    def ended(league: League) -> League:
        return replace(league, nights=league.nights[:1], ended=True)

    await messenger.office.leagues.change("abcde", None, ended)
    await messenger.office.work()
    await messenger.tells()
    league = await messenger.office.leagues.load("abcde")
    champions = sorted(league.members[each].accounts[0] for each in league.champions[1])
    assert messenger.chat.roles == {"Thursday champion": champions}


async def test_a_missing_right_is_said_once_and_the_night_goes_on(messenger: Messenger) -> None:
    messenger.chat.lacking |= {"pins", "events"}
    await announced(messenger)
    await messenger.office.begins(*FOUR)
    await messenger.tells()
    said = [words for who, words in messenger.lines() if not who]
    assert sorted("pin" in words for words in said) == [False, True]
    assert messenger.chat.pinned == []
    messenger.chat.lacking.clear()
    await messenger.office.plays()
    await messenger.tells()
    assert len(messenger.chat.pinned) == 1, "the next night has what it needs"


async def test_a_right_that_is_given_later_serves_the_night_that_lacked_it(messenger: Messenger) -> None:
    messenger.chat.lacking |= {"pins", "events"}
    await announced(messenger)
    messenger.chat.lacking.clear()
    await messenger.tells_again()
    assert messenger.chat.pinned == [], "while nothing changes nobody asks again"
    await messenger.office.says("Ada")
    await messenger.tells()
    assert messenger.chat.pinned == [f"{PLACE}#1"]
    assert len(messenger.chat.calendar) == 1


async def test_a_missing_right_that_cannot_be_said_either_stops_nothing(messenger: Messenger) -> None:
    messenger.chat.lacking.add("events")
    messenger.chat.refuse_lines = [PlaceRefused("no right to write")] * 9
    await announced(messenger)
    assert messenger.lines() == []
    messenger.chat.refuse_lines.clear()
    await messenger.office.act(decide.cancel)
    await messenger.tells()
    assert len(messenger.lines()) == 1, "the next time it is said"


async def test_two_things_that_lack_a_right_at_once_tell_it_once(messenger: Messenger) -> None:
    await announced(messenger)

    async def send() -> Notes:
        return {}

    night = messenger.office.night_id
    items = [
        Item(night, kind.of(PLACE), PLACE, Rank.CLOCK, (), send) for kind in (NoteKind.EVENT, NoteKind.PIN)
    ]
    before = len(messenger.lines())
    await asyncio.gather(*(messenger.accepts(item, NotPermitted("events")) for item in items))
    assert len(messenger.lines()) == before + 1


async def test_a_place_that_the_league_leaves_keeps_no_live_board(messenger: Messenger) -> None:
    await announced(messenger, replace(weekly(), places=(PLACE, "mem:other")))
    left, kept = (
        next(each for each in messenger.chat.pinned if place in each) for place in ("mem:other", PLACE)
    )

    def leaves(league: League) -> League:
        return replace(league, places=(PLACE,))

    await messenger.office.leagues.change("abcde", None, leaves)
    await messenger.tells()
    assert messenger.chat.disarmed == [left]
    assert messenger.chat.pinned == [kept]
    await messenger.tells_again()
    assert messenger.chat.disarmed == [left]
