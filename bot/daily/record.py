"""A person's record of daily racks. A day is its number in the calendar (`date.toordinal`), in UTC."""

from dataclasses import dataclass


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
        """The streak that a right answer of today continues, or is part of."""
        return self.streak if self.day >= today - 1 else 0


def is_open(day: int, today: int) -> bool:
    """Whether a day's rack may still be answered: until the end of the next day, since it is posted late in
    some places."""
    return today - 1 <= day <= today


def with_answer(record: DailyRecord, day: int, choice: int, *, right: bool) -> DailyRecord:
    """The record with an answer. Only the first one to a day counts, and none to a day before the newest."""
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
