"""The three steps for who sits down for the first time: a leaflet that turns pages, each with a picture."""

from collections.abc import Callable
from typing import Final

from bot.presses import press_text
from bot.screens import guide_example
from bot.screens.help import help_button, practice_button
from bot.screens.model import Button, Leaflet, ResultPicture, Row, RulesPicture, Style, TablePicture
from bot.screens.notifications import OWN
from bot.screens.result import result_alt, result_picture
from bot.screens.rulebook import rules_alt, rules_picture
from bot.screens.table import table_alt, table_picture
from bot.words import Words
from engine.rules import Rules

Picture = RulesPicture | TablePicture | ResultPicture
Drawn = tuple[Picture, str]
"""A picture, and the same in words."""


def guide_page(number: int, words: Words, *, turns: bool) -> Leaflet:
    """A step, counted from 1; `turns`: it takes the place of the one before."""
    picture, alt = _PICTURES[number - 1](words)
    return Leaflet(
        text=words.say(f"guide.{number}"),
        picture=picture,
        alt=alt,
        buttons=_buttons(number, words),
        turns=turns,
    )


def _buttons(number: int, words: Words) -> tuple[Row, ...]:
    back = (_step(number - 1, "replay_step", words, "plain"),) if number > 1 else ()
    if number < STEPS:
        return ((*back, _step(number + 1, "guide_next", words, "primary")),)
    return ((*back, practice_button(words)), (help_button(words),))


def _step(number: int, label: str, words: Words, style: Style) -> Button:
    return Button((words.plain(f"button.{label}"),), press_text("guide", OWN, 0, number), style)


def _what_wins(words: Words) -> Drawn:
    picture = rules_picture(Rules(), words, guide_example.INDICATOR)
    return picture, rules_alt(picture, words)


def _a_turn(words: Words) -> Drawn:
    facts, view = guide_example.played()
    return table_picture(facts, view, words), table_alt(facts, view, words)


def _finishing(words: Words) -> Drawn:
    facts, view, outcome = guide_example.won()
    return result_picture(outcome, facts, view, words), result_alt(outcome, facts, view, words)


_PICTURES: Final[tuple[Callable[[Words], Drawn], ...]] = (_what_wins, _a_turn, _finishing)
STEPS: Final = len(_PICTURES)
