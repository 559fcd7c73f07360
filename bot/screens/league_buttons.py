"""Buttons about a league and about one of its nights."""

from collections.abc import Sequence

from bot.league.night import Night
from bot.presses import press_text
from bot.screens.model import Button, Row, Style
from bot.words import Words


def league_button(
    verb: str, league: str, words: Words, *arguments: int | str, style: Style = "plain"
) -> Button:
    """A button about a league, labelled `button.league_<verb>`."""
    label = words.plain(f"button.league_{verb}")
    return Button((label,), press_text(f"league_{verb}", league, 0, *arguments), style)


def night_button(verb: str, night: Night, words: Words, style: Style = "plain") -> Button:
    """A button about a night, labelled `button.night_<verb>`."""
    return Button((words.plain(f"button.night_{verb}"),), press_text(f"night_{verb}", night.id), style)


def in_rows(buttons: Sequence[Button], width: int) -> tuple[Row, ...]:
    """Buttons side by side, so many in a row."""
    return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))
