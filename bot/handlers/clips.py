"""Clips: the film of a round that is over, as one file to forward."""

import asyncio
from typing import Final

from cachetools import LRUCache

from bot.handlers.context import RequestContext
from bot.handlers.declarations import PLAYED, button
from bot.handlers.who import READER
from bot.ids import TableId
from bot.markup import Attachment, Page, ResultPicture, TablePicture
from bot.pictures import draw_clip
from bot.pool import POOL
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.result import result_picture
from bot.screens.table import table_picture
from bot.tables.facts import table_facts

_Clip = asyncio.Task[bytes]

_CLIPS: Final = LRUCache[tuple[TableId, int, str, bool], _Clip](12)
"""The latest clips, or those that are being drawn, by table, round, language and contrast. A film of 40 turns
takes 1.9 s of a process, and everybody at a table asks for it."""


@button("clip", on=PLAYED, who=READER)
async def _clip(context: RequestContext, stored: StoredTable) -> Answer:
    """Show a round as a film. Raises Refused `no_record` unless it is over."""
    round, contrast = context.number(0), context.profile.display.contrast
    key = stored.value.id, round, context.words.language, contrast
    if (clip := _CLIPS.get(key)) is None or (clip.done() and (clip.cancelled() or clip.exception())):
        frames = await _frames(context, stored, round)
        clip = _CLIPS[key] = asyncio.create_task(POOL.run(draw_clip, frames, contrast=contrast))
    film = await asyncio.shield(clip)
    called = stored.value.number_in(context.find_view_place(stored.value))
    text = context.words.say("clip.text", table=called, round=round)
    return Answer(page=Page(text=text, file=Attachment(f"okey-{stored.value.id}-{round}.gif", film)))


async def _frames(
    context: RequestContext, stored: StoredTable, round: int
) -> list[TablePicture | ResultPicture]:
    """Return the table after every turn of a round, and its result."""
    frames: list[TablePicture | ResultPicture] = []
    for table in await context.services.played.records.film(stored, round):
        facts = table_facts(table, None, context.find_view_place(stored.value))
        view = facts.view
        assert view is not None
        if view.outcome is not None:
            frames.append(result_picture(view.outcome, facts, view, context.words))
        else:
            frames.append(table_picture(facts, view, context.words))
    return frames
