"""The app port: the part of the application that the page's public doors call."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bot.markup import Link
from bot.ports import Answer, AppView, Person


class AppPage(Protocol):
    """One open page, as the application sees it. Every method raises SessionOver once its session is over."""

    @property
    def wish(self) -> str:
        """The table that the person came for; empty: none."""
        ...

    async def looks(self, *, visible: bool) -> None:
        """Note that the page is shown or hidden."""
        ...

    async def news(self) -> None:
        """Wait until there may be something new to see."""
        ...

    async def look(self) -> AppView:
        """The changes since the last look."""
        ...

    async def person(self) -> Person:
        """The person of the page."""
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
    """The interface that doors call."""

    def homes(self) -> Mapping[str, Link]:
        """Links to the bot in each chat, by the chat's short name."""
        ...

    def link(self, platform: str, invitation: str) -> str | None:
        """The address that opens a chat's app for a guest of a table."""
        ...

    async def redeem(self, secret: str) -> str | None:
        """Return the token of the session that a personal link begins. A link works once."""
        ...

    async def begin(self, person: Person, place: str) -> str:
        """Begin a session for a person whose door has identified them, and return its token."""
        ...

    def visit(self, token: str, table: str) -> AbstractAsyncContextManager[AppPage]:
        """Keep a page open that looks at a table; empty: at none yet. Raises SessionOver."""
        ...
