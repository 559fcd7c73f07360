"""Numbers: the numbers of a place's tables, and which of them people mean who ask for its table.

One value of the place holds both, so that two people who open a table in the same second open one.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from bot.errors import Refused
from bot.ids import TableId
from bot.repository.settings import SettingsRepository
from bot.repository.tables import StoredTable, TableRepository
from bot.repository.versioned import TRIES, Versioned
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.table import Table

_RESERVED_SECONDS: Final = 30.0
"""Seconds for which a number is kept for a table that has not been created yet: the next table takes it."""


MayOpen = Callable[[], Awaitable[None]]
"""Raises Refused if a table may not be opened."""


@dataclass(frozen=True, slots=True)
class NumberedTable:
    """A table with a number in a place, and the time when it got it, in seconds since the epoch."""

    table: TableId
    at: float


@dataclass(frozen=True, slots=True)
class Numbering:
    """A place's tables by number."""

    tables: Mapping[int, NumberedTable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Given:
    """A table and its number in a place."""

    number: int
    table: TableId
    stored: StoredTable | None = None
    """The table as it was read; None while it has not been created yet."""


class TableNumbers:
    """The numbers of one store's tables, by place."""

    def __init__(self, store: Store, tables: TableRepository) -> None:
        self._numberings = SettingsRepository(store, Codec(Numbering, 1), "numbers", Numbering())
        self._tables = tables
        self._clock = store.clock

    async def load(self, place: str) -> Versioned[Numbering]:
        """Return a place's numbers as `give` takes them."""
        return await self._numberings.load(place)

    async def give(
        self,
        place: str,
        table: TableId,
        *,
        asked_by: str = "",
        may_open: MayOpen | None = None,
        held: Versioned[Numbering] | None = None,
    ) -> Given:
        """Give a table the lowest free number in a place. Another request for the same table returns the same
        number.

        `asked_by`: the person who asks for the place's table. If one waits or is played there, that is
        returned and no number is given: their own, else a lobby with a free seat, another lobby, the newest
        match. A lobby that has not been created yet belongs to the first process that creates its table.

        `may_open` is called before a table is returned that must still be created. `held` are the numbers, if
        they were just loaded. Raises as `may_open` does, and Refused `busy`.
        """
        refused = False
        for _ in range(TRIES):
            held = held or await self.load(place)
            standing = await self._standing(held.value)
            own = next((given for given in standing if given.table == table), None)
            found = own or (_find_present(standing, place, asked_by) if asked_by else None)
            if may_open is not None and (found is None or found.stored is None):
                try:
                    await may_open()
                except Refused:
                    if refused:
                        raise
                    # What they host already may be this lobby, opened since we looked: look once more.
                    refused, held = True, None
                    continue
            if found is not None:
                return found
            taken = {given.number for given in standing}
            given = Given(next(number for number in count(1) if number not in taken), table)
            new = _number([*standing, given], held.value, self._clock())
            if await self._numberings.replace(place, held, new) is not None:
                return given
            held = None
        raise Refused("busy")

    async def _standing(self, held: Numbering) -> list[Given]:
        """Return the tables that keep their numbers, lowest number first."""
        found = await self._tables.find([each.table for each in held.tables.values()])
        return sorted(_keep(held, found, self._clock()), key=lambda given: given.number)


def _number(standing: list[Given], held: Numbering, now: float) -> Numbering:
    known = {each.table: each for each in held.tables.values()}
    return Numbering(
        {each.number: known.get(each.table, NumberedTable(each.table, now)) for each in standing}
    )


def _keep(held: Numbering, found: Mapping[TableId, StoredTable | None], now: float) -> Iterator[Given]:
    """Yield tables that keep their numbers. A table written by another version of the program is one of them,
    as is one with a thread of its own: a new table's thread must not be mistaken for an old one's."""
    for number, each in held.tables.items():
        stored = found.get(each.table)
        if each.table in found and stored is None and now - each.at > _RESERVED_SECONDS:
            continue
        if stored is None or stored.value.is_open or stored.value.postings.rooms:
            yield Given(number, each.table, stored)


def _find_present(standing: list[Given], place: str, person: str) -> Given | None:
    """Return the table that a person means who asks for a place's table."""
    present = [given for given in standing if given.stored is None or _is_present(given.stored.value, place)]
    return min(present, key=lambda given: _order(given, person), default=None)


def _order(given: Given, person: str) -> tuple[bool, int, float]:
    """Return the key by which the table that a person means is the least."""
    if given.stored is None:
        return True, 0, 0.0
    table = given.stored.value
    elsewhere = table.seat_of(person) is None
    if table.waits_for_people:
        return elsewhere, 0 if table.has_room else 1, 0.0
    return elsewhere, 2, -table.opened_at


def _is_present(table: Table, place: str) -> bool:
    """Return whether a table waits or is played in a place. One that is played in a room leaves the place
    where that was opened to others; its lobby does not."""
    return table.is_open and place in (
        *table.places,
        *(table.postings.rooms.values() if table.waits_for_people else ()),
    )
