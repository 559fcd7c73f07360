"""Fair deals: a line under a lobby and a result, and the page that says how to check a deal."""

from typing import Final

from bot.i18n import Words, joined
from bot.markup import Button, Name, Page, Text
from bot.screens.parts import button
from bot.tables.facts import TableFacts

_SHOWN: Final = 16
"""Digits of a seal that tell it from others. The page has all of them."""


def fair_line(facts: TableFacts, words: Words) -> Text:
    """That the next deal is sealed; once the match is over, that the last one is open."""
    if facts.stage == "over":
        return words.say("fair.open")
    return words.say("fair.sealed", digits=facts.commitment[:_SHOWN])


def fair_button(facts: TableFacts, words: Words) -> Button:
    """Leads to the page."""
    return button(words, "fair", facts)


def fair_page(facts: TableFacts, words: Words) -> Page:
    """What a seal proves and what not; seals, words and the last secret in full; and how to check them."""
    lines = [words.say("fair.title"), words.say("fair.why"), words.say("fair.limits")]
    if facts.stage != "over":
        number = facts.round_number + (facts.stage != "playing")
        lines.append(words.say("fair.seal", round=number, digits=facts.commitment))
    if facts.stage == "playing":
        lines.append(_words_line(facts, words))
    if facts.opened is not None:
        lines.append(words.say("fair.seal", round=facts.opened.round_number, digits=facts.opened_commitment))
        if facts.stage != "playing":
            lines.append(_words_line(facts, words))
        lines.append(
            words.say("fair.secret", round=facts.opened.round_number, digits=facts.opened.secret.hex())
        )
    return Page(text=joined([*lines, words.say("fair.check")], "\n\n"))


def _words_line(facts: TableFacts, words: Words) -> Text:
    """What entered the shuffle of this round, or of the last one, besides the bot's secret."""
    if not facts.shuffle_words:
        return words.say("fair.no_words", round=facts.round_number)
    said = Name(" · ".join(facts.shuffle_words))
    return words.say("fair.words", round=facts.round_number, words=said)
