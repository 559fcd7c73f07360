"""The daily rack among people: each person's answers, and a community's daily board. Pure.

A community chooses when and where its racks are posted, and sees how many each person solved in the week. A
day is its number in the calendar (`date.toordinal`), in UTC.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.tables.names import NOBODY

DAILY_SCHEMA: Final = 1

LATE: Final = 6 * 3600.0
"""Seconds after which a rack that could not be posted is not posted any more."""
MOST_ENTRIES: Final = 1000
"""The most people of a community who are counted."""
_WEEK: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyEntry:
    """A person of a community, and the days that they answered and solved in this week and the last."""

    person: str
    name: str
    answered: tuple[int, ...] = ()
    solved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBoard:
    """The daily board that is stored for a community."""

    community: str
    """The community's key."""
    place: str = ""
    """The place where each day's rack is posted; empty: nowhere."""
    hour: int = 0
    """The hour of the day in `zone`."""
    zone: str = "UTC"
    since: float = 0.0
    """The moment when that was set: seconds since the epoch."""
    language: str = ""
    """The language of the person who set it."""
    day: int = 0
    """The newest day to be shown there; 0: none."""
    entries: tuple[DailyEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """A line of a week's table."""

    rank: int
    name: str
    solved: int
    answered: int


def day_of(now: float) -> int:
    """Return the day of a moment."""
    return datetime.fromtimestamp(now, UTC).date().toordinal()


def monday_of(day: int) -> int:
    """Return the Monday of a day's week."""
    return day - (day - 1) % _WEEK  # the first day of the calendar was a Monday


def set_posting(board: DailyBoard, place: str, hour: int, zone: str, language: str, now: float) -> DailyBoard:
    """Return the board with racks posted in this place from now on; empty: nowhere. The newest rack may still
    be posted there if it was not late by the hour before."""
    day = board.day if place == board.place and not is_late(board, now) else 0
    return replace(board, place=place, hour=hour, zone=zone, language=language, since=now, day=day)


def due(board: DailyBoard, now: float) -> DailyBoard:
    """Return the board with today's rack to be shown, if its hour has come."""
    at, day = next((each for each in reversed(list(_moments(board, now))) if each[0] <= now), (0.0, 0))
    if not board.place or at < board.since or at < now - LATE:
        return board
    return replace(board, day=max(board.day, day))


def is_late(board: DailyBoard, now: float) -> bool:
    """Return whether the newest rack was due more than `LATE` seconds ago, so that it is not shown any more.
    After a change of the hour, time counts from the change."""
    at = next((at for at, day in _moments(board, now) if day == board.day), 0.0)
    return not board.day or max(at, board.since) < now - LATE


def next_post(board: DailyBoard, now: float) -> float | None:
    """Return the moment of the next post; None: never."""
    return next((at for at, _ in _moments(board, now) if at > now), None) if board.place else None


def _moments(board: DailyBoard, now: float) -> Iterator[tuple[float, int]]:
    """Yield the board's hour yesterday, today and tomorrow, by its zone, each with the day whose rack is
    posted then. The day is told by the zone's summer time all year: else an hour near midnight in UTC would
    be in another day from one change of the clocks to the next, and a rack would be left out or due twice."""
    zone = ZoneInfo(board.zone)
    today = datetime.fromtimestamp(now, zone).replace(tzinfo=None, minute=0, second=0, microsecond=0)
    for days in (-1, 0, 1):
        local = today.replace(hour=board.hour) + timedelta(days=days)
        summer = max(_offset(local.replace(month=month, day=1), zone) for month in (1, 7))
        yield local.replace(tzinfo=zone).timestamp(), (local - summer).toordinal()


def _offset(local: datetime, zone: ZoneInfo) -> timedelta:
    return local.replace(tzinfo=zone).utcoffset() or timedelta()


def with_result(board: DailyBoard, person: str, name: str, day: int, *, right: bool) -> DailyBoard:
    """Return the board with a person's answer to a day's rack. Answers older than the last week are
    dropped."""
    first = monday_of(day) - _WEEK
    entries = [_since(each, first) for each in board.entries]
    held = next((each for each in entries if each.person == person), None)
    if held is None and sum(bool(each.answered) for each in entries) >= MOST_ENTRIES:
        return board
    entry = replace(held or DailyEntry(person=person, name=name), name=name)
    if day not in entry.answered:
        solved = (*entry.solved, day) if right else entry.solved
        entry = replace(entry, answered=(*entry.answered, day), solved=solved)
    others = [each for each in entries if each.person != person and each.answered]
    return replace(board, entries=(*others, entry))


def _since(entry: DailyEntry, first: int) -> DailyEntry:
    kept = (tuple(day for day in days if day >= first) for days in (entry.answered, entry.solved))
    answered, solved = kept
    return replace(entry, answered=answered, solved=solved)


def week_table(board: DailyBoard, day: int) -> list[DailyStanding]:
    """Return the people who solved most in a day's week, then by fewer answers. Equal ones share a rank."""
    week = range(monday_of(day), monday_of(day) + _WEEK)
    lines = [
        (sum(each in week for each in entry.solved), sum(each in week for each in entry.answered), entry.name)
        for entry in board.entries
    ]
    lines = sorted((line for line in lines if line[1]), key=lambda line: (-line[0], line[1], line[2]))
    figures = [line[:2] for line in lines]
    return [
        DailyStanding(figures.index((solved, answered)) + 1, name, solved, answered)
        for solved, answered, name in lines
    ]


def without_person(board: DailyBoard, person: str) -> DailyBoard:
    """Return the board after a person was forgotten: their figures stay, without a name."""
    entries = tuple(
        replace(each, person="", name=NOBODY) if each.person == person else each for each in board.entries
    )
    return replace(board, entries=entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyRecord:
    """A person's answers so far."""

    day: int = 0
    """The newest day that they answered; 0: none."""
    choice: int = 0
    """The index of the choice that they took."""
    answered: int = 0
    solved: int = 0
    streak: int = 0
    """The number of days in a row that they solved, up to the newest."""
    longest: int = 0
    """The longest such streak."""

    def streak_on(self, today: int) -> int:
        """Return the streak that a right answer of today continues, or is part of."""
        return self.streak if self.day >= today - 1 else 0


def is_open(day: int, today: int) -> bool:
    """Return whether a day's rack may still be answered: until the end of the next day, since it is posted
    late in some places."""
    return today - 1 <= day <= today


def with_answer(record: DailyRecord, day: int, choice: int, *, right: bool) -> DailyRecord:
    """Return the record with an answer. Only the first one to a day counts, and none to a day before the
    newest."""
    if day <= record.day:
        return record
    streak = (record.streak if day == record.day + 1 else 0) + 1 if right else 0
    return DailyRecord(
        day=day,
        choice=choice,
        answered=record.answered + 1,
        solved=record.solved + right,
        streak=streak,
        longest=max(record.longest, streak),
    )
