"""Snapshots: the state of a table, a night or a daily board, and the notes of what was shown and told of it.

Everything that is to be delivered follows from one snapshot, so a look costs one read.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace

from bot.daily import DailyBoard
from bot.delivery.asleep import SleepingRecipients
from bot.delivery.notes import EMPTY, KnownNotes, NoteKind, Notes, add_notes, find_link
from bot.delivery.repositories import Repositories
from bot.delivery.views import Viewing
from bot.i18n import Words
from bot.ids import DailyId, NightId, TableId, league_key, read_key
from bot.league.model import League
from bot.league.night import Night, NightRound, NightTable
from bot.markup import Link, Name
from bot.people.notifications import call_number, find_awaited
from bot.people.profiles import ChatOf, Profile
from bot.ports import RetryAfter, Timeline
from bot.repository.tables import StoredTable
from bot.screens.parts import table_name
from bot.store.codec import UnknownSchema
from bot.tables.worth import Worth


@dataclass(frozen=True, slots=True)
class TableAsTold:
    """A table and its notes."""

    stored: StoredTable
    """The table, with its notes."""
    worths: Mapping[str, Worth]
    """What its screen is worth to each place and person that has one."""
    sleeping: Mapping[str, bool]
    """Those of its places and people that refused the last time, and whether they sleep now."""
    _: KW_ONLY
    chat_of: ChatOf
    profile: Profile | None = None
    """The profile of the person on turn, if they may not know of it yet."""
    in_sight: bool = True
    """Whether they see their rack as soon as they open their private chat, have none there, or know of their
    turn already."""

    @property
    def notes(self) -> KnownNotes:
        """Return what was shown, told and done."""
        return self.stored.notes

    @property
    def turn(self) -> int | None:
        """Return the seat of the person that everybody waits for; None while a computer player is on turn."""
        return find_awaited(self.stored.value)

    def is_pinged(self, seat: int) -> bool:
        """Return whether the player of this seat was told of this turn."""
        told = self.notes.get(NoteKind.CALL.of(seat), EMPTY)
        return told.number >= call_number(self.stored.value)

    def is_shown(self, reader: str) -> bool:
        """Return whether a place or person sees everything of the table that is worth an edit."""
        shown, worth = self.notes.get(reader), self.worths.get(reader)
        return shown is not None and worth is not None and shown.worth == str(worth)

    def name_in(self, place: str, words: Words) -> Name | Link:
        """Return the table's name in a place, as a link to the message that shows it there, once it has
        one."""
        name = table_name(self.stored.value, words, place)
        url = find_link(self.chat_of(place), place, self.notes.get(place), self.stored.value)
        return Name(name) if url is None else Link(name, url)


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of the running round."""

    of: NightTable
    stored: StoredTable


@dataclass(frozen=True, slots=True, kw_only=True)
class NightAsTold:
    """A night and its notes."""

    chat_of: ChatOf
    league: League
    night: Night
    notes: KnownNotes
    now: float
    """The leagues' clock: seconds since the epoch."""
    tables: tuple[SeatedTable, ...]
    """The tables of the running round that exist already."""
    communities: tuple[str, ...] | None
    """One of the league's places for each community, which has one calendar and one role; None while a chat
    can't tell."""
    sleeping: Mapping[str, bool]
    """Those of the league's places, and of its tables' places, that refused the last time, and whether they
    sleep now."""
    notes_of_league: KnownNotes
    """The notes of the league; read after a season is over."""

    @property
    def shown_of_tables(self) -> Mapping[int, KnownNotes]:
        """Who was shown its tables, by their numbers."""
        return {table.of.number: table.stored.notes for table in self.tables}


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyAsTold:
    """A community's daily board and its notes."""

    chat_of: ChatOf
    board: DailyBoard
    now: float
    """The boards' clock: seconds since the epoch."""
    notes: KnownNotes
    sleeping: Mapping[str, bool]


Snapshot = TableAsTold | NightAsTold | DailyAsTold


