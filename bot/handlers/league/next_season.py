"""Next season: between two seasons, organisers keep its settings, change them, or put it off until a date."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.commands import Argument
from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button
from bot.handlers.league.targets import LEAGUE, LEAGUE_FOUNDER, TYPED_LEAGUE, carry_out, league_word
from bot.ids import read_start_digits
from bot.league.local_time import instant, read_start, write_local
from bot.league.model import League
from bot.league.seasons import coming, find_pause, is_between_seasons, pause
from bot.markup import Page
from bot.ports import Answer
from bot.screens.league.organising import next_season_page

UNTIL: Final = Argument("until", most=32)

_WEEKS: Final = (2, 4, 8, 12)
"""The lengths of a pause that buttons offer, from the next night on."""


@button("league_next_season", on=LEAGUE, who=LEAGUE_FOUNDER)
async def _press(context: RequestContext, league: League) -> Answer:
    """Show what organisers may do before a season begins; with a button's date, put it off until then. Raises
    Refused as `pause`."""
    if not context.data.arguments:
        return Answer(page=await _page(context, league))
    try:
        return await _pause(context, league, read_start_digits(context.argument()))
    except ValueError:
        raise Refused("unknown_button") from None


@league_word("season", on=TYPED_LEAGUE, who=LEAGUE_FOUNDER, group="organise league", arguments=(UNTIL,))
async def _type(context: RequestContext, league: League) -> Answer:
    """Do the same: `season 2026-09-01`. Raises Refused `bad_start`, and as `pause`."""
    if not context.text:
        return Answer(page=await _page(context, league))
    typed = f"{context.text} 0:00"
    return await _pause(
        context, league, read_start(typed, league.schedule.zone, context.services.leagues.clock())
    )


async def _page(context: RequestContext, league: League) -> Page:
    """Return the choice before a season. Raises Refused `season_begun`."""
    now = context.services.leagues.clock()
    if not is_between_seasons(league, now):
        raise Refused("season_begun", season=league.season)
    first = next(iter(coming(league, now, 1)), None)
    paused, dates = find_pause(league, now), _list_dates(league, now)
    divisions = await context.services.leagues.standings.divisions(league, league.season)
    return next_season_page(league, first, paused, dates, divisions, context.words)


def _list_dates(league: League, now: float) -> list[str]:
    """Return the local times until which buttons put a season off, counted from the night that would be the
    next one without a pause."""
    going = replace(league, schedule=replace(league.schedule, resumes=""))
    first = next(iter(coming(going, now, 1)), None)
    if first is None:
        return []
    start = datetime.fromisoformat(first.original).replace(hour=0, minute=0)
    return [write_local(start + timedelta(weeks=weeks)) for weeks in _WEEKS]


async def _pause(context: RequestContext, league: League, until: str) -> Answer:
    """Put the season off. A night of it that is announced already is cancelled by the league's clock."""
    after = await carry_out(context, league, lambda held, now: pause(held, now, until))
    words, zone = context.words, after.schedule.zone
    when = words.date(instant(until, zone), zone)
    return Answer(notice=words.say("notice.league_paused", when=when), page=await _page(context, after))
