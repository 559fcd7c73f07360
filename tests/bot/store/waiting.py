"""What waits in a store, as a test asks: like a worker that holds nothing, so that asking changes nothing."""

from collections.abc import Iterable

from bot.ids import TableId
from bot.store import Mark, Store
from bot.store.keys import PARTITIONS
from bot.store.schedule import Work


async def _look(store: Store, partitions: Iterable[int], limit: int, now: float = 0.0) -> list[Work]:
    return list((await store.look(partitions, "nobody", now, limit)).values())


async def due(store: Store, partitions: Iterable[int] = PARTITIONS, limit: int = 500) -> list[TableId]:
    """Tables whose deadline has passed."""
    return [table for work in await _look(store, partitions, limit) for table in work.due]


async def dirty(
    store: Store, partitions: Iterable[int] = PARTITIONS, limit: int = 500
) -> list[tuple[str, Mark]]:
    """What chats may not show at its newest, longest waiting first."""
    works = await _look(store, partitions, limit)
    return sorted(((each.key, each.mark) for work in works for each in work.dirty), key=lambda each: each[1])


async def ended(store: Store, limit: int = 500) -> list[tuple[TableId, Mark]]:
    """Tables with a result that the match history may not have, longest waiting first."""
    works = await _look(store, PARTITIONS, limit)
    return sorted((each for work in works for each in work.ended), key=lambda each: each[1])


async def agenda(
    store: Store, now: float, partitions: Iterable[int] = PARTITIONS, limit: int = 500
) -> list[str]:
    """What of the agenda is to be looked at by `now`."""
    return [key for work in await _look(store, partitions, limit, now) for key in work.agenda]


async def clean(store: Store, key: str, mark: Mark) -> None:
    """Everything that is dirty there is delivered."""
    await store.delivered(key, mark, (), ())
