"""What organisers want of a night: what happens, or why not. Who asks and why is recorded beside it."""

from typing import Final

from bot.errors import Refused
from bot.league.decide import Happening, replaced, table_of
from bot.league.events import (
    Cancelled,
    CheckInClosed,
    Corrected,
    Decided,
    Ended,
    Extended,
    Paused,
    Penalised,
    Replayed,
    Rescheduled,
    SeatTaken,
    Voided,
    Went,
    WentOn,
)
from bot.league.model import Member
from bot.league.night import Night, NightTable
from bot.league.seating.sizes import table_sizes
from bot.league.timers import settled

LONGEST_EXTENSION: Final = 120
"""Minutes."""


def cancel(night: Night, now: float) -> Happening:
    """The night is not held, or not played on. Refused: `night_over`."""
    _not_over(night)
    return (Cancelled(),)


def end(night: Night, now: float) -> Happening:
    """The night ends now: what was played counts. Refused: `night_over`, `night_not_begun`."""
    _running(night)
    return (Ended(),)


def reschedule(night: Night, now: float, start: float) -> Happening:
    """The night begins at another moment. Refused: `night_over`, `night_begun`, `night_past`."""
    _not_over(night)
    if night.rounds:
        raise Refused("night_begun")
    if start <= now:
        raise Refused("night_past")
    return () if start == night.start else (Rescheduled(start),)


def close_check_in(night: Night, now: float) -> Happening:
    """Who is there now plays. Refused: `night_over`, `check_in_not_open`, `check_in_closed`, `too_few`."""
    _not_over(night)
    if night.stage == "announced":
        raise Refused("check_in_not_open")
    if night.stage != "check_in":
        raise Refused("check_in_closed")
    playing = settled(night)
    table_sizes(len(playing), night.format.fill)
    return (CheckInClosed(playing),)


def pause(night: Night, now: float) -> Happening:
    """The round clock and its tables' clocks stand still.

    Refused: `night_over`, `night_not_begun`, `paused_already`.
    """
    _running(night)
    if night.paused_at is not None:
        raise Refused("paused_already")
    return (Paused(),)


def go_on(night: Night, now: float) -> Happening:
    """It runs again. Refused: `night_over`, `night_not_begun`, `not_paused`."""
    _running(night)
    if night.paused_at is None:
        raise Refused("not_paused")
    return (WentOn(max(0.0, now - night.paused_at)),)


def extend(night: Night, now: float, minutes: int) -> Happening:
    """The running round's ends move on. Refused: `night_over`, `no_round_running`, `bad_minutes`."""
    _not_over(night)
    if night.stage != "playing" or night.round is None:
        raise Refused("no_round_running")
    if not 1 <= minutes <= LONGEST_EXTENSION:
        raise Refused("bad_minutes", most=LONGEST_EXTENSION)
    return (Extended(night.round.number, minutes * 60.0),)


def move(night: Night, now: float, member: Member, *, table: int, seat: int) -> Happening:
    """A member sits elsewhere from now on; who sat there takes his seat.

    Refused: `night_over`, `no_round_running`, `no_such_seat`, `table_over`.
    """
    there = _seat(night, table, seat)
    assert night.round is not None
    number = night.round.number
    taken = SeatTaken(number, table, seat, member.id)
    owner, here = there.seats[seat], night.round.seat_of(member.id)
    if owner == member.id:
        return () if seat not in there.free else (taken,)
    if seat in there.free:
        return (*replaced(night, owner, member.id), taken)
    if here is None or here[0].over or not owner:
        return (taken,)
    return taken, SeatTaken(number, here[0].number, here[1], owner)


def put_in(night: Night, now: float, out: str, member: Member, place: str) -> Happening:
    """Somebody plays for somebody else from now on.

    Refused: `night_over`, `no_round_running`, `not_in_night`, `table_over`, `sits_elsewhere`.
    """
    _not_over(night)
    if night.stage != "playing" or night.round is None:
        raise Refused("no_round_running")
    found = night.round.seat_of(out)
    if found is None:
        raise Refused("not_in_night")
    table = _seat(night, found[0].number, found[1])
    sits = night.round.seat_of(member.id)
    if sits is not None and not sits[0].over and sits[1] not in sits[0].free:
        raise Refused("sits_elsewhere")
    taken = SeatTaken(night.round.number, table.number, found[1], member.id, place)
    return (Went(out), taken) if out in night.playing else (taken,)


def send_away(night: Night, now: float, member: str) -> Happening:
    """A member plays no more rounds. Refused: `night_over`, `not_in_night`."""
    _not_over(night)
    if member not in night.playing:
        raise Refused("not_in_night")
    return (Went(member),)


def correct(night: Night, now: float, *, round: int, table: int, scores: tuple[int, ...]) -> Happening:
    """A table's scores are these. Refused: `unknown_night_table`, `table_running`, `table_void`,
    `bad_scores`."""
    corrected = _ended(night, round, table)
    if len(scores) != len(corrected.seats):
        raise Refused("bad_scores", n=len(corrected.seats))
    return () if corrected.corrected == scores else (Corrected(round, table, scores),)


def void(night: Night, now: float, *, round: int, table: int) -> Happening:
    """A table counts for nobody, running or over. Refused: `unknown_night_table`, `table_void`."""
    if table_of(night, round, table).void:
        raise Refused("table_void")
    return (Voided(round, table),)


def replay(night: Night, now: float, *, round: int, table: int) -> Happening:
    """A table is played again, while its round lasts.

    Refused: `unknown_night_table`, `night_round_over`, `night_over`.
    """
    _not_over(night)
    table_of(night, round, table)
    if night.stage != "playing" or round != len(night.rounds):
        raise Refused("night_round_over")
    return (Replayed(round, table),)


def penalise(night: Night, now: float, member: str, points: float) -> Happening:
    """Points are taken from somebody of this night. Refused: `not_in_night`, `bad_points`."""
    known = any(member in (*round.byes, *table.seats) for round in night.rounds for table in round.tables)
    if not known and member not in night.playing:
        raise Refused("not_in_night")
    if not 0 < points <= 100:
        raise Refused("bad_points")
    return (Penalised(member, points),)


def decide(night: Night, now: float, *, round: int, table: int, upheld: bool) -> Happening:
    """A dispute is decided; what comes of it is an act of its own. Refused: `no_dispute`."""
    if not table_of(night, round, table).disputed:
        raise Refused("no_dispute")
    return (Decided(round, table, upheld),)


def _ended(night: Night, round: int, number: int) -> NightTable:
    table = table_of(night, round, number)
    if table.void:
        raise Refused("table_void")
    if not table.over:
        raise Refused("table_running")
    return table


def _seat(night: Night, number: int, seat: int) -> NightTable:
    """A table of the running round that has this seat."""
    _not_over(night)
    if night.stage != "playing" or night.round is None:
        raise Refused("no_round_running")
    table = table_of(night, night.round.number, number)
    if table.over:
        raise Refused("table_over")
    if not 0 <= seat < len(table.seats):
        raise Refused("no_such_seat")
    return table


def _running(night: Night) -> None:
    _not_over(night)
    if night.stage not in ("playing", "break"):
        raise Refused("night_not_begun")


def _not_over(night: Night) -> None:
    if night.stage in ("over", "cancelled"):
        raise Refused("night_over")
