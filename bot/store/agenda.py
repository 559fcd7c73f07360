"""The agenda: what is to be looked at, and at which moment of the wall clock.

A night begins at eight whether or not the program was at work before, while a table's deadline stands still
when nobody is there: these are two clocks. The moments are those of whoever commits (see `Tables.commit`).
"""

import asyncio
from collections.abc import Iterable

from bot.store import keys
from bot.store.scripts import script
from bot.store.server import Server
from bot.store.tables import in_milliseconds

_AGENDA = script("agenda")
_PUT_DOWN = script("put_down")


class Agenda:
    """Agendas, by partition, and which leagues may meet at a place."""

    _server: Server

    async def agenda(self, partitions: Iterable[int], now: float, limit: int) -> list[str]:
        """What is to be looked at by `now` (seconds since the epoch), longest waiting first.

        It stays there until a commit or `put_down` says otherwise.
        """
        calls = (
            self._server.run(_AGENDA, [keys.agenda(each) for each in group], round(now * 1000), limit)
            for group in self._server.in_one_call(partitions)
        )
        replies = await asyncio.gather(*calls)
        waiting = [pair for flat in replies for pair in zip(flat[1::2], flat[::2], strict=True)]
        return [id.decode() for _, id in sorted(waiting)[:limit]]

    async def in_agenda(self, partition: int) -> list[str]:
        """Everything that stands in a partition's agenda, whenever it is to be looked at."""
        held: list[bytes] = await self._server.call("ZRANGE", keys.agenda(partition), 0, -1)
        return [id.decode() for id in held]

    async def put_down(self, id: str, version: int, at: float | None) -> None:
        """Look at something again at this moment, or no more, unless it was changed since that version."""
        partition = keys.partition_of(id)
        await self._server.run(
            _PUT_DOWN, (keys.state(id), keys.agenda(partition)), id, version, in_milliseconds(at)
        )

    async def add_league(self, place: str, league: str) -> None:
        """Note that a league may meet at a place, or know a person. A hint, as for tables; it stays."""
        await self._server.call("SADD", keys.leagues_at(place), league)

    async def leagues_at(self, place: str) -> list[str]:
        """Leagues that may meet at a place, or know a person; sorted."""
        held: list[bytes] = await self._server.call("SMEMBERS", keys.leagues_at(place))
        return sorted(each.decode() for each in held)

    async def remove_league(self, place: str, league: str) -> None:
        """A league meets at a place no more, or has forgotten a person."""
        await self._server.call("SREM", keys.leagues_at(place), league)
