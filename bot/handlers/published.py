"""Published leagues: pages, replays and files on the web, for those who may see them by the league's
visibility."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import Final, TypeVar

from bot.delivery.views import render_watched
from bot.errors import Refused
from bot.handlers.reading import step_facts
from bot.handlers.services import Services
from bot.history.archive import ARCHIVE_SECONDS
from bot.history.records import rounds_over
from bot.i18n import Words, plain, words_for
from bot.ids import LeagueId, NightId, TableId
from bot.league.calendar import calendar
from bot.league.export import SeasonExport, results_csv, season_json, standings_csv
from bot.league.model import League, NightRef, Visibility
from bot.league.night import Night
from bot.league.prizes import month_leaders, month_of
from bot.league.results import result_in
from bot.league.revoking import acts_of
from bot.league.seasons import coming, find_pause
from bot.league.standings import night_standings
from bot.league.visibility import is_opened_by, league_named, path_of
from bot.markup import Attachment, Cell, Document, Wall, WallTable
from bot.ports import NotShown, RetryAfter
from bot.repository.tables import StoredTable
from bot.screens.league.document import NightFacts, SeasonFacts, night_document, season_document
from bot.screens.league.pages import pick_ratings
from bot.screens.league.parts import pause_line
from bot.screens.league.remembered import (
    HALL,
    RATINGS,
    HallFacts,
    MemberFacts,
    hall_document,
    member_document,
    ratings_document,
)
from bot.screens.league.settings import about_league
from bot.screens.replay import replay_document
from bot.store.codec import UnknownSchema
from bot.tables.names import NOBODY

DATES: Final = 5
"""The number of coming nights that a page lists."""
NIGHTS_LOOKED_AT: Final = 3
"""The newest nights among which the running one is looked for."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Published:
    """The leagues of one store for people outside the chats. May raise StoreUnavailable."""

    services: Services

    async def open(self, path: str, token: str) -> "PublishedLeague | None":
        """Return the league that part of an address names, to read its pages; None when there is none.

        `token` is that of the reader's session; empty: they have none. Raises NotShown when the league is for
        its own people, and the reader is nobody of them.
        """
        id, key = league_named(path)
        league = await _read_if_known(lambda: self.services.leagues.newest(id))
        if league is None or not is_opened_by(league, key):
            return None
        if league.visibility == "members" and not await self._may_read(league, token):
            raise NotShown
        return PublishedLeague(self.services, league)

    async def wall(self, key: str, words: Words) -> Wall | None:
        """Return the tables of the current round in the league of a wall's secret, as everybody sees them;
        None when the secret is wrong or has expired."""
        held = await self.services.tokens.look_at("wall", key)
        of = None if held is None else await self._league(LeagueId(held.decode()))
        if of is None:
            return None
        night = await self._at_tables(of)
        if night is None or night.round is None:
            return Wall(of.name, ())
        round = night.round
        ids = [night.id_of(round.number, each) for each in round.tables]
        tables = await self.services.tables.load_many(ids)
        return Wall(of.name, tuple(on_wall(of, stored, words) for stored in tables))

    async def _league(self, league: LeagueId) -> League | None:
        return await _read_if_known(lambda: self.services.leagues.load(league))

    async def _may_read(self, league: League, token: str) -> bool:
        session = await self.services.sessions.of(token) if token else None
        return session is not None and await sees_league(self.services, session.person, league)

    async def _at_tables(self, league: League) -> Night | None:
        """Return the league's night that is being played."""
        for ref in reversed(league.nights[-NIGHTS_LOOKED_AT:]):
            night = await _read_if_known(partial(self.services.leagues.load_night, ref.id))
            if night is not None and night.stage in ("playing", "break"):
                return night
        return None


async def sees_league(services: Services, person: str, league: League) -> bool:
    """Return whether a person can read one of a league's places. While their chat does not answer, its
    members can."""
    try:
        return await services.permissions.readers.readable(person, league.places) is not None
    except RetryAfter:
        return league.member_of(person) is not None


