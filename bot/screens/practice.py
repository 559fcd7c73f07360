"""How a practice round ended, and what its player could do next."""

from dataclasses import replace

from bot.screens.cockpit import BRIEF
from bot.screens.facts import RackFacts
from bot.screens.help import help_button, practice_button
from bot.screens.model import Row, SeatScreen, Text
from bot.screens.parts import button
from bot.screens.result import outcome_text, result_alt, result_picture
from bot.words import Words, joined, plain
from engine.view import SeatView


def practice_over(facts: RackFacts, view: SeatView, words: Words) -> SeatScreen:
    """The round's result, or that he left it; and what he could do next."""
    outcome = view.public.outcome
    title, again = words.say("practice.title"), (practice_button(words), help_button(words))
    if outcome is None:
        return _screen(facts, joined([title, words.say("practice.left")]), words, (again,))
    replay = button(words, "replay", facts.table, facts.table.round_number)
    return replace(
        _screen(
            facts,
            joined([title, outcome_text(outcome, facts.table, words), words.say("practice.over")]),
            words,
            ((replay,), again),
        ),
        picture=result_picture(outcome, facts.table, view.public, words),
        alt=result_alt(outcome, facts.table, view.public, words),
    )


def _screen(facts: RackFacts, text: Text, words: Words, buttons: tuple[Row, ...]) -> SeatScreen:
    return SeatScreen(
        table=facts.table.id,
        stamp=facts.stamp,
        text=text,
        picture=None,
        alt="",
        brief=plain(text, words)[:BRIEF],
        buttons=buttons,
    )
