"""The commands that the application offers, and its buttons, as they are declared."""

import bot.handlers.router  # noqa: F401 - it has every handler declare itself
from bot.commands import list_offered
from bot.handlers.declarations import BUTTONS, COMMANDS
from bot.handlers.league.founding import DRAFT, DRAFT_OR_LEAGUE
from bot.handlers.league.targets import LEAGUE, NIGHT

__all__ = [
    "BUTTONS",
    "COMMANDS",
    "EVERYBODYS",
    "LEAGUE_VERBS",
    "NIGHTLY_VERBS",
    "ORGANISERS",
]

EVERYBODYS = tuple(command.verb for command in list_offered("everybody", app=True))
ORGANISERS = tuple(command.verb for command in list_offered("organisers", app=True))

NIGHTLY_VERBS = frozenset(verb for verb, button in BUTTONS.items() if button.on in (LEAGUE, NIGHT))
"""Buttons of leagues and nights."""
LEAGUE_VERBS = NIGHTLY_VERBS | {
    verb for verb, button in BUTTONS.items() if button.on in (DRAFT, DRAFT_OR_LEAGUE)
}
"""These, and the buttons by which leagues are founded."""
