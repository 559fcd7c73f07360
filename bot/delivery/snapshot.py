"""Snapshots: a table or a night as it stands, what was shown and told of it, and who must be asked about it.

Everything that is to be delivered follows from one of them, so each look at a table costs one read.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from bot.delivery.items import ScreenOf, Told, TurnPing, told_of
from bot.league.model import League, is_night, league_key, table_id
from bot.league.night import Night, NightTable
from bot.people.notifications import awaited, looks_away, ping_revision
from bot.people.profiles import Profile, Profiles
from bot.ports import RetryAfter
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Shown, Store
from bot.store.codec import UnknownSchema

NEVER = Shown("", 0)
"""Of what nobody was told yet."""


@dataclass(frozen=True, slots=True)
class TableAsTold:
    """A table and what was shown of it."""

    stored: StoredTable
    told: Told
    turn: int | None
    """The seat of the person for whom everybody waits; None while a computer player is on turn."""
    profile: Profile | None
    """Of that person, where it takes part in what they are shown or told now."""
    complete: bool
    """Whether all its chats are here: one that is still starting will have something to deliver."""


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of the round that is played, and what was shown of it."""

    of: NightTable
    stored: StoredTable
    told: Told


@dataclass(frozen=True, slots=True)
class NightAsTold:
    """A night and what was shown and told of it."""

    league: League
    night: Night
    told: Told
    now: float
    """By the leagues' clock: seconds since the epoch."""
    tables: tuple[SeatedTable, ...] = ()
    """Those of the round that is played, as far as they are there."""
    communities: tuple[str, ...] = ()
    """One of the league's places for each community: a calendar or a role is a whole server's."""
    told_of_league: Told = field(default_factory=dict)
    """Read once a season is over."""
    complete: bool = True
    """Whether chats have answered: else there may be more to deliver."""

    @property
    def told_of_tables(self) -> Mapping[int, Told]:
        """What was shown of its tables, by their numbers."""
        return {table.of.number: table.told for table in self.tables}


Snapshot = TableAsTold | NightAsTold


class Snapshots:
    """Reads them."""

    def __init__(
        self, store: Store, people: Profiles, tables: TableRepository, leagues: LeagueRepository
    ) -> None:
        self._store = store
        self._people = people
        self._tables = tables
        self._leagues = leagues

    async def take(self, of: str, committed: StoredTable | None = None) -> Snapshot | None:
        """A table or night as it stands, None when there is none. A table need not be read that was just
        `committed`. Raises StoreUnavailable, UnknownSchema."""
        return await self._night(of) if is_night(of) else await self._table(of, committed)

    async def told(self, of: str) -> Told:
        """What was shown and told of a table, a night or, by its key, a league."""
        return told_of(await self._store.shown(of))

    async def _read(self, table: str) -> tuple[StoredTable | None, Told]:
        stored = await self._tables.load(table)
        return stored, {} if stored is None else await self.told(table)

    async def _table(self, id: str, committed: StoredTable | None) -> TableAsTold | None:
        stored, told = (committed, await self.told(id)) if committed else await self._read(id)
        if stored is None:
            return None
        table, turn = stored.value, awaited(stored.value)
        everybody = (*table.places, *table.people(), *table.removed)
        complete = all(self._people.chat_of(each) is not None for each in everybody)
        profile = None
        if turn is not None and self._may_be_told(stored, turn, told):
            profile = await self._people.known(str(table.seats[turn].person))
        return TableAsTold(stored, told, turn, profile, complete)

    def _may_be_told(self, stored: StoredTable, turn: int, told: Told) -> bool:
        """Whether their turn may be news to whoever has it: a new rack, or a ping to somebody who looks away."""
        seat = stored.value.seats[turn]
        rack = told.get(ScreenOf(str(seat.person)))
        if not seat.private_closed and (rack is None or rack.revision < seat.revision):
            return True
        pinged = told.get(TurnPing(turn), NEVER).revision >= ping_revision(stored.value)
        return not pinged and looks_away(stored.value, turn, stored.now)

    async def _night(self, id: str) -> NightAsTold | None:
        held = await self._leagues.night(id)
        league = None if held is None else await self._leagues.league(held.value.league)
        if held is None or league is None:
            return None
        communities = await self._communities(league.value)
        over = held.value.stage == "over" and bool(league.value.champions)
        return NightAsTold(
            league=league.value,
            night=held.value,
            told=await self.told(id),
            now=self._leagues.clock(),
            tables=await self._seated(held.value),
            communities=communities or (),
            told_of_league=await self.told(league_key(league.value.id)) if over else {},
            complete=communities is not None,
        )

    async def _seated(self, night: Night) -> tuple[SeatedTable, ...]:
        if night.stage != "playing" or night.round is None:
            return ()
        tables = []
        for table in night.round.tables:
            id = table_id(night.id, night.round.number, table.number, table.attempt)
            with suppress(UnknownSchema):  # its people are not called, the others are
                stored, told = await self._read(id)
                if stored is not None:
                    tables.append(SeatedTable(table, stored, told))
        return tuple(tables)

    async def _communities(self, league: League) -> tuple[str, ...] | None:
        """None while a chat does not say."""
        first: dict[str, str] = {}
        try:
            for place in league.places:
                chat = self._people.chat_of(place)
                if chat is not None:
                    first.setdefault(await chat.community(place), place)
        except RetryAfter:
            return None
        return tuple(first.values())
