"""Delivery: it hears "this table has changed", and shows and tells everybody what follows from that.

Each table, night and daily board with something to deliver has a feed, which finds what is due to whom and
sends it within the chats' limits. What was shown is noted in the store, so a repeated look shows nothing new.
Unfinished work stays marked there, and is found again by polling the marks.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from bot.background import BackgroundTasks, Starts
from bot.delivery.asleep import SleepingRecipients
from bot.delivery.boards import Boards
from bot.delivery.feed import Duties, Feed, Shared
from bot.delivery.in_flight import InFlightAnswers
from bot.delivery.items import Rank, limit_opening
from bot.delivery.messages import LEFT
from bot.delivery.notes import NoteKind, Notes
from bot.delivery.outbox import Outbox
from bot.delivery.queue import SendQueue
from bot.delivery.refusals import Refusals
from bot.delivery.repositories import Repositories
from bot.delivery.sending import ItemSender
from bot.delivery.shared_state import SharedState
from bot.delivery.snapshot import Snapshots
from bot.delivery.views import Viewing
from bot.errors import Refused
from bot.ids import TableId, read_key
from bot.markup import Page, PublicScreen, SeatScreen
from bot.ports import FinalRefusal, RateLimit, RetryAfter, Timeline
from bot.repository.tables import StoredTable
from bot.store import Mark, Note, StoreUnavailable

_IDLE_MOST: Final = 4096
"""The most feeds before those are dropped that wait for nothing but their mark."""

ANSWERED_FIRST: Final = 4
"""More presses than this under way at once mean that they come faster than everything can be done: then they
are answered first, and everybody else's screens wait."""


