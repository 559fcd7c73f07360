"""Open browser tabs: each of them shows the tables, and a person's own tabs show their rack."""

import asyncio
import hashlib
import itertools
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from aiohttp import web
from cachetools import FIFOCache

from adapters.web.markup import Renderer, renderer_for
from adapters.web.protocol import (
    Alive,
    Company,
    Gone,
    Here,
    NoRack,
    Notice,
    ShowBoard,
    ShowPage,
    ShowRack,
    ShowTable,
    TabToken,
    Told,
    write,
)
from bot.markup import Page, PublicScreen, SeatScreen, Text
from bot.pictures import draw_picture
from bot.ports import Person

_PUBLIC_ID: Final = 20
"""Hexadecimal digits of a person's id: 80 bits, so that no two tabs get the same."""
QUIET_SECONDS: Final = 20.0
"""Seconds after which a page that was sent nothing is told that the server is there."""
_MOST_TABLES: Final = 20
"""The most tables shown to a new tab. Those unchanged for longest are dropped."""
_MOST_MISSED: Final = 1000
"""The most people for whom a screen waits."""

LOBBY: Final = "lobby"
"""The stage of a table before its match."""

_numbers: Final = itertools.count()


def person_of(token: TabToken, name: str, language: str) -> Person:
    """The person of a tab's secret: the same after a restart. The secret cannot be computed from the
    person."""
    digest = hashlib.sha256(b"okey: a person on the page\0" + token.encode()).hexdigest()
    return Person(f"web:{digest[:_PUBLIC_ID]}", name, language)


@dataclass(frozen=True, slots=True)
class _Shown:
    screen: PublicScreen
    png: bytes | None


@dataclass(eq=False)
class Tab:
    """One connection of a tab. Unsent messages wait here, only the newest of each kind."""

    person: Person
    clock: Callable[[], float]
    """See `bot.ports.DeliveryPort.clock`."""
    _waiting: dict[str, str] = field(default_factory=dict, repr=False)
    _more: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    _versions: dict[str, int] = field(default_factory=dict, repr=False)
    at: str = ""
    """The table that the person looks at; empty: none."""
    seats: dict[str, int] = field(default_factory=dict)
    """Their seat at each table whose rack it shows."""
    _here: Mapping[str, Company] = field(default_factory=dict)

    @property
    def renderer(self) -> Renderer:
        """The renderer for the person's language."""
        return renderer_for(self.person.language)

    def rename(self, name: str) -> None:
        """Change the person's name."""
        self.person = replace(self.person, name=name)

    def tell(self, told: Told, key: str = "") -> None:
        """Send a message, which takes the place of an unsent one with the same key. Without a key it replaces
        none."""
        self._waiting[key or f"#{next(_numbers)}"] = write(told)
        self._more.set()

    def show_notice(self, text: Text, *, urgent: bool) -> None:
        """Show a temporary line or, if urgent, one that stays until it is closed."""
        self.tell(Notice(str(self.renderer.text(text)), urgent))

    async def show_page(self, page: Page) -> None:
        """Show a page to read."""
        renderer = self.renderer
        html = await renderer.reading(page)
        self.tell(ShowPage(html, renderer.plain(page.text), page.series), "reading")

    def show_table(self, screen: PublicScreen, png: bytes | None) -> None:
        """Show a table, or a league's night, as everybody sees it."""
        spoken, now = self.renderer.spoken(screen.text), self.clock()
        key = f"table {screen.table}"
        if (live := screen.live) is not None:
            self.tell(ShowTable(live, spoken, now), key)
        else:
            html = self.renderer.board(screen, png)
            self.tell(ShowBoard(screen.table, html, spoken, screen.over, now), key)

    def show_rack(self, screen: SeatScreen, *, notify: bool) -> None:
        """Show the person's own screen, unless the tab was shown a later one. A screen without a rack becomes
        an alert, unless they know what it says."""
        if screen.version < self._versions.get(screen.table, screen.version):
            return
        self._versions[screen.table] = screen.version
        if (live := screen.live) is None:
            if not screen.known:
                self.show_notice(screen.text, urgent=True)
            self.drop_racks(keeping=self._versions.keys() - {screen.table})
            return
        self.seats[screen.table] = live.seat
        spoken = self.renderer.spoken(screen.text)
        self.tell(ShowRack(live, spoken, notify, self.clock()), f"rack {screen.table}")

    def drop(self, table: str) -> None:
        """Show a table no more that the person can't see any longer, or not from a seat."""
        self._versions.pop(table, None)
        self.seats.pop(table, None)
        self._waiting.pop(f"table {table}", None)
        self._waiting.pop(f"rack {table}", None)
        self.tell(Gone(table))

    def show_racks(self, screens: Sequence[SeatScreen], shown: str) -> list[SeatScreen]:
        """Show all of the person's own screens, and no others. Return those that were not shown yet.

        A lobby's is shown again: its seats move up when somebody leaves, without a new screen of theirs.
        The screen of the table `shown` has just been.
        """
        self.drop_racks(keeping={screen.table for screen in screens})
        others = [screen for screen in screens if screen.table != shown]
        news = [screen for screen in others if _is_lobby(screen) or self._is_newer(screen)]
        for screen in news:
            self.show_rack(screen, notify=False)
        return news

    def _is_newer(self, screen: SeatScreen) -> bool:
        return screen.version > self._versions.get(screen.table, -1)

    def drop_racks(self, keeping: Collection[str] = ()) -> None:
        """Show no rack any longer but those of some tables."""
        for table in self._versions.keys() - keeping:
            del self._versions[table]
            self.seats.pop(table, None)
            self._waiting.pop(f"rack {table}", None)
            self.tell(NoRack(table))

    def tell_company(self, tables: Mapping[str, Company]) -> None:
        """Tell who is at each table, unless it knows."""
        if tables != self._here:
            self._here = tables
            self.tell(Here(tables), "here")

    def shows_rack(self, table: str) -> bool:
        """Return whether it shows the person's rack at a table."""
        return table in self._versions

    def new_id(self) -> str:
        """An id for a request of the tab itself."""
        return f"tab-{next(_numbers)}-{secrets.token_hex(8)}"

    async def send_to(self, socket: web.WebSocketResponse) -> None:
        """Send waiting messages until the socket closes. When there are none, say so now and then."""
        while True:
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    await self._more.wait()
            except TimeoutError:
                self.tell(Alive(self.clock()))
            self._more.clear()
            while self._waiting:
                await socket.send_str(self._waiting.pop(next(iter(self._waiting))))


