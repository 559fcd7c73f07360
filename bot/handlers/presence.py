"""Presence: people who sit down, and who are noted as present by what they do."""

from dataclasses import replace
from typing import Final

from msgspec import structs

from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.ids import TableId, read_key, table_id
from bot.people.profiles import Profile
from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.store import Store
from bot.tables.names import clean_name
from bot.tables.table import Change, Seat, Table
from bot.tables.turns import mark_present

PRESENCE_SECONDS: Final = 5.0
"""Seconds between two notes of presence by requests that change nothing else; less than any clock's
warning."""


def joining_seat(context: RequestContext, stored: StoredTable) -> Seat:
    """Return a seat for the person, who joins a table that they may read."""
    seat = new_seat(context.by, context.profile, stored.now)
    return structs.replace(seat, guest=context.may_read.get(stored.value.id) == "invited")


def new_seat(person: Person, profile: Profile, now: float) -> Seat:
    """Return a seat for a person who joins."""
    return Seat(
        person=person.key,
        name=clean_name(person.name),
        language=person.language[:16],
        stand_in=profile.stand_in,
        seen=now,
    )


async def new_table_id(store: Store, place: str, person: str, id: str) -> TableId:
    """Return the id of the table that a command or press opens. A request delivered twice opens one table."""
    return table_id(await store.secret.digest("table", place, person, id))


def mark_presser(context: RequestContext, stored: StoredTable) -> Table:
    """Return the table with its presser noted as present. Raises Refused `not_seated`."""
    return mark_present(stored.value, context.seat(stored), stored.now, private=context.private)


def notice_person(context: RequestContext, stored: StoredTable) -> Change | None:
    """Return the table with the person noted as present, under their current name; None when they have no
    seat, when nothing changes, or when presence no longer matters."""
    seat = stored.value.seat_of(context.by.key)
    if seat is None or stored.value.is_over:
        return None
    there = mark_presser(context, stored)
    known, name = stored.value.seats[seat], clean_name(context.by.name)
    if known.name != name and stored.value.night is None:  # a night uses the names of its league's members
        return Change(there.with_seat(seat, name=name))
    old_news = known.missed == 0 and known.private_closed == there.seats[seat].private_closed
    return None if old_news and stored.now - known.seen < PRESENCE_SECONDS else Change(there)


def also_present(context: RequestContext, stored: StoredTable, change: Change) -> Change:
    """Add the person's presence to a change, for one commit."""
    there = notice_person(context, replace(stored, value=change.table))
    return change if there is None else replace(change, table=there.table)


async def note_presence(context: RequestContext) -> StoredTable | None:
    """Note at the button's table that the presser is present. Return the table; None: there is none."""
    match read_key(context.data.target):
        case "table", table:
            pass
        case _:
            return None
    tables = context.services.tables
    try:
        return await tables.change_if_there(table, None, lambda stored: notice_person(context, stored))
    except Refused:  # too busy, and nobody waits for this note
        return await tables.load(table)
