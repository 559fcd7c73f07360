"""The host removes somebody: a page of people, one question, and then it is done."""

from typing import Final

from bot.errors import Refused
from bot.handlers.request import Visit
from bot.i18n import Words
from bot.markup import Name, Page
from bot.ports import Answer
from bot.repository.tables import Keeper, Kept
from bot.screens.removing import Removable, confirmation_page, removal_page
from bot.tables import membership
from bot.tables.facts import table_facts

REMOVING: Final = frozenset({"remove", "remove_ask", "remove_now", "remove_back"})
"""The buttons by which a host removes somebody."""


async def removing(keeper: Keeper, visit: Visit, press_id: str) -> Answer:
    """Carry out one of the buttons of `REMOVING`. Raises Refused `not_host`, `nobody_there`."""
    kept = await keeper.load(visit.request.table)
    if kept is None:
        raise Refused("unknown_table")
    membership.only_host(kept.table, visit.by.key)
    match visit.request.verb:
        case "remove_ask":
            whom = _removable(kept, membership.tagged(kept.table, visit.argument()))
            page = confirmation_page(table_facts(kept.table, None), whom, visit.words)
            return Answer(page=page)
        case "remove_now":
            return await _removed(keeper, kept, visit, press_id)
    return Answer(page=page_of_people(kept, visit.words, turns=visit.request.verb != "remove"))


def page_of_people(kept: Kept, words: Words, *, turns: bool) -> Page:
    """Whom the host of a table could remove."""
    people = [_removable(kept, number) for number in membership.removable(kept.table)]
    return removal_page(table_facts(kept.table, None), people, words, turns=turns)


async def _removed(keeper: Keeper, kept: Kept, visit: Visit, press_id: str) -> Answer:
    told = visit.argument()
    name = kept.table.seats[membership.tagged(kept.table, told)].name
    after = await keeper.change(
        kept.table.id,
        f"{visit.by.key} {press_id}",
        lambda now: membership.remove(now.table, visit.by.key, told, visit.delays),
    )
    return Answer(
        notice=visit.words.say("notice.removed", who=Name(name)),
        page=page_of_people(after, visit.words, turns=True),
    )


def _removable(kept: Kept, number: int) -> Removable:
    seat = kept.table.seats[number]
    return Removable(seat.name, membership.tag(str(seat.person)))
