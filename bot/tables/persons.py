"""A person as a table knows him: by one of his accounts at a time, or not at all any more."""

from dataclasses import replace

from bot.tables import lobby
from bot.tables.changes import Change
from bot.tables.model import Table
from bot.tables.names import NOBODY
from bot.tables.play import Pace
from bot.tables.turns import STAND_IN
from engine.view import public_view


def followed(table: Table, old: str, new: str, language: str, now: float) -> Change | None:
    """A person's seat goes along from one of his accounts to the other, under which he acts now.

    None: he has no seat under the old one, or another seat under the new one.
    """
    number = table.seat_of(old)
    if number is None or table.seat_of(new) is not None:
        return None
    closed = table.seats[number].private_closed
    after = table.with_seat(
        number, person=new, language=language, seen=now, private_closed=False, alerts_only=False
    ).seat_touched(number)
    after = replace(after, host=new if table.host == old else table.host)
    return Change(after.touched() if closed else after)


def forgotten(table: Table, person: str, pace: Pace) -> Change | None:
    """A table at which nobody can tell any more that a person sat there; None when he did not.

    In a lobby he gets up; in a match that goes on a computer player has his seat from now on, and its
    points; in one that is over his seat has no name.
    """
    number = table.seat_of(person)
    if number is None:
        return _no_longer_removed(table, person)
    if table.stage == "lobby":
        change = lobby.leave(table, person)
        return replace(change, table=_hosted(change.table, person, number))
    if table.stage in ("playing", "between"):
        return _given_to_computer(table, number, person, pace)
    after = table.with_seat(number, person=None, name=NOBODY, language="", word="")
    return Change(_hosted(after, person, number).touched())


def _given_to_computer(table: Table, number: int, person: str, pace: Pace) -> Change:
    seat = table.seats[number]
    after = table.with_seat(
        number,
        person=None,
        name=lobby.computer_name(table.seats),
        language="",
        computer=seat.computer or STAND_IN,
        word="",
        draft=(),
        private_closed=False,
        alerts_only=False,
    )
    waited_for = table.stage == "playing" and public_view(table.match).turn == number and not seat.computer
    return Change(_hosted(after, person, number).touched(), due=pace.computer if waited_for else "keep")


def _no_longer_removed(table: Table, person: str) -> Change | None:
    if person not in table.removed:
        return None
    return Change(replace(table, removed=tuple(each for each in table.removed if each != person)))


def _hosted(table: Table, gone: str, number: int) -> Table:
    """The next person in seat order is host; a table without people has none."""
    if table.host != gone:
        return table
    return replace(table, host=lobby.host_after(table, number))
