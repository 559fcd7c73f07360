"""How screens look: a person's own settings, one tap from his rack, and a host's for his table."""

from bot.presses import press_text
from bot.screens.facts import TableFacts
from bot.screens.model import Button, Leaflet, Row
from bot.screens.notifications import notifications_button
from bot.screens.parts import button
from bot.tables.display import ON_RACKS, ON_TABLES, Display
from bot.words import Words, joined

OWN = "me"
"""Stands in a press where others name their table: these settings belong to the person who presses."""

_ON, _OFF = "✓ ", ""


def preferences_page(display: Display, words: Words, *, turns: bool) -> Leaflet:
    """Every switch with what it does, and a button that throws it."""
    lines = [words.say("preferences.title")]
    lines += [words.say(f"preferences.{name}") for name in ON_RACKS]
    rows = tuple(display_button(name, display, words, "prefer", OWN) for name in ON_RACKS)
    return Leaflet(text=joined(lines), buttons=(*_pairs(rows), (notifications_button(words),)), turns=turns)


def appearance_page(facts: TableFacts, words: Words) -> Leaflet:
    """In a lobby: how its places see the table."""
    lines = [words.say("dialogue.display"), *(words.say(f"preferences.{name}") for name in ON_TABLES)]
    switches = tuple(display_button(name, facts.display, words, "appear", facts.id) for name in ON_TABLES)
    back = button(words, "presets", facts, style="primary")
    return Leaflet(text=joined(lines), buttons=(*_pairs(switches), (back,)), turns=True)


def display_button(name: str, display: Display, words: Words, verb: str, table: str) -> Button:
    """Throws one of the switches of a display. What it comes to is in the press: twice is as good as once."""
    on = getattr(display, name)
    label = (_ON if on else _OFF) + words.plain(f"display.{name}")
    return Button((label,), press_text(verb, table, 0, name, int(not on)), "good" if on else "plain")


def _pairs(buttons: tuple[Button, ...]) -> tuple[Row, ...]:
    return tuple(buttons[at : at + 2] for at in range(0, len(buttons), 2))
