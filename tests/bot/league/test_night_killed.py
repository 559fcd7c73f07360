"""The program may be killed between any two of its steps: nothing happens twice, and nothing is lost."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.league.apply import rebuilt
from bot.league.events import Announced, CheckInClosed, Ended, RoundEnded, RoundSeated, TilesPlayed
from bot.league.results import result_of
from bot.store import Store
from tests.bot.league.doomed import Doomed, Killed
from tests.bot.league.leagues import START, MovedClock, weekly
from tests.bot.league.office import Office

pytestmark = pytest.mark.long

SEVEN = ("Ada", "Bea", "Cem", "Deniz", "Ela", "Firat", "Gül")

EVERY = 131
"""One in so many calls to the store is the last. With 1 each of them is, in turn, which takes minutes."""


class CountedCalls(Doomed):
    """A store whose process is killed at its `calls`-th call, before that is carried out or right after."""

    def __init__(self, store: Store, calls: int, *, carried_out: bool) -> None:
        super().__init__(store)
        self._left = calls
        self._carried_out = carried_out

    async def call(self, method: Callable[..., Awaitable[Any]], *arguments: Any, **named: Any) -> Any:
        self._left -= 1
        if self._left == 0 and not self._carried_out:
            raise Killed
        answer = await method(*arguments, **named)
        if self._left == 0:
            raise Killed
        return answer

    @property
    def killed(self) -> bool:
        """Return whether it came to that."""
        return self._left <= 0


class Script:
    """A whole night in steps. Each one can be repeated: it does what is left to do."""

    def __init__(self, clock: MovedClock) -> None:
        self._clock = clock

    async def carry_on(self, office: Office) -> None:
        """All steps, as far as they are not done."""
        await office.found(weekly(break_minutes=1))
        for name in SEVEN:
            if (await office.night()).stage == "announced":
                await office.says(name)
        members = [await office.member(name) for name in SEVEN]
        await office.at(self._time(-20 * 60))
        if (await office.night()).stage == "check_in":
            await office.checks_in(*members)
        for moment in (-3 * 60, 0):
            await office.at(self._time(moment))
        for round in (1, 2):
            night = await office.night()
            if night.stage == "playing" and len(night.rounds) == round:
                await office.everybody_touches()
                await office.plays()
            await office.at(self._time(round * 60 * 2))
        await office.work()

    def _time(self, seconds: float) -> float:
        """Time does not run backwards for a process that is started anew."""
        return max(seconds, self._clock.now - START)


@pytest.fixture
async def calls(store: Store) -> int:
    """How many calls a night makes."""
    counting = CountedCalls(store, 10**9, carried_out=True)
    clock = MovedClock()
    await Script(clock).carry_on(Office(counting, clock))  # type: ignore[arg-type]
    made = 10**9 - counting._left
    await store._server.call("FLUSHALL")
    return made


@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_night_survives_a_kill_at_every_step(store: Store, calls: int, carried_out: bool) -> None:
    assert calls > 300
    for at in range(1, calls, EVERY):
        clock = MovedClock()
        doomed = CountedCalls(store, at, carried_out=carried_out)
        script = Script(clock)
        try:
            await script.carry_on(Office(doomed, clock))  # type: ignore[arg-type]
        except Killed:
            await script.carry_on(Office(store, clock))
        await as_if_nothing_had_happened(Office(store, clock))
        await store._server.call("FLUSHALL")


async def as_if_nothing_had_happened(office: Office) -> None:
    night = await office.night()
    log = await office.leagues.log(night.id)
    assert rebuilt(log) == night, "the log alone rebuilds the night"
    assert night.stage == "over"
    kinds = Counter(type(each.event) for each in log)
    once = {kind: kinds[kind] for kind in (Announced, CheckInClosed, RoundSeated, RoundEnded, Ended)}
    assert once == {Announced: 1, CheckInClosed: 1, RoundSeated: 2, RoundEnded: 2, Ended: 1}
    assert kinds[TilesPlayed] == 4
    assert [table.state for table in result_of(night).tables] == ["counted"] * 4
    league = await office.leagues.load("abcde")
    assert [ref.id for ref in league.nights] == ["abcde-202603122000", "abcde-202603192000"]
    assert len(league.members) == 7
    keys = await office.store._server.call("KEYS", "*}t:*")
    assert len(keys) == 4 + 2 + 1, "four tables, two nights, one league"


class Two(Office):
    """Two processes that both think that the night is theirs, as when a lease has just passed on."""

    async def work(self) -> None:
        other = Office(self.store, self.clock)
        await asyncio.gather(super().work(), other.work())


async def test_two_processes_at_once_make_one_night(store: Store) -> None:
    clock = MovedClock()
    await Script(clock).carry_on(Two(store, clock))
    await as_if_nothing_had_happened(Office(store, clock))
