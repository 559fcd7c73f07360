"""Feed: what must still be shown and told of one table, night or daily board, and the tasks that do it.

Everything due follows from the latest snapshot. Each item is served by a task of its own, so that a slow chat
delays nobody else, and is sent as it is due when its turn has come: ten quick moves may become one edit.
Nothing here needs to last, since the mark in the store leads to one more look.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from bot.background import BackgroundTasks, Starts
from bot.delivery.in_flight import InFlightAnswers
from bot.delivery.items import Item, Rank
from bot.delivery.latest import LatestSnapshot
from bot.delivery.notes import is_anew
from bot.delivery.outbox import Outbox
from bot.delivery.queue import SendQueue
from bot.delivery.sending import ItemSender
from bot.delivery.snapshot import Snapshot, Snapshots, TableAsTold
from bot.store import Mark, Store
from bot.store.keys import partition_of
from bot.store.schedule import Delivered

LOOKED_SECONDS: Final = 2.0
"""Seconds between two looks at an unchanged table of which something is still being served."""

ANSWER_SECONDS: Final = 0.1
APP_SECONDS: Final = 1.0
"""Seconds between two checks whether an answer is still on its way, or an app still open."""

LINK_SECONDS: Final = 1.0
"""Seconds for which the rack of somebody who waits is held back at most, so that it can lead to the table."""


class Duties(Protocol):
    """The deliveries that belong to this process."""

    def chats_at(self, partition: int) -> frozenset[str]:
        """Return the chats to which this process delivers the news of a partition."""
        ...

    @property
    def served(self) -> frozenset[str]:
        """Return the chats that any process serves."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """The parts of delivery that all feeds of a process share."""

    store: Store
    duties: Duties
    snapshots: Snapshots
    outbox: Outbox
    sender: ItemSender
    queue: SendQueue
    answers: InFlightAnswers
    starts: Starts
    in_app: Callable[[str], Awaitable[bool]] | None
    """Tells whether a person has the table open as an app; None: there are no apps."""

    def chats_of(self, of: str) -> frozenset[str]:
        """Return the chats to which this process delivers the news of a table or night."""
        return self.duties.chats_at(partition_of(of))


class Feed:
    """The feed of a table, a night or a daily board."""

    def __init__(self, of: str, shared: Shared, look_soon: Callable[[], object]) -> None:
        """`look_soon` has the feed looked at again."""
        self._of = of
        self._shared = shared
        self._look_soon = look_soon
        self.latest = LatestSnapshot(of, shared.snapshots, shared.store.clock)
        """What this process knows of it, and is told by whoever changes it."""
        self._found: tuple[Snapshot, Mapping[str, Item]] | None = None
        """A snapshot, and the items that are due by it; None: none are found yet."""
        self._serving = BackgroundTasks()
        """The tasks that serve items, by what they are called in the log."""
        self._seen: tuple[Mark, float] | None = None
        """The mark of the last look, and the moment until which another one is in vain."""

    @property
    def is_idle(self) -> bool:
        """Return whether nothing is being served, and nothing has happened since the last look."""
        return self.latest.is_current and not self.backlog

    @property
    def backlog(self) -> int:
        """Return the number of items that are found and not delivered yet."""
        return len(self._serving.running)

    async def close(self) -> None:
        """Stop all its tasks."""
        await self._serving.close()

    async def look(self, mark: Mark | None) -> bool:
        """Start to serve all items due. If there are none, remove the mark; return whether that was done."""
        if mark is not None and self.backlog and self._is_seen(mark):
            return False  # nothing is new, and not everything is served yet
        await self._shared.starts.turn()
        if mark is not None and not self.latest.is_own(mark):
            self.latest.forget()
        await self.latest.take()
        self._found = None  # the chats that are served here may be others by now
        for key in self._find_due():
            # For items under way only their present urgency matters: the mark stays until they are done.
            if mark is None or self._name(key) not in self._serving.running:
                self._serving.run(self._name(key), partial(self._serve, key))
        self._shared.queue.reorder()
        return mark is not None and await self._settle(mark)

    def _name(self, key: str) -> str:
        """Return what the task that serves an item is called."""
        return f"{self._of} {key}"

    def _is_seen(self, mark: Mark) -> bool:
        return self._seen is not None and self._seen[0] == mark and self._seen[1] > _now()

    def _find_due(self) -> Mapping[str, Item]:
        """Return the items due by the latest snapshot that this process delivers."""
        if (snapshot := self.latest.snapshot) is None:
            return {}
        if self._found is None or self._found[0] is not snapshot:
            chats = self._shared.chats_of(self._of)
            items = self._shared.outbox.items(snapshot)
            self._found = snapshot, {item.key: item for item in items if item.chat in chats}
        return self._found[1]

    async def _settle(self, mark: Mark) -> bool:
        """Remove the mark if nothing is left to be delivered; return whether that was done."""
        shared, snapshot = self._shared, self.latest.snapshot
        if isinstance(snapshot, TableAsTold):
            self._seen = mark, _now() + LOOKED_SECONDS
        # An item that is noted before it is sent may still fail.
        if self._find_due() or self.backlog or (snapshot is not None and shared.outbox.waits(snapshot)):
            return False
        needed = () if snapshot is None else shared.outbox.chats(snapshot, shared.duties.served)
        await shared.store.timers.note_delivered(
            [Delivered(self._of, mark, shared.chats_of(self._of), needed)]
        )
        return True

    async def _serve(self, key: str) -> bool:
        """Make one attempt to deliver the newest item of this key; return whether none is left."""
        done = False
        try:
            done = await self._deliver(key)
        finally:
            if not done:
                self.latest.doubt()
        return done

    async def _deliver(self, key: str) -> bool:
        item = await self._find(key)
        if item is None:
            return True
        if item.is_rack and await self._leave_to_others(item.recipient):
            return False
        if item.is_rack and item.rank is not Rank.TURN:
            await self._let_table_come()
        queue = self._shared.queue
        async with queue.turn(lambda: self._newest(item).limits, lambda: self._newest(item).rank) as waited:
            if waited:
                self.latest.doubt()
            newest = await self._find(key)
            if newest is None:
                return True
            if newest.is_rack and self._is_answered(newest.recipient):
                return False
            leads_on = await self._shared.sender.send(newest, self.latest.note)
        if leads_on:
            self.latest.forget()
            self._look_soon()
        return True

    async def _find(self, key: str) -> Item | None:
        """Return the newest item of a key, for all that this process knows: when another one has changed the
        table just now, its mark leads to one more look."""
        await self.latest.take()
        return self._find_due().get(key)

    def _newest(self, item: Item) -> Item:
        """Return an item as it was last found: it may have become more urgent."""
        return self._find_due().get(item.key, item)

    def _is_answered(self, person: str) -> bool:
        """Return whether an answer to a press is on its way that may bring a person the same screen."""
        return self._shared.answers.is_expected((self._of, person))

    async def _leave_to_others(self, person: str) -> bool:
        """Wait while an answer may bring a person their rack, or they have it open in the app; return whether
        that took any time. Their chat is updated after."""
        left = False
        while (answered := self._is_answered(person)) or await self._is_in_app(person):
            left = True
            await asyncio.sleep(ANSWER_SECONDS if answered else APP_SECONDS)
        return left

    async def _let_table_come(self) -> None:
        """Wait a moment for the table's new messages in its places: a round's first rack leads there, and
        whoever waits gets no other until somebody has played."""
        if not isinstance(snapshot := self.latest.snapshot, TableAsTold):
            return
        table, shown = snapshot.stored.value, snapshot.notes
        anew = (self._name(place) for place in table.places if is_anew(shown.get(place), table))
        coming = [self._serving.running[name] for name in anew if name in self._serving.running]
        if coming:
            await asyncio.wait(coming, timeout=LINK_SECONDS)

    async def _is_in_app(self, person: str) -> bool:
        return self._shared.in_app is not None and await self._shared.in_app(person)


def _now() -> float:
    return asyncio.get_running_loop().time()
