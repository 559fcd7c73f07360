"""League pages: a league's own page, when it meets, its tables and nights, its prizes, a member's figures."""

import asyncio
from typing import Final

from bot.errors import Refused
from bot.handlers.declarations import button
from bot.handlers.league.targets import (
    LEAGUE,
    MEANT_LEAGUE,
    NIGHT,
    LeagueNight,
    league_word,
    next_night,
    organises,
)
from bot.handlers.request import RequestContext
from bot.league.model import League, Member
from bot.league.night import Night
from bot.league.prizes import chips, month_leaders, pot
from bot.league.ratings import Pool, ratings
from bot.league.results import NightResult, result_of
from bot.league.schedule import occurrences
from bot.league.standings import night_table
from bot.markup import Page
from bot.ports import Answer
from bot.screens.league.pages import HubFacts, dates_page, hub_page, nights_page
from bot.screens.league.profile import ProfileFacts, RatingFacts, profile_page
from bot.screens.league.results import prizes_page, results_page, round_page, table_page

DATES: Final = 6
_POOLS: Final[tuple[Pool, ...]] = ("free", "partners")


def turns(context: RequestContext) -> bool:
    """Whether a page takes the place of the one on which was pressed: in private chats."""
    return context.pressed and context.place is None


@league_word("hub", on=MEANT_LEAGUE)
@button("league_hub", on=LEAGUE)
async def show_league(context: RequestContext, league: League) -> Answer:
    return Answer(page=await own_page(context, league, turns=turns(context)))


async def own_page(context: RequestContext, league: League, *, turns: bool) -> Page:
    """A league's own page."""
    web = context.services.web_url
    facts = HubFacts(
        league=league,
        next=await next_night(context, league),
        member=league.member_of(context.by.key),
        organises=await organises(context, league),
        page=f"{web}/league/{league.id}" if web else "",
    )
    return hub_page(facts, context.words, turns=turns)


@league_word("dates", on=MEANT_LEAGUE)
@button("league_dates", on=LEAGUE)
async def _dates(context: RequestContext, league: League) -> Answer:
    now = context.services.leagues.clock()
    dates = [] if league.ended else occurrences(league.schedule, now, DATES)
    return Answer(page=dates_page(league, dates, context.words, turns=turns(context)))


@league_word("table", on=MEANT_LEAGUE)
@button("league_table", on=LEAGUE)
async def _table(context: RequestContext, league: League) -> Answer:
    """Of the season that the button names, else of the one that runs."""
    season = context.number() if context.data.arguments else league.season
    if not 1 <= season <= league.season:
        raise Refused("unknown_button")
    table = await context.services.boards.season(league, season)
    return Answer(page=table_page(league, season, table, context.words, turns=turns(context)))


@league_word("nights", on=MEANT_LEAGUE)
@button("league_nights", on=LEAGUE)
async def _nights(context: RequestContext, league: League) -> Answer:
    return Answer(page=nights_page(league, context.words, turns=turns(context)))


@league_word("prizes", on=MEANT_LEAGUE)
@button("league_prizes", on=LEAGUE)
async def _prizes(context: RequestContext, league: League) -> Answer:
    results = [result_of(night) for night in await context.services.leagues.nights(league.id)]
    months = month_leaders(results, league.format, league.schedule.zone)
    return Answer(page=prizes_page(league, months, context.words, turns=turns(context)))


@league_word("me", on=MEANT_LEAGUE)
@button("league_me", on=LEAGUE)
async def _profile(context: RequestContext, league: League) -> Answer:
    """A member's own figures. Raises Refused `no_member`."""
    member = league.member_of(context.by.key)
    if member is None:
        raise Refused("no_member")
    nights = await context.services.leagues.nights(league.id)
    results = [result_of(night) for night in nights]
    season = await context.services.boards.season(league, league.season)
    facts = ProfileFacts(
        league=league,
        member=member,
        standing=next((each for each in season if each.member == member.id), None),
        chips=_chips(league, nights, member),
        ratings=await asyncio.to_thread(_ratings, results, member),
        now=context.services.leagues.clock(),
    )
    return Answer(page=profile_page(facts, context.words, turns=turns(context)))


@button("night_results", on=NIGHT)
async def _results(context: RequestContext, of: LeagueNight) -> Answer:
    """A night's results, or those of one of its rounds. Raises Refused `unknown_button`."""
    league, night = of.league, of.night
    if context.data.arguments:
        round = context.number()
        if not 1 <= round <= len(night.rounds):
            raise Refused("unknown_button")
        return Answer(page=round_page(league, night, round, context.number_or_0(1), context.words))
    result = result_of(night)
    page = results_page(
        league,
        night,
        night_table(result, night.format.ties),
        pot(result, night.format),
        context.words,
        organises=await organises(context, league),
        turns=turns(context),
    )
    return Answer(page=page)


def _chips(league: League, nights: list[Night], member: Member) -> int | None:
    """What this season's pots brought a member, less what they put in; None where there are none."""
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
