"""The program may be killed at any step while people are told of a night: nobody is told anything twice."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.markup import Page, Text
from bot.store import Store
from tests.bot.house import MemoryChat
from tests.bot.league.doomed import Doomed, Killed
from tests.bot.league.leagues import MovedClock, weekly
from tests.bot.league.messenger import HOUR, LONG_BEFORE, Messenger
from tests.patience import PATIENCE

pytestmark = pytest.mark.long

FOUR = ("Ada", "Bea", "Cem", "Deniz")

EVERY = 4
"""Of so many notes that something was shown one is not made any more."""


class CountedNotes(Doomed):
    """A store whose process is killed when it notes for the `notes`-th time that something was shown: nothing
    is carried out from there on."""

    def __init__(self, store: Store, notes: int) -> None:
        super().__init__(store)
        self.left = notes

    async def call(self, method: Callable[..., Awaitable[Any]], *arguments: Any, **named: Any) -> Any:
        self.left -= method in (self._store.notes.set, self._store.notes.swap)
        if self.left <= 0:
            raise Killed
        return await method(*arguments, **named)


@dataclass
class Platform(MemoryChat):
    """Outlives the process, and cannot tell that something comes twice."""

    handed: Counter[tuple[str, str]] = field(default_factory=Counter)
    called: Counter[tuple[str, str]] = field(default_factory=Counter)

    async def send_direct(self, person: str, page: Page, once: str) -> str:
        self.handed[person, once] += 1

    async def post_line(
        self, place: str, text: Text, *, calls: Any = (), opens: str | None = None, once: str = ""
    ) -> str:
        self.called.update((person.key, str(text)) for person in calls)
        return await super().post_line(place, text, calls=calls, opens=opens, once=once)


async def story(messenger: Messenger) -> None:
    """A night up to its first round, as far as it has not been lived through yet."""
    await messenger.office.found(weekly(rooms=False))
    await messenger.tells()
    if (await messenger.office.night()).stage == "announced":
        for name in FOUR:
            await messenger.office.says(name)
    for before in (24 * HOUR, HOUR, 20 * 60.0):
        await messenger.tells(_never_back(messenger, before))
    if (await messenger.office.night()).stage == "check_in":
        await messenger.office.checks_in(*[await messenger.office.member(name) for name in FOUR])
    for before in (600.0, 180.0, 0.0):
        await messenger.tells(_never_back(messenger, before))


def _never_back(messenger: Messenger, before: float) -> float:
    """Time does not run backwards for a process that is started anew."""
    return min(before, LONG_BEFORE + 100 * HOUR - messenger.office.clock.now)


async def told(store: Any, clock: MovedClock, platform: Platform) -> None:
    messenger = Messenger(store, clock, platform)
    try:
        async with asyncio.timeout(PATIENCE):
            await story(messenger)
    finally:
        await messenger.close()


@pytest.fixture
async def notes(store: Store) -> int:
    """How many notes it makes."""
    counting = CountedNotes(store, 10**9)
    await told(counting, MovedClock(LONG_BEFORE), Platform())
    await store._server.call("FLUSHALL")
    return 10**9 - counting.left


async def test_nobody_is_told_anything_twice(store: Store, notes: int) -> None:
    whole = Platform()
    await told(store, MovedClock(LONG_BEFORE), whole)
    assert len(whole.handed) == 3 * len(FOUR)
    assert len(whole.called) == len(FOUR)
    for at in range(1, notes, EVERY):
        await store._server.call("FLUSHALL")
        clock, platform = MovedClock(LONG_BEFORE), Platform()
        try:
            await told(CountedNotes(store, at), clock, platform)
        except (Killed, TimeoutError):
            await told(store, clock, platform)
        assert set(platform.handed.values()) <= {1}, at
        assert set(platform.called.values()) <= {1}, at
        assert platform.handed.total() >= 2 * len(FOUR), "at most those on their way are lost"
        assert len(platform.calendar) == 1
        assert len(platform.pinned) == 1
