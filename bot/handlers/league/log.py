"""Log: organisers read what was done to a night or a league, and undo it."""

from dataclasses import replace

from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button
from bot.handlers.league.targets import (
    HOST,
    LEAGUE,
    LEAGUE_FOUNDER,
    NIGHT,
    REFEREE,
    LeagueNight,
    about_league,
)
from bot.ids import night_id, start_of
from bot.league import acts, decide, revoking
from bot.league.events import Ended, NightCancelled
from bot.league.local_time import instant
from bot.league.model import (
    League,
    LeagueEnded,
    LeagueEvent,
    NightMoved,
    NightSkipped,
    PlaceWithdrawn,
    SeasonPaused,
)
from bot.league.night import Night
from bot.league.schedule import pause_end
from bot.league.seasons import may_reopen
from bot.ports import Answer
from bot.screens.league.log import league_log_page, night_log_page


@button("night_log", on=NIGHT, who=HOST)
async def _night_log(context: RequestContext, of: LeagueNight) -> Answer:
    return await _show(context, of.league, of.night)


@button("night_undo", on=NIGHT, who=REFEREE)
async def _undo_on_night(context: RequestContext, of: LeagueNight) -> Answer:
    """Take an act on a night back. If the night had been skipped, it stands on the calendar again.

    Raises Refused as `revoking.revoke` and `acts.check_revocable`.
    """
    leagues, number = context.services.leagues, context.number()
    log = await leagues.log(of.night.id)
    event = log[number - 1].event if 1 <= number <= len(log) else None
    if isinstance(event, NightCancelled | Ended) and not may_reopen(of.league, of.night):
        raise Refused("act_began")
    by = (await leagues.organiser(of.league.id, context.by)).id
    night = await leagues.revoke(of.night.id, context.action, number, by=by, why="")
    skip = _find_skip(of.league, start_of(of.night.id))
    if isinstance(event, NightCancelled) and skip:
        await leagues.take_back(of.league.id, f"undo {context.action}", skip, by=by)
    answer = await _show(context, of.league, night)
    return replace(answer, notice=context.words.say("notice.undone", number=number))


@about_league("log", who=HOST, group="organise league")
async def _league_log(context: RequestContext, league: League) -> Answer:
    """Show what was done to the league itself. Its nights have logs of their own."""
    return Answer(page=league_log_page(league, context.words))


@button("league_undo", on=LEAGUE, who=LEAGUE_FOUNDER)
async def _undo_on_league(context: RequestContext, league: League) -> Answer:
    """Take an act on a league back. Raises Refused as `acts.check_revocable`, and where it was withdrawn from
    `organisers_only`, `no_sharing`."""
    leagues, number = context.services.leagues, context.number()
    by = (await leagues.organiser(league.id, context.by)).id
    event = acts.check_revocable(league, number, leagues.clock())
    if isinstance(event, PlaceWithdrawn):  # nobody's place gets a league back without them
        await context.services.permissions.organisers.check(context.by.key, event.place)
        await context.services.permissions.admission.share(event.place)
    await _restore_night(context, league, event, by)
    after = await leagues.take_back(league.id, context.action, number, by=by)
    if isinstance(event, SeasonPaused | LeagueEnded):
        await _restore_called_off(context, after, by)
    notice = context.words.say("notice.undone", number=number)
    return Answer(notice=notice, page=league_log_page(after, context.words))


async def _restore_night(context: RequestContext, league: League, event: LeagueEvent, by: str) -> None:
    """Bring an announced night back that was skipped or moved."""
    if not isinstance(event, NightSkipped | NightMoved):
        return
    leagues, id = context.services.leagues, night_id(league.id, event.start)
    held = await leagues.night(id)
    if held is None:
        return
    if isinstance(event, NightMoved):
        at = instant(event.before or event.start, league.schedule.zone)
        await leagues.act(id, f"undo {context.action}", lambda night, now: decide.reschedule(night, now, at))
    elif held.value.stage == "cancelled":
        await leagues.hold_after_all(id, f"undo {context.action}", by=by)


async def _restore_called_off(context: RequestContext, league: League, by: str) -> None:
    """Bring the nights back that were cancelled by the league's end, or by a pause if they would fall into
    none now. The league may not know yet that they were."""
    leagues = context.services.leagues
    for ref in league.nights:
        may_be = ref.season == league.season and (ref.cancelled or not ref.over)
        held = await leagues.night(ref.id) if may_be else None
        if held is None or held.value.cancelled not in ("paused", "ended"):
            continue
        if max(leagues.clock(), pause_end(league.schedule)) < held.value.start:
            await leagues.hold_after_all(ref.id, f"undo {context.action}", by=by)


def _find_skip(league: League, start: str) -> int:
    """Return the number of the act that skipped the night of this start and stands; 0: there is none."""
    taken_back = acts.find_revoked(league)
    numbered = enumerate(league.acts, start=1)
    return next(
        (
            number
            for number, act in numbered
            if isinstance(act.event, NightSkipped) and act.event.start == start and number not in taken_back
        ),
        0,
    )


async def _show(context: RequestContext, league: League, night: Night) -> Answer:
    acts_done = revoking.acts_of(await context.services.leagues.log(night.id))
    return Answer(page=night_log_page(league, night, acts_done, context.words))
