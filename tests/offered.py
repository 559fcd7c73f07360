"""The commands that the application offers, and its buttons, as they are declared; what adapters report."""

import bot.handlers.router  # noqa: F401 - it has every handler declare itself
from bot.commands import ArgumentKind, list_offered
from bot.handlers.declarations import BUTTONS, COMMANDS
from bot.handlers.league.founding import DRAFT, DRAFT_OR_LEAGUE
from bot.handlers.league.targets import LEAGUE, NIGHT
from bot.markup import SeatScreen
from bot.ports import Person, Press, Suggestion, TypedCommand, limit_answer

__all__ = [
    "BUTTONS",
    "COMMANDS",
    "EVERYBODYS",
    "LEAGUE_VERBS",
    "NIGHTLY_VERBS",
    "ORGANISERS",
    "LastMessages",
    "Offering",
]

EVERYBODYS = tuple(command.verb for command in list_offered("everybody", app=True))
ORGANISERS = tuple(command.verb for command in list_offered("organisers", app=True))

NIGHTLY_VERBS = frozenset(verb for verb, button in BUTTONS.items() if button.on in (LEAGUE, NIGHT))
"""Buttons of leagues and nights."""
LEAGUE_VERBS = NIGHTLY_VERBS | {
    verb for verb, button in BUTTONS.items() if button.on in (DRAFT, DRAFT_OR_LEAGUE)
}
"""These, and the buttons by which leagues are founded."""


class Offering:
    """A dispatcher's side that has nothing to suggest, and at whose tables nobody sits."""

    async def racks(self, by: Person) -> list[SeatScreen]:
        return []

    async def note_leaver(self, person: str, place: str) -> None:
        pass

    async def greet(self, place: str, language: str) -> None:
        vars(self).setdefault("greeted", []).append((place, language))

    async def suggest(self, typed: TypedCommand, kind: ArgumentKind) -> list[Suggestion]:
        return []


class LastMessages:
    """A delivery's side that remembers what stands last in private chats, and what was answered."""

    def __init__(self) -> None:
        self.last: dict[str, str] = {}

    async def claim_answer(self, event: Press | TypedCommand) -> bool:
        claimed = vars(self).setdefault("claimed", set())
        first = limit_answer(event) not in claimed
        claimed.add(limit_answer(event))
        return first

    async def note_alerts_only(self, person: str, table: str) -> None:
        vars(self).setdefault("alerts_only", []).append((person, table))

    async def wrote(self, person: str, message: str) -> None:
        self.last[person] = message

    async def last_message(self, person: str) -> str:
        return self.last.get(person, "")
