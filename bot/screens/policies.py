"""Policies: what people are told of their data and of the terms, in the chats, on the web and in the docs.

Both texts stand in the catalogues alone. A policy has named sections; a chat shows a few of them at a time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.i18n import Words, join
from bot.markup import Button, Cell, Document, Link, Name, Page, Row, Section, Strong, Text
from bot.screens.parts import own_button

PolicyName = Literal["privacy", "terms"]

PARTS: Final[dict[PolicyName, tuple[tuple[str, ...], ...]]] = {
    "privacy": (("kept", "seen"), ("long", "yours", "left"), ("who",)),
    "terms": (("offer", "play", "people"), ("end", "who")),
}
"""The sections of each policy, by the pages on which chats show them."""

PATHS: Final[dict[PolicyName, str]] = {"privacy": "/privacy", "terms": "/terms"}
"""Where the web server has them."""

OTHER: Final[dict[PolicyName, PolicyName]] = {"privacy": "terms", "terms": "privacy"}


@dataclass(frozen=True, slots=True)
class Operator:
    """The person or group who runs the bot, in their own words; empty where they said nothing."""

    name: str = ""
    contact: str = ""


def policy_page(
    policy: PolicyName, number: int, operator: Operator, words: Words, *, web_url: str, turns: bool
) -> Page:
    """Return a page of a policy for a chat, counted from 1. `web_url`: where the whole policy is on the web;
    empty: nowhere."""
    sections = PARTS[policy][number - 1]
    title = words.plain(f"policy.{policy}")
    blocks: list[Text] = [(Strong(title), f" · {number}/{len(PARTS[policy])}")]
    for name in sections:
        text = _section(policy, name, operator, words)
        blocks.append((Strong(words.plain(f"policy.{policy}.{name}")), "\n", *text))
    if web_url:
        blocks.append(("🔗 ", Link(words.plain("policy.whole"), f"{web_url}{PATHS[policy]}")))
    return Page(text=join(blocks, "\n\n"), buttons=_buttons(policy, number, words), turns=turns)


def _buttons(policy: PolicyName, number: int, words: Words) -> tuple[Row, ...]:
    """Return the buttons to the pages beside this one, and to what people may do."""
    steps: list[Button] = []
    if number > 1:
        steps.append(own_button(words, policy, number - 1, says="policy_before"))
    if number < len(PARTS[policy]):
        steps.append(own_button(words, policy, number + 1, style="primary", says="policy_next"))
    return tuple(steps), (own_button(words, OTHER[policy], 1, says=OTHER[policy]),)


def policy_document(policy: PolicyName, operator: Operator, words: Words) -> Document:
    """Return a whole policy as a web page."""
    sections = (
        Section(
            title=words.plain(f"policy.{policy}.{name}"), lines=(_section(policy, name, operator, words),)
        )
        for name in sections_of(policy)
    )
    other = OTHER[policy]
    ways = (Cell((words.plain(f"policy.{other}"),), way=PATHS[other]),)
    return Document(title=words.plain(f"policy.{policy}"), sections=tuple(sections), ways=ways)


def sections_of(policy: PolicyName) -> Sequence[str]:
    """Return the names of a policy's sections in order."""
    return [name for part in PARTS[policy] for name in part]


def _section(policy: PolicyName, name: str, operator: Operator, words: Words) -> Text:
    if name == "who":
        return join(_who(policy, operator, words))
    return words.say(f"policy.{policy}.{name}.text")


def _who(policy: PolicyName, operator: Operator, words: Words) -> Iterable[Text]:
    """Say who runs the bot, how to reach them, and what that means."""
    yield (
        words.say("policy.run_by", name=Name(operator.name)) if operator.name else words.say("policy.unnamed")
    )
    if operator.contact:
        link = operator.contact.startswith("https://")
        contact = Link(operator.contact, operator.contact) if link else operator.contact
        yield words.say("policy.contact", contact=contact)
    else:
        yield words.say("policy.no_contact")
    yield words.say(f"policy.{policy}.who.text")
