"""What the clock does in a night, and when it does it next. Pure."""

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final

from bot.league.apply import after
from bot.league.events import (
    Came,
    Cancelled,
    CheckInClosed,
    CheckInOpened,
    Ended,
    Event,
    Recorded,
    Replied,
    RoundEnded,
    RoundSeated,
    SoftEnded,
    Unattended,
    Went,
)
from bot.league.night import Night, NightRound
from bot.league.seating import CannotSeat, Seated

CHECK_IN_OPENS: Final = 20 * 60.0
CHECK_IN_CLOSES: Final = 3 * 60.0
"""Seconds before the start."""

REMINDERS: Final = (24 * 3600.0, 3600.0, 600.0)
"""Seconds before the start at which who has signed up is reminded."""

CHECK_IN_LEAST: Final = 5 * 60.0
"""Check-in that opens late stays open for so long."""

TOO_LATE: Final = 3600.0
"""A night that could not begin for so long is not held."""

THERE_SECONDS: Final = 120.0
"""Who has not touched his tiles so long after a round's start is not there."""

PATIENCE: Final = 120.0
"""So long after its hard end a round waits for the last word of its tables."""

SeatThem = Callable[[Night, Sequence[str]], Seated]
"""Seats the next round of a night. Raises CannotSeat."""


def due(night: Night, now: float, seat: SeatThem) -> tuple[Event, ...]:
    """What happens next in a night by itself; empty when nothing does yet."""
    if night.paused_at is not None:
        return ()
    match night.stage:
        case "announced":
            return _announced(night, now)
        case "check_in":
            closes = night.check_in_closes
            return (CheckInClosed(settled(night)),) if closes is not None and now >= closes else ()
        case "ready":
            return _next_round(night, now, seat) if now >= _begins(night) else ()
        case "playing":
            return _playing(night, now)
        case "break":
            return _break(night, now, seat)
        case _:
            return ()


def wakes_at(night: Night, now: float) -> float | None:
    """When there is something to do next, all that was to do by `now` being done; None: never."""
    if night.paused_at is not None:
        return None
    match night.stage:
        case "announced":
            return _first_after(now, [*_reminders(night), night.start - CHECK_IN_OPENS])
        case "check_in":
            return _first_after(now, [*_reminders(night), night.check_in_closes or now])
        case "ready":
            return _begins(night)
        case "playing":
            assert night.round is not None
            return _first_after(now, _moments(night.round))
        case "break":
            return night.break_ends
        case _:
            return None


def _first_after(now: float, moments: Iterable[float]) -> float | None:
    return min((moment for moment in moments if moment > now), default=None)


def _reminders(night: Night) -> list[float]:
    return [night.start - before for before in REMINDERS]


def unattended(night: Night, seconds: float) -> tuple[Event, ...]:
    """Nobody was at work for so long: nobody loses the time in which he could do nothing."""
    if night.paused_at is not None or night.stage not in ("check_in", "playing", "break"):
        return ()
    return (Unattended(seconds),)


def signed_off(night: Night, now: float, nobody: Set[str]) -> tuple[Event, ...]:
    """Members behind whom nobody stands any more, forgotten or one with another member, or who are kept out
    do not play."""
    if night.stage in ("over", "cancelled"):
        return ()
    gone = [each for each in night.entrants if each.member in nobody and each.reply != "no"]
    return tuple(
        Went(each.member) if each.member in night.playing else Replied(each.member, "no", each.place)
        for each in gone
    )


def called_off(night: Night, now: float) -> tuple[Event, ...]:
    """The league has ended: a night that has not begun is not held any more."""
    return () if night.rounds or night.stage in ("over", "cancelled") else (Cancelled(),)


def settled(night: Night) -> tuple[str, ...]:
    """Who plays when check-in closes: who is here, in the order in which they signed up, up to the cap."""
    here = [each.member for each in night.entrants if each.here and each.reply == "yes"]
    return tuple(here[: night.format.cap or None])


def _begins(night: Night) -> float:
    return max(night.start, night.check_in_closes or 0.0)


def _announced(night: Night, now: float) -> tuple[Event, ...]:
    if now >= night.start + TOO_LATE:
        return (Cancelled("too_late"),)
    if now < night.start - CHECK_IN_OPENS:
        return ()
    return (CheckInOpened(max(night.start - CHECK_IN_CLOSES, now + CHECK_IN_LEAST)),)


def _playing(night: Night, now: float) -> tuple[Event, ...]:
    round = night.round
    assert round is not None
    if all(table.over for table in round.tables) or now >= round.hard_end + PATIENCE:
        return (RoundEnded(round.number),)
    if now >= round.soft_end and not round.soft_ended:
        return (SoftEnded(round.number),)
    return ()


def _moments(round: NightRound) -> list[float]:
    there = [
        since + THERE_SECONDS
        for table in round.tables
        if not table.over
        for seat, since in enumerate(table.since)
        if seat not in table.free
    ]
    return [*there, round.soft_end, round.hard_end, round.hard_end + PATIENCE]


def _break(night: Night, now: float, seat: SeatThem) -> tuple[Event, ...]:
    if night.break_ends is None:
        return (*_gone(night), Ended())
    return _next_round(night, now, seat) if now >= night.break_ends else ()


def _next_round(night: Night, now: float, seat: SeatThem) -> tuple[Event, ...]:
    """Who got up is gone, who waits and is here plays where there is room, and all are seated."""
    gone = _gone(night)
    night = _after(night, now, gone)
    came = _promoted(night)
    night = _after(night, now, came)
    try:
        seated = seat(night, night.playing)
    except CannotSeat:
        return (*gone, *came, Ended() if night.rounds else Cancelled("too_few"))
    soft_end = now + night.format.round_minutes * 60
    hard_end = soft_end + night.format.grace_minutes * 60
    round = RoundSeated(len(night.rounds) + 1, seated.tables, seated.byes, soft_end, hard_end)
    return (*gone, *came, round)


def _gone(night: Night) -> tuple[Event, ...]:
    """Whose seat a computer player kept to the end; who never played at all was not there."""
    if night.round is None:
        return ()
    left = [table.seats[seat] for table in night.round.tables for seat in table.free]
    return tuple(
        Went(member, missed=not night.has_played(member)) for member in left if member in night.playing
    )


def _promoted(night: Night) -> tuple[Event, ...]:
    here = [each for each in night.entrants if each.here and each.reply == "yes"]
    waiting = [each for each in here if each.member not in night.playing]
    return tuple(Came(each.member, each.place) for each in waiting[: night.room])


def _after(night: Night, now: float, happened: Sequence[Event]) -> Night:
    for event in happened:
        night = after(night, Recorded(now, "", "", event))
    return night
