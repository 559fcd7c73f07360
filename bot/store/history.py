"""Books: what was played, by person and by place, and whole matches for later than their tables last."""

from dataclasses import dataclass, field

from bot.ids import TableId
from bot.store import keys
from bot.store.client import Server
from bot.store.scripts import script

BOOK_SECONDS = 2 * 365 * 24 * 3600
"""So long after its newest match a book is kept."""

MATCHES_MOST = 5000
"""A book holds so many matches; then the oldest makes room."""

_PROGRESS_BYTES = 4
"""As keep_match.lua puts the progress before a value."""

_KEEP_MATCH = script("keep_match")


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A match in a book."""

    table: TableId
    progress: int
    at: float
    """When it got so far: seconds since the epoch."""
    value: bytes = field(repr=False)


class Books:
    """What is kept of matches. The values are bytes: what they mean is the application's affair."""

    _server: Server

    async def keep_match(self, owner: str, entry: BookEntry) -> None:
        """Write a match into the book of a person or place; `progress` (0 or more) grows with the match.

        Safe to repeat: a match stands there once, and what is older than the entry changes nothing.
        """
        await self._server.run(
            _KEEP_MATCH,
            (keys.book(owner), keys.book_times(owner)),
            entry.table,
            entry.progress,
            round(entry.at * 1000),
            entry.value,
            MATCHES_MOST,
            BOOK_SECONDS * 1000,
        )

    async def matches(self, owner: str) -> list[BookEntry]:
        """The matches in a book, the newest first."""
        times: list[bytes] = await self._server.call("ZREVRANGE", keys.book_times(owner), 0, -1, "WITHSCORES")
        held: dict[bytes, bytes] = await self._server.call("HGETALL", keys.book(owner))
        return [
            _entry(table, float(at), held[table])
            for table, at in zip(times[::2], times[1::2], strict=True)
            if table in held  # not dropped between the two calls
        ]

    async def match(self, owner: str, table: str) -> bytes | None:
        """The value of one match in a book."""
        held: bytes | None = await self._server.call("HGET", keys.book(owner), table)
        return None if held is None else held[_PROGRESS_BYTES:]

    async def drop_match(self, owner: str, table: str) -> None:
        """Take a match out of a book."""
        await self._server.call("HDEL", keys.book(owner), table)
        await self._server.call("ZREM", keys.book_times(owner), table)

    async def drop_book(self, owner: str) -> None:
        """Delete a whole book."""
        await self._server.call("DEL", keys.book(owner))
        await self._server.call("DEL", keys.book_times(owner))

    async def archive(self, table: str, value: bytes, seconds: int) -> None:
        """Keep a whole match for so long, instead of what was kept of it before."""
        await self._server.call("SET", keys.archived(table), value, "EX", seconds)

    async def replace_archived(self, table: str, value: bytes) -> None:
        """Keep this instead, for as long as the old would have been kept; nothing where nothing is."""
        await self._server.call("SET", keys.archived(table), value, "XX", "KEEPTTL")

    async def archived(self, table: str) -> bytes | None:
        """A whole match; None when it is not, or no longer, kept."""
        held: bytes | None = await self._server.call("GET", keys.archived(table))
        return held


def _entry(table: bytes, at: float, held: bytes) -> BookEntry:
    progress = int.from_bytes(held[:_PROGRESS_BYTES])
    return BookEntry(TableId(table.decode()), progress, at / 1000, held[_PROGRESS_BYTES:])
