"""Deadlines of clocks, read and changed by tests."""

from collections.abc import Iterable

from bot.store import Store, keys
from bot.store.keys import PARTITIONS
from bot.store.schedule import Work


async def next_due(store: Store, partitions: Iterable[int]) -> float | None:
    """Seconds until the next deadline, 0 when one has passed, None when there is none."""
    found = [
        stored
        for partition in partitions
        for table in await store._server.call("ZRANGE", keys.deadlines(partition), 0, -1)
        if (stored := await store.documents.load(table.decode())) is not None
    ]
    waits = [max(0.0, stored.due - stored.now) for stored in found if stored.due is not None]
    return min(waits, default=None)


async def unseen_for(store: Store, seconds: float) -> None:
    """Make it look as if nobody had been seen at work for this long."""
    for alive in await store._server.call("KEYS", "*alive"):
        seen, patience = (await store._server.call("GET", alive)).split()
        await store._server.call("SET", alive, b"%d %s" % (int(seen) - round(seconds * 1000), patience))


async def nobody_for(store: Store, seconds: float) -> None:
    """Make it look as if everything had happened this long ago, with nobody at work since."""
    await unseen_for(store, seconds)
    for deadlines in await store._server.call("KEYS", "*due"):
        for table in await store._server.call("ZRANGE", deadlines, 0, -1):
            await store._server.call("ZINCRBY", deadlines, -seconds * 1000, table)


async def takes_clocks(store: Store, worker: str) -> None:
    """Have a worker hold the clocks of all partitions, whoever held them before."""
    clock = dict.fromkeys(PARTITIONS, frozenset({"clock"}))
    assert await store.leases.claim(worker, clock, frozenset()) == clock


async def looks(store: Store, worker: str, now: float = 0.0) -> list[Work]:
    """What a worker finds. Doing nothing then is like being killed at that moment."""
    return list((await store.timers.look(PARTITIONS, worker, now, 500)).values())
