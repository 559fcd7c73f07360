"""Boards, standings and pages as screens: what they say in each language, and that they fit every chat."""

from dataclasses import replace

import pytest

from bot.handlers.league.night_actions import action_of
from bot.i18n import LANGUAGES, Words, plain, words_for
from bot.league.events import (
    CheckInClosed,
    Disputed,
    Ended,
    NightEvent,
    RoundEnded,
    SeatFreed,
    SeatTaken,
    Voided,
)
from bot.league.founding import LeagueDraft
from bot.league.model import Format, League, Member, NightRef, Season
from bot.league.night import Night
from bot.league.ratings import RatedNight
from bot.league.records import Honour
from bot.league.results import result_of
from bot.league.seasons import announcement
from bot.league.standings import night_standings, season_standings
from bot.markup import CurvePicture, Link, Page, PublicScreen, StandingsPicture
from bot.pictures import draw
from bot.screens.display import adapt_to_display
from bot.screens.league.board import BoardFacts, night_board
from bot.screens.league.organising import people_page, person_run_page, reseat_page, tables_page
from bot.screens.league.pages import HubFacts, OwnLineFacts, RatingFacts, hub_page, nights_page, profile_page
from bot.screens.league.results import results_page, round_page, table_page
from bot.screens.league.settings import (
    GROUPS,
    every_page,
    format_lines,
    group_page,
    option_page,
    schedule_line,
    summary_page,
)
from bot.screens.parts import length
from bot.tables.table import Display
from tests.bot.league.evenings import (
    PLACE,
    START,
    checked_in,
    evening,
    league,
    played,
    replied,
    seated,
    whole_evening,
)

EN = words_for("en")
TELEGRAM, CAPTION, DISCORD, BUTTONS = 4096, 1024, 4000, 100
ONE, OTHER = ("m1", "m2", "m3", "m4"), ("m5", "m6", "m7", "m8")


def facts(held: League, night: Night, **more: object) -> BoardFacts:
    """A night's board, its season being this night alone."""
    result = result_of(night)
    return BoardFacts(
        league=held,
        night=night,
        standings=night_standings(result, night.format.ties),
        season=season_standings([result], held.format, 1),
        **more,  # type: ignore[arg-type]
    )


def board(held: League, *parts: list[NightEvent], words: Words = EN) -> PublicScreen:
    return night_board(facts(held, evening(held, *parts)), words)


def told(screen: PublicScreen | Page, words: Words = EN) -> list[str]:
    return plain(screen.text, words).split("\n")


def playing(held: League) -> list[list[NightEvent]]:
    """Two tables, the first of them over."""
    return [
        replied([*ONE, *OTHER]),
        checked_in([*ONE, *OTHER]),
        [CheckInClosed(playing=(*ONE, *OTHER))],
        seated(ONE, OTHER, byes=["m9"]),
        played(1, 1, ONE, (10, 4, -2, 0)),
    ]


def crowd(people: int) -> League:
    """A league of people with the longest names."""
    held = league()
    members = {f"m{n}": Member(id=f"m{n}", name=f"{'W' * 28} {n:03}") for n in range(1, people + 1)}
    return replace(held, members=members)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stage_of_a_night_has_its_words_in_every_language(language: str) -> None:
    words, held = words_for(language), league()
    stages = [playing(held)[:n] for n in range(6)]
    for parts in [*stages, [*playing(held), [RoundEnded(round=1)]], [*playing(held), [Ended()]]]:
        screen = board(held, *parts, words=words)
        assert plain(screen.text, words)
        assert all("".join(map(str, each.label)) for row in screen.buttons for each in row)


def test_the_announcement_says_when_what_and_who() -> None:
    held = league(cap=2)
    lines = told(board(held, replied(["m1", "m2", "m3"]), replied(["m4"], "maybe"), replied(["m5"], "no")))
    assert lines[0] == "🏆 Thursday League · night 1 of 8 (season 1)"
    assert lines[1] == "🗓 Thu, Mar 5, 2026, 20:00 (UTC+3)"
    assert lines[3] == "🎴 3 rounds of 30 minutes"
    assert lines[-4:] == [
        "✅ Coming (2): Ada, Can",
        "⏳ Waiting list (1): Eve",
        "❔ Maybe (1): Bob",
        "✖ Not coming: 1",
    ]


