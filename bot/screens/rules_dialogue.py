"""The dialogue in which a host sets a lobby's rules: the preset first, then switch by switch."""

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.markup import Button, Page, Row, Text
from bot.screens.parts import button
from bot.screens.rules import choices, preset_of, rules_lines, setting, switch_name, value_name
from bot.tables.clocks import CHOICES, in_units
from bot.tables.facts import TableFacts
from engine.rules import PRESETS, switches_for

_SIDE_BY_SIDE = 2
_CHOSEN = "✓ "


def preset_page(facts: TableFacts, words: Words, *, turns: bool = True) -> Page:
    """Which game it is."""
    chosen = preset_of(facts.rules)
    presets = [
        _choice(words.plain(f"preset.{name}"), name == chosen, callback_text("preset", facts.id, 0, name))
        for name in PRESETS
    ]
    rows = (
        *_rows(presets),
        (_page(facts, words, "switches"), clock_button(facts, words), _page(facts, words, "appearance")),
    )
    return _leaflet(facts, words, words.say("dialogue.preset"), rows, turns=turns)


def switch_page(facts: TableFacts, words: Words) -> Page:
    """Every switch that does something in this game, with its value."""
    switches = [_switch(facts, words, name) for name in switches_for(facts.rules)]
    rows = (*_rows(switches), (_page(facts, words, "presets"),))
    return _leaflet(facts, words, words.say("dialogue.switch"), rows)


def value_page(facts: TableFacts, words: Words, switch: str) -> Page:
    """The values of one switch."""
    now = getattr(facts.rules, switch)
    values = [_value(facts, words, switch, value, now) for value in choices(switch)]
    rows = (*_rows(values), (_page(facts, words, "switches"),))
    return _leaflet(facts, words, words.say("dialogue.value", switch=switch_name(words, switch)), rows)


def _leaflet(
    facts: TableFacts, words: Words, task: Text, rows: tuple[Row, ...], *, turns: bool = True
) -> Page:
    title = words.say("dialogue.title", table=facts.id.upper())
    text = joined([title, *rules_lines(facts.rules, words), task])
    return Page(text=text, buttons=rows, turns=turns)


def _switch(facts: TableFacts, words: Words, switch: str) -> Button:
    """A switch of two values is thrown at once, any other has a page of its values."""
    now = getattr(facts.rules, switch)
    values = choices(switch)
    label = setting(words, switch, now) if switch != "penalties" else switch_name(words, switch) + "…"
    if len(values) == 2:
        (other,) = (value for value in values if value != now)
        return Button((label,), callback_text("set", facts.id, 0, switch, _written(other)))
    return Button((label,), callback_text("switch", facts.id, 0, switch))


def _value(facts: TableFacts, words: Words, switch: str, value: str | int | bool, now: object) -> Button:
    chosen, written = value == now, _written(value)
    if isinstance(now, tuple):
        chosen = value in now
        written = ("-" if chosen else "+") + written
    return _choice(
        value_name(words, switch, value), chosen, callback_text("set", facts.id, 0, switch, written)
    )


def _written(value: str | int | bool) -> str:
    """A value as a command would name it."""
    return str(value).lower()


def _choice(label: str, chosen: bool, press: str) -> Button:
    return Button((_CHOSEN * chosen + label,), press, "good" if chosen else "plain")


def _page(facts: TableFacts, words: Words, verb: str) -> Button:
    return button(words, verb, facts, style="primary")


def _rows(buttons: list[Button]) -> tuple[Row, ...]:
    return tuple(tuple(buttons[at : at + _SIDE_BY_SIDE]) for at in range(0, len(buttons), _SIDE_BY_SIDE))


_SIDE_BY_SIDE_clock_page = 3


def clock_name(seconds: int, words: Words) -> str:
    """A clock in words: `5 min`."""
    unit, n = in_units(seconds)
    return words.plain(f"clock.{unit}", n=n)


def clock_line(facts: TableFacts, words: Words) -> Text:
    """How long a turn may take at this table."""
    return words.say("clock.line", clock=clock_name(facts.turn_seconds, words))


def clock_button(facts: TableFacts, words: Words) -> Button:
    """Leads to the page of clocks."""
    label = words.plain("button.clocks", clock=clock_name(facts.turn_seconds, words))
    return Button((label,), callback_text("clocks", facts.id))


def clock_page(facts: TableFacts, words: Words) -> Page:
    """The clocks that a host may choose."""
    clocks = [_choice_clock_page(facts, words, seconds) for seconds in CHOICES]
    rows = tuple(
        tuple(clocks[at : at + _SIDE_BY_SIDE_clock_page])
        for at in range(0, len(clocks), _SIDE_BY_SIDE_clock_page)
    )
    title = words.say("dialogue.title", table=facts.id.upper())
    return Page(
        text=joined([title, clock_line(facts, words), words.say("dialogue.clock")]),
        buttons=(*rows, (button(words, "presets", facts, style="primary"),)),
        turns=True,
    )


def _choice_clock_page(facts: TableFacts, words: Words, seconds: int) -> Button:
    chosen = seconds == facts.turn_seconds
    label = _CHOSEN * chosen + clock_name(seconds, words)
    return Button((label,), callback_text("clock", facts.id, 0, seconds), "good" if chosen else "plain")
