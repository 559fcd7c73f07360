"""Leagues and nights in the store: the parts of a commit, and where a league can be found.

Every commit puts the changed key into the agenda at once. The schedule looks at it, does what it asks for,
and only then sets the moment of the next look: nothing is forgotten, whenever a process dies.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any, Final, TypeVar

import msgspec

from bot.errors import Refused
from bot.ids import LeagueId, NightId, league_key
from bot.league import acts, revoking
from bot.league.apply import after, rebuilt
from bot.league.events import (
    Awarded,
    Corrected,
    Decided,
    Ended,
    NightCancelled,
    NightEvent,
    Penalised,
    Recorded,
    Relocated,
    Revoked,
    RoundEnded,
    Voided,
)
from bot.league.members import forget_member, part_accounts, with_member
from bot.league.model import (
    LEAGUE_SCHEMA,
    ActRevoked,
    League,
    LeagueEvent,
    LoggedAct,
    Member,
    Merged,
)
from bot.league.night import NIGHT_SCHEMA, Night
from bot.league.transfer import NightLog
from bot.ports import Person, channel_of
from bot.repository.counted import Derived
from bot.repository.standings import LeagueStandings, list_nights
from bot.repository.versioned import TRIES, Commit, DocumentRepository, Versioned
from bot.store import Store, league_hints
from bot.store.codec import Codec

T = TypeVar("T")

LEAGUES_KEPT: Final = 64
"""The number of leagues that a process keeps decoded for those who read them."""

TimeSource = Callable[[], float]
"""Returns the time: seconds since the epoch. Leagues know no other clock, so that tests can move it."""

LeagueAct = Callable[[League], League]
"""Makes the new league from a league. Raises Refused."""

Decide = Callable[[Night, float], Sequence[NightEvent]]
"""Makes the events from a night and the time. Raises Refused."""

_LEAGUES: Final = Codec(League, LEAGUE_SCHEMA)


MakeEvent = Callable[[League, float], LeagueEvent]
"""Makes an act from a league and the time. Raises Refused."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A night that was made anew from its whole log, and the newest entries of that."""

    night: Night
    entries: Sequence[Recorded]


_RESULTS: Final = (RoundEnded, Corrected, Voided, Penalised, Awarded, Decided, Ended, Revoked)
"""The events that decide a night's result. The play at its tables is read from the tables again, should a
crash lose it."""

_NIGHTS: Final = Codec(Night, NIGHT_SCHEMA)
_WRITE: Final = msgspec.json.Encoder()
_READ: Final = msgspec.json.Decoder(Recorded)


class _Outrun(Exception):
    """Somebody changed a night after its log was read."""


class _Leagues(DocumentRepository[LeagueId, League, League]):
    """Leagues, found by their places and by their members' accounts."""

    unknown = "unknown_league"

    def __init__(self, store: Store, clock: TimeSource) -> None:
        super().__init__(store, _LEAGUES)
        self._clock = clock

    def _key(self, id: LeagueId) -> str:
        return league_key(id)

    def _make_commit(self, before: League | None, change: League) -> Commit[League]:
        known = set() if before is None else _finders_of(before)
        hints = league_hints(change.id, sorted(_finders_of(change) - known))
        return Commit(change, dirty=False, agenda=self._clock(), hints=hints)


class _Nights(DocumentRepository[NightId, Night, Sequence[Recorded] | Rebuilt]):
    """Nights: a change is a list of events, which goes into the log; a night is found by its league."""

    unknown = "unknown_night"

    def __init__(self, store: Store, clock: TimeSource) -> None:
        super().__init__(store, _NIGHTS)
        self._clock = clock

    def _make_commit(self, before: Night | None, change: Sequence[Recorded] | Rebuilt) -> Commit[Night]:
        if isinstance(change, Rebuilt):
            night, entries = change.night, change.entries
        else:
            night = rebuilt(change) if before is None else reduce(after, change, before)
            entries = change
        return Commit(
            night,
            entries=[_WRITE.encode(each) for each in entries],
            agenda=self._clock(),
            durable=any(isinstance(each.event, _RESULTS) for each in entries),
        )


