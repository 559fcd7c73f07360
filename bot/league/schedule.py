"""Schedule: the nights of a league, at the same local hour in summer and in winter."""

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
from bot.league.local_time import in_utc, instant, localise, read_local, read_zone, write_local
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
"""The parts that a rule may have, and the form of each."""

_ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "BYWEEKNO": ("DAILY", "WEEKLY", "MONTHLY"),
    "BYYEARDAY": ("DAILY", "WEEKLY", "MONTHLY"),
    "BYMONTHDAY": ("WEEKLY",),
}
"""The frequencies with which a part is not allowed (RFC 5545, 3.3.10)."""

_HOURS: Final = re.compile("FREQ=(?:HOURLY|MINUTELY|SECONDLY)|BY(?:HOUR|MINUTE|SECOND)=")

_CYCLE: Final = 400
"""Years after which the calendar repeats itself, including weekdays."""
_LATE: Final = 9900
"""The year from which a search soon reaches the calendar's end, in 9999."""
_YEARS: Final = 10
"""Years after which a first night is taken never to come."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A night on the calendar."""

    original: str
    """Its local start by the rule, `2026-03-05T20:00`, which identifies it even when it is moved."""
    at: float
    """The moment when it is held: seconds since the epoch."""


def read_schedule(start: str, zone: str, every: str, now: float) -> Schedule:
    """Return the schedule that an organiser typed: first night, zone, and recurrence in words or as an RRULE.

    If the recurrence has no night on the first day, the schedule begins with the first one after it. Raises
    Refused `unknown_zone`, `bad_start`, `bad_recurrence`, `too_often`, `past_start`, `never_comes`.
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
    """Return the next nights after a moment (seconds since the epoch), in order, `limit` at most."""
    after = max(after, pause_end(schedule) - 1.0)
    moved = [each for each in _list_moved(schedule) if each.at > after]
    kept = (each for each in _by_rule(schedule) if each.original not in schedule.moved and each.at > after)
    held = (each for each in kept if each.original not in schedule.skipped)
    return sorted([*moved, *islice(held, limit)], key=lambda each: (each.at, each.original))[:limit]


def pause_end(schedule: Schedule) -> float:
    """Return when the latest pause ends or has ended (seconds since the epoch); 0: there was none."""
    return instant(schedule.resumes, schedule.zone) if schedule.resumes else 0.0


def read_rule(every: str, start: str, zone: str) -> str:
    """Return the RRULE for a typed recurrence, with UNTIL in UTC; empty for a single night.

    `start` is the first night's local time. Raises Refused `bad_recurrence`, `too_often`.
    """
    if "=" not in every:
        meant = read_recurrence(every, localise(start, zone).date())
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
    """Return the first local time at or after `start` at which a rule has a night; None when there is none.

    For a rule without any night, dateutil searches until the end of the calendar. So the search is moved on
    by whole cycles of the calendar, to where that end is near.
    """
    begin = datetime.fromisoformat(start)
    later = (_LATE - begin.year) // _CYCLE * _CYCLE
    endless = ";".join(part for part in rule.split(";") if not part.startswith(("UNTIL=", "COUNT=")))
    found = next(_local_times(endless, begin.replace(year=begin.year + later)), None)
    if found is None or found.year - later > begin.year + _YEARS:
        return None
    first = write_local(found.replace(year=found.year - later))
    until = dict(part.split("=") for part in rule.split(";")).get("UNTIL")
    return first if until is None or in_utc(localise(first, zone)).strftime(_UTC) <= until else None


def _list_moved(schedule: Schedule) -> Iterator[Occurrence]:
    """Yield the moved nights at their new times; one that the rule no longer has is left out."""
    last = max(schedule.moved, default="")
    for each in takewhile(lambda each: each.original <= last, _by_rule(schedule)):
        if each.original in schedule.moved and each.original not in schedule.skipped:
            yield Occurrence(each.original, instant(schedule.moved[each.original], schedule.zone))


def _by_rule(schedule: Schedule) -> Iterator[Occurrence]:
    first = localise(schedule.start, schedule.zone)
    for local in _local_times(schedule.rule, first) if schedule.rule else [first]:
        yield Occurrence(write_local(local), local.timestamp())


def _local_times(rule: str, begin: datetime) -> Iterator[datetime]:
    """Return the local times of a rule from a moment on.

    dateutil starts the first week at that moment. Where nights are picked by their position in the week, it
    is given the whole week.
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
    """Return the parts of a rule by their names; None when it is no valid rule by RFC 5545."""
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
    """Return the end of a rule in UTC, as RFC 5545 demands it beside a zone. Without `Z` it is read in that
    zone, without an hour as the end of that day. None when there is no such moment."""
    if until.endswith("Z"):
        local, of = until.removesuffix("Z"), "UTC"
    else:
        local, of = (until if "T" in until else until + "T235959"), zone
    try:
        end = datetime.strptime(local, "%Y%m%dT%H%M%S")
    except ValueError:
        return None
    return in_utc(end.replace(tzinfo=ZoneInfo(of))).strftime(_UTC)
