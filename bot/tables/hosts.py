"""Who is host when the host goes, and whom a host sends away."""

from dataclasses import replace
from hashlib import blake2b

from bot.tables import persons
from bot.tables.changes import Change, Refused
from bot.tables.model import RECENT_MOST, Recent, Table
from bot.tables.play import Pace

REMOVED_MOST = 16
"""So many people a table remembers as removed; who was removed before them may come back."""


def tag(person: str) -> str:
    """A person in a few letters, for a button that must still mean him when seats have changed."""
    return blake2b(person.encode(), digest_size=6).hexdigest()


def removable(table: Table) -> tuple[int, ...]:
    """The seats of the people whom the host can remove."""
    if table.stage not in ("lobby", "playing", "between"):
        return ()
    return tuple(i for i, seat in enumerate(table.seats) if seat.person and seat.person != table.host)


def tagged(table: Table, told: str) -> int:
    """The seat of the person of that tag. Raises Refused `nobody_there`."""
    for number in removable(table):
        if tag(str(table.seats[number].person)) == told:
            return number
    raise Refused("nobody_there")


def only_host(table: Table, person: str) -> None:
    """Raises Refused `not_host`, `league_table`."""
    if table.night is not None:
        raise Refused("league_table")
    if person != table.host:
        host = table.seat_of(table.host)
        raise Refused("not_host", host="" if host is None else table.seats[host].name)


def remove(table: Table, host: str, told: str, pace: Pace) -> Change:
    """The host removes the person of a tag, who cannot come back to this table.

    In a lobby his seat is free again; in a match a computer player has it from now on, and its points.
    Refused: `not_host`, `nobody_there`.
    """
    only_host(table, host)
    number = tagged(table, told)
    person = str(table.seats[number].person)
    change = persons.forgotten(table, person, pace)
    assert change is not None
    after = replace(change.table, removed=(*table.removed, person)[-REMOVED_MOST:])
    if table.stage != "lobby":
        after = replace(after, recent=(*after.recent, Recent("removed", number))[-RECENT_MOST:])
    return replace(change, table=after)
