"""Schedules as organisers type them: understood, or refused with what is wrong."""

from datetime import UTC, datetime

import pytest

from bot.errors import Refused
from bot.handlers.league.founding import read_settings
from bot.league.local_time import read_local, read_start, read_zone
from bot.league.schedule import occurrences, read_schedule

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC).timestamp()


def refusal(start: str = "2026-03-05 20:00", zone: str = "Europe/Istanbul", every: str = "weekly") -> Refused:
    with pytest.raises(Refused) as caught:
        read_schedule(start, zone, every, NEW_YEAR)
    return caught.value


@pytest.mark.parametrize(
    ("typed", "local"),
    [
        ("2026-03-05 20:00", "2026-03-05T20:00"),
        ("2026-03-05T20:00", "2026-03-05T20:00"),
        (" 5.3.2026 20:00 ", "2026-03-05T20:00"),
        ("05.03.2026, 20.00", "2026-03-05T20:00"),
        ("2026.3.5 9:05", "2026-03-05T09:05"),
        ("2026/3/5 00:00", "2026-03-05T00:00"),
    ],
)
def test_first_nights_as_people_type_them(typed: str, local: str) -> None:
    assert read_local(typed) == local


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "thursday",
        "2026-03-05",
        "20:00",
        "2026-02-29 20:00",
        "31.4.2026 20:00",
        "2026-03-05 24:00",
        "2026-03-05 20:60",
        "3/5/2026 20:00",
        "1026-03-05 20:00",
        "٢٠٢٦-03-05 20:00",
        "2026-03-05 20:00Z",
    ],
)
def test_what_is_no_date_with_a_time_is_refused(typed: str) -> None:
    assert (refusal(start=typed).code, refusal(start=typed).values) == ("bad_start", {"start": typed})


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Istanbul", "Europe/Istanbul"),
        ("europe/istanbul", "Europe/Istanbul"),
        ("İSTANBUL", "Europe/Istanbul"),
        (" new york", "America/New_York"),
        ("America/New York", "America/New_York"),
        ("pacific/kiritimati", "Pacific/Kiritimati"),
        ("utc", "UTC"),
    ],
)
def test_zones_as_people_type_them(typed: str, zone: str) -> None:
    assert read_zone(typed) == zone


@pytest.mark.parametrize(
    ("typed", "like"),
    [
        ("Europe/Istambul", "Europe/Istanbul"),
        ("Berlln", "Europe/Berlin"),
        ("Asia/Soul", "Asia/Seoul"),
        ("Mars/Olympus_Mons", "Europe/Istanbul"),
        ("", "Europe/Istanbul"),
    ],
)
def test_a_zone_that_does_not_exist_is_refused_with_one_that_does(typed: str, like: str) -> None:
    assert (refusal(zone=typed).code, refusal(zone=typed).values) == (
        "unknown_zone",
        {"zone": typed, "like": like},
    )


def test_a_zone_is_no_path() -> None:
    assert refusal(zone="../../etc/passwd").code == "unknown_zone"
    assert len(refusal(zone="x" * 5000).values["zone"]) == 64


@pytest.mark.parametrize(
    ("start", "zone"),
    [("2025-12-31 23:59", "UTC"), ("2026-01-01 00:00", "UTC"), ("1.1.2026 13:59", "kiritimati")],
)
def test_a_start_in_the_past_is_refused(start: str, zone: str) -> None:
    assert refusal(start=start, zone=zone).code == "past_start"


def test_the_past_is_another_one_in_each_zone() -> None:
    assert read_schedule("1.1.2026 14:01", "kiritimati", "once", NEW_YEAR).start == "2026-01-01T14:01"
    assert read_schedule("31.12.2025 13:01", "pago pago", "once", NEW_YEAR).start == "2025-12-31T13:01"


@pytest.mark.parametrize(
    "every",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=4,6,9,11;BYMONTHDAY=31",
        "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
        "FREQ=MONTHLY;BYDAY=6TH",
        "FREQ=MONTHLY;BYDAY=TH;BYSETPOS=6",
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=YEARLY;INTERVAL=100;BYMONTH=1",
        "FREQ=WEEKLY;UNTIL=20260304",
        "FREQ=WEEKLY;UNTIL=20260305T195959",
        "FREQ=WEEKLY;UNTIL=20260305T165959Z",
        "FREQ=MONTHLY;BYMONTHDAY=4;UNTIL=20260403",
    ],
)
def test_a_recurrence_that_never_comes_is_refused(every: str) -> None:
    assert (refusal(every=every).code, refusal(every=every).values) == ("never_comes", {"every": every})


