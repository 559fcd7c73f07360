"""People and places: their settings, links and subscriptions."""

from collections.abc import Sequence
from typing import Final, Literal

from bot.store import keys
from bot.store.index import HINT_SECONDS, Index, members
from bot.store.scripts import script
from bot.store.server import Server

_SWAP = script("swap")

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
    """The settings of persons and places, the links between accounts, and the last messages to people."""

    def __init__(self, server: Server, index: Index, subscriptions: SubscriptionIndex) -> None:
        self._server = server
        self._index = index
        self._subscriptions = subscriptions

    async def move_place(self, old: str, new: str) -> None:
        """Give a place's settings and numbers to its new key, unless that has its own, and note there the
        tables of a community. Safe to repeat."""
        for of in ("place", "numbers"):
            (settings,) = await self.settings(of, [old])
            if settings is not None:
                await self._server.call("SETNX", _SETTINGS[of](new), settings)
        for table in await self._index.tables_in(old):
            await self._index.add_to_community(new, table)
        for person, language in (await self._subscriptions.find_people(old)).items():
            await self._subscriptions.add(person, new, language)
            await self._subscriptions.remove(person, old)

    async def settings(self, of: SettingsOf, names: Sequence[str]) -> list[bytes | None]:
        """Return the settings of several persons or places, in their order and in one call."""
        return await self._server.values([_SETTINGS[of](name) for name in names])

    async def swap_settings(self, of: SettingsOf, name: str, digest: int, value: bytes) -> bool:
        """Store these settings, if the stored ones have that digest (`value_digest`); whether they did.

        A call that was sent again after a broken connection may find itself too late.
        """
        return bool(await self._server.run(_SWAP, (_SETTINGS[of](name),), digest, value))

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
        for place in await self._subscriptions.find_places(person):
            await self._subscriptions.remove(person, place)
        kinds = (keys.person, keys.tables_of, keys.settings_by, keys.link_of, keys.refusal, keys.last_message)
        for name in kinds:
            await self._server.call("DEL", name(person))

    async def _link_of(self, person: str) -> str | None:
        other: bytes | None = await self._server.call("GET", keys.link_of(person))
        return None if other is None else other.decode()