@dataclass(frozen=True, slots=True)
class PublishedLeague:
    """The pages of one league, in any language, for somebody who may read them; None for one that does not
    exist. Nothing in them is private."""

    services: Services
    league: League

    @property
    def id(self) -> str:
        """The league's id."""
        return self.league.id

    @property
    def path(self) -> str:
        """The part of the pages' addresses that names the league."""
        return path_of(self.league)

    @property
    def visibility(self) -> Visibility:
        """Who sees the pages."""
        return self.league.visibility

    async def stamp(self, season: int | None, night: str = "", *, whole: bool = False) -> str:
        """Return what stays the same as long as a night's page does not change; without one, as long as the
        page and the files of a season do not; with `whole`, as long as nothing in the league does."""
        nights, now = self.league.nights, self.services.leagues.clock()
        refs = [each for each in nights if each.id == night] if night else self._list_counted(season)
        refs = list(nights) if whole else refs
        stored = await self.services.leagues.stamp(replace(self.league, nights=tuple(refs)))
        begun = sum(each.start <= now for each in nights)  # those are no more among the coming ones
        kept = sum(now < each.start + ARCHIVE_SECONDS for each in refs)
        shows = bool(night) and await self._shows(self.league.places)
        paused = find_pause(self.league, now)
        return blake2b(repr((stored, begun, kept, shows, paused)).encode(), digest_size=16).hexdigest()

    async def season(self, season: int | None, words: Words) -> Document | None:
        """Return a season, by default the current one."""
        number = self.league.season if season is None else season
        if not 1 <= number <= self.league.season:
            return None
        leagues, league = self.services.leagues, self.league
        nights = await leagues.standings.results(league, number)
        in_months = await leagues.standings.results(replace(league, nights=tuple(self._of_months(number))))
        make_months = partial(month_leaders, in_months, league.settings_of, league.schedule.zone)
        facts = partial(
            SeasonFacts,
            league=league,
            season=number,
            table=await leagues.standings.season(league, number),
            months=await leagues.standings.count("months of a season", league, in_months, make_months),
            dates=coming(league, leagues.clock(), DATES) if number == league.season else (),
            paused=find_pause(league, leagues.clock()) if number == league.season else None,
            honours=await leagues.standings.honours(league, number),
        )

        def make() -> Document:
            tables = [(night, night_standings(night, league.settings_of(number).ties)) for night in nights]
            return season_document(facts(nights=tables), words)

        return await asyncio.to_thread(make)

    async def night(self, night: str, words: Words) -> Document | None:
        """Return a night with all its rounds."""
        held = await _read_if_known(lambda: self.services.leagues.load_night(NightId(night)))
        if held is None or held.league != self.league.id:
            return None
        result = await asyncio.to_thread(result_in, self.league, held)
        shows = await self._shows(self.league.places)
        replays = _list_replays(held, self.services.leagues.clock()) if shows else frozenset()
        acts = acts_of(await self.services.leagues.log(held.id))

        def make() -> Document:
            table = night_standings(result, held.format.ties)
            facts = NightFacts(league=self.league, night=result, table=table, replays=replays, acts=acts)
            return night_document(facts, words)

        return await asyncio.to_thread(make)

    async def chronicle(self, page: str, words: Words) -> Document | None:
        """Return the hall of fame, the list of ratings, or the page of a member: `member/m1`."""
        leagues, league = self.services.leagues, self.league
        if page == RATINGS:
            return ratings_document(league, await leagues.standings.ratings(league), words)
        everybody = await leagues.standings.records(league)
        honours = {season: await leagues.standings.honours(league, season) for season in league.champions}
        if page == HALL:
            return hall_document(HallFacts(league=league, records=everybody, honours=honours), words)
        member = page.partition("/")[2]
        known, record = league.members.get(member), everybody.get(member)
        if known is None or record is None or known.name == NOBODY:
            return None
        seasons = []
        for season in sorted({night.season for night in record.nights}, reverse=True):
            table = await leagues.standings.season(league, season)
            seasons += [(season, each) for each in table if each.member == member]
        facts = MemberFacts(
            league=league,
            member=member,
            record=record,
            seasons=seasons,
            bounds=(await leagues.standings.bounds(league)).get(member),
            ratings=pick_ratings(await leagues.standings.ratings(league), member),
            honours=honours,
        )
        return await asyncio.to_thread(member_document, facts, words)

    async def replay(self, table: str, round: int, step: int, words: Words) -> Document | None:
        """Return a step of a round that is over at one of the tables."""
        stored = await _read_if_known(lambda: self._table(table))
        night = None if stored is None else stored.value.night
        if stored is None or night is None or not night.night.startswith(f"{self.league.id}-"):
            return None
        if not await self._shows(stored.value.places):
            return None
        at = await _read_if_known(lambda: self.services.played.records.step(stored, round, step))
        if at is None:
            return None
        back = Cell(words.say("sheet.night_page"), f"night/{night.night}")
        return replay_document(self.league.name, step_facts(stored, at), back, words)

    async def _shows(self, places: tuple[str, ...]) -> bool:
        """Return whether these pages show the tables of places: where only the league's own people read them,
        or each of the places shares its tables."""
        if self.league.visibility == "members":
            return True
        try:
            await self.services.permissions.admission.share(*places)
        except (Refused, RetryAfter):
            return False
        return True

    async def file(self, name: str, season: int | None, page: str) -> Attachment | None:
        """Return a file: `calendar.ics`, `standings.csv`, `results.csv`, `season.json`. `page`: the address
        of the first page."""
        number = self.league.season if season is None else season
        if not 1 <= number <= self.league.season:
            return None
        leagues = self.services.leagues
        match name:
            case "calendar.ics":
                words = words_for(self.league.language)
                about, paused = about_league(self.league, words), find_pause(self.league, leagues.clock())
                if paused is not None:
                    about = f"{plain(pause_line(self.league, paused, words), words)}\n{about}"
                text = calendar(self.league, leagues.clock(), page, about)
            case "standings.csv":
                table = await leagues.standings.season(self.league, number)
                text = await asyncio.to_thread(standings_csv, self.league, table)
            case "results.csv":
                nights = await leagues.standings.results(self.league, number)
                text = await asyncio.to_thread(results_csv, self.league, nights)
            case "season.json":
                return Attachment(name, await self._season_json(number))
            case _:
                return None
        return Attachment(name, text.encode())

    async def _season_json(self, season: int) -> bytes:
        leagues, league = self.services.leagues, self.league
        facts = SeasonExport(
            league=league,
            season=season,
            settings=league.settings_of(season),
            nights=await leagues.standings.results(league, season),
            table=await leagues.standings.season(league, season),
            dates=coming(league, leagues.clock(), DATES) if season == league.season else (),
            paused=find_pause(league, leagues.clock()) if season == league.season else None,
        )
        return await asyncio.to_thread(season_json, facts)

    def _list_counted(self, season: int | None) -> list[NightRef]:
        """Return the nights that a season's page depends on (by default the current one's). Who was there the
        season before, and who plays where in the next one, tell who goes up and down."""
        number = self.league.season if season is None else season
        kept = {ref.id for ref in self._of_months(number)}
        return [ref for ref in self.league.nights if ref.id in kept or abs(ref.season - number) == 1]

    def _of_months(self, season: int | None) -> list[NightRef]:
        """Return the nights of a season (by default the current one), and those of others in its months."""
        number = self.league.season if season is None else season
        zone, nights = self.league.schedule.zone, self.league.nights
        months = {month_of(ref.start, zone) for ref in nights if ref.season == number}
        return [ref for ref in nights if month_of(ref.start, zone) in months]

    async def _table(self, table: str) -> StoredTable | None:
        id = TableId(table)
        return await self.services.tables.load(id) or await self.services.played.archive.load(id)


def _list_replays(night: Night, now: float) -> frozenset[TableId]:
    """Return the tables of a night with a deal that was finished, while their matches are kept."""
    if now >= night.start + ARCHIVE_SECONDS:
        return frozenset()
    return frozenset(
        night.id_of(round.number, table) for round in night.rounds for table in round.tables if table.tiles
    )


def on_wall(league: League, stored: StoredTable, words: Words) -> WallTable:
    """Return a table as everybody in its places sees it, without buttons."""
    over = rounds_over(stored.value) if path_of(league) else 0
    replay = f"/league/{path_of(league)}/replay/{stored.value.id}?round={over}" if over else ""
    return WallTable(render_watched(stored, words), replay)


async def _read_if_known(read: Callable[[], Awaitable[T]]) -> T | None:
    """Return the value read; None when there is none, or when another version of the program wrote it."""
    try:
        return await read()
    except (Refused, UnknownSchema):
        return None