def test_a_rounds_tables_say_who_sits_there_and_how_it_stands() -> None:
    held = league()
    lines = told(board(held, *playing(held), [SeatFreed(round=1, table=2, seat=1)]))
    assert "✓ Table 1: Ada 10 · Can 4 · Eve −2 · Bob 0" in lines
    assert "▶ Table 2: Gül · 🤖 computer for Han · Ida · Jon" in lines
    assert "☕ A bye this round: Kim" in lines
    voided = told(board(held, *playing(held), [Voided(round=1, table=1)]))
    assert "✖ Table 1 (does not count): Ada · Can · Eve · Bob" in voided
    disputed = told(board(held, *playing(held), [Disputed(round=1, table=1, member="m2", words="no")]))
    assert "⚠ Table 1 (disputed): Ada 10 · Can 4 · Eve −2 · Bob 0" in disputed


def test_whoever_takes_a_seat_after_all_has_no_bye() -> None:
    held = league()
    lines = told(board(held, *playing(held), [SeatTaken(1, 2, 1, "m9", PLACE)]))
    assert "▶ Table 2: Gül · Kim · Ida · Jon" in lines
    assert not [line for line in lines if "bye" in line]


@pytest.mark.parametrize(
    ("seating", "leftover"), [("rotation", "Tables of three"), ("pairs", "Byes in turn")]
)
def test_partners_are_told_that_whoever_is_left_over_sits_out(seating: str, leftover: str) -> None:
    assert f"Leftover players: {leftover}" in "\n".join(
        plain(line, EN)
        for line in format_lines(Format(seating=seating), EN)  # type: ignore[arg-type]
    )


def test_while_a_night_is_played_its_players_are_no_longer_merely_coming() -> None:
    held = league()
    night = evening(held, *playing(held))

    def own(id: str) -> str:
        facts = HubFacts(league=held, next=night, member=held.members[id], organises=False)
        return plain(hub_page(facts, EN, turns=False).text, EN)

    assert "You are playing tonight." in own("m1")
    assert "You are coming." not in own("m1")


def test_no_board_offers_a_maybe_after_check_in() -> None:
    held = league()
    gathered = [replied(ONE), checked_in(ONE)]

    def offered(*parts: list[NightEvent]) -> set[str]:
        rows = board(held, *gathered, *parts).buttons
        return {each.press.partition(".")[0] for row in rows for each in row}

    assert {"night_yes", "night_no", "night_substitute", "night_maybe"} <= offered()
    closed = offered([CheckInClosed(playing=ONE)])
    assert {"night_yes", "night_no", "night_substitute"} <= closed
    assert "night_maybe" not in closed


def test_only_whose_seat_is_kept_may_be_late_once_half_of_the_rounds_have_begun() -> None:
    held = league(rounds=1)
    night = evening(
        held,
        replied(ONE),
        checked_in(ONE),
        [CheckInClosed(playing=ONE)],
        seated(ONE),
        [SeatFreed(1, 1, 0)],
    )

    def may_be_late(member: str) -> bool:
        page = hub_page(
            HubFacts(league=held, next=night, member=held.members[member], organises=False), EN, turns=True
        )
        return any("night_late" in each.press for row in page.buttons for each in row)

    assert may_be_late("m1")
    assert not may_be_late("m9")


def test_a_table_that_one_can_go_to_is_a_link() -> None:
    held = league()
    screen = night_board(facts(held, evening(held, *playing(held)), links={2: "https://t.me/c/1/2"}), EN)
    assert [part for part in screen.text if isinstance(part, Link)] == [Link("Table 2", "https://t.me/c/1/2")]


