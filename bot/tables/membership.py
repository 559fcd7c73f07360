"""Membership of a table: hosts and their successors, removed people, the several accounts of a person."""

from dataclasses import replace
from hashlib import blake2b

from msgspec import structs

from bot.errors import Refused
from bot.tables import lobby, play
from bot.tables.names import NOBODY, computer_name
from bot.tables.play import Delays
from bot.tables.table import USUAL_LEVEL, Change, FarewellReason, GonePeople, Recent, RecentKind, Table

REMOVED_MOST = 16
"""How many removed people a table remembers; those removed before them may come back."""


def tag(person: str) -> str:
    """Return a short tag of a person, for a button that must still mean them after seats have changed."""
    return blake2b(person.encode(), digest_size=6).hexdigest()


def removable(table: Table) -> tuple[int, ...]:
    """Return the seats of the people that the host can remove."""
    if table.stage not in ("lobby", "playing", "between"):
        return ()
    return tuple(i for i, seat in enumerate(table.seats) if seat.person and seat.person != table.host)


def find_tagged(table: Table, told: str) -> int:
    """Return the seat of the person with this tag. Raises Refused `nobody_there`."""
    for number in removable(table):
        if tag(str(table.seats[number].person)) == told:
            return number
    raise Refused("nobody_there")


def check_host_of_open_table(table: Table, person: str) -> None:
    """Check that the person is host and the table no league's. Raises Refused `not_host`, `league_table`."""
    if table.night is not None:
        raise Refused("league_table")
    lobby.check_host(table, person)


def remove(table: Table, host: str, told: str, delays: Delays) -> Change:
    """Remove the person with this tag, who cannot come back to this table.

    In a lobby the seat becomes free; in a match a computer player takes it for good, with its points.
    Refused: `not_host`, `nobody_there`, `league_table`.
    """
    check_host_of_open_table(table, host)
    number = find_tagged(table, told)
    person = str(table.seats[number].person)
    change = _unseat(table, number, "removed", delays)
    removed = (*table.gone.removed, person)[-REMOVED_MOST:]
    return replace(
        change, table=structs.replace(change.table, gone=structs.replace(change.table.gone, removed=removed))
    )


def block(table: Table, person: str, delays: Delays) -> Change | None:
    """Return the table, which is not over, without a person whom an organiser has blocked: their seat goes as
    when the host removes somebody. None: they do not sit there."""
    number = table.seat_of(person)
    return None if number is None else _unseat(table, number, "blocked", delays)


def let_go(table: Table, person: str, delays: Delays) -> Change | None:
    """Return the table, which is not over, without a person who can read none of its places any more; None:
    they do not sit there."""
    number = table.seat_of(person)
    return None if number is None else _unseat(table, number, "gone", delays)


def _unseat(table: Table, number: int, why: FarewellReason, delays: Delays) -> Change:
    """Return the table without the person of a seat, who is told why."""
    change = _vacate(table, number, "left" if why == "gone" else "removed", delays)
    return replace(change, table=change.table.part(table.seats[number], why))


def follow_account(table: Table, old: str, new: str, language: str, now: float) -> Change | None:
    """Return the table with a person's seat moved from one of their accounts to the one that they use now.

    None: they have no seat under the old one, or have another seat under the new one.
    """
    number = table.seat_of(old)
    if number is None or table.seat_of(new) is not None:
        return None
    after = table.with_seat(
        number, person=new, language=language, seen=now, private_closed=False, alerts_only=False
    )
    after = after.welcome(number)
    after = structs.replace(after, host=new if table.host == old else table.host)
    return Change(after)


def forget_person(table: Table, person: str, delays: Delays) -> Change | None:
    """Return the table without any trace that a person sat there; None when they did not.

    In a lobby they leave; in a running match a computer player takes their seat for good, with its points; in
    a match that is over their seat loses its name.
    """
    number = table.seat_of(person)
    if number is None:
        return _stop_telling(table, person)
    table = _stop_calling(table, person)
    if not table.is_over:
        return _vacate(table, number, "left", delays)
    after = table.with_seat(
        number, person=None, name=NOBODY, language="", word="", closed=(), reactions=(), shared=None
    )
    return Change(_choose_host(after, person, number))


def _vacate(table: Table, number: int, how: RecentKind, delays: Delays) -> Change:
    """Return the table, which is not over, without the person of a seat; in a match, everybody is told."""
    person = str(table.seats[number].person)
    if table.waits_for_people:
        change = lobby.without(table, person)
    else:
        change = _give_to_computer(table, number, how, delays)
    return replace(change, table=_choose_host(change.table, person, number))


def _give_to_computer(table: Table, number: int, how: RecentKind, delays: Delays) -> Change:
    seat = table.seats[number]
    after = table.with_seat(
        number,
        person=None,
        name=computer_name(table.seats, table.language, seat),
        language="",
        computer=seat.computer or USUAL_LEVEL,
        word="",
        closed=(),
        draft=(),
        reactions=(),
        shared=None,
        private_closed=False,
        alerts_only=False,
    )
    recent = tuple(each for each in after.news.recent if not _tells_of_return(each, number))
    after = structs.replace(after, news=structs.replace(after.news, recent=recent)).note(Recent(how, number))
    return Change(after, due=play.clock_without(table, after, number, delays))


def _tells_of_return(told: Recent, number: int) -> bool:
    """Return whether it says that the player of a seat will return, or has: untrue once they have gone for
    good."""
    return told.seat == number and told.kind in ("replaced", "returned")


def _stop_telling(table: Table, person: str) -> Change | None:
    removed = tuple(each for each in table.gone.removed if each != person)
    farewells = tuple(each for each in table.gone.farewells if each.person != person)
    gone = GonePeople(removed=removed, farewells=farewells)
    after = structs.replace(_stop_calling(table, person), gone=gone)
    return None if after == table else Change(after)


def _stop_calling(table: Table, person: str) -> Table:
    """Return the table that neither calls a person nor says that they call anybody."""
    called = tuple(
        replace(each, by="" if each.by == person else each.by)
        for each in table.calls.called
        if each.person != person
    )
    return (
        table
        if called == table.calls.called
        else structs.replace(table, calls=structs.replace(table.calls, called=called))
    )


def _choose_host(table: Table, gone: str, number: int) -> Table:
    """Return the table with the next person in seat order as host; a table without people has none."""
    if table.host != gone:
        return table
    return structs.replace(table, host=lobby.host_after(table, number))
