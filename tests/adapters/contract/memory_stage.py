"""A stage in memory: the chat by which the application is tested alone. Nobody acts there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.i18n import plain, words_for
from bot.markup import Page, PublicScreen, SeatScreen, Text
from bot.ports import PlaceDeleted, PlaceRefused, RetryAfter
from tests.adapters.contract.stage import Seen
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.bot.house import PLACE, MemoryChat


@dataclass
class MemoryStage:
    """A place of the chat in memory."""

    chat: MemoryChat = field(default_factory=MemoryChat)
    router: ScriptedRouter = field(default_factory=ScriptedRouter)
    delivery: ScriptedDelivery = field(default_factory=ScriptedDelivery)
    place: str = PLACE
    ada: str = "mem:ada"
    can: str = "mem:can"
    _references: list[str] = field(default_factory=list)
    """Of all messages that were read; a message's place here is its number."""

    async def read(self, place: str = "") -> list[Seen]:
        return self._seen(place or self.place)

    async def read_private(self, person: str) -> list[Seen]:
        return self._seen(person)

    async def open_thread(self, name: str) -> str:
        return f"{self.place}/{name.lower()}"

    async def delete(self, message: Seen, place: str = "") -> None:
        reference = self._references[message.id]
        del self.chat.messages[reference]
        self.chat.deleted.add(reference)

    async def delete_thread(self, place: str) -> None:
        self.chat.refusing[place] = PlaceDeleted()

    async def silence(self, *, silenced: bool = True) -> None:
        if silenced:
            self.chat.refusing[self.place] = PlaceRefused("silenced")
        else:
            del self.chat.refusing[self.place]

    async def close_private(self, person: str) -> None:
        self.chat.closed.add(person)

    async def open_private(self, person: str) -> None:
        self.chat.closed.remove(person)

    async def allow_rooms(self, *, allowed: bool) -> None:
        self.chat.lacks = () if allowed else ("Open threads",)

    async def be_busy(self, seconds: float) -> None:
        self.chat.refuse.append(RetryAfter(seconds))

    def _seen(self, where: str) -> list[Seen]:
        self._references += [each for each in self.chat.messages if each not in self._references]
        return [
            self._look(self._references.index(reference), reference, shown)
            for reference, shown in self.chat.messages.items()
            if reference.startswith(f"{where}#")
        ]

    def _look(self, number: int, reference: str, shown: PublicScreen | SeatScreen | Page | Text) -> Seen:
        words = words_for("en")
        if isinstance(shown, tuple):
            calls, text = self.chat.lines[reference]
            names = ", ".join(person.name for person in calls)
            called = frozenset(person.key for person in calls)
            return Seen(
                number, f"{names}: {plain(text, words)}" if calls else plain(text, words), calls=called
            )
        labels = tuple(plain(button.label, words) for row in shown.buttons for button in row)
        return Seen(number, plain(shown.text, words), labels, shown.picture is not None)


@asynccontextmanager
async def memory_stage() -> AsyncIterator[MemoryStage]:
    """A place of a chat that remembers nothing yet."""
    yield MemoryStage()
