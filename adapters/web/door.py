"""A door: makes sure who somebody is before they come to the table as an app."""

from dataclasses import dataclass
from typing import Protocol

from adapters.web.protocol import Enter
from bot.ports import Person


class DoorAway(Exception):
    """The platform does not say now what a door must know of it."""


class NotAdmitted(Exception):
    """The proof is forged, too old, used up, or of somebody who is not there. It says nothing of why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody whom a door lets in."""

    person: Person
    table: str = ""
    """The table that they come for: a wish."""
    place: str = ""
    """Where they opened the app."""


class Door(Protocol):
    """Makes sure who somebody is."""

    platform: str
    """The short name of its chat."""
    frames: str
    """Who may show its document in a frame."""

    async def enter(self, entering: Enter) -> Entry:
        """Who brings this proof. Raises NotAdmitted."""
        ...

    async def client(self) -> str:
        """What its document must know of the application; empty: nothing. Raises DoorAway."""
        ...

    async def origins(self) -> tuple[str, ...]:
        """From where besides our own address its document opens connections."""
        ...
