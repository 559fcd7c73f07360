"""Looking on, in private, at a table that is shown elsewhere: page by page, and never at a rack in play."""

from dataclasses import dataclass, replace
from typing import Final

from bot.callback_data import callback_text
from bot.errors import Refused
from bot.handlers.inviting import Inviting
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.markup import Button, Page
from bot.ports import Answer, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.table import public_screen
from bot.tables.facts import table_facts

WATCHING: Final = frozenset({"watch"})
"""The button that brings the newest."""


@dataclass(frozen=True, slots=True)
class Watching:
    """The handlers of `watch`. An invitation that is good lets anybody look on; refusals are Refused."""

    repository: TableRepository
    inviting: Inviting

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The table of a code: in a place shown there from now on, in private as it is now."""
        if typed.place is not None:
            return await self.inviting.watch(typed, argument, words)
        stored = await self.inviting.invitations.invited(argument, typed.by.key)
        return Answer(page=await self._page(stored, words, turns=False))

    async def press(self, context: RequestContext) -> Answer:
        """The table as it is now. Raises Refused `wrong_code` when nobody is invited there any more."""
        stored = await self.repository.load(context.table)
        if stored is None or not stored.value.invitation:
            raise Refused("wrong_code")
        return Answer(page=await self._page(stored, context.words, turns=True))

    async def _page(self, stored: StoredTable, words: Words, *, turns: bool) -> Page:
        await self.inviting.allow(stored.value.places)
        # Numbers to press are for who plays from the chat in which they stand.
        facts = replace(table_facts(stored.value, stored.deadline), blind=False)
        screen = public_screen(facts, words)
        refresh = Button((words.plain("button.refresh"),), callback_text("watch", facts.id))
        replay = (each for row in screen.buttons for each in row if each.press.startswith("replay."))
        row = (*(() if screen.over else (refresh,)), *replay)
        return Page(
            text=screen.text,
            picture=screen.picture,
            alt=screen.alt,
            buttons=(row,) if row else (),
            turns=turns,
        )
