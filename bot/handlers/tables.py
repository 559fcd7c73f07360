"""Tables: commands that open one, or show it and one's own rack."""

import time
from functools import partial
from typing import Final

from bot.errors import Refused
from bot.handlers.declarations import command
from bot.handlers.defaults import clock_at, language_at, rules_at
from bot.handlers.help import guided, show_help
from bot.handlers.lookup import find_at, own_table, tables_of_person
from bot.handlers.request import RequestContext, new_seat, new_table_id, noticed
from bot.handlers.table_buttons import own_screen
from bot.league.model import is_night
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.tables import lobby, turns
from bot.tables.clocks import named_clock
from bot.tables.table import Change

TABLES_MOST: Final = 5
"""So many tables one person may have open as their host: nobody floods a group with lobbies."""

WORD_LONGEST: Final = 64


@command("play", audience="everybody", order=10, in_place=True)
async def _play(context: RequestContext) -> Answer:
    """Open a table, with the rules and the clock that are named. Delivered twice, it opens one table."""
    services, place = context.services, context.here
    clock, argument = named_clock(context.text)
    table = new_table_id(place, context.by.key, context.id)
    if await services.repository.load(table) is None:
        if await _hosted(context) >= TABLES_MOST:
            raise Refused("too_many_tables", n=TABLES_MOST)
        settings = await services.communities.around(place)
        await services.admission.open(context.by.key, settings)
        change = lobby.open_table(
            table_id=table,
            place=place,
            host=new_seat(context.by, time.time()),
            rules=rules_at(settings, argument),
            language=language_at(settings, context.words),
            turn_seconds=clock or clock_at(settings, services),
            secret=services.entropy(),
            now=time.time(),
            display=settings.display,
            room=bool(settings.nearest(lambda each: each.rooms)),
        )
        await services.admission.stands(table, place)
        await services.repository.create(change, context.action)
    token = await context.invitation(table)
    return await guided(context, Answer(notice=context.words.say("notice.opened"), open_private=token))


@command("rack", audience="everybody", order=50)
async def _rack(context: RequestContext) -> Answer:
    stored = await own_table(context)
    stored = await context.services.repository.change(stored.value.id, None, partial(noticed, context))
    screen = await own_screen(context, stored)
    if screen is None:
        raise Refused("no_table")
    return Answer(private=screen)


@command("look", in_place=True)
async def _look(context: RequestContext) -> Answer:
    stored = await find_at(context, context.here, context.text)
    if stored is None:
        raise Refused("unknown_table")
    return Answer(public=context.services.viewing.public(stored, context.here))


@command("start")
async def _start(context: RequestContext) -> Answer:
    """The private chat was opened, perhaps through a link of ours."""
    services, person, token = context.services, context.by.key, context.text
    table = await services.people.accept(token, person) if token else None
    await services.people.reached(person)
    if token and table is None:
        raise Refused("expired_link")
    if table is None:
        return await show_help(context)
    if is_night(table):
        return Answer(notice=context.words.say("notice.night_reached"))
    await services.admission.sit(person, await services.repository.load(table), context.place)
    stored = await services.repository.change(table, context.action, partial(_sat, context))
    screen = await own_screen(context, stored)
    if screen is None:
        raise Refused("table_full")
    return await guided(context, Answer(notice=context.words.say("notice.joined"), private=screen))


@command("word", audience="everybody", order=170)
async def _word(context: RequestContext) -> Answer:
    """Add a word to the next shuffle."""
    if len(context.text) > WORD_LONGEST:
        raise Refused("word_long")
    stored = await own_table(context)

    def act(now: StoredTable) -> Change:
        return Change(now.value.with_seat(context.seat(now), word=context.text))

    await context.services.repository.change(stored.value.id, context.action, act)
    return Answer(notice=context.words.say("notice.word_kept"))


def _sat(context: RequestContext, stored: StoredTable) -> Change | None:
    """The person of a link has a seat, if they had none and there is one; private messages reach them."""
    seat = stored.value.seat_of(context.by.key)
    if seat is not None:
        return Change(turns.present(stored.value, seat, stored.now, private=True).seat_touched(seat))
    return lobby.join(stored.value, new_seat(context.by, stored.now))


async def _hosted(context: RequestContext) -> int:
    """How many tables that are not over whoever asks opened, or became host of."""
    tables = [stored.value for stored in await tables_of_person(context)]
    hosted = [table for table in tables if table.host == context.by.key and not table.practice]
    return sum(table.stage not in ("over", "closed") for table in hosted)
