"""When clocks end, as a test asks."""

from collections.abc import Iterable

from bot.store import Store


async def next_due(store: Store, partitions: Iterable[int]) -> float | None:
    """Seconds until the next deadline, 0 when one has passed, None when there is none."""
    tables = [table for partition in partitions for table in await store.with_deadline(partition)]
    found = [stored for stored in await store.load_many(tables) if stored is not None]
    waits = [max(0.0, stored.due - stored.now) for stored in found if stored.due is not None]
    return min(waits, default=None)
