"""Ports of the table as an app: doors, which identify people, and the application that they lead to."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from adapters.web.protocol import Enter
from bot.markup import Link
from bot.ports import Answer, AppView, Person


class DoorAway(Exception):
    """The platform does not answer, so the door cannot work now."""


class NotAdmitted(Exception):
    """The proof is forged, too old, used up, or of a person who is not there. The exception does not say
    which."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A person whom a door lets in."""

    person: Person
    table: str = ""
    """The table that they come for. It is only a wish."""
    place: str = ""
    """The place where they opened the app."""
    proof: str = field(default="", repr=False, compare=False)
    """The part of the proof that the platform alone can make: the same however the rest is written."""


class Door(Protocol):
    """One way in, which identifies people."""

    platform: str
    """The short name of its chat."""
    frames: str
    """The sites that may show its document in a frame."""
    asks_platform: bool
    """Whether it asks its platform about each proof, rather than check a signature itself."""

    async def enter(self, entering: Enter) -> Entry:
        """Return the person of this proof. Raises NotAdmitted, DoorAway."""
        ...

    async def client(self) -> str:
        """Data on the application for its document; empty: none. Raises DoorAway."""
        ...

    async def origins(self) -> tuple[str, ...]:
        """Origins besides our own address to which its document connects."""
        ...


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
        """Return the changes since the last look."""
        ...

    async def person(self) -> Person:
        """Return the person of the page."""
        ...

    async def opens(self) -> bool:
        """Return whether tables can be opened from here."""
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
        """Return the address that opens a chat's app for a guest of a table."""
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

    def visit_as(
        self, by: Callable[[], Person], place: str, table: str
    ) -> AbstractAsyncContextManager[AppPage]:
        """Keep a page open whose chat itself identifies the person: it shows a place, and looks at a table.

        `by`: the person as they are called now.
        """
        ...
