"""Tables in the store: the parts of a commit, and where a table can be found."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import structs

from bot.ids import TableId
from bot.repository.versioned import Commit, DocumentRepository, Versioned
from bot.store import KEEP, IndexHint, Keep, Store, community_hint, table_hints
from bot.store.codec import Codec, UnknownSchema
from bot.tables import clocks, places
from bot.tables.league_table import list_kept_seats
from bot.tables.table import SCHEMA, Change, Due, Table

CODEC: Final = Codec(Table, SCHEMA)

_ENTRY: Final = msgspec.json.Encoder()

StoredTable = Versioned[Table]
"""A stored table, with the notes of what is shown of it."""


class TableRepository(DocumentRepository[TableId, Table, Change]):
    """The tables of one store."""

    unknown = "unknown_table"

    def __init__(self, store: Store) -> None:
        super().__init__(store, CODEC)

    async def load_many(self, tables: Sequence[TableId]) -> list[StoredTable]:
        """Return those of the tables that exist and that this version of the program can read; in one round
        trip."""
        return [stored for stored in (await self.find(tables)).values() if stored is not None]

    async def find(self, tables: Sequence[TableId]) -> dict[TableId, StoredTable | None]:
        """Return tables by their ids, None where there is none, in one round trip. Tables that this version
        of the program cannot read are left out, since nobody knows whether they go on."""
        found: dict[TableId, StoredTable | None] = {}
        for table, stored in zip(tables, await self._store.documents.load_many(tables), strict=True):
            with suppress(UnknownSchema):
                found[table] = None if stored is None else self._read(stored)
        return found

    async def forget(self, table: Table) -> None:
        """Delete a table and the hints that lead to it, the hints first: later they could not be found."""
        for place in sorted({*table.places, *table.postings.rooms, *table.postings.rooms.values()}):
            await self._store.index.remove_place(place, table.id)
        accounts = {
            *_list_people(table),
            *table.gone.removed,
            *(each.person for each in table.gone.farewells),
        }
        accounts |= {
            other for each in sorted(accounts) if (other := await self._store.people.find_linked(each))
        }
        for account in sorted(accounts):
            await self._store.index.remove_person(account, table.id)
        await self._store.documents.forget(table.id)
        self._committed.pop(table.id, None)

    async def move_place(self, table: TableId, place: str, new_place: str) -> None:
        """Give a table's place its new key; the table's message there will be a new one."""
        await self._change_place(table, place, lambda now: places.rename_place(now, place, new_place))

    async def enter(self, table: TableId, rooms: Mapping[str, str]) -> None:
        """Show a table in its rooms from now on, given by the places for which they were opened."""

        def act(stored: StoredTable) -> Change | None:
            return Change(places.enter_rooms(stored.value, rooms)) if stored.value.awaits_room else None

        await self.change_if_there(table, None, act)

    async def leave_room(self, table: TableId, room: str) -> bool:
        """Take a deleted room off a table; whether it was one of the table's rooms."""
        left = False

        def act(stored: StoredTable) -> Change | None:
            nonlocal left
            left = room in stored.value.postings.rooms
            return Change(places.return_from_room(stored.value, room)) if left else None

        await self.change_if_there(table, None, act)
        await self._store.index.remove_place(room, table)
        return left

    async def leave_place(self, table: TableId, place: str) -> None:
        """Take a table off a place in which it may no longer be shown."""
        await self._change_place(table, place, lambda now: places.remove_place(now, place))

    async def _change_place(self, table: TableId, place: str, change: Callable[[Table], Table]) -> None:
        """Change a table that stands in a place, and remove the hint that leads there."""

        def act(stored: StoredTable) -> Change | None:
            return Change(change(stored.value)) if place in stored.value.places else None

        await self.change_if_there(table, None, act)
        await self._store.index.remove_place(place, table)

    async def private_closed(self, table: TableId, person: str, *, alerts: bool) -> None:
        """Note that a private message could not reach a person; `alerts`: only alerts can."""

        def act(stored: StoredTable) -> Change | None:
            seat = stored.value.seat_of(person)
            if seat is None:
                return None
            sits = stored.value.seats[seat]
            alerts_only = alerts or (sits.private_closed and sits.alerts_only)
            if (sits.private_closed, sits.alerts_only) == (True, alerts_only):
                return None
            return Change(stored.value.with_seat(seat, private_closed=True, alerts_only=alerts_only))

        await self.change_if_there(table, None, act)

    def _after_loss(self, newest: Table, lost: int) -> Change:
        """Have everybody shown the table again: their messages tell of moves that were lost."""
        return Change(structs.replace(newest, recovered=lost))

    async def _confirm_repeated(self, id: TableId, newest: StoredTable) -> StoredTable:
        """Wait for the disk again after a match: no other action has to be there."""
        return await super()._confirm_repeated(id, newest) if newest.value.stage == "over" else newest

    def _make_commit(self, before: Table | None, change: Change) -> Commit[Table]:
        return Commit(
            change.table,
            entries=[_ENTRY.encode(entry) for entry in change.entries],
            due=_due("never" if clocks.stands_still(change.table) else change.due),
            ended=_is_news(change.table, before),
            durable=change.table.stage == "over" and (before is None or before.stage != "over"),
            hints=[
                *_hints(before, change.table),
                *(community_hint(change.table.id, each, self._store.clock()) for each in change.communities),
            ],
        )


def _hints(before: Table | None, after: Table) -> list[IndexHint]:
    """Return the hints for people and places that are new, and for all of them with each round: indexes
    expire, and a table whose turns take a day each lasts long."""
    known = before if before is not None and _message(before) == _message(after) else None
    persons = set(_list_people(after)) - set(() if known is None else _list_people(known))
    places = set(after.places) - set(() if known is None else known.places)
    return table_hints(after.id, places=sorted(places), persons=sorted(persons))


def _list_people(table: Table) -> tuple[str, ...]:
    """Return the people who sit at a table, or whom it calls."""
    return (*table.people(), *(each.person for each in table.calls.called))


def _message(table: Table) -> object:
    """Return what a table's message begins with: a round, or a posting."""
    return table.match.round_number, table.postings.posted


def _is_news(table: Table, before: Table | None) -> bool:
    """Return whether the match history or the table's night has something new to learn."""
    if table.night is not None and before is not None and list_kept_seats(table) != list_kept_seats(before):
        return True
    if not table.results or table.stage == "playing" or table.practice:
        return False
    return before is None or _list_played(table) != _list_played(before)


def _list_played(table: Table) -> object:
    """Everything of a table that the match history keeps."""
    return table.results, table.stage, table.places, [(seat.person, seat.name) for seat in table.seats]


def _due(due: Due) -> Keep | float | None:
    if due == "keep":
        return KEEP
    return None if due == "never" else due
