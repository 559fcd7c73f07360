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
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Protocol

from cachetools import LRUCache, TTLCache

from bot import metrics
from bot.delivery.asleep import SleepingRecipients
from bot.delivery.background import BackgroundTasks, Starts
from bot.delivery.boards import Boards
from bot.delivery.in_flight import InFlightAnswers, Recipient
from bot.delivery.items import NEVER, Item, Key, NoteKind, Notes, Rank, name_of, screen_of
from bot.delivery.messages import LEFT
from bot.delivery.outbox import Outbox, is_shown_to
from bot.delivery.queue import SendQueue
from bot.delivery.refusals import FOR_GOOD, Refusals
from bot.delivery.repositories import Repositories
from bot.delivery.snapshot import Snapshot, Snapshots, TableAsTold, with_notes
from bot.delivery.views import Viewing
from bot.ids import TableId, read_key
from bot.markup import Page, PublicScreen, SeatScreen
from bot.ports import PlaceMoved, PrivateClosed, RateLimit, RetryAfter, TypedCommand, UnknownRefusal
from bot.repository.tables import StoredTable
from bot.repository.versioned import RECENT_SECONDS
from bot.store import Mark, ShownMessage, StoreUnavailable
from bot.store.keys import partition_of
from bot.store.schedule import Delivered

LOG: Final = logging.getLogger(__name__)

_ON_DISK_MOST: Final = 1024

LOOKED_SECONDS: Final = 2.0
"""Seconds between two looks at an unchanged table of which something is still being served."""

_LOOKED_MOST: Final = 4096

KNOWN_SECONDS: Final = 5.0
"""Seconds for which a table that this process has committed need not be read, if nobody has changed it."""

_GATHERED_SECONDS: Final = 0.02
"""Seconds for which settled tables are gathered."""

