"""Brings what chats show up to date: "table T has changed" is all it is ever told.

A table's news go out to targets: its places, and the persons who sit there. Each target is served by a
task of its own, so that a slow one holds nobody up, and always with the newest screen: ten quick moves
may become one edit. What was shown is kept in the store; a telling that is repeated shows nothing new.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.calls import Calls
from bot.chats import Allowance, Chat, PlaceGone, PlaceMoved, PrivateClosed, TryLater
from bot.communities import Communities
from bot.errands import Errands
from bot.history import History
from bot.keeper import Keeper, Kept
from bot.logs import way_of
from bot.people import People
from bot.store import Mark, Shown, Store, StoreAway
from bot.store.keys import partition_of
from bot.viewing import Viewing
from bot.words import words_for

LOG: Final = logging.getLogger(__name__)

GRACE_SECONDS: Final = 2.0
"""How long the answer to a press may take to show the presser his own screen."""

ANSWER_CHECK_SECONDS: Final = 0.1

PATIENCE_SECONDS: Final = 30.0
"""The longest pause before a target that could not be served is tried again."""


CALL: Final = "call"
"""Stands for the line that calls whoever is on turn."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place or a person at a table, or `CALL`."""

    table: str
    key: str


@dataclass(frozen=True, slots=True)
class Need:
    """What a target has not seen yet. `seat` is None for a place."""

    seat: int | None
    message: str | None
    fresh: bool
    """Whether a place deserves a new message rather than an edit."""


def need_of(kept: Kept, key: str, shown: Shown | None) -> Need | None:
    """What must be shown to a target that last saw `shown`; None when nothing."""
    message = None if shown is None else shown.message
    if key in kept.table.places:
        if shown is not None and shown.stamp >= kept.table.stamp:
            return None
        return Need(None, message, shown is None or shown.stamp < kept.table.round_stamp)
    number = kept.table.seat_of(key)
    if number is None or kept.table.match.round is None:
        return None
    seat = kept.table.seats[number]
    if seat.private_closed or (shown is not None and shown.stamp >= seat.stamp):
        return None
    return Need(number, message, fresh=False)


@dataclass(slots=True)
class Reply:
    """An answer on its way to a presser, which may bring his own screen."""

    until: float
    """When the post stops waiting for it: seconds of the monotonic clock."""
    stamp: int | None = None
    """Of the screen that it brings; None while that is not known."""


