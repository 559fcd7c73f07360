"""Which table somebody means when he names it, or names none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.ports import channel_of
from bot.repository.tables import Keeper, Kept
from bot.store import Store

_LIVELIEST: Final = ("playing", "between", "lobby", "over", "closed")
"""The first of these stages is meant, then the newest table."""

Wanted = Callable[[Kept], bool]


def _any(kept: Kept) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds tables by person and by place. The store's indexes are hints, the table has the last word."""

    store: Store
    keeper: Keeper

    async def own(self, person: str, wanted: Wanted = _any) -> Kept:
        """The table at which a person sits. Raises Refused `no_table`."""
        found = await self.keeper.load_many(await self.store.tables_of(person))
        sits = [kept for kept in found if kept.table.seat_of(person) is not None and wanted(kept)]
        if not sits:
            raise Refused("no_table")
        return _liveliest(sits)

    async def at_place(self, place: str, table: str = "", wanted: Wanted = _any) -> Kept:
        """A table of a place or of a room in it: the named one, or the liveliest. Raises Refused
        `unknown_table`."""
        ids = await self.store.tables_at(place)
        found = await self.keeper.load_many([each for each in ids if not table or each == table])
        stand = [kept for kept in found if _stands(kept, place) and wanted(kept)]
        if not stand:
            raise Refused("unknown_table")
        return _liveliest(stand)

    async def hosted(self, person: str) -> int:
        """How many tables that are not over a person opened, or became host of."""
        found = await self.keeper.load_many(await self.store.tables_of(person))
        hosted = (kept.table for kept in found if kept.table.host == person and not kept.table.practice)
        return sum(table.stage not in ("over", "closed") for table in hosted)


def _stands(kept: Kept, place: str) -> bool:
    return place in kept.table.places or place in map(channel_of, kept.table.places)


def _liveliest(tables: list[Kept]) -> Kept:
    """Of equally lively ones practice comes last."""

    def liveliness(kept: Kept) -> tuple[int, bool, float]:
        return _LIVELIEST.index(kept.table.stage), kept.table.practice, -kept.table.opened_at

    return min(tables, key=liveliness)
