"""Stage: a place of a chat with two people in it, the bot, and a router that answers as it is told.

What every chat promises is tested on each stage; what is a platform's own stands in the tests of its adapter.
"""

from dataclasses import dataclass
from typing import Protocol

from bot.markup import Button, PublicScreen, Row, SeatScreen, Text
from bot.ports import Chat
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter, rack_picture, table_picture

JOIN = Button(("Join",), "join.t1.0", "good")
MY_RACK = Button(("My rack",), "rack.t1.0")
DRAW = Button(("Draw",), "draw.t1.5", "primary")
DISCARD = Button(("Discard",), "discard.t1.5.R4")


@dataclass(frozen=True, slots=True)
class Seen:
    """A message of the bot as somebody sees it."""

    id: int
    words: str
    labels: tuple[str, ...] = ()
    picture: bool = False
    calls: frozenset[str] = frozenset()
    """The keys of the people whom it notifies by their names."""


class Stage(Protocol):
    """A place where Ada, who reads Turkish, and Can, who reads English, meet the bot."""

    chat: Chat
    router: ScriptedRouter
    delivery: ScriptedDelivery
    place: str
    ada: str
    can: str

    async def read(self, place: str = "") -> list[Seen]:
        """Return what the bot has written for everybody in a place, by default the stage's, oldest first."""
        ...

    async def read_private(self, person: str) -> list[Seen]:
        """Return what the bot has written to a person in private, oldest first."""
        ...

    async def close_private(self, person: str) -> None:
        """Let a person close their private messages to the bot."""
        ...

    async def open_private(self, person: str) -> None:
        """Let a person open their private messages again."""
        ...


class TimelineStage(Stage, Protocol):
    """A stage whose messages stay where they are (`bot.ports.Timeline`) until somebody deletes them."""

    async def delete(self, message: Seen, place: str = "") -> None:
        """Delete a message of a place as its people can."""
        ...


class RoomStage(Stage, Protocol):
    """A stage whose place can have threads or topics (`bot.ports.Rooms`)."""

    async def open_thread(self, name: str) -> str:
        """Open a thread or topic as people do, and return its key."""
        ...

    async def delete_thread(self, place: str) -> None:
        """Delete a thread or topic."""
        ...

    async def allow_rooms(self, *, allowed: bool) -> None:
        """Give the bot the right to open rooms, or take it."""
        ...


class RefusingStage(Stage, Protocol):
    """A stage on which the platform can refuse the bot."""

    async def silence(self, *, silenced: bool = True) -> None:
        """Take the bot's right to write in the place, or give it back."""
        ...

    async def be_busy(self, seconds: float) -> None:
        """Let the platform ask for a pause at the next message to the place."""
        ...


class ActingStage(Stage, Protocol):
    """A stage on which people can act."""

    async def press(self, person: str, label: str, *, private: bool = False) -> str:
        """Press the button on the newest message that has it, and return what they alone are told at once."""
        ...

    async def press_again(self) -> None:
        """Deliver the last press a second time."""
        ...

    async def command(self, person: str, line: str, place: str | None = "") -> None:
        """Type a command that has a name of its own, such as `help`, in a place or (None) in private."""
        ...

    async def told(self, person: str, words: str) -> Seen:
        """Wait for a message with these words that a person alone sees: in private, or in the place."""
        ...


class PlatformStage(TimelineStage, RoomStage, RefusingStage, ActingStage, Protocol):
    """A stage on a platform behind a network."""

    async def fail_once(self) -> None:
        """Let the platform fail at the next message to the place."""
        ...

    async def make_organiser(self, person: str) -> None:
        """Let a person run the place's community."""
        ...


def table_screen(
    version: int = 1, *, words: str = "The table", buttons: tuple[Row, ...] = ((JOIN, MY_RACK),)
) -> PublicScreen:
    """A table with a picture."""
    return PublicScreen(
        table="t1", version=version, text=(words,), picture=table_picture(), alt="", buttons=buttons
    )


def rack_screen(
    version: int = 1, *, text: Text = ("Your rack",), buttons: tuple[Row, ...] = ((DRAW,), (DISCARD,))
) -> SeatScreen:
    """A rack with a picture."""
    return SeatScreen(
        table="t1", version=version, text=text, picture=rack_picture("R4", "B9"), buttons=buttons, alt=""
    )
