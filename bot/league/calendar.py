"""Calendar: a league's nights as an iCalendar file (RFC 5545, RFC 7986), to keep or to subscribe to.

Moments are written in UTC, one event a night, so that a program needs no time zone rules to read them. A
night keeps its UID when it is moved or cancelled. A program that looks again sees by SEQUENCE and
LAST-MODIFIED which nights have changed; nothing else in the file depends on when it was written.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Final

import icalendar

from bot.ids import night_id, start_of
from bot.league.local_time import instant
from bot.league.model import CalendarEntry, League, NightRef, Schedule
from bot.league.schedule import occurrences

COMING: Final = 26
"""The most future nights in the file: half a year of weeks."""

LOOK_AGAIN: Final = timedelta(hours=6)
"""The time after which a calendar that subscribes to the file should look again."""


def with_calendar(league: League, now: float) -> League:
    """Return the league with every night noted as its calendar has it: a night that differs from its note is
    one more edition. Without such a night, it is the same league."""
    entries = {night.id: _note(night, league, now) for night in _nights(league, now)}
    return league if entries == league.calendar else replace(league, calendar=entries)


def calendar(league: League, now: float, page: str = "", about: str = "") -> str:
    """Return the file, with the nights that were held and those to come after `now` (seconds since the
    epoch).

    `page` is the address of the league's page; empty: it has none. `about` describes an evening.
    """
    newest = max((each.modified for each in league.calendar.values()), default=0.0)
    file = icalendar.Calendar()
    file.add("VERSION", "2.0")
    file.add("PRODID", "-//Okey for chat//League nights//EN")
    file.add("CALSCALE", "GREGORIAN")
    file.add("METHOD", "PUBLISH")
    file.add("LAST-MODIFIED", _at(newest))
    file.add("REFRESH-INTERVAL", LOOK_AGAIN, parameters={"VALUE": "DURATION"})
    file.add("X-PUBLISHED-TTL", icalendar.vDuration(LOOK_AGAIN))
    for name in ("NAME", "X-WR-CALNAME"):
        file.add(name, icalendar.vText(league.name))
    if about:
        for name in ("DESCRIPTION", "X-WR-CALDESC"):
            file.add(name, icalendar.vText(about))
    file.add("X-WR-TIMEZONE", icalendar.vText(league.schedule.zone))
    if page:
        file.add("URL", icalendar.vUri(page))
    for night in _nights(league, now):
        file.add_component(_make_event(night, league, newest, page, about))
    written: bytes = file.to_ical(sorted=False)
    return written.decode()


def _make_event(night: NightRef, league: League, newest: float, page: str, about: str) -> icalendar.Event:
    noted = _note(night, league, newest)
    event = icalendar.Event()
    event.add("UID", f"{night.id}@okey-league")
    event.add("DTSTAMP", _at(noted.modified))
    event.add("LAST-MODIFIED", _at(noted.modified))
    event.add("SEQUENCE", noted.sequence)
    event.add("DTSTART", _at(night.start))
    event.add("DURATION", timedelta(minutes=league.format.longest_minutes))
    event.add("SUMMARY", league.name)
    if about:
        event.add("DESCRIPTION", about)
    event.add("STATUS", "CANCELLED" if night.cancelled else "CONFIRMED")
    if page:
        event.add("URL", page)
    return event


def _note(night: NightRef, league: League, now: float) -> CalendarEntry:
    """Return a night's note: the known one, or the next edition if anything in it has changed. A change of
    the league's name or game is none to a night that is over."""
    format, known = league.format, league.calendar.get(night.id)
    evening = (league.name, format.longest_minutes, format.rounds, format.round_minutes, format.cap)
    own, of_all = _digest(night.start, night.cancelled), _digest(*evening, sorted(format.rules.items()))
    if known is None:
        return CalendarEntry(digest=own + of_all, modified=now)
    digest = own + (known.digest[len(own) :] if night.over else of_all)
    if known.digest == digest:
        return known
    return CalendarEntry(digest=digest, sequence=known.sequence + 1, modified=now)


def _digest(*told: object) -> str:
    return blake2b(repr(told).encode(), digest_size=8).hexdigest()


def _at(moment: float) -> datetime:
    return datetime.fromtimestamp(int(moment), UTC)


def _nights(league: League, now: float) -> list[NightRef]:
    """Return all nights in the order of their starts, including skipped ones."""
    known = {ref.id: _find_known(ref, league.schedule) for ref in league.nights}
    coming = {} if league.ended else {ref.id: ref for ref in _coming(league, now)}
    return sorted((coming | known).values(), key=lambda ref: (ref.start, ref.id))


def _find_known(ref: NightRef, schedule: Schedule) -> NightRef:
    """Return a night that the league has stored; one that is not over has its present start from the
    schedule."""
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
