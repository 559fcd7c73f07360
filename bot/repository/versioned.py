"""Versioned values, and the one way to change them: load, act, commit, retry after a quicker commit."""

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Final, Generic, TypeVar

from cachetools import LRUCache

from bot.errors import Refused
from bot.store import (
    KEEP,
    Committed,
    IndexHint,
    Keep,
    Mark,
    Note,
    Store,
    Stored,
    StoreUnavailable,
    TimeLimits,
    stamp_of,
    was_carried_out,
)
from bot.store.codec import Codec

K = TypeVar("K", bound=str)
T = TypeVar("T")
C = TypeVar("C")

TRIES: Final = 32
"""How often other processes may be quicker with one value before somebody is asked to press again."""

PAUSE_SECONDS: Final = 0.01
"""The most seconds before a retry. The pause is random, because processes in step could otherwise always let
the same one come second."""

QUEUE_SECONDS: Final = 5.0
"""Seconds that a change waits for earlier changes in this process before somebody is asked to press again."""


@dataclass(frozen=True, slots=True)
class Versioned(Generic[T]):
    """A value as it is stored."""

    value: T
    version: int
    """1 after the first commit, one more after each; for settings a digest of the bytes, 0 for nothing."""
    deadline: float | None = None
    """The moment when the clock acts next: seconds since the epoch by the store's clock; None: never."""
    now: float = 0.0
    """The store's clock when it was read or written."""
    notes: Mapping[str, Note] = field(default_factory=dict)
    """For tables, nights and daily boards: what was shown, told and done; see `bot.delivery.notes`."""
    mark: Mark | None = None
    """The mark of the commit that made it, by which it is to be delivered; None: it was read."""
    call: bytes = field(default=b"", repr=False)
    """The call that made this version of a document, which tells it from another one of the same number."""
    actions: bytes = field(default=b"", repr=False, compare=False)
    """The last actions that were carried out on a document, if it was read. See `Stored`."""

    @property
    def stamp(self) -> bytes:
        """What tells this state of a document from every other."""
        return stamp_of(self.version, self.call)

    def is_repeated(self, action: str) -> bool:
        """Return whether an action is one of those."""
        return was_carried_out(self.actions, action)


class _NotThere(Refused):
    """There is no such value."""


