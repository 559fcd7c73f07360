"""A league's nights as an iCalendar file (RFC 5545), for people's own calendars.

Moments are written in UTC, one event a night: no program that reads them has to know a zone's laws on clocks,
and a night that is moved or not held is told apart by its UID, which never changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from bot.ids import NightId, night_id, start_of
from bot.league.local_time import instant
from bot.league.model import Format, League, NightRef, Schedule
from bot.league.schedule import occurrences

COMING: Final = 26
"""So many nights ahead, at most: half a year of weeks."""

_OCTETS: Final = 75
"""A line has no more of them, RFC 5545, 3.1."""


@dataclass(frozen=True, slots=True)
class _Event:
    night: NightId
    start: float
    cancelled: bool


def calendar(league: League, now: float, page: str = "") -> str:
    """The file, with the nights that were held and those to come from `now` (seconds since the epoch) on.

    `page` is the address of the league's page, empty where it has none.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Okey for chat//League nights//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_text(league.name)}",
        f"X-WR-TIMEZONE:{league.schedule.zone}",
    ]
    for event in _events(league, now):
        lines += _written(event, league, now, page)
    return "".join(_folded(line) + "\r\n" for line in (*lines, "END:VCALENDAR"))


def _events(league: League, now: float) -> list[_Event]:
    """All nights in the order of their starts, also those that are skipped."""
    known = {ref.id: _known(ref, league.schedule) for ref in league.nights}
    coming = {} if league.ended else {event.night: event for event in _coming(league, now)}
    return sorted((coming | known).values(), key=lambda event: (event.start, event.night))


def _known(ref: NightRef, schedule: Schedule) -> _Event:
    """A night that the league has or had; one that is not over stands where the schedule has it by now."""
    if ref.over:
        return _Event(ref.id, ref.start, ref.cancelled)
    original = start_of(ref.id)
    moved = schedule.moved.get(original)
    start = ref.start if moved is None else instant(moved, schedule.zone)
    return _Event(ref.id, start, original in schedule.skipped)


def _coming(league: League, now: float) -> Iterator[_Event]:
    schedule = replace(league.schedule, skipped=())
    for each in occurrences(schedule, now, COMING):
        skipped = each.original in league.schedule.skipped
        yield _Event(night_id(league.id, each.original), each.at, skipped)


def _written(event: _Event, league: League, now: float, page: str) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{event.night}@okey-league"
    yield f"DTSTAMP:{_moment(now)}"
    yield f"DTSTART:{_moment(event.start)}"
    yield f"DURATION:PT{_minutes(league.format)}M"
    yield f"SUMMARY:{_text(league.name)}"
    yield f"STATUS:{'CANCELLED' if event.cancelled else 'CONFIRMED'}"
    if page:
        yield f"URL:{page}"
    yield "END:VEVENT"


def _minutes(format: Format) -> int:
    """How long a night takes at most."""
    round = format.round_minutes + format.grace_minutes
    return format.rounds * round + (format.rounds - 1) * format.break_minutes


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(value: str) -> str:
    """Text as a value: RFC 5545, 3.3.11."""
    for character in "\\;,":
        value = value.replace(character, "\\" + character)
    return "\\n".join(value.splitlines())


def _folded(line: str) -> str:
    """A line in pieces of at most 75 octets, none of which ends inside a character."""
    pieces, room = [""], _OCTETS
    for character in line:
        octets = len(character.encode())
        if octets > room:
            pieces.append("")
            room = _OCTETS - 1
        pieces[-1] += character
        room -= octets
    return "\r\n ".join(pieces)
