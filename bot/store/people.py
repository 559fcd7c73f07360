"""People and places: their settings and links, and the tables at which they may be found.

The indexes are hints. They are written with the commit to which they belong or before it, so they may name a
table that was never created or is over, but they never miss one; the table itself decides.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from bot.ids import TableId
from bot.store import keys
from bot.store.scripts import script
from bot.store.server import Server, together
from bot.store.values import IndexHint
from bot.store.wire import Word

_SWAP = script("swap")
_NOTE = script("note")

HINT_SECONDS = 90 * 24 * 3600
"""Seconds for which an index is kept after its newest hint: longer than any table lasts."""

SettingsOf = Literal["person", "place", "numbers"]
"""The kind of settings: their key is a person's, a place's or whole community's; for `numbers` a place's."""

_SETTINGS: Final = {"person": keys.person, "place": keys.settings_at, "numbers": keys.numbers_at}


class SubscriptionIndex:
    """The people who want to be told of new tables at a place."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def add(self, person: str, place: str, language: str) -> None:
        """Note that a person wants to be told of new tables at a place. Safe to repeat."""
        await self._server.call("SADD", keys.subscriptions_of(person), place)
        await self._server.call("HSET", keys.subscribers_at(place), person, language)

    async def remove(self, person: str, place: str) -> None:
        """Note that a person no longer wants to be told of new tables at a place. Safe to repeat."""
        await self._server.call("HDEL", keys.subscribers_at(place), person)
        await self._server.call("SREM", keys.subscriptions_of(person), place)

    async def find_people(self, place: str) -> dict[str, str]:
        """Return the people who want to be told of new tables at a place, each with their language."""
        held: dict[bytes, bytes] = await self._server.call("HGETALL", keys.subscribers_at(place))
        return {person.decode(): language.decode() for person, language in held.items()}

    async def find_places(self, person: str) -> list[str]:
        """Return the places of whose new tables a person wants to be told, sorted."""
        return await members(self._server, keys.subscriptions_of(person))