def _is_lobby(screen: SeatScreen) -> bool:
    return screen.live is not None and screen.live.table.stage == LOBBY


class Tabs:
    """The open tabs and the newest screen of each table.

    All of it may be lost: after a restart the tabs ask the router, and delivery sends the rest.
    """

    def __init__(self) -> None:
        self._open: set[Tab] = set()
        self._tables = FIFOCache[str, _Shown](_MOST_TABLES)
        self._missed = FIFOCache[str, SeatScreen](_MOST_MISSED)
        """The last screen without a rack that each person without a tab has to read."""

    def add(self, tab: Tab) -> None:
        """Add a connected tab and show it all tables."""
        self._open.add(tab)
        for shown in self._tables.values():
            tab.show_table(shown.screen, shown.png)
        if (missed := self._missed.pop(tab.person.key, None)) is not None:
            tab.show_rack(missed, notify=False)

    def with_rack(self, table: str) -> list[Tab]:
        """The tabs of people who sit at a table."""
        return [tab for tab in self._open if tab.shows_rack(table)]

    def remove(self, tab: Tab) -> None:
        """Remove a tab that has disconnected."""
        self._open.discard(tab)

    async def show_table(self, screen: PublicScreen) -> None:
        """Show a table's screen in all tabs, except those with a newer one."""
        png = None
        if screen.live is None and screen.picture is not None:
            png = await draw_picture(screen.picture)
        known = self._tables.get(screen.table)
        if known and known.screen.version > screen.version:
            return
        self._tables.pop(screen.table, None)
        self._tables[screen.table] = _Shown(screen, png)
        for tab in self._open:
            tab.show_table(screen, png)

    async def show_rack(self, person: str, screen: SeatScreen, *, notify: bool = False) -> None:
        """Show a person's own screen in all their tabs (two, when they copied one). A new tab asks for racks
        itself, but not for the word that one is gone."""
        tabs = self._of(person)
        if not tabs and screen.live is None:
            self._missed[person] = screen
        for tab in tabs:
            tab.show_rack(screen, notify=notify)
        self.tell_company()

    def tell_company(self) -> None:
        """Tell all tabs who is at each table."""
        company = {table: self._find_company(table) for table in self._tables}
        here = {table: each for table, each in company.items() if each.seats or each.watchers}
        for tab in self._open:
            tab.tell_company(here)

    def _find_company(self, table: str) -> Company:
        seated = [tab for tab in self._open if table in tab.seats]
        looking = {tab.person.key for tab in self._open if tab.at == table}
        seats = sorted({tab.seats[table] for tab in seated})
        return Company(tuple(seats), len(looking - {tab.person.key for tab in seated}))

    async def show_page(self, person: str, page: Page) -> bool:
        """Show a page to read in a person's tabs. Return whether one is open."""
        tabs = self._of(person)
        for tab in tabs:
            await tab.show_page(page)
        return bool(tabs)

    def show_notice(self, text: Text) -> None:
        """Show everybody a temporary line."""
        for tab in self._open:
            tab.show_notice(text, urgent=False)

    def _of(self, person: str) -> list[Tab]:
        return [tab for tab in self._open if tab.person.key == person]
