"""Reading: replays and records, and watching another place's table."""

import json
from typing import Final

from bot.errors import Refused
from bot.handlers.arguments import CODE, NAMED_TABLE
from bot.handlers.context import RequestContext
from bot.handlers.declarations import PLAYED, TABLE_OR_NONE, RequestTarget, button, command
from bot.handlers.inviting import watch_here
from bot.handlers.lookup import find_at, find_table
from bot.handlers.services import Services
from bot.handlers.watching import find_invited, note_watched, show_watched
from bot.handlers.who import ANYBODY, INVITED, READER
from bot.history.records import Step, rounds_over
from bot.ids import TableId
from bot.markup import Attachment, Page
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.replay import StepFacts, replay_page
from bot.tables.facts import table_facts

_LAST: Final = 10_000
"""A number above the steps of any round."""


@button("replay", "replay_first", "replay_step", "replay_last", on=PLAYED, who=READER)
async def _turn_replay(context: RequestContext, stored: StoredTable) -> Answer:
    """Return a step of a round that is over: nothing in it is secret any more."""
    round = context.number(0)
    match context.verb:
        case "replay_step":
            return await _replay_at(context, stored, round, context.number(1), turns=True)
        case "replay_last":
            return await _replay_at(context, stored, round, _LAST, turns=True)
    return await _replay_at(context, stored, round, 0, turns=context.verb != "replay")


@command("replay", who=ANYBODY, audience="everybody", order=100, group="table", arguments=(NAMED_TABLE,))
async def _replay(context: RequestContext) -> Answer:
    """Return the last round that is over, for its players and its places.

    Raises Refused `no_record`.
    """
    stored = await find_played(context)
    return await _replay_at(context, stored, rounds_over(stored.value), 0, turns=False)


@command("record", who=ANYBODY, audience="everybody", order=110, group="table", arguments=(NAMED_TABLE,))
async def _record(context: RequestContext) -> Answer:
    """Return the record of a match, for the same people. Raises Refused `no_record`."""
    stored = await find_played(context)
    content = await record_of(context.services, stored)
    called = stored.value.number_in(context.find_view_place(stored.value))
    text = context.words.say("record.text", table=called, n=rounds_over(stored.value))
    return Answer(page=Page(text=text, file=Attachment(f"okey-{stored.value.id}.json", content)))


async def record_of(services: Services, stored: StoredTable) -> bytes:
    """Return the record of a table's rounds that are over, as JSON. Raises Refused `no_record`."""
    return json.dumps(await services.played.records.record(stored), ensure_ascii=False).encode() + b"\n"


async def find_played(context: RequestContext) -> StoredTable:
    """Return a table with a round that is over: the named one, or else their own in this place, before
    another one there or one of theirs elsewhere. Raises Refused `no_record`, `unknown_table`."""
    table, place = context.text, context.place

    def own(stored: StoredTable) -> bool:
        return _is_played(stored) and stored.value.seat_of(context.by.key) is not None

    stored = None if place is None else await find_at(context, place, table, own)
    stored = stored or await find_table(context, table, _is_played)
    if stored is not None:
        return stored
    if not table or await find_table(context, table, lambda stored: True) is not None:
        raise Refused("no_record")
    archived = await context.services.played.archive.load(TableId(table.lower()))
    if archived is None or not _was_there(context, archived):
        raise Refused("unknown_table")
    return archived


def _is_played(stored: StoredTable) -> bool:
    return rounds_over(stored.value) > 0


def _was_there(context: RequestContext, stored: StoredTable) -> bool:
    return stored.value.seat_of(context.by.key) is not None or context.place in stored.value.places


async def _replay_at(
    context: RequestContext, stored: StoredTable, round: int, number: int, *, turns: bool
) -> Answer:
    step = await context.services.played.records.step(stored, round, number)
    facts = step_facts(stored, step, context.find_view_place(stored.value))
    return Answer(page=replay_page(facts, context.words, turns=turns))


def step_facts(stored: StoredTable, step: Step, place: str | None = None) -> StepFacts:
    """Return a step of a table's replay, for its screens; the table is called as in `place`."""
    facts, rounds = table_facts(step.table, None, place), rounds_over(stored.value)
    return StepFacts(table=facts, racks=step.racks, step=step.number, last=step.last, rounds=rounds)


@command("watch", who=ANYBODY, audience="everybody", order=160, group="table", arguments=(CODE,))
async def _watch(context: RequestContext) -> Answer:
    """Return the table of a code: in a place, shown there from now on; in private, in its current state.
    Raises Refused `no_code` without one."""
    if not context.text:
        raise Refused("no_code")
    if context.place is not None:
        return await watch_here(context)
    stored = await find_invited(context, context.text)
    return await show_watched(context, stored, turns=False)


async def _of_code(context: RequestContext) -> StoredTable | None:
    return await context.services.invitations.find_invited(context.argument(), context.by.key)


OF_CODE: Final = RequestTarget(_of_code)
"""The table whose code the button names. Raises as `Invitations.find_invited`."""


@button("watch_live", on=OF_CODE, who=INVITED)
async def _watch_live(context: RequestContext, stored: StoredTable | None) -> Answer:
    """Return the table of a code, in the app."""
    assert stored is not None
    await note_watched(context, stored)
    return Answer(launch=True)


@button("watch", on=TABLE_OR_NONE, who=INVITED)
async def _watch_on(context: RequestContext, stored: StoredTable | None) -> Answer:
    """Return the table in its current state."""
    assert stored is not None
    return await show_watched(context, stored, turns=True)