class Delivery(SharedState):
    """The implementation of `bot.ports.DeliveryPort`."""

    def __init__(
        self,
        repositories: Repositories,
        duties: Duties,
        viewing: Viewing,
        boards: Boards,
        in_app: Callable[[str], Awaitable[bool]] | None = None,
    ) -> None:
        """`in_app` tells whether a person has the table open as an app; None: there are no apps."""
        super().__init__(repositories.store)
        self._people = repositories.people
        self._tables = repositories.tables
        self.sleeping = SleepingRecipients(repositories)
        self.answers = InFlightAnswers()
        self._refusals = Refusals(repositories, self.sleeping)
        self._shared = Shared(
            store=self._store,
            duties=duties,
            snapshots=Snapshots(repositories, self.sleeping, viewing),
            outbox=Outbox(repositories, viewing, boards),
            sender=ItemSender(repositories, self.sleeping, self._refusals),
            queue=SendQueue(self.spend),
            answers=self.answers,
            starts=Starts(lambda: self.answers.being_made > ANSWERED_FIRST),
            in_app=in_app,
        )
        self._tasks = BackgroundTasks()
        """Looks at feeds, and calls that belong to none."""
        self._feeds: dict[str, Feed] = {}
        """By table, night or daily board; see `Feed`."""

    # Reports from others

    async def note_shown(self, target: str, screen: PublicScreen | SeatScreen, message: str) -> None:
        """See `bot.ports.DeliveryPort.note_shown`. If the store is away, the note is lost and the screen is
        shown once more."""
        note = {target: Note(message, screen.version, screen.worth)}
        with suppress(StoreUnavailable):
            await self._shared.sender.keep(screen.table, note)
        self._note(screen.table, note)
        self.answers.note_arrival((screen.table, target), screen.version)

    async def note_alerts_only(self, person: str, table: str) -> None:
        """See `bot.ports.DeliveryPort.note_alerts_only`."""
        match read_key(table):
            case "table", id:
                with suppress(StoreUnavailable, Refused):
                    await self._tables.private_closed(id, person, alerts=True)

    async def note_move(self, place: str, new_place: str) -> None:
        """See `bot.ports.DeliveryPort.note_move`."""
        await self._refusals.move_place(place, new_place)

    async def note_reopened(self, channels: Collection[str]) -> None:
        """See `bot.ports.DeliveryPort.note_reopened`."""
        await self.sleeping.wake_in(channels)

    def wake_sleepers(self, person: str, place: str | None) -> None:
        """Have what sleeps tried at once, since a person acts, in a place or in private. Returns at
        once."""
        there = (person,) if place is None else (person, place)
        if not self.sleeping.are_awake(there):
            self._tasks.run(f"waking {there}", partial(self.sleeping.wake, there))

    def note_commit(self, table: str, stored: StoredTable) -> None:
        """Note that this process has just changed a table. Returns at once."""
        if self._shared.chats_of(table):
            self._open(table).latest.note_commit(stored)
            self.settle(table)

    def settle(self, of: str, mark: Mark | None = None) -> asyncio.Task[None]:
        """Deliver what is due of a table, night or daily board. If that is nothing, remove its dirty `mark`.
        Returns at once; the task ends with the look."""
        return self._tasks.run(of, partial(self._look, of, mark))

    # To single people and places

    def tell(self, person: str, page: Page, once: str) -> None:
        """Send a person a page in private when its turn comes, if this process serves their chat and reaches
        them. What it says must be found elsewhere, too. `once` as for `Chat.send_direct`. Returns at
        once."""
        chat = self._people.chat_of(person)
        if chat is None:
            return
        limits = limit_opening(chat, person) + chat.limits.private(person)
        send = partial(chat.send_direct, person, page, once)
        self._tasks.run(f"tell {person} {once}", partial(self._call, send, limits, Rank.NEWS))

    def post(self, place: str, screen: PublicScreen) -> None:
        """Post a screen in a place that is never updated, when its turn comes. Where the place refuses it, it
        is lost: whoever wanted it shown can ask again. Returns at once."""
        chat = self._people.chat_of(place)
        if chat is None:
            return
        limits, show = chat.limits.public(place), partial(chat.show_table, place, screen, None, anew=True)
        self._tasks.run(f"post in {place} {id(screen)}", partial(self._call, show, limits, Rank.NEWS))

    async def note_left_place(self, table: TableId, place: str) -> None:
        """Note that a table is no longer shown in a place: its last message there says so."""
        shown = (await self._store.notes.load(table)).get(place)
        if shown is not None and shown.text:
            last = NoteKind.REPLACED.of(place, shown.text)
            notes = {last: LEFT, place: None, NoteKind.POSTED.of(place): None}
            await self._store.notes.set(table, notes)
            await self._follow(table, notes)

    async def take_rack(self, table: TableId, person: str) -> None:
        """Delete the rack of a person who has no seat at a table and of whom nothing is to be noted, if it
        can be reached now: its buttons are no longer for them."""
        chat, shown = self._people.chat_of(person), (await self._store.notes.load(table)).get(person)
        if not isinstance(chat, Timeline) or shown is None or not shown.text:
            return
        with suppress(RetryAfter):
            remove = partial(chat.remove_rack, person, shown.text)
            await self._call(remove, chat.limits.private(person), Rank.RACK)

    async def _call(
        self, call: Callable[[], Awaitable[object]], limits: tuple[RateLimit, ...], rank: Rank
    ) -> None:
        """Make a call of a chat when its turn has come. One that is refused for good is lost."""
        async with self._shared.queue.turn(lambda: limits, lambda: rank):
            with suppress(FinalRefusal):
                await call()

    async def show_again(self, table: TableId, person: str) -> None:
        """Have a person shown their rack again, though it is worth no more than what they see: they have
        changed how they want to see it, or where they can."""
        while (shown := (await self._store.notes.load(table)).get(person)) is not None and shown.worth:
            forgotten = replace(shown, worth="")
            if await self._store.notes.swap(table, [person], shown, forgotten):
                await self._follow(table, {person: forgotten})
                return

    async def _follow(self, table: TableId, notes: Notes) -> None:
        """Have everything shown that follows from notes which were just made, by whichever process it is: of
        a table that is another one's, everything would be sent twice."""
        self._note(table, notes)
        await self._store.timers.mark_dirty(table)
        if self._shared.chats_of(table):
            self._open(table).latest.forget()
            self.settle(table)

    # The feeds

    @property
    def backlog(self) -> int:
        """Return the number of items that are found and not delivered yet."""
        return sum(feed.backlog for feed in self._feeds.values())

    async def close(self) -> None:
        """Stop all tasks; unfinished work stays marked in the store."""
        await asyncio.gather(self._tasks.close(), *(feed.close() for feed in self._feeds.values()))

    def _open(self, of: str) -> Feed:
        """Return the feed of a table, night or daily board."""
        if of not in self._feeds:
            if len(self._feeds) >= _IDLE_MOST:
                self._feeds = {each: feed for each, feed in self._feeds.items() if not feed.is_idle}
            self._feeds[of] = Feed(of, self._shared, partial(self.settle, of))
        return self._feeds[of]

    def _note(self, of: str, notes: Notes) -> None:
        if (feed := self._feeds.get(of)) is not None:
            feed.latest.note(notes)

    async def _look(self, of: str, mark: Mark | None) -> None:
        """Have a feed serve what is due, and close it if that is all."""
        feed = self._open(of)
        if await feed.look(mark) and feed.is_idle:
            self._feeds.pop(of, None)
