"""Help that fits one screen: what fits the reader's situation first, then the game in three lines, then where
to read on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.i18n.commands import about, name_of
from bot.markup import Button, Name, Page, Row, Strong, Text
from bot.screens.parts import button
from bot.screens.preferences import OWN
from bot.tables.facts import TableFacts

Situation = Literal[
    "stranger", "nobody", "lobby", "watching", "host", "guest", "on_turn", "waiting", "between"
]
"""`stranger`: at no table, in private; `nobody`: in a place without a table; `lobby` and `watching`: in a
place with a table at which he has no seat; the others: he sits at a table, as its host or not."""


@dataclass(frozen=True, slots=True)
class HelpFacts:
    """Where somebody stands who asks for help."""

    table: TableFacts | None
    """The table at which he sits, or the one of the place; None when there is neither."""
    seat: int | None
    """His seat at the table."""
    private: bool
    """Whether he asks in private."""


def situation(facts: HelpFacts) -> Situation:
    """What the help begins with."""
    table = facts.table
    if table is None or table.stage in ("over", "closed"):
        return "stranger" if facts.private else "nobody"
    if facts.seat is None:
        return "lobby" if table.stage == "lobby" else "watching"
    if table.stage == "lobby":
        return "host" if table.seats[facts.seat].host else "guest"
    if table.stage == "between":
        return "between"
    assert table.view is not None
    return "on_turn" if table.view.turn == facts.seat else "waiting"


def help_page(facts: HelpFacts, words: Words, *, turns: bool) -> Page:
    """The first page; `turns`: back from another one."""
    where = situation(facts)
    lines = [words.say("help.title"), _where(where, facts.table, words)]
    lines += [words.say(f"help.{point}") for point in ("aim", "turn", "rack")]
    rows = (
        *_first_row(where, facts.table, words),
        (_guide_button(words), practice_button(words)),
        (_page_button("rules", words), _settings_button(words)),
        (_page_button("organisers", words), _page_button("commands", words)),
    )
    return Page(text=joined(lines), buttons=rows, turns=turns)


def commands_page(page: str, verbs: Sequence[str], words: Words) -> Page:
    """What there is to type: `commands` or `organisers`, and their verbs."""
    lines = [words.say(f"help.{page}"), *(_command(verb, words) for verb in verbs)]
    return Page(text=joined(lines), buttons=((help_button(words),),), turns=True)


def help_button(words: Words) -> Button:
    """Leads to the first page."""
    return Button((words.plain("button.help"),), callback_text("help", OWN))


def practice_button(words: Words) -> Button:
    """Begins a practice round, or leads back to the one that is being played."""
    return Button((words.plain("button.practice"),), callback_text("practice", OWN), "good")


def _page_button(page: str, words: Words) -> Button:
    return Button((words.plain(f"button.help_{page}"),), callback_text("help", OWN, 0, page))


def _guide_button(words: Words) -> Button:
    return Button((words.plain("button.guide"),), callback_text("guide", OWN, 0, 1))


def _settings_button(words: Words) -> Button:
    return Button((words.plain("button.preferences"),), callback_text("preferences", OWN))


def _where(where: Situation, table: TableFacts | None, words: Words) -> Text:
    if table is None:
        return words.say(f"help.{where}")
    host = next((seat.name for seat in table.seats if seat.host), "")
    return words.say(f"help.{where}", table=table.id.upper(), host=Name(host))


def _first_row(where: Situation, table: TableFacts | None, words: Words) -> tuple[Row, ...]:
    """What he most likely wants now."""
    if table is None:
        return ()
    match where:
        case "lobby":
            return ((button(words, "join", table, style="good"),),)
        case "on_turn" | "waiting" | "between":
            return ((button(words, "rack", table, style="primary"),),)
    return ()


def _command(verb: str, words: Words) -> Text:
    return words.say("help.command", name=Strong(name_of(verb, words)), what=about(verb, words))
