"""From a night and what happened next to the night after it. The log alone rebuilds a night.

Nothing is checked here: what is recorded has been decided.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from bot.league import events
from bot.league.attendance import ATTENDANCE
from bot.league.events import Recorded
from bot.league.night import Fold, Night
from bot.league.rounds import ROUNDS, closed_round, later

LATEST_CLOSING: Final = 600.0
"""So long at most check-in stays open beyond its time when nobody was at work in it: seconds."""


def after(night: Night | None, recorded: Recorded) -> Night:
    """The night after one more event; None before the first one, its announcement."""
    event = recorded.event
    if isinstance(event, events.Announced):
        return _announced(event)
    assert night is not None
    changed = _FOLDS[type(event)](night, event, recorded.at)
    return replace(changed, revision=night.revision + 1)


def unfolded(log: Iterable[Recorded]) -> Night:
    """The night of a whole log. Raises ValueError for an empty one."""
    night: Night | None = None
    for recorded in log:
        night = after(night, recorded)
    if night is None:
        raise ValueError("a night begins with its announcement")
    return night


def _announced(event: events.Announced) -> Night:
    return Night(
        id=event.night,
        league=event.league,
        season=event.season,
        number=event.number,
        start=event.start,
        format=event.format,
        revision=1,
        phase_revision=1,
    )


def _rescheduled(night: Night, event: events.Rescheduled, at: float) -> Night:
    entrants = tuple(replace(each, here=False) for each in night.entrants)
    return replace(
        night, start=event.start, stage="announced", check_in_closes=None, entrants=entrants, playing=()
    )


def _relocated(night: Night, event: events.Relocated, at: float) -> Night:
    entrants = (
        replace(each, place=event.place) if each.place == event.old else each for each in night.entrants
    )
    return replace(night, entrants=tuple(entrants))


def _cancelled(night: Night, event: events.Cancelled, at: float) -> Night:
    return replace(closed_round(night, at), stage="cancelled", cancelled=event.reason, break_ends=None)


def _paused(night: Night, event: events.Paused, at: float) -> Night:
    return replace(night, paused_at=at)


def _went_on(night: Night, event: events.WentOn, at: float) -> Night:
    return replace(later(night, event.seconds), paused_at=None)


def _unattended(night: Night, event: events.Unattended, at: float) -> Night:
    if night.stage == "check_in" and night.check_in_closes is not None:
        latest = max(night.check_in_closes, night.start + LATEST_CLOSING)
        return replace(night, check_in_closes=min(night.check_in_closes + event.seconds, latest))
    return later(night, event.seconds)


def _penalised(night: Night, event: events.Penalised, at: float) -> Night:
    return replace(night, penalties=(*night.penalties, (event.member, event.points)))


def _ended(night: Night, event: events.Ended, at: float) -> Night:
    over = replace(closed_round(night, at), stage="over", break_ends=None, paused_at=None)
    return replace(over, phase_revision=night.revision + 1)


_FOLDS: Final[dict[type, Fold]] = {
    **ATTENDANCE,
    **ROUNDS,
    events.Rescheduled: _rescheduled,
    events.Relocated: _relocated,
    events.Cancelled: _cancelled,
    events.Paused: _paused,
    events.WentOn: _went_on,
    events.Unattended: _unattended,
    events.Penalised: _penalised,
    events.Ended: _ended,
}
