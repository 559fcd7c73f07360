"""Index: the tables, nights and boards that may be found at a place, in a community or with a person.

It is made of hints. They are written with the commit to which they belong or before it, so they may name a
table that was never created or is over, but they never miss one; the table itself decides.
"""

from collections.abc import Iterable

from bot.ids import DailyId, LeagueId, TableId
from bot.store import keys
from bot.store.scripts import script
from bot.store.server import Server, together
from bot.store.values import IndexHint
from bot.store.wire import Word

_NOTE = script("note")

HINT_SECONDS = 90 * 24 * 3600
"""Seconds for which a set of hints is kept after its newest: longer than any table lasts."""


class Index:
    """The hints of one store."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def tables_at(self, place: str) -> list[TableId]:
        """Return tables that may stand at a place, sorted."""
        return [*map(TableId, await members(self._server, keys.tables_at(place)))]

    async def remove_place(self, place: str, table: str) -> None:
        """Take a table off a place."""
        await self._server.call("SREM", keys.tables_at(place), table)

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

    async def note_settings(self, person: str, place: str) -> None:
        """Note that a person set something for a place."""
        await note(self._server, [settings_hint(person, place)])

    async def places_set_by(self, person: str) -> list[str]:
        """Return the places for which a person may have set something, sorted."""
        return await members(self._server, keys.settings_by(person))

    async def daily_at(self, place: str) -> list[DailyId]:
        """Daily boards that may be posted at a place; sorted."""
        held: list[bytes] = await self._server.call("SMEMBERS", keys.daily_at(place))
        return sorted(DailyId(each.decode()) for each in held)

    async def leagues_at(self, place: str) -> list[LeagueId]:
        """Leagues that may meet at a place, or know a person; sorted."""
        held: list[bytes] = await self._server.call("SMEMBERS", keys.leagues_at(place))
        return sorted(LeagueId(each.decode()) for each in held)

    async def add_league(self, place: str, league: str) -> None:
        """Note that a league may meet at a place, or know a person."""
        await note(self._server, league_hints(league, [place]))

    async def remove_league(self, place: str, league: str) -> None:
        """Note that a league no longer meets at a place, or has forgotten a person."""
        await self._server.call("SREM", keys.leagues_at(place), league)


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


def daily_hint(board: DailyId, place: str) -> IndexHint:
    """Return a hint that a daily board may be posted at a place."""
    return IndexHint(keys.daily_at(place), board, HINT_SECONDS)


def league_hints(league: str, found_by: Iterable[str]) -> list[IndexHint]:
    """Hints that a league may meet at these places, or know these persons: kept for ever."""
    return [IndexHint(key, league) for key in map(keys.leagues_at, found_by)]


async def note(server: Server, hints: Iterable[IndexHint]) -> None:
    """Note hints in one call; in a cluster one call for each."""
    groups = server.in_one_call(hints)
    await together(server.run(_NOTE, [each.key for each in group], *hint_words(group)) for group in groups)


def hint_words(hints: Iterable[IndexHint]) -> list[Word]:
    """Return the words by which scripts note hints, besides their keys."""
    return [word for each in hints for word in (each.name, each.seconds, "" if each.at is None else each.at)]
