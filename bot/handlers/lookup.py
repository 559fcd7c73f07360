"""Which table somebody means when he names it, or names none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.ports import channel_of
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Store

_LIVELIEST: Final = ("playing", "between", "lobby", "over", "closed")
"""The first of these stages is meant, then the newest table."""

Wanted = Callable[[StoredTable], bool]


def _any(stored: StoredTable) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds tables by person and by place. The store's indexes are hints, the table has the last word."""

    store: Store
    repository: TableRepository

    async def own(self, person: str, wanted: Wanted = _any) -> StoredTable:
        """The table at which a person sits. Raises Refused `no_table`."""
        found = await self.repository.load_many(await self.store.tables_of(person))
        sits = [stored for stored in found if stored.value.seat_of(person) is not None and wanted(stored)]
        if not sits:
            raise Refused("no_table")
        return _liveliest(sits)

    async def at_place(self, place: str, table: str = "", wanted: Wanted = _any) -> StoredTable:
        """A table of a place or of a room in it: the named one, or the liveliest. Raises Refused
        `unknown_table`."""
        ids = await self.store.tables_at(place)
        found = await self.repository.load_many([each for each in ids if not table or each == table])
        stand = [stored for stored in found if _stands(stored, place) and wanted(stored)]
        if not stand:
            raise Refused("unknown_table")
        return _liveliest(stand)

    async def hosted(self, person: str) -> int:
        """How many tables that are not over a person opened, or became host of."""
        found = await self.repository.load_many(await self.store.tables_of(person))
        hosted = (
            stored.value for stored in found if stored.value.host == person and not stored.value.practice
        )
        return sum(table.stage not in ("over", "closed") for table in hosted)


def _stands(stored: StoredTable, place: str) -> bool:
    return place in stored.value.places or place in map(channel_of, stored.value.places)


def _liveliest(tables: list[StoredTable]) -> StoredTable:
    """Of equally lively ones practice comes last."""

    def liveliness(stored: StoredTable) -> tuple[int, bool, float]:
        return _LIVELIEST.index(stored.value.stage), stored.value.practice, -stored.value.opened_at

    return min(tables, key=liveliness)
