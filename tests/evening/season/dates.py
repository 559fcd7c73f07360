"""Thursdays at eight in the evening, Central European Time, over the change to summer time.

Worked out by hand from the European Union's rule (clocks go forward at 01:00 UTC on the last Sunday of
March), so that no library is asked what is to be checked.
"""

from datetime import UTC, date, datetime, timedelta

ZONE = "Europe/Berlin"
HOUR = 20

MINUTE = 60.0
DAY = 24 * 60 * MINUTE


def thursdays(year: int, before: int, after: int) -> list[date]:
    """This many Thursdays before the change of a year's spring, and this many after it."""
    last = change(year) - timedelta(days=3)
    return [last + timedelta(weeks=week) for week in range(1 - before, after + 1)]


def change(year: int) -> date:
    """The last Sunday of March."""
    end = date(year, 3, 31)
    return end - timedelta(days=(end.weekday() + 1) % 7)


def moment(day: date, hour: int = HOUR) -> float:
    """An hour of a day in Berlin's local time, in seconds since the epoch."""
    ahead = 2 if day >= change(day.year) else 1
    return datetime(day.year, day.month, day.day, hour - ahead, tzinfo=UTC).timestamp()


def coming_year() -> int:
    """A year whose nights are all ahead: no platform accepts an event in the past."""
    return datetime.now(UTC).year + 1
