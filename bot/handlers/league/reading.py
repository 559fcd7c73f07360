"""What people ask to read about a league: its page, when it meets, its tables, their own figures."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.delivery.boards import Boards
from bot.errors import Refused
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.league.model import League, Member
from bot.league.night import Night
from bot.league.prizes import chips, month_leaders, pot
from bot.league.ratings import Pool, ratings
from bot.league.results import NightResult, result_of
from bot.league.schedule import occurrences
from bot.league.standings import night_table
from bot.markup import Page
from bot.people.leagues import Leagues
from bot.people.permissions import Organisers
from bot.ports import Answer, Person
from bot.screens.league.pages import (
    HubFacts,
    ProfileFacts,
    RatingFacts,
    dates_page,
    hub_page,
    nights_page,
    profile_page,
)
from bot.screens.league.results import prizes_page, results_page, round_page, table_page

READING_LEAGUES: Final = frozenset(
    {
        "league_hub",
        "league_dates",
        "league_table",
        "league_nights",
        "league_prizes",
        "league_me",
        "night_results",
    }
)
"""The buttons of these leaflets."""

PAGES: Final = ("hub", "dates", "table", "nights", "prizes", "me")
"""What they are called."""

DATES: Final = 6
_POOLS: Final[tuple[Pool, ...]] = ("free", "partners")


@dataclass(frozen=True, slots=True)
class LeagueReading:
    """Answers with leaflets. Refusals are raised as Refused."""

    leagues: Leagues
    organisers: Organisers
    boards: Boards
    web_url: str
    """Where people reach the program's web server; empty: they are told no address."""

    async def press(self, context: RequestContext) -> Answer:
        """Carry out one of the buttons of `READING_LEAGUES`."""
        turns = context.place is None
        if context.request.verb == "night_results":
            return await self._results(context, turns=turns)
        league = await self.leagues.load(context.league)
        if context.request.verb == "league_table" and context.request.arguments:
            return Answer(page=await self._table(league, context.number(), context.words, turns=turns))
        verb = context.request.verb.removeprefix("league_")
        return await self.page(verb, league, context.by, context.words, turns=turns)

    async def page(self, verb: str, league: League, by: Person, words: Words, *, turns: bool) -> Answer:
        """The page of a league that is called so: one of `PAGES`."""
        match verb:
            case "dates":
                dates = [] if league.ended else occurrences(league.schedule, self.leagues.clock(), DATES)
                leaflet = dates_page(league, dates, words, turns=turns)
            case "table":
                leaflet = await self._table(league, league.season, words, turns=turns)
            case "nights":
                leaflet = nights_page(league, words, turns=turns)
            case "prizes":
                leaflet = await self._prizes(league, words, turns=turns)
            case "me":
                leaflet = await self._profile(league, by, words, turns=turns)
            case _:
                leaflet = await self._hub(league, by, words, turns=turns)
        return Answer(page=leaflet)

    async def next_night(self, league: League) -> Night | None:
        """The night that is on, or comes next; None before it is announced."""
        ref = next((each for each in league.nights if not each.over), None)
        return None if ref is None else await self.leagues.night(ref.id)

    async def coming(self, league: League) -> Night:
        """The same. Raises Refused `no_next_night` when there is none."""
        night = await self.next_night(league)
        if night is None:
            raise Refused("no_next_night")
        return night

    async def played(self, league: League) -> Night:
        """The night that was played last, or is. Raises Refused `no_night_played`."""
        for ref in reversed(league.nights):
            night = await self.leagues.night(ref.id)
            if night.rounds:
                return night
        raise Refused("no_night_played")

    async def _hub(self, league: League, by: Person, words: Words, *, turns: bool) -> Page:
        facts = HubFacts(
            league=league,
            next=await self.next_night(league),
            member=league.member_of(by.key),
            organises=await organises(self.organisers, league, by.key),
            page=f"{self.web_url}/league/{league.id}" if self.web_url else "",
        )
        return hub_page(facts, words, turns=turns)

    async def _table(self, league: League, season: int, words: Words, *, turns: bool) -> Page:
        if not 1 <= season <= league.season:
            raise Refused("unknown_button")
        table = await self.boards.season(league, season)
        return table_page(league, season, table, words, turns=turns)

    async def _results(self, context: RequestContext, *, turns: bool) -> Answer:
        night = await self.leagues.night(context.night)
        league = await self.leagues.load(night.league)
        if context.request.arguments:
            round = context.number()
            if not 1 <= round <= len(night.rounds):
                raise Refused("unknown_button")
            first = context.number(1) if len(context.request.arguments) > 1 else 0
            return Answer(page=round_page(league, night, round, first, context.words))
        result = result_of(night)
        standings = night_table(result, night.format.ties)
        won = pot(result, night.format)
        page = results_page(
            league,
            night,
            standings,
            won,
            context.words,
            organises=await organises(self.organisers, league, context.by.key),
            turns=turns,
        )
        return Answer(page=page)

    async def _prizes(self, league: League, words: Words, *, turns: bool) -> Page:
        results = [result_of(night) for night in await self.leagues.nights(league.id)]
        months = month_leaders(results, league.format, league.schedule.zone)
        return prizes_page(league, months, words, turns=turns)

    async def _profile(self, league: League, by: Person, words: Words, *, turns: bool) -> Page:
        member = league.member_of(by.key)
        if member is None:
            raise Refused("no_member")
        nights = await self.leagues.nights(league.id)
        results = [result_of(night) for night in nights]
        season = await self.boards.season(league, league.season)
        facts = ProfileFacts(
            league=league,
            member=member,
            standing=next((each for each in season if each.member == member.id), None),
            chips=_chips(league, nights, member),
            ratings=await asyncio.to_thread(_ratings, results, member),
            now=self.leagues.clock(),
        )
        return profile_page(facts, words, turns=turns)


async def organises(organisers: Organisers, league: League, person: str) -> bool:
    """Whether a person runs one of a league's places; what a chat does not say just now counts as no."""
    try:
        await check_organiser(organisers, league, person)
    except Refused:
        return False
    return True


async def check_organiser(organisers: Organisers, league: League, person: str) -> None:
    """Raises as `check_one_of` for a league's places."""
    await check_one_of(organisers, league.places, person)


async def check_one_of(organisers: Organisers, places: Iterable[str], person: str) -> None:
    """Raises Refused `organisers_only` when a person runs none of these places, `cannot_ask` while that
    can't be found out."""
    unasked = False
    for place in places:
        try:
            return await organisers.check(person, place)
        except Refused as refused:
            unasked |= refused.code == "cannot_ask"
    raise Refused("cannot_ask" if unasked else "organisers_only")


def _chips(league: League, nights: list[Night], member: Member) -> int | None:
    """What this season's pots brought a member, less what he put in; None where there are none."""
    season = [night for night in nights if night.season == league.season]
    if not any("pot" in night.format.prizes for night in season):
        return None
    return chips((result_of(night), night.format) for night in season)[member.id]


def _ratings(results: list[NightResult], member: Member) -> list[RatingFacts]:
    rated = ratings(results)
    return [
        RatingFacts(pool=pool, tables=rating.tables, shown=rating.shown, curve=tuple(rating.curve))
        for pool in _POOLS
        if (rating := rated.get((pool, member.id))) is not None
    ]
