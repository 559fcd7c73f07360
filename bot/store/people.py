"""Persons and places: what is remembered of them, and the tables they may be found at.

The indexes are hints. They are written before the commit that they belong to, so they may name a
table that never came to be or is over, but they never miss one; the table itself has the last word.
"""

from secrets import token_hex

from bot.store import keys
from bot.store.scripts import script
from bot.store.server import Server

_PUT_TOKEN = script("put_token")
_TAKE_TOKEN = script("take_token")


class People:
    """Indexes from persons and places to tables, what is kept of a person, and single-use tokens."""

    _server: Server

    async def add_place(self, place: str, table: str) -> None:
        """Note that a table may stand at a place."""
        await self._server.call("SADD", keys.tables_at(place), table)

    async def tables_at(self, place: str) -> list[str]:
        """Tables that may stand at a place, sorted."""
        return await self._members(keys.tables_at(place))

    async def remove_place(self, place: str, table: str) -> None:
        """Take a table off a place."""
        await self._server.call("SREM", keys.tables_at(place), table)

    async def move_place(self, old: str, new: str) -> None:
        """Add the tables of a place to those of its new key, where its settings hold too. Safe to repeat."""
        settings = await self.settings_at(old)
        if settings is not None:
            await self._server.call("SETNX", keys.settings_at(new), settings)
        tables = await self.tables_at(old)
        if tables and old != new:
            await self._server.call("SADD", keys.tables_at(new), *tables)
            await self._server.call("SREM", keys.tables_at(old), *tables)

    async def settings_at(self, place: str) -> bytes | None:
        """What was set for a place."""
        saved: bytes | None = await self._server.call("GET", keys.settings_at(place))
        return saved

    async def save_settings(self, place: str, value: bytes) -> None:
        """Keep this as a place's settings, instead of what was set before."""
        await self._server.call("SET", keys.settings_at(place), value)

    async def add_person(self, person: str, table: str) -> None:
        """Note that a person may sit at a table."""
        await self._server.call("SADD", keys.tables_of(person), table)

    async def tables_of(self, person: str) -> list[str]:
        """Tables at which a person may sit, sorted."""
        return await self._members(keys.tables_of(person))

    async def remove_person(self, person: str, table: str) -> None:
        """Take a table off a person."""
        await self._server.call("SREM", keys.tables_of(person), table)

    async def person(self, key: str) -> bytes | None:
        """What was saved of a person."""
        saved: bytes | None = await self._server.call("GET", keys.person(key))
        return saved

    async def save_person(self, key: str, value: bytes) -> None:
        """Remember this of a person, instead of what was saved before."""
        await self._server.call("SET", keys.person(key), value)

    async def put_token(self, token: str, value: bytes, seconds: float) -> None:
        """Keep a value to be taken once, within so many seconds."""
        await self._server.run(_PUT_TOKEN, (keys.token(token),), value, round(seconds * 1000))

    async def take_token(self, token: str) -> bytes | None:
        """Take a token's value; None when it is unknown, taken or too old."""
        value: bytes | None = await self._server.run(_TAKE_TOKEN, (keys.token(token),), token_hex(8))
        return value

    async def _members(self, key: str) -> list[str]:
        return sorted(member.decode() for member in await self._server.call("SMEMBERS", key))
