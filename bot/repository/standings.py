"""Standings: everything that follows from the nights of a league, such as its tables, ratings and records.

It is counted in a thread, and kept until one of the nights changes.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from bot.ids import NightId
from bot.league.bounds import Bounds, season_bounds
from bot.league.divisions import has_divisions, mark_moves, place_members
from bot.league.events import Division, SeededMember
from bot.league.finals import list_seeds
from bot.league.members import is_named
from bot.league.model import League, NightRef
from bot.league.night import Night
from bot.league.ratings import Rating, RatingPool, ratings
from bot.league.records import Honour, MemberRecord, honours, records
from bot.league.results import NightResult, divisions_in, join_accounts, result_of
from bot.league.standings import NIGHTS_REMEMBERED, SeasonStanding, season_standings
from bot.repository.counted import Consequences, Derived
from bot.repository.versioned import DocumentRepository

T = TypeVar("T")


class LeagueStandings:
    """The standings of all leagues of a store. Every method raises StoreUnavailable, UnknownSchema."""

    def __init__(self, nights: DocumentRepository[NightId, Night, Any]) -> None:
        self._results = Derived(nights, result_of, NIGHTS_REMEMBERED)
        self._counts = Consequences()

    async def results(self, league: League, season: int | None = None) -> list[NightResult]:
        """Return the results of a league's nights, of one season or all, in the order of their starts."""
        found = await self._results.of(list_nights(league, season))
        results, merged = [each[1] for each in found if each is not None], league.merged
        if not merged:
            return results

        def join() -> list[NightResult]:
            return [join_accounts(each, merged) for each in results]

        # The accounts of each person count as one member.
        return await self._counts.of(("joined", league.id, season), merged, results, join)

    async def season(self, league: League, season: int) -> tuple[SeasonStanding, ...]:
        """Return the present table of a season, with who goes up and down as things stand."""
        table = await self._count_table(league, season)
        held = divisions_in(await self.results(league, season))
        return mark_moves(table, held, await self.divisions(league, season + 1)) if held else table

    async def _count_table(self, league: League, season: int) -> tuple[SeasonStanding, ...]:
        results = await self.results(league, season)
        return await self.count(
            "table", league, results, lambda: season_standings(results, league.settings_of(season), season)
        )

    async def season_before(self, league: League, night: Night | NightRef) -> tuple[SeasonStanding, ...]:
        """Return a season's table before one of its nights."""
        results = await self.results(league, night.season)
        earlier = [each for each in results if each.id != night.id and each.start < night.start]
        make = partial(season_standings, earlier, league.settings_of(night.season), night.season)
        return await self.count("table before a night", league, earlier, make)

    async def divisions(self, league: League, season: int, before: float = math.inf) -> tuple[Division, ...]:
        """Return the divisions of a season for a night at a moment: those of the nights before it, or of its
        first one those that the table of the season before makes."""
        settings = league.settings_of(season)
        if not has_divisions(settings):
            return ()
        begun = [each for each in await self.results(league, season) if each.start < before and each.tables]
        if begun:
            return begun[-1].divisions
        return place_members(
            settings,
            await self._count_table(league, season - 1),
            divisions_in(await self.results(league, season - 1)),
            {each.member for each in await self._count_table(league, season - 2)},
            is_there=partial(is_named, league),
        )

    async def seeds_before(self, league: League, night: Night | NightRef) -> tuple[SeededMember, ...]:
        """Return who may play a final on a night, in the order of the season's table before it."""
        table = await self.season_before(league, night)
        return list_seeds(league, table, league.settings_of(night.season))

    async def records(self, league: League) -> Mapping[str, MemberRecord]:
        """Return everybody's record in a league."""
        results = await self.results(league)
        return await self.count("records", league, results, partial(records, results, league.settings_of))

    async def ratings(self, league: League) -> Mapping[tuple[RatingPool, str], Rating]:
        """Return everybody's rating in a league."""
        results = await self.results(league)
        return await self.count("ratings", league, results, partial(ratings, results))

    async def honours(self, league: League, season: int) -> tuple[Honour, ...]:
        """Return the honours of a finished season; none of one that is not."""
        if season not in league.champions:
            return ()
        results = [night for night in await self.results(league) if night.season <= season]
        table = await self.season(league, season)
        make = partial(honours, season, results, table, league.settings_of)
        return await self.count(f"honours of {season}", league, results, make)

    async def bounds(self, league: League) -> Mapping[str, Bounds]:
        """Return the ranks at which members can finish the current season, or arrive at its final; nothing
        when that is over."""
        settings, results = league.settings_of(league.season), await self.results(league, league.season)
        over = [night for night in results if night.over]
        begun = any(night.final is not None for night in results)
        if league.ended or begun or not over:
            return {}
        return await self.count("bounds", league, over, partial(season_bounds, over, settings, league.season))

    async def count(
        self, what: str, league: League, results: Sequence[NightResult], make: Callable[[], T]
    ) -> T:
        """Return what `make` counts from some results of a league by its settings. It is kept by the name
        `what` until one of them changes."""
        seasons = tuple(sorted({night.season for night in results}))
        terms = (tuple(map(league.settings_of, seasons)), league.schedule.zone)
        return await self._counts.of((what, league.id, seasons), terms, results, make)


def list_nights(league: League, season: int | None) -> list[NightId]:
    """Return the nights of one season of a league, or of all."""
    return [each.id for each in league.nights if season is None or each.season == season]
