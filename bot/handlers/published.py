"""Published leagues: pages in any language, replays and files for everybody. Nothing here is private."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar

from bot.delivery.views import watched
from bot.errors import Refused
from bot.handlers.reading import step_facts
from bot.handlers.request import Services
from bot.history.archive import ARCHIVE_SECONDS
from bot.history.records import rounds_over
from bot.i18n import Words
from bot.ids import LeagueId, NightId, TableId
from bot.league.export import calendar, results_csv, standings_csv
from bot.league.model import League
from bot.league.night import Night
from bot.league.prizes import month_leaders, month_of
from bot.league.results import NightResult, result_of
from bot.league.seasons import coming
from bot.league.standings import night_table, season_table
from bot.markup import Attachment, Cell, Document, Wall, WallTable
from bot.repository.tables import StoredTable
from bot.screens.league.document import NightFacts, SeasonFacts, night_document, season_document
from bot.screens.replay import replay_document
from bot.store.codec import UnknownSchema

DATES: Final = 5
"""The number of coming nights that a page lists."""
NIGHTS_LOOKED_AT: Final = 3
"""The newest nights among which the running one is looked for."""

T = TypeVar("T")

_Season = tuple[League, int, list[NightResult]]


@dataclass(frozen=True, slots=True)
class Published:
    """The public pages of one store's leagues; None for a page that does not exist. May raise
    StoreUnavailable."""

    services: Services

    async def season(self, league: str, season: int | None, words: Words) -> Document | None:
        """A season of a league, by default the current one."""
        found = await self._found(league, season)
        if found is None:
            return None
        others = await self._of_other_seasons(*found[:2])
        return await asyncio.to_thread(_season, *found, others, self.services.leagues.clock(), words)

    async def night(self, league: str, night: str, words: Words) -> Document | None:
        """A night of a league with all its rounds."""
        of = await self._league(league)
        held = await _known(lambda: self.services.leagues.load_night(NightId(night)))
        if of is None or held is None or held.league != of.id:
            return None
        result = result_of(held)
        facts = NightFacts(
            league=of,
            night=result,
            table=night_table(result, held.format.ties),
            replays=_replays(held, self.services.leagues.clock()),
        )
        return night_document(facts, words)

    async def replay(self, league: str, table: str, round: int, step: int, words: Words) -> Document | None:
        """A step of a round that is over at one of a league's tables."""
        of = await self._league(league)
        stored = await _known(lambda: self._table(table))
        night = None if stored is None else stored.value.night
        if of is None or stored is None or night is None or not night.night.startswith(f"{of.id}-"):
            return None
        at = await _known(lambda: self.services.records.step(stored, round, step))
        if at is None:
            return None
        back = Cell(words.say("sheet.night_page"), f"night/{night.night}")
        return replay_document(of.name, step_facts(stored, at), back, words)

    async def file(self, league: str, name: str, season: int | None, page: str) -> Attachment | None:
        """A file of a league: `calendar.ics`, `standings.csv`, `results.csv`. `page`: its page's address."""
        found = await self._found(league, season)
        if found is None:
            return None
        of, number, nights = found
        match name:
            case "calendar.ics":
                text = calendar(of, self.services.leagues.clock(), page)
            case "standings.csv":
                text = standings_csv(of, season_table(nights, of.format, number))
            case "results.csv":
                text = results_csv(of, nights)
            case _:
                return None
        return Attachment(name, text.encode())

    async def wall(self, key: str, words: Words) -> Wall | None:
        """The tables of the current round in the league of a wall's secret, as everybody sees them; None when
        the secret is wrong or has expired."""
        held = await self.services.codes.look("wall", key)
        of = None if held is None else await self._league(held.decode())
        if of is None:
            return None
        night = await self._at_tables(of)
        if night is None or night.round is None:
            return Wall(of.name, ())
        round = night.round
        ids = [night.id_of(round.number, each) for each in round.tables]
        tables = await self.services.repository.load_many(ids)
        return Wall(of.name, tuple(on_wall(of, stored, words) for stored in tables))

    async def _league(self, league: str) -> League | None:
        return await _known(lambda: self.services.leagues.load(LeagueId(league)))

    async def _at_tables(self, league: League) -> Night | None:
        """The league's night that is being played."""
        for ref in reversed(league.nights[-NIGHTS_LOOKED_AT:]):
            night = await _known(partial(self.services.leagues.load_night, ref.id))
            if night is not None and night.stage in ("playing", "break"):
                return night
        return None

    async def _found(self, league: str, season: int | None) -> _Season | None:
        """A league, the number of a season, and that season's nights."""
        of = await self._league(league)
        if of is None:
            return None
        number = of.season if season is None else season
        if not 1 <= number <= of.season:
            return None
        nights = await self.services.leagues.nights(of, number)
        return of, number, [result_of(each) for each in nights]

    async def _of_other_seasons(self, league: League, season: int) -> list[NightResult]:
        """The nights of other seasons in the months in which a season has nights."""
        zone = league.schedule.zone
        months = {month_of(ref.start, zone) for ref in league.nights if ref.season == season}
        others = (ref for ref in league.nights if ref.season != season)
        refs = tuple(ref for ref in others if month_of(ref.start, zone) in months)
        return [result_of(each) for each in await self.services.leagues.nights(replace(league, nights=refs))]

    async def _table(self, table: str) -> StoredTable | None:
        id = TableId(table)
        return await self.services.repository.load(id) or await self.services.archive.load(id)


def _season(
    league: League,
    number: int,
    nights: list[NightResult],
    of_other_seasons: list[NightResult],
    now: float,
    words: Words,
) -> Document:
    format = league.format
    in_order = sorted([*nights, *of_other_seasons], key=lambda night: night.start)
    facts = SeasonFacts(
        league=league,
        season=number,
        table=season_table(nights, format, number),
        nights=[(night, night_table(night, format.ties)) for night in nights],
        months=month_leaders(in_order, format, league.schedule.zone),
        dates=coming(league, now, DATES),
    )
    return season_document(facts, words)


def _replays(night: Night, now: float) -> frozenset[TableId]:
    """The tables of a night with a deal that was finished, while their matches are kept."""
    if now >= night.start + ARCHIVE_SECONDS:
        return frozenset()
    return frozenset(
        night.id_of(round.number, table) for round in night.rounds for table in round.tables if table.tiles
    )


def on_wall(league: League, stored: StoredTable, words: Words) -> WallTable:
    """A table as everybody in its places sees it, without buttons."""
    over = rounds_over(stored.value)
    replay = f"/league/{league.id}/replay/{stored.value.id}?round={over}" if over else ""
    return WallTable(watched(stored, words), replay)


async def _known(read: Callable[[], Awaitable[T]]) -> T | None:
    """Return the value read; None when there is none, or when another version of the program wrote it."""
    try:
        return await read()
    except (Refused, UnknownSchema):
        return None
