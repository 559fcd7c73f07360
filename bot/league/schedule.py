"""Schedule: when a league meets, at the same hour of its zone's clocks, in summer and in winter."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import dropwhile, islice, takewhile
from typing import Final
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from bot.errors import Refused
from bot.i18n.recurrences import read_recurrence
from bot.league.local_time import in_utc, instant, localised, read_local, read_zone, written
from bot.league.model import Schedule

_WEEK: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAY: Final = f"(?:{'|'.join(_WEEK)})"
_UTC: Final = "%Y%m%dT%H%M%SZ"


def _list(item: str) -> str:
    return f"{item}(?:,{item})*"


_OF_YEAR: Final = "[+-]?(?:[1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]|36[0-6])"

_PARTS: Final[Mapping[str, str]] = {
    "FREQ": "DAILY|WEEKLY|MONTHLY|YEARLY",
    "INTERVAL": "[1-9][0-9]{0,2}",
    "COUNT": "[1-9][0-9]{0,3}",
    "UNTIL": "2[0-9]{7}(?:T[0-9]{6}Z?)?",
    "WKST": _DAY,
    "BYDAY": _list(f"(?:[+-]?[1-9][0-9]?)?{_DAY}"),
    "BYMONTH": _list("(?:0?[1-9]|1[0-2])"),
    "BYMONTHDAY": _list("[+-]?(?:0?[1-9]|[12][0-9]|3[01])"),
    "BYYEARDAY": _list(_OF_YEAR),
    "BYWEEKNO": _list("[+-]?(?:0?[1-9]|[1-4][0-9]|5[0-3])"),
    "BYSETPOS": _list(_OF_YEAR),
}
"""What a rule may be made of, and how each part is written."""

_ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "BYWEEKNO": ("DAILY", "WEEKLY", "MONTHLY"),
    "BYYEARDAY": ("DAILY", "WEEKLY", "MONTHLY"),
    "BYMONTHDAY": ("WEEKLY",),
}
"""The frequencies with which a part has no meaning (RFC 5545, 3.3.10)."""

_HOURS: Final = re.compile("FREQ=(?:HOURLY|MINUTELY|SECONDLY)|BY(?:HOUR|MINUTE|SECOND)=")

_CYCLE: Final = 400
"""Years after which the calendar repeats itself, days of the week and all."""
_LATE: Final = 9900
"""A search that begins in one of the last cycles before this year soon meets the calendar's end, in 9999."""
_YEARS: Final = 10
"""A first night that is further off than this never comes."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A night on the calendar."""

    original: str
    """Its local start as the rule gives it, `2026-03-05T20:00`: by this it is known, wherever it is moved."""
    at: float
    """When it is held: seconds since the epoch."""


def read_schedule(start: str, zone: str, every: str, now: float) -> Schedule:
    """The schedule that an organiser typed: first night, zone, and recurrence in words or as an RRULE.

    Where the recurrence has no night on the first day, it begins with the first one after it. Raises Refused
    `unknown_zone`, `bad_start`, `bad_recurrence`, `too_often`, `past_start`, `never_comes`.
    """
    named = read_zone(zone)
    first = read_local(start)
    rule = read_rule(every, first, named)
    if instant(first, named) <= now:
        raise Refused("past_start", start=first.replace("T", " "), zone=named)
    begin = first_of(rule, first, named) if rule else first
    if begin is None:
        raise Refused("never_comes", every=every[:64])
    return Schedule(start=begin, zone=named, rule=rule)


def occurrences(schedule: Schedule, after: float, limit: int) -> list[Occurrence]:
    """The next nights that are held after a moment (seconds since the epoch), in order, `limit` at most."""
    moved = [each for each in _moved(schedule) if each.at > after]
    kept = (each for each in _by_rule(schedule) if each.original not in schedule.moved and each.at > after)
    held = (each for each in kept if each.original not in schedule.skipped)
    return sorted([*moved, *islice(held, limit)], key=lambda each: (each.at, each.original))[:limit]


