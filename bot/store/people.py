"""Persons and places: what is remembered of them, and the tables they may be found at.

The indexes are hints. They are written before the commit that they belong to, so they may name a
table that never came to be or is over, but they never miss one; the table itself has the last word.
"""

import time
from collections.abc import Sequence

from bot.store import keys
from bot.store.client import Server
from bot.store.scripts import script

_SWAP = script("swap")

HINT_SECONDS = 90 * 24 * 3600
"""So long after its newest hint an index is kept: longer than any table goes on."""


class People:
    """Indexes from persons and places to tables, and what is kept of a person."""

    _server: Server

    async def add_place(self, place: str, table: str) -> None:
        """Note that a table may stand at a place."""
        await self._hint(keys.tables_at(place), table)

    async def tables_at(self, place: str) -> list[str]:
        """Tables that may stand at a place, sorted."""
        return await self._members(keys.tables_at(place))

    async def remove_place(self, place: str, table: str) -> None:
        """Take a table off a place."""
        await self._server.call("SREM", keys.tables_at(place), table)

    async def move_place(self, old: str, new: str) -> None:
        """Add the tables of a place to those of its new key, where its settings hold too. Safe to repeat."""
        (settings,) = await self.settings_at(old)
        if settings is not None:
            await self._server.call("SETNX", keys.settings_at(new), settings)
        for table in await self.tables_in(old):
            await self.add_to_community(new, table)
        tables = await self.tables_at(old)
        if tables and old != new:
            await self._hint(keys.tables_at(new), *tables)
            await self._server.call("SREM", keys.tables_at(old), *tables)

    async def settings_at(self, *places: str) -> list[bytes | None]:
        """What was set for places, in their order and in one call."""
        return await self._server.values([keys.settings_at(place) for place in places])

    async def swap_settings(self, place: str, before: bytes | None, value: bytes) -> bool:
        """Keep this as a place's settings, unless somebody has changed what was read before."""
        return bool(await self._server.run(_SWAP, (keys.settings_at(place),), before or b"", value))

    async def add_to_community(self, community: str, table: str) -> None:
        """Note that a table may stand in a community; hints that are too old go."""
        now, key = time.time(), keys.tables_in(community)
        await self._server.call("ZADD", key, "NX", now, table)
        await self._server.call("ZREMRANGEBYSCORE", key, 0, now - HINT_SECONDS)
        await self._server.call("EXPIRE", key, HINT_SECONDS)

    async def tables_in(self, community: str) -> dict[str, float]:
        """Tables that may stand in a community, and since when: seconds since the epoch."""
        found = await self._server.call("ZRANGE", keys.tables_in(community), 0, -1, "WITHSCORES")
        return {table.decode(): float(since) for table, since in zip(found[::2], found[1::2], strict=True)}

    async def remove_from_community(self, community: str, *tables: str) -> None:
        """Take tables out of a community."""
        await self._server.call("ZREM", keys.tables_in(community), *tables)

    async def add_person(self, person: str, table: str) -> None:
        """Note that a person may sit at a table."""
        await self._hint(keys.tables_of(person), table)

    async def tables_of(self, person: str) -> list[str]:
        """Tables at which a person may sit, sorted."""
        return await self._members(keys.tables_of(person))

    async def remove_person(self, person: str, table: str) -> None:
        """Take a table off a person."""
        await self._server.call("SREM", keys.tables_of(person), table)

    async def person(self, key: str) -> bytes | None:
        """What was saved of a person."""
        (saved,) = await self.persons([key])
        return saved

    async def persons(self, persons: Sequence[str]) -> list[bytes | None]:
        """What was saved of several persons, in their order and in one call."""
        return await self._server.values([keys.person(person) for person in persons])

    async def save_person(self, key: str, value: bytes) -> None:
        """Remember this of a person, instead of what was saved before."""
        await self._server.call("SET", keys.person(key), value)

    async def linked_to(self, person: str) -> str | None:
        """The other account of a person, if both are linked to each other."""
        other = await self._link_of(person)
        return other if other is not None and await self._link_of(other) == person else None

    async def link(self, person: str, other: str) -> None:
        """Link two accounts, instead of what they were linked to before. In force once both are written."""
        await self._server.call("SET", keys.link_of(person), other)
        await self._server.call("SET", keys.link_of(other), person)

    async def unlink(self, person: str, other: str) -> None:
        """Part two accounts."""
        await self._server.call("DEL", keys.link_of(person))
        await self._server.call("DEL", keys.link_of(other))

    async def note_settings(self, person: str, place: str) -> None:
        """Note that a person set something for a place."""
        await self._server.call("SADD", keys.settings_by(person), place)

    async def places_set_by(self, person: str) -> list[str]:
        """The places for which a person may have set something, sorted."""
        return await self._members(keys.settings_by(person))

    async def forget_person(self, person: str) -> None:
        """Delete what is remembered of a person, and his indexes."""
        for name in (keys.person, keys.tables_of, keys.settings_by, keys.link_of):
            await self._server.call("DEL", name(person))

    async def _link_of(self, person: str) -> str | None:
        other: bytes | None = await self._server.call("GET", keys.link_of(person))
        return None if other is None else other.decode()

    async def _hint(self, key: str, *tables: str) -> None:
        await self._server.call("SADD", key, *tables)
        await self._server.call("EXPIRE", key, HINT_SECONDS)

    async def _members(self, key: str) -> list[str]:
        return sorted(member.decode() for member in await self._server.call("SMEMBERS", key))
