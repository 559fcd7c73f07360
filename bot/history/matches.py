"""Match history: every played match, under each of its people and each of its communities.

A round's result is in its table from the commit that ended the round, and that commit marks the table; the
mark is removed when the history has it. Writing a match again changes nothing, so nothing is lost and nothing
is counted twice, whenever a process dies.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.history.archive import Archive
from bot.ids import TableId
from bot.people.communities import Communities
from bot.ports import channel_of
from bot.repository.tables import CODEC
from bot.store import Store
from bot.store.codec import Codec
from bot.store.history import MatchEntry
from bot.tables.names import NOBODY
from bot.tables.table import RoundResult, Table


@dataclass(frozen=True, slots=True)
class Player:
    """The owner of a seat. No person: a computer player, or a person who was forgotten."""

    person: str | None
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match in the history, finished or not. Tuples by seat have one entry a seat."""

    table: TableId
    game: str
    """`classic` or `101`."""
    players: tuple[Player, ...]
    rounds: tuple[RoundResult, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    """Seats; empty while the match goes on, and when it was given up."""
    over: bool
    owners: tuple[str, ...]
    """The persons and communities in whose history it may be listed."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A match, and the end of its last round: seconds since the epoch."""

    at: float
    match: PlayedMatch


_CODEC: Final = Codec(PlayedMatch, 2, archived=True)


class MatchHistory:
    """The history of one store."""

    def __init__(self, store: Store, archive: Archive, communities: Communities) -> None:
        self._store = store
        self._archive = archive
        self._communities = communities

    async def write(self, table: TableId) -> None:
        """Write the played part of a table's match into the history, and the whole match when it is over.

        Raises StoreUnavailable, UnknownSchema, RetryAfter.
        """
        gone: set[str] = set()
        written: Table | None = None
        while (stored := await self._store.load(table)) is not None:
            now = CODEC.decode(stored.state)
            if not now.results:
                break
            if written is not None:
                # A group that moved during the writing has its history under another key.
                if (now.people(), now.places) == (written.people(), written.places):
                    break
                # A person who left for good during it may have asked to be forgotten.
                gone |= set(written.people()) - set(now.people())
            written = now
            match = await self._match(now, gone)
            entry = MatchEntry(table, _progress(match), stored.now, _CODEC.encode(match))
            await self._spread(entry, match.owners)
            if match.over:
                await self._archive.put(now)
        for person in gone:
            await self._store.drop_match(person, table)

    async def matches(self, *owners: str) -> list[Dated]:
        """The matches of a person in all their accounts, or of a community; the newest first."""
        found = await asyncio.gather(*map(self._store.matches, owners))
        entries = [entry for entries in found for entry in entries]
        # All the matches that a person can have take a tenth of a second to read.
        return await asyncio.to_thread(_read, entries)

    async def matches_at(self, place: str) -> list[Dated]:
        """The matches of a place's community; the newest first. Matches from before communities were known
        are stored under their channel. Raises RetryAfter."""
        return await self.matches(await self._communities.whole(place), channel_of(place))

    async def move(self, place: str, new_place: str) -> None:
        """Move the matches of a community that has a new key."""
        old, new = channel_of(place), channel_of(new_place)
        if old == new:
            return

        def elsewhere(match: PlayedMatch) -> PlayedMatch:
            owners = dict.fromkeys(new if owner == old else owner for owner in match.owners)
            return replace(match, owners=tuple(owners))

        for entry in await self._store.matches(old):
            # Read anew: the list may be long, and somebody may have been forgotten since.
            held = await self._store.match(old, entry.table)
            match = _CODEC.decode_known(held)
            if match is not None:
                match = elsewhere(match)
                await self._store.keep_match(new, replace(entry, value=_CODEC.encode(match)))
                for owner in match.owners:
                    await self._change_at(owner, entry.table, elsewhere)
        await self._store.drop_matches(old)

    async def forget(self, person: str) -> None:
        """Forget a person; their matches stay in the others' history, without their name."""
        for entry in await self._store.matches(person):
            match = _CODEC.decode_known(entry.value)
            for owner in () if match is None else match.owners:
                if owner != person:
                    await self._change_at(owner, entry.table, lambda each: _without(each, person))
            await self._archive.forget(entry.table, person)
        await self._store.drop_matches(person)

    async def _change_at(self, owner: str, table: TableId, act: Callable[[PlayedMatch], PlayedMatch]) -> None:
        """Change an owner's match, if they have it. Of two who are forgotten at once, in whatever processes,
        none is written back with the other."""
        while (held := await self._store.match(owner, table)) is not None:
            match = _CODEC.decode_known(held)
            new = held if match is None else _CODEC.encode(act(match))
            if new == held or await self._store.swap_match(owner, table, held, new):
                return

    async def _match(self, table: Table, gone: set[str]) -> PlayedMatch:
        wholes = [await self._communities.whole(place) for place in table.places]
        owners = (*table.people(), *dict.fromkeys(wholes))
        earlier = await asyncio.gather(*(self._store.match(owner, table.id) for owner in owners))
        known = [match.owners for held in earlier if held and (match := _CODEC.decode_known(held))]
        return PlayedMatch(
            table=table.id,
            game=table.match.rules.game,
            players=tuple(Player(seat.person, seat.name) for seat in table.seats),
            rounds=table.results,
            scores=table.match.scores,
            winners=table.match.winners,
            over=table.stage == "over",
            owners=tuple(owner for owner in dict.fromkeys(sum(known, owners)) if owner not in gone),
        )

    async def _spread(self, entry: MatchEntry, owners: Iterable[str]) -> None:
        await asyncio.gather(*(self._store.keep_match(owner, entry) for owner in owners))


def _read(entries: Iterable[MatchEntry]) -> list[Dated]:
    """The matches of several people and communities, each once in its latest state; the newest first."""
    furthest: dict[str, MatchEntry] = {}
    for entry in entries:
        if entry.table not in furthest or entry.progress > furthest[entry.table].progress:
            furthest[entry.table] = entry
    found = ((entry.at, _CODEC.decode_known(entry.value)) for entry in furthest.values())
    read = [Dated(at, match) for at, match in found if match is not None]
    return sorted(read, key=lambda dated: -dated.at)


def _progress(match: PlayedMatch) -> int:
    return 2 * len(match.rounds) + match.over


def _without(match: PlayedMatch, person: str) -> PlayedMatch:
    players = tuple(Player(None, NOBODY) if player.person == person else player for player in match.players)
    return replace(match, players=players, owners=tuple(each for each in match.owners if each != person))
