"""Counted: what follows from stored values, made outside the event loop, and once for each of their states.

A page of a league follows from dozens of nights that seldom change. What was made is kept in this process;
the store only tells whether it is still true.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, Generic, TypeVar

from cachetools import LRUCache

from bot.repository.versioned import DocumentRepository

K = TypeVar("K", bound=str)
T = TypeVar("T")
R = TypeVar("R")

_FOLLOWS_MOST: Final = 512
"""The most values that follow from others which a process keeps."""


class Derived(Generic[K, T, R]):
    """What a function makes of each stored value, for the last `most` of them."""

    def __init__(self, documents: DocumentRepository[K, T, Any], make: Callable[[T], R], most: int) -> None:
        self._documents = documents
        self._make = make
        self._made: LRUCache[K, tuple[bytes, R]] = LRUCache(most)
        """Without it the season's table in a chat takes 500 ms of a processor instead of 16, in a league with
        30 nights of 60 tables (`tests.measure.league_costs`)."""
        self._lock = asyncio.Lock()

    async def of(self, ids: Sequence[K]) -> list[tuple[bytes, R] | None]:
        """Return what is made of the newest values, each with the stamp of the value's state; None for one
        that does not exist. It is the identical object while the state is the same.

        Raises StoreUnavailable, UnknownSchema.
        """
        stamps = dict(zip(ids, await self._documents.stamps(ids), strict=True))
        if all(self._is_newest(id, stamp) for id, stamp in stamps.items()):
            return [self._made.get(id) for id in ids]
        async with self._lock:  # who comes meanwhile finds everything made
            missing = [id for id, stamp in stamps.items() if not self._is_newest(id, stamp)]
            loaded = {id: held for id in missing if (held := await self._documents.load(id)) is not None}
            values = [held.value for held in loaded.values()]
            made = await asyncio.to_thread(lambda: list(map(self._make, values)))
            newest = {id: (held.stamp, each) for (id, held), each in zip(loaded.items(), made, strict=True)}
            found = [newest.get(id) or self._made.get(id) for id in ids]
            self._made.update(newest)
            return found

    def _is_newest(self, id: K, stamp: bytes) -> bool:
        held = self._made.get(id)
        return not stamp or (held is not None and held[0] == stamp)


class Consequences:
    """What follows from several objects, for the last ones asked for."""

    def __init__(self) -> None:
        self._kept: LRUCache[Hashable, tuple[object, tuple[object, ...], Any]] = LRUCache(_FOLLOWS_MOST)
        """Without it the season's table in a chat takes 300 ms of a processor instead of 16, as above."""
        self._lock = asyncio.Lock()

    async def of(self, name: Hashable, terms: object, sources: Iterable[object], make: Callable[[], R]) -> R:
        """Return what `make` returned for this name, or call it in a thread: when there are other sources,
        none of them the identical object, or unequal terms."""
        those = tuple(sources)
        if (kept := self._find(name, terms, those)) is None:
            async with self._lock:
                if (kept := self._find(name, terms, those)) is None:
                    kept = (await asyncio.to_thread(make),)
                    self._kept[name] = (terms, those, kept[0])
        found: R = kept[0]
        return found

    def _find(self, name: Hashable, terms: object, sources: tuple[object, ...]) -> tuple[Any] | None:
        if (kept := self._kept.get(name)) is None:
            return None
        same = len(kept[1]) == len(sources) and all(map(_is, kept[1], sources))
        return (kept[2],) if same and kept[0] == terms else None


def _is(one: object, other: object) -> bool:
    return one is other
