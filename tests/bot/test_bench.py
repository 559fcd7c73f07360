"""`okey bench` plays on tables of its own: what it measures is the game itself."""

from bot.bench.moves import move_times, open_tables, press_times
from bot.store import Store


async def test_tables_are_opened_and_played_at(store: Store) -> None:
    tables = await open_tables(store, 2)
    for play in (move_times, press_times):
        versions = [held.version for table in tables if (held := await store.load(table)) is not None]
        await play(store, tables, 0.05)
        after = [held.version for table in tables if (held := await store.load(table)) is not None]
        assert all(new > old for new, old in zip(after, versions, strict=True))
    assert len(versions) == 2
