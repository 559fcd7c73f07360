"""Looking on, in private, at a table that is shown elsewhere: page by page, and never at a rack in play."""

from dataclasses import dataclass, replace
from typing import Final

from bot.chats import Answer, Typed
from bot.desk.inviting import Inviting
from bot.desk.visit import Visit
from bot.keeper import Keeper, Kept
from bot.presses import press_text
from bot.screens.model import Button, Leaflet
from bot.screens.public import public_screen
from bot.tables.changes import Refused
from bot.tables.facts import table_facts
from bot.words import Words

WATCHING: Final = frozenset({"watch"})
"""The button that brings the newest."""


@dataclass(frozen=True, slots=True)
class Watching:
    """The handlers of `watch`. An invitation that is good lets anybody look on; refusals are Refused."""

    keeper: Keeper
    inviting: Inviting

    async def command(self, typed: Typed, argument: str, words: Words) -> Answer:
        """The table of a code: in a place shown there from now on, in private as it is now."""
        if typed.place is not None:
            return await self.inviting.watch(typed, argument, words)
        kept = await self.inviting.invitations.invited(argument, typed.by.key)
        return Answer(leaflet=await self._page(kept, words, turns=False))

    async def press(self, visit: Visit) -> Answer:
        """The table as it is now. Raises Refused `wrong_code` when nobody is invited there any more."""
        kept = await self.keeper.load(visit.request.table)
        if kept is None or not kept.table.invitation:
            raise Refused("wrong_code")
        return Answer(leaflet=await self._page(kept, visit.words, turns=True))

    async def _page(self, kept: Kept, words: Words, *, turns: bool) -> Leaflet:
        await self.inviting.allow(kept.table.places)
        # Numbers to press are for who plays from the chat in which they stand.
        facts = replace(table_facts(kept.table, kept.deadline), blind=False)
        screen = public_screen(facts, words)
        refresh = Button((words.plain("button.refresh"),), press_text("watch", facts.id))
        replay = (each for row in screen.buttons for each in row if each.press.startswith("replay."))
        row = (*(() if screen.over else (refresh,)), *replay)
        return Leaflet(
            text=screen.text,
            picture=screen.picture,
            alt=screen.alt,
            buttons=(row,) if row else (),
            turns=turns,
        )
