"""The app port: what the page's public doors ask of the application."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bot.markup import Link
from bot.ports import Answer, AppView, Person


class AppPage(Protocol):
    """One open page, as the application sees it. Everything raises SessionOver once its session is."""

    @property
    def wish(self) -> str:
        """The table that the person came for; empty: none."""
        ...

    async def looks(self, *, visible: bool) -> None:
        """The page came before somebody's eyes, or behind others."""
        ...

    async def news(self) -> None:
        """Wait until there may be something new to see."""
        ...

    async def look(self) -> AppView:
        """What is new since the last look."""
        ...

    async def person(self) -> Person:
        """Whose page it is."""
        ...

    async def opens(self) -> bool:
        """Whether tables can be opened from here."""
        ...

    async def press(self, data: str, id: str, *, public: bool) -> Answer:
        """Carry out a button."""
        ...

    async def command(self, verb: str, argument: str, id: str) -> Answer:
        """Carry out a command."""
        ...


class AppPort(Protocol):
    """What doors ask of the application."""

    def homes(self) -> Mapping[str, Link]:
        """Where people meet the bot in each chat, by its short name."""
        ...

    def link(self, platform: str, invitation: str) -> str | None:
        """An address that opens the app of a chat for who is invited to a table."""
        ...

    async def redeem(self, secret: str) -> str | None:
        """The token of the session that a personal link begins, once."""
        ...

    async def begin(self, person: Person, place: str) -> str:
        """The token of a session for a person whose door has made sure who they are."""
        ...

    def visit(self, token: str, table: str) -> AbstractAsyncContextManager[AppPage]:
        """A page is open, and looks at a table; empty: at none yet. Raises SessionOver."""
        ...
