"""The guide: to whoever sits down for the first time, once, and to everybody who asks for it."""

from dataclasses import dataclass, replace
from typing import Final

from bot.chats import Answer, Person, Typed
from bot.desk.visit import Visit
from bot.people import People
from bot.screens.guide import STEPS, guide_page
from bot.tables.changes import Refused
from bot.words import Words

GUIDING: Final = frozenset({"guide"})
"""The buttons that turn its pages."""


@dataclass(frozen=True, slots=True)
class Guiding:
    """Answers with the guide. Refusals are raised as Refused."""

    people: People

    async def seated(self, answer: Answer, by: Person, words: Words) -> Answer:
        """The answer to whoever has just sat down: with the guide, the first time that it can reach him.

        Who is to open his private chat first gets it there.
        """
        if answer.open_private is not None or (await self.people.known(by.key)).guided:
            return answer
        await self.people.change(by.key, guided=True)
        return replace(answer, leaflet=guide_page(1, words, turns=False))

    async def command(self, typed: Typed, argument: str, words: Words) -> Answer:
        """The guide from its beginning."""
        await self.people.change(typed.by.key, guided=True)
        return Answer(leaflet=guide_page(1, words, turns=False))

    async def press(self, visit: Visit, press_id: str) -> Answer:
        """One of its pages. Raises Refused `unknown_button`."""
        number = visit.number()
        if not 1 <= number <= STEPS:
            raise Refused("unknown_button")
        await self.people.change(visit.by.key, guided=True)
        return Answer(leaflet=guide_page(number, visit.words, turns=True))
