"""Schedules: each expected moment is written down in UTC, from the calendar and the laws on clocks."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import Refused
from bot.league.model import Schedule
from bot.league.schedule import Occurrence, occurrences, read_schedule


def at(moment: str) -> float:
    """Seconds since the epoch of a moment in UTC: `2026-03-05 18:00`."""
    return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()


def in_utc(found: list[Occurrence]) -> list[str]:
    return [datetime.fromtimestamp(each.at, UTC).strftime("%Y-%m-%d %H:%M") for each in found]


NEW_YEAR = at("2026-01-01 00:00")


def coming(start: str, zone: str, rule: str, after: float = NEW_YEAR, limit: int = 5) -> list[str]:
    return in_utc(occurrences(Schedule(start=start, zone=zone, rule=rule), after, limit))


@pytest.mark.parametrize(
    ("start", "zone", "rule", "expected"),
    [
        pytest.param(
            "2026-03-12T20:00",
            "Europe/Berlin",
            "FREQ=WEEKLY;BYDAY=TH",
            [
                "2026-03-12 19:00",
                "2026-03-19 19:00",
                "2026-03-26 19:00",
                "2026-04-02 18:00",
                "2026-04-09 18:00",
            ],
            id="clocks put forward on 29 March",
        ),
        pytest.param(
            "2026-10-20T19:30",
            "America/New_York",
            "FREQ=WEEKLY",
            [
                "2026-10-20 23:30",
                "2026-10-27 23:30",
                "2026-11-04 00:30",
                "2026-11-11 00:30",
                "2026-11-18 00:30",
            ],
            id="clocks put back on 1 November",
        ),
        pytest.param(
            "2026-03-26T20:00",
            "Australia/Lord_Howe",
            "FREQ=WEEKLY",
            [
                "2026-03-26 09:00",
                "2026-04-02 09:00",
                "2026-04-09 09:30",
                "2026-04-16 09:30",
                "2026-04-23 09:30",
            ],
            id="clocks put back by half an hour",
        ),
        pytest.param(
            "2026-03-05T20:00",
            "Europe/Istanbul",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH",
            [
                "2026-03-05 17:00",
                "2026-03-19 17:00",
                "2026-04-02 17:00",
                "2026-04-16 17:00",
                "2026-04-30 17:00",
            ],
            id="every other week",
        ),
        pytest.param(
            "2026-03-05T20:00",
            "Europe/Istanbul",
            "FREQ=WEEKLY;COUNT=3",
            ["2026-03-05 17:00", "2026-03-12 17:00", "2026-03-19 17:00"],
            id="COUNT",
        ),
        pytest.param(
            "2026-03-19T20:00",
            "Europe/Berlin",
            "FREQ=WEEKLY;UNTIL=20260402T180000Z",
            ["2026-03-19 19:00", "2026-03-26 19:00", "2026-04-02 18:00"],
            id="UNTIL, the last moment counted",
        ),
        pytest.param(
            "2026-03-19T20:00",
            "Europe/Berlin",
            "FREQ=WEEKLY;UNTIL=20260402T175959Z",
            ["2026-03-19 19:00", "2026-03-26 19:00"],
            id="UNTIL, a second too early",
        ),
        pytest.param(
            "2026-03-31T20:00",
            "Europe/Istanbul",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            [
                "2026-03-31 17:00",
                "2026-04-30 17:00",
                "2026-05-29 17:00",
                "2026-06-30 17:00",
                "2026-07-31 17:00",
            ],
            id="BYSETPOS, the month's last working day",
        ),
        pytest.param(
            "2026-03-03T20:00",
            "Asia/Seoul",
            "FREQ=MONTHLY;BYDAY=TU,TH;BYSETPOS=1,3",
            [
                "2026-03-03 11:00",
                "2026-03-10 11:00",
                "2026-04-02 11:00",
                "2026-04-09 11:00",
                "2026-05-05 11:00",
            ],
            id="BYSETPOS, two places",
        ),
        pytest.param(
            "2026-03-03T20:00",
            "UTC",
            "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=2;COUNT=2",
            ["2026-03-03 20:00", "2026-03-10 20:00"],
            id="BYSETPOS, in a week that began before the first night",
        ),
        pytest.param(
            "2026-03-22T02:30",
            "Europe/Berlin",
            "FREQ=WEEKLY",
            [
                "2026-03-22 01:30",
                "2026-03-29 01:30",
                "2026-04-05 00:30",
                "2026-04-12 00:30",
                "2026-04-19 00:30",
            ],
            id="a night inside the hour that is skipped: at 03:30",
        ),
        pytest.param(
            "2026-10-18T02:30",
            "Europe/Berlin",
            "FREQ=WEEKLY",
            [
                "2026-10-18 00:30",
                "2026-10-25 00:30",
                "2026-11-01 01:30",
                "2026-11-08 01:30",
                "2026-11-15 01:30",
            ],
            id="a night inside the hour that comes twice: the first",
        ),
        pytest.param(
            "2026-03-01T08:00",
            "Pacific/Kiritimati",
            "FREQ=MONTHLY;BYMONTHDAY=1",
            [
                "2026-02-28 18:00",
                "2026-03-31 18:00",
                "2026-04-30 18:00",
                "2026-05-31 18:00",
                "2026-06-30 18:00",
            ],
            id="14 hours ahead",
        ),
        pytest.param(
            "2026-03-31T20:00",
            "Pacific/Pago_Pago",
            "FREQ=MONTHLY;BYMONTHDAY=-1",
            [
                "2026-04-01 07:00",
                "2026-05-01 07:00",
                "2026-06-01 07:00",
                "2026-07-01 07:00",
                "2026-08-01 07:00",
            ],
            id="11 hours behind",
        ),
        pytest.param("2026-03-05T20:00", "Asia/Kathmandu", "", ["2026-03-05 14:15"], id="once"),
        pytest.param(
            "2028-02-29T20:00",
            "UTC",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
            [
                "2028-02-29 20:00",
                "2032-02-29 20:00",
                "2036-02-29 20:00",
                "2040-02-29 20:00",
                "2044-02-29 20:00",
            ],
            id="leap days",
        ),
    ],
)
def test_the_next_nights(start: str, zone: str, rule: str, expected: list[str]) -> None:
    assert coming(start, zone, rule) == expected


def test_only_what_is_still_to_come_and_no_more_than_asked_for() -> None:
    weekly = ("2026-03-05T20:00", "Europe/Istanbul", "FREQ=WEEKLY")
    assert coming(*weekly, after=at("2026-03-12 16:59"), limit=1) == ["2026-03-12 17:00"]
    assert coming(*weekly, after=at("2026-03-12 17:00"), limit=1) == ["2026-03-19 17:00"]
    assert coming("2026-03-05T20:00", "UTC", "FREQ=DAILY;COUNT=2", after=at("2026-03-06 20:00")) == []


THURSDAYS = Schedule(
    start="2026-03-05T20:00",
    zone="Europe/Istanbul",
    rule="FREQ=WEEKLY;BYDAY=TH;COUNT=5",
    skipped=("2026-03-12T20:00",),
    moved={"2026-03-19T20:00": "2026-03-27T19:00", "2026-04-02T20:00": "2026-03-31T21:00"},
)


def test_skipped_nights_are_left_out_and_moved_ones_stand_where_they_are_held() -> None:
    assert occurrences(THURSDAYS, NEW_YEAR, 9) == [
        Occurrence("2026-03-05T20:00", at("2026-03-05 17:00")),
        Occurrence("2026-03-26T20:00", at("2026-03-26 17:00")),
        Occurrence("2026-03-19T20:00", at("2026-03-27 16:00")),
        Occurrence("2026-04-02T20:00", at("2026-03-31 18:00")),
    ]
    assert [each.original for each in occurrences(THURSDAYS, at("2026-03-27 15:00"), 1)] == [
        "2026-03-19T20:00"
    ]
    assert [each.original for each in occurrences(THURSDAYS, at("2026-03-27 16:00"), 9)] == [
        "2026-04-02T20:00"
    ]


def test_a_night_that_is_moved_into_the_skipped_hour_is_held_as_much_later() -> None:
    moved = Schedule(
        start="2026-03-26T20:00",
        zone="Europe/Berlin",
        moved={"2026-03-26T20:00": "2026-03-29T02:15"},
    )
    assert occurrences(moved, NEW_YEAR, 5) == [Occurrence("2026-03-26T20:00", at("2026-03-29 01:15"))]


def test_what_the_rule_no_longer_gives_is_not_held_because_it_was_once_moved() -> None:
    stale = Schedule(
        start="2026-03-05T20:00",
        zone="UTC",
        rule="FREQ=WEEKLY;COUNT=1",
        moved={"2026-03-06T20:00": "2026-03-08T20:00"},
        skipped=("2026-03-07T20:00",),
    )
    assert in_utc(occurrences(stale, NEW_YEAR, 5)) == ["2026-03-05 20:00"]


NUMBERS = st.integers(1, 31).map(str)
DAYS = st.sampled_from(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
ANYWHERE = {
    "INTERVAL": st.integers(1, 40),
    "BYDAY": st.lists(DAYS, min_size=1, max_size=3).map(",".join),
    "BYMONTH": st.integers(1, 12),
    "COUNT": st.integers(1, 9),
    "WKST": DAYS,
}
OF_MONTHS = {"BYMONTHDAY": NUMBERS}
OF_YEARS = {"BYYEARDAY": st.integers(1, 366), "BYWEEKNO": st.integers(1, 53)}
PARTS = {
    "DAILY": ANYWHERE | OF_MONTHS,
    "WEEKLY": ANYWHERE,
    "MONTHLY": ANYWHERE | OF_MONTHS,
    "YEARLY": ANYWHERE | OF_MONTHS | OF_YEARS,
}
"""By frequency, what RFC 5545 lets a rule have."""


def rules_of(freq: str) -> st.SearchStrategy[str]:
    parts = st.fixed_dictionaries({}, optional=PARTS[freq])
    positions = st.none() | st.integers(-4, 4).filter(bool)

    def written(parts: dict[str, object], position: int | None) -> str:
        if position is not None and any(name.startswith("BY") for name in parts):
            parts = parts | {"BYSETPOS": position}
        return ";".join([f"FREQ={freq}", *(f"{name}={value}" for name, value in parts.items())])

    return st.builds(written, parts, positions)


RULES = st.sampled_from(sorted(PARTS)).flatmap(rules_of)
ZONES = st.sampled_from(["Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York"])


def read(rule: str, zone: str) -> Schedule | None:
    """The schedule, or None when the rule never comes; it is refused for no other reason."""
    try:
        return read_schedule("2026-03-08 20:00", zone, rule, NEW_YEAR)
    except Refused as refused:
        if refused.code != "never_comes":
            raise
        return None


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(RULES, ZONES, st.integers(0, 4))
def test_every_rule_has_nights_in_order_or_never_comes(rule: str, zone: str, known: int) -> None:
    schedule = read(rule, zone)
    if schedule is None:
        return
    nights = occurrences(schedule, NEW_YEAR, 5)
    assert nights[0].original == schedule.start
    assert [each.at for each in nights] == sorted({each.at for each in nights})
    assert all(each.original.endswith("T20:00") for each in nights)
    after = nights[known % len(nights)].at
    later = [each for each in nights if each.at > after]
    assert occurrences(schedule, after, 5)[: len(later)] == later
