"""Practice: a round for whoever asks, in private, one at a time, in nobody's statistics."""

import time

from bot.errors import Refused
from bot.handlers.declarations import button, command
from bot.handlers.lookup import find_own
from bot.handlers.request import RequestContext, new_seat, new_table_id
from bot.handlers.table_buttons import own_screen
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.tables import practice


@button("practice")
async def _press(context: RequestContext) -> Answer:
    """The player screen, where the button was pressed."""
    table = await _under_way(context) or _new_id(context)
    with context.services.delivery.replies.answering(context.by.key, table) as reply:
        answer = await _shown(context, await _begun(context, table))
        assert answer.private is not None
        reply.revision = answer.private.revision
        return answer


@command("practice", audience="everybody", order=90)
async def _practice(context: RequestContext) -> Answer:
    """A new round is delivered where that can be; the one that is being played is shown at once."""
    under_way = await _under_way(context)
    stored = await _begun(context, under_way or _new_id(context))
    if under_way is not None and context.place is None:
        return await _shown(context, stored)
    token = await context.invitation(stored.value.id)
    if token is not None and context.place is not None:
        return Answer(notice=context.words.say("notice.practice_open"), open_private=token)
    if context.place is None or context.profile.private_open:
        return Answer(notice=context.words.say("notice.practice"))
    return await _shown(context, stored)


async def _begun(context: RequestContext, table: str) -> StoredTable:
    """The table, which is opened when there is none yet. Raises Refused `unknown_table`."""
    services = context.services
    stored = await services.repository.load(table)
    if stored is None:
        change = practice.begin(
            table_id=table,
            person=new_seat(context.by, time.time()),
            secret=services.entropy(),
            now=time.time(),
            delays=services.delays,
        )
        await services.repository.create(change, context.action)
        stored = await services.repository.load(table)
    if stored is None:
        raise Refused("unknown_table")
    return stored


def _new_id(context: RequestContext) -> str:
    return new_table_id("practice", context.by.key, context.id)


async def _under_way(context: RequestContext) -> str | None:
    stored = await find_own(context, _is_practice)
    return None if stored is None else stored.value.id


async def _shown(context: RequestContext, stored: StoredTable) -> Answer:
    screen = await own_screen(context, stored)
    if screen is None:
        raise Refused("not_seated")
    return Answer(private=screen)


def _is_practice(stored: StoredTable) -> bool:
    return stored.value.practice and stored.value.stage == "playing"
