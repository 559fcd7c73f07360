"""Tells people of a night what its board does not, and has their platforms show it: see `tidings`.

As with boards, all that is told is that a night has changed. Each thing that is to be done is an errand of
its own, so that a slow one holds nobody up.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from bot.chats import NotPermitted, PlaceGone, PlaceMoved, PrivateClosed, Right, TryLater
from bot.errands import Errands
from bot.league.boards import words_at
from bot.league.deeds import Deed
from bot.league.naming import league_key
from bot.league.tidings import Tidings
from bot.logs import way_of
from bot.screens import league_letters
from bot.store import Shown, StoreAway

LOG: Final = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 30.0
"""The longest pause before something that could not be done is tried again."""

Moved = Callable[[str, str], Awaitable[None]]
"""Told that a place has a new key."""


class Herald:
    """The herald of the nights of one store."""

    def __init__(self, tidings: Tidings, moved: Moved) -> None:
        self._tidings = tidings
        self._moved = moved
        self._errands = Errands()

    async def settled(self, night: str) -> bool:
        """Whether all is done for a night. What is not is seen to."""
        try:
            still = await self._tidings.still(night)
        except TryLater:
            return False
        for deed in still.deeds:
            self._errands.run((night, deed.name), partial(self._attempt, night, deed.name))
        return not still.deeds and not still.waits

    async def close(self) -> None:
        """Stop all errands; what is unfinished is found again."""
        await self._errands.close()

    async def _attempt(self, night: str, name: str) -> bool:
        """One attempt at something; whether there is no more of it."""
        try:
            still = await self._tidings.still(night)
            deed = next((each for each in still.deeds if each.name == name), None)
            if deed is None:
                return True
            await self._carry_out(deed)
        except TryLater as later:
            await asyncio.sleep(min(later.seconds, PATIENCE_SECONDS))
        except StoreAway:
            await asyncio.sleep(0.5)
        except Exception as error:
            LOG.error("%s of night %s could not be done: %s", name, night, way_of(error))
            await asyncio.sleep(PATIENCE_SECONDS)
        return False

    async def _carry_out(self, deed: Deed) -> None:
        """Do it and note it. Raises TryLater."""
        store = self._tidings.store
        wait = await store.spend([(a.scope, a.calls, a.seconds) for a in deed.allowances])
        if wait > 0:
            raise TryLater(wait)
        if deed.once:
            await self._note(deed, deed.version)
        try:
            gave = await self._done(deed)
        except Exception:
            # Not when the program is stopped meanwhile: then nobody knows whether people were told.
            if deed.once:
                await self._note(deed, deed.before)
            raise
        await self._note(deed, f"{deed.version} {gave}".rstrip())

    async def _done(self, deed: Deed) -> str:
        """Do it, and what is to be noted of it. What cannot be done is as good as done."""
        try:
            return await deed.do(deed.chat, deed.earlier)
        except NotPermitted as lacking:
            await self._tell_lacking(deed, lacking.right)
        except PrivateClosed:
            await self._tidings.people.reached(deed.target, open=False)
        except PlaceMoved as moved:
            await self._moved(deed.target, moved.new_place)
        except PlaceGone:
            LOG.warning("place %s is closed to the bot", deed.target)
        return deed.earlier

    async def _tell_lacking(self, deed: Deed, right: Right) -> None:
        """A place is told once what the bot lacks there."""
        key, name = league_key(deed.league.id), f"lacks {right} {deed.target}"
        if name not in await self._tidings.store.shown(key):
            words = words_at(deed.league, deed.target)
            await deed.chat.tell_place(deed.target, league_letters.lacking(deed.league, right, words))
            await self._tidings.store.set_shown(key, name, Shown("", 0))

    async def _note(self, deed: Deed, message: str | None) -> None:
        if message is None:
            await self._tidings.store.drop_shown(deed.kept_by, deed.name)
        else:
            await self._tidings.store.set_shown(deed.kept_by, deed.name, Shown(message, 0))
