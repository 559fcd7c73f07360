"""Open tabs: who is at each table, as the pages of one process know it together.

Nothing of it is stored: a page counts as long as its connection lives, and no chat shows a message for it. Of
several processes each knows its own pages alone.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from adapters.web.protocol import Company
from adapters.web.tab import Tab

_PAUSE_SECONDS: Final = 0.5
"""Seconds between two rounds of telling, so that a thousand pages that return at once cost two, not a
thousand."""


class OpenTabs:
    """All open tabs of one page."""

    def __init__(self) -> None:
        self._tabs: set[Tab] = set()
        self._telling: asyncio.TimerHandle | None = None
        self._told = 0.0

    def __iter__(self) -> Iterator[Tab]:
        return iter(self._tabs)

    @contextmanager
    def showing(self, tab: Tab) -> Iterator[None]:
        """Count a tab while the body runs, and tell it who else is at the tables that it shows."""
        self._tabs.add(tab)
        tab.moved = self._tell_soon
        try:
            yield
        finally:
            self._tabs.discard(tab)
            self._tell_soon()

    def _tell_soon(self) -> None:
        if self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_at(max(loop.time(), self._told + _PAUSE_SECONDS), self._tell)

    def _tell(self) -> None:
        self._telling, self._told = None, asyncio.get_running_loop().time()
        company = self._find_company()
        for tab in self._tabs:
            tab.tell_company({table: company[table] for table in tab.tables & company.keys()})

    def _find_company(self) -> dict[str, Company]:
        seats, looking = defaultdict[str, dict[str, int]](dict), defaultdict[str, set[str]](set)
        for tab in self._tabs:
            for table, seat in tab.seats.items():
                seats[table][tab.person.key] = seat
            if tab.at in tab.tables:
                looking[tab.at].add(tab.person.key)
        found = {}
        for table in seats.keys() | looking.keys():
            sitting = seats.get(table, {})
            watchers = len(looking.get(table, set()) - sitting.keys())
            if sitting or watchers:
                found[table] = Company(tuple(sorted({*sitting.values()})), watchers)
        return found
