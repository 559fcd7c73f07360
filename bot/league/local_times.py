"""Days and hours as the clocks of a zone show them: `2026-03-05T20:00`, to the minute and without a zone."""

import re
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.tables.changes import Refused

_DAYS: Final = (
    r"(?P<year>2\d{3})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
    r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>2\d{3})",
)
_TYPED: Final = tuple(
    re.compile(day + r"\s*[ T,]\s*(?P<hour>\d{1,2})[:.](?P<minute>\d{2})", re.ASCII) for day in _DAYS
)


def read_local(text: str) -> str:
    """The time that somebody typed: `2026-03-05 20:00`, `5.3.2026 20:00`, `5.3.2026, 20.00`.

    Raises Refused `bad_start` when it is none, or no such day is in the calendar.
    """
    for typed in _TYPED:
        if found := typed.fullmatch(text.strip()):
            year, month, day, hour, minute = map(int, found.group("year", "month", "day", "hour", "minute"))
            try:
                return written(datetime(year, month, day, hour, minute))
            except ValueError:
                break
    raise Refused("bad_start", start=text[:32])


def written(local: datetime) -> str:
    """A local time as it is stored."""
    return local.strftime("%Y-%m-%dT%H:%M")


def localised(local: str, zone: str) -> datetime:
    """A stored local time with its zone."""
    return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))


def instant(local: str, zone: str) -> float:
    """When that is, in seconds since the epoch.

    Of an hour that clocks show twice the first is meant; a time that they skip is as long after midnight as
    if they had not been put forward: 02:30 is then 03:30 (RFC 5545, 3.3.5).
    """
    return localised(local, zone).timestamp()


def in_utc(local: datetime) -> datetime:
    """The same moment by UTC's clock."""
    return datetime.fromtimestamp(local.timestamp(), UTC)