class Mail:
    """The post of `bot.chats.Post`. `wake` is its bell."""

    def __init__(
        self, *, store: Store, people: People, viewing: Viewing, communities: Communities, history: History
    ) -> None:
        self._store = store
        self._people = people
        self._viewing = viewing
        self._communities = communities
        self._calls = Calls(store, people)
        self._history = history
        self._keeper = Keeper(store, self.wake)
        self._errands = Errands()
        self._answering: dict[Target, list[Reply]] = {}
        self.held: frozenset[int] = frozenset()
        """The partitions whose mail is this process's: told by the worker."""

    async def shown(self, target: str, table: str, message: str, stamp: int) -> None:
        """See `bot.chats.Post.shown`. What the store is not there to note is shown once more."""
        with suppress(StoreAway):
            await self._store.set_shown(table, target, Shown(message, stamp))
        self._arrived(Target(table, target), lambda reply: reply.stamp is not None and reply.stamp <= stamp)

    async def spend(self, allowances: tuple[Allowance, ...]) -> float:
        """See `bot.chats.Post.spend`."""
        return await self._store.spend([(a.scope, a.calls, a.seconds) for a in allowances])

    async def moved(self, place: str, new_place: str) -> None:
        """See `bot.chats.Post.moved`. Its messages stay behind, so its tables are shown anew."""
        for table in await self._store.tables_at(place):
            await self._keeper.follow(table, place, new_place)
        await self._store.move_place(place, new_place)
        await self._communities.moved(new_place)
        await self._history.moved(place, new_place)

    @contextmanager
    def answering(self, person: str, table: str) -> Iterator[Reply]:
        """While a person is being answered, and shortly after an answer with his own screen, the post
        leaves that screen to the answer."""
        now = time.monotonic()
        self._forget_answers_before(now)
        target, reply = Target(table, person), Reply(now + GRACE_SECONDS)
        self._answering.setdefault(target, []).append(reply)
        try:
            yield reply
        finally:
            if reply.stamp is None:
                self._arrived(target, lambda each: each is reply)

    def _forget_answers_before(self, now: float) -> None:
        """Answers that never arrived, and whose screens nobody needed."""
        for target in [each for each, replies in self._answering.items() if replies[-1].until <= now]:
            del self._answering[target]

    def _arrived(self, target: Target, over: Callable[[Reply], bool]) -> None:
        """Stop waiting for those answers to a target that are over."""
        left = [reply for reply in self._answering.get(target, ()) if not over(reply)]
        if left:
            self._answering[target] = left
        else:
            self._answering.pop(target, None)

    def wake(self, table: str) -> None:
        """Something changed at a table. Returns at once; may be called any number of times.

        A table of a partition that another process holds is left to that one's post: two would send
        everything twice.
        """
        if partition_of(table) in self.held:
            self._errands.run(table, partial(self._bring, table))

    async def settle(self, table: str, mark: Mark) -> None:
        """Take a dirty mark away when everybody has seen the newest; else see to it."""
        kept = await self._keeper.load(table)
        if kept is None or not await self._needy(kept):
            await self._store.clean(table, mark)
        else:
            self.wake(table)

    async def close(self) -> None:
        """Stop all errands; what is unfinished stays marked in the store."""
        await self._errands.close()

    async def _bring(self, table: str) -> bool:
        try:
            kept = await self._keeper.load(table)
            keys = [] if kept is None else await self._needy(kept)
        except StoreAway:
            return True  # the dirty mark remains, and whoever polls it calls again
        for key in keys:
            target = Target(table, key)
            self._errands.run(target, partial(self._serve, target))
        return True

    async def _needy(self, kept: Kept) -> list[str]:
        shown = await self._store.shown(kept.table.id)
        keys = (*kept.table.places, *kept.table.people())
        reachable = (key for key in keys if self._people.chat_of(key) is not None)
        needy = [key for key in reachable if need_of(kept, key, shown.get(key)) is not None]
        return needy if await self._calls.mention(kept, shown) is None else [*needy, CALL]

    async def _serve(self, target: Target) -> bool:
        """One attempt to bring a target up to date; whether it is."""
        try:
            return await self._served(target)
        except TryLater as later:
            await asyncio.sleep(min(later.seconds, PATIENCE_SECONDS))
        except StoreAway:
            await asyncio.sleep(0.5)
        except Exception as error:
            LOG.error("table %s could not be shown to %s: %s", target.table, target.key, way_of(error))
            await asyncio.sleep(PATIENCE_SECONDS)
        return False

    async def _served(self, target: Target) -> bool:
        if target.key == CALL:
            return await self._called(target.table)
        kept, need = await self._needed(target)
        chat = self._people.chat_of(target.key)
        if kept is None or need is None or chat is None:
            return True
        if need.seat is not None and await self._answered_elsewhere(target):
            return False
        place = need.seat is None
        wait = await self.spend(
            chat.public_allowances(target.key) if place else chat.private_allowances(target.key)
        )
        if wait > 0:
            await asyncio.sleep(min(wait, PATIENCE_SECONDS))
            return False
        if need.seat is None:
            await self._show_place(chat, target, kept, need)
        else:
            await self._show_person(chat, target, kept, need, need.seat)
        return False

    async def _called(self, table: str) -> bool:
        """Call whoever is to be called by his name; whether nobody is left."""
        kept = await self._keeper.load(table)
        mention = None if kept is None else await self._calls.mention(kept, await self._store.shown(table))
        if kept is None or mention is None:
            return True
        wait = await self.spend(mention.chat.public_allowances(mention.place))
        if wait > 0:
            await asyncio.sleep(min(wait, PATIENCE_SECONDS))
            return False
        async with self._there(table, mention.place):
            await self._calls.carry_out(kept, mention)
        return False

    @asynccontextmanager
    async def _there(self, table: str, place: str) -> AsyncIterator[None]:
        """While something is told in a place: it may turn out to have moved, or to be closed to the bot."""
        try:
            yield
        except PlaceMoved as moved:
            await self.moved(place, moved.new_place)
        except PlaceGone:
            LOG.warning("place %s is closed to the bot", place)
            await self._keeper.leave_place(table, place)

    async def _needed(self, target: Target) -> tuple[Kept | None, Need | None]:
        kept = await self._keeper.load(target.table)
        if kept is None:
            return None, None
        shown = await self._store.shown(target.table)
        return kept, need_of(kept, target.key, shown.get(target.key))

    async def _answered_elsewhere(self, target: Target) -> bool:
        """Whether to look again later, because an answer is on its way that shows the same."""
        now = time.monotonic()
        self._arrived(target, lambda reply: reply.until <= now)
        if target not in self._answering:
            return False
        await asyncio.sleep(ANSWER_CHECK_SECONDS)
        return True

    async def _show_place(self, chat: Chat, target: Target, kept: Kept, need: Need) -> None:
        screen = self._viewing.public(kept, target.key)
        async with self._there(target.table, target.key):
            message = await chat.show_table(target.key, screen, need.message, anew=need.fresh)
            await self._store.set_shown(target.table, target.key, Shown(message, screen.stamp))

    async def _show_person(self, chat: Chat, target: Target, kept: Kept, need: Need, seat: int) -> None:
        screen = await self._viewing.private(kept, seat, words_for(kept.table.seats[seat].language))
        called = await self._calls.by_message(kept, seat)
        try:
            message = await chat.show_rack(target.key, screen, need.message, notify=called)
        except PrivateClosed:
            await self._people.reached(target.key, open=False)
            await self._keeper.private_closed(target.table, target.key, alerts=not chat.private_everywhere)
        else:
            await self._store.set_shown(target.table, target.key, Shown(message, screen.stamp))
            if called:
                await self._calls.messaged(kept, seat)
            await self._people.reached(target.key)
