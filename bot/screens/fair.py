"""Fair deals: what a deal that waits is bound to, what a deal that came was bound to, and the page that says
how to check it."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.i18n import Words, join
from bot.markup import Attachment, Button, Link, Name, Page, Row, Text
from bot.screens.check import check_file
from bot.screens.parts import button
from bot.tables.facts import SaidWord, TableFacts

_SHOWN: Final = 16
"""The digits of a seal in the line, enough to tell seals apart. The page has all digits."""


def list_awaited_lines(facts: TableFacts, words: Words) -> list[Text]:
    """Return the seal of a deal that waits for the beacon, and what it is bound to; nothing of any other."""
    if facts.deal.awaited is None:
        return []
    line = words.say("fair.sealed", digits=facts.deal.commitment[:_SHOWN])
    return [line, *_describe_awaited(facts, words)]


def fingerprint_line(context: str, words: Words) -> Text:
    """Return the beginning of what a deal was bound to (hex). It stands in the message that the deal closes,
    so that whoever wants it has it, and the table's own message tells the game alone."""
    return words.say("fair.bound", digits=context[:_SHOWN])


def fair_button(facts: TableFacts, words: Words) -> Button:
    """Return the button that opens the page."""
    return button(words, "fair", facts)


def fair_page(facts: TableFacts, words: Words, *, asks: bool = False) -> Page:
    """Return the limits of a seal's proof; seals, words and the last secret in full; and how to check them.
    `asks`: whether its reader may add a word, for which a button can ask."""
    limits = (
        "fair.limits_beacon"
        if facts.deal.beacon is not None and facts.deal.beacon.signature
        else "fair.limits"
    )
    lines = [words.say("fair.title"), words.say("fair.why"), words.say(limits)]
    if facts.stage != "over":
        number = facts.round_number + (facts.stage != "playing")
        lines.append(words.say("fair.seal", round=number, digits=facts.deal.commitment))
    lines += _describe_awaited(facts, words, len(facts.deal.awaited_context))
    if facts.stage == "playing":
        lines += _bound_lines(facts, words)
    buttons: list[Button] = [button(words, "add_word", facts)] if asks else []
    opened = facts.deal.opened
    if opened is not None:
        seal, secret = opened.sealed.seal.hex(), opened.sealed.secret.hex()
        lines.append(words.say("fair.seal", round=opened.round_number, digits=seal))
        if facts.stage != "playing":
            lines += _bound_lines(facts, words)
        lines.append(words.say("fair.secret", round=opened.round_number, digits=secret))
        buttons.append(button(words, "fair_check", facts))
    row: tuple[Row, ...] = (tuple(buttons),) if buttons else ()
    return Page(text=join([*lines, words.say("fair.check")], "\n\n"), buttons=row)


def _describe_awaited(facts: TableFacts, words: Words, digits: int = _SHOWN) -> Iterator[Text]:
    """Yield what the next deal is bound to, and the beacon that it waits for, once its words are closed."""
    named = facts.deal.awaited
    if named is None:
        return
    said = _tell_words(facts.deal.awaited_words, words)
    yield words.say("fair.closed", words=said, digits=facts.deal.awaited_context[:digits])
    if named.number:
        yield words.say("fair.awaited", number=named.number, chain=named.chain[:_SHOWN])


def _bound_lines(facts: TableFacts, words: Words) -> Iterator[Text]:
    """Yield what the current or last deal was bound to besides the bot's secret."""
    round, beacon = facts.round_number, facts.deal.beacon
    if facts.view is not None and facts.view.dice:
        stack, *others = facts.view.dice
        yield words.say("fair.dice", round=round, stack=stack, tiles=", ".join(map(str, others)))
    if not facts.deal.context:
        return
    said = _tell_words(facts.deal.closed_words, words)
    yield words.say("fair.words", round=round, words=said, digits=facts.deal.context)
    if not any(each.word for each in facts.deal.closed_words) and (beacon is None or not beacon.signature):
        yield words.say("fair.no_words", round=round)
    if beacon is not None and not beacon.signature:
        yield words.say("fair.no_beacon", round=round)
    elif beacon is not None:
        signature = beacon.signature.hex()
        yield words.say(
            "fair.beacon", round=round, number=beacon.round, chain=beacon.chain, signature=signature
        )


def _tell_words(closed: Sequence[SaidWord], words: Words) -> Text:
    """Return every seat's name and word, in seat order."""
    none = words.plain("fair.none")
    lines = [words.say("fair.word", name=Name(each.name), word=Name(each.word or none)) for each in closed]
    return join(lines, " · ")


def lead_to_check_page(words: Words, address: str) -> Page:
    """Return the answer that leads to the check page at an address."""
    link = Link(words.plain("fair.page_link"), address)
    return Page(text=(*words.say("fair.page"), "\n🔎 ", link))


def attach_check_page(words: Words, name: str, record: bytes) -> Page:
    """Return the answer with the check page as a file, which has a record (JSON) in it."""
    return Page(text=words.say("fair.file"), file=Attachment(name, check_file(words, record)))
