"""Brings the boards of nights up to date: one message a place, edited, and anew where a new phase begins.

As with tables, all that is told is that a night has changed, and what was shown is kept in the store.
"""

import asyncio
import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.delivery.background import Errands
from bot.delivery.boards import Boards
from bot.delivery.notice_delivery import PATIENCE_SECONDS, Herald, Moved
from bot.ids import NightId
from bot.league.model import League
from bot.league.night import Night
from bot.logs import way_of
from bot.people.profiles import Profiles
from bot.ports import Chat, PlaceGone, PlaceMoved, RetryAfter
from bot.repository.leagues import LeagueRepository
from bot.store import Mark, Shown, Store, StoreUnavailable

LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Need:
    """What a place has not seen yet."""

    night: Night
    chat: Chat
    message: str | None
    fresh: bool


class BoardPost:
    """The post of the boards of one store."""

    def __init__(
        self,
        *,
        store: Store,
        league_repository: LeagueRepository,
        people: Profiles,
        boards: Boards,
        herald: Herald,
        moved: Moved,
    ) -> None:
        self._store = store
        self._league_repository = league_repository
        self._people = people
        self._boards = boards
        self._herald = herald
        self._moved = moved
        self._errands = Errands()

    async def settle(self, night: NightId, mark: Mark) -> None:
        """Take a night's dirty mark away when all its places have seen the newest and people have been told
        all; else see to it."""
        places = await self._places(night)
        needy = [place for place in places if await self._need(night, place) is not None]
        if await self._herald.settled(night) and not needy:
            await self._store.clean(night, mark)
        for place in needy:
            self._errands.run((night, place), partial(self._serve, night, place))

    async def close(self) -> None:
        """Stop all errands; what is unfinished stays marked in the store."""
        await self._errands.close()
        await self._herald.close()

    async def _places(self, night: NightId) -> tuple[str, ...]:
        held = await self._league_repository.night(night)
        league = None if held is None else await self._league_repository.league(held.value.league)
        return () if league is None else league.value.places

    async def _need(self, night: NightId, place: str) -> _Need | None:
        held, chat = await self._league_repository.night(night), self._people.chat_of(place)
        if held is None or chat is None:
            return None
        shown = (await self._store.shown(night)).get(place)
        if shown is None:
            return _Need(held.value, chat, None, fresh=True)
        if shown.revision >= held.value.revision:
            return None
        return _Need(held.value, chat, shown.message, fresh=shown.revision < held.value.phase_revision)

    async def _serve(self, night: NightId, place: str) -> bool:
        """One attempt to bring a place up to date; whether it is."""
        try:
            return await self._served(night, place)
        except RetryAfter as later:
            await asyncio.sleep(min(later.seconds, PATIENCE_SECONDS))
        except StoreUnavailable:
            await asyncio.sleep(0.5)
        except PlaceMoved as moved:
            await self._moved(place, moved.new_place)
            return True
        except PlaceGone:
            await self._leave(night, place)
            return True
        except Exception as error:
            LOG.error("night %s could not be shown in %s: %s", night, place, way_of(error))
            await asyncio.sleep(PATIENCE_SECONDS)
        return False

    async def _served(self, night: NightId, place: str) -> bool:
        need = await self._need(night, place)
        if need is None:
            return True
        charged = [(a.scope, a.calls, a.seconds) for a in need.chat.public_limits(place)]
        wait = await self._store.spend(charged)
        if wait > 0:
            await asyncio.sleep(min(wait, PATIENCE_SECONDS))
            return False
        screen = await self._boards.board(need.night, place)
        message = await need.chat.show_table(place, screen, need.message, anew=need.fresh)
        await self._store.set_shown(night, place, Shown(message, need.night.revision))
        return False

    async def _leave(self, night: NightId, place: str) -> None:
        """A place that is closed to the bot is none of the league's any more, unless it is the last one."""
        LOG.warning("place %s is closed to the bot", place)
        held = await self._league_repository.night(night)
        assert held is not None

        def left(league: League) -> League:
            places = tuple(each for each in league.places if each != place)
            return replace(league, places=places) if places else league

        after = await self._league_repository.change(held.value.league, None, left)
        if place in after.places:
            await asyncio.sleep(PATIENCE_SECONDS)