def test_the_last_nights_board_names_the_champion() -> None:
    crowned = "👑 Champion of season 1: Ada"
    held = league(nights=1)
    assert crowned in told(night_board(facts(held, whole_evening(held)), EN))
    held = league(nights=2)
    assert not [line for line in told(night_board(facts(held, whole_evening(held)), EN)) if "👑" in line]
    held = replace(
        held, seasons={1: Season(number=1, settings=held.format, champions=("m1",))}
    )  # no second night came
    assert crowned in told(night_board(facts(held, whole_evening(held)), EN))


def test_the_final_standing_is_a_picture_and_complete_in_words() -> None:
    held = league()
    screen = night_board(facts(held, whole_evening(held)), EN)
    assert isinstance(screen.picture, StandingsPicture)
    assert [(row.rank, row.name, row.points) for row in screen.picture.rows[:3]] == [
        ("1", "Ada", "3"),
        ("2", "Ida", "3"),
        ("3", "Can", "2"),
    ]
    in_words = adapt_to_display(screen, Display(words=True), EN)
    assert in_words.picture is None
    for name in ("Ada", "Can", "Eve", "Bob", "Gül", "Han", "Ida", "Jon"):
        assert name in plain(in_words.text, EN)
    assert draw(screen.picture) != draw(replace(screen.picture, contrast=True))


def test_the_last_post_of_a_season_has_its_podium_and_its_honours() -> None:
    held = league(nights=1)
    night = whole_evening(held)
    told_of = facts(held, night, honours=(Honour("wins", ("m1", "m7"), 1),))
    for language in LANGUAGES:
        screen = night_board(told_of, words_for(language))
        assert isinstance(screen.picture, StandingsPicture)
        assert screen.picture.podium
        assert "1" in screen.picture.title, "the season's picture"
        assert length(screen.text) <= CAPTION
        assert draw(screen.picture)
    text = plain(night_board(told_of, EN).text, EN)
    assert "👑 Champion of season 1: Ada" in text
    assert "🏅 Most tables won: Ada, Ida (1)" in text
    later = NightRef(id="abcde-202603122000", start=START + 7 * 86400.0, season=1)
    for going_on in (league(), replace(league(nights=1), nights=(later,))):
        another = night_board(replace(told_of, league=going_on, night=whole_evening(going_on)), EN)
        assert isinstance(another.picture, StandingsPicture)
        assert not another.picture.podium
        assert "Most tables won" not in plain(another.text, EN)


def test_what_counts_and_what_is_dropped_are_both_told() -> None:
    held = league(best_of=1)
    first = result_of(whole_evening(held))
    second = replace(
        first, id="abcde-202603122000", number=2, start=START + 7 * 86400.0, tables=first.tables[:1]
    )
    third = replace(second, id="abcde-202603192000", number=3, start=START + 14 * 86400.0)
    table = season_standings([first, second, third], held.format, 1)
    page = table_page(held, 1, table, EN, turns=False)
    assert "1. Ada: 3 points (1 night: 3; dropped: 3 · 3) · ⚖ sum of scores: 10" in told(page)
    assert isinstance(page.picture, StandingsPicture)
    assert page.picture.rows[0].detail == "1 night (+2)"
    assert page.picture.subtitle == "Best 1 of 8 nights · (+n): dropped"


def test_past_nights_are_numbered_as_their_boards_were_and_all_are_listed() -> None:
    """Of 40 nights of a season one was called off; the season before had two."""
    refs = [
        NightRef(id=f"abcde-2026{n:08}", start=START + n * 86400.0, season=1 + (n > 2), over=True)
        for n in range(1, 43)
    ]
    refs[9] = replace(refs[9], cancelled=True)
    held = replace(league(), nights=tuple(refs), season=2)
    seen: list[str] = []
    first = 0
    while True:
        page = nights_page(held, 2, first, EN, turns=False)
        assert sum(map(len, page.buttons)) <= 25
        buttons = [each for row in page.buttons for each in row]
        seen += ["".join(map(str, each.label)) for each in buttons if each.press.startswith("night_results.")]
        numbers = [line.split(".")[0] for line in told(page)[1:]]
        assert numbers == [str(each) for each in range(39 - first, max(0, 39 - first - 15), -1)]
        older = [each for row in page.buttons for each in row if "Older" in str(each.label)]
        if not older:
            break
        first = int(older[0].press.rsplit(".", 1)[1])
    assert sorted(seen) == sorted(f"📋 {number}" for number in range(1, 40))
    assert announcement(held, refs[-1], bytes(32)).number == 39, "as the board said it"
    before = nights_page(held, 1, 0, EN, turns=False)
    assert [line.split(".")[0] for line in told(before)[1:]] == ["2", "1"]


