"""Help: what fits the one who asks, and the pages to which it leads on."""

from dataclasses import dataclass, replace
from typing import Final

from bot.errors import Refused
from bot.handlers.lookup import Finder
from bot.handlers.reading import Reading
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.markup import Page
from bot.ports import Answer, TypedCommand
from bot.repository.tables import StoredTable
from bot.screens.help import PAGES, HelpFacts, commands_page, help_button, help_page
from bot.tables.facts import table_facts

HELPING: Final = frozenset({"help"})
"""The buttons of these leaflets."""

_RULES: Final = "rules"


@dataclass(frozen=True, slots=True)
class Helping:
    """Answers with help. Refusals are raised as Refused."""

    finder: Finder
    reading: Reading

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The first page."""
        return Answer(page=await self._first(typed.by.key, typed.place, words, turns=False))

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Turn to one of the pages. Raises Refused `unknown_button`."""
        if not context.request.arguments:
            return Answer(page=await self._first(context.by.key, context.place, context.words, turns=True))
        page = context.argument()
        if page == _RULES:
            return Answer(page=await self._rules(context))
        for known in PAGES:
            if page == known:
                return Answer(page=commands_page(known, context.words))
        raise Refused("unknown_button")

    async def _first(self, person: str, place: str | None, words: Words, *, turns: bool) -> Page:
        stored = await self._near(person, place)
        table = None if stored is None else table_facts(stored.value, stored.deadline)
        seat = None if stored is None else stored.value.seat_of(person)
        return help_page(HelpFacts(table, seat, private=place is None), words, turns=turns)

    async def _near(self, person: str, place: str | None) -> StoredTable | None:
        """The table at which a person sits, else the one of the place where he asks."""
        try:
            return await self.finder.own(person, _goes_on)
        except Refused:
            if place is None:
                return None
        try:
            return await self.finder.at_place(place, wanted=_goes_on)
        except Refused:
            return None

    async def _rules(self, context: RequestContext) -> Page:
        asked = TypedCommand(by=context.by, place=context.place, verb=_RULES, argument="", id="")
        leaflet = (await self.reading.rules(asked, "", context.words)).page
        assert leaflet is not None
        return replace(leaflet, turns=True, buttons=((help_button(context.words),),))


def _goes_on(stored: StoredTable) -> bool:
    return stored.value.stage not in ("over", "closed")
