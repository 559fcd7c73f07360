"""How long a turn may take: told in a lobby, and chosen by its host in the rules dialogue."""

from bot.presses import press_text
from bot.screens.facts import TableFacts
from bot.screens.model import Button, Leaflet, Text
from bot.screens.parts import button
from bot.tables.clocks import CHOICES, in_units
from bot.words import Words, joined

_SIDE_BY_SIDE = 3
_CHOSEN = "✓ "


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
    return Button((label,), press_text("clocks", facts.id))


def clock_page(facts: TableFacts, words: Words) -> Leaflet:
    """The clocks that a host may choose."""
    clocks = [_choice(facts, words, seconds) for seconds in CHOICES]
    rows = tuple(tuple(clocks[at : at + _SIDE_BY_SIDE]) for at in range(0, len(clocks), _SIDE_BY_SIDE))
    title = words.say("dialogue.title", table=facts.id.upper())
    return Leaflet(
        text=joined([title, clock_line(facts, words), words.say("dialogue.clock")]),
        buttons=(*rows, (button(words, "presets", facts, style="primary"),)),
        turns=True,
    )


def _choice(facts: TableFacts, words: Words, seconds: int) -> Button:
    chosen = seconds == facts.turn_seconds
    label = _CHOSEN * chosen + clock_name(seconds, words)
    return Button((label,), press_text("clock", facts.id, 0, seconds), "good" if chosen else "plain")
