"""Timers: the events that a night brings about by itself, and their times."""

from collections.abc import Callable, Sequence, Set
from typing import Final, Literal

from bot.league import events
from bot.league.apply import after
from bot.league.events import NightEvent, Recorded
from bot.league.finals import next_step
from bot.league.model import Stage
from bot.league.night import Night, NightRound
from bot.league.seating import CannotSeat, Seated

CHECK_IN_OPENS: Final = 20 * 60.0
CHECK_IN_CLOSES: Final = 3 * 60.0
"""Seconds before the start."""

REMINDERS: Final = (24 * 3600.0, 3600.0, 600.0)
"""Seconds before the start at which members who signed up are reminded."""

CHECK_IN_LEAST: Final = 5 * 60.0
"""Seconds for which check-in stays open at least if it opens late."""

TOO_LATE: Final = 3600.0
"""Seconds after its start, or after the end of its check-in, at which a night that could not begin is
cancelled."""

THERE_SECONDS: Final = 120.0
"""Seconds after a round's start at which a player who has not touched their tiles counts as absent."""

UNATTENDED_LEAST: Final = 30.0
"""Seconds of absence from which lost time is made good."""

TABLES_LATE: Final = 120.0
"""Seconds after its hard end for which a round waits for the last news of its tables."""

SeatRound = Callable[[Night, Sequence[str]], Seated]
"""A function that seats the next round of a night. Raises CannotSeat."""


def due(night: Night, now: float, seat: SeatRound) -> tuple[NightEvent, ...]:
    """Return the next events that a night brings about by itself; empty: nothing is due yet."""
    if night.paused_at is not None:
        return ()
    match night.stage:
        case "announced" if now >= night.start + TOO_LATE:
            return (events.NightCancelled("too_late"),)
        case "announced" if now >= night.start - CHECK_IN_OPENS:
            return (events.CheckInOpened(max(night.start - CHECK_IN_CLOSES, now + CHECK_IN_LEAST)),)
        case "check_in" | "ready" if now >= _begins(night) + TOO_LATE:
            return (events.NightCancelled("too_late"),)
        case "check_in" if night.check_in_closes is not None and now >= night.check_in_closes:
            return (events.CheckInClosed(night.settled),)
        case "ready" if now >= _begins(night):
            return _next_round(night, now, seat)
        case "playing":
            assert night.round is not None
            return _ends_of(night.round, now)
        case "break" if night.break_ends is None or (night.heats and _is_decided(night, now)):
            return (*_withdraw_gone(night), events.Ended())
        case "break" if night.break_ends is not None and now >= night.break_ends:
            return _next_round(night, now, seat)
    return ()


def wakes_at(night: Night, now: float) -> float | None:
    """Return the moment of the next thing to do, when everything due by `now` is done; None: never."""
    if night.paused_at is not None:
        return None
    reminders = [night.start - before for before in REMINDERS]
    match night.stage:
        case "announced":
            moments = [*reminders, night.start - CHECK_IN_OPENS]
        case "check_in":
            moments = [*reminders, night.check_in_closes or now]
        case "ready":
            return _begins(night)
        case "playing":
            assert night.round is not None
            moments = _moments(night.round)
        case "break":  # none while a knockout waits for a decision, which is a change of the night
            return night.break_ends if night.break_ends is None or night.break_ends > now else None
        case _:
            return None
    return min((moment for moment in moments if moment > now), default=None)


def note_unattended(night: Night, total: float) -> tuple[NightEvent, ...]:
    """Return the event for time in which no process was at work, so that nobody loses that time. `total`: all
    such seconds since the night was announced."""
    seconds = total - night.unattended
    if seconds < UNATTENDED_LEAST:
        return ()
    postpones = night.paused_at is None and night.stage in ("check_in", "playing", "break")
    return (events.Unattended(seconds if postpones else 0.0, total),)


