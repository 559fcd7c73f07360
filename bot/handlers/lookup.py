"""Lookup: the table that a person names, or the one they mean when they name none.

The store's indexes are hints; the table itself decides.
"""

from collections.abc import Callable
from typing import Final

from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.ports import channel_of
from bot.repository.tables import StoredTable
from bot.screens.parts import table_name

_LIVELIEST: Final = ("playing", "between", "lobby", "over", "closed")
"""Stages in order of preference. Within a stage, the newest table is meant."""

Wanted = Callable[[StoredTable], bool]


def _any(stored: StoredTable) -> bool:
    return True


async def find_own(context: RequestContext, wanted: Wanted = _any) -> StoredTable | None:
    """Return the table at which the person sits."""
    found = await tables_of(context, context.by.key)
    return _liveliest([each for each in found if each.value.seat_of(context.by.key) is not None], wanted)


async def own_table(context: RequestContext, wanted: Wanted = _any) -> StoredTable:
    """Return the table at which a person sits in a place. Raises Refused `no_table` when they sit at none."""
    stored = await find_own(context, wanted)
    if stored is None:
        raise Refused("no_table")
    return stored


async def own_tables(context: RequestContext, table: str, wanted: Wanted) -> list[StoredTable]:
    """Return the tables at which the person sits, those of this place first, then the liveliest; with a
    number or id, that one first. When the same request comes again, the table at which it was carried out is
    first, whether or not they still sit there. Raises Refused `no_table`, and `unknown_table` when none is
    called so."""

    def order(stored: StoredTable) -> tuple[bool, bool, tuple[int, bool, float]]:
        here = context.place is not None and _stands(stored, context.place)
        return not is_called(stored), not here, _liveliness(stored)

    def is_called(stored: StoredTable) -> bool:
        return _is_named(stored, table, context.find_view_place(stored.value))

    found = await tables_of(context, context.by.key)
    done = [each for each in found if each.is_repeated(context.action)]
    own = [each for each in found if each.value.seat_of(context.by.key) is not None and wanted(each)]
    if done:
        return [*done, *(each for each in own if each not in done)]
    if not own:
        raise Refused("no_table")
    if not any(map(is_called, own)):
        raise Refused("unknown_table")
    return sorted(own, key=order)


def call_table(context: RequestContext, stored: StoredTable) -> str:
    """Return a table's name with that of its place, for a person who knows several tables."""
    place = context.find_view_place(stored.value)
    name = table_name(stored.value, context.words, place)
    where = context.services.viewing.name_place(place)
    return f"{name} · {where}" if where and stored.value.night is None else name


async def list_meant(context: RequestContext, wanted: Wanted = _any) -> list[StoredTable]:
    """Return the tables that a person may mean who names none: theirs in this place, or else all of theirs,
    the liveliest first, without practice."""
    own = [
        each
        for each in await tables_of(context, context.by.key)
        if each.value.seat_of(context.by.key) is not None and not each.value.practice and wanted(each)
    ]
    here = [each for each in own if context.place is not None and _stands(each, context.place)]
    return sorted(here or own, key=_liveliness)


async def find_at(
    context: RequestContext, place: str, table: str = "", wanted: Wanted = _any
) -> StoredTable | None:
    """Return a table of a place or of a room in it: the one with that number or id, or the liveliest."""
    found = await context.services.tables.load_many(await context.services.store.index.tables_at(place))
    return _liveliest(
        [stored for stored in found if _stands(stored, place) and _is_named(stored, table, place)], wanted
    )


async def find_table(context: RequestContext, table: str, wanted: Wanted) -> StoredTable | None:
    """Return a table of the place, or one at which they sit: the named one, or the liveliest."""
    found = None if context.place is None else await find_at(context, context.place, table, wanted)
    if found is not None:
        return found

    def is_meant(stored: StoredTable) -> bool:
        return wanted(stored) and _is_named(stored, table, context.find_view_place(stored.value))

    return await find_own(context, is_meant)


async def tables_of(context: RequestContext, person: str) -> list[StoredTable]:
    """Return the tables at which a person may sit."""
    services = context.services
    return await services.tables.load_many(await services.store.index.tables_of(person))


def _is_named(stored: StoredTable, table: str, place: str | None) -> bool:
    return table.lower() in ("", stored.value.id, stored.value.number_in(place))


def _stands(stored: StoredTable, place: str) -> bool:
    return place in stored.value.places or place in map(channel_of, stored.value.places)


def _liveliest(tables: list[StoredTable], wanted: Wanted) -> StoredTable | None:
    return min(filter(wanted, tables), key=_liveliness, default=None)


def _liveliness(stored: StoredTable) -> tuple[int, bool, float]:
    """Return the key by which the liveliest table is the least; among equals practice comes last."""
    return _LIVELIEST.index(stored.value.stage), stored.value.practice, -stored.value.opened_at
