"""Hints that lead to tables, without their tables."""

from collections.abc import Iterable

from bot.store import Store, table_hints
from bot.store.index import note


async def note_table(
    store: Store, table: str, *, places: Iterable[str] = (), persons: Iterable[str] = ()
) -> None:
    """Note that a table may stand at these places, and that these persons may sit at it."""
    await note(store._server, table_hints(table, places=places, persons=persons))
