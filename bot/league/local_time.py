"""Local time: zones by name, and moments in them."""

import re
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from bot.errors import Refused
from bot.i18n import fold
from bot.i18n.recurrences import read_days_ahead, read_weekday

_DAYS: Final = (
    r"(?P<year>2\d{3})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
    r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>2\d{3})",
)
_TYPED: Final = tuple(
    re.compile(day + r"\s*[ T,]\s*(?P<hour>\d{1,2})[:.](?P<minute>\d{2})", re.ASCII) for day in _DAYS
)
_ON_WEEKDAY: Final = re.compile(
    r"(?P<day>[^\W\d]+(?: [^\W\d]+)?)\.?,?\s+(?P<hour>\d{1,2})[:.](?P<minute>\d{2})"
)
_EXAMPLE: Final = "Europe/Istanbul"
_LIKENESS: Final = 0.7

ANYWHERE: Final = "Etc/GMT+12"
"""The zone whose clocks are furthest behind: a time that is past there is past everywhere."""


def read_local(text: str) -> str:
    """Read a typed time: `2026-03-05 20:00`, `5.3.2026 20:00`, `5.3.2026, 20.00`.

    Raises Refused `bad_start` when it is not a time, or the day is not in the calendar.
    """
    for typed in _TYPED:
        if found := typed.fullmatch(text.strip()):
            year, month, day, hour, minute = map(int, found.group("year", "month", "day", "hour", "minute"))
            try:
                return write_local(datetime(year, month, day, hour, minute))
            except ValueError:
                break
    raise Refused("bad_start", start=text[:32])


def read_start(text: str, zone: str, after: float, clock: float | None = None) -> str:
    """Read a typed time, or the first such weekday in the zone after a moment: `Thursday 20:00`, in any
    language; or today or tomorrow by the `clock`: `tomorrow 20:00`. Raises as `read_local`."""
    found = _ON_WEEKDAY.fullmatch(text.strip())
    ahead = None if found is None else read_days_ahead(found["day"])
    if found is not None and ahead is not None:
        day = datetime.fromtimestamp(after if clock is None else clock, ZoneInfo(zone)).date()
        return read_local(f"{day + timedelta(days=ahead)} {found['hour']}:{found['minute']}")
    weekday = None if found is None else read_weekday(found["day"])
    if found is None or weekday is None:
        return read_local(text)
    today = datetime.fromtimestamp(after, ZoneInfo(zone)).date()
    days = (today + timedelta(days=n) for n in range(8))
    starts = (
        read_local(f"{day} {found['hour']}:{found['minute']}") for day in days if day.weekday() == weekday
    )
    return next((start for start in starts if instant(start, zone) > after), "") or read_local(text)


def read_zone(text: str) -> str:
    """Read a typed zone: `Europe/Istanbul` or just `istanbul`.

    Raises Refused `unknown_zone` with the most similar name.
    """
    name = _bare(text)
    known = _list_zones()
    if name in known:
        return known[name]
    like = get_close_matches(name[:64], known, n=1, cutoff=_LIKENESS)
    raise Refused("unknown_zone", zone=text[:64], like=known[like[0]] if like else _EXAMPLE)


def list_zones() -> tuple[str, ...]:
    """Return the zones in use today, by their names."""
    return tuple(sorted(_in_use()))


def write_local(local: datetime) -> str:
    """Return a local time in the form in which it is stored."""
    return local.strftime("%Y-%m-%dT%H:%M")


def localise(local: str, zone: str) -> datetime:
    """Return a stored local time with its zone."""
    return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))


def instant(local: str, zone: str) -> float:
    """Return the moment of a local time, in seconds since the epoch.

    Of an hour that clocks show twice, the first is meant. A time that the clocks skip is counted from
    midnight as if they had not been put forward: 02:30 becomes 03:30 (RFC 5545, 3.3.5).
    """
    return localise(local, zone).timestamp()


def in_utc(local: datetime) -> datetime:
    """Return the moment in UTC."""
    return datetime.fromtimestamp(local.timestamp(), UTC)


@cache
def _in_use() -> list[str]:
    table = (files("tzdata") / "zoneinfo" / "zone1970.tab").read_text("utf-8").splitlines()
    return [line.split("\t")[2] for line in table if not line.startswith("#")]


@cache
def _list_zones() -> dict[str, str]:
    """Return every zone by its bare name; zones in use today by their city, too."""
    by_city = {_bare(zone.rsplit("/", 1)[-1]): zone for zone in _in_use()}
    return by_city | {_bare(zone): zone for zone in sorted(available_timezones())}


def _bare(text: str) -> str:
    return "_".join(fold(text).split())
