"""Calendar: a league's nights as an iCalendar file (RFC 5545), for people's own calendars.

Moments are written in UTC, one event a night, so that a program needs no time zone rules to read them. A
night keeps its UID when it is moved or cancelled.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Final

import icalendar

from bot.ids import night_id, start_of
from bot.league.local_time import instant
from bot.league.model import League, NightRef, Schedule
from bot.league.schedule import occurrences

COMING: Final = 26
"""The most future nights in the file: half a year of weeks."""


def calendar(league: League, now: float, page: str = "") -> str:
    """The file, with the nights that were held and those to come after `now` (seconds since the epoch).

    `page` is the address of the league's page; empty: it has none.
    """
    file = icalendar.Calendar()
    file.add("VERSION", "2.0")
    file.add("PRODID", "-//Okey for chat//League nights//EN")
    file.add("CALSCALE", "GREGORIAN")
    file.add("X-WR-CALNAME", icalendar.vText(league.name))
    file.add("X-WR-TIMEZONE", icalendar.vText(league.schedule.zone))
    for night in _nights(league, now):
        file.add_component(_event(night, league, now, page))
    written: bytes = file.to_ical(sorted=False)
    return written.decode()


def _event(night: NightRef, league: League, now: float, page: str) -> icalendar.Event:
    event = icalendar.Event()
    event.add("UID", f"{night.id}@okey-league")
    # The day only, so that the file stays the same for programs that look again.
    today = datetime.fromtimestamp(now, UTC).date()
    event.add("DTSTAMP", datetime.combine(today, time.min, UTC))
    event.add("DTSTART", datetime.fromtimestamp(night.start, UTC))
    event.add("DURATION", timedelta(minutes=league.format.longest_minutes))
    event.add("SUMMARY", league.name)
    event.add("STATUS", "CANCELLED" if night.cancelled else "CONFIRMED")
    if page:
        event.add("URL", page)
    return event


def _nights(league: League, now: float) -> list[NightRef]:
    """All nights in the order of their starts, including skipped ones."""
    known = {ref.id: _known(ref, league.schedule) for ref in league.nights}
    coming = {} if league.ended else {ref.id: ref for ref in _coming(league, now)}
    return sorted((coming | known).values(), key=lambda ref: (ref.start, ref.id))


def _known(ref: NightRef, schedule: Schedule) -> NightRef:
    """A night that the league has stored; one that is not over gets its present start from the schedule."""
    if ref.over:
        return ref
    original = start_of(ref.id)
    moved = schedule.moved.get(original)
    start = ref.start if moved is None else instant(moved, schedule.zone)
    return replace(ref, start=start, cancelled=original in schedule.skipped)


def _coming(league: League, now: float) -> Iterator[NightRef]:
    skipped = league.schedule.skipped
    for each in occurrences(replace(league.schedule, skipped=()), now, COMING):
        id = night_id(league.id, each.original)
        yield NightRef(id=id, start=each.at, season=league.season, cancelled=each.original in skipped)
