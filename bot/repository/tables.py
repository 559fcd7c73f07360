"""Tables out of the store and back: load, act, commit, and again when somebody else was quicker."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from bot.errors import Refused
from bot.repository.versioned import Versioned
from bot.store import KEEP, Committed, Conflict, Keep, Repeated, Store, Stored
from bot.store.codec import Codec, UnknownSchema, renamed
from bot.tables import clocks, lobby
from bot.tables.league_table import kept_seats
from bot.tables.table import SCHEMA, Change, Due, Table

TRIES: Final = 12
"""So many people may act on one table at once before one of them is asked to press again."""


def _upgrade_1(table: dict[str, Any]) -> None:
    """Schema 1 had other names for what counts revisions."""
    renamed(
        table,
        {
            "moves": "game_revision",
            "stamp": "revision",
            "round_stamp": "round_revision",
            "game_stamp": "news_revision",
        },
    )
    for seat in table["seats"]:
        renamed(seat, {"stamp": "revision"})


CODEC: Final = Codec(Table, SCHEMA, {1: _upgrade_1})

ELSEWHERE: Final = "-"
"""What no table's name holds: leagues and nights, kept in the same way, have it in theirs."""

_ENTRY: Final = msgspec.json.Encoder()


StoredTable = Versioned[Table]
"""A table as it stands in the store."""

Act = Callable[[StoredTable], Change | None]
"""What to do to a table; None: nothing. Raises Refused."""

Committing = Callable[[StoredTable], None]
"""Told a table as it has just been committed."""


class TableRepository:
    """The tables of one store."""

    def __init__(self, store: Store, committed: Committing) -> None:
        self._store = store
        self._committed = committed

    async def load(self, table: str) -> StoredTable | None:
        """A table, or None when there is none. Raises StoreUnavailable, UnknownSchema."""
        stored = None if ELSEWHERE in table else await self._store.load(table)
        return None if stored is None else _kept(stored)

    async def load_many(self, tables: Sequence[str]) -> list[StoredTable]:
        """Those of the tables that there are, and that this version of the program can read."""
        loaded = []
        for stored in await self._store.load_many(tables):
            with suppress(UnknownSchema):
                loaded += [] if stored is None else [_kept(stored)]
        return loaded

    async def create(self, change: Change, action: str) -> None:
        """Commit a new table. Its indexes are written first: they may point to nothing, never miss one."""
        table = change.table
        for place in table.places:
            await self._store.add_place(place, table.id)
        for person in table.people():
            await self._store.add_person(person, table.id)
        await self._commit(table.id, 0, change, action)

    async def change(self, table: str, action: str | None, act: Act) -> StoredTable:
        """Act on a table and commit what comes of it; the table as it then is.

        Raises Refused (`unknown_table`, `busy`, or by `act`), StoreUnavailable, UnknownSchema.
        """
        for _ in range(TRIES):
            stored = await self.load(table)
            if stored is None:
                raise Refused("unknown_table")
            try:
                change = act(stored)
            except Refused:
                # The same press delivered again finds the table changed by itself: that is no refusal.
                if action is not None and await self._store.carried_out(table, action):
                    return await self._repeated(table)
                raise
            if change is None:
                return stored
            await self._hint(change.table, stored.value)
            outcome = await self._commit(table, stored.version, change, action, stored.value)
            if isinstance(outcome, Committed):
                return Versioned(change.table, outcome.version, outcome.due, outcome.now)
            if isinstance(outcome, Repeated):
                return await self._repeated(table)
        raise Refused("busy")

    async def _hint(self, table: Table, before: Table) -> None:
        """Have a table found by who is new there, and with each round by everybody again: indexes run out,
        and a table whose turns take a day each goes on for long."""
        same_round = table.round_revision == before.round_revision
        for person in set(table.people()) - set(before.people() if same_round else ()):
            await self._store.add_person(person, table.id)
        for place in set(table.places) - set(before.places if same_round else ()):
            await self._store.add_place(place, table.id)

    async def forget(self, table: Table) -> None:
        """Delete a table and the hints that lead to it: they go first, or they would never be found again."""
        for place in table.places:
            await self._store.remove_place(place, table.id)
        for person in table.people():
            await self._store.remove_person(person, table.id)
        await self._store.forget(table.id)

    async def follow(self, table: str, place: str, new_place: str) -> None:
        """A table's place has a new key: its message there is a new one."""

        def act(stored: StoredTable) -> Change | None:
            if place not in stored.value.places:
                return None
            return Change(lobby.moved(stored.value, place, new_place))

        await self._if_there(table, act)

    async def enter(self, table: str, rooms: Mapping[str, str]) -> None:
        """A table is shown in its rooms from now on, by the places for which they were opened."""

        def act(stored: StoredTable) -> Change | None:
            return Change(lobby.entered(stored.value, rooms)) if stored.value.awaits_room else None

        await self._if_there(table, act)

    async def leave_place(self, table: str, place: str) -> None:
        """A table may no longer be shown in a place."""

        def act(stored: StoredTable) -> Change | None:
            if place not in stored.value.places:
                return None
            return Change(lobby.left(stored.value, place))

        await self._if_there(table, act)
        await self._store.remove_place(place, table)

    async def private_closed(self, table: str, person: str, *, alerts: bool) -> None:
        """A private message could not reach a person; `alerts`: nothing but alerts can."""

        def act(stored: StoredTable) -> Change | None:
            seat = stored.value.seat_of(person)
            if seat is None or stored.value.seats[seat].private_closed:
                return None
            return Change(stored.value.with_seat(seat, private_closed=True, alerts_only=alerts).touched())

        await self._if_there(table, act)

    async def _if_there(self, table: str, act: Act) -> None:
        try:
            await self.change(table, None, act)
        except Refused as refused:
            if refused.code != "unknown_table":
                raise

    async def _repeated(self, table: str) -> StoredTable:
        stored = await self.load(table)
        if stored is None:
            raise Refused("unknown_table")
        return Versioned(stored.value, stored.version, stored.deadline, stored.now, repeated=True)

    async def _commit(
        self, table: str, version: int, change: Change, action: str | None, before: Table | None = None
    ) -> Committed | Conflict | Repeated:
        outcome = await self._store.commit(
            table,
            expected=version,
            state=CODEC.encode(change.table),
            action=action,
            entries=[_ENTRY.encode(entry) for entry in change.entries],
            due=_due("never" if clocks.stands_still(change.table) else change.due),
            ended=_is_news(change.table, before),
        )
        if isinstance(outcome, Committed):
            self._committed(Versioned(change.table, outcome.version, outcome.due, outcome.now))
        return outcome


def _is_news(table: Table, before: Table | None) -> bool:
    """Whether the books have something to write down, or the table's night something to hear of."""
    if table.night is not None and before is not None and kept_seats(table) != kept_seats(before):
        return True
    return bool(table.results) and table.stage != "playing" and not table.practice


def _kept(stored: Stored) -> StoredTable:
    return Versioned(CODEC.decode(stored.state), stored.version, stored.due, stored.now)


def _due(due: Due) -> Keep | float | None:
    if due == "keep":
        return KEEP
    return None if due == "never" else due
