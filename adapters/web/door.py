"""A door: identifies people before they use the table as an app."""

from dataclasses import dataclass
from typing import Protocol

from adapters.web.protocol import Enter
from bot.ports import Person


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


class Door(Protocol):
    """One way in, which identifies people."""

    platform: str
    """The short name of its chat."""
    frames: str
    """The sites that may show its document in a frame."""

    async def enter(self, entering: Enter) -> Entry:
        """The person of this proof. Raises NotAdmitted."""
        ...

    async def client(self) -> str:
        """Data on the application for its document; empty: none. Raises DoorAway."""
        ...

    async def origins(self) -> tuple[str, ...]:
        """Origins besides our own address to which its document connects."""
        ...
