"""Delivery: it hears "this table has changed", and shows and tells everybody what follows from that.

A look at a table or night finds the items of its outbox. Each item is served by a task of its own, so that a
slow chat delays nobody else. It queues for the chats' limits, and its newest state is sent when its turn
comes: ten quick moves may become one edit. What was shown is noted in the store, so a repeated look shows
nothing new. Unfinished work stays marked there, and is found again by polling the marks.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from cachetools import LRUCache, TTLCache

from bot import metrics
from bot.delivery.asleep import SleepingRecipients
from bot.delivery.background import BackgroundTasks
from bot.delivery.boards import Boards, words_at
from bot.delivery.in_flight import InFlightAnswers, Recipient
from bot.delivery.items import NEVER, Item, Key, NoteKind, Notes, name_of, screen_of
from bot.delivery.outbox import Outbox
from bot.delivery.queue import SendQueue
from bot.delivery.snapshot import NightAsTold, Snapshot, Snapshots, TableAsTold
from bot.delivery.views import Viewing
from bot.history.matches import MatchHistory
from bot.ids import league_key, read_key
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.ports import (
    NotPermitted,
    PlaceDeleted,
    PlaceMoved,
    PlaceRefused,
    PrivateClosed,
    RateLimit,
    Right,
    UnknownRefusal,
)
from bot.repository.daily import DailyBoards
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.league import messages
from bot.store import Mark, ShownMessage, Store, StoreUnavailable
from bot.store.keys import partition_of

LOG: Final = logging.getLogger(__name__)

FOR_GOOD: Final = (NotPermitted, PlaceRefused, PlaceMoved, PrivateClosed, UnknownRefusal)
"""Errors by which a chat says that trying again soon is useless."""

_ON_DISK_MOST: Final = 1024

LOOKED_SECONDS: Final = 2.0
"""Seconds between two looks at an unchanged table of which something is still being served."""

_LOOKED_MOST: Final = 4096

APP_SECONDS: Final = 1.0
"""Seconds between two checks whether an app is still open."""

_NOTED_WITHIN: Final = 0.25
"""Seconds that a message waits for its note in the store: much less than for a store that is away."""


class Duties(Protocol):
    """The deliveries that belong to this process."""

    def chats_at(self, partition: int) -> frozenset[str]:
        """The chats to which this process delivers the news of a partition."""
        ...

    @property
    def served(self) -> frozenset[str]:
        """The chats that any process serves."""
        ...


class Delivery:
    """The implementation of `bot.ports.DeliveryPort`."""

    def __init__(
        self,
        *,
        store: Store,
        duties: Duties,
        repository: TableRepository,
        people: Profiles,
        viewing: Viewing,
        boards: Boards,
        communities: Communities,
        history: MatchHistory,
        leagues: LeagueRepository,
        daily: DailyBoards,
        in_app: Callable[[str], Awaitable[bool]] | None = None,
    ) -> None:
        """`in_app`: whether a person has the table open as an app; None: there are no apps."""
        self._store = store
        self._duties = duties
        self._people = people
        self._communities = communities
        self._history = history
        self._leagues = leagues
        self._daily = daily
        self._in_app = in_app
        self._repository = repository
        self.sleeping = SleepingRecipients(store, leagues, daily)
        self._snapshots = Snapshots(store, people, self._repository, leagues, daily, self.sleeping)
        self._outbox = Outbox(people, self._repository, viewing, boards, communities)
        self._tasks = BackgroundTasks()
        self._queue = SendQueue(self.spend)
        self._committed: dict[str, StoredTable] = {}
        """Tables just committed by this process, which the next look need not read."""
        self._pending: dict[str, dict[Key, Item]] = {}
        """Items being served, by table or night, as last found: a waiting item may become more urgent."""
        self._found: dict[tuple[str, Key], Item] = {}
        """Items that a look has just found, so that their tasks need not look again."""
        self._looked: TTLCache[str, Mark] = TTLCache(_LOOKED_MOST, LOOKED_SECONDS)
        """The mark of each table at its last look, for `LOOKED_SECONDS`."""
        self._noted: dict[str, set[Key]] = {}
        """For each table or night being read now: the keys noted in the meantime."""
        self._on_disk: LRUCache[str, int] = LRUCache(_ON_DISK_MOST)
        """Finished tables, by the version that is known to be on disk."""
        self.answers = InFlightAnswers()

    # Reports from others

    async def shown(self, target: str, table: str, message: str, revision: int) -> None:
        """See `bot.ports.DeliveryPort.shown`. If the store is away, the note is lost and the screen is shown
        once more."""
        with suppress(StoreUnavailable):
            await self._store.set_shown(table, target, ShownMessage(message, revision))
        self._is_noted(table, screen_of(target))
        self.answers.arrived(Recipient(table, target), revision)

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        """See `bot.ports.DeliveryPort.spend`."""
        return await self._store.spend([(each.scope, each.calls, each.seconds) for each in limits])

    async def wrote(self, person: str, message: str) -> None:
        """See `bot.ports.DeliveryPort.wrote`. A failed note delays no message."""
        with suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(_NOTED_WITHIN):
                await self._store.set_last_message(person, message)

    async def last_message(self, person: str) -> str:
        """See `bot.ports.DeliveryPort.last_message`."""
        with suppress(StoreUnavailable):
            return await self._store.last_message(person)
        return ""

    async def moved(self, place: str, new_place: str) -> None:
        """See `bot.ports.DeliveryPort.moved`. The old messages stay behind, so its tables are shown again."""
        for table in await self._store.tables_at(place):
            await self._repository.follow(table, place, new_place)
        await self._store.move_place(place, new_place)
        await self._communities.moved(new_place)
        await self._history.moved(place, new_place)
        await self._leagues.moved(place, new_place)
        await self._daily.moved(place, new_place)

    async def reopened(self, channels: Collection[str]) -> None:
        """See `bot.ports.DeliveryPort.reopened`."""
        await self.sleeping.wake_in(channels)

    def met(self, person: str, place: str | None) -> None:
        """Note that a person acts, in a place or in private: what sleeps is tried at once. Returns at
        once."""
        met = (person,) if place is None else (person, place)
        self._tasks.run(("met", met), partial(self.sleeping.wake, met))

    def committed(self, table: str, stored: StoredTable) -> None:
        """Note that this process has just changed a table. Returns at once."""
        if self._chats(table):
            self._committed[table] = stored
            self.wake(table)

    def wake(self, table: str) -> None:
        """Note that something changed at a table. Returns at once; may be called any number of times.

        The share of another process is left to that process, since otherwise everything would be sent twice.
        """
        if self._chats(table):
            self._tasks.run(table, partial(self._look, table))

    def settle(self, of: str, mark: Mark) -> asyncio.Task[None]:
        """Remove the dirty mark of a table or night if everything is delivered; otherwise deliver it. Returns
        at once; the task ends with the look."""
        return self._tasks.run(of, partial(self._look, of, mark))

    @property
    def backlog(self) -> int:
        """The number of items that are found and not delivered yet."""
        return sum(map(len, self._pending.values()))

    async def close(self) -> None:
        """Stop all tasks; unfinished work stays marked in the store."""
        await self._tasks.close()

    # Looking for items and serving them

    async def _look(self, of: str, mark: Mark | None = None) -> bool:
        """Start to serve all items of a table or night; remove its mark if there are none."""
        if mark is not None and of in self._pending and self._looked.get(of) == mark:
            return True  # nothing is new, and not everything is served yet
        committed = self._committed.pop(of, None)
        self._noted[of] = noted = set[Key]()
        try:
            # The mark may be of a later change by another process: then the table committed here is outdated.
            snapshot = await self._snapshot(of, committed if mark is None else None)
        finally:
            del self._noted[of]
        chats = self._chats(of)
        items = () if snapshot is None else self._items(snapshot, chats)
        for item in items:
            pending = self._pending.setdefault(of, {})
            if item.key not in pending and item.key not in noted:
                self._found[of, item.key] = item
            # For items under way only their present urgency matters: the mark stays until they are done.
            if mark is None or item.key not in pending:
                self._tasks.run(f"{of} {name_of(item.key)}", partial(self._deliver, of, item.key))
            pending[item.key] = item
        self._queue.reorder()
        if mark is not None and isinstance(snapshot, TableAsTold):
            self._looked[of] = mark
        # An item that is noted before it is sent may still fail.
        over = not items and of not in self._pending
        if mark is not None and over and (snapshot is None or not self._outbox.waits(snapshot)):
            needed = () if snapshot is None else self._outbox.chats(snapshot, self._duties.served)
            await self._store.delivered(of, mark, chats, needed)
        return True

    async def _snapshot(self, of: str, committed: StoredTable | None = None) -> Snapshot | None:
        """See `Snapshots.take`. The end of a match is told only after the disk has it."""
        snapshot = await self._snapshots.take(of, committed)
        if not isinstance(snapshot, TableAsTold) or snapshot.stored.value.stage != "over":
            return snapshot
        if self._on_disk.get(of) != snapshot.stored.version:
            await self._store.on_disk(of)
            self._on_disk[of] = snapshot.stored.version
        return snapshot

    def _chats(self, of: str) -> frozenset[str]:
        """The chats to which this process delivers news of a table or night."""
        return self._duties.chats_at(partition_of(of))

    def _items(self, snapshot: Snapshot, chats: frozenset[str]) -> tuple[Item, ...]:
        """The items that this process delivers."""
        return tuple(item for item in self._outbox.items(snapshot) if item.chat in chats)

    async def _deliver(self, of: str, key: Key) -> bool:
        """Make one attempt to deliver the newest item of this key; whether none is left."""
        item = self._found.pop((of, key), None) or await self._find(of, key)
        if item is None:
            return self._is_over(of, key)
        pending = self._pending.setdefault(of, {})
        pending[key] = item
        if self._is_awaited(item):
            arrived = await self.answers.arrival(Recipient(of, item.recipient))
            return item.revision is not None and arrived >= item.revision and self._is_over(of, key)
        if item.revision is not None and await self._left_to_app(item.recipient):
            return False
        async with self._queue.turn(lambda: pending[key].limits, lambda: pending[key].rank) as waited:
            newest = await self._find(of, key) if waited or pending[key] is not item else item
            if newest is not None and self._is_awaited(newest):
                return False
            if newest is not None:
                await self._send(newest)
        if newest is not None and newest.leads_on:
            await self._store.mark_dirty(of)  # other processes may have something to deliver now, too
            self._tasks.run(of, partial(self._look, of))
        return self._is_over(of, key)

    async def _left_to_app(self, person: str) -> bool:
        """Wait while a person has their rack open in the app; whether they did. Their chat is updated
        after."""
        left = False
        while self._in_app is not None and await self._in_app(person):
            left = True
            await asyncio.sleep(APP_SECONDS)
        return left

    async def _find(self, of: str, key: Key) -> Item | None:
        snapshot = await self._snapshot(of)
        items = () if snapshot is None else self._items(snapshot, self._chats(of))
        return next((item for item in items if item.key == key), None)

    def _is_awaited(self, item: Item) -> bool:
        """Whether an answer to a press is on its way that may bring the same screen."""
        return item.revision is not None and self.answers.expected(Recipient(item.of, item.recipient))

    def _is_over(self, of: str, key: Key) -> bool:
        """Note that nothing of this key is left to be served."""
        pending = self._pending.get(of, {})
        pending.pop(key, None)
        if not pending:
            self._pending.pop(of, None)
        return True

    # Sending

    async def _send(self, item: Item) -> None:
        """Send an item whose turn has come, and note it. Raises RetryAfter, StoreUnavailable."""
        if item.first is not None:
            await self._note(item, {item.key: item.first})
        try:
            with metrics.CALL_SECONDS.labels(item.chat).time():
                notes = await item.send()
        except Exception as error:
            metrics.CALLS.labels(item.chat, type(error).__name__).inc()
            # Not if the program is being stopped: then nobody knows whether people were told.
            if item.otherwise is None or not isinstance(error, FOR_GOOD):
                await self._take_back(item)
            await self._give_up(item, error)
            notes = {} if item.otherwise is None else {item.key: item.otherwise}
        else:
            metrics.CALLS.labels(item.chat, "done").inc()
            if item.recipient:
                await self.sleeping.reached(item.recipient)
        await self._note(item, notes)

    async def _note(self, item: Item, notes: Notes) -> None:
        for key, shown in notes.items():
            if shown is NEVER:
                await self._store.drop_shown(item.kept_by or item.of, name_of(key))
            else:
                await self._store.set_shown(item.kept_by or item.of, name_of(key), shown)
            self._is_noted(item.of, key)

    async def _take_back(self, item: Item) -> None:
        """Take back a note that was made before a failed send."""
        if item.first is not None:
            await self._store.drop_shown(item.kept_by or item.of, name_of(item.key))
            await self._note(item, {} if item.earlier is None else {item.key: item.earlier})

    def _is_noted(self, of: str, key: Key) -> None:
        """Note a key for looks that have found it, or are running now, and do not know of this note."""
        self._noted.get(of, set()).add(key)
        self._found.pop((of, key), None)

    async def _give_up(self, item: Item, error: Exception) -> None:
        """Handle a chat's final refusal of an item; raises any other error."""
        match error:
            case PlaceMoved():
                await self.moved(item.recipient, error.new_place)
            case PlaceDeleted() if await self._left_room(item):
                pass
            case UnknownRefusal() if item.otherwise is not None:
                LOG.warning("%s can't be done (%s)", name_of(item.key), error.reason)
            case PlaceRefused() | UnknownRefusal():
                await self.sleeping.refused(item.recipient, error.reason)
                self._tasks.run(item.of, partial(self._look, item.of))  # people must be told
            case PrivateClosed():  # nothing is told in public instead
                await self._people.reached(item.recipient, open=False)
                chat = self._people.chat_of(item.recipient)
                match read_key(item.of):
                    case "table", table if chat is not None:
                        alerts = not chat.private_everywhere
                        await self._repository.private_closed(table, item.recipient, alerts=alerts)
            case NotPermitted():
                await self._tell_missing(item, error.right)
            case _:
                raise error

    async def _left_room(self, item: Item) -> bool:
        """Note that a place was deleted; whether it was a room of the table, now shown elsewhere."""
        await self._store.drop_shown(item.of, item.recipient)
        match read_key(item.of):
            case "table", table:
                return await self._repository.leave_room(table, item.recipient)
        return False

    async def _tell_missing(self, item: Item, right: Right) -> None:
        """Tell a place once which right the bot lacks there."""
        night, chat = await self._snapshots.take(item.of), self._people.chat_of(item.recipient)
        if not isinstance(night, NightAsTold) or chat is None:
            return
        league, key = league_key(night.league.id), Key(NoteKind.MISSING, f"{right} {item.recipient}")
        if key not in await self._snapshots.told(league):
            words = words_at(night.league, item.recipient)
            await chat.post_line(item.recipient, messages.lacking(night.league, right, words))
            await self._store.set_shown(league, name_of(key), ShownMessage("", 0))