@pytest.mark.parametrize(
    "every",
    [
        "FREQ=HOURLY",
        "FREQ=MINUTELY;INTERVAL=30",
        "FREQ=SECONDLY;COUNT=2",
        "freq=daily; byhour=18,20",
        "FREQ=DAILY;BYMINUTE=0,30",
        "FREQ=WEEKLY;BYSECOND=1",
    ],
)
def test_more_than_one_night_a_day_is_refused(every: str) -> None:
    assert refusal(every=every).code == "too_often"


@pytest.mark.parametrize(
    "every",
    [
        "",
        "now and then",
        "=",
        "FREQ=",
        "FREQ=YEARS",
        "COUNT=3",
        "FREQ=WEEKLY;COUNT=0",
        "FREQ=WEEKLY;INTERVAL=0",
        "FREQ=WEEKLY;INTERVAL=-1",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYDAY=1TH",
        "FREQ=WEEKLY;BYDAY=",
        "FREQ=WEEKLY;COUNT=3;UNTIL=20270101",
        "FREQ=WEEKLY;FREQ=DAILY",
        "FREQ=WEEKLY;UNTIL=20261341",
        "FREQ=WEEKLY;UNTIL=tomorrow",
        "FREQ=WEEKLY;BYEASTER=1",
        "FREQ=WEEKLY;X=1",
        "FREQ=WEEKLY;;COUNT=3",
        "FREQ=YEARLY;BYMONTH=13",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=MONTHLY;BYSETPOS=367",
        "FREQ=MONTHLY;BYSETPOS=1",
        "FREQ=WEEKLY;BYWEEKNO=1;BYSETPOS=2",
        "FREQ=MONTHLY;BYYEARDAY=100",
        "FREQ=WEEKLY;BYMONTHDAY=13",
        "FREQ=WEEKLY=1",
        "DTSTART:20260101T000000\nRRULE:FREQ=WEEKLY",
        "FREQ=WEEKLY\nEXDATE:20260101",
        "FREQ=DAILY;INTERVAL=" + "9" * 400,
    ],
)
def test_what_is_no_recurrence_is_refused(every: str) -> None:
    assert (refusal(every=every).code, refusal(every=every).values) == (
        "bad_recurrence",
        {"every": every[:64]},
    )


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("rrule:freq=weekly; byday=th ;", "FREQ=WEEKLY;BYDAY=TH"),
        ("FREQ=WEEKLY;UNTIL=20260402T200000", "FREQ=WEEKLY;UNTIL=20260402T180000Z"),
        ("FREQ=WEEKLY;UNTIL=20260326T200000", "FREQ=WEEKLY;UNTIL=20260326T190000Z"),
        ("FREQ=WEEKLY;UNTIL=20260402", "FREQ=WEEKLY;UNTIL=20260402T215959Z"),
        ("FREQ=WEEKLY;UNTIL=20260402T180000Z", "FREQ=WEEKLY;UNTIL=20260402T180000Z"),
    ],
)
def test_an_end_typed_without_a_zone_is_meant_in_the_leagues(typed: str, stored: str) -> None:
    assert read_schedule("2026-03-05 20:00", "Europe/Berlin", typed, NEW_YEAR).rule == stored


def test_an_end_at_the_very_first_night_leaves_that_night() -> None:
    once = read_schedule("2026-03-05 20:00", "UTC", "FREQ=WEEKLY;UNTIL=20260305T200000Z", NEW_YEAR)
    assert [each.original for each in occurrences(once, NEW_YEAR, 9)] == ["2026-03-05T20:00"]


