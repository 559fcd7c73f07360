"""Match index: what was played, by person and by community; and whole matches, longer than their tables."""

from dataclasses import dataclass, field

from bot.ids import TableId
from bot.store import keys
from bot.store.client import Server
from bot.store.scripts import script

MATCHES_SECONDS = 2 * 365 * 24 * 3600
"""So long after their newest match the matches of a person or community are kept."""

MATCHES_MOST = 5000
"""A person or community has so many matches; then the oldest makes room."""

_PROGRESS_BYTES = 4
"""As keep_match.lua puts the progress before a value."""

_KEEP_MATCH = script("keep_match")
_DROP_MATCH = script("drop_match")


@dataclass(frozen=True, slots=True)
class MatchEntry:
    """A match of a person or community."""

    table: TableId
    progress: int
    at: float
    """When it got so far: seconds since the epoch."""
    value: bytes = field(repr=False)


class MatchIndex:
    """What is kept of matches. The values are bytes: what they mean is the application's affair."""

    _server: Server

    async def keep_match(self, owner: str, entry: MatchEntry) -> None:
        """Keep a match of a person or community; `progress` (0 or more) grows with the match.

        Safe to repeat: a match stands there once, and what is older than the entry changes nothing.
        """
        await self._server.run(
            _KEEP_MATCH,
            (keys.matches(owner), keys.match_times(owner)),
            entry.table,
            entry.progress,
            round(entry.at * 1000),
            entry.value,
            MATCHES_MOST,
            MATCHES_SECONDS * 1000,
        )

    async def matches(self, owner: str) -> list[MatchEntry]:
        """Their matches, the newest first."""
        times: list[bytes] = await self._server.call(
            "ZREVRANGE", keys.match_times(owner), 0, -1, "WITHSCORES"
        )
        held: dict[bytes, bytes] = await self._server.call("HGETALL", keys.matches(owner))
        return [
            _entry(table, float(at), held[table])
            for table, at in zip(times[::2], times[1::2], strict=True)
            if table in held  # not dropped between the two calls
        ]

    async def match(self, owner: str, table: str) -> bytes | None:
        """The value of one of their matches."""
        held: bytes | None = await self._server.call("HGET", keys.matches(owner), table)
        return None if held is None else held[_PROGRESS_BYTES:]

    async def drop_match(self, owner: str, table: str) -> None:
        """Forget one of their matches."""
        await self._server.run(_DROP_MATCH, (keys.matches(owner), keys.match_times(owner)), table)

    async def drop_matches(self, owner: str) -> None:
        """Forget all their matches."""
        await self._server.call("DEL", keys.matches(owner), keys.match_times(owner))

    async def keep_judgement(self, table: str, round: int, seat: int, value: bytes) -> None:
        """Keep how a seat played a round, as long as matches are kept."""
        await self._server.call("HSET", keys.judgements(table), f"{round} {seat}", value)
        await self._server.call("EXPIRE", keys.judgements(table), MATCHES_SECONDS)

    async def judgement(self, table: str, round: int, seat: int) -> bytes | None:
        """The same; None when it is not kept."""
        held: bytes | None = await self._server.call("HGET", keys.judgements(table), f"{round} {seat}")
        return held

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


def _entry(table: bytes, at: float, held: bytes) -> MatchEntry:
    progress = int.from_bytes(held[:_PROGRESS_BYTES])
    return MatchEntry(TableId(table.decode()), progress, at / 1000, held[_PROGRESS_BYTES:])
