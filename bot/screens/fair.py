"""Fair deals: a line under a lobby and a result, and the page that says how to check a deal."""

from collections.abc import Iterator
from typing import Final

from bot.i18n import Words, joined
from bot.markup import Button, Name, Page, Text
from bot.screens.parts import button
from bot.tables.facts import TableFacts

_SHOWN: Final = 16
"""The digits of a seal in the line, enough to tell seals apart. The page has all digits."""


def fair_line(facts: TableFacts, words: Words) -> Text:
    """A line that says that the next deal is sealed and what it waits for; after the match, that the last
    deal is open."""
    if facts.stage == "over":
        return words.say("fair.open")
    line = words.say("fair.sealed", digits=facts.commitment[:_SHOWN])
    return joined([line, *_awaited_lines(facts, words)])


def fair_button(facts: TableFacts, words: Words) -> Button:
    """The button that opens the page."""
    return button(words, "fair", facts)


def fair_page(facts: TableFacts, words: Words) -> Page:
    """The limits of a seal's proof; seals, words and the last secret in full; and how to check them."""
    limits = "fair.limits_beacon" if facts.beacon is not None and facts.beacon.signature else "fair.limits"
    lines = [words.say("fair.title"), words.say("fair.why"), words.say(limits)]
    if facts.stage != "over":
        number = facts.round_number + (facts.stage != "playing")
        lines.append(words.say("fair.seal", round=number, digits=facts.commitment))
    lines += _awaited_lines(facts, words)
    if facts.stage == "playing":
        lines += _entered_lines(facts, words)
    if facts.opened is not None:
        lines.append(words.say("fair.seal", round=facts.opened.round_number, digits=facts.opened_commitment))
        if facts.stage != "playing":
            lines += _entered_lines(facts, words)
        lines.append(
            words.say("fair.secret", round=facts.opened.round_number, digits=facts.opened.secret.hex())
        )
    return Page(text=joined([*lines, words.say("fair.check")], "\n\n"))


def _awaited_lines(facts: TableFacts, words: Words) -> list[Text]:
    """The beacon that the next deal waits for, once its words are closed."""
    named = facts.awaited
    if named is None or not named.number:
        return []
    said = Name(" · ".join(facts.awaited_words) or "–")
    return [words.say("fair.awaited", words=said, number=named.number, chain=named.chain[:_SHOWN])]


def _entered_lines(facts: TableFacts, words: Words) -> Iterator[Text]:
    """The words and the beacon that entered the shuffle of the current or last round besides the bot's
    secret."""
    round, beacon = facts.round_number, facts.beacon
    if facts.shuffle_words:
        yield words.say("fair.words", round=round, words=Name(" · ".join(facts.shuffle_words)))
    elif beacon is None or not beacon.signature:
        yield words.say("fair.no_words", round=round)
    if beacon is not None and not beacon.signature:
        yield words.say("fair.no_beacon", round=round)
    elif beacon is not None:
        signature = beacon.signature.hex()
        yield words.say(
            "fair.beacon", round=round, number=beacon.round, chain=beacon.chain, signature=signature
        )
