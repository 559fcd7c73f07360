"""Schedule: organisers' pages and lines for a league itself: nights skipped and moved, its end."""

from dataclasses import replace
from functools import partial
from typing import Final

from bot.commands import Argument
from bot.errors import Refused
from bot.handlers.arguments import WHY
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button
from bot.handlers.league.nights import WHY_MOST
from bot.handlers.league.pages import DATES, own_page, turns
from bot.handlers.league.targets import (
    HOST,
    LEAGUE,
    LEAGUE_FOUNDER,
    TYPED_LEAGUE,
    about_league,
    league_word,
    next_night,
)
from bot.i18n import Words, words_for
from bot.ids import night_id, read_start_digits, start_of
from bot.league import decide
from bot.league.decide import Happening
from bot.league.local_time import instant, read_start
from bot.league.model import League, LeagueEnded, NightMoved, NightSkipped
from bot.league.night import Night
from bot.league.seasons import coming, is_between_seasons
from bot.league.timers import call_off
from bot.markup import Moment, Name, Page
from bot.ports import Answer
from bot.repository.leagues import Decide
from bot.screens.league.organising import REASONS, ending_page, run_page, skip_page, skips_page

WHEN: Final = Argument("when", most=32, required=True)

_HALF_A_WEEK: Final = 3.5 * 24 * 3600.0


@about_league("run", who=HOST, group="organise league")
async def _run(context: RequestContext, league: League) -> Answer:
    """Show an organiser's actions for a league."""
    night = None if league.ended else await next_night(context, league)
    wall = bool(context.services.installation.web_url)
    between = is_between_seasons(league, context.services.leagues.clock())
    page = run_page(league, night, context.words, between=between, wall=wall, turns=turns(context))
    return Answer(page=page)


@button("league_skips", on=LEAGUE, who=LEAGUE_FOUNDER)
async def _skips(context: RequestContext, league: League) -> Answer:
    return Answer(page=_skips_page(context, league))


@button("league_skip", on=LEAGUE, who=LEAGUE_FOUNDER)
async def _skip(context: RequestContext, league: League) -> Answer:
    """Skip a night. Without a reason, ask for it. Raises Refused `old_button` for a start that is neither
    ahead nor already skipped."""
    start, reasons = _read_start(context), context.data.arguments[1:]
    dates = coming(league, context.services.leagues.clock(), DATES)
    if start not in {*league.schedule.skipped, *(each.original for each in dates)}:
        raise Refused("old_button")
    if not reasons:
        return await _skip_asked(context, league, start)
    if reasons[0] not in REASONS:
        raise Refused("unknown_button")
    why = words_for(league.language).plain(f"league.reason.{reasons[0]}")
    after = await _skip_night(context, league, start, why)
    return replace(_tell_skipped(after, start, context.words), page=_skips_page(context, after))


@league_word("skip", on=TYPED_LEAGUE, who=LEAGUE_FOUNDER, group="organise league", arguments=(WHY,))
async def _type_skip(context: RequestContext, league: League) -> Answer:
    """Skip the next night. Without a reason, ask for it. Raises Refused `no_next_night`."""
    start = await _next_start(context, league)
    if not context.text:
        return await _skip_asked(context, league, start)
    after = await _skip_night(context, league, start, context.text[:WHY_MOST])
    return _tell_skipped(after, start, context.words)


@league_word("move", on=TYPED_LEAGUE, who=LEAGUE_FOUNDER, group="organise league", arguments=(WHEN,))
async def _type_move(context: RequestContext, league: League) -> Answer:
    """Hold the next night at another time: `move Friday 20:00` means the Friday that is nearest to it. Raises
    Refused `bad_start`, `past_start`, `past_next_night`, `night_begun`."""
    leagues, zone = context.services.leagues, league.schedule.zone
    start = await _next_start(context, league)
    near = max(leagues.clock(), instant(start, zone) - _HALF_A_WEEK)
    local = read_start(context.text, zone, near, leagues.clock())
    at = instant(local, zone)
    if at <= leagues.clock():
        raise Refused("past_start", start=local.replace("T", " "), zone=zone)
    _before_the_next(league, start, at, leagues.clock())
    await _to_night(context, league, start, lambda night, now: decide.reschedule(night, now, at))

    by = (await leagues.organiser(league.id, context.by)).id
    make = partial(_move_night, start=start, local=local)
    await leagues.carry_out(league.id, f"move {context.action}", make, by=by)
    return Answer(notice=context.words.say("notice.league_moved", when=context.words.moment(at, zone)))