class Repository(ABC, Generic[K, T, C]):
    """The values of one kind, by their ids. `C` is the type of a change, made from a value by a function."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queues: dict[K, _ChangeQueue] = {}
        self._waits = TimeLimits(QUEUE_SECONDS)

    unknown: ClassVar[str]
    """The code with which a change is refused when there is no such value."""

    @abstractmethod
    async def load(self, id: K) -> Versioned[T] | None:
        """Return a value, or None when there is none. Raises StoreUnavailable, UnknownSchema."""

    async def change(
        self, id: K, action: str | None, function: Callable[[Versioned[T]], C | None]
    ) -> Versioned[T]:
        """Have `function` act on a value and commit the result; returns the new value.

        `function` may be called several times, each time with a newer value; it returns None, or an equal
        value, to change nothing. `action` names the act, such as a press: one that was carried out before is
        not carried out again, and gets the newest value. Changes of one value in one process take turns;
        between processes the quicker one wins and the other starts again.

        Raises Refused (by `function`; `busy`; the kind's own code when there is no such value),
        StoreUnavailable, UnknownSchema.
        """
        async with self._in_order(id):
            for _ in range(TRIES):
                loaded = await self.load(id)
                if loaded is None:
                    raise _NotThere(self.unknown)
                if action is not None and loaded.is_repeated(action):
                    return await self._confirm_repeated(id, loaded)
                change = function(loaded)
                if change is None or change == loaded.value:
                    return loaded
                changed = await self._commit(id, loaded, change, action)
                if changed is not None:
                    return changed
                await asyncio.sleep(random.uniform(0, PAUSE_SECONDS))
        raise Refused("busy")

    async def change_if_there(
        self, id: K, action: str | None, function: Callable[[Versioned[T]], C | None]
    ) -> Versioned[T] | None:
        """Change a value as `change`, but return None when there is no such value."""
        try:
            return await self.change(id, action, function)
        except _NotThere:
            return None

    async def replace(self, id: K, before: Versioned[T], change: C) -> Versioned[T] | None:
        """Commit a change that was made from the value `before`; None when that is no longer the newest, and
        nothing is changed. Raises as `change`."""
        async with self._in_order(id):
            return await self._commit(id, before, change, None)

    async def _confirm_repeated(self, id: K, newest: Versioned[T]) -> Versioned[T]:
        """Return the newest value, as the answer to an action that was carried out before."""
        return newest

    @abstractmethod
    async def _commit(
        self, id: K, before: Versioned[T], change: C, action: str | None
    ) -> Versioned[T] | None:
        """Commit a change of the value that was read; None when it is no longer the newest, or the action was
        carried out meanwhile."""

    @asynccontextmanager
    async def _in_order(self, id: K) -> AsyncIterator[None]:
        """Wait for earlier changes of this value in this process, since they would only waste each other's
        tries. When one of them fails to reach the store, those that waited meanwhile fail as well."""
        queue = self._queues.setdefault(id, _ChangeQueue())
        failures = queue.failures
        queue.users += 1
        try:
            try:
                with self._waits.limit():
                    await queue.lock.acquire()
            except TimeoutError:
                raise Refused("busy") from None
            try:
                if queue.failures > failures:
                    raise StoreUnavailable("no answer to the change before")
                yield
            except StoreUnavailable:
                queue.failures += 1
                raise
            finally:
                queue.lock.release()
        finally:
            queue.users -= 1
            if not queue.users:
                del self._queues[id]


@dataclass(slots=True)
class _ChangeQueue:
    """The queue of the changes of one value."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    failures: int = 0
    """The number of changes that did not reach the store."""


@dataclass(frozen=True, slots=True)
class Commit(Generic[T]):
    """The parts that are written in one step. See `Documents.commit`."""

    value: T
    entries: Sequence[bytes] = ()
    due: Keep | float | None = KEEP
    dirty: bool = True
    ended: bool = False
    agenda: Keep | float | None = KEEP
    durable: bool = False
    """Whether nobody is told of it before it is on the store's disk."""
    hints: Sequence[IndexHint] = ()
    """The hints by which the value can be found."""


_COMMITTED_MOST: Final = 4096

LOST_MOST: Final = 100
"""More commits than other processes make to a value in the seconds that a store may lose."""


class DocumentRepository(Repository[K, T, C]):
    """Values that the store keeps with a version, their last actions and a log: tables, nights, leagues."""

    def __init__(self, store: Store, codec: Codec[T]) -> None:
        super().__init__(store)
        self._codec = codec
        self._committed: LRUCache[K, int] = LRUCache(_COMMITTED_MOST)
        """The version of this process's last commit to each value: nothing else tells that the store has lost
        it since, as when another server takes over."""
        self.listeners: list[Callable[[str, Versioned[T]], None]] = []
        """Called after every commit with the key and the value."""

    async def create(self, id: K, change: C, action: str) -> Versioned[T]:
        """Commit a new value, or return the one that exists already. Raises StoreUnavailable, UnknownSchema;
        Refused (the kind's own code) when that was deleted meanwhile."""
        held = await self._commit(id, None, change, action) or await self.load(id)
        if held is None:
            raise Refused(self.unknown)
        return held

    async def stamps(self, ids: Sequence[K]) -> list[bytes]:
        """Return the stamp of each value's state, in their order; empty: there is no such value."""
        return await self._store.documents.stamps([self._key(id) for id in ids])

    async def load(self, id: K) -> Versioned[T] | None:
        """Return a value, or None when there is none. What the store has lost is made up for. Raises
        StoreUnavailable, UnknownSchema."""
        for _ in range(TRIES):
            stored = await self._store.documents.load(self._key(id))
            loaded = None if stored is None else self._read(stored)
            lost = self._committed.get(id, 0)
            if loaded is None or loaded.version >= lost:
                break
            change = self._after_loss(loaded.value, lost)
            if change is None:
                break
            # If that fails the value was only read before the commit: then the next read finds it.
            await self._commit(id, loaded, change, None, beyond=lost + LOST_MOST)
        return loaded

    async def _commit(
        self, id: K, before: Versioned[T] | None, change: C, action: str | None, beyond: int = 0
    ) -> Versioned[T] | None:
        old = None if before is None else before.value
        commit = self._make_commit(old, change)
        state = self._codec.encode(commit.value)
        outcome = await self._store.documents.commit(
            self._key(id),
            expected=0 if before is None else before.version,
            made_by=b"" if before is None else before.call,
            state=state,
            action=action,
            entries=commit.entries,
            due=commit.due,
            dirty=commit.dirty,
            ended=commit.ended,
            agenda=commit.agenda,
            hints=commit.hints,
            beyond=beyond,
        )
        if not isinstance(outcome, Committed):
            return None
        if commit.durable:
            await self._store.documents.on_disk(self._key(id))
        committed = Versioned(
            commit.value, outcome.version, outcome.due, outcome.now, outcome.notes, outcome.mark, outcome.call
        )
        self._committed[id] = outcome.version
        for tell in self.listeners:
            tell(self._key(id), committed)
        return committed

    async def _confirm_repeated(self, id: K, newest: Versioned[T]) -> Versioned[T]:
        """Wait for the disk again: that may be what the action failed at before."""
        await self._store.documents.on_disk(self._key(id))
        return newest

    def _after_loss(self, newest: T, lost: int) -> C | None:
        """Return what must be committed when the store has lost everything between `newest` and the version
        `lost`; None: nothing."""
        return None

    def _read(self, stored: Stored) -> Versioned[T]:
        value = self._codec.decode(stored.state)
        return Versioned(
            value,
            stored.version,
            stored.due,
            stored.now,
            stored.notes,
            call=stored.call,
            actions=stored.actions,
        )

    def _key(self, id: K) -> str:
        """Return the key under which a value is stored."""
        return id

    @abstractmethod
    def _make_commit(self, before: T | None, change: C) -> Commit[T]:
        """Return the commit for a change; `before` is None for a new value."""
