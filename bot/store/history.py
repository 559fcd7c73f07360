"""Match index: the matches of each person and community; and whole matches, kept longer than their tables."""

from collections.abc import Mapping
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
_LOAD_KEPT = script("load_kept")
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


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match as an owner has it, and what their matches add up to."""

    progress: int
    """-1: they do not have it."""
    at: float
    value: bytes | None = field(repr=False)
    tally: bytes | None = field(repr=False)

    def find_time(self, entry: MatchEntry) -> float:
        """Return the moment of a match that is kept in place of this one: a later one only if it has made
        progress."""
        return self.at if self.progress == entry.progress else entry.at


class MatchIndex:
    """The stored matches, and what those of an owner add up to. The values are bytes, whose meaning only the
    application knows."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def keep_match(self, owner: str, entry: MatchEntry, before: bytes | None, tally: bytes) -> bool:
        """Keep a match of a person or community, and what their matches add up to with it, if that was
        `before` until now; whether it was. `progress` (0 or more) grows with the match.

        Safe to repeat: a match is kept once, and an entry older than the stored one changes nothing.
        """
        return bool(await self._keep(owner, entry, value_digest(before), tally))

    async def keep_untallied(self, owner: str, entry: MatchEntry) -> None:
        """Keep a match of a person or community, whose matches must then be counted anew."""
        await self._keep(owner, entry, "any", b"")

    async def _keep(self, owner: str, entry: MatchEntry, before: int | str, tally: bytes) -> int:
        kept: int = await self._server.run(
            _KEEP_MATCH,
            (keys.matches(owner), keys.match_times(owner), keys.tally(owner)),
            entry.table,
            entry.progress,
            round(entry.at * 1000),
            entry.value,
            MATCHES_MOST,
            MATCHES_SECONDS * 1000,
            before,
            tally,
        )
        return kept

    async def load_kept(self, owner: str, table: str) -> KeptMatch:
        """Return one of the owner's matches, with what they all add up to, read at one moment."""
        names = (keys.matches(owner), keys.match_times(owner), keys.tally(owner))
        held, at, tally = await self._server.run(_LOAD_KEPT, names, table)
        if held is None:
            return KeptMatch(-1, 0.0, None, tally)
        entry = _entry(table.encode(), float(at or 0), held)
        return KeptMatch(entry.progress, entry.at, entry.value, tally)

    async def load_tally(self, owner: str) -> bytes | None:
        """Return what the owner's matches add up to; None: it must be counted."""
        held: bytes | None = await self._server.call("GET", keys.tally(owner))
        return held

    async def swap_tally(self, owner: str, before: bytes, tally: bytes) -> bool:
        """Replace what the owner's matches add up to, if it is still what was read; whether that was done."""
        return bool(await self._server.run(_SWAP, (keys.tally(owner),), value_digest(before), tally))

    async def drop_tally(self, owner: str) -> None:
        """Have the owner's matches counted anew."""
        await self._server.call("DEL", keys.tally(owner))

    async def matches(self, owner: str) -> list[MatchEntry]:
        """Return the owner's matches, the newest first."""
        times: list[bytes] = await self._server.call(
            "ZREVRANGE", keys.match_times(owner), 0, -1, "WITHSCORES"
        )
        held: dict[bytes, bytes] = await self._server.call("HGETALL", keys.matches(owner))
        return _entries(times, held)

    async def recent_matches(self, owner: str, most: int) -> list[MatchEntry]:
        """Return the owner's newest matches, the newest first."""
        times: list[bytes] = await self._server.call(
            "ZREVRANGE", keys.match_times(owner), 0, most - 1, "WITHSCORES"
        )
        if not times:
            return []
        values: list[bytes | None] = await self._server.call("HMGET", keys.matches(owner), *times[::2])
        held = {table: value for table, value in zip(times[::2], values, strict=True) if value is not None}
        return _entries(times, held)

    async def match(self, owner: str, table: str) -> bytes | None:
        """Return the value of one of the owner's matches; None: it is not kept."""
        held: bytes | None = await self._server.call("HGET", keys.matches(owner), table)
        return None if held is None else held[_PROGRESS_BYTES:]

    async def swap_match(self, owner: str, table: str, before: bytes, value: bytes) -> bool:
        """Replace the value of one of the owner's matches, if it is still the one that was read; whether that
        was done."""
        return bool(await self._server.run(_SWAP_MATCH, (keys.matches(owner),), table, before, value))

    async def drop_match(self, owner: str, table: str) -> None:
        """Forget one of the owner's matches, and what they add up to."""
        names = (keys.matches(owner), keys.match_times(owner), keys.tally(owner))
        await self._server.run(_DROP_MATCH, names, table)

    async def drop_matches(self, owner: str) -> None:
        """Forget all of the owner's matches, and what they add up to."""
        await self._server.call("DEL", keys.matches(owner), keys.match_times(owner), keys.tally(owner))

    async def keep_judgement(self, table: str, round: int, seat: int, value: bytes) -> None:
        """Keep the judgement of a seat's play in a round, for as long as matches are kept."""
        await self._server.run(
            _KEEP_JUDGEMENT, (keys.judgements(table),), f"{round} {seat}", value, MATCHES_SECONDS * 1000
        )

    async def judgement(self, table: str, round: int, seat: int) -> bytes | None:
        """Return the judgement of a seat's play in a round; None when it is not kept."""
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
        """Return a whole match; None when it is not kept, or no longer."""
        held: bytes | None = await self._server.call("GET", keys.archived(table))
        return held


def _entries(times: list[bytes], held: Mapping[bytes, bytes]) -> list[MatchEntry]:
    return [
        _entry(table, float(at), held[table])
        for table, at in zip(times[::2], times[1::2], strict=True)
        if table in held  # dropped between the two calls otherwise
    ]


def _entry(table: bytes, at: float, held: bytes) -> MatchEntry:
    progress = int.from_bytes(held[:_PROGRESS_BYTES])
    return MatchEntry(TableId(table.decode()), progress, at / 1000, held[_PROGRESS_BYTES:])