@league_word("end", on=TYPED_LEAGUE, who=LEAGUE_FOUNDER, group="organise league")
@button("league_close", on=LEAGUE, who=LEAGUE_FOUNDER)
async def _ask_to_end(context: RequestContext, league: League) -> Answer:
    return Answer(page=ending_page(league, context.words))


@button("league_end", on=LEAGUE, who=LEAGUE_FOUNDER)
async def _end(context: RequestContext, league: League) -> Answer:
    night = await next_night(context, league)
    if night is not None:
        await _to_night(context, league, start_of(night.id), call_off)
    leagues = context.services.leagues
    by = (await leagues.organiser(league.id, context.by)).id
    after = await leagues.carry_out(league.id, f"end {context.action}", _end_league, by=by)
    notice = context.words.say("notice.league_ended", name=Name(league.name))
    return Answer(notice=notice, page=await own_page(context, after, turns=True))


async def _skip_asked(context: RequestContext, league: League, start: str) -> Answer:
    night = await next_night(context, league)
    if night is not None and start_of(night.id) == start:
        _call_off(night, context.services.leagues.clock())
    when = _when(league, start, context.words)
    return Answer(page=skip_page(league, start, when, context.words))


def _skips_page(context: RequestContext, league: League) -> Page:
    """Return the next nights."""
    dates = coming(league, context.services.leagues.clock(), DATES)
    return skips_page(league, dates, context.words)


async def _skip_night(context: RequestContext, league: League, start: str, why: str) -> League:
    """Skip the night of this start. If it is announced already, it is called off."""
    await _to_night(context, league, start, _call_off, why=why)

    leagues = context.services.leagues
    by = (await leagues.organiser(league.id, context.by)).id
    make = partial(_skip_date, start=start)
    return await leagues.carry_out(league.id, f"skip {context.action}", make, by=by, why=why)


def _skip_date(league: League, now: float, start: str) -> NightSkipped:
    return NightSkipped(start)


def _move_night(league: League, now: float, start: str, local: str) -> NightMoved:
    return NightMoved(start, local, league.schedule.moved.get(start, ""))


def _end_league(league: League, now: float) -> LeagueEnded:
    return LeagueEnded()


def _tell_skipped(league: League, start: str, words: Words) -> Answer:
    return Answer(notice=words.say("notice.league_skipped", when=_when(league, start, words)))


async def _next_start(context: RequestContext, league: League) -> str:
    """Return the start that identifies the next night. Raises Refused `no_next_night`."""
    night = await next_night(context, league)
    if night is not None:
        return start_of(night.id)
    dates = coming(league, context.services.leagues.clock(), 1)
    if not dates:
        raise Refused("no_next_night")
    return dates[0].original


def _before_the_next(league: League, start: str, at: float, now: float) -> None:
    """Check that the night of this start, held at this moment, ends before the one after it begins: a night
    that begins meanwhile is never announced. Raises Refused `past_next_night`."""
    following = next((each for each in coming(league, now, 2) if each.original != start), None)
    if following is not None and following.at < at + league.format.longest_minutes * 60:
        held = league.schedule.moved.get(following.original, following.original)
        raise Refused("past_next_night", start=held.replace("T", " "), zone=league.schedule.zone)


async def _to_night(
    context: RequestContext, league: League, start: str, decide: Decide, *, why: str = ""
) -> None:
    """Act on a night, if it has been announced."""
    services, night = context.services, night_id(league.id, start)
    if night not in {ref.id for ref in league.nights}:
        return
    member = await services.leagues.organiser(league.id, context.by)
    await services.leagues.act(night, context.action, decide, by=member.id, why=why)


def _call_off(night: Night, now: float) -> Happening:
    """Call a night off that has not begun. Breaking off a running night is another act. Refused:
    `night_begun`."""
    if night.rounds:
        raise Refused("night_begun")
    return decide.cancel(night, now)


def _when(league: League, start: str, words: Words) -> Moment:
    """Return the moment at which the night of this start is held, if it was moved."""
    held, zone = league.schedule.moved.get(start, start), league.schedule.zone
    return words.moment(instant(held, zone), zone)


def _read_start(context: RequestContext) -> str:
    """Return the local start that a button names in digits."""
    try:
        return read_start_digits(context.argument())
    except ValueError:
        raise Refused("unknown_button") from None