def sign_off(night: Night, now: float, nobody: Set[str]) -> tuple[NightEvent, ...]:
    """Withdraw members who cannot play: those whose accounts were forgotten or joined to another member, and
    those who are kept out."""
    if night.stage in ("over", "cancelled"):
        return ()
    gone = [each for each in night.entrants if each.member in nobody and each.reply != "no"]
    return tuple(
        events.Went(each.member)
        if each.member in night.playing
        else events.Replied(each.member, "no", each.place)
        for each in gone
    )


def call_off(night: Night, now: float) -> tuple[NightEvent, ...]:
    """Cancel a night that has not begun, when the league has ended."""
    return _cancel(night, "ended")


def put_off(night: Night, now: float) -> tuple[NightEvent, ...]:
    """Cancel a night that has not begun, when its season is put off."""
    return _cancel(night, "paused")


def take_off(night: Night, now: float) -> tuple[NightEvent, ...]:
    """Take a night off the calendar that has not begun, when one before it is held after all."""
    return _cancel(night, "early")


def _cancel(night: Night, reason: Literal["ended", "paused", "early"]) -> tuple[NightEvent, ...]:
    """Cancel a night that has not begun."""
    return () if night.rounds or night.stage in ("over", "cancelled") else (events.NightCancelled(reason),)


def announce_again(night: Night, now: float, announced: events.Announced) -> tuple[NightEvent, ...]:
    """Announce a night once more that was taken off the calendar."""
    return (announced,) if night.cancelled == "early" else ()


def renumber(night: Night, now: float, number: int, final: Stage | None) -> tuple[NightEvent, ...]:
    """Give a night that has not begun another number in its season, if it has another one, and the final if
    it is to be played then."""
    if (night.number, night.final) == (number, final) or night.rounds:
        return ()
    return () if night.stage in ("over", "cancelled") else (events.Renumbered(number, final),)


def _begins(night: Night) -> float:
    return max(night.start, night.check_in_closes or 0.0)


def _ends_of(round: NightRound, now: float) -> tuple[NightEvent, ...]:
    if all(table.over for table in round.tables) or now >= round.hard_end + TABLES_LATE:
        return (events.RoundEnded(round.number),)
    if now >= round.soft_end and not round.soft_ended:
        return (events.SoftEnded(round.number),)
    return ()


def _moments(round: NightRound) -> list[float]:
    there = [
        since + THERE_SECONDS
        for table in round.tables
        if not table.over
        for seat, since in enumerate(table.since)
        if seat not in table.free
    ]
    return [*there, round.soft_end, round.hard_end, round.hard_end + TABLES_LATE]


def _next_round(night: Night, now: float, seat: SeatRound) -> tuple[NightEvent, ...]:
    """Seat the next round: those who left are out, those present and waiting take their places."""
    gone = _withdraw_gone(night)
    night = _after(night, now, gone)
    came = tuple(events.Came(each.member, each.place) for each in night.promoted)
    night = _after(night, now, came)
    advanced: tuple[NightEvent, ...] = ()
    try:
        if night.knockout_follows:
            step = next_step(night)
            if step.seated is None:  # it waits for a decision: what is decided has ended already
                return ()
            advanced, seated = step.happened, step.seated
        else:
            seated = seat(night, night.playing)
    except CannotSeat:
        return (*gone, *came, events.Ended() if night.rounds else events.NightCancelled("too_few"))
    ends = night.format.round_ends(now)
    round = events.RoundSeated(len(night.rounds) + 1, seated.tables, seated.byes, *ends)
    return (*gone, *came, *advanced, round)


def _is_decided(night: Night, now: float) -> bool:
    """Return whether a knockout has nothing left to be played."""
    step = next_step(_after(night, now, _withdraw_gone(night)))
    return step.seated is None and not step.waits


def _withdraw_gone(night: Night) -> tuple[NightEvent, ...]:
    """Withdraw members whose seats computer players kept to the end; those who never played are absent."""
    if night.round is None:
        return ()
    left = [table.seats[seat] for table in night.round.tables for seat in table.free]
    return tuple(
        events.Went(member, missed=not night.has_played(member)) for member in left if member in night.playing
    )


def _after(night: Night, now: float, happened: Sequence[NightEvent]) -> Night:
    for event in happened:
        night = after(night, Recorded(now, "", "", event))
    return night
