"""Latest snapshot: a table, night or daily board as this process knows it, with what it has noted since.

A commit or a note of this process replaces it, and so does a read; of two commits the one of the higher
version is newer.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from bot.delivery.notes import Notes
from bot.delivery.snapshot import Snapshot, Snapshots, TableAsTold, with_notes
from bot.repository.tables import StoredTable
from bot.store import Mark

KNOWN_SECONDS: Final = 5.0
"""Seconds for which a table that this process has committed need not be read, if nobody has changed it."""


class LatestSnapshot:
    """The latest snapshot of a table, night or daily board."""

    def __init__(self, of: str, snapshots: Snapshots, clock: Callable[[], float]) -> None:
        """`clock` is the store's."""
        self._of = of
        self._snapshots = snapshots
        self._clock = clock
        self.snapshot: Snapshot | None = None
        """None: nothing is stored, or nothing was read yet."""
        self.is_current = False
        """Whether it holds everything that this process knows."""
        self._committed: StoredTable | None = None
        """The table, while its last change that this process knows of is its own."""
        self._notes: Notes = {}
        """The notes that this process has made since that change, or since the last read began."""
        self._taking = asyncio.Lock()

    def note_commit(self, stored: StoredTable) -> None:
        """Note that this process has just changed the table."""
        known = [self._committed] if self._committed else []
        if isinstance(self.snapshot, TableAsTold):
            known.append(self.snapshot.stored)
        if all(stored.version > each.version for each in known):
            self._committed, self.is_current = stored, False

    def note(self, notes: Notes) -> None:
        """Note what this process has just noted in the store."""
        self._notes = {**self._notes, **notes}
        if self.snapshot is not None:
            self.snapshot = with_notes(self.snapshot, notes)

    def doubt(self) -> None:
        """Have it taken once more before anything else is sent."""
        self.is_current = False

    def forget(self) -> None:
        """Have everything read before anything else is sent: others may have changed it."""
        self._committed, self.is_current = None, False

    def is_own(self, mark: Mark) -> bool:
        """Return whether nobody has changed the table since this process did, as the mark tells."""
        known = self._find_recent()
        return known is not None and known.mark == mark

    async def take(self) -> None:
        """Take a new snapshot, if anything has happened since."""
        async with self._taking:
            while not self.is_current:
                self.is_current, committed = True, self._find_recent()
                if committed is None:
                    self._committed, self._notes = None, {}
                try:
                    taken = await self._snapshots.take(self._of, committed)
                except BaseException:
                    self.is_current = False
                    raise
                self.snapshot = None if taken is None else with_notes(taken, self._notes)

    def _find_recent(self) -> StoredTable | None:
        """Return the table as committed, while its deadline and our clock are believed."""
        known = self._committed
        return None if known is None or self._clock() - known.now > KNOWN_SECONDS else known