def test_a_picture_of_many_equals_is_no_higher_than_another() -> None:
    held = crowd(40)
    members = [f"m{n}" for n in range(1, 41)]
    tables = [members[at : at + 4] for at in range(0, 40, 4)]
    alike = [played(1, n, table, (9, 4, 0, -9)) for n, table in enumerate(tables, start=1)]
    parts = [replied(members), checked_in(members), [CheckInClosed(playing=tuple(members))]]
    night = evening(held, *parts, seated(*tables), *alike, [RoundEnded(round=1), Ended()])
    table = season_standings([result_of(night)], held.format, 1)
    picture = table_page(held, 1, table, EN, turns=False).picture
    assert isinstance(picture, StandingsPicture)
    assert [row.tie for row in picture.rows] == ["equal in everything"] * 13
    assert picture.more == "and 27 more"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("people", [8, 64, 300])
def test_a_board_fits_every_chat_however_many_come(language: str, people: int) -> None:
    words, held = words_for(language), crowd(people)
    members = [f"m{n}" for n in range(1, people + 1)]
    tables = [members[at : at + 4] for at in range(0, people, 4)]
    parts = [replied(members), checked_in(members), [CheckInClosed(playing=tuple(members))], seated(*tables)]
    results = [played(1, n, table, (-100, 20, 30, 9999)) for n, table in enumerate(tables, start=1)]
    nights = [
        parts[:1],
        parts[:2],
        parts[:3],
        parts,
        [*parts, *results],
        [*parts, *results, [RoundEnded(round=1)]],
    ]
    for night in nights:
        screen = board(held, *night, words=words)
        assert length(screen.text) < min(TELEGRAM, DISCORD)
    over = board(held, *nights[-1], [Ended()], words=words)
    assert length(over.text) <= CAPTION
    assert len(over.alt) <= 1000


def test_pages_of_three_hundred_people_fit() -> None:
    held = crowd(300)
    members = [f"m{n}" for n in range(1, 301)]
    tables = [members[at : at + 4] for at in range(0, 300, 4)]
    parts = [replied(members), checked_in(members), [CheckInClosed(playing=tuple(members))], seated(*tables)]
    night = evening(held, *parts, *[played(1, n, t, (4, 3, 2, 1)) for n, t in enumerate(tables, start=1)])
    result = result_of(night)
    standings = night_standings(result, night.format.ties)
    pages = [
        results_page(held, night, standings, {}, EN, turns=False),
        table_page(held, 1, season_standings([result], held.format, 1), EN, turns=False),
        person_run_page(held, night, "m300", EN),
    ]
    seen: list[str] = []
    first = 0
    while True:
        pages.append(page := round_page(held, night, 1, first, EN))
        seen += [line for line in told(page) if line.startswith("✓ Table ")]
        following = [each for row in page.buttons for each in row if "More tables" in str(each.label)]
        if not following:
            break
        first = int(following[0].press.rsplit(".", 1)[1])
    assert [line.split(":")[0] for line in seen] == [f"✓ Table {n}" for n in range(1, 76)]
    for page in pages:
        assert length(page.text) < min(TELEGRAM, DISCORD)
        assert sum(map(len, page.buttons)) <= BUTTONS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_is_named_explained_and_fits_a_button(language: str) -> None:
    words = words_for(language)
    draft = LeagueDraft(
        league="abcde", place="mem:hall", language=language, name="League", start="2026-03-05T20:00"
    )
    pages = [group_page(draft, group, words) for group in GROUPS]
    pages += [option_page(draft, option, words) for options in GROUPS.values() for option in options]
    pages += [summary_page(draft, league().schedule, words), every_page(draft, league().schedule, words)]
    for page in pages:
        for row in page.buttons:
            assert all(1 <= len("".join(map(str, each.label))) <= 80 for each in row)
        assert length(page.text) <= CAPTION


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("FREQ=WEEKLY;BYDAY=TH", "🗓 Every week on Thursday at 20:00 (Europe/Istanbul)"),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
            "🗓 Every 2 weeks on Tuesday, Thursday at 20:00 (Europe/Istanbul)",
        ),
        ("FREQ=MONTHLY;BYDAY=-1TH", "🗓 On the last Thursday of the month at 20:00 (Europe/Istanbul)"),
        ("", "🗓 Once: Thu, Mar 5, 2026 at 20:00 (Europe/Istanbul)"),
        ("FREQ=DAILY;COUNT=3", "🗓 By the rule FREQ=DAILY;COUNT=3 (Thursday) at 20:00 (Europe/Istanbul)"),
    ],
)
def test_how_often_a_league_meets_is_told_in_words(rule: str, line: str) -> None:
    assert plain(schedule_line(replace(league().schedule, rule=rule), EN), EN) == line


