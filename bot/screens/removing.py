"""How a host sends somebody away: he chooses whom, and is asked once."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.callback_data import callback_text
from bot.i18n import Words, plain
from bot.markup import Button, Name, Page, SeatScreen
from bot.screens.parts import button
from bot.tables.facts import TableFacts


@dataclass(frozen=True, slots=True)
class Removable:
    """Somebody who can be removed, and what stands for him in a press."""

    name: str
    tag: str


def anybody_else(facts: TableFacts) -> bool:
    """Whether another person than the host has a seat."""
    return any(not seat.host and (not seat.computer or seat.stand_in) for seat in facts.seats)


def remove_button(facts: TableFacts, words: Words) -> tuple[Button, ...]:
    """Leads to the page of people, where there is anybody to remove."""
    return (button(words, "remove", facts),) if anybody_else(facts) else ()


def farewell_screen(table: str, revision: int, words: Words) -> SeatScreen:
    """Stands where the rack of somebody was who has been removed."""
    text = words.say("refused.removed_here")
    told = plain(text, words)
    return SeatScreen(table=table, revision=revision, text=text, picture=None, alt="", brief=told, buttons=())


def removal_page(facts: TableFacts, people: Sequence[Removable], words: Words, *, turns: bool) -> Page:
    """Whom the host could remove."""
    rows = tuple(
        (Button((each.name,), callback_text("remove_ask", facts.id, 0, each.tag)),) for each in people
    )
    key = "remove.whom" if people else "remove.nobody"
    return Page(text=words.say(key, table=facts.id.upper()), buttons=rows, turns=turns)


def confirmation_page(facts: TableFacts, whom: Removable, words: Words) -> Page:
    """Whether he really wants to."""
    yes = Button(
        (words.plain("button.remove_now", who=Name(whom.name)),),
        callback_text("remove_now", facts.id, 0, whom.tag),
        "danger",
    )
    key = "remove.sure_lobby" if facts.stage == "lobby" else "remove.sure"
    back = Button((words.plain("button.look"),), callback_text("remove_back", facts.id))
    return Page(text=words.say(key, who=Name(whom.name)), buttons=((yes, back),), turns=True)
