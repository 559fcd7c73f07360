"""Schedule: deadlines of tables, the agenda of leagues, marks of unfinished delivery and history."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot.ids import TableId
from bot.store import keys
from bot.store.documents import in_milliseconds
from bot.store.scripts import script
from bot.store.server import Server, together
from bot.store.values import Mark

_LOOK = script("look")
_MARK_DIRTY = script("mark_dirty")
_CLEAN = script("clean")
_DELIVERED = script("delivered")
_PUT_DOWN = script("put_down")


class Dirty(NamedTuple):
    """A table or night whose newest state chats may not show yet."""

    key: str
    mark: Mark
    done: frozenset[str]
    """The chats that have nothing of it left to deliver."""


class Delivered(NamedTuple):
    """A dirty key of which some chats have nothing left to deliver."""

    key: str
    mark: Mark
    chats: Collection[str]
    """Those chats."""
    needed: Collection[str]
    """The chats without which it stays dirty."""


@dataclass(frozen=True, slots=True)
class Work:
    """The work in a partition; in each list the longest waiting comes first."""

    mine: frozenset[str]
    """The asking worker's part of it: `clock`, and chats."""
    stood_still: float
    """Seconds in which nobody was at work, by which its deadlines were just postponed."""
    due: Sequence[TableId]
    """Tables whose deadline has passed. They stay due until a commit changes the deadline."""
    next_due: float | None
    """Seconds to the next deadline; None: there is none."""
    moved: Sequence[tuple[TableId, Mark]]
    """Tables whose deadline was postponed, and people may not be shown that yet."""
    dirty: Sequence[Dirty]
    ended: Sequence[tuple[TableId, Mark]]
    """Tables with a result that the match history may not have yet."""
    agenda: Sequence[tuple[str, float]]
    """Keys to be looked at, each with the seconds without anybody at work since it came there. They stay
    listed until a commit or `put_down` changes that."""
    next_moment: float | None
    """The moment of the next key of the agenda: seconds since the epoch by its clock."""
    retries: Sequence[str]
    """Recipients that refused, and are to be tried again."""


class Timers:
    """Deadlines, agendas and marks, by partition (0 to 63).

    Deadlines are measured by a clock of the partition that stands still while nobody is at work there, so
    they never expire meanwhile.
    """

    def __init__(self, server: Server) -> None:
        self._server = server

    def in_one_look(self, partitions: Iterable[int]) -> list[list[int]]:
        """Group partitions for one `look` each: all of them together, but in a cluster each alone."""
        return self._server.in_one_call(partitions)

    async def look(self, partitions: Iterable[int], worker: str, now: float, limit: int) -> dict[int, Work]:
        """Return the work in these partitions, at most `limit` of each kind.

        If the clock is the worker's, it keeps running: the worker must look every second. `now` is the time
        for the agenda, in seconds since the epoch; it may differ from this machine's.
        """

        async def look(group: list[int]) -> dict[int, Work]:
            names = [name for each in group for name in _LOOKED_AT[each]]
            found = await self._server.run(_LOOK, names, limit, round(now * 1000), worker)
            return {each: _work(*reply) for each, reply in zip(group, found, strict=True)}

        groups = await together(look(group) for group in self._server.in_one_call(partitions))
        return {partition: work for group in groups for partition, work in group.items()}

    async def with_clock(self, partitions: Iterable[int]) -> int:
        """Return the number of tables in these partitions that have a deadline."""
        return sum(await together(self._server.call("ZCARD", keys.deadlines(each)) for each in partitions))

    async def mark_dirty(self, table: str) -> None:
        """Have a table's screens updated. Nothing happens when there is no such table."""
        await self._server.run(_MARK_DIRTY, (keys.state(table), keys.dirty(keys.partition_of(table))), table)

    async def note_delivered(self, settled: Iterable[Delivered]) -> None:
        """Note that chats have nothing of dirty keys left to deliver. A mark is removed when all that are
        needed have said so, unless there is a newer one."""

        async def note(group: list[Delivered]) -> None:
            partitions = [keys.partition_of(each.key) for each in group]
            names = [of(partition) for partition in partitions for of in (keys.dirty, keys.delivered)]
            words = [
                word
                for key, mark, chats, needed in group
                for word in (key, mark, f" {' '.join(chats)} ", f" {' '.join(needed)} ")
            ]
            await self._server.run(_DELIVERED, names, *words)

        await together(note(group) for group in self._server.in_one_call(settled))

    async def has_results(self, table: str, mark: Mark) -> bool:
        """Return whether a table has results under this mark that the match history lacks."""
        newest = await self._server.call("ZSCORE", keys.ended(keys.partition_of(table)), table)
        return newest is not None and int(newest) == mark

    async def history_written(self, table: str, mark: Mark) -> None:
        """Remove the mark of a result, unless the table has been marked again since."""
        await self._server.run(_CLEAN, (keys.ended(keys.partition_of(table)),), table, mark)

    async def clock_moved(self, table: str, mark: Mark) -> None:
        """Remove the mark of a postponed deadline, unless the table has been marked again since."""
        await self._server.run(_CLEAN, (keys.moved(keys.partition_of(table)),), table, mark)

    async def put_down(self, id: str, version: int, at: float | None) -> None:
        """Set something's next look to this moment (None: never), unless it changed since that version."""
        partition = keys.partition_of(id)
        await self._server.run(
            _PUT_DOWN, (keys.state(id), keys.agenda(partition)), id, version, in_milliseconds(at)
        )


_LOOKED_AT: Final = [
    [
        keys.leases(partition),
        keys.alive(partition),
        keys.deadlines(partition),
        keys.moved(partition),
        keys.dirty(partition),
        keys.delivered(partition),
        keys.ended(partition),
        keys.agenda(partition),
        keys.unattended(partition),
        keys.retries(partition),
    ]
    for partition in keys.PARTITIONS
]
"""The keys of look.lua, by partition."""


def _work(
    mine: bytes,
    stood_still: int,
    next_due: int | None,
    late: list[Any],
    moved: list[Any],
    dirty: list[Any],
    ended: list[Any],
    agenda: list[Any],
    next_moment: int | None,
    retries: list[Any],
) -> Work:
    """Return the work of a partition, from the reply of look.lua."""
    return Work(
        mine=frozenset(mine.decode().split()),
        stood_still=stood_still / 1000,
        due=[TableId(table.decode()) for table in late[::2]],
        next_due=None if next_due is None else next_due / 1000,
        moved=_mark(moved),
        dirty=[
            Dirty(key.decode(), Mark(mark), frozenset(done.decode().split()))
            for key, mark, done in zip(dirty[::3], dirty[1::3], dirty[2::3], strict=True)
        ],
        ended=_mark(ended),
        agenda=[(key.decode(), away / 1000) for key, away in zip(agenda[::2], agenda[1::2], strict=True)],
        next_moment=None if next_moment is None else next_moment / 1000,
        retries=[recipient.decode() for recipient in retries[::2]],
    )


def _mark(flat: list[Any]) -> list[tuple[TableId, Mark]]:
    return [(TableId(table.decode()), Mark(mark)) for table, mark in zip(flat[::2], flat[1::2], strict=True)]