def test_a_season_begins_with_the_first_day_that_the_recurrence_has() -> None:
    friday = read_schedule("6.3.2026 20:00", "Europe/Berlin", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", NEW_YEAR)
    assert friday.start == "2026-03-19T20:00"
    assert [each.original for each in occurrences(friday, NEW_YEAR, 2)] == [
        "2026-03-19T20:00",
        "2026-04-02T20:00",
    ]


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("once", ""),
        ("bir kez", ""),
        ("weekly", "FREQ=WEEKLY;BYDAY=TH"),
        ("Her Hafta", "FREQ=WEEKLY;BYDAY=TH"),
        ("HAFTALIK", "FREQ=WEEKLY;BYDAY=TH"),
        ("wöchentlich", "FREQ=WEEKLY;BYDAY=TH"),
        ("매주", "FREQ=WEEKLY;BYDAY=TH"),
        ("every two weeks", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"),
        ("iki haftada bir", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"),
        ("iki haftada bir salı", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("alle zwei Wochen dienstags", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("격주 화요일", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("pazartesi ve cuma", "FREQ=WEEKLY;BYDAY=MO,FR"),
        ("cumartesi", "FREQ=WEEKLY;BYDAY=SA"),
        ("every sunday", "FREQ=WEEKLY;BYDAY=SU"),
        ("monthly", "FREQ=MONTHLY;BYDAY=1TH"),
        ("monthly first thursday", "FREQ=MONTHLY;BYDAY=1TH"),
        ("second and fourth Tuesday", "FREQ=MONTHLY;BYDAY=2TU,4TU"),
        ("her ayın ilk perşembesi", "FREQ=MONTHLY;BYDAY=1TH"),
        ("her ayin ucuncu persembesi", "FREQ=MONTHLY;BYDAY=3TH"),
        ("son pazar", "FREQ=MONTHLY;BYDAY=-1SU"),
        ("jeden letzten Sonntag", "FREQ=MONTHLY;BYDAY=-1SU"),
        ("erster Donnerstag im Monat", "FREQ=MONTHLY;BYDAY=1TH"),
        ("매월 첫째 목요일", "FREQ=MONTHLY;BYDAY=1TH"),
        ("매월 마지막 금요일", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("매달 두 번째 화요일", "FREQ=MONTHLY;BYDAY=2TU"),
        ("ayın 3. cuması", "FREQ=MONTHLY;BYDAY=3FR"),
        ("jeden 2. Dienstag", "FREQ=MONTHLY;BYDAY=2TU"),
        ("monthly on tuesday", "FREQ=MONTHLY;BYDAY=1TU"),
        ("her ay salı ve perşembe", "FREQ=MONTHLY;BYDAY=1TU,1TH"),
    ],
)
def test_recurrences_as_people_say_them(typed: str, rule: str) -> None:
    assert read_schedule("2026-03-05 20:00", "Europe/Istanbul", typed, NEW_YEAR).rule == rule


def test_monthly_from_a_fifth_thursday_on_is_every_last_one() -> None:
    assert read_schedule("29.1.2026 20:00", "UTC", "her ay", NEW_YEAR).rule == "FREQ=MONTHLY;BYDAY=-1TH"


@pytest.mark.parametrize(
    "line",
    [
        "ad=Gece saat-dilimi=istanbul turlar=3 sınır=16",
        "name=Gece zeitzone=istanbul runden=3 grenze=16",
        "이름=Gece 시간대=istanbul 라운드=3 정원=16",
    ],
)
def test_a_leagues_settings_can_be_named_in_each_language(line: str) -> None:
    assert read_settings(line) == read_settings("name=Gece zone=istanbul rounds=3 cap=16")


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("tomorrow 20:00", 6),
        ("yarın 20:00", 6),
        ("Morgen 20.00", 6),
        ("내일 20:00", 6),
        ("today 20:00", 5),
        ("bu akşam 20:00", 5),
        ("heute Abend, 20:00", 5),
        ("오늘 20:00", 5),
    ],
)
def test_today_and_tomorrow_are_understood_in_each_language(typed: str, day: int) -> None:
    thursday = datetime(2026, 3, 5, 21, 30, tzinfo=UTC).timestamp()
    assert read_start(typed, "Atlantic/Azores", thursday) == f"2026-03-0{day}T20:00"
    far = datetime(2026, 4, 1, tzinfo=UTC).timestamp()
    assert read_start(typed, "Atlantic/Azores", far, thursday) == f"2026-03-0{day}T20:00"
