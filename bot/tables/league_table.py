"""League table: a table that a league opens. It has no host, and its night says who sits where.

Every function here may be called again: what is already as it should be stays as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from msgspec import structs

from bot.ids import TableId
from bot.tables import clocks, play
from bot.tables.names import computer_seat
from bot.tables.play import Delays
from bot.tables.table import (
    USUAL_LEVEL,
    AtNight,
    Change,
    DealProof,
    Display,
    Due,
    HostChoices,
    NamedRound,
    Postings,
    Recent,
    Seat,
    Table,
    TableClock,
)
from engine.context import seal_from
from engine.match import new_match
from engine.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The owner of a seat in a night: a member, or a computer player."""

    member: str
    """Empty: the seat has been a computer player's from the beginning."""
    person: str | None
    """Their account; None for a computer player, and for a member who no longer plays."""
    name: str = ""
    language: str = ""
    taken: int = 0
    """How often the night has given the seat to a new player."""
    late: bool = False
    """Whether they should have touched their tiles by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The values with which a night's table is opened."""

    id: TableId
    night: AtNight
    places: tuple[str, ...]
    language: str
    languages: Mapping[str, str]
    """The languages of the places that differ from `language`."""
    rules: Rules
    turn_seconds: int
    owners: tuple[Owner, ...]
    display: Display
    room: bool


def open_table(
    opening: Opening, secret: bytes, now: float, delays: Delays, named: NamedRound | None = None
) -> Change:
    """Return the table with its first round of tiles dealt, or awaiting a beacon; seats in the order
    given."""
    seats: tuple[Seat, ...] = ()
    for owner in opening.owners:
        seats = (*seats, _seat_of(owner, computer_seat(seats, USUAL_LEVEL, opening.language)))
    table = Table(
        id=opening.id,
        places=opening.places,
        host="",
        language=opening.language,
        postings=Postings(languages=opening.languages, room=opening.room),
        clock=TableClock(turn_seconds=opening.turn_seconds),
        stage="lobby",
        seats=seats,
        match=new_match(opening.rules),
        opened_at=now,
        proof=DealProof(sealed=seal_from(secret, opening.id, 1)),
        choices=HostChoices(display=opening.display),
        night=opening.night,
    )
    return play.next_round(table, delays, named)


def as_wanted(
    table: Table, owners: tuple[Owner, ...], delays: Delays, *, last: bool, paused: bool
) -> Change | None:
    """Return the table as its night wants it, even while it awaits its first tiles; None when it is already
    so, or over."""
    if table.is_over or table.night is None:
        return None
    seats = tuple(_find_kept_by(owner, table, seat) for seat, owner in enumerate(owners))
    after = structs.replace(table, seats=seats, night=replace(table.night, last=last, paused=paused))
    if after == table:
        return None
    after = _tell(table, after)
    if last and after.stage == "between":
        return play.stop(after)
    return Change(after, due=_due(table, after, delays))


def list_kept_seats(table: Table) -> tuple[int, ...]:
    """Return the members' seats that a computer player keeps."""
    return tuple(i for i, seat in enumerate(table.seats) if seat.member and seat.computer is not None)


def _find_kept_by(owner: Owner, table: Table, number: int) -> Seat:
    seat = table.seats[number]
    if seat.taken != owner.taken and not owner.member:
        computer = computer_seat(table.seats, USUAL_LEVEL, table.language, seat)
        return structs.replace(computer, shelves=seat.shelves, taken=owner.taken)
    if not owner.member:
        return seat
    if seat.taken != owner.taken:
        there = seat.member == owner.member and seat.person and seat.computer is None
        return structs.replace(seat, taken=owner.taken) if there else _seat_of(owner, seat)
    if seat.person and owner.person is None:
        return _seat_of(owner, seat)
    if owner.late and seat.computer is None and not seat.seen:
        return structs.replace(seat, computer=USUAL_LEVEL)
    return seat


def _seat_of(owner: Owner, before: Seat) -> Seat:
    """Return the seat in its owner's hands; the rack stays as it lies."""
    return structs.replace(
        before,
        person=owner.person,
        name=owner.name or before.name,
        language=owner.language,
        computer=None if owner.person else before.computer or USUAL_LEVEL,
        member=owner.member,
        taken=owner.taken,
        draft=(),
        word="",
        closed=before.closed if before.member == owner.member and owner.person else (),
        missed=0,
        seen=0.0,
        private_closed=False,
        alerts_only=False,
        shared=before.shared if before.member == owner.member else None,
    )


def _tell(before: Table, after: Table) -> Table:
    """Return the table with what its new players, and those before them, are told."""
    for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if _hands(old) == _hands(new):
            continue
        if new.computer and not old.computer:
            after = after.note(Recent("replaced", number))
        if old.person and old.person != new.person:
            after = after.part(old, "passed_on")
        after = after.welcome(number)
    return after


def _due(before: Table, after: Table, delays: Delays) -> Due:
    """Return the clock after the change: a new player, or a turn that goes on after a pause, gets the full
    time."""
    if clocks.stands_still(before) and not clocks.stands_still(after):
        return play.clock(after, delays)
    if (turn := after.turn) is None:
        return "keep"
    return play.clock(after, delays) if _hands(before.seats[turn]) != _hands(after.seats[turn]) else "keep"


def _hands(seat: Seat) -> tuple[str | None, str | None]:
    """Return the person and the computer player of a seat."""
    return seat.person, seat.computer
