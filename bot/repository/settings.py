"""Settings: plain values under a digest of their bytes, changed by the loop of `versioned`, and cached."""

from collections.abc import Iterable
from typing import Final, TypeVar

from cachetools import TTLCache

from bot.repository.versioned import Repository, Versioned
from bot.store import SettingsOf, Store, value_digest
from bot.store.codec import Codec

T = TypeVar("T")

RECENT_SECONDS: Final = 2.0
"""Seconds for which settings are cached: a change by another process may be seen this much later, our own at
once."""

_RECENT_MOST: Final = 4096


class SettingsRepository(Repository[str, T, T]):
    """Plain values that always exist: the default if nothing is stored. They know no actions.

    The version is a digest of the stored bytes, so any old value can be changed. A change may be made twice
    when the connection breaks before its answer, so it should set a value rather than add to it.
    """

    unknown = ""  # every value exists

    def __init__(self, store: Store, codec: Codec[T], of: SettingsOf, default: T) -> None:
        super().__init__(store)
        self._codec = codec
        self._of = of
        self._default = default
        self._recent: TTLCache[str, T] = TTLCache(_RECENT_MOST, RECENT_SECONDS)
        """Without it a discard with what it causes sends the store 12 commands instead of 9, `/okey` 17
        instead of 14 (`tests.measure`, in memory)."""

    async def load(self, id: str) -> Versioned[T]:
        """Return a value with its version: the newest, as a change needs it."""
        (state,) = await self._store.people.settings(self._of, [id])
        return self.remember(id, state)

    async def recent(self, ids: Iterable[str]) -> dict[str, T]:
        """Several values, by their ids, at most `RECENT_SECONDS` old; in at most one round trip."""
        known = {id: self._recent.get(id) for id in ids}
        missing = [id for id, value in known.items() if value is None]
        newest = await self.newest(missing) if missing else {}
        return {id: newest[id] if value is None else value for id, value in known.items()}

    def not_recent(self, ids: Iterable[str]) -> list[str]:
        """Return those of the values that `recent` would have to read."""
        return [id for id in ids if id not in self._recent]

    async def newest(self, ids: Iterable[str]) -> dict[str, T]:
        """Several values, by their ids, in one round trip."""
        asked = list(dict.fromkeys(ids))
        found = zip(asked, await self._store.people.settings(self._of, asked), strict=True)
        return {id: self.remember(id, state).value for id, state in found}

    def remember(self, id: str, state: bytes | None) -> Versioned[T]:
        """Cache a value that was just read, and return it with its version. What is cached stays: a read may
        be answered after our own later change."""
        value = self._read(state)
        self._recent.setdefault(id, value)
        return Versioned(value, value_digest(state))

    def forget(self, id: str) -> None:
        """Drop a value from the cache."""
        self._recent.pop(id, None)

    async def _commit(
        self, id: str, before: Versioned[T], change: T, action: str | None
    ) -> Versioned[T] | None:
        state = self._codec.encode(change)
        if not await self._store.people.swap_settings(self._of, id, before.version, state):
            return None
        self._recent[id] = change
        return Versioned(change, value_digest(state))

    def _read(self, state: bytes | None) -> T:
        return self._default if state is None else self._codec.decode(state)
