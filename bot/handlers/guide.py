"""The guide: to whoever sits down for the first time, once, and to everybody who asks for it."""

from dataclasses import dataclass, replace
from typing import Final

from bot.errors import Refused
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.people.profiles import Profile, Profiles
from bot.ports import Answer, Person, TypedCommand
from bot.screens.help import STEPS, guide_page

GUIDING: Final = frozenset({"guide"})
"""The buttons that turn its pages."""


@dataclass(frozen=True, slots=True)
class Guiding:
    """Answers with the guide. Refusals are raised as Refused."""

    people: Profiles

    async def seated(self, answer: Answer, by: Person, words: Words) -> Answer:
        """The answer to whoever has just sat down: with the guide, the first time that it can reach him.

        Who is to open his private chat first gets it there.
        """
        if answer.open_private is not None or (await self.people.known(by.key)).guided:
            return answer
        await self.people.change(by.key, _guided)
        return replace(answer, page=guide_page(1, words, turns=False))

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The guide from its beginning."""
        await self.people.change(typed.by.key, _guided)
        return Answer(page=guide_page(1, words, turns=False))

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """One of its pages. Raises Refused `unknown_button`."""
        number = context.number()
        if not 1 <= number <= STEPS:
            raise Refused("unknown_button")
        await self.people.change(context.by.key, _guided)
        return Answer(page=guide_page(number, context.words, turns=True))


def _guided(profile: Profile) -> Profile:
    return replace(profile, guided=True)
