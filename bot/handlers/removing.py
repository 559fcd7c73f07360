"""Removing: the host removes somebody: a page of people, one question, and then it is done."""

from bot.handlers.declarations import TABLE, button, command
from bot.handlers.lookup import own_table
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.markup import Name, Page
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.removing import Removable, confirmation_page, removal_page
from bot.tables import membership
from bot.tables.facts import table_facts


async def _host(context: RequestContext, stored: StoredTable) -> None:
    membership.only_host(stored.value, context.by.key)


@command("remove", audience="everybody", order=180)
async def _choose(context: RequestContext) -> Answer:
    """Whom the host of a table could remove. Raises Refused `no_table`."""
    stored = await own_table(context, lambda stored: stored.value.host == context.by.key)
    return Answer(page=_people_page(stored, context.words, turns=False))


@button("remove", "remove_back", on=TABLE, needs=_host)
async def _people(context: RequestContext, stored: StoredTable) -> Answer:
    return Answer(page=_people_page(stored, context.words, turns=context.verb == "remove_back"))


@button("remove_ask", on=TABLE, needs=_host)
async def _ask(context: RequestContext, stored: StoredTable) -> Answer:
    """Raises Refused `nobody_there`."""
    whom = _removable(stored, membership.tagged(stored.value, context.argument()))
    return Answer(page=confirmation_page(table_facts(stored.value, None), whom, context.words))


@button("remove_now", on=TABLE, needs=_host)
async def _remove(context: RequestContext, stored: StoredTable) -> Answer:
    """Raises Refused `nobody_there`."""
    told, delays = context.argument(), context.services.delays
    name = stored.value.seats[membership.tagged(stored.value, told)].name
    after = await context.services.repository.change(
        stored.value.id,
        context.action,
        lambda now: membership.remove(now.value, context.by.key, told, delays),
    )
    notice = context.words.say("notice.removed", who=Name(name))
    return Answer(notice=notice, page=_people_page(after, context.words, turns=True))


def _people_page(stored: StoredTable, words: Words, *, turns: bool) -> Page:
    people = [_removable(stored, number) for number in membership.removable(stored.value)]
    return removal_page(table_facts(stored.value, None), people, words, turns=turns)


def _removable(stored: StoredTable, number: int) -> Removable:
    seat = stored.value.seats[number]
    return Removable(seat.name, membership.tag(str(seat.person)))
