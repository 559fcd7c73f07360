"""Match index: the matches of each person and community; and whole matches, kept longer than their tables."""

from dataclasses import dataclass, field

from bot.ids import TableId
from bot.store import keys
from bot.store.scripts import script
from bot.store.server import Server
from bot.store.values import value_digest

MATCHES_SECONDS = 2 * 365 * 24 * 3600
"""Seconds for which the matches of a person or community are kept after the newest one."""

MATCHES_MOST = 5000
"""The most matches of a person or community; the oldest makes room."""

_PROGRESS_BYTES = 4
"""The length of the progress that keep_match.lua puts before a value."""

_KEEP_MATCH = script("keep_match")
_DROP_MATCH = script("drop_match")
_SWAP_MATCH = script("swap_match")
_SWAP = script("swap")
_KEEP_JUDGEMENT = script("keep_judgement")


@dataclass(frozen=True, slots=True)
class MatchEntry:
    """A match in the index of a person or community."""

    table: TableId
    progress: int
    at: float
    """The moment of that progress: seconds since the epoch."""
    value: bytes = field(repr=False)


class MatchIndex:
    """The stored matches. The values are bytes, whose meaning only the application knows."""

    _server: Server

    async def keep_match(self, owner: str, entry: MatchEntry) -> None:
        """Keep a match of a person or community; `progress` (0 or more) grows with the match.

        Safe to repeat: a match is kept once, and an entry older than the stored one changes nothing.
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
        """The owner's matches, the newest first."""
        times: list[bytes] = await self._server.call(
            "ZREVRANGE", keys.match_times(owner), 0, -1, "WITHSCORES"
        )
        held: dict[bytes, bytes] = await self._server.call("HGETALL", keys.matches(owner))
        return [
            _entry(table, float(at), held[table])
            for table, at in zip(times[::2], times[1::2], strict=True)
            if table in held  # dropped between the two calls otherwise
        ]

    async def match(self, owner: str, table: str) -> bytes | None:
        """The value of one of the owner's matches; None: it is not kept."""
        held: bytes | None = await self._server.call("HGET", keys.matches(owner), table)
        return None if held is None else held[_PROGRESS_BYTES:]

    async def swap_match(self, owner: str, table: str, before: bytes, value: bytes) -> bool:
        """Replace the value of one of the owner's matches, if it is still the one that was read; whether that
        was done."""
        return bool(await self._server.run(_SWAP_MATCH, (keys.matches(owner),), table, before, value))

    async def drop_match(self, owner: str, table: str) -> None:
        """Forget one of the owner's matches."""
        await self._server.run(_DROP_MATCH, (keys.matches(owner), keys.match_times(owner)), table)

    async def drop_matches(self, owner: str) -> None:
        """Forget all of the owner's matches."""
        await self._server.call("DEL", keys.matches(owner), keys.match_times(owner))

    async def keep_judgement(self, table: str, round: int, seat: int, value: bytes) -> None:
        """Keep the judgement of a seat's play in a round, for as long as matches are kept."""
        await self._server.run(
            _KEEP_JUDGEMENT, (keys.judgements(table),), f"{round} {seat}", value, MATCHES_SECONDS * 1000
        )

    async def judgement(self, table: str, round: int, seat: int) -> bytes | None:
        """The judgement of a seat's play in a round; None when it is not kept."""
        held: bytes | None = await self._server.call("HGET", keys.judgements(table), f"{round} {seat}")
        return held

    async def archive(self, table: str, value: bytes, seconds: int) -> None:
        """Keep a whole match for this time, replacing an earlier one."""
        await self._server.call("SET", keys.archived(table), value, "EX", seconds)

    async def swap_archived(self, table: str, before: bytes, value: bytes) -> bool:
        """Replace an archived match, kept as long as the old one would have been, if it is still the one that
        was read; whether that was done."""
        return bool(await self._server.run(_SWAP, (keys.archived(table),), value_digest(before), value))

    async def load_archived(self, table: str) -> bytes | None:
        """A whole match; None when it is not kept, or no longer."""
        held: bytes | None = await self._server.call("GET", keys.archived(table))
        return held


def _entry(table: bytes, at: float, held: bytes) -> MatchEntry:
    progress = int.from_bytes(held[:_PROGRESS_BYTES])
    return MatchEntry(TableId(table.decode()), progress, at / 1000, held[_PROGRESS_BYTES:])