ANSWERED_FIRST: Final = 4
"""More presses than this under way at once mean that they come faster than everything can be done: then they
are answered first, and everybody else's screens wait."""

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
        repositories: Repositories,
        duties: Duties,
        viewing: Viewing,
        boards: Boards,
        in_app: Callable[[str], Awaitable[bool]] | None = None,
    ) -> None:
        """`in_app`: whether a person has the table open as an app; None: there are no apps."""
        self._store = repositories.store
        self._people = repositories.people
        self._tables = repositories.tables
        self._duties = duties
        self._in_app = in_app
        self.sleeping = SleepingRecipients(repositories)
        self._snapshots = Snapshots(repositories, self.sleeping, viewing)
        self._outbox = Outbox(repositories, viewing, boards)
        self._refusals = Refusals(repositories, self.sleeping, self._snapshots)
        self._tasks = BackgroundTasks()
        self._queue = SendQueue(self.spend)
        self._known: LRUCache[str, _Known] = LRUCache(_LOOKED_MOST)
        """Tables and nights that are being looked at, or not settled yet."""
        self._pending: dict[str, dict[Key, Item]] = {}
        """Items being served, by table or night, as last found: a waiting item may become more urgent."""
        self._found: dict[tuple[str, Key], Item] = {}
        """Items that a look has just found, so that their tasks need not look again."""
        self._looked: TTLCache[str, Mark] = TTLCache(_LOOKED_MOST, LOOKED_SECONDS)
        """The mark of each table at its last look, for `LOOKED_SECONDS`."""
        self._settled: list[Delivered] = []
        self._settling: asyncio.Task[None] | None = None
        """Notes the settled tables and nights in one call."""
        self._last_messages: TTLCache[str, str] = TTLCache(_LOOKED_MOST, RECENT_SECONDS)
        """The last message in people's private chats. One that another process sends may be seen this much
        later."""
        self._on_disk: LRUCache[str, int] = LRUCache(_ON_DISK_MOST)
        """Finished tables, by the version that is known to be on disk."""
        self._met: set[str] = set()
        """Places where somebody has just acted, and who it was: they may sleep."""
        self.answers = InFlightAnswers()
        self._looks = Starts(lambda: self.answers.being_made > ANSWERED_FIRST)

    # Reports from others

    async def note_shown(self, target: str, screen: PublicScreen | SeatScreen, message: str) -> None:
        """See `bot.ports.DeliveryPort.note_shown`. If the store is away, the note is lost and the screen is
        shown once more."""
        note = {screen_of(target): ShownMessage(message, screen.version, screen.worth)}
        with suppress(StoreUnavailable):
            await self._keep(screen.table, note)
        self._mark_noted(screen.table, note)
        self.answers.note_arrival(Recipient(screen.table, target), screen.version)

    def clock(self) -> float:
        """See `bot.ports.DeliveryPort.clock`."""
        return self._store.clock()

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        """See `bot.ports.DeliveryPort.spend`."""
        return await self._store.spend([(each.scope, each.calls, each.seconds) for each in limits])

    async def claim_answer(self, typed: TypedCommand) -> bool:
        """See `bot.ports.DeliveryPort.claim_answer`."""
        with suppress(StoreUnavailable):
            return await self.spend((typed.answer_limit,)) == 0
        return True

    async def wait(self, limits: tuple[RateLimit, ...]) -> float:
        """See `bot.ports.DeliveryPort.wait`."""
        return await self._store.wait([(each.scope, each.calls, each.seconds) for each in limits])

    async def wrote(self, person: str, message: str) -> None:
        """See `bot.ports.DeliveryPort.wrote`. A failed note delays no message."""
        self._last_messages[person] = message
        with suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(_NOTED_WITHIN):
                await self._store.set_last_message(person, message)

    async def last_message(self, person: str) -> str:
        """See `bot.ports.DeliveryPort.last_message`."""
        if (known := self._last_messages.get(person)) is not None:
            return known
        with suppress(StoreUnavailable):
            read = await self._store.last_message(person)
            return self._last_messages.setdefault(person, read)  # a message may have been sent meanwhile
        return ""

    async def tell(self, person: str, page: Page, once: str) -> None:
        """Send a person a page in private at once, if this process serves their chat and reaches them. What
        it says must be found elsewhere, too. `once` as for `Chat.send_direct`."""
        chat = self._people.chat_of(person)
        if chat is None:
            return
        limits = chat.opening_limits(person) + chat.private_limits(person)
        with suppress(PrivateClosed, RetryAfter, UnknownRefusal, StoreUnavailable):
            if not limits or await self.spend(limits) == 0:
                await chat.send_direct(person, page, once)

    async def note_move(self, place: str, new_place: str) -> None:
        """See `bot.ports.DeliveryPort.note_move`."""
        await self._refusals.move_place(place, new_place)

    async def note_left_place(self, table: TableId, place: str) -> None:
        """Note that a table is no longer shown in a place: its last message there says so."""
        shown = (await self._store.load_shown(table)).get(place)
        if shown is not None and shown.message:
            last = Key(NoteKind.REPLACED, f"{place} {shown.message}")
            posted = Key(NoteKind.POSTED, place)
            await self._store.set_shown(table, {name_of(last): LEFT, place: None, name_of(posted): None})
            self._mark_noted(table, {last: LEFT, screen_of(place): NEVER, posted: NEVER})
            await self._store.mark_dirty(table)
            self.wake(table)

    async def take_rack(self, table: TableId, person: str) -> None:
        """Delete the rack of a person who has no seat at a table and of whom nothing is to be noted, if it
        can be reached now: its buttons are no longer for them."""
        chat, shown = self._people.chat_of(person), (await self._store.load_shown(table)).get(person)
        if chat is None or shown is None or not shown.message:
            return
        limits = chat.private_limits(person)
        async with self._queue.turn(lambda: limits, lambda: Rank.RACK):
            with suppress(RetryAfter, *FOR_GOOD):
                await chat.remove_rack(person, shown.message)

    async def show_again(self, table: TableId, person: str) -> None:
        """Have a person shown their rack again, though it is worth no more than what they see: they have
        changed how they want to see it, or where they can."""
        kept = name_of(screen_of(person))
        while (shown := (await self._store.load_shown(table)).get(kept)) is not None and shown.worth:
            forgotten = replace(shown, worth="")
            if await self._store.swap_shown(table, [kept], shown, forgotten):
                self._mark_noted(table, {screen_of(person): forgotten})
                await self._store.mark_dirty(table)
                self.wake(table)

    async def note_reopened(self, channels: Collection[str]) -> None:
        """See `bot.ports.DeliveryPort.note_reopened`."""
        await self.sleeping.wake_in(channels)

    def note_presence(self, person: str, place: str | None) -> None:
        """Note that a person acts, in a place or in private: what sleeps is tried at once. Returns at
        once."""
        met = (person,) if place is None else (person, place)
        if not self.sleeping.are_awake(met):
            self._met.update(met)
            self._tasks.run("met", self._wake_met)

    def note_commit(self, table: str, stored: StoredTable) -> None:
        """Note that this process has just changed a table. Returns at once."""
        if self._chats(table):
            before = self._known.get(table)
            self._known[table] = _Known(stored, {} if before is None else before.notes)
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

    async def _wake_met(self) -> None:
        """Wake all that were met at about the same moment, in one call."""
        met = frozenset(self._met)
        await self.sleeping.wake(met)
        self._met -= met

    # Looking for items and serving them

    async def _look(self, of: str, mark: Mark | None = None) -> bool:
        """Start to serve all items of a table or night; remove its mark if there are none."""
        if mark is not None and of in self._pending and self._looked.get(of) == mark:
            return True  # nothing is new, and not everything is served yet
        await self._looks.turn()
        known = self._known.get(of)
        if known is None or not known.serves(mark, self._store.clock()):
            self._known[of] = known = _Known()
        known.looked = True
        snapshot = await self._snapshot(of, known.committed)
        chats = self._chats(of)
        items = () if snapshot is None else self._items(with_notes(snapshot, known.notes), chats)
        for item in items:
            pending = self._pending.setdefault(of, {})
            if item.key not in pending:
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
            if self._known.get(of) is known:
                del self._known[of]
            await self._settle(Delivered(of, mark, chats, needed))
        return True

    async def _settle(self, settled: Delivered) -> None:
        """Note what is settled, together with everything else that is settled within `_GATHERED_SECONDS`."""
        self._settled.append(settled)
        if self._settling is None:
            self._settling = asyncio.create_task(self._note_settled())
        await self._settling

    async def _note_settled(self) -> None:
        await asyncio.sleep(_GATHERED_SECONDS)
        settled, self._settled, self._settling = self._settled, [], None
        await self._store.note_delivered(settled)

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
            return self._mark_served(of, key)
        pending = self._pending.setdefault(of, {})
        pending[key] = item
        if self._is_awaited(item):
            await self.answers.arrival(Recipient(of, item.recipient))
            return False
        if item.is_rack and await self._wait_for_app(item.recipient):
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
        return self._mark_served(of, key)

    async def _wait_for_app(self, person: str) -> bool:
        """Wait while a person has their rack open in the app; whether they did. Their chat is updated
        after."""
        left = False
        while self._in_app is not None and await self._in_app(person):
            left = True
            await asyncio.sleep(APP_SECONDS)
        return left

    async def _find(self, of: str, key: Key) -> Item | None:
        """The newest item of a key, for all that this process knows: when another one has changed the table
        just now, its mark leads to one more look."""
        known = self._known.get(of) or _Known()
        snapshot = await self._snapshot(of, known.recent(self._store.clock()))
        items = () if snapshot is None else self._items(with_notes(snapshot, known.notes), self._chats(of))
        return next((item for item in items if item.key == key), None)

    def _is_awaited(self, item: Item) -> bool:
        """Return whether an answer to a press is on its way that may bring the same screen."""
        return item.is_rack and self.answers.is_expected(Recipient(item.of, item.recipient))

    def _mark_served(self, of: str, key: Key) -> bool:
        """Note that nothing of this key is left to be served. Always true, for tasks to return."""
        pending = self._pending.get(of, {})
        pending.pop(key, None)
        if not pending:
            self._pending.pop(of, None)
        return True

    # Sending

    async def _send(self, item: Item) -> None:
        """Send an item whose turn has come, and note it. Raises RetryAfter, StoreUnavailable."""
        if item.first is not None and not await self._note_first(item, item.first):
            return
        try:
            with metrics.CALL_SECONDS.labels(item.chat).time():
                notes = await item.send()
        except Exception as error:
            metrics.CALLS.labels(item.chat, type(error).__name__).inc()
            as_done = _as_done(item, error)
            # Not if the program is being stopped: then nobody knows whether people were told.
            if as_done is None:
                await self._take_back(item)
            if await self._refusals.accept(item, error):
                self._tasks.run(item.of, partial(self._look, item.of))  # people must be told
            notes = {} if as_done is None else item.note(as_done)
        else:
            metrics.CALLS.labels(item.chat, "done").inc()
            if item.recipient:
                await self.sleeping.note_reached(item.recipient)
        if await self._note(item, notes) and notes and item.opens:
            with suppress(StoreUnavailable):  # the next rack that reaches them tells it, too
                await self._people.note_reached(item.recipient)

    async def _note_first(self, item: Item, first: ShownMessage) -> bool:
        """Make the note before a send; whether it is this process that sends. If another one has changed the
        notes since they were read, look at them anew."""
        notes = item.note(first)
        kept = item.kept_by or item.of
        noted = await self._store.swap_shown(kept, [*map(name_of, notes)], item.earlier, first)
        if noted:
            self._mark_noted(item.of, notes)
        else:
            self._mark_unknown(item.of, notes)
            self._tasks.run(item.of, partial(self._look, item.of))
        return noted

    async def _note(self, item: Item, notes: Notes) -> bool:
        kept = not notes or await self._keep(item.kept_by or item.of, notes, item.version)
        self._mark_noted(item.of, notes)
        return kept

    async def _keep(self, of: str, notes: Notes, version: int = 0) -> bool:
        """Note everything in one step, with the message that a new one replaces. False if nothing was noted:
        the screen was of a table, and the place or person has left it, or was forgotten meanwhile. `version`
        is one of the table in which they belong to it."""
        shown = {name_of(key): None if each is NEVER else each for key, each in notes.items()}
        first = next(iter(notes))
        match first.kind, read_key(of):
            case NoteKind.SCREEN, ("table", table):
                while not await self._store.set_shown(of, shown, at=version, replaced=NoteKind.REPLACED):
                    stored = await self._tables.load(table)
                    if stored is None or not is_shown_to(stored.value, first.which):
                        return False
                    version = stored.version
            case _:
                await self._store.set_shown(of, shown)
        return True

    async def _take_back(self, item: Item) -> None:
        """Take back a note that was made before a failed send."""
        if item.first is not None:
            for key in (item.key, *item.together):
                await self._store.drop_shown(item.kept_by or item.of, name_of(key))
            self._mark_noted(item.of, item.note(NEVER))
            await self._note(item, {} if item.earlier is None else item.note(item.earlier))
            # Another process may have seen the note, and taken the mark away.
            await self._store.mark_dirty(item.of)

    def _mark_noted(self, of: str, notes: Notes) -> None:
        """Tell these notes to looks that have found their items, or are still to come and will not read."""
        if (known := self._known.get(of)) is not None:
            known.notes |= notes
        for key in notes:
            self._found.pop((of, key), None)

    def _mark_unknown(self, of: str, keys: Collection[Key]) -> None:
        """Have these notes read again by looks to come."""
        if (known := self._known.get(of)) is not None:
            known.committed = None
            for key in keys:
                known.notes.pop(key, None)


def _as_done(item: Item, error: Exception) -> ShownMessage | None:
    """The note by which an item that failed counts as done; None: it doesn't. A line for people is told where
    their place has moved to."""
    moved = item.first is not None and isinstance(error, PlaceMoved)
    return item.otherwise if isinstance(error, FOR_GOOD) and not moved else None


@dataclass(slots=True)
class _Known:
    """The data on a table or night that a look need not read."""

    committed: StoredTable | None = None
    """The table, if the last change that this process knows of is its own."""
    notes: dict[Key, ShownMessage] = field(default_factory=dict)
    """The notes that this process has made since."""
    looked: bool = False

    def recent(self, now: float) -> StoredTable | None:
        """The table, while its deadline and our clock are believed."""
        known = self.committed
        return None if known is None or now - known.now > KNOWN_SECONDS else known

    def serves(self, mark: Mark | None, now: float) -> bool:
        """Return whether nobody has changed the table since, as the mark tells; without one, only a first
        look relies on that."""
        known = self.recent(now)
        return known is not None and (not self.looked if mark is None else known.mark == mark)
