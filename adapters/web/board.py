"""What the page shows: the tables to every tab, a rack to its person's tabs alone."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Final

from adapters.web.markup import markings_for
from adapters.web.messages import Notice, ShowLeaflet, ShowRack, ShowTable
from adapters.web.tabs import Tab
from bot.markup import Page, PublicScreen, ResultPicture, SeatScreen, Text
from bot.pictures import draw

_MOST_TABLES: Final = 20
"""Tables that a newly opened tab is shown; those that changed longest ago drop out."""


@dataclass(frozen=True, slots=True)
class _Shown:
    screen: PublicScreen
    png: bytes | None


class Board:
    """The open tabs and the newest screen of each table.

    Nothing here must last: after a restart the tabs ask the router, and the post brings the rest.
    """

    def __init__(self) -> None:
        self._tabs: set[Tab] = set()
        self._tables: dict[str, _Shown] = {}

    def add(self, tab: Tab) -> None:
        """A tab has connected: it is shown all tables."""
        self._tabs.add(tab)
        for shown in self._tables.values():
            _show(tab, shown)

    def remove(self, tab: Tab) -> None:
        """A tab is gone."""
        self._tabs.discard(tab)

    async def show_table(self, screen: PublicScreen) -> None:
        """Bring a table to this screen in all tabs, unless they have seen a newer one."""
        png = await self._picture_of(screen)
        known = self._tables.get(screen.table)
        if known and known.screen.revision > screen.revision:
            return
        self._tables.pop(screen.table, None)
        self._tables[screen.table] = shown = _Shown(screen, png)
        if len(self._tables) > _MOST_TABLES:
            del self._tables[next(iter(self._tables))]
        for tab in self._tabs:
            _show(tab, shown)

    async def show_rack(self, person: str, screen: SeatScreen, *, notify: bool = False) -> None:
        """Bring a person's own screen to all his tabs (two, when he copied one)."""
        result = screen.picture if isinstance(screen.picture, ResultPicture) else None
        png = await asyncio.to_thread(draw, result) if result else None
        screen = self._beside_its_table(screen)
        for tab in self._tabs:
            if tab.person.key == person and tab.is_news(screen.table, screen.revision):
                markings = markings_for(tab.person.language)
                html, spoken = markings.rack(screen, png), markings.plain(screen.text)
                tab.tell(ShowRack(screen.table, html, spoken, notify, time.time()), f"rack {screen.table}")

    async def hand(self, person: str, letter: Page) -> bool:
        """Show a letter in a person's tabs; whether he has one open."""
        tabs = [tab for tab in self._tabs if tab.person.key == person]
        for tab in tabs:
            await show_leaflet(tab, letter)
        return bool(tabs)

    def _beside_its_table(self, screen: SeatScreen) -> SeatScreen:
        """Without the buttons that its table shows on the same page."""
        shown = self._tables.get(screen.table)
        if shown is None:
            return screen
        there = {button.press for row in shown.screen.buttons for button in row}
        rows = (tuple(button for button in row if button.press not in there) for row in screen.buttons)
        return replace(screen, buttons=tuple(row for row in rows if row))

    def tell(self, text: Text) -> None:
        """A passing line for everybody."""
        for tab in self._tabs:
            notice(tab, text, urgent=False)

    async def _picture_of(self, screen: PublicScreen) -> bytes | None:
        known = self._tables.get(screen.table)
        if known and known.screen.picture == screen.picture:
            return known.png
        return await asyncio.to_thread(draw, screen.picture) if screen.picture else None


def notice(tab: Tab, text: Text, *, urgent: bool) -> None:
    """A line for one tab."""
    tab.tell(Notice(str(markings_for(tab.person.language).text(text)), urgent))


async def show_leaflet(tab: Tab, leaflet: Page) -> None:
    """Something to read, for one tab."""
    png = await asyncio.to_thread(draw, leaflet.picture) if leaflet.picture else None
    markings = markings_for(tab.person.language)
    tab.tell(ShowLeaflet(markings.leaflet(leaflet, png), markings.plain(leaflet.text)), "leaflet")


def _show(tab: Tab, shown: _Shown) -> None:
    markings = markings_for(tab.person.language)
    screen = shown.screen
    html, spoken = markings.table(screen, shown.png), markings.plain(screen.text)
    tab.tell(ShowTable(screen.table, html, spoken, screen.over, time.time()), f"table {screen.table}")
