"""Who comes to a night, is there, and goes: this part of the fold (see `bot.league.fold`)."""

from dataclasses import replace
from typing import Final

from bot.league import events
from bot.league.night import Entrant, Fold, Night


def _replied(night: Night, event: events.Replied, at: float) -> Night:
    before = night.entrant(event.member)
    if before is not None and before.reply == event.reply:
        return _with_entrant(night, replace(before, place=event.place))
    others = tuple(each for each in night.entrants if each.member != event.member)
    entrant = Entrant(member=event.member, reply=event.reply, place=event.place)
    return replace(night, entrants=(*others, entrant))


def _check_in_opened(night: Night, event: events.CheckInOpened, at: float) -> Night:
    return replace(night, stage="check_in", check_in_closes=event.closes)


def _check_in_closed(night: Night, event: events.CheckInClosed, at: float) -> Night:
    closed = min(night.check_in_closes or at, at)
    return replace(night, stage="ready", playing=event.playing, check_in_closes=closed)


def _checked_in(night: Night, event: events.CheckedIn, at: float) -> Night:
    return here(night, event.member, event.place)


def here(night: Night, member: str, place: str) -> Night:
    """Whoever is here comes, whatever he said before; a substitute waits to be needed."""
    before = night.entrant(member)
    if before is not None and before.reply in ("yes", "substitute"):
        return _with_entrant(night, replace(before, place=place, here=True))
    others = tuple(each for each in night.entrants if each.member != member)
    entrant = Entrant(member=member, reply="yes", place=place, here=True)
    return replace(night, entrants=(*others, entrant))


def _came(night: Night, event: events.Came, at: float) -> Night:
    return arrived(here(night, event.member, event.place), event.member)


def arrived(night: Night, member: str) -> Night:
    """A member plays from now on: for earlier rounds without him he was not there."""
    late = [
        (round.number, member)
        for round in night.rounds
        if not round.knows(member) and (round.number, member) not in night.missed
    ]
    playing = night.playing if member in night.playing else (*night.playing, member)
    absent = tuple(each for each in night.absent if each != member)
    return replace(night, playing=playing, missed=(*night.missed, *late), absent=absent)


def gone(night: Night, member: str, *, missed: bool) -> Night:
    """A member plays no more."""
    playing = tuple(each for each in night.playing if each != member)
    absent = (*night.absent, member) if missed else night.absent
    entrant = night.entrant(member)
    if entrant is not None:
        night = _with_entrant(night, replace(entrant, reply="no", here=False))
    return replace(night, playing=playing, absent=absent)


def _with_entrant(night: Night, entrant: Entrant) -> Night:
    entrants = tuple(entrant if each.member == entrant.member else each for each in night.entrants)
    return replace(night, entrants=entrants)


ATTENDANCE: Final[dict[type, Fold]] = {
    events.Replied: _replied,
    events.CheckInOpened: _check_in_opened,
    events.CheckedIn: _checked_in,
    events.CheckInClosed: _check_in_closed,
    events.Came: _came,
}
