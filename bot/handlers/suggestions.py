"""Suggestions: values for an argument while a person types it, for chats that can show them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.commands import ArgumentKind
from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.league.founding import likely_zones, likely_zones_of
from bot.handlers.league.targets import leagues_here, organises
from bot.handlers.lookup import call_table, tables_of
from bot.i18n import fold
from bot.league.local_time import list_zones
from bot.league.model import League
from bot.ports import Suggestion
from bot.tables.table import Table


async def suggestions(context: RequestContext, kind: ArgumentKind) -> list[Suggestion]:
    """Return the suggestions that contain the words typed so far; none for kinds without suggestions, and for
    strangers."""
    find = _FINDERS.get(kind)
    try:
        found = [] if find is None else await find(context)
    except Refused:
        return []
    typed = fold(context.text)
    return [each for each in found if typed in fold(f"{each.value} {each.words}")]


async def _tables(context: RequestContext) -> list[Suggestion]:
    """Return the place's tables and those at which the person sits, the newest first."""
    services = context.services
    ids = [] if context.place is None else await services.store.index.tables_at(context.place)
    here = await services.tables.load_many(list(ids))
    tables = {stored.value.id: stored for stored in (*here, *await tables_of(context, context.by.key))}
    shown = [each for each in tables.values() if each.value.stage != "closed" and not each.value.practice]
    return [
        Suggestion(each.value.id, f"{call_table(context, each)}: {_suggest_seated(each.value)}")
        for each in sorted(shown, key=lambda each: -each.value.opened_at)
    ]


def _suggest_seated(table: Table) -> str:
    return ", ".join(seat.name for seat in table.seats if not seat.is_free)


async def _leagues(context: RequestContext) -> list[Suggestion]:
    return [Suggestion(league.id, league.name) for league in await leagues_here(context)]


async def _members(context: RequestContext) -> list[Suggestion]:
    """Return the members of the leagues that the person organises."""
    run = [league for league in await leagues_here(context) if await organises(context, league)]
    names = dict.fromkeys(member.name for league in run for member in league.members.values())
    return [Suggestion(name, name) for name in names]


async def _results(context: RequestContext) -> list[Suggestion]:
    """Return the tables of each league's last night, by round and number."""
    leagues = [league for league in await leagues_here(context) if league.nights]
    return [each for league in leagues for each in await _tables_of_night(context, league)]


async def _tables_of_night(context: RequestContext, league: League) -> list[Suggestion]:
    held = await context.services.leagues.night(league.nights[-1].id)
    if held is None:
        return []
    return [
        Suggestion(
            (number := f"{round.number}.{table.number}"),
            f"{number}: {', '.join(league.members[each].name for each in table.members)}",
        )
        for round in held.value.rounds
        for table in round.tables
    ]


async def _suggest_blocked(context: RequestContext) -> list[Suggestion]:
    """Return the blocked people, for organisers alone."""
    await context.services.permissions.organisers.check(context.by.key, context.here)
    whole = await context.services.communities.of_whole(context.here)
    return [Suggestion(each.name, each.name) for each in whole.blocked]


async def _list_zones(context: RequestContext) -> list[Suggestion]:
    """Return the time zones, those first that are likely here."""
    likely = likely_zones_of(context.words)
    if context.place is not None:
        likely = [*await likely_zones(context, context.place), *likely]
    return [Suggestion(zone, zone.replace("_", " ")) for zone in dict.fromkeys((*likely, *list_zones()))]


_FINDERS: Final[Mapping[ArgumentKind, Callable[[RequestContext], Awaitable[list[Suggestion]]]]] = {
    "table": _tables,
    "league": _leagues,
    "member": _members,
    "result": _results,
    "blocked": _suggest_blocked,
    "zone": _list_zones,
}
