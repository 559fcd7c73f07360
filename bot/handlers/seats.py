"""Seats: how people take one and leave it, and buttons by which a match begins and goes on."""

from bot.errors import Refused
from bot.handlers.help import guided
from bot.handlers.moves import there
from bot.handlers.request import RequestContext, new_seat, this_move
from bot.handlers.table_buttons import table_button
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.tables import lobby, play, practice, turns
from bot.tables.table import Change
from engine.view import public_view


async def _may_sit(context: RequestContext) -> None:
    """A button may stand in a place where the table is shown no longer."""
    stored = await context.services.repository.load(context.data.target)
    if stored is not None and context.place is not None and context.place not in stored.value.places:
        raise Refused("unknown_table")
    await context.services.admission.sit(context.by.key, stored, context.place)


async def _welcomed(context: RequestContext, stored: StoredTable) -> Answer:
    return await joined(context, stored.value.id)


async def joined(context: RequestContext, table: str) -> Answer:
    """Whoever has just sat down is told so, and how their rack will reach them."""
    token = await context.invitation(table)
    key = "notice.joined" if token is None else "notice.joined_open"
    return await guided(context, Answer(notice=context.words.say(key), open_private=token))


async def _told_gone(context: RequestContext, stored: StoredTable) -> Answer:
    return Answer(notice=context.words.say("notice.left"))


@table_button("join", needs=_may_sit, tells=_welcomed)
def _join(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.join(stored.value, new_seat(context.by, stored.now))


@table_button("leave", tells=_told_gone)
def _leave(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.leave(stored.value, context.by.key)


@table_button("computer")
def _computer(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.add_computer(stored.value, context.by.key, "steady")


@table_button("fewer")
def _fewer(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.remove_computer(stored.value, context.by.key)


@table_button("players")
def _players(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.change_rules(stored.value, context.by.key, players=context.number())


@table_button("start")
def _start(context: RequestContext, stored: StoredTable) -> Change:
    return play.start(stored.value, context.by.key, context.services.delays)


@table_button("cancel")
def _cancel(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.cancel(stored.value, context.by.key)


@table_button("next")
def _next(context: RequestContext, stored: StoredTable) -> Change:
    context.seat(stored)
    this_move(context, stored)
    if stored.value.stage != "between":
        raise Refused("no_round")
    return play.next_round(there(context, stored), context.services.delays)


@table_button("step_out")
def _step_out(context: RequestContext, stored: StoredTable) -> Change:
    return turns.step_out(stored.value, context.by.key, context.services.delays)


@table_button("back_in")
def _back_in(context: RequestContext, stored: StoredTable) -> Change:
    if stored.value.stage not in ("playing", "between"):
        raise Refused("no_round")
    seat = context.seat(stored)
    table = turns.returned(there(context, stored), seat)
    on_turn = table.stage == "playing" and public_view(table.match).turn == seat
    return Change(table, due=play.clock(table, context.services.delays) if on_turn else "keep")


@table_button("practice_leave")
def _practice_leave(context: RequestContext, stored: StoredTable) -> Change:
    return practice.leave(stored.value, context.by.key)
