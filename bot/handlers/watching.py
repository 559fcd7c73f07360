"""Watching: the table of an invitation as its guests see it, who may sit down there too."""

from bot.callback_data import callback_text
from bot.delivery.views import render_watched
from bot.handlers.context import RequestContext
from bot.markup import Button, Page
from bot.people.sessions import Watched
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.parts import button


async def find_invited(context: RequestContext, code: str) -> StoredTable:
    """Return the table of a code. The person may watch it from now on, in the app too."""
    stored = await context.services.invitations.find_invited(code, context.by.key)
    await context.services.permissions.admission.watch(context.by.key, stored.value)
    await note_watched(context, stored)
    return stored


async def note_watched(context: RequestContext, stored: StoredTable) -> None:
    """Note that the person watches the table by its present invitation."""
    watched = Watched(stored.value.id, stored.value.calls.invitation)
    await context.services.sessions.watch(context.by.key, watched)


async def show_watched(context: RequestContext, stored: StoredTable, *, turns: bool) -> Answer:
    """Show its public screen as a page: never a rack in play. While a seat is free, they may take it."""
    table, screen = stored.value, render_watched(stored, context.words)
    press = callback_text("watch", table.id, 0, table.calls.invitation)
    refresh = Button((context.words.plain("button.refresh"),), press)
    replay = (each for row in screen.buttons for each in row if each.press.startswith("replay."))
    free = table.has_room and table.seat_of(context.by.key) is None
    join = (button(context.words, "join", table.id, style="good"),) if free else ()
    row = (*join, *(() if screen.over else (refresh,)), *replay)
    return Answer(
        page=Page(
            text=screen.text,
            picture=screen.picture,
            alt=screen.alt,
            buttons=(row,) if row else (),
            turns=turns,
        )
    )
