"""Who goes first where calls are scarce, and that nobody is forgotten."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bot.delivery.queue import SendQueue
from bot.ports import RateLimit
from tests.patience import PATIENCE

GROUP = RateLimit("group", 1, 60.0)
DELAYS = RateLimit("group", 1, 8.0)
URGENT = RateLimit("group", 2, 60.0)
WHOLE = RateLimit("whole", 1, 60.0)


class Counter:
    """Has so many calls left for each scope, and tells those who get none to wait a moment."""

    def __init__(self, **left: int) -> None:
        self.left = left
        self.charged: list[tuple[str, ...]] = []

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        await asyncio.sleep(0)
        scopes = {each.scope for each in limits}
        if not all(self.left[scope] for scope in scopes):
            return 0.01
        for scope in scopes:
            self.left[scope] -= 1
        self.charged.append(tuple(each.scope for each in limits))
        return 0.0


class Waiters:
    """People who wait in the queue, and the order in which they go."""

    def __init__(self, counter: Counter) -> None:
        self.queue = SendQueue(counter.spend)
        self.limits: dict[str, tuple[RateLimit, ...]] = {}
        self.gone: list[str] = []
        self.ranks: dict[str, int] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, name: str, rank: int, *limits: RateLimit, stay: bool = False) -> None:
        """They join the queue; `stay`: they never end what they go for."""
        self.ranks[name], self.limits[name] = rank, limits

        async def go() -> None:
            async with self.queue.turn(lambda: self.limits[name], lambda: self.ranks[name]):
                self.gone.append(name)
                if stay:
                    await asyncio.Event().wait()

        self.tasks[name] = asyncio.create_task(go())
        for _ in range(10):  # until they stand where they have to wait
            await asyncio.sleep(0)


@asynccontextmanager
async def waiting(counter: Counter) -> AsyncIterator[Waiters]:
    waiters = Waiters(counter)
    try:
        yield waiters
    finally:
        for task in waiters.tasks.values():
            task.cancel()
        await asyncio.gather(*waiters.tasks.values(), return_exceptions=True)


async def _gone(waiters: Waiters, order: Sequence[str]) -> None:
    async with asyncio.timeout(PATIENCE):
        while len(waiters.gone) < len(order):  # noqa: ASYNC110 - the order is the only sign
            await asyncio.sleep(0.001)
    assert waiters.gone == list(order)


async def test_what_matters_most_goes_first_and_then_what_has_waited_longest() -> None:
    counter = Counter(group=0, whole=9)
    async with waiting(counter) as waiters:
        for name, rank in (("clock", 4), ("table", 3), ("turn", 0), ("another table", 3), ("result", 2)):
            await waiters.come(name, rank, GROUP, WHOLE)
        counter.left["group"] = 9
        await _gone(waiters, ["turn", "result", "table", "another table", "clock"])


async def test_who_waits_may_come_to_matter_more() -> None:
    counter = Counter(whole=0)
    async with waiting(counter) as waiters:
        for name in ("first", "second", "third"):
            await waiters.come(name, 1, WHOLE)
        waiters.ranks["third"] = 0
        counter.left["whole"] = 9
        await _gone(waiters, ["third", "first", "second"])


async def test_a_narrow_line_that_is_closed_holds_up_nobody_else() -> None:
    async with waiting(Counter(group=0, whole=9)) as waiters:
        await waiters.come("group", 0, GROUP, DELAYS, WHOLE)
        await waiters.come("person", 5, WHOLE)
        await _gone(waiters, ["person"])


class Reserving(Counter):
    """Keeps all that is left for what is urgent."""

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        self.charged.append(tuple(each.scope for each in limits))
        return 600.0 if GROUP in limits else 0.0


async def test_only_who_matters_more_may_try_where_somebody_was_refused() -> None:
    counter = Reserving()
    async with waiting(counter) as waiters:
        await waiters.come("table", 3, GROUP)
        await waiters.come("another table", 3, GROUP)
        await waiters.come("clock", 4, URGENT)
        await waiters.come("call", 0, URGENT)
        assert (waiters.gone, len(counter.charged)) == (["call"], 2)


async def test_who_was_refused_may_try_as_soon_as_they_matter_more() -> None:
    async with waiting(Reserving()) as waiters:
        await waiters.come("table", 3, GROUP)
        assert waiters.gone == []
        waiters.ranks["table"], waiters.limits["table"] = 0, (URGENT,)
        waiters.queue.reorder()
        await _gone(waiters, ["table"])


async def test_all_scopes_are_charged_in_one_call() -> None:
    counter = Counter(group=1, whole=1)
    async with waiting(counter) as waiters:
        await waiters.come("one", 0, GROUP, DELAYS, WHOLE)
        await _gone(waiters, ["one"])
    assert counter.charged == [("group", "group", "whole")]


async def test_who_is_refused_is_charged_scope_by_scope_and_to_the_widest_last() -> None:
    counter = Counter(group=1, whole=0)
    async with waiting(counter) as waiters:
        await waiters.come("one", 0, GROUP, DELAYS, WHOLE)
        assert waiters.gone == []
        counter.left["whole"] = 1
        await _gone(waiters, ["one"])
    assert counter.charged == [("group", "group"), ("whole",)]


async def test_in_a_narrow_line_one_call_is_made_after_another() -> None:
    async with waiting(Counter(group=9, whole=9)) as waiters:
        await waiters.come("slow", 3, GROUP, WHOLE, stay=True)
        await waiters.come("next", 0, GROUP, WHOLE)
        await waiters.come("elsewhere", 5, WHOLE)
        assert waiters.gone == ["slow", "elsewhere"]
        waiters.tasks["slow"].cancel()
        await _gone(waiters, ["slow", "elsewhere", "next"])


async def test_whoever_gives_up_is_no_obstacle() -> None:
    counter = Counter(whole=0)
    async with waiting(counter) as waiters:
        for name in ("first", "second", "third"):
            await waiters.come(name, 0, WHOLE)
        waiters.tasks["first"].cancel()
        waiters.tasks["second"].cancel()
        counter.left["whole"] = 9
        async with asyncio.timeout(PATIENCE):
            await waiters.tasks["third"]


async def test_without_allowances_nobody_waits() -> None:
    async with waiting(Counter()) as waiters:
        await waiters.come("one", 0)
        assert waiters.gone == ["one"]
