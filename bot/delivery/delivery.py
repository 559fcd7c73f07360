"""Brings what chats show up to date: "table T has changed" is all it is ever told.

A table's news go out to targets: its places, and the persons who sit there. Each target is served by a
task of its own, so that a slow one holds nobody up. It stands in line before the chats' limits, and
shows what is newest when its turn comes: ten quick moves may become one edit. What was shown is kept in
the store; a telling that is repeated shows nothing new.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from bot.delivery import outbox
from bot.delivery.background import Errands
from bot.delivery.in_flight import Replies
from bot.delivery.outbox import Need, Rank, Target, Wanting
from bot.delivery.pings import Calls
from bot.delivery.queue import Lines
from bot.delivery.threads import Rooms
from bot.delivery.views import Viewing
from bot.history.matches import MatchHistory
from bot.i18n import words_for
from bot.ids import TableId
from bot.logs import way_of
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.ports import Chat, PlaceGone, PlaceMoved, PrivateClosed, RateLimit, RetryAfter
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Mark, Shown, Store, StoreUnavailable
from bot.store.keys import partition_of

LOG: Final = logging.getLogger(__name__)

ANSWER_CHECK_SECONDS: Final = 0.1

PATIENCE_SECONDS: Final = 30.0
"""The longest pause before a target that could not be served is tried again."""


class Delivery:
    """The post of `bot.ports.Post`. `wake` is its bell."""

    def __init__(
        self,
        *,
        store: Store,
        people: Profiles,
        viewing: Viewing,
        communities: Communities,
        history: MatchHistory,
        leagues: LeagueRepository,
    ) -> None:
        self._store = store
        self._people = people
        self._viewing = viewing
        self._communities = communities
        self._calls = Calls(store, people)
        self._history = history
        self._leagues = leagues
        self._repository = TableRepository(store, self.committed)
        self._rooms = Rooms(store, self._repository, people)
        self._wanting = Wanting(store, self._repository, people, self._calls, self._rooms)
        self._errands = Errands()
        self._lines = Lines(self.spend)
        self._ranks: dict[Target, Rank] = {}
        """Of those who are served now: the rack that waits in line may become that of the next player."""
        self.replies = Replies()
        self.held: frozenset[int] = frozenset()
        """The partitions whose delivery is this process's: told by the worker."""

    async def shown(self, target: str, table: str, message: str, revision: int) -> None:
        """See `bot.ports.Post.shown`. What the store is not there to note is shown once more."""
        with suppress(StoreUnavailable):
            await self._store.set_shown(table, target, Shown(message, revision))
        self.replies.arrived(Target(TableId(table), target), revision)

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        """See `bot.ports.Post.spend`."""
        return await self._store.spend([(a.scope, a.calls, a.seconds) for a in limits])

    async def moved(self, place: str, new_place: str) -> None:
        """See `bot.ports.Post.moved`. Its messages stay behind, so its tables are shown anew."""
        for table in await self._store.tables_at(place):
            await self._repository.follow(table, place, new_place)
        await self._store.move_place(place, new_place)
        await self._communities.moved(new_place)
        await self._history.moved(place, new_place)
        await self._leagues.moved(place, new_place)

    def committed(self, stored: StoredTable) -> None:
        """See `wake`."""
        self.wake(stored.value.id)

    def wake(self, table: TableId) -> None:
        """Something changed at a table. Returns at once; may be called any number of times.

        A table of a partition that another process holds is left to that one's post: two would send
        everything twice.
        """
        if partition_of(table) in self.held:
            self._errands.run(table, partial(self._bring, table))

    async def settle(self, table: TableId, mark: Mark) -> None:
        """Take a dirty mark away when everybody has seen the newest; else see to it."""
        if await self._wanting.all(table):
            self.wake(table)
        elif await self._wanting.can_be_told(table):
            await self._store.clean(table, mark)

    async def close(self) -> None:
        """Stop all errands; what is unfinished stays marked in the store."""
        await self._errands.close()

    async def _bring(self, table: TableId) -> bool:
        try:
            wanting = await self._wanting.all(table)
        except StoreUnavailable:
            return True  # the dirty mark remains, and whoever polls it calls again
        for target, rank in wanting.items():
            self._ranks[target] = rank
            self._errands.run(target, partial(self._serve, target))
        self._lines.stir()
        return True

    # Serving a target

    async def _serve(self, target: Target) -> bool:
        """One attempt to bring a target up to date; whether it is."""
        try:
            done = await self._serving(target)
        except RetryAfter as later:
            await asyncio.sleep(min(later.seconds, PATIENCE_SECONDS))
        except StoreUnavailable:
            await asyncio.sleep(0.5)
        except Exception as error:
            LOG.error("table %s could not be shown to %s: %s", target.table, target.key, way_of(error))
            await asyncio.sleep(PATIENCE_SECONDS)
        else:
            if done:
                self._ranks.pop(target, None)
            return done
        return False

    async def _serving(self, target: Target) -> bool:
        match target.key:
            case outbox.CALL:
                return await self._called(target)
            case outbox.ROOM:
                return await self._arranged(target)
        return await self._served(target)

    async def _served(self, target: Target) -> bool:
        chat = self._people.chat_of(target.key)
        wanted = await self._wanting.need(target)
        if chat is None or wanted is None:
            return True
        if self.replies.expected(target):
            await asyncio.sleep(ANSWER_CHECK_SECONDS)
            return False
        _, need = wanted
        self._ranks.setdefault(target, need.rank)
        charges = partial(self._charged_to, chat, target, need)
        async with self._lines.turn(charges, lambda: self._ranks[target]):
            newest = await self._wanting.need(target)
            if newest is not None and not self.replies.expected(target):
                await self._show(chat, target, *newest)
        return False

    def _charged_to(self, chat: Chat, target: Target, need: Need) -> tuple[RateLimit, ...]:
        """What showing a target what it needs is charged to, as much as that matters now."""
        if need.seat is None and not need.farewell:
            urgent = self._ranks[target] is Rank.TURN
            return (chat.urgent_limits if urgent else chat.public_limits)(target.key)
        opening = () if need.message else chat.opening_limits(target.key)
        return opening + chat.private_limits(target.key)

    async def _show(self, chat: Chat, target: Target, stored: StoredTable, need: Need) -> None:
        if need.farewell:
            await self._show_farewell(chat, target, stored, need)
            return
        if need.seat is None:
            await self._show_place(chat, target, stored, need)
            return
        try:
            if need.rank is Rank.DOOR:
                await chat.open_private(target.key)
            else:
                await self._show_person(chat, target, stored, need, need.seat)
        except PrivateClosed:
            await self._people.reached(target.key, open=False)
            await self._repository.private_closed(
                target.table, target.key, alerts=not chat.private_everywhere
            )

    async def _show_farewell(self, chat: Chat, target: Target, stored: StoredTable, need: Need) -> None:
        """His old rack says that he was removed. Where it can't be reached, nobody tries again."""
        message = need.message or ""
        with suppress(PrivateClosed):
            message = await chat.show_rack(
                target.key, self._viewing.farewell(stored), need.message, notify=False
            )
        await self._store.set_shown(target.table, target.key, Shown(message, outbox.GONE))

    async def _show_place(self, chat: Chat, target: Target, stored: StoredTable, need: Need) -> None:
        screen = self._viewing.public(stored, target.key)
        async with self._there(target.table, target.key):
            message = await chat.show_table(target.key, screen, need.message, anew=need.fresh)
            await self._store.set_shown(target.table, target.key, Shown(message, screen.revision))

    async def _show_person(
        self, chat: Chat, target: Target, stored: StoredTable, need: Need, seat: int
    ) -> None:
        screen = await self._viewing.private(stored, seat, words_for(stored.value.seats[seat].language))
        called = await self._calls.by_message(stored, seat)
        message = await chat.show_rack(target.key, screen, need.message, notify=called)
        await self._store.set_shown(target.table, target.key, Shown(message, screen.revision))
        if called:
            await self._calls.messaged(stored, seat)
        await self._people.reached(target.key)

    async def _called(self, target: Target) -> bool:
        """Call whoever is to be called by his name; whether nobody is left."""
        wanted = await self._wanting.mention(target.table)
        if wanted is None:
            return True
        _, mention = wanted
        charges = partial(mention.chat.urgent_limits, mention.place)
        async with self._lines.turn(charges, lambda: Rank.TURN):
            newest = await self._wanting.mention(target.table)
            if newest is not None and newest[1] == mention:
                async with self._there(target.table, mention.place):
                    await self._calls.carry_out(*newest)
        return False

    async def _arranged(self, target: Target) -> bool:
        """Do what is next for a table's rooms; whether nothing is left to do."""
        wanted = await self._wanting.step(target.table)
        if wanted is None:
            return True
        _, step = wanted
        async with self._lines.turn(lambda: step.limits, lambda: Rank.NEWS):
            newest = await self._wanting.step(target.table)
            if newest is not None and newest[1] == step:
                async with self._there(target.table, step.place):
                    await self._rooms.carry_out(*newest)
        return False

    @asynccontextmanager
    async def _there(self, table: TableId, place: str) -> AsyncIterator[None]:
        """While something is told in a place: it may turn out to have moved, or to be closed to the bot."""
        try:
            yield
        except PlaceMoved as moved:
            await self.moved(place, moved.new_place)
        except PlaceGone:
            LOG.warning("place %s is closed to the bot", place)
            await self._repository.leave_place(table, place)
