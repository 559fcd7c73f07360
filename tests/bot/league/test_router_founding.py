"""An organiser founds a league: four taps, or typed words; nothing of it stands before the last one."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.i18n import plain, words_for
from bot.league.model import League
from bot.markup import Button
from bot.ports import Answer, Person
from bot.store import Store
from tests.bot.house import PLACE, House, open_house, page_of, said
from tests.bot.league.leagues import MovedClock

NOW = datetime(2026, 3, 3, 12, 0, tzinfo=UTC).timestamp()
"""A Tuesday."""


def text(answer: Answer) -> str:
    return plain(page_of(answer).text, words_for("en"))


def buttons(answer: Answer, verb: str) -> list[Button]:
    """The buttons of a page with this verb."""
    return [each for row in page_of(answer).buttons for each in row if each.press.split(".")[0] == verb]


def labelled(answer: Answer, label: str) -> str:
    """What the button of this label presses."""
    found = [
        each.press
        for row in page_of(answer).buttons
        for each in row
        if label in "".join(map(str, each.label))
    ]
    assert len(found) == 1, (label, found)
    return found[0]


async def leagues(house: House, place: str = PLACE) -> list[League]:
    return await house.app.leagues.at_place(place)


async def begun(house: House, ada: Person, line: str = "") -> Answer:
    """Ada, who runs the place, begins or goes on."""
    return await house.type(ada, "okey", f"league new {line}".strip())


def organiser(house: House, name: str = "Ada") -> Person:
    person = house.person(name)
    house.chat.organisers.add((person.key, PLACE))
    return person


async def test_five_taps_make_a_weekly_league(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        zones = await house.type(ada, "okey", "league")
        days = await house.press(ada, labelled(zones, "Europe/London · 12:00"))
        times = await house.press(ada, labelled(days, "Thursday"))
        asked = await house.press(ada, labelled(times, "20:00"))
        summary = await house.press(ada, labelled(asked, "Unlisted"))
        assert await leagues(house) == []
        answer = await house.press(ada, labelled(summary, "Create"))
        assert "The first night: Thu, Mar 5, 2026, 20:00 (UTC)" in text(answer)
        (league,) = await leagues(house)
        assert (league.schedule.start, league.schedule.zone) == ("2026-03-05T20:00", "Europe/London")
        assert league.schedule.rule == "FREQ=WEEKLY;BYDAY=TH"
        assert league.places == (PLACE,)
        assert (league.format.rounds, league.format.best_of, league.format.nights) == (3, 5, 8)


async def test_founding_twice_founds_once(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        summary = await begun(house, ada, "start=2026-03-05 20:00 zone=UTC")
        found = labelled(summary, "Create")
        once = await house.press(ada, found, id="same")
        again = await house.press(ada, found, id="same")
        later = await house.press(ada, found)
        assert text(once) == text(again) == text(later)
        assert len(await leagues(house)) == 1


async def test_a_draft_outlives_a_restart_and_is_nobody_elses(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        times = await house.press(ada, labelled(await begun(house, ada, "name=Club zone=istanbul"), "Monday"))
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada, eve = organiser(house), organiser(house, "Eve")
        assert (await house.press(eve, labelled(times, "19:00"))).code == "no_draft"
        asked = await house.press(ada, labelled(times, "19:00"))
        summary = await house.press(ada, labelled(asked, "Unlisted"))
        assert "Every week on Monday at 19:00 (Europe/Istanbul)" in text(summary)
        await house.press(ada, labelled(summary, "Create"))
        (league,) = await leagues(house)
        assert (league.name, league.schedule.start) == ("Club", "2026-03-09T19:00")


async def test_settings_made_at_the_same_moment_are_all_kept(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        await begun(house, ada, "start=2026-03-05 20:00 zone=UTC")
        await asyncio.gather(*(begun(house, ada, line) for line in ("name=Club", "rounds=4", "cap=12")))
        await house.press(ada, labelled(await begun(house, ada, "grace=7"), "Create"))
        (league,) = await leagues(house)
        assert (league.name, league.format.rounds, league.format.cap) == ("Club", 4, 12)


async def test_a_start_is_meant_in_the_zone_that_stands_behind_it(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        # In UTC this hour is past.
        summary = await begun(house, ada, "start=2026-03-03 11:00 zone=America/New_York")
        await house.press(ada, labelled(summary, "Create"))
        (league,) = await leagues(house)
        assert (league.schedule.start, league.schedule.zone) == ("2026-03-03T11:00", "America/New_York")


async def test_a_page_of_an_earlier_draft_changes_nothing(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        old = await begun(house, ada, "start=2026-03-05 20:00 zone=UTC")
        await begun(house, ada)
        assert (await house.press(ada, labelled(old, "Create"))).code == "no_draft"
        assert (await house.press(ada, labelled(old, "Day"))).code == "no_draft"
        assert await leagues(house) == []


async def test_a_draft_that_is_dropped_is_gone(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        summary = await begun(house, ada, "start=2026-03-05 20:00 zone=UTC")
        dropped = await house.press(ada, labelled(summary, "Cancel"))
        assert "no league was created" in text(dropped)
        assert (await house.press(ada, labelled(summary, "Create"))).code == "no_draft"
        assert await leagues(house) == []


async def test_a_typed_line_sets_everything(store: Store) -> None:
    line = (
        "name=Thursday League start=5.3.2026 20:30 zone=Europe/Berlin every=every two weeks rounds=4 "
        "length=25 seating=standings fill=byes cap=32 entry=members counting=average best=3 nights=6 "
        "ties=score,wins bye=1,5 prizes=pot stake=50 game=okey teams=true clock=2m"
    )
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        summary = await begun(house, ada, line)
        await house.press(ada, labelled(summary, "Create"))
        (league,) = await leagues(house)
        format = league.format
        assert league.name == "Thursday League"
        assert league.schedule.start == "2026-03-05T20:30"
        assert league.schedule.rule == "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"
        assert (format.rounds, format.round_minutes, format.seating, format.fill) == (
            4,
            25,
            "standings",
            "byes",
        )
        assert (format.cap, format.entry, format.counting, format.best_of) == (32, "members", "average", 3)
        assert (format.ties, format.bye_points, format.nights) == (("score", "wins"), 1.5, 6)
        assert (format.prizes, format.stake, format.turn_seconds) == (("pot",), 50, 120)
        assert format.rules == {"preset": "okey-partners"}


async def test_every_setting_has_a_page_with_buttons(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        summary = await begun(house, ada, "start=2026-03-05 20:00 zone=UTC")
        night = await house.press(ada, labelled(summary, "Rounds and tables"))
        rounds = await house.press(ada, labelled(night, "Rounds: 3"))
        night = await house.press(ada, labelled(rounds, "5"))
        assert labelled(night, "Rounds: 5")
        season = await house.press(ada, labelled(summary, "Points and season"))
        ties = await house.press(ada, labelled(season, "Tie-breaks"))
        ties = await house.press(ada, labelled(ties, "head to head"))
        assert "Tie-breaks: head to head, tables won, sum of scores" in text(ties)
        every = await house.press(ada, labelled(summary, "How often"))
        summary = await house.press(ada, labelled(every, "first Thursday"))
        assert "On the first Thursday of the month" in text(summary)
        await house.press(ada, labelled(summary, "Create"))
        (league,) = await leagues(house)
        assert league.schedule.rule == "FREQ=MONTHLY;BYDAY=1TH"
        assert league.format.rounds == 5
        assert league.format.ties[:3] == ("head_to_head", "wins", "score")


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("start=2026-03-05 20:00 every=FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never_comes", "never happens"),
        ("start=2026-03-05 20:00 zone=Europe/Istambul", "unknown_zone", "Europe/Istanbul"),
        ("start=2025-03-05 20:00", "past_start", "2025-03-05 20:00"),
        ("start=2026-02-30 20:00", "bad_start", "2026-02-30"),
        ("rounds=2 game=okey-rounds rounds=1", "league_twice", "deals= the deals that a table plays"),
        ("time=25:00", "bad_start", "Thursday 20:00"),
        ("start=2026-03-05 20:00 every=FREQ=HOURLY", "too_often", "one night a day"),
        ("start=2026-03-05 20:00 every=now and then", "bad_recurrence", "FREQ=WEEKLY"),
        ("rounds=many", "league_number", "from 1 to 12"),
        ("bye=7", "league_points", "from 0 to 3"),
        ("seating=alphabet", "league_word", "rotation"),
        ("ties=wins,beauty", "league_word", "head_to_head"),
        ("colour=red", "unknown_league_option", "seating"),
        ("every thursday at eight", "bad_league_line", "start="),
        ("name=" + "x" * 40, "league_name", "32"),
        ("cap=2", "cap_too_small", "at least 3"),
        ("fill=byes cap=3", "cap_too_small", "at least 4"),
        ("game=chess", "unknown_preset", "okey"),
        ("clock=1s", "bad_clock", "30"),
    ],
)
async def test_bad_input_is_refused_with_what_to_do_and_founds_nothing(
    store: Store, line: str, code: str, told: str
) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        answer = await begun(house, ada, line)
        assert answer.code == code
        assert told in said(answer)
        assert await leagues(house) == []
        assert labelled(await begun(house, ada), "Europe/London"), "and nothing of it is kept"


async def test_a_draft_whose_start_has_passed_founds_nothing(store: Store) -> None:
    clock = MovedClock(NOW)
    async with open_house(store, work=False, clock=clock) as house:
        ada = organiser(house)
        found = labelled(await begun(house, ada, "start=2026-03-05 20:00 every=once zone=UTC"), "Create")
        clock.now += 3 * 24 * 3600
        assert (await house.press(ada, found)).code == "past_start"
        assert await leagues(house) == []


async def test_only_organisers_found_leagues_also_when_they_lose_it_on_the_way(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        eve = house.person("Eve")
        assert (await begun(house, eve)).code == "organisers_only"
        assert (await house.type(eve, "okey", "league new", place=None)).code == "here_only"
        ada = organiser(house)
        found = labelled(await begun(house, ada, "start=2026-03-05 20:00 zone=UTC"), "Create")
        house.chat.organisers.clear()
        assert (await house.press(ada, found)).code == "organisers_only"
        assert await leagues(house) == []


async def test_the_word_is_known_in_every_language(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        for typed in ("lig yeni", "league new", "liga neu", "리그 새로", "LİG YENİ"):
            assert labelled(await house.type(ada, "okey", typed), "Europe/London")
        assert labelled(await house.type(ada, "lig", "yeni"), "Europe/London")


async def test_a_league_is_found_from_everywhere_in_its_community(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        house.chat.communities |= {PLACE: "mem:server/1", "mem:den": "mem:server/1"}
        ada = organiser(house)
        zones = await house.type(ada, "okey", "league")
        days = await house.press(ada, labelled(zones, "Europe/London"))
        times = await house.press(ada, labelled(days, "Thursday"))
        asked = await house.press(ada, labelled(times, "20:00"))
        await house.press(ada, labelled(await house.press(ada, labelled(asked, "Summary")), "Create"))
        (league,) = await leagues(house)
        assert league.community == "mem:server/1"
        elsewhere = await house.type(house.person("Can"), "okey", "league", place="mem:den")
        assert league.name in text(elsewhere)
        stranger = await house.type(house.person("Can"), "okey", "league", place="mem:far")
        assert stranger.code == "no_league"


def zones_offered(answer: Answer) -> list[str]:
    return ["".join(map(str, each.label)).split(" ")[0] for each in buttons(answer, "league_choose")]


async def test_whose_time_it_is_is_asked_with_the_likely_zones_first(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        await house.type(ada, "language", "de")
        german = await begun(house, replace(ada, language="tr"), "start=Thursday 20:15")
        assert zones_offered(german)[:4] == [
            "Europe/Berlin",
            "Europe/Vienna",
            "Europe/Zurich",
            "Europe/Istanbul",
        ]
        assert not buttons(german, "league_found"), "nothing is founded in a zone that nobody named"
        summary = await house.press(ada, labelled(german, "Europe/Vienna · 13:00"))
        assert "20:15 (Europe/Vienna)" in text(summary)
        await house.press(ada, labelled(summary, "Create"))
        assert zones_offered(await begun(house, ada, "name=Other"))[0] == "Europe/Vienna", (
            "as its other league"
        )


async def test_settings_come_in_any_order_also_the_deals_before_their_game(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        line = "deals=3 start=Thursday 20:15 game=okey-rounds zone=UTC"
        assert "3 deals a table" in text(await begun(house, organiser(house), line))


@pytest.mark.parametrize(("every", "nights"), [("once", 1), ("FREQ=WEEKLY;COUNT=3", 3), ("weekly", 8)])
async def test_a_season_has_no_more_nights_than_the_calendar(store: Store, every: str, nights: int) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        summary = await begun(house, ada, f"start=2026-03-05 20:00 zone=UTC every={every}")
        assert f"🏅 {nights} night{'s' if nights > 1 else ''} a season" in text(summary)
        await house.press(ada, labelled(summary, "Create"))
        (league,) = await leagues(house)
        assert (league.format.nights, league.format.best_of) == (nights, min(5, nights))


async def test_the_nights_rounds_and_the_tables_deals_have_names_of_their_own(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        line = "start=Thursday 20:15 zone=UTC rounds=2 length=40 break=5 grace=10 game=okey-rounds deals=3"
        summary = await begun(house, ada, line)
        assert "3 deals a table" in text(summary)
        assert "2 rounds of 40 minutes" in text(summary)
        assert "The evening takes about 1 h 25 min: 20:15 to 21:40, 22:00 at the latest" in text(summary)
        assert "⚠" not in text(summary)
        await house.press(ada, labelled(summary, "Create"))
        (league,) = await leagues(house)
        assert (league.format.rounds, league.format.rules["rounds"]) == (2, 3)


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("game=okey-rounds deals=5 length=5", "5 deals take about 25 minutes, and a round has 5"),
        ("rounds=5 length=5", "A deal takes about 5 minutes, and a round has 5"),
        ("clock=1h", "A turn may take 1 hour, and a round has 30 minutes"),
        ("rounds=12 length=60", "12 h 22 min is a long evening"),
    ],
)
async def test_an_evening_that_cannot_be_is_warned_of(store: Store, line: str, warning: str) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        summary = await begun(house, ada, f"start=Thursday 20:00 zone=UTC {line}")
        assert warning in text(summary)
        assert warning in text(await house.press(ada, labelled(summary, "Rounds and tables")))


@pytest.mark.parametrize("typed", ["Thursday 20:15", "perşembe 20.15", "DONNERSTAG, 20:15", "목요일 20:15"])
async def test_a_start_is_typed_as_a_day_of_the_week(store: Store, typed: str) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        await house.press(ada, labelled(await begun(house, ada, f"zone=UTC start={typed}"), "Create"))
        (league,) = await leagues(house)
        assert league.schedule.start == "2026-03-05T20:15"


async def test_a_chat_that_can_ask_takes_a_draft_s_name_zone_and_start_by_buttons(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        assert not buttons(await begun(house, ada), "draft_zone"), "it would have to be typed"
        house.chat.has_forms = True
        zones = await begun(house, ada)
        wrong = await house.press(ada, buttons(zones, "draft_zone")[0].press, typed="Atlantis")
        assert wrong.code == "unknown_zone"
        days = await house.press(ada, buttons(zones, "draft_zone")[0].press, typed="tashkent")
        assert "On which day" in text(days)
        times = await house.press(ada, labelled(days, "Friday"))
        web = await house.press(ada, buttons(times, "draft_start")[0].press, typed="tomorrow 20:15")
        assert "Who may see" in text(web)
        summary = await house.press(ada, labelled(web, "Unlisted"))
        assert "Every week on Wednesday at 20:15 (Asia/Tashkent)" in text(summary)
        named = await house.press(ada, buttons(summary, "draft_name")[0].press, typed=" Çay Ligi ")
        assert text(named).startswith("🏆 New league: Çay Ligi\n")
        await house.press(ada, labelled(named, "Create the league"))
        (league,) = await leagues(house)
        assert (league.name, league.schedule.start) == ("Çay Ligi", "2026-03-04T20:15")


async def test_the_page_of_times_says_how_another_one_is_typed(store: Store) -> None:
    async with open_house(store, work=False, clock=MovedClock(NOW)) as house:
        ada = organiser(house)
        times = await house.press(ada, labelled(await begun(house, ada, "zone=UTC"), "Thursday"))
        typed = text(times).split("/okey league new ")[1].split()[0]
        assert "at 20:15 (UTC)" in text(await begun(house, ada, typed))
