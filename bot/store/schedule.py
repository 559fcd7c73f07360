"""Schedule: leases of partitions, deadlines of tables, the agenda of leagues, and dirty marks."""

from collections.abc import Callable, Iterable
from typing import Any

from bot.ids import LeagueId, TableId
from bot.store import keys
from bot.store.client import Server, Word, together
from bot.store.documents import in_milliseconds
from bot.store.people import note
from bot.store.scripts import Script, script
from bot.store.values import Mark

_HOLD = script("hold")
_RELEASE = script("release")
_DUE = script("due")
_DIRTY = script("dirty")
_MARK_DIRTY = script("mark_dirty")
_CLEAN = script("clean")
_AGENDA = script("agenda")
_PUT_DOWN = script("put_down")


class Timers:
    """Leases, deadlines, agendas and marks, by partition (0 to 63), and which leagues may meet where.

    A lease is no fence: it only keeps two workers from doing the same work. Deadlines are measured by
    a clock of the partition that stands still while nobody holds it, so they never run out meanwhile.
    """

    _server: Server

    async def hold(self, partitions: Iterable[int], worker: str, ttl: float) -> dict[int, float]:
        """Take or renew leases for `ttl` seconds; call it at least every `ttl / 3`.

        Gives the partitions that are now the worker's, each with the seconds for which nobody had held
        it: by these its deadlines have been moved on already. 0 when it was never without a holder for
        longer than half a lease, and at its very first lease.
        """
        held: dict[int, float] = {}
        for group in self._server.in_one_call(partitions):
            moved = await self._server.run(
                _HOLD, _keys_of(group, keys.lease, keys.alive, keys.deadlines), worker, round(ttl * 1000)
            )
            held |= {partition: ms / 1000 for partition, ms in zip(group, moved, strict=True) if ms >= 0}
        return held

    async def release(self, worker: str) -> None:
        """Give back every lease of a worker."""
        for group in self._server.in_one_call(keys.PARTITIONS):
            await self._server.run(_RELEASE, _keys_of(group, keys.lease, keys.alive), worker)

    async def due(self, partitions: Iterable[int], limit: int) -> list[TableId]:
        """Tables whose deadline has passed, the latest ones first, at most `limit`.

        They stay due until a commit changes the deadline.
        """
        replies = await self._each(_DUE, partitions, (keys.deadlines, keys.alive), limit)
        late = sorted((pair for reply in replies for pair in _pairs(reply)), key=lambda pair: -pair[1])
        return [TableId(table) for table, _ in late[:limit]]

    async def with_deadline(self, partition: int) -> list[TableId]:
        """Every table of a partition that has a deadline, passed or not."""
        tables: list[bytes] = await self._server.call("ZRANGE", keys.deadlines(partition), 0, -1)
        return [TableId(table.decode()) for table in tables]

    async def dirty(self, partitions: Iterable[int], limit: int) -> list[tuple[str, Mark]]:
        """Tables that chats may not show at their newest, longest waiting first, each with its mark."""
        return await self._marked(keys.dirty, partitions, limit)

    async def mark_dirty(self, table: str) -> None:
        """Have a table's screens brought up to date. Nothing happens when there is no such table."""
        await self._server.run(_MARK_DIRTY, (keys.state(table), keys.dirty(keys.partition_of(table))), table)

    async def clean(self, table: str, mark: Mark) -> None:
        """Take the mark back that `dirty` gave, unless the table has been marked again since."""
        await self._server.run(_CLEAN, (keys.dirty(keys.partition_of(table)),), table, mark)

    async def ended(self, partitions: Iterable[int], limit: int) -> list[tuple[TableId, Mark]]:
        """Tables with a result that the match history may not have yet, longest waiting first."""
        marked = await self._marked(keys.ended, partitions, limit)
        return [(TableId(table), mark) for table, mark in marked]

    async def history_written(self, table: str, mark: Mark) -> None:
        """Take the mark back that `ended` gave, unless the table has been marked again since."""
        await self._server.run(_CLEAN, (keys.ended(keys.partition_of(table)),), table, mark)

    async def _marked(
        self, marks: Callable[[int], str], partitions: Iterable[int], limit: int
    ) -> list[tuple[str, Mark]]:
        replies = await self._each(_DIRTY, partitions, (marks,), limit)
        waiting = sorted((pair for reply in replies for pair in _pairs(reply)), key=lambda pair: pair[1])
        return [(key, Mark(mark)) for key, mark in waiting[:limit]]

    async def _each(
        self,
        ask: Script,
        partitions: Iterable[int],
        names: tuple[Callable[[int], str], ...],
        *arguments: Word,
    ) -> list[Any]:
        groups = self._server.in_one_call(partitions)
        calls = (self._server.run(ask, _keys_of(group, *names), *arguments) for group in groups)
        return await together(calls)

    async def agenda(self, partitions: Iterable[int], now: float, limit: int) -> list[str]:
        """What is to be looked at by `now` (seconds since the epoch), longest waiting first.

        It stays there until a commit or `put_down` says otherwise.
        """
        calls = (
            self._server.run(_AGENDA, [keys.agenda(each) for each in group], round(now * 1000), limit)
            for group in self._server.in_one_call(partitions)
        )
        replies = await together(calls)
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

    async def note_league(self, league: str, *found_by: str) -> None:
        """Note that a league may meet at these places, or know these persons. A hint, as for tables; it
        stays."""
        await note(self._server, map(keys.leagues_at, found_by), league)

    async def leagues_at(self, place: str) -> list[LeagueId]:
        """Leagues that may meet at a place, or know a person; sorted."""
        held: list[bytes] = await self._server.call("SMEMBERS", keys.leagues_at(place))
        return sorted(LeagueId(each.decode()) for each in held)

    async def remove_league(self, place: str, league: str) -> None:
        """A league meets at a place no more, or has forgotten a person."""
        await self._server.call("SREM", keys.leagues_at(place), league)


def _keys_of(partitions: Iterable[int], *names: Callable[[int], str]) -> list[str]:
    return [name(partition) for partition in partitions for name in names]


def _pairs(flat: list[Any]) -> list[tuple[str, int]]:
    return [(table.decode(), number) for table, number in zip(flat[::2], flat[1::2], strict=True)]