def test_a_profile_has_a_curve_that_is_told_in_words_too() -> None:
    held = league()
    curve = [RatedNight("a", START, 1500), RatedNight("b", START + 7 * 86400, 1580)]
    profile = profile_page(
        OwnLineFacts(
            league=held,
            member=replace(held.members["m1"], barred_until=START + 86400),
            standing=None,
            chips=-50,
            ratings=[RatingFacts(pool="free", tables=12, shown=1580, curve=curve)],
            play=None,
            now=START,
        ),
        EN,
        turns=False,
    )
    lines = told(profile)
    assert "📈 Rating: 1580 (12 tables)" in lines
    assert "💰 From this season’s pots: −50 chips" in lines
    assert any("Until Fri, Mar 6, 2026, 20:00 (UTC+3)" in line for line in lines)
    assert isinstance(profile.picture, CurvePicture)
    assert profile.alt == "Rating, night by night. From Mar 5, 2026 to Mar 12, 2026: 1500, 1580."
    assert draw(profile.picture)


def test_an_organisers_pages_lead_to_every_table_and_person() -> None:
    held = league()
    night = evening(held, *playing(held))
    tables = [each.press for row in tables_page(night, 0, EN).buttons for each in row]
    assert [f"night_table.{night.id}.0.1.{n}" for n in (1, 2)] == tables[:2]
    seats = reseat_page(held, night, "m5", 0, EN).buttons[0]
    assert ["".join(map(str, each.label)) for each in seats] == [
        "Table 2: Han",
        "Table 2: Ida",
        "Table 2: Jon",
    ]


def test_three_hundred_people_are_found_page_by_page() -> None:
    held = crowd(300)
    night = evening(held)
    members = [f"m{n}" for n in range(1, 301)]
    seen: list[str] = []
    first = 0
    while True:
        people, *others = people_page(held, night, members, first, EN).buttons
        seen += [each.press.rsplit(".", 1)[1] for each in people]
        following = [each for row in others for each in row if "More" in str(each.label)]
        if not following:
            break
        first = int(following[0].press.rsplit(".", 1)[1])
    assert seen == members


@pytest.mark.parametrize(
    ("language", "asked", "done"),
    [
        ("tr", "Yoklamayı şimdi kapat", "Yoklama kapandı"),
        ("en", "Close check-in now", "Check-in was closed"),
        ("de", "Den Check-in jetzt beenden", "Der Check-in wurde beendet"),
        ("ko", "지금 체크인을 마감합니다", "체크인을 마감했습니다"),
    ],
)
def test_what_is_done_is_told_as_done(language: str, asked: str, done: str) -> None:
    act, words = action_of("close", (), league()), words_for(language)
    assert plain(act.ask(words), words).startswith(asked)
    assert plain(act.confirm(words), words).startswith(done)
