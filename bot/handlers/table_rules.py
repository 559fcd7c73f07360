"""What the buttons of the rules dialogue do to a lobby."""

from typing import Final

from bot.errors import Refused
from bot.handlers.defaults import value_of
from bot.handlers.preferences import thrown
from bot.handlers.request import RequestContext
from bot.repository.tables import StoredTable
from bot.tables import lobby
from bot.tables.clocks import read_clock
from bot.tables.table import ON_TABLES, Change
from engine.rules import Rules


def _preset(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.choose_rules(stored.value, context.by.key, {"preset": context.argument()})


def _set(context: RequestContext, stored: StoredTable) -> Change:
    switch, text = context.argument(0), context.argument(1)
    value = _penalties(stored.value.match.rules, text) if switch == "penalties" else value_of(switch, text)
    return lobby.change_rules(stored.value, context.by.key, **{switch: value})


def _penalties(rules: Rules, text: str) -> list[str]:
    """The list with `+name` added or `-name` taken out. Raises Refused `unknown_button`."""
    if text[:1] not in ("+", "-"):
        raise Refused("unknown_button")
    stored: list[str] = [penalty for penalty in rules.penalties if penalty != text[1:]]
    return [*stored, text[1:]] if text.startswith("+") else stored


def _clock(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.choose_clock(stored.value, context.by.key, read_clock(context.argument()))


def _appear(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.choose_display(
        stored.value, context.by.key, thrown(stored.value.display, context, ON_TABLES)
    )


RULES_ACTS: Final = {"appear": _appear, "preset": _preset, "set": _set, "clock": _clock}