class People:
    """Indexes from persons and places to tables, and the settings of persons."""

    _server: Server
    subscriptions: SubscriptionIndex

    async def tables_at(self, place: str) -> list[TableId]:
        """Return tables that may stand at a place, sorted."""
        return [*map(TableId, await members(self._server, keys.tables_at(place)))]

    async def remove_place(self, place: str, table: str) -> None:
        """Take a table off a place."""
        await self._server.call("SREM", keys.tables_at(place), table)

    async def move_place(self, old: str, new: str) -> None:
        """Give a place's settings and numbers to its new key, unless that has its own, and note there the
        tables of a community. Safe to repeat."""
        for of in ("place", "numbers"):
            (settings,) = await self.settings(of, [old])
            if settings is not None:
                await self._server.call("SETNX", _SETTINGS[of](new), settings)
        for table in await self.tables_in(old):
            await self.add_to_community(new, table)
        for person, language in (await self.subscriptions.find_people(old)).items():
            await self.subscriptions.add(person, new, language)
            await self.subscriptions.remove(person, old)

    async def settings(self, of: SettingsOf, names: Sequence[str]) -> list[bytes | None]:
        """Return the settings of several persons or places, in their order and in one call."""
        return await self._server.values([_SETTINGS[of](name) for name in names])

    async def swap_settings(self, of: SettingsOf, name: str, digest: int, value: bytes) -> bool:
        """Store these settings, if the stored ones have that digest (`value_digest`); whether they did.

        A call that was sent again after a broken connection may find itself too late.
        """
        return bool(await self._server.run(_SWAP, (_SETTINGS[of](name),), digest, value))

    async def add_to_community(self, community: str, table: str) -> None:
        """Note that a table may stand in a community; hints that are too old are dropped."""
        await note(self._server, [community_hint(table, community, self._server.clock())])

    async def note_community(self, place: str, community: str) -> None:
        """Note to which community a place belongs."""
        await self._server.call("SET", keys.community_of(place), community, "EX", HINT_SECONDS)

    async def load_community(self, place: str) -> str | None:
        """Return the community of a place that had a table lately; None: none was noted."""
        held: bytes | None = await self._server.call("GET", keys.community_of(place))
        return None if held is None else held.decode()

    async def tables_in(self, community: str) -> dict[TableId, float]:
        """Return tables that may stand in a community, and the moment of each hint: seconds since the
        epoch."""
        found = await self._server.call("ZRANGE", keys.tables_in(community), 0, -1, "WITHSCORES")
        return {TableId(table.decode()): float(at) for table, at in zip(found[::2], found[1::2], strict=True)}

    async def remove_from_community(self, community: str, *tables: str) -> None:
        """Remove tables from a community."""
        await self._server.call("ZREM", keys.tables_in(community), *tables)

    async def tables_of(self, person: str) -> list[TableId]:
        """Return tables at which a person may sit, sorted."""
        return [*map(TableId, await members(self._server, keys.tables_of(person)))]

    async def remove_person(self, person: str, table: str) -> None:
        """Take a table off a person."""
        await self._server.call("SREM", keys.tables_of(person), table)

    async def find_linked(self, person: str) -> str | None:
        """Return the other account of a person, if both are linked to each other."""
        return (await self.who_acts(person))[1]

    async def who_acts(self, person: str) -> tuple[bytes | None, str | None]:
        """Return a person's settings, and their other account if both are linked to each other; one call for
        a person without a link."""
        settings, link = await self._server.values([keys.person(person), keys.link_of(person)])
        other = None if link is None else link.decode()
        if other is not None and await self._link_of(other) != person:
            other = None
        return settings, other

    async def link(self, person: str, other: str) -> None:
        """Link two accounts, replacing earlier links. Valid once both directions are written."""
        await self._server.call("SET", keys.link_of(person), other)
        await self._server.call("SET", keys.link_of(other), person)

    async def unlink(self, person: str, other: str) -> None:
        """Unlink two accounts."""
        await self._server.call("DEL", keys.link_of(person))
        await self._server.call("DEL", keys.link_of(other))

    async def note_settings(self, person: str, place: str) -> None:
        """Note that a person set something for a place."""
        await note(self._server, [settings_hint(person, place)])

    async def places_set_by(self, person: str) -> list[str]:
        """Return the places for which a person may have set something, sorted."""
        return await members(self._server, keys.settings_by(person))

    async def set_last_message(self, person: str, message: str) -> None:
        """Note the last message in a person's private chat. The note is kept as long as their indexes."""
        await self._server.call("SET", keys.last_message(person), message, "EX", HINT_SECONDS)

    async def last_message(self, person: str) -> str:
        """Return the last message noted by `set_last_message`; empty: none."""
        (held,) = await self._server.values([keys.last_message(person)])
        return "" if held is None else held.decode()

    async def forget_person(self, person: str) -> None:
        """Delete everything stored of a person, and their indexes."""
        await self._server.call("ZREM", keys.retries(keys.partition_of(person)), person)
        for place in await self.subscriptions.find_places(person):
            await self.subscriptions.remove(person, place)
        kinds = (keys.person, keys.tables_of, keys.settings_by, keys.link_of, keys.refusal, keys.last_message)
        for name in kinds:
            await self._server.call("DEL", name(person))

    async def _link_of(self, person: str) -> str | None:
        other: bytes | None = await self._server.call("GET", keys.link_of(person))
        return None if other is None else other.decode()


async def members(server: Server, key: str) -> list[str]:
    """Return the members of a set, sorted."""
    return sorted(member.decode() for member in await server.call("SMEMBERS", key))


def table_hints(table: str, *, places: Iterable[str] = (), persons: Iterable[str] = ()) -> list[IndexHint]:
    """Hints that a table may stand at these places, and that these persons may sit at it."""
    found_at = [*map(keys.tables_at, places), *map(keys.tables_of, persons)]
    return [IndexHint(key, table, HINT_SECONDS) for key in found_at]


def settings_hint(person: str, place: str) -> IndexHint:
    """Return a hint that a person may have set something for a place."""
    return IndexHint(keys.settings_by(person), place)


def community_hint(table: str, community: str, now: float) -> IndexHint:
    """Return a hint that a table may stand in a community."""
    return IndexHint(keys.tables_in(community), table, HINT_SECONDS, now)


async def note(server: Server, hints: Iterable[IndexHint]) -> None:
    """Note hints in one call; in a cluster one call for each."""
    groups = server.in_one_call(hints)
    await together(server.run(_NOTE, [each.key for each in group], *hint_words(group)) for group in groups)


def hint_words(hints: Iterable[IndexHint]) -> list[Word]:
    """Return the words by which scripts note hints, besides their keys."""
    return [word for each in hints for word in (each.name, each.seconds, "" if each.at is None else each.at)]