def read_rule(every: str, start: str, zone: str) -> str:
    """The RRULE that somebody typed or meant, with UNTIL in UTC; empty for one night alone.

    `start` is the first night's local time. Raises Refused `bad_recurrence`, `too_often`.
    """
    if "=" not in every:
        meant = read_recurrence(every, localised(start, zone).date())
        if meant is None:
            raise Refused("bad_recurrence", every=every[:64])
        return meant
    rule = "".join(every.upper().split()).removeprefix("RRULE:")
    if _HOURS.search(rule):
        raise Refused("too_often", every=every[:64])
    parts = _parts(rule)
    if parts is not None and "UNTIL" in parts:
        until = _until_in_utc(parts["UNTIL"], zone)
        parts = None if until is None else parts | {"UNTIL": until}
    if parts is None:
        raise Refused("bad_recurrence", every=every[:64])
    return ";".join(f"{name}={value}" for name, value in parts.items())


def first_of(rule: str, start: str, zone: str) -> str | None:
    """The first local time, at `start` or later, at which a rule has a night; None when that never comes.

    dateutil looks for the days of a rule that never comes true until the calendar ends. So the search is
    made whole cycles of the calendar later, where that end is near.
    """
    begin = datetime.fromisoformat(start)
    later = (_LATE - begin.year) // _CYCLE * _CYCLE
    endless = ";".join(part for part in rule.split(";") if not part.startswith(("UNTIL=", "COUNT=")))
    found = next(_local_times(endless, begin.replace(year=begin.year + later)), None)
    if found is None or found.year - later > begin.year + _YEARS:
        return None
    first = written(found.replace(year=found.year - later))
    until = dict(part.split("=") for part in rule.split(";")).get("UNTIL")
    return first if until is None or in_utc(localised(first, zone)).strftime(_UTC) <= until else None


def _moved(schedule: Schedule) -> Iterator[Occurrence]:
    """The nights that are held at another time; what the rule no longer gives is not moved either."""
    last = max(schedule.moved, default="")
    for each in takewhile(lambda each: each.original <= last, _by_rule(schedule)):
        if each.original in schedule.moved and each.original not in schedule.skipped:
            yield Occurrence(each.original, instant(schedule.moved[each.original], schedule.zone))


def _by_rule(schedule: Schedule) -> Iterator[Occurrence]:
    first = localised(schedule.start, schedule.zone)
    for local in _local_times(schedule.rule, first) if schedule.rule else [first]:
        yield Occurrence(written(local), local.timestamp())


def _local_times(rule: str, begin: datetime) -> Iterator[datetime]:
    """What a rule gives from a moment on.

    dateutil lets the first week begin with that moment. Where nights are picked by their position in the
    week, the week is given whole.
    """
    parts = dict(part.split("=") for part in rule.split(";"))
    if parts["FREQ"] != "WEEKLY" or "BYSETPOS" not in parts:
        return iter(rrulestr(rule, dtstart=begin))
    first_day = _WEEK.index(parts.get("WKST", "MO"))
    week = begin - timedelta(days=(begin.weekday() - first_day) % 7)
    endless = ";".join(f"{name}={value}" for name, value in parts.items() if name != "COUNT")
    found = dropwhile(lambda local: local < begin, rrulestr(endless, dtstart=week))
    return islice(found, int(parts["COUNT"])) if "COUNT" in parts else found


def _parts(rule: str) -> dict[str, str] | None:
    """The parts of a rule by their names; None when it is no rule as RFC 5545 wants it."""
    pairs = [part.partition("=")[::2] for part in rule.rstrip(";").split(";")]
    parts = dict(pairs)
    fits = (
        len(parts) == len(pairs)
        and "FREQ" in parts
        and not {"COUNT", "UNTIL"} <= parts.keys()
        and all(name in _PARTS and re.fullmatch(_PARTS[name], value) for name, value in pairs)
        and all(parts["FREQ"] not in _ELSEWHERE.get(name, ()) for name in parts)
        and ("BYSETPOS" not in parts or any(name.startswith("BY") for name in parts.keys() - {"BYSETPOS"}))
        and (parts["FREQ"] in ("MONTHLY", "YEARLY") or not re.search("[0-9]", parts.get("BYDAY", "")))
    )
    return parts if fits else None


def _until_in_utc(until: str, zone: str) -> str | None:
    """An end in UTC, as RFC 5545 wants it beside a zone. Without `Z` it is meant in that zone, without an
    hour it is the end of that day. None when there is no such moment."""
    if until.endswith("Z"):
        local, of = until.removesuffix("Z"), "UTC"
    else:
        local, of = (until if "T" in until else until + "T235959"), zone
    try:
        end = datetime.strptime(local, "%Y%m%dT%H%M%S")
    except ValueError:
        return None
    return in_utc(end.replace(tzinfo=ZoneInfo(of))).strftime(_UTC)
