"""The local page as a chat: what it is told beside its tables, which each tab follows by itself."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from cachetools import FIFOCache

from adapters.web.open_tabs import OpenTabs
from adapters.web.tab import Tab
from bot.markup import Name, Page, PublicScreen, SeatScreen, Text, Typed
from bot.pictures import draw_picture
from bot.ports import Chat, Features, Limits, Links, Person, Places, PrivateClosed, RateLimit

PLACE: Final = "web:local"

_MOST_BOARDS: Final = 20
"""The most boards shown to a new tab."""
_MOST_MISSED: Final = 1000
"""The most people for whom a farewell waits."""


class _NoLimits(Limits):
    """A page takes as much as there is."""

    def public(self, place: str) -> tuple[RateLimit, ...]:
        return ()

    def urgent(self, place: str) -> tuple[RateLimit, ...]:
        return ()

    def private(self, person: str) -> tuple[RateLimit, ...]:
        return ()


class _NoLinks(Links):
    """Who reads the page is there."""

    @property
    def home(self) -> None:
        return None

    @property
    def add(self) -> None:
        return None

    def app(self, invitation: str) -> None:
        return None

    def start(self, payload: str) -> None:
        return None

    def share(self, payload: str, words: str) -> None:
        return None


class _OnlyPlace(Places):
    """The page, which is its own community. It has no name and no address that holds for everybody."""

    def __init__(self, *, private: bool) -> None:
        self._private = private

    def name(self, place: str) -> str:
        return ""

    def link(self, place: str) -> None:
        return None

    def message_link(self, place: str, message: str) -> None:
        return None

    async def community(self, place: str) -> str:
        return place

    async def organises(self, person: str, place: str) -> bool:
        """Return whether only this machine can reach the page: then everybody is an organiser."""
        return self._private and place == PLACE

    async def reads(self, person: str, place: str) -> bool:
        """Return whether it is the page's place, which every tab shows."""
        return place == PLACE


class LocalChat(Chat):
    """The place `web:local`, and a tab's person.

    What it remembers may be lost: delivery sends the next board.
    """

    name = "web"
    features = Features(
        private_everywhere=True,
        leads_to_private=False,
        has_forms=False,
        draws_tables=True,
        opens_app=frozenset(),
    )
    limits: Limits = _NoLimits()
    links: Links = _NoLinks()

    def __init__(self, *, private: bool) -> None:
        """`private`: only this machine can reach the page."""
        self.places: Places = _OnlyPlace(private=private)
        self._tabs = OpenTabs()
        self._boards = FIFOCache[str, tuple[PublicScreen, bytes | None]](_MOST_BOARDS)
        self._missed = FIFOCache[str, SeatScreen](_MOST_MISSED)
        """The last farewell that each person without a tab has to read."""

    @contextmanager
    def showing(self, tab: Tab) -> Iterator[None]:
        """Tell a tab what there is to know, and what comes while the body runs."""
        for screen, png in self._boards.values():
            tab.show_board(screen, png)
        if (missed := self._missed.pop(tab.person.key, None)) is not None:
            tab.show_notice(missed.text, urgent=True)
        with self._tabs.showing(tab):
            yield

    @property
    def received_by_one(self) -> bool:
        return False

    async def start(self) -> None:
        """Do nothing: the page's server is started by its owner."""

    async def run(self) -> None:
        """Serve tabs until cancelled."""
        await asyncio.Event().wait()

    async def stop(self) -> None:
        """Do nothing: the page's server closes the connections."""

    def type_command(self, typed: Typed) -> str:
        return typed.line

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        """Show a board in all tabs. The tabs follow the tables by themselves."""
        if screen.live is None:
            png = None if screen.picture is None else await draw_picture(screen.picture)
            known = self._boards.get(screen.table)
            if known is None or known[0].version <= screen.version:
                self._boards.pop(screen.table, None)
                self._boards[screen.table] = screen, png
                for tab in self._tabs:
                    tab.show_board(screen, png)
        return screen.table

    async def show_rack(
        self, person: str, screen: SeatScreen, message: str | None, *, notify: bool, silent: bool = False
    ) -> str:
        """Show a farewell in the person's tabs, or in their next one, unless they know what it says. The tabs
        follow the racks by themselves."""
        if screen.live is None and not screen.known:
            tabs = self._of(person)
            for tab in tabs:
                tab.show_notice(screen.text, urgent=True)
            if not tabs:
                self._missed[person] = screen
        return screen.table

    async def send_direct(self, person: str, page: Page, once: str) -> str:
        """Show a page in the person's tabs. Without one they can't be reached in private. It has no
        reference, because it is closed there."""
        tabs = self._of(person)
        for tab in tabs:
            await tab.show_page(page)
        if not tabs:
            raise PrivateClosed
        return ""

    async def post_line(
        self,
        place: str,
        text: Text,
        *,
        calls: Sequence[Person] = (),
        opens: str | None = None,
        once: str = "",
    ) -> str:
        """Show a temporary line. It has no reference, because nothing ever deletes it."""
        names = [part for person in calls for part in (", ", Name(person.name))][1:]
        for tab in self._tabs:
            tab.show_notice((*names, ": ", *text) if names else text, urgent=False)
        return ""

    async def delete_line(self, place: str, message: str) -> None:
        """Do nothing: the line has disappeared by itself."""

    def _of(self, person: str) -> list[Tab]:
        return [tab for tab in self._tabs if tab.person.key == person]
