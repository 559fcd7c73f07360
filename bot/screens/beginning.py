"""What is told of a round's beginning: who threw or drew what for the start, and the dice of the deal."""

from bot.screens.facts import TableFacts
from bot.screens.model import Name, Text
from bot.screens.parts import mark
from bot.tables.model import FirstDraw
from bot.words import Words, joined
from engine.view import PublicView


def beginning_lines(facts: TableFacts, view: PublicView, words: Words) -> list[Text]:
    """Told until the first discard; nothing after it."""
    if view.turns:
        return []
    lines = []
    if facts.first:
        lines.append(joined((_drawn(draw, facts, view, words) for draw in facts.first), " · "))
    if view.dice:
        stack, *others = view.dice
        lines.append(words.say("begin.dice", stack=stack, tiles=", ".join(map(str, others))))
    return lines


def _drawn(draw: FirstDraw, facts: TableFacts, view: PublicView, words: Words) -> Text:
    who = Name(facts.seats[draw.seat].name)
    if draw.tile is not None:
        return words.say("begin.drew", who=who, tile=mark(draw.tile, view.okey))
    assert draw.die is not None
    return words.say("begin.threw", who=who, die=draw.die)
