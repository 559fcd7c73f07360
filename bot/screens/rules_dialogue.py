"""The dialogue in which a host sets a lobby's rules: the preset first, then switch by switch."""

from bot.presses import press_text
from bot.screens.clock_page import clock_button
from bot.screens.facts import TableFacts
from bot.screens.model import Button, Leaflet, Row, Text
from bot.screens.parts import button
from bot.screens.rules import (
    choices,
    preset_of,
    rules_lines,
    setting,
    switch_name,
    switches_for,
    value_name,
)
from bot.words import Words, joined
from engine.rules import PRESETS

_SIDE_BY_SIDE = 2
_CHOSEN = "✓ "


def preset_page(facts: TableFacts, words: Words, *, turns: bool = True) -> Leaflet:
    """Which game it is."""
    chosen = preset_of(facts.rules)
    presets = [
        _choice(words.plain(f"preset.{name}"), name == chosen, press_text("preset", facts.id, 0, name))
        for name in PRESETS
    ]
    rows = (
        *_rows(presets),
        (_page(facts, words, "switches"), clock_button(facts, words), _page(facts, words, "appearance")),
    )
    return _leaflet(facts, words, words.say("dialogue.preset"), rows, turns=turns)


def switch_page(facts: TableFacts, words: Words) -> Leaflet:
    """Every switch that does something in this game, with its value."""
    switches = [_switch(facts, words, name) for name in switches_for(facts.rules)]
    rows = (*_rows(switches), (_page(facts, words, "presets"),))
    return _leaflet(facts, words, words.say("dialogue.switch"), rows)


def value_page(facts: TableFacts, words: Words, switch: str) -> Leaflet:
    """The values of one switch."""
    now = getattr(facts.rules, switch)
    values = [_value(facts, words, switch, value, now) for value in choices(switch)]
    rows = (*_rows(values), (_page(facts, words, "switches"),))
    return _leaflet(facts, words, words.say("dialogue.value", switch=switch_name(words, switch)), rows)


def _leaflet(
    facts: TableFacts, words: Words, task: Text, rows: tuple[Row, ...], *, turns: bool = True
) -> Leaflet:
    title = words.say("dialogue.title", table=facts.id.upper())
    text = joined([title, *rules_lines(facts.rules, words), task])
    return Leaflet(text=text, buttons=rows, turns=turns)


def _switch(facts: TableFacts, words: Words, switch: str) -> Button:
    """A switch of two values is thrown at once, any other has a page of its values."""
    now = getattr(facts.rules, switch)
    values = choices(switch)
    label = setting(words, switch, now) if switch != "penalties" else switch_name(words, switch) + "…"
    if len(values) == 2:
        (other,) = (value for value in values if value != now)
        return Button((label,), press_text("set", facts.id, 0, switch, _written(other)))
    return Button((label,), press_text("switch", facts.id, 0, switch))


def _value(facts: TableFacts, words: Words, switch: str, value: str | int | bool, now: object) -> Button:
    chosen, written = value == now, _written(value)
    if isinstance(now, tuple):
        chosen = value in now
        written = ("-" if chosen else "+") + written
    return _choice(value_name(words, switch, value), chosen, press_text("set", facts.id, 0, switch, written))


def _written(value: str | int | bool) -> str:
    """A value as a command would name it."""
    return str(value).lower()


def _choice(label: str, chosen: bool, press: str) -> Button:
    return Button((_CHOSEN * chosen + label,), press, "good" if chosen else "plain")


def _page(facts: TableFacts, words: Words, verb: str) -> Button:
    return button(words, verb, facts, style="primary")


def _rows(buttons: list[Button]) -> tuple[Row, ...]:
    return tuple(tuple(buttons[at : at + _SIDE_BY_SIDE]) for at in range(0, len(buttons), _SIDE_BY_SIDE))
