"""Refusals: what follows when a chat refuses a message for good, so that sending it again is useless."""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.delivery.asleep import SleepingRecipients
from bot.delivery.boards import words_at
from bot.delivery.items import Item
from bot.delivery.notes import EMPTY, NoteKind
from bot.delivery.repositories import Repositories
from bot.ids import league_key, read_key
from bot.league.model import League
from bot.ports import (
    FinalRefusal,
    NotPermitted,
    PlaceDeleted,
    PlaceMoved,
    PlaceRefused,
    PrivateClosed,
    Right,
    UnknownRefusal,
)
from bot.screens.league import messages
from bot.store.codec import UnknownSchema

LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refusals of all chats, as they change tables, places and people."""

    repositories: Repositories
    sleeping: SleepingRecipients

    async def move_place(self, place: str, new_place: str) -> None:
        """Move everything of a place. The old messages stay behind, so its tables are shown again. A table
        that is opened meanwhile is still found at the old key, and moves when it is refused there."""
        if place == new_place:
            return
        stored = self.repositories
        for table in await stored.store.index.tables_at(place):
            with suppress(UnknownSchema):  # it moves when those who can read it are refused there
                await stored.tables.move_place(table, place, new_place)
        await stored.store.people.move_place(place, new_place)
        await stored.communities.move(new_place)
        await stored.history.move(place, new_place)
        await stored.leagues.move(place, new_place)
        await stored.daily.move(place, new_place)

    async def accept(self, item: Item, error: Exception, asked: float) -> bool:
        """Do what a refusal asks for; whether others must now be told of it. `asked`: when the refused call
        began, by the store's clock. Raises any error that is no final refusal."""
        match error:
            case PlaceMoved():
                await self.move_place(item.recipient, error.new_place)
            case PlaceDeleted() if await self._leave_room(item):
                pass
            case UnknownRefusal() if item.is_done_by(error):
                LOG.warning("%s can't be done (%s)", item.key, error.reason)
            case PlaceRefused() | UnknownRefusal():
                await self.sleeping.note_refusal(item.recipient, error.reason, asked=asked)
                return True
            case PrivateClosed():  # nothing is told in public instead
                await self._private_closed(item)
            case NotPermitted():
                await self._tell_missing(item, error.right)
            case _:
                raise error
        return False

    async def _leave_room(self, item: Item) -> bool:
        """Note that a place was deleted; whether it was a room of the table, now shown elsewhere."""
        await self.repositories.store.notes.drop(item.of, item.recipient)
        match read_key(item.of):
            case "table", table:
                return await self.repositories.tables.leave_room(table, item.recipient)
        return False

    async def _private_closed(self, item: Item) -> None:
        """Note that the person can't be written to, so that their table tells them another way."""
        await self.repositories.people.note_reached(item.recipient, open=False)
        chat = self.repositories.people.chat_of(item.recipient)
        match read_key(item.of):
            case "table", table if chat is not None:
                alerts = not chat.features.private_everywhere
                await self.repositories.tables.private_closed(table, item.recipient, alerts=alerts)

    async def _tell_missing(self, item: Item, right: Right) -> None:
        """Tell a place once which right the bot lacks there."""
        league, chat = await self._league(item.of), self.repositories.people.chat_of(item.recipient)
        if league is None or chat is None:
            return
        store, kept = self.repositories.store, league_key(league.id)
        name = NoteKind.MISSING.of(right, item.recipient)
        if not await store.notes.swap(kept, [name], None, EMPTY):
            return  # it was told, or something else tells it just now
        try:
            await chat.post_line(
                item.recipient, messages.lacking(league, right, words_at(league, item.recipient))
            )
        except Exception as refused:
            await store.notes.drop(kept, name)  # the next thing that it lacks the right for tells it
            if not isinstance(refused, FinalRefusal):
                raise

    async def _league(self, of: str) -> League | None:
        """Return the league of an item."""
        leagues = self.repositories.leagues
        match read_key(of):
            case "night", night if (held := await leagues.night(night)) is not None:
                league = await leagues.league(held.value.league)
            case "league", id:
                league = await leagues.league(id)
            case _:
                return None
        return None if league is None else league.value