@dataclass(frozen=True, slots=True)
class Snapshots:
    """Reads snapshots."""

    repositories: Repositories
    sleeping: SleepingRecipients
    viewing: Viewing

    async def take(self, of: str, committed: StoredTable | None = None) -> Snapshot | None:
        """Return the snapshot of a key; None when nothing is stored. A table that was just `committed` is not
        read, nor are its notes. Raises StoreUnavailable, UnknownSchema."""
        match read_key(of):
            case "night", night:
                return await self._night(night)
            case "daily", daily:
                return await self._board(daily)
            case "table", table:
                return await self._table(table, committed)
        return None

    async def _table(self, id: TableId, committed: StoredTable | None) -> TableAsTold | None:
        stored = committed or await self.repositories.tables.load(id)
        if stored is None:
            return None
        table, chat_of = stored.value, self.repositories.people.chat_of
        if table.stage == "over" and stored.mark is None:
            # The end of a match is told after the disk has it, as it has after this process's own commits.
            await self.repositories.store.documents.on_disk(id)
        worths = {each: self.viewing.worth(stored, each) for each in table.readers()}
        known = {each: worth for each, worth in worths.items() if worth is not None}
        snapshot = TableAsTold(stored, known, {}, chat_of=chat_of)
        refusing = self.sleeping.among(table.readers(), table.people())
        turn = snapshot.turn
        if turn is None or not _may_be_news(snapshot, turn):
            return replace(snapshot, sleeping=await refusing)
        # What is asked at the same moment travels to the store in one batch.
        sleeping, in_sight = await asyncio.gather(refusing, self._in_sight(snapshot, turn))
        profile = await self.repositories.people.load(str(table.seats[turn].person))
        return replace(snapshot, sleeping=sleeping, profile=profile, in_sight=in_sight)

    async def _in_sight(self, snapshot: TableAsTold, turn: int) -> bool:
        if snapshot.is_pinged(turn):
            return True  # once they have been told, nobody asks where they look
        seat = snapshot.stored.value.seats[turn]
        person = str(seat.person)
        chat, rack = snapshot.chat_of(person), snapshot.notes.get(person)
        if chat is None or rack is None or seat.private_closed:
            return True
        return not isinstance(chat, Timeline) or await chat.in_sight(person, rack.text)

    async def _night(self, id: NightId) -> NightAsTold | None:
        held = await self.repositories.leagues.night(id)
        league = None if held is None else await self.repositories.leagues.league(held.value.league)
        if held is None or league is None:
            return None
        night, store = held.value, self.repositories.store
        over = night.stage in ("over", "cancelled") and league.value.champions
        tables = () if night.running is None else await self._load_seated(night, night.running)
        places = (place for table in tables for place in table.stored.value.places)
        return NightAsTold(
            chat_of=self.repositories.people.chat_of,
            league=league.value,
            night=night,
            notes=held.notes,
            now=self.repositories.leagues.clock(),
            tables=tables,
            sleeping=await self.sleeping.among((*league.value.places, *places)),
            communities=await self._communities(league.value),
            notes_of_league=await store.notes.load(league_key(league.value.id)) if over else {},
        )

    async def _board(self, id: DailyId) -> DailyAsTold | None:
        held = await self.repositories.daily.load(id)
        if held is None:
            return None
        return DailyAsTold(
            chat_of=self.repositories.people.chat_of,
            board=held.value,
            now=self.repositories.daily.clock(),
            notes=held.notes,
            sleeping=await self.sleeping.among((held.value.place,)),
        )

    async def _load_seated(self, night: Night, round: NightRound) -> tuple[SeatedTable, ...]:
        async def read(table: NightTable) -> SeatedTable | None:
            id = night.id_of(round.number, table)
            with suppress(UnknownSchema):  # its people are not called, the others are
                stored = await self.repositories.tables.load(id)
                return None if stored is None else SeatedTable(table, stored)
            return None

        tables = await asyncio.gather(*map(read, round.tables))
        return tuple(table for table in tables if table is not None)

    async def _communities(self, league: League) -> tuple[str, ...] | None:
        first: dict[str, str] = {}
        with suppress(RetryAfter):
            for place in league.places:
                chat = self.repositories.people.chat_of(place)
                if chat is not None:
                    first.setdefault(await chat.places.community(place), place)
            return tuple(first.values())
        return None


def with_notes(snapshot: Snapshot, notes: Notes) -> Snapshot:
    """Return the snapshot with notes that were made since."""
    known = add_notes(snapshot.notes, notes)
    if isinstance(snapshot, NightAsTold):
        return replace(snapshot, notes=known, notes_of_league=add_notes(snapshot.notes_of_league, notes))
    if isinstance(snapshot, TableAsTold):
        return replace(snapshot, stored=replace(snapshot.stored, notes=known))
    return replace(snapshot, notes=known)


def _may_be_news(snapshot: TableAsTold, turn: int) -> bool:
    """Return whether the player on turn may not know of it yet: there is a new rack, or a ping is due."""
    seat = snapshot.stored.value.seats[turn]
    new = not seat.private_closed and not snapshot.is_shown(str(seat.person))
    return new or not snapshot.is_pinged(turn)
