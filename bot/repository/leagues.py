"""Leagues and nights out of the store and back: load, act, commit, and again when somebody was quicker.

Every commit puts what it changed into the agenda at once. The running looks at it, brings about what is asked
for, and only then puts down when to look at it again: nothing is forgotten, whenever a process dies.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import msgspec

from bot.errors import Refused
from bot.league.apply import after, rebuilt
from bot.league.events import NightEvent, Recorded, Relocated
from bot.league.members import forgotten, parted
from bot.league.model import LEAGUE_SCHEMA, League, is_night, league_key
from bot.league.night import NIGHT_SCHEMA, Night
from bot.ports import channel_of
from bot.repository.tables import TRIES
from bot.repository.versioned import Versioned
from bot.store import Committed, Repeated, Store
from bot.store.codec import Codec, renamed

Clock = Callable[[], float]
"""Gives the time: seconds since the epoch. Leagues know no other clock, so that one can be moved."""

Act = Callable[[League], League]
"""From a league to the league as it is to be. Raises Refused."""

Decide = Callable[[Night, float], Sequence[NightEvent]]
"""From a night and the time to what happens. Raises Refused."""

T = TypeVar("T")

_LEAGUES: Final = Codec(League, LEAGUE_SCHEMA)


def _upgrade_night_1(night: dict[str, Any]) -> None:
    """Schema 1 had other names for what counts revisions."""
    renamed(night, {"stamp": "revision", "phase_stamp": "phase_revision"})


_NIGHTS: Final = Codec(Night, NIGHT_SCHEMA, {1: _upgrade_night_1})
_WRITE: Final = msgspec.json.Encoder()
_READ: Final = msgspec.json.Decoder(Recorded)


class LeagueRepository:
    """The leagues and nights of one store."""

    def __init__(self, store: Store, clock: Clock = time.time) -> None:
        self._store = store
        self.clock = clock

    async def league(self, league: str) -> Versioned[League] | None:
        """A league; None when there is none. Raises StoreUnavailable, UnknownSchema, as everything here."""
        stored = await self._store.load(league_key(league))
        return None if stored is None else Versioned(_LEAGUES.decode(stored.state), stored.version)

    async def night(self, night: str) -> Versioned[Night] | None:
        """A night; None when there is none: a table's name is no night's."""
        stored = await self._store.load(night) if is_night(night) else None
        return None if stored is None else Versioned(_NIGHTS.decode(stored.state), stored.version)

    async def log(self, night: str) -> list[Recorded]:
        """What happened in a night, oldest first. The night follows from it (`rebuilt`)."""
        return [_READ.decode(entry) for entry in await self._store.log(night)]

    async def found(self, league: League, action: str) -> League:
        """Commit a new league, or give the one that is there already: founding it twice founds it once."""
        for key in _found_by(league):
            await self._store.add_league(key, league.id)
        await self._commit(league_key(league.id), 0, _LEAGUES.encode(league), action)
        held = await self.league(league.id)
        assert held is not None
        return held.value

    async def change(self, league: str, action: str | None, act: Act) -> League:
        """Act on a league and commit what comes of it; the league as it then is.

        Raises Refused `unknown_league`, `busy`, or as `act` does.
        """
        for _ in range(TRIES):
            held = await self.league(league)
            if held is None:
                raise Refused("unknown_league")
            try:
                changed = act(held.value)
            except Refused:
                if action is not None and await self._store.carried_out(league_key(league), action):
                    return held.value
                raise
            if changed == held.value:
                return changed
            for key in _found_by(changed) - _found_by(held.value):
                await self._store.add_league(key, league)
            done = await self._commit(league_key(league), held.version, _LEAGUES.encode(changed), action)
            if isinstance(done, Committed):
                return changed
            if isinstance(done, Repeated):
                return held.value
        raise Refused("busy")

    async def moved(self, place: str, new_place: str) -> None:
        """A place has a new key: its leagues meet there now, and who signed up there did so here."""

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

        def signed_up(night: Night, now: float) -> Sequence[NightEvent]:
            there = any(each.place == place for each in night.entrants)
            return [Relocated(place, new_place)] if there else []

        for league in await self._store.leagues_at(place):
            after = await self.change(league, None, act)
            for ref in after.nights:
                if not ref.over and await self.night(ref.id) is not None:
                    await self.act(ref.id, None, signed_up)
            await self._store.remove_league(place, league)

    async def forget(self, person: str) -> None:
        """From now on no league knows a person: his results stay, without a name."""
        for league in await self._store.leagues_at(person):
            await self.change(league, None, lambda each: forgotten(each, person))
            await self._store.remove_league(person, league)

    async def part(self, one: str, other: str) -> None:
        """From now on two accounts are two people's in every league."""
        for league in await self._store.leagues_at(one):
            after = await self.change(league, None, lambda each: parted(each, one, other))
            for account in {one, other} - _found_by(after):
                await self._store.remove_league(account, league)

    async def announce(self, announced: Recorded, night: str) -> None:
        """Commit a new night; nothing happens when it is there already."""
        state = _NIGHTS.encode(rebuilt([announced]))
        await self._commit(night, 0, state, f"announce {night}", [announced])

    async def act(
        self, night: str, action: str | None, decide: Decide, *, by: str = "", why: str = ""
    ) -> Night:
        """Act on a night and commit what comes of it; the night as it then is.

        Raises Refused `unknown_night`, `busy`, or as `decide` does.
        """
        for _ in range(TRIES):
            held = await self.night(night)
            if held is None:
                raise Refused("unknown_night")
            now = self.clock()
            try:
                happened = decide(held.value, now)
            except Refused:
                # The same press delivered again finds the night changed by itself: that is no refusal.
                if action is not None and await self._store.carried_out(night, action):
                    return held.value
                raise
            if not happened:
                return held.value
            recorded = [Recorded(now, by, why, event) for event in happened]
            changed = held.value
            for each in recorded:
                changed = after(changed, each)
            done = await self._commit(night, held.version, _NIGHTS.encode(changed), action, recorded)
            if isinstance(done, Committed):
                return changed
            if isinstance(done, Repeated):
                return await self._again(night)
        raise Refused("busy")

    async def mark_dirty(self, night: str) -> None:
        """Have a night's board brought up to date: its league has changed."""
        await self._store.mark_dirty(night)

    async def put_down(self, key: str, version: int, at: float | None) -> None:
        """All is brought about that this version asks for: look again at that moment, or no more."""
        await self._store.put_down(key, version, at)

    async def _again(self, night: str) -> Night:
        held = await self.night(night)
        assert held is not None
        return held.value

    async def _commit(
        self, key: str, version: int, state: bytes, action: str | None, recorded: Sequence[Recorded] = ()
    ) -> object:
        return await self._store.commit(
            key,
            expected=version,
            state=state,
            action=action,
            entries=[_WRITE.encode(each) for each in recorded],
            dirty=bool(recorded),
            agenda=self.clock(),
        )


def _found_by(league: League) -> set[str]:
    """The places and accounts under which a league is found."""
    accounts = (account for member in league.members.values() for account in member.accounts)
    return {league.community, *league.places, *map(channel_of, league.places), *accounts}