class LeagueRepository:
    """The leagues and nights of one store."""

    def __init__(self, store: Store, clock: TimeSource = time.time) -> None:
        self._store = store
        self._leagues = _Leagues(store, clock)
        self._nights = _Nights(store, clock)
        self._newest: Derived[LeagueId, League, League] = Derived(
            self._leagues, lambda held: held, LEAGUES_KEPT
        )
        self.standings = LeagueStandings(self._nights)
        self.clock = clock

    def listen(self, listener: Callable[[str, Versioned[Any]], None]) -> None:
        """Have a listener told of every commit, as by `DocumentRepository.listeners`."""
        self._leagues.listeners.append(listener)
        self._nights.listeners.append(listener)

    async def league(self, league: LeagueId) -> Versioned[League] | None:
        """Return a league; None when there is none. Raises StoreUnavailable, UnknownSchema, as all methods
        here."""
        return await self._leagues.load(league)

    async def load(self, league: LeagueId) -> League:
        """Return a league. Raises Refused `unknown_league`."""
        held = await self.league(league)
        if held is None:
            raise Refused("unknown_league")
        return held.value

    async def at_place(self, place: str, community: str = "") -> list[League]:
        """Return the leagues that meet at a place, else those of its channel or group, else those founded in
        its community; ended ones last."""
        channel = channel_of(place)
        leagues = await self._commit_founded(place, channel, community)
        here = [each for each in leagues if place in each.places]
        around = [each for each in leagues if channel in map(channel_of, each.places)]
        return here or around or [each for each in leagues if each.community == community]

    async def of_person(self, person: str) -> list[League]:
        """Return the leagues of which a person is a member; ended ones last."""
        return [each for each in await self._commit_founded(person) if each.member_of(person) is not None]

    async def _commit_founded(self, *keys: str) -> list[League]:
        ids = {league for key in keys for league in await self._store.index.leagues_at(key)}
        held = [await self.league(each) for each in ids]
        leagues = [each.value for each in held if each is not None]
        return sorted(leagues, key=lambda league: (league.ended, league.name, league.id))

    async def night(self, night: NightId) -> Versioned[Night] | None:
        """Return a night; None when there is none."""
        return await self._nights.load(night)

    async def load_night(self, night: NightId) -> Night:
        """Return a night. Raises Refused `unknown_night`."""
        held = await self.night(night)
        if held is None:
            raise Refused("unknown_night")
        return held.value

    async def nights(self, league: League, season: int | None = None) -> list[Night]:
        """Return the nights of a league, of one season or all, in the order of their starts."""
        held = [await self.night(each) for each in list_nights(league, season)]
        return [each.value for each in held if each is not None]

    async def newest(self, league: LeagueId) -> League | None:
        """Return a league, decoded only if it has changed; None when there is none."""
        (found,) = await self._newest.of([league])
        return None if found is None else found[1]

    async def stamp(self, league: League, season: int | None = None) -> bytes:
        """Return what tells the present state of a league and of its nights, of one season or all, from
        every other."""
        leagues, nights = await asyncio.gather(
            self._leagues.stamps([league.id]), self._nights.stamps(list_nights(league, season))
        )
        return b",".join((*leagues, *nights))

    async def log(self, night: NightId) -> list[Recorded]:
        """Return the events of a night, oldest first. The night follows from them (`rebuilt`)."""
        return [_READ.decode(entry) for entry in await self._store.documents.log(night)]

    async def create_league(self, league: League, action: str) -> League:
        """Commit a new league, or return the one that is already there: founding it twice creates it once."""
        return (await self._leagues.create(league.id, league, action)).value

    async def take_over(self, league: League, nights: Sequence[NightLog]) -> None:
        """Commit a league of another host with its nights; once more changes nothing. Raises Refused
        `league_known` when a league of this id exists."""
        if await self.league(league.id) is not None:
            raise Refused("league_known")
        for night in nights:
            await self._nights.create(night.id, night.log, f"take over {night.id}")
        await self.create_league(league, f"take over {league.id}")

    async def change(self, league: LeagueId, action: str | None, act: LeagueAct) -> League:
        """Act on a league and commit the result; returns the new league. See `Repository.change`.

        Raises Refused `unknown_league`, `busy`, or as `act` does.
        """
        return (await self._leagues.change(league, action, lambda held: act(held.value))).value

    async def member(self, league: LeagueId, by: Person) -> Member:
        """Return the acting person as a member of a league, in either of their accounts. Raises Refused
        `unknown_league`, `members_only`."""
        return await self._member(league, by, anyway=False)

    async def organiser(self, league: LeagueId, by: Person) -> Member:
        """Return the acting person as a member; an organiser needs no place on the list."""
        return await self._member(league, by, anyway=True)

    async def _member(self, league: LeagueId, by: Person, *, anyway: bool) -> Member:
        other = await self._store.people.find_linked(by.key)
        if other is not None:
            await self._join_accounts(league, by.key, other)
        changed = await self.change(league, None, lambda now: with_member(now, by, other, anyway=anyway))
        member = changed.member_of(by.key)
        assert member is not None
        return member

    async def _join_accounts(self, league: LeagueId, one: str, other: str) -> None:
        """Make one member of the two that a person was before they linked their accounts, if that may be."""
        held = await self.load(league)
        kept, gone = held.member_of(one), held.member_of(other)
        if kept is None or gone is None or kept.id == gone.id:
            return
        if int(gone.id[1:]) < int(kept.id[1:]):
            kept, gone = gone, kept
        with suppress(Refused):
            await self.merge(held, gone.id, kept.id, None, by="")

    async def merge(self, league: League, gone: str, kept: str, action: str | None, *, by: str) -> League:
        """Make two members one person: the results of the first count for the other. Raises Refused
        `same_member`, and `met_each_other` with a night in which both were."""
        if gone == kept:
            raise Refused("same_member")
        for night in await self.nights(league):
            ids = {league.stands_for(each) for each in (*night.people, *_find_present(night))}
            if {gone, kept} <= ids:
                raise Refused("met_each_other", number=night.number, season=night.season)

        def make(held: League, now: float) -> LeagueEvent:
            return Merged(held.members[gone], held.members[kept])

        return await self.carry_out(league.id, action, make, by=by)

    async def move(self, place: str, new_place: str) -> None:
        """Give a place its new key in its leagues, and for those who signed up there."""

        def act(league: League) -> League:
            languages = {
                new_place if each == place else each: said for each, said in league.languages.items()
            }
            return replace(
                league,
                community=new_place if league.community == place else league.community,
                places=tuple(dict.fromkeys(new_place if each == place else each for each in league.places)),
                languages=languages,
            )

        def list_signed_up(night: Night, now: float) -> Sequence[NightEvent]:
            there = any(each.place == place for each in night.entrants)
            return [Relocated(place, new_place)] if there else []

        for league in await self._store.index.leagues_at(place):
            after = await self.change(league, None, act)
            for ref in after.nights:
                if not ref.over and await self.night(ref.id) is not None:
                    await self.act(ref.id, None, list_signed_up)
            await self._store.index.remove_league(place, league)

    async def forget(self, person: str) -> None:
        """Make every league forget a person: their results stay, without a name."""
        for league in await self._store.index.leagues_at(person):
            await self.change(league, None, lambda each: forget_member(each, person))
            await self._lose(person, league)

    async def part(self, one: str, other: str) -> None:
        """Split two accounts into two people in every league."""
        for league in await self._store.index.leagues_at(one):
            after = await self.change(league, None, lambda each: part_accounts(each, one, other))
            for account in {one, other} - _finders_of(after):
                await self._lose(account, league)

    async def _lose(self, person: str, league: LeagueId) -> None:
        """Remove the hint that a league knows a person; not if they have joined it again meanwhile."""
        await self._store.index.remove_league(person, league)
        held = await self.league(league)
        if held is not None and person in _finders_of(held.value):
            await self._store.index.add_league(person, league)

    async def announce(self, announced: Recorded, night: NightId) -> None:
        """Commit a new night; nothing happens when it exists already."""
        await self._nights.create(night, [announced], f"announce {night}")

    async def act(
        self, night: NightId, action: str | None, decide: Decide, *, by: str = "", why: str = ""
    ) -> Night:
        """Act on a night and commit the result; returns the new night. See `Repository.change`.

        `by` is the member who acts, `why` an organiser's reason. Raises Refused `unknown_night`, `busy`, or
        as `decide` does.
        """

        def function(held: Versioned[Night]) -> list[Recorded] | None:
            now = self.clock()
            return [Recorded(now, by, why, event) for event in decide(held.value, now)] or None

        return (await self._nights.change(night, action, function)).value

    async def revoke(self, night: NightId, action: str | None, of: int, *, by: str, why: str) -> Night:
        """Take an act on a night back and commit the result; returns the new night. Raises Refused
        `unknown_night`, `busy`, or as `revoking.revoke`."""
        for _ in range(TRIES):
            held = await self.load_night(night)
            log = await self.log(night)
            if len(log) != held.revision:
                continue  # somebody was quicker between the two

            function = partial(self._without, log=log, of=of, by=by, why=why)
            with suppress(_Outrun):
                return (await self._nights.change(night, action, function)).value
        raise Refused("busy")

    async def hold_after_all(self, night: NightId, action: str | None, *, by: str) -> None:
        """Take back that a night was called off, if it is: whoever is quicker does it. Raises Refused as
        `revoke`."""
        done = revoking.acts_of(await self.log(night))
        off = [each.number for each in done if _is_called_off(each)]
        if not off:
            return
        try:
            await self.revoke(night, action, off[-1], by=by, why="")
        except Refused as refused:
            if refused.code != "undone_already":
                raise

    def _without(
        self, held: Versioned[Night], log: Sequence[Recorded], of: int, by: str, why: str
    ) -> Rebuilt:
        """Return the night without an act. Raises _Outrun when the log is no longer the whole one."""
        if held.value.revision != len(log):
            raise _Outrun
        at = self.clock()
        entries = [Recorded(at, by, why, event) for event in revoking.revoke(log, of, at)]
        return Rebuilt(rebuilt([*log, *entries]), entries)

    async def carry_out(
        self, league: LeagueId, action: str | None, make: MakeEvent, *, by: str, why: str = ""
    ) -> League:
        """Carry out an organiser's act on a league and commit the result; returns the new league. Raises
        Refused `unknown_league`, `busy`, or as `make` does."""

        def act(held: League) -> League:
            at = self.clock()
            return acts.carry_out(held, LoggedAct(at, by, why, make(held, at)))

        return await self.change(league, action, act)

    async def take_back(self, league: LeagueId, action: str | None, of: int, *, by: str) -> League:
        """Take an act on a league back; returns the new league. Raises Refused as `acts.check_revocable`."""

        def make(held: League, now: float) -> LeagueEvent:
            acts.check_revocable(held, of, now)
            return ActRevoked(of)

        return await self.carry_out(league, action, make, by=by)

    async def mark_dirty(self, night: NightId) -> None:
        """Have a night's board updated, since its league has changed."""
        await self._store.timers.mark_dirty(night)

    async def put_down(self, key: str, version: int, at: float | None) -> None:
        """Set the next look to this moment (None: never): everything for this version is done."""
        await self._store.timers.put_down(key, version, at)


def _is_called_off(act: revoking.NightAct) -> bool:
    return isinstance(act.recorded.event, NightCancelled) and act.revoked_by is None


def _finders_of(league: League) -> set[str]:
    """Return the places and accounts by which a league is found."""
    accounts = (account for member in league.members.values() for account in member.accounts)
    return {league.community, *league.places, *map(channel_of, league.places), *accounts}


def _find_present(night: Night) -> set[str]:
    """Return the members who have checked in to a night that is not over."""
    if night.stage in ("over", "cancelled"):
        return set()
    return {each.member for each in night.entrants if each.here}
