"""The host removes somebody: a page of people, one question, and then it is done."""

from typing import Final

from bot.errors import Refused
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.markup import Name, Page
from bot.ports import Answer
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.lobby import Removable, confirmation_page, removal_page
from bot.tables import membership
from bot.tables.facts import table_facts

REMOVING: Final = frozenset({"remove", "remove_ask", "remove_now", "remove_back"})
"""The buttons by which a host removes somebody."""


async def removing(repository: TableRepository, context: RequestContext, press_id: str) -> Answer:
    """Carry out one of the buttons of `REMOVING`. Raises Refused `not_host`, `nobody_there`."""
    stored = await repository.load(context.table)
    if stored is None:
        raise Refused("unknown_table")
    membership.only_host(stored.value, context.by.key)
    match context.request.verb:
        case "remove_ask":
            whom = _removable(stored, membership.tagged(stored.value, context.argument()))
            page = confirmation_page(table_facts(stored.value, None), whom, context.words)
            return Answer(page=page)
        case "remove_now":
            return await _removed(repository, stored, context, press_id)
    return Answer(page=page_of_people(stored, context.words, turns=context.request.verb != "remove"))


def page_of_people(stored: StoredTable, words: Words, *, turns: bool) -> Page:
    """Whom the host of a table could remove."""
    people = [_removable(stored, number) for number in membership.removable(stored.value)]
    return removal_page(table_facts(stored.value, None), people, words, turns=turns)


async def _removed(
    repository: TableRepository, stored: StoredTable, context: RequestContext, press_id: str
) -> Answer:
    told = context.argument()
    name = stored.value.seats[membership.tagged(stored.value, told)].name
    after = await repository.change(
        stored.value.id,
        f"{context.by.key} {press_id}",
        lambda now: membership.remove(now.value, context.by.key, told, context.delays),
    )
    return Answer(
        notice=context.words.say("notice.removed", who=Name(name)),
        page=page_of_people(after, context.words, turns=True),
    )


def _removable(stored: StoredTable, number: int) -> Removable:
    seat = stored.value.seats[number]
    return Removable(seat.name, membership.tag(str(seat.person)))
