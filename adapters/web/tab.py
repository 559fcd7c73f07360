"""Tab: an open page's connection, and the messages that wait for it."""

import asyncio
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from aiohttp import web

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
    Told,
    write,
)
from bot.markup import Page, PublicScreen, SeatScreen, Text
from bot.ports import Person

QUIET_SECONDS: Final = 8.0
"""Seconds after which a page that was sent nothing is told that the server is there."""

_numbers: Final = itertools.count()


@dataclass(eq=False)
class Tab:
    """One connection of a tab. Unsent messages wait here, only the newest of each kind."""

    person: Person
    clock: Callable[[], float]
    """See `bot.ports.DeliveryPort.clock`."""
    at: str = ""
    """The table that the person looks at; empty: none."""
    seats: dict[str, int] = field(default_factory=dict)
    """Their seat at each table whose rack it shows."""
    tables: set[str] = field(default_factory=set)
    """The tables that it shows as everybody sees them."""
    moved: Callable[[], None] = lambda: None
    """Hears that the person looks at another table, or that their seats or the tables have changed."""
    _here: Mapping[str, Company] = field(default_factory=dict)
    _waiting: dict[str, str] = field(default_factory=dict, repr=False)
    _more: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    @property
    def renderer(self) -> Renderer:
        """The renderer for the person's language."""
        return renderer_for(self.person.language)

    def rename(self, name: str) -> None:
        """Change the person's name."""
        self.person = replace(self.person, name=name)

    def look_at(self, table: str) -> None:
        """Note which table the person looks at; empty: none."""
        self.at = table
        self.moved()

    def tell_company(self, tables: Mapping[str, Company]) -> None:
        """Tell who is at each table, unless it knows."""
        if tables != self._here:
            self._here = tables
            self.tell(Here(tables), "here")

    def tell(self, told: Told, key: str = "") -> None:
        """Send a message, which takes the place of an unsent one with the same key. Without a key it replaces
        none."""
        self._waiting[key or f"#{next(_numbers)}"] = write(told)
        self._more.set()

    def show_notice(self, text: Text, *, urgent: bool) -> None:
        """Show a temporary line or, if urgent, one that stays until it is closed."""
        self.tell(Notice(str(self.renderer.pressable(text)), urgent))

    async def show_page(self, page: Page) -> None:
        """Show a page to read."""
        renderer = self.renderer
        html = await renderer.reading(page)
        puzzle = None if page.puzzle is None else page.puzzle.live
        replay = None if page.replay is None else page.replay.live
        self.tell(ShowPage(html, renderer.spoken(page.text), page.series, puzzle, replay), "reading")

    def show_table(self, screen: PublicScreen) -> None:
        """Show a table as everybody sees it."""
        assert screen.live is not None
        spoken = self.renderer.spoken(screen.text)
        self.tell(ShowTable(screen.live, spoken, self.clock()), f"table {screen.table}")
        if screen.table not in self.tables:
            self.tables.add(screen.table)
            self.moved()

    def show_board(self, screen: PublicScreen, png: bytes | None) -> None:
        """Show a league's night, or what else is no table, as everybody sees it."""
        renderer = self.renderer
        html, spoken = renderer.board(screen, png), renderer.spoken(screen.text)
        self.tell(ShowBoard(screen.table, html, spoken, screen.over, self.clock()), f"board {screen.table}")

    def show_rack(self, screen: SeatScreen) -> None:
        """Show a table as the person sees it from their seat."""
        assert screen.live is not None
        spoken = self.renderer.spoken(screen.text)
        self.tell(ShowRack(screen.live, spoken, self.clock()), f"rack {screen.table}")
        if self.seats.get(screen.table) != screen.live.seat:
            self.seats[screen.table] = screen.live.seat
            self.moved()

    def drop(self, table: str) -> None:
        """Show a table no more that the person can't see any longer."""
        self._waiting.pop(f"table {table}", None)
        self._waiting.pop(f"rack {table}", None)
        self.tell(Gone(table))
        self.tables.discard(table)
        self._get_up(table)

    def drop_rack(self, table: str) -> None:
        """Show a table no more from a seat."""
        self._waiting.pop(f"rack {table}", None)
        self.tell(NoRack(table))
        self._get_up(table)

    def _get_up(self, table: str) -> None:
        self.seats.pop(table, None)
        self.moved()

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
