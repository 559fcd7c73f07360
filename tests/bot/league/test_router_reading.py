"""Pages of a league, as people read them and as organisers run it from night to night."""

import asyncio
import re
from dataclasses import replace

import pytest

from bot.history import judgements
from bot.i18n import words_for
from bot.ids import LeagueId
from bot.league.events import CheckInClosed, Ended, Recorded, RoundEnded
from bot.league.model import League, Member, NightRef
from bot.markup import Moment, StandingsPicture
from bot.ports import Answer, Person
from bot.repository.leagues import LeagueAct, LeagueRepository
from bot.store import Store, keys
from bot.worker import worker
from tests.bot.house import PLACE, MemoryChat, open_house, page_of, said
from tests.bot.league import evenings
from tests.bot.league.leagues import DAY, START, LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.league.test_router_evening import (
    FOUR,
    button,
    gathered,
    labels,
    on_board,
    organise,
    pressed,
    words,
)

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker looks more often: no test here is about how long it takes."""
    for often in ("TICK_SECONDS", "PLAYED_SECONDS"):
        monkeypatch.setattr(worker, often, 0.02)


async def ask(evening: LeagueHouse, line: str = "", *, name: str = "Ada") -> Answer:
    """Somebody who runs nothing types it."""
    house = evening.house
    return await house.type(house.person(name), "okey", f"league {line}".strip())


async def one_night(evening: LeagueHouse) -> None:
    """The first night is played to its end."""
    await gathered(evening, *FOUR)
    await evening.play_all()
    await evening.comes("break")
    await evening.at(2 * 60 + 1, "playing")
    await evening.play_all()
    await evening.comes("over")

    async def next_one() -> bool:
        return len((await evening.house.app.leagues.load("abcde")).nights) == 2

    await evening.until(next_one)


async def test_the_leagues_page_says_when_it_meets_and_what_one_has_answered(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        hub = (await ask(evening)).page
        assert "Every week on Thursday at 20:00 (UTC)" in words(hub)
        assert "You have not answered yet." in words(hub)
        assert "🛠 Organise" not in labels(hub)  # type: ignore[arg-type]
        yes = button(hub, "I’m coming").press
        evening.house.chat.readers.add(("mem:ada", PLACE))
        await evening.house.press(evening.house.person("Ada"), yes)
        assert "You are coming." in words((await ask(evening)).page)
        assert button((await organise(evening, "")).page, "Organise")


async def test_when_the_next_nights_are_is_told_as_moments_for_each_readers_own_time(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        dates = (await ask(evening, "next")).page
        assert dates is not None
        moments = [part for part in dates.text if isinstance(part, Moment)]
        assert [each.at for each in moments[:3]] == [START, START + 7 * DAY, START + 14 * DAY]
        assert moments[0].words == "Thu, Mar 12, 2026, 20:00 (UTC)"


async def test_tables_results_and_replays_can_be_read_by_anybody(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await one_night(evening)
        house, eve = evening.house, evening.house.person("Zoe")
        table = (await ask(evening, "table", name="Zoe")).page
        assert table is not None
        assert isinstance(table.picture, StandingsPicture)
        assert {row.name for row in table.picture.rows} == set(FOUR)
        assert all(name in words(table) and name in table.alt for name in FOUR)

        nights = (await ask(evening, "nights", name="Zoe")).page
        results = (await house.press(eve, button(nights, "📋 1").press)).page
        first = (await house.press(eve, button(results, "Round 1").press)).page
        assert "✓ Table 1: " in words(first)
        replay = button(first, "▶ Replay table 1").press
        night = await evening.night()
        assert replay == f"replay.{night.id_of(1, night.rounds[0].tables[0])}.0.1"
        assert (await house.press(eve, replay)).page is not None


async def test_results_of_a_night_that_is_over_are_corrected_while_the_next_is_announced(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        assert (await organise(evening, "void 1.1 why")).code == "no_night_played"
        await one_night(evening)
        assert not (await organise(evening, "correct 1.1 9 8 7 6 a mistake")).code
        first = (await evening.night()).rounds[0].tables[0]
        assert first.corrected == (9, 8, 7, 6)
        house = evening.house
        page = f"night_results.{evening.night_id}.0"
        assert "🛠 Organise" not in labels((await house.press(house.person("Ada"), page)).page)  # type: ignore[arg-type]
        with house.runs(olga := house.person("Olga")):
            results = (await house.press(olga, page)).page
            run = (await house.press(olga, button(results, "Organise").press)).page
            assert "Results can still be corrected" in words(run)


async def test_a_night_that_is_listed_and_not_announced_yet_is_in_nobodys_way(store: Store) -> None:
    """A league lists its next night a moment before that is there."""
    held, four = evenings.league(), ("m1", "m2", "m3", "m4")
    announced, *events = [
        *evenings.announced(held),
        *evenings.replied(four),
        *evenings.checked_in(four),
        CheckInClosed(playing=four),
        *evenings.seated(four),
        *evenings.played(1, 1, four, (10, 4, -2, 0)),
        RoundEnded(round=1),
        Ended(),
    ]
    played = NightRef(id=evenings.NIGHT, season=1, start=evenings.START, over=True)
    listed = replace(played, id="abcde-202603122000", start=evenings.START + 7 * DAY, over=False)
    async with open_house(store, clock=MovedClock(evenings.START + 3600), work=False) as house:
        await house.app.leagues.create_league(replace(held, nights=(played, listed)), "found")
        await house.app.leagues.announce(Recorded(evenings.START, "", "", announced), played.id)
        await house.app.leagues.act(played.id, None, lambda night, now: events)
        ada = house.person("Ada")
        assert page_of(await house.type(ada, "okey", "league")).buttons
        assert (await house.type(ada, "okey", "league yes")).code == "no_next_night"
        assert not (await house.organise(ada, "okey", "league correct 1.1 9 8 7 6 a mistake")).code


async def test_a_profile_shows_season_and_rating_and_switches_reminders(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        assert (await ask(evening, "me")).code == "no_member"
        await one_night(evening)
        profile = (await ask(evening, "me")).page
        assert "Season 1: rank " in words(profile)
        assert "shown after 10 tables (now 2)" in words(profile)
        await evening.house.press(evening.house.person("Ada"), button(profile, "Stop reminders").press)
        member = (await evening.house.app.leagues.load("abcde")).members["m1"]
        assert not member.reminders
        for word, wanted in (("on", True), ("kapalı", False), ("", True), ("aus", False), ("on", True)):
            await ask(evening, f"reminders {word}")
            assert (await evening.house.app.leagues.load("abcde")).members["m1"].reminders is wanted


@pytest.mark.parametrize(("preset", "unit"), [("okey-rounds", "tiles"), ("okey101", "points")])
async def test_a_profile_sums_up_how_well_somebody_played_this_season(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch, preset: str, unit: str
) -> None:
    """Each round is judged once. What takes too long is left for the next time."""
    league = weekly(rules={"preset": preset, "rounds": 1})
    async with league_house(store, until, league, MovedClock()) as evening:
        await one_night(evening)
        monkeypatch.setattr(judgements, "PATIENCE", -1.0)
        assert "2 deals aren’t judged yet" in words((await ask(evening, "me")).page)
        monkeypatch.setattr(judgements, "PATIENCE", 60.0)
        judged = words((await ask(evening, "me")).page)
        assert re.search(rf"accuracy \d+% in 2 deals; luck [+−]?[\d.]+ {unit}", judged)
        night = await evening.night()
        for round in (1, 2):
            table = night.id_of(round, night.rounds[round - 1].tables[0])
            await store._server.call("DEL", keys.log(table))
            await store._server.call("DEL", keys.archived(table))
    async with league_house(store, until, league, MovedClock(evening.clock.now), work=False) as later:
        assert words((await ask(later, "me")).page) == judged


async def test_a_night_is_skipped_and_another_moved(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        moved = await organise(evening, "move 2026-03-13 21:00")
        assert "Mar 13, 2026, 21:00" in said(moved)
        assert (await evening.night()).start == START + DAY + 3600
        assert (await organise(evening, "move 2026-03-01 21:00")).code == "past_start"

        asked = await organise(evening, "skip")
        assert "Skip the night of Fri, Mar 13, 2026, 21:00" in words(asked.page), "as it is held now"
        assert (await evening.night()).stage == "announced"
        assert (await evening.house.app.leagues.load("abcde")).schedule.skipped == ()
        skipped = await pressed(evening, button(asked.page, "Technical trouble").press)
        assert "is skipped" in said(skipped)
        await evening.comes("cancelled")
        log = await LeagueRepository(store, evening.clock).log(evening.night_id)
        assert log[-1].why == "Technical trouble"
        league = await evening.house.app.leagues.load("abcde")
        assert league.schedule.skipped == ("2026-03-12T20:00",)
        dates = (await ask(evening, "dates")).page
        assert dates is not None
        moments = [part.at for part in dates.text if isinstance(part, Moment)]
        assert moments[0] == START + 7 * DAY


async def test_a_weekday_to_move_to_is_the_one_nearest_to_the_night(store: Store, until: Until) -> None:
    clock = MovedClock(START - 10 * DAY)
    async with league_house(store, until, weekly(), clock) as evening:
        await evening.comes("announced")
        for typed, days in (("Friday 20:00", 1), ("Tuesday 20:00", -2), ("Sunday 20:00", 3)):
            assert not (await organise(evening, f"move {typed}")).code
            assert (await evening.night()).start == START + days * DAY, typed
        clock.now = START - DAY
        assert not (await organise(evening, "move Monday 20:00")).code
        assert (await evening.night()).start == START + 4 * DAY, "the one before has passed"


async def test_called_off_nights_are_no_past_nights(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await organise(evening, "skip holiday")
        await evening.comes("cancelled")
        evening.night_id = "abcde-202603192000"
        await evening.comes("announced")
        nights = (await ask(evening, "nights")).page
        assert "Mar 12" not in words(nights)
        assert labels(nights) == ["🏆 League"]  # type: ignore[arg-type]


async def test_a_night_is_not_moved_beyond_the_one_after_it_which_would_be_lost(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        for late in ("2026-03-19 19:30", "2026-03-20 20:00"):
            lost = await organise(evening, f"move {late}")
            assert lost.code == "past_next_night", late
            assert "2026-03-19 20:00 (UTC)" in said(lost)
        assert (await evening.night()).start == START
        assert not (await organise(evening, "move 2026-03-19 18:00")).code, "it ends before"
        with evening.house.runs(olga := evening.house.person("Olga")):
            page = (await evening.house.press(olga, "league_skips.abcde.0")).page
            asked = await evening.house.press(olga, button(page, "⏭ 2").press)
            await evening.house.press(olga, button(asked.page, "All agreed").press)
        assert not (await organise(evening, "move 2026-03-20 20:00")).code
        assert (await evening.night()).start == START + 8 * DAY


async def test_a_night_that_was_called_off_is_no_date_any_more(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await organise(evening, "cancel the hall is closed")
        await evening.comes("cancelled")
        following = START + 7 * DAY

        async def next_one() -> bool:
            nights = (await evening.house.app.leagues.load("abcde")).nights
            return [ref.start for ref in nights if not ref.over] == [following]

        await until(next_one)
        dates = (await ask(evening, "dates")).page
        assert dates is not None
        assert next(part.at for part in dates.text if isinstance(part, Moment)) == following
        published = await evening.house.app.published.open("abcde", "")
        assert published is not None
        page = await published.season(None, words_for("en"))
        assert page is not None
        (told,) = (each.lines for each in page.sections if each.title == "Next nights")
        assert [part.at for part in told[0] if isinstance(part, Moment)] == [following]
        with evening.house.runs(olga := evening.house.person("Olga")):
            skips = (await evening.house.press(olga, "league_skips.abcde.0")).page
        assert "1. Thu, Mar 19" in words(skips)


async def test_any_of_the_next_nights_can_be_skipped_by_a_button(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        house = evening.house
        with house.runs(olga := house.person("Olga")):
            page = (await house.press(olga, "league_skips.abcde.0")).page
            asked = await house.press(olga, button(page, "⏭ 2").press)
            assert (await house.app.leagues.load("abcde")).schedule.skipped == ()
            why = button(asked.page, "All agreed").press
            skipped = await house.press(olga, why, id="skip")
            assert "1. Thu, Mar 12" in words(skipped.page)
            assert "2. Thu, Mar 26" in words(skipped.page)
            await house.press(olga, why, id="skip")
        league = await house.app.leagues.load("abcde")
        assert league.schedule.skipped == ("2026-03-19T20:00",)
        assert (await evening.night()).stage == "announced"


async def test_two_organisers_skip_a_night_each_at_the_same_moment(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        leagues, others = evening.house.app.leagues, ["league_skip.abcde.0.202603262000.agreed"]
        change, ours = leagues.change, asyncio.current_task()

        async def change_late(league: LeagueId, action: str | None, act: LeagueAct) -> League:
            if others and asyncio.current_task() is ours:  # the worker changes leagues, too
                await pressed(evening, others.pop(), name="Boss")
            return await change(league, action, act)

        monkeypatch.setattr(leagues, "change", change_late)
        await pressed(evening, "league_skip.abcde.0.202603192000.agreed")
        skipped = (await leagues.load("abcde")).schedule.skipped
        assert skipped == ("2026-03-26T20:00", "2026-03-19T20:00")


async def test_a_night_that_has_begun_is_not_skipped_by_mistake(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        assert (await organise(evening, "skip")).code == "night_begun"
        assert (await organise(evening, "skip too few")).code == "night_begun"
        assert (await evening.night()).stage == "playing"
        house = evening.house
        with house.runs(olga := house.person("Olga")):
            past = await house.press(olga, "league_skip.abcde.0.202603122000")
            assert past.code == "old_button"
            damaged = await house.press(olga, "league_skip.abcde.0.202603192000.whatever")
            assert damaged.code == "unknown_button"
        assert (await house.app.leagues.load("abcde")).schedule.skipped == ()


async def test_a_league_ends_when_its_organiser_says_so_twice(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        asked = await organise(evening, "end")
        assert not (await evening.house.app.leagues.load("abcde")).ended
        house = evening.house
        with house.runs(olga := house.person("Olga")):
            ended = await house.press(olga, button(asked.page, "Yes, end").press)
            assert "This league has ended." in words(ended.page)
        assert (await house.app.leagues.load("abcde")).ended
        await evening.comes("cancelled")
        assert "This league has ended." in words((await ask(evening)).page)


async def test_a_night_that_begins_while_its_league_is_ended_is_played(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        for name in FOUR:
            await on_board(evening, name, "yes")
        await evening.at(-20 * 60, "check_in")
        for name in FOUR:
            await on_board(evening, name, "here")
        await evening.at(-3 * 60, "ready")
        leagues = evening.house.app.leagues
        organiser = leagues.organiser

        async def organiser_late(league: LeagueId, by: Person) -> Member:
            await evening.at(0, "playing")
            return await organiser(league, by)

        monkeypatch.setattr(leagues, "organiser", organiser_late)
        ended = await pressed(evening, "league_end.abcde.0")
        assert "This league has ended." in words(ended.page)
        assert (await evening.night()).stage == "playing"


async def test_another_place_takes_part_when_its_own_organiser_brings_the_code(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        house = evening.house
        house.app.chats["oth"] = MemoryChat(name="oth")
        told = said(await organise(evening, "invite"))
        code = told.split("join ")[1].split(" ")[0]
        assert (await organise(evening, "invite oth:hall")).code == "unknown_command"  # the code stays valid
        eve = replace(house.person("Eve"), key="oth:eve")
        refused = await house.type(eve, "okey", f"league join {code}", place="oth:hall")
        assert refused.code == "organisers_only"
        with house.runs(eve, "oth:hall"):
            wrong = await house.type(eve, "okey", "league join AAA-AAA", place="oth:hall")
            assert wrong.code == "wrong_code"
            joined = await house.type(eve, "okey", f"league join {code}", place="oth:hall")
            assert "is now played here too" in said(joined)
            assert (await house.app.leagues.load("abcde")).places == ("mem:hall", "oth:hall")
            another = await house.type(eve, "okey", "league withdraw mem:hall", place="oth:hall")
            assert said(another) == "I don’t know “mem:hall”. /okey help lists all commands."
            with house.runs(eve, "oth:hall/7"):  # in one of its topics
                await house.type(eve, "okey", "league withdraw", place="oth:hall/7")
            assert (await house.app.leagues.load("abcde")).places == ("mem:hall",)
        assert (await organise(evening, "withdraw")).code == "last_place"


async def test_a_code_brings_one_place_and_the_founders_may_send_it_away_again(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        house = evening.house
        for name in ("oth", "far"):
            house.app.chats[name] = MemoryChat(name=name)
        eve, mia = (replace(house.person(n), key=k) for n, k in (("Eve", "oth:eve"), ("Mia", "far:mia")))

        async def code() -> str:
            return said(await organise(evening, "invite")).split("join ")[1].split(" ")[0]

        async def places() -> tuple[str, ...]:
            return (await house.app.leagues.load("abcde")).places

        old, new = await code(), await code()
        with house.runs(eve, "oth:hall"), house.runs(mia, "far:hall"):
            stale = await house.type(eve, "okey", f"league join {old}", place="oth:hall")
            assert stale.code == "wrong_code"
            await house.type(eve, "okey", f"league join {new}", place="oth:hall")
            again = await house.type(mia, "okey", f"league join {new}", place="far:hall")
            assert again.code == "wrong_code"
            await house.type(mia, "okey", f"league join {await code()}", place="far:hall")
            assert await places() == ("mem:hall", "oth:hall", "far:hall")

            listed = await house.press(eve, "league_places.abcde.0")
            assert [each for each in labels(listed.page) if "✖" in each] == ["✖ Remove place 2"]  # type: ignore[arg-type]
            founders = (await organise(evening, "withdraw")).page
            assert len(await places()) == 3
            far = button(founders, "Remove place 3").press
            assert (await house.press(eve, far)).code == "league_organisers_only"
            out = await code()
            assert "no longer shown in far:hall" in said(await pressed(evening, far))
            assert await places() == ("mem:hall", "oth:hall")
            kept_out = await house.type(mia, "okey", f"league join {out}", place="far:hall")
            assert kept_out.code == "wrong_code"
        assert (await pressed(evening, far)).code == "old_button"


async def test_only_who_is_on_the_list_plays_where_members_alone_may(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(entry="members"), MovedClock()) as evening:
        await evening.comes("announced")
        assert (await on_board(evening, "Ada", "yes")).code == "members_only"
        listed = await organise(evening, "members Ada, Can, Eve; Bob")
        assert "4 members on the list: Ada, Can, Eve, Bob" in said(listed)
        again = await organise(evening, "members ada")
        assert "4 members" in said(again)
        assert not (await on_board(evening, "Ada", "yes")).code
        off = await organise(evening, "members -Can")
        assert "3 members on the list: Ada, Eve, Bob" in said(off)
        assert (await on_board(evening, "Can", "yes")).code == "members_only"


async def test_a_pasted_list_may_name_accounts_and_is_taken_whole_or_not_at_all(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(entry="members"), MovedClock()) as evening:
        wrong = await organise(evening, "members Ada, tg:4711\nCan, somewhere")
        assert wrong.code == "roster_account"
        assert "0 members" in said(await organise(evening, "members"))
        await organise(evening, "members Ada, TG:4711")
        await organise(evening, "members Ada, tg:4711\nCan")
        members = (await evening.house.app.leagues.load("abcde")).members.values()
        assert {(each.name, each.accounts) for each in members if each.listed} == {
            ("Ada", ("tg:4711",)),
            ("Can", ()),
        }


async def test_partners_are_paired_by_name(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(seating="pairs"), MovedClock()) as evening:
        await evening.comes("announced")
        await organise(evening, "members Ada, Can, Eve")
        assert "partners" in said(await organise(evening, "pair Ada, Can"))
        assert (await organise(evening, "pair Ada, Nobody")).code == "unknown_member"
        assert (await organise(evening, "pair Ada")).code == "bad_pair"
        await organise(evening, "pair Can, Eve")
        members = (await evening.house.app.leagues.load("abcde")).members
        named = {each.name: each for each in members.values()}
        partners = [named[name].partner for name in ("Ada", "Can", "Eve")]
        assert partners == ["", named["Eve"].id, named["Can"].id]


async def test_a_member_asks_for_their_leagues_in_private_too(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        house, ada = evening.house, evening.house.person("Ada")
        assert (await house.type(ada, "okey", "league next", place=None)).code == "here_only"
        await on_board(evening, "Ada", "yes")
        dates = (await house.type(ada, "okey", "league next", place=None)).page
        assert "Thu, Mar 12, 2026, 20:00 (UTC)" in words(dates)
        assert not (await house.type(ada, "okey", "league no", place=None)).code
        assert (await evening.night()).signed_up == ()
        assert (
            await house.type(ada, "okey", "league pause why", place=None)
        ).code == "league_organisers_only"


async def test_what_means_nothing_is_answered_with_what_to_do(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        assert (await ask(evening, "weather")).code == "unknown_league_word"
        assert (await ask(evening, "correct everything")).code == "league_organisers_only"
        house = evening.house
        lost = await house.type(house.person("Ada"), "okey", "league", place="mem:garden")
        assert lost.code == "no_league"
        league = replace(weekly(), id="fghjk", name="Sunday")
        await house.app.leagues.create_league(league, "another")
        both = await ask(evening, "dates")
        assert both.code == "which_league"
        assert "fghjk (Sunday), abcde (Thursday)" in said(both)
        assert "Sunday" in words((await ask(evening, "hub fghjk")).page)
        assert "Sunday" in words((await ask(evening, "FGHJK")).page)
        assert "Thursday" in words((await ask(evening, "abcde")).page)
        assert (await ask(evening, "fghjz")).code == "unknown_league_word"
        which = (await ask(evening)).page
        chosen = await house.press(house.person("Ada"), button(which, "Sunday").press)
        assert "Sunday" in words(chosen.page)
