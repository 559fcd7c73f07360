"""What the buttons of the rules dialogue do to a lobby."""

from typing import Final

from bot.errors import Refused
from bot.handlers.defaults import value_of
from bot.handlers.preferences import thrown
from bot.handlers.request import Visit
from bot.repository.tables import Kept
from bot.tables import lobby
from bot.tables.clocks import read_clock
from bot.tables.table import ON_TABLES, Change
from engine.rules import Rules


def _preset(visit: Visit, kept: Kept) -> Change:
    return lobby.choose_rules(kept.table, visit.by.key, {"preset": visit.argument()})


def _set(visit: Visit, kept: Kept) -> Change:
    switch, text = visit.argument(0), visit.argument(1)
    value = _penalties(kept.table.match.rules, text) if switch == "penalties" else value_of(switch, text)
    return lobby.change_rules(kept.table, visit.by.key, **{switch: value})


def _penalties(rules: Rules, text: str) -> list[str]:
    """The list with `+name` added or `-name` taken out. Raises Refused `unknown_button`."""
    if text[:1] not in ("+", "-"):
        raise Refused("unknown_button")
    kept: list[str] = [penalty for penalty in rules.penalties if penalty != text[1:]]
    return [*kept, text[1:]] if text.startswith("+") else kept


def _clock(visit: Visit, kept: Kept) -> Change:
    return lobby.choose_clock(kept.table, visit.by.key, read_clock(visit.argument()))


def _appear(visit: Visit, kept: Kept) -> Change:
    return lobby.choose_display(kept.table, visit.by.key, thrown(kept.table.display, visit, ON_TABLES))


RULES_ACTS: Final = {"appear": _appear, "preset": _preset, "set": _set, "clock": _clock}
