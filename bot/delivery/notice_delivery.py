"""Notices of a night besides its board: what is still to be told or shown, found and carried out once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.delivery.background import Errands
from bot.delivery.boards import words_at
from bot.delivery.community_features import calendar, pins, role
from bot.delivery.notices import Deed, Scene, Still
from bot.delivery.reminders import calls, free_seats, reminders
from bot.ids import NightId, league_key
from bot.league.model import League
from bot.logs import way_of
from bot.people.profiles import Profiles
from bot.ports import NotPermitted, PlaceGone, PlaceMoved, PrivateClosed, RetryAfter, Right
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import TableRepository
from bot.screens.league import messages
from bot.store import Shown, Store, StoreUnavailable


@dataclass(frozen=True, slots=True)
class Tidings:
    """Finds what is still to be done."""

    store: Store
    people: Profiles
    repository: TableRepository
    league_repository: LeagueRepository

    async def still(self, night_id: NightId) -> Still:
        """What is still to be done for a night. Raises StoreUnavailable, UnknownSchema, RetryAfter."""
        held = await self.league_repository.night(night_id)
        league = None if held is None else await self.league_repository.league(held.value.league)
        if held is None or league is None:
            return Still()
        scene = Scene(
            store=self.store,
            people=self.people,
            repository=self.repository,
            league=league.value,
            night=held.value,
            noted=await self.store.shown(night_id),
            now=self.league_repository.clock(),
        )
        called, waits = await calls(scene)
        deeds = [*pins(scene), *await reminders(scene), *free_seats(scene), *called]
        for place in await self._one_of_each_community(league.value):
            deeds += calendar(scene, place)
            deeds += role(scene, place, await self.store.shown(league_key(league.value.id)))
        return Still(tuple(deeds), waits)

    async def _one_of_each_community(self, league: League) -> list[str]:
        """Calendars and roles are a whole server's: the first place of each stands for it."""
        first: dict[str, str] = {}
        for place in league.places:
            chat = self.people.chat_of(place)
            if chat is not None:
                first.setdefault(await chat.community(place), place)
        return list(first.values())


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

    async def settled(self, night: NightId) -> bool:
        """Whether all is done for a night. What is not is seen to."""
        try:
            still = await self._tidings.still(night)
        except RetryAfter:
            return False
        for deed in still.deeds:
            self._errands.run((night, deed.name), partial(self._attempt, night, deed.name))
        return not still.deeds and not still.waits

    async def close(self) -> None:
        """Stop all errands; what is unfinished is found again."""
        await self._errands.close()

    async def _attempt(self, night: NightId, name: str) -> bool:
        """One attempt at something; whether there is no more of it."""
        try:
            still = await self._tidings.still(night)
            deed = next((each for each in still.deeds if each.name == name), None)
            if deed is None:
                return True
            await self._carry_out(deed)
        except RetryAfter as later:
            await asyncio.sleep(min(later.seconds, PATIENCE_SECONDS))
        except StoreUnavailable:
            await asyncio.sleep(0.5)
        except Exception as error:
            LOG.error("%s of night %s could not be done: %s", name, night, way_of(error))
            await asyncio.sleep(PATIENCE_SECONDS)
        return False

    async def _carry_out(self, deed: Deed) -> None:
        """Do it and note it. Raises RetryAfter."""
        store = self._tidings.store
        wait = await store.spend([(a.scope, a.calls, a.seconds) for a in deed.limits])
        if wait > 0:
            raise RetryAfter(wait)
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
            await deed.chat.post_line(deed.target, messages.lacking(deed.league, right, words))
            await self._tidings.store.set_shown(key, name, Shown("", 0))

    async def _note(self, deed: Deed, message: str | None) -> None:
        if message is None:
            await self._tidings.store.drop_shown(deed.kept_by, deed.name)
        else:
            await self._tidings.store.set_shown(deed.kept_by, deed.name, Shown(message, 0))
