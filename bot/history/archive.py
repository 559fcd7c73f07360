"""Archive: finished matches, kept longer than their tables for replays and records."""

from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from bot.ids import TableId
from bot.repository.tables import CODEC, StoredTable
from bot.repository.versioned import Versioned
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.names import NOBODY
from bot.tables.table import GonePeople, Table

ARCHIVE_SECONDS: Final = 180 * 24 * 3600
"""Seconds after its end for which a match can be replayed."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A table's final state, and its log."""

    table: bytes
    log: tuple[bytes, ...]


_CODEC: Final = Codec(Whole, 1, archived=True)


class Archive:
    """The archived matches of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, table: Table) -> None:
        """Keep a finished match, whose log is still in the store; not who has lost their seat: they may have
        played no round that would lead here, should they ask to be forgotten."""
        state = CODEC.encode(structs.replace(table, gone=GonePeople()))
        whole = Whole(state, tuple(await self._store.documents.log(table.id)))
        await self._store.history.archive(table.id, _CODEC.encode(whole), ARCHIVE_SECONDS)

    async def load(self, table: TableId) -> StoredTable | None:
        """Return the table of a match at its end; None when it is not kept. Raises UnknownSchema."""
        whole = await self._whole(table)
        return None if whole is None else Versioned(CODEC.decode(whole.table), 0, None, 0.0)

    async def log(self, table: TableId) -> tuple[bytes, ...]:
        """Return a match's log; empty when it is not kept, or another version of the program kept it."""
        whole = await self._whole(table)
        return () if whole is None else whole.log

    async def forget(self, table: TableId, person: str) -> None:
        """Remove a person from a match, so that nobody can tell that they played it."""
        while (held := await self._store.history.load_archived(table)) is not None:
            whole = _CODEC.decode_known(held)
            new = None if whole is None else _CODEC.encode(_without(whole, person))
            if new is None or await self._store.history.swap_archived(table, held, new):
                return

    async def _whole(self, table: TableId) -> Whole | None:
        return _CODEC.decode_known(await self._store.history.load_archived(table))


def _without(whole: Whole, person: str) -> Whole:
    stored = CODEC.decode(whole.table)
    number = stored.seat_of(person)
    if number is not None:
        stored = stored.with_seat(number, person=None, name=NOBODY, language="", word="", closed=())
    stored = structs.replace(stored, host="" if stored.host == person else stored.host)
    return replace(whole, table=CODEC.encode(stored))
