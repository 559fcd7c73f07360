"""Asleep: a place that refuses the bot is not lost, but tried again after growing pauses.

It is woken at once when somebody acts there or the platform reports a change. The same applies to people who
can't be written to for a reason that no adapter knows.
"""

import logging
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cachetools import TTLCache

from bot.delivery.repositories import Repositories
from bot.ids import LeagueId
from bot.ports import channel_of
from bot.store.codec import Codec

LOG: Final = logging.getLogger(__name__)

FIRST_PAUSE: Final = 15.0
LONGEST_PAUSE: Final = 3600.0
"""Seconds until a recipient is tried again; doubled after each refusal."""

_CLOCKS_DIFFER: Final = 1.0
"""More seconds than two processes' knowledge of the store's clock differs by."""

LONGEST_CALL: Final = 60.0
"""More seconds than a call under way takes to be refused."""

AWAKE_SECONDS: Final = 2.0
"""Seconds for which an awake recipient is taken to be awake. At worst one that sleeps is tried in vain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sleep:
    """The refusals of a place or person."""

    refusals: int
    """Refusals in a row."""
    until: float
    """The moment of the next try, unless something wakes it before: seconds since the epoch by the store's
    clock."""
    woken: float = 0.0
    """The last time that something woke it; 0: nothing did."""

    @property
    def pause(self) -> float:
        """Seconds from one try to the next."""
        return min(FIRST_PAUSE * 2.0 ** min(self.refusals - 1, 16), LONGEST_PAUSE)

    def lasts(self, now: float) -> bool:
        """Return whether it goes on. Not if the clock was set back since, or that of another server was
        ahead: nobody is to wait for it to come there again."""
        return 0 < self.until - now <= self.pause + _CLOCKS_DIFFER


_CODEC: Final = Codec(Sleep, 1)
"""A sleep that another version of the program noted holds nobody back."""


class SleepingRecipients:
    """All sleeping recipients of one store."""

    def __init__(self, repositories: Repositories) -> None:
        self._store = repositories.store
        self._people = repositories.people
        self._leagues = repositories.leagues
        self._daily = repositories.daily
        self._awake: TTLCache[str, None] = TTLCache(4096, AWAKE_SECONDS)
        """Without it a discard with what it causes sends the store 11 commands instead of 9 (`tests.measure`,
        in memory)."""
        self._reopened: TTLCache[str, float] = TTLCache(4096, LONGEST_CALL)
        """When this process was last told that a channel may be open again."""
        self._falls = 0
        """Counts how often this process noted that a recipient sleeps."""

    async def among(self, recipients: Iterable[str], persons: Iterable[str] = ()) -> dict[str, bool]:
        """Return the recipients that refused the last time: whether they sleep now. Others of them are due
        for a try. The profiles of `persons`, who are about to be shown something, are read along with
        that."""
        now = self._store.clock()
        return {each: sleep.lasts(now) for each, sleep in (await self._among(recipients, persons)).items()}

    def are_awake(self, recipients: Iterable[str]) -> bool:
        """Return whether all recipients are known to be awake."""
        return all(each in self._awake for each in recipients)

    async def note_refusal(self, recipient: str, reason: str, *, asked: float = math.inf) -> None:
        """Put a recipient to sleep, or let it sleep on for longer. Refusals at the same moment count once.

        `asked`: when the refused call began, by the store's clock. If something has woken the recipient
        since, the refusal is news of before: it stays awake, to be tried again."""
        before, now = (await self._newest([recipient])).get(recipient), self._store.clock()
        if before is not None and before.lasts(now):
            return
        before = before or Sleep(refusals=0, until=0.0)
        woken = max(before.woken, self._reopened.get(channel_of(recipient), 0.0))
        if asked <= woken <= now:  # later than now: the clock was set back
            return
        if not before.refusals:
            LOG.warning("%s refuses (%s): it is tried again after growing pauses", recipient, reason)
        sleep = replace(before, refusals=before.refusals + 1)
        await self._put(recipient, replace(sleep, until=now + sleep.pause), now + sleep.pause)

    async def note_reached(self, recipient: str) -> None:
        """Note that a recipient accepted something: everything that waits for it may go."""
        if await self._among([recipient]):
            await self._store.refusals.drop(recipient)
            await self._mark(recipient)
            LOG.info("%s can be written to again", recipient)

    async def wake(self, recipients: Iterable[str]) -> None:
        """Have sleeping recipients tried at once, since somebody acts there."""
        for recipient, sleep in (await self._among(recipients)).items():
            now = self._store.clock()
            await self._put(recipient, replace(sleep, until=0.0, woken=now), now + sleep.pause)
            await self._mark(recipient)

    async def wake_in(self, channels: Collection[str]) -> None:
        """Wake everybody that sleeps in these channels or groups, with their threads and topics."""
        self._reopened.update(dict.fromkeys(channels, self._store.clock()))
        there = [each for each in await self._store.refusals.list_all() if channel_of(each) in channels]
        for each in there:
            self._awake.pop(each, None)
        await self.wake(there)

    async def rouse(self, recipient: str) -> None:
        """Try a recipient after its pause. It is forgotten if nothing waits for it; else it is looked at
        again after a further pause, whatever the outcome."""
        sleep = (await self._newest([recipient])).get(recipient)
        if sleep is None or not await self._mark(recipient):
            await self._store.refusals.drop(recipient)
        else:
            at = self._store.clock() + sleep.pause
            await self._store.refusals.put(recipient, _CODEC.encode(sleep), at)

    async def _among(self, recipients: Iterable[str], persons: Iterable[str] = ()) -> dict[str, Sleep]:
        asked = [each for each in dict.fromkeys(recipients) if each not in self._awake]
        return await self._newest(asked, self._people.not_recent(persons))

    async def _newest(self, recipients: Sequence[str], persons: Sequence[str] = ()) -> dict[str, Sleep]:
        falls = self._falls
        kept, profiles = await self._store.refusals.read(recipients, persons)
        for person, profile in zip(persons, profiles, strict=True):
            self._people.remember(person, profile)
        sleeps = zip(recipients, map(_CODEC.decode_known, kept), strict=True)
        found = {each: sleep for each, sleep in sleeps if sleep is not None}
        for each in found:
            self._awake.pop(each, None)
        if falls == self._falls:  # Otherwise one may have fallen asleep since it was read.
            self._awake.update(dict.fromkeys(each for each in recipients if each not in found))
        return found

    async def _put(self, recipient: str, sleep: Sleep, at: float) -> None:
        await self._store.refusals.put(recipient, _CODEC.encode(sleep), at)
        self._falls += 1
        self._awake.pop(recipient, None)

    async def _mark(self, recipient: str) -> bool:
        """Mark the tables, nights and daily racks of a recipient for delivery; whether there are any."""
        store = self._store
        waiting: list[str] = [
            *await store.index.tables_at(recipient),
            *await store.index.tables_of(recipient),
        ]
        for league in await store.index.leagues_at(recipient):
            waiting += await self._nights(league)
        waiting += await self._daily.waiting_at(recipient)
        for each in waiting:
            await store.timers.mark_dirty(each)
        return bool(waiting)

    async def _nights(self, league: LeagueId) -> list[str]:
        """Return the nights of a league that may still have something to show: the last and the next one."""
        held = await self._leagues.league(league)
        return [] if held is None else [ref.id for ref in held.value.nights[-2:]]
