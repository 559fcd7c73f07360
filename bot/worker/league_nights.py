"""League nights: commit what the clock decides of them, and then do what follows.

Every step may be repeated: a process may be killed between any two, and the next one begins with what the
schedule still lists.
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.errors import Refused
from bot.ids import LeagueId, NightId, TableId, read_key
from bot.league.calendar import with_calendar
from bot.league.divisions import place
from bot.league.events import Recorded
from bot.league.finals import seed
from bot.league.model import League, Merged, NightRef
from bot.league.night import Night, NightRound, NightTable
from bot.league.night_tables import opening, owners, seater, table_events
from bot.league.seasons import (
    announcement,
    announces_at,
    is_early,
    is_put_off,
    with_champions,
    with_next_night,
    with_night_at,
    with_night_back,
    with_night_over,
)
from bot.league.standings import SeasonStanding
from bot.league.timers import (
    SeatRound,
    announce_again,
    call_off,
    due,
    note_unattended,
    put_off,
    renumber,
    sign_off,
    take_off,
    wakes_at,
)
from bot.people.communities import Communities
from bot.repository.leagues import Decide, LeagueRepository, TimeSource
from bot.repository.tables import StoredTable, TableRepository
from bot.repository.versioned import Versioned
from bot.store.codec import UnknownSchema
from bot.tables.league_table import as_wanted, open_table
from bot.tables.play import Delays, Entropy, NameRound, stop
from bot.tables.table import Change

LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueNights:
    """The leagues and nights of one store."""

    leagues: LeagueRepository
    tables: TableRepository
    communities: Communities
    delays: Delays
    entropy: Entropy
    name_round: NameRound

    @property
    def clock(self) -> TimeSource:
        """The leagues' clock."""
        return self.leagues.clock

    async def look(self, key: str, away: float = 0.0) -> None:
        """Handle a league or a night of the schedule. `away`: the seconds without any process at
        work since it came there. Raises StoreUnavailable, UnknownSchema, Refused."""
        match read_key(key):
            case "league", league:
                await self._see_to_league(league, key)
            case "night", night:
                await self._see_to_night(night, away)

    async def update_from(self, table: TableId) -> Night | None:
        """Bring a table's news into its night; returns the new night, None when it belongs to none."""
        stored = await self.tables.load(table)
        at = None if stored is None else stored.value.night
        if stored is None or at is None or await self.leagues.night(at.night) is None:
            return None
        return await self.leagues.act(at.night, None, lambda night, now: table_events(night, stored.value))

    async def _see_to_league(self, league: LeagueId, key: str) -> None:
        """Put the league's next night on the calendar, and announce it."""
        now = self.leagues.clock()
        held = await self.leagues.league(league)
        if held is None:
            return await self.leagues.put_down(key, 0, None)
        after = await self.leagues.change(
            league, None, lambda each: with_calendar(with_next_night(each, now), now)
        )
        for ref in after.nights:
            if ref.over:
                continue
            people = await self._count_people(after, ref)
            first = announcement(after, ref, self.entropy(), people)
            await self.leagues.announce(Recorded(now, "", "", first), ref.id)
            if not is_early(after, ref):
                await self.leagues.act(ref.id, None, partial(announce_again, announced=first))
            numbered = partial(renumber, number=first.number, final=first.final)
            await self._settle(after, await self.leagues.act(ref.id, None, numbered))
            if after.ended:
                await self._call_off(ref, call_off, lambda league: league.ended)
            elif is_put_off(after, ref):
                await self._call_off(ref, put_off, partial(is_put_off, ref=ref))
            elif is_early(after, ref):
                await self.leagues.act(ref.id, None, take_off)
            await self.leagues.mark_dirty(ref.id)
        if after.ended and after.nights and after.nights[-1].over:
            await self._count(after, await self.leagues.load_night(after.nights[-1].id), now)
            await self.leagues.mark_dirty(after.nights[-1].id)  # its champions wear the role
        if any(isinstance(act.event, Merged) for act in after.acts):
            tables = {each: await self.leagues.standings.season(after, each) for each in after.seasons}
            after = await self.leagues.change(league, None, lambda each: with_champions(each, tables))
        if after == held.value:
            again = announces_at(after)
            await self.leagues.put_down(key, held.version, again if again > now else None)
        return None

    async def _call_off(self, ref: NightRef, cancel: Decide, still: Callable[[League], bool]) -> None:
        """Cancel a night with its season or league. If that has been taken back meanwhile (`still` tells by
        the newest league), the night is held after all."""
        night = await self.leagues.act(ref.id, None, cancel)
        if night.cancelled in ("paused", "ended") and not still(await self.leagues.load(night.league)):
            with suppress(Refused):  # its time is over
                await self.leagues.hold_after_all(ref.id, None, by="")

    async def _see_to_night(self, key: NightId, away: float) -> None:
        now = self.leagues.clock()
        held = await self.leagues.night(key)
        league = None if held is None else await self.leagues.league(held.value.league)
        if held is None or league is None:
            return await self.leagues.put_down(key, 0 if held is None else held.version, None)
        await self.leagues.act(key, None, lambda night, now: note_unattended(night, away))
        held = await self._clock(key, held, league.value)
        await self._bring_about(held.value, league.value, now)
        await self.leagues.mark_dirty(key)  # its board, and everything else that shows this moment
        await self.leagues.put_down(key, held.version, wakes_at(held.value, now))
        return None

    async def _clock(self, key: NightId, held: Versioned[Night], league: League) -> Versioned[Night]:
        """Return the night after all that its clock does now."""
        nobody = {member.id for member in league.members.values() if not member.accounts}
        await self.leagues.act(key, None, partial(sign_off, nobody=nobody))
        await self._settle(league, held.value)
        before = -1
        while held.value.revision != before:
            before = held.value.revision
            seat = await self._make_seater(held.value, league)
            await self.leagues.act(key, None, partial(due, seat=seat))
            again = await self.leagues.night(key)
            assert again is not None
            held = again
        return held

    async def _count_people(self, league: League, ref: NightRef) -> int:
        """Return how many people are in the table before a night, or in the smallest division's; 0 if that
        does not matter."""
        settings = league.settings_of(ref.season)
        if settings.finals == "none" or settings.nights == 1:
            return 0
        seeds = await self.leagues.standings.seeds_before(league, ref)
        return min(Counter(seed.division for seed in seeds).values(), default=0)

    async def _settle(self, league: League, night: Night) -> None:
        """Bring into a night what it has from those before it, as long as it has not begun: the divisions,
        and the table before a final."""
        if night.rounds:
            return
        divisions = await self.leagues.standings.divisions(league, night.season, night.start)
        night = await self.leagues.act(night.id, None, partial(place, divisions=divisions))
        if night.final is None or night.final.groups:
            return
        seeds = await self.leagues.standings.seeds_before(league, night)
        await self.leagues.act(night.id, None, partial(seed, seeds=seeds))

    async def _make_seater(self, night: Night, league: League) -> SeatRound:
        """Return what seats the next round, with the order that it may need: a season's table takes too long
        to be counted while a night is changed."""
        if night.stage not in ("ready", "break"):
            return seater(league, (), ())
        table = await self.leagues.standings.season_before(league, night)
        return seater(league, await self.leagues.nights(league, night.season), table)

    async def _bring_about(self, night: Night, league: League, now: float) -> None:
        if night.round is not None:
            for table in night.round.tables:
                try:
                    await self._see_to_table(league, night, night.round, table, now)
                except UnknownSchema:  # the others go on, and the round ends without this table's result
                    LOG.error("table %d of night %s was written by another version", table.number, night.id)
        if night.stage in ("over", "cancelled"):
            await self._count(league, night, now)
        else:
            await self.leagues.change(
                league.id, None, lambda each: with_night_at(with_night_back(each, night), night)
            )

    async def _count(self, league: League, night: Night, now: float) -> None:
        """Count a night that is over in its season."""
        table: Sequence[SeasonStanding] | None = None
        while (again := await self.leagues.standings.season(league, night.season)) != table:
            table = again  # another night of it may be corrected meanwhile
            results = await self.leagues.standings.results(league, night.season)
            disputed = any(each.state == "disputed" for result in results for each in result.tables)
            over = partial(with_night_over, night=night, table=table, at=now, disputed=disputed)
            league = await self.leagues.change(league.id, None, over)
        for ref in league.nights:  # a final that has not begun goes by the table as it is now
            if not ref.over and (held := await self.leagues.night(ref.id)) is not None:
                await self._settle(league, held.value)

    async def _see_to_table(
        self, league: League, night: Night, round: NightRound, table: NightTable, now: float
    ) -> None:
        """Open or stop a table as the night asks, and bring its result into the night."""
        for other in night.other_ids(round.number, table):
            await self._stop(other)
        id = night.id_of(round.number, table)
        if table.settled or (
            (after := await self.update_from(id)) is not None and after.revision != night.revision
        ):
            return  # its news changes the work: the night is looked at again
        if table.over or (now >= round.hard_end and night.paused_at is None):
            await self._stop(id)
            await self.update_from(id)
            return
        await self._open(id, league, night, round, table, now)
        paused = night.paused_at is not None
        wanted = owners(league, night, table, 0.0 if paused else now)
        await self.tables.change(
            id,
            None,
            lambda stored: as_wanted(stored.value, wanted, self.delays, last=round.soft_ended, paused=paused),
        )

    async def _open(
        self, id: TableId, league: League, night: Night, round: NightRound, table: NightTable, now: float
    ) -> None:
        if await self.tables.load(id) is not None or (held := await self.leagues.night(night.id)) is None:
            return
        display = await self.communities.display(league.places[0])
        named = self.name_round(held.now)  # by the store's clock
        wanted = opening(league, night, round, table, display)
        change = open_table(wanted, self.entropy(), now, self.delays, named)
        communities = await self.communities.of_new_places(*change.table.places)
        await self.tables.create(id, replace(change, communities=communities), f"open {id}")

    async def _stop(self, id: TableId) -> None:
        if await self.tables.load(id) is not None:
            await self.tables.change(id, None, _stop_night)


def _stop_night(stored: StoredTable) -> Change | None:
    return None if stored.value.is_over else stop(stored.value)
