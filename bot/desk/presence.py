"""Noting that somebody is there: whatever he presses at his table counts, also what is refused."""

from typing import Final

from bot.desk.visit import Visit
from bot.keeper import Keeper, Kept
from bot.league.naming import is_night
from bot.tables.changes import Change, Refused
from bot.tables.turns import present

PRESENCE_SECONDS: Final = 5.0
"""What changes nothing else is noted as presence at most so often: less than any clock's warning."""


def noticed(kept: Kept, person: str, *, private: bool) -> Change | None:
    """The table with a person noted as present; None when he has no seat, when that is no news, or when
    nobody's presence matters any more."""
    seat = kept.table.seat_of(person)
    if seat is None or kept.table.stage in ("over", "closed"):
        return None
    there = present(kept.table, seat, kept.now, private=private)
    known = kept.table.seats[seat]
    old_news = known.missed == 0 and known.private_closed == there.seats[seat].private_closed
    return None if old_news and kept.now - known.seen < PRESENCE_SECONDS else Change(there)


async def note_presence(keeper: Keeper, visit: Visit) -> Kept | None:
    """Note who pressed as present; the table as it then is, None when there is none."""
    table = visit.request.table
    if is_night(table):  # stored among the tables, and none
        return None
    try:
        return await keeper.change(
            table, None, lambda kept: noticed(kept, visit.by.key, private=visit.private)
        )
    except Refused:  # no such table, or too busy for what nobody is waiting for
        return await keeper.load(table)
