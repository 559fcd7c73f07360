"""Match history: every played match, under each of its people and each of its communities.

A round's result is in its table from the commit that ended the round, and that commit marks the table; the
mark is removed when the history has it. Writing a match again changes nothing, so nothing is lost and nothing
is counted twice, whenever a process dies. What the matches of a person or a community add up to is kept
beside them, changed by the same script.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from bot.history.archive import Archive
from bot.history.played import Dated, PlayedMatch, Player
from bot.history.tally import TALLIES, MatchTally, count_match, forget_person, merge_tallies, tally_matches
from bot.ids import TableId
from bot.people.communities import Communities
from bot.ports import channel_of
from bot.repository.tables import CODEC
from bot.store import Store
from bot.store.codec import Codec
from bot.store.history import KeptMatch, MatchEntry
from bot.tables.names import NOBODY
from bot.tables.table import Table
from engine.scoring import rank_seats

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
        while (stored := await self._store.documents.load(table)) is not None:
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
            await asyncio.gather(*(self._keep(owner, entry, match) for owner in match.owners))
            if match.over:
                await self._archive.put(now)
        for person in gone:
            await self._store.history.drop_match(person, table)

    async def matches(self, *owners: str) -> list[Dated]:
        """Return the matches of a person in all their accounts, or of a community; the newest first."""
        found = await asyncio.gather(*map(self._store.history.matches, owners))
        entries = [entry for entries in found for entry in entries]
        # All the matches that a person can have take a tenth of a second to read.
        return await asyncio.to_thread(_read, entries)

    async def list_recent(self, owners: Iterable[str], most: int) -> list[Dated]:
        """Return the newest matches of owners, at most so many; the newest first."""
        found = await asyncio.gather(*(self._store.history.recent_matches(owner, most) for owner in owners))
        return _read(entry for entries in found for entry in entries)[:most]

    async def tally(self, owners: Iterable[str]) -> MatchTally:
        """Return what the matches of owners add up to."""
        kept = [(owner, await self._store.history.load_tally(owner)) for owner in owners]
        tallies = [await self._read_tally(owner, held) for owner, held in kept]
        return tallies[0] if len(tallies) == 1 else merge_tallies(tallies)

    async def find_owners(self, place: str) -> tuple[str, ...]:
        """Return the keys under which the matches of a place's community are kept. Those from before
        communities were known are under their channel. Raises RetryAfter."""
        return tuple(dict.fromkeys((await self._communities.whole(place), channel_of(place))))

    async def move(self, place: str, new_place: str) -> None:
        """Move the matches of a community that has a new key."""
        old, new = channel_of(place), channel_of(new_place)
        if old == new:
            return

        def elsewhere(match: PlayedMatch) -> PlayedMatch:
            owners, communities = (
                tuple(dict.fromkeys(new if owner == old else owner for owner in named))
                for named in (match.owners, match.communities)
            )
            return replace(match, owners=owners, communities=communities)

        for entry in await self._store.history.matches(old):
            # Read anew: the list may be long, and somebody may have been forgotten since.
            held = await self._store.history.match(old, entry.table)
            match = _CODEC.decode_known(held)
            if match is not None:
                match = elsewhere(match)
                await self._store.history.keep_untallied(new, replace(entry, value=_CODEC.encode(match)))
                for owner in match.owners:
                    await self._change_at(owner, entry.table, elsewhere)
        await self._store.history.drop_matches(old)
        await self._store.history.drop_tally(new)  # somebody may have counted them while they moved

    async def forget(self, person: str) -> None:
        """Forget a person; their matches stay in the others' history, without their name."""
        tallied: set[str] = set()
        for entry in await self._store.history.matches(person):
            match = _CODEC.decode_known(entry.value)
            for owner in () if match is None else match.owners:
                if owner != person:
                    tallied.add(owner)
                    await self._change_at(owner, entry.table, lambda each: _without(each, person))
            await self._archive.forget(entry.table, person)
        for owner in sorted(tallied):
            await self._forget_in_tally(owner, person)
        await self._store.history.drop_matches(person)

    async def _forget_in_tally(self, owner: str, person: str) -> None:
        """Forget a person in what an owner's matches add up to."""
        while (held := await self._store.history.load_tally(owner)) is not None:
            tally = TALLIES.decode_known(held)
            if tally is None:
                await self._store.history.drop_tally(owner)
                return
            forget_person(tally, person)
            if await self._store.history.swap_tally(owner, held, TALLIES.encode(tally)):
                return

    async def _change_at(self, owner: str, table: TableId, act: Callable[[PlayedMatch], PlayedMatch]) -> None:
        """Change an owner's match, if they have it. Of two who are forgotten at once, in whatever processes,
        none is written back with the other."""
        while (held := await self._store.history.match(owner, table)) is not None:
            match = _CODEC.decode_known(held)
            new = held if match is None else _CODEC.encode(act(match))
            if new == held or await self._store.history.swap_match(owner, table, held, new):
                return

    async def _match(self, table: Table, gone: set[str]) -> PlayedMatch:
        wholes = [await self._communities.whole(place) for place in table.places]
        owners = (*table.people(), *dict.fromkeys(wholes))
        earlier = await asyncio.gather(*(self._store.history.match(owner, table.id) for owner in owners))
        known = [match.owners for held in earlier if held and (match := _CODEC.decode_known(held))]
        return PlayedMatch(
            table=table.id,
            game=table.match.rules.game,
            teams=table.match.rules.teams,
            league=table.night is not None,
            players=tuple(Player(seat.person, seat.name) for seat in table.seats),
            rounds=table.results,
            scores=table.match.scores,
            winners=table.match.winners,
            places=rank_seats(table.match.rules, table.match.scores) if table.match.winners else (),
            over=table.stage == "over",
            owners=tuple(owner for owner in dict.fromkeys(sum(known, owners)) if owner not in gone),
            communities=tuple(dict.fromkeys(wholes)),
        )

    async def _keep(self, owner: str, entry: MatchEntry, match: PlayedMatch) -> None:
        """Keep a match in an owner's history, and count it."""
        while True:
            held = await self._store.history.load_kept(owner, entry.table)
            if held.progress > entry.progress:
                return
            tally = await self._read_tally(owner, held.tally)
            count_match(tally, owner, _read_kept(held), Dated(held.find_time(entry), match))
            if await self._store.history.keep_match(owner, entry, held.tally, TALLIES.encode(tally)):
                return

    async def _read_tally(self, owner: str, held: bytes | None) -> MatchTally:
        """Return a stored tally; where there is none, the matches are counted."""
        tally = TALLIES.decode_known(held)
        if tally is None:
            entries = await self._store.history.matches(owner)
            tally = await asyncio.to_thread(lambda: tally_matches(owner, _read(entries)))
        return tally


def _read(entries: Iterable[MatchEntry]) -> list[Dated]:
    """Return the matches of several people and communities, each once in its latest state; the newest
    first."""
    furthest: dict[str, MatchEntry] = {}
    for entry in entries:
        if entry.table not in furthest or entry.progress > furthest[entry.table].progress:
            furthest[entry.table] = entry
    found = ((entry.at, _CODEC.decode_known(entry.value)) for entry in furthest.values())
    read = [Dated(at, match) for at, match in found if match is not None]
    return sorted(read, key=lambda dated: -dated.at)


def _read_kept(held: KeptMatch) -> Dated | None:
    match = _CODEC.decode_known(held.value)
    return None if match is None else Dated(held.at, match)


def _progress(match: PlayedMatch) -> int:
    return 2 * len(match.rounds) + match.over


def _without(match: PlayedMatch, person: str) -> PlayedMatch:
    players = tuple(Player(None, NOBODY) if player.person == person else player for player in match.players)
    return replace(match, players=players, owners=tuple(each for each in match.owners if each != person))
