"""When a league meets: at the same hour of its zone's clocks, however they are put forward and back."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

from dateutil.rrule import rrulestr

from bot.league.local_times import instant, localised, read_local, written
from bot.league.model import Schedule
from bot.league.recurrences import first_of, read_rule
from bot.league.zones import read_zone
from bot.tables.changes import Refused


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


def _moved(schedule: Schedule) -> Iterator[Occurrence]:
    """The nights that are held at another time; what the rule no longer gives is not moved either."""
    last = max(schedule.moved, default="")
    for each in takewhile(lambda each: each.original <= last, _by_rule(schedule)):
        if each.original in schedule.moved and each.original not in schedule.skipped:
            yield Occurrence(each.original, instant(schedule.moved[each.original], schedule.zone))


def _by_rule(schedule: Schedule) -> Iterator[Occurrence]:
    first = localised(schedule.start, schedule.zone)
    for local in rrulestr(schedule.rule, dtstart=first) if schedule.rule else [first]:
        yield Occurrence(written(local), local.timestamp())
