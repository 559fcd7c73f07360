"""The iCalendar file, read as RFC 5545 says: unfolded, unescaped, one property a line."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.league.calendar import COMING, calendar, with_calendar
from bot.league.model import Format, League, NightRef, Schedule


def at(moment: str) -> float:
    return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()


NOW = at("2026-03-01 12:00")
LEAGUE = League(
    id="ab3cd",
    name="Okey",
    community="tg:-1",
    places=("tg:-1",),
    language="tr",
    schedule=Schedule(start="2026-03-19T20:00", zone="Europe/Berlin", rule="FREQ=WEEKLY;COUNT=3"),
    format=Format(rounds=3, round_minutes=30, grace_minutes=10, break_minutes=2),
)


def properties(text: str) -> list[tuple[str, str]]:
    """Names and values of the lines, read by hand, as whoever does not trust the library that wrote them."""
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return [(line.split(":", 1)[0], line.split(":", 1)[1]) for line in unfolded(text)]


def unfolded(text: str) -> list[str]:
    return text.replace("\r\n ", "").removesuffix("\r\n").split("\r\n")


def unescaped(value: str) -> str:
    out, rest = "", value
    while rest:
        if rest[0] == "\\":
            out, rest = out + {"n": "\n"}.get(rest[1], rest[1]), rest[2:]
        else:
            out, rest = out + rest[0], rest[1:]
    return out


def events(league: League, now: float = NOW) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for name, value in properties(calendar(league, now)):
        if (name, value) == ("BEGIN", "VEVENT"):
            found.append({})
        if found:
            found[-1][name] = value
    return found


def starts(league: League, now: float = NOW) -> list[tuple[str, str]]:
    return [(each["DTSTART"], each["STATUS"]) for each in events(league, now)]


def test_the_file_depends_on_nothing_but_its_league() -> None:
    """Whoever looks again after a day, and whoever asks another process, finds the same bytes."""
    noted = with_calendar(LEAGUE, NOW)
    assert calendar(noted, NOW + 30 * 3600) == calendar(noted, NOW)
    assert with_calendar(noted, NOW + 30 * 3600) is noted


def test_a_file_of_one_night() -> None:
    league = replace(LEAGUE, schedule=replace(LEAGUE.schedule, rule="FREQ=WEEKLY;COUNT=1"))
    noted = with_calendar(league, NOW)
    page = "https://okey.example/league/ab3cd"
    assert unfolded(calendar(noted, NOW + 99, page, "Every week, 20:00\nOkey")) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Okey for chat//League nights//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "LAST-MODIFIED:20260301T120000Z",
        "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
        "X-PUBLISHED-TTL:PT6H",
        "NAME:Okey",
        "X-WR-CALNAME:Okey",
        "DESCRIPTION:Every week\\, 20:00\\nOkey",
        "X-WR-CALDESC:Every week\\, 20:00\\nOkey",
        "X-WR-TIMEZONE:Europe/Berlin",
        f"URL:{page}",
        "BEGIN:VEVENT",
        "UID:ab3cd-202603192000@okey-league",
        "DTSTAMP:20260301T120000Z",
        "LAST-MODIFIED:20260301T120000Z",
        "SEQUENCE:0",
        "DTSTART:20260319T190000Z",
        "DURATION:PT2H4M",
        "SUMMARY:Okey",
        "DESCRIPTION:Every week\\, 20:00\\nOkey",
        "STATUS:CONFIRMED",
        f"URL:{page}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]


def editions(league: League) -> list[tuple[int, str]]:
    return [(int(each["SEQUENCE"]), each["DTSTAMP"]) for each in events(league)]


def test_a_night_that_changes_is_one_more_edition_and_the_others_are_not() -> None:
    first, later, last = "20260301T120000Z", "20260301T130000Z", "20260301T140000Z"
    noted = with_calendar(LEAGUE, NOW)
    assert editions(noted) == [(0, first)] * 3
    moved = replace(noted.schedule, moved={"2026-03-26T20:00": "2026-03-27T21:00"})
    changed = with_calendar(replace(noted, schedule=moved), NOW + 3600)
    assert editions(changed) == [(0, first), (1, later), (0, first)]
    skipped = replace(moved, skipped=("2026-03-26T20:00",))
    again = with_calendar(replace(changed, schedule=skipped), NOW + 7200)
    assert sorted(editions(again)) == [(0, first), (0, first), (2, last)]
    assert all(each["LAST-MODIFIED"] == each["DTSTAMP"] for each in events(again))


def test_a_new_name_is_an_edition_of_every_night_to_come_and_of_none_that_was_held() -> None:
    held = NightRef(id="ab3cd-202603192000", start=at("2026-03-19 19:00"), season=1, over=True)
    noted = with_calendar(replace(LEAGUE, nights=(held,)), NOW)
    renamed = with_calendar(replace(noted, name="New"), NOW + 3600)
    assert [sequence for sequence, _ in editions(renamed)] == [0, 1, 1]
    called_off = replace(renamed, nights=(replace(held, cancelled=True),))
    assert [sequence for sequence, _ in editions(with_calendar(called_off, NOW + 7200))] == [1, 1, 1]


def test_what_nobody_has_noted_yet_is_the_next_edition_already() -> None:
    noted = with_calendar(LEAGUE, NOW)
    assert [sequence for sequence, _ in editions(replace(noted, name="New"))] == [1, 1, 1]


def test_nights_stand_in_utc_over_the_clock_change() -> None:
    assert [start for start, _ in starts(LEAGUE)] == [
        "20260319T190000Z",
        "20260326T190000Z",
        "20260402T180000Z",
    ]


def test_skipped_and_moved_nights_keep_their_uid() -> None:
    schedule = replace(
        LEAGUE.schedule,
        skipped=("2026-03-19T20:00",),
        moved={"2026-03-26T20:00": "2026-04-03T21:00"},
    )
    before = {each["UID"] for each in events(LEAGUE)}
    changed = replace(LEAGUE, schedule=schedule)
    assert {each["UID"] for each in events(changed)} == before
    assert starts(changed) == [
        ("20260319T190000Z", "CANCELLED"),
        ("20260402T180000Z", "CONFIRMED"),
        ("20260403T190000Z", "CONFIRMED"),
    ]


def test_nights_that_were_held_and_the_announced_one_stand_once() -> None:
    refs = (
        NightRef(id="ab3cd-202603192000", start=at("2026-03-19 19:30"), season=1, over=True),
        NightRef(id="ab3cd-202603262000", start=at("2026-03-26 19:00"), season=1, over=True, cancelled=True),
        NightRef(id="ab3cd-202604022000", start=at("2026-04-02 18:00"), season=1),
    )
    league = replace(LEAGUE, nights=refs)
    expected = [
        ("20260319T193000Z", "CONFIRMED"),
        ("20260326T190000Z", "CANCELLED"),
        ("20260402T180000Z", "CONFIRMED"),
    ]
    assert starts(league) == expected
    assert starts(league, at("2026-04-02 18:30")) == expected
    assert len({each["UID"] for each in events(league)}) == 3


def test_an_announced_night_stands_where_it_has_been_moved_to_also_while_it_is_played() -> None:
    ref = NightRef(id="ab3cd-202603192000", start=at("2026-03-19 19:00"), season=1)
    moved = replace(LEAGUE.schedule, rule="", moved={"2026-03-19T20:00": "2026-03-18T20:00"})
    league = replace(LEAGUE, nights=(ref,), schedule=moved)
    for now in (NOW, at("2026-03-18 19:30")):
        assert starts(league, now) == [("20260318T190000Z", "CONFIRMED")]
    called_off = replace(league, schedule=replace(LEAGUE.schedule, rule="", skipped=("2026-03-19T20:00",)))
    assert starts(called_off) == [("20260319T190000Z", "CANCELLED")]


def test_a_league_that_has_ended_meets_no_more() -> None:
    assert starts(replace(LEAGUE, ended=True)) == []


def test_no_more_than_half_a_year_of_weeks() -> None:
    endless = replace(LEAGUE.schedule, rule="FREQ=WEEKLY")
    assert len(starts(replace(LEAGUE, schedule=endless))) == COMING == 26


@pytest.mark.parametrize(
    ("name", "written"),
    [("Sal\\ı, gece; ilk", "Sal\\\\ı\\, gece\\; ilk"), ("a\nb\r\nEND:VEVENT", "a\\nb\\nEND:VEVENT")],
)
def test_text_is_escaped(name: str, written: str) -> None:
    assert all(each["SUMMARY"] == written for each in events(replace(LEAGUE, name=name)))


@pytest.mark.parametrize("length", range(60, 80))
def test_a_line_is_full_before_it_is_folded(length: int) -> None:
    lines = calendar(replace(LEAGUE, name="x" * length), NOW).split("\r\n")
    index = next(index for index, line in enumerate(lines) if line.startswith("SUMMARY:"))
    # "SUMMARY:" has 8 of at most 75 octets; icalendar folds one before that.
    assert lines[index : index + 2] == (
        ["SUMMARY:" + "x" * length, "STATUS:CONFIRMED"]
        if length <= 66
        else ["SUMMARY:" + "x" * 66, " " + "x" * (length - 66)]
    )


@example("ş" * 200)
@example("x" * 66 + "한" * 60)
@given(
    st.text(
        # No league's name has a byte order mark (`clean_name`); the library takes a first one for no letter.
        st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff"),
        max_size=200,
    )
)
def test_any_name_can_be_read_back_and_no_line_is_longer_than_75_octets(name: str) -> None:
    assert all(unescaped(each["SUMMARY"]) == name for each in events(replace(LEAGUE, name=name)))
