"""Reacting: the app's button with which a player shows an emote at their seat."""

from bot.handlers.moves import there
from bot.handlers.request import RequestContext
from bot.handlers.table_buttons import table_button
from bot.repository.tables import StoredTable
from bot.tables import reactions
from bot.tables.table import Change


@table_button("react")
def _react(context: RequestContext, stored: StoredTable) -> Change:
    seat = context.seat(stored)
    return reactions.react(there(context, stored), seat, context.argument(), stored.now)
