"""Outbox: what each recipient must still be shown, and how much that matters."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from bot.delivery.pings import Calls, Mention
from bot.delivery.threads import Rooms, Step
from bot.ids import TableId
from bot.people.notifications import awaited
from bot.people.profiles import Profiles
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Shown, Store
from bot.tables.table import Table

CALL: Final = "call"
"""Stands for the line that calls whoever is on turn."""


GONE: Final = 2**31
"""The revision of the last that a person who was removed is shown: later than any other."""

ROOM: Final = "room"
"""Stands for what is to be done next for a table's rooms."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place or a person at a table, `CALL` or `ROOM`."""

    table: TableId
    key: str


class Rank(IntEnum):
    """What goes first where calls are scarce."""

    TURN = 0
    """Tells the person for whom everybody waits."""
    RACK = 1
    """Brings anybody else's rack up to date."""
    NEWS = 2
    """Shows a place how a round ended, or a lobby, where people look at it."""
    TABLE = 3
    """Shows a place how a round goes on."""
    CLOCK = 4
    """Shows a place a clock that has moved, or who came and went."""
    DOOR = 5
    """Opens the way to a person who will be written to."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a target has not seen yet. `seat` is None for a place."""

    rank: Rank
    seat: int | None
    message: str | None
    fresh: bool = False
    """Whether a place deserves a new message rather than an edit."""
    farewell: bool = False
    """Whether a person's last rack here is to say that he was removed."""


def need_of(table: Table, key: str, shown: Shown | None, *, open: bool) -> Need | None:
    """What must be shown to a target that last saw `shown`; None when nothing.

    `open`: whether nothing has to be opened before a person can be written to.
    """
    if key in table.places:
        return None if table.awaits_room else _need_of_place(table, shown)
    number = table.seat_of(key)
    if number is None and key in table.removed and shown is not None and shown.revision < GONE:
        return Need(Rank.RACK, None, shown.message, farewell=True)
    if number is None or table.seats[number].private_closed:
        return None
    if table.stage == "lobby":
        return None if open else Need(Rank.DOOR, number, None)
    if table.match.round is None and shown is None:
        return None
    if shown is not None and shown.revision >= table.seats[number].revision:
        return None
    rank = Rank.TURN if awaited(table) == number else Rank.RACK
    return Need(rank, number, None if shown is None else shown.message)


def _need_of_place(table: Table, shown: Shown | None) -> Need | None:
    if shown is not None and shown.revision >= table.revision:
        return None
    fresh = shown is None or shown.revision < table.round_revision
    seen = 0 if shown is None else shown.revision
    return Need(_public_rank(table, seen), None, None if shown is None else shown.message, fresh)


def _public_rank(table: Table, seen: int) -> Rank:
    """How much it matters to a place that last saw the revision `seen`."""
    if table.stage != "playing":
        return Rank.NEWS
    if seen >= table.news_revision:
        return Rank.CLOCK
    turn = awaited(table)
    told_here = turn is not None and table.seats[turn].private_closed
    return Rank.TURN if told_here else Rank.TABLE


class Wanting:
    """Looks tables up. Every look may raise StoreUnavailable."""

    def __init__(
        self, store: Store, repository: TableRepository, people: Profiles, calls: Calls, rooms: Rooms
    ) -> None:
        self._store = store
        self._repository = repository
        self._people = people
        self._calls = calls
        self._rooms = rooms

    async def all(self, table: TableId) -> dict[Target, Rank]:
        """Who has not been told everything yet, and how much that matters."""
        stored, shown = await self._now(table)
        if stored is None:
            return {}
        needs = {key: self._need(stored, key, shown) for key in _everybody(stored.value)}
        wanting = {Target(table, key): need.rank for key, need in needs.items() if need is not None}
        if await self._calls.mention(stored, shown) is not None:
            wanting[Target(table, CALL)] = Rank.TURN
        if self._rooms.next(stored, shown) is not None:
            wanting[Target(table, ROOM)] = Rank.NEWS
        return wanting

    async def need(self, target: Target) -> tuple[StoredTable, Need] | None:
        """What a place or person needs; None when nothing."""
        stored, shown = await self._now(target.table)
        need = None if stored is None else self._need(stored, target.key, shown)
        return None if stored is None or need is None else (stored, need)

    async def mention(self, table: TableId) -> tuple[StoredTable, Mention] | None:
        """Who is to be called by his name; None when nobody."""
        stored, shown = await self._now(table)
        mention = None if stored is None else await self._calls.mention(stored, shown)
        return None if stored is None or mention is None else (stored, mention)

    async def step(self, table: TableId) -> tuple[StoredTable, Step] | None:
        """What is to be done next for a table's rooms; None when nothing."""
        stored, shown = await self._now(table)
        step = None if stored is None else self._rooms.next(stored, shown)
        return None if stored is None or step is None else (stored, step)

    async def can_be_told(self, table: TableId) -> bool:
        """Whether all chats of a table are here: one that is still starting will have news to bring."""
        stored = await self._repository.load(table)
        return stored is None or all(
            self._people.chat_of(key) is not None for key in _everybody(stored.value)
        )

    async def _now(self, table: TableId) -> tuple[StoredTable | None, Mapping[str, Shown]]:
        stored = await self._repository.load(table)
        return stored, {} if stored is None else await self._store.shown(table)

    def _need(self, stored: StoredTable, key: str, shown: Mapping[str, Shown]) -> Need | None:
        """What a target needs, if it is one of a chat that is here."""
        chat = self._people.chat_of(key)
        if chat is None:
            return None
        open = key in stored.value.places or not chat.opening_limits(key)
        return need_of(stored.value, key, shown.get(key), open=open)


def _everybody(table: Table) -> tuple[str, ...]:
    return (*table.places, *table.people(), *table.removed)
