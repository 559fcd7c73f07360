"""An evening in a Telegram group: the program runs, Ada and Can play, Eve watches."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.view import public_view
from tests.evening.bookkeeping import Books, Entry
from tests.evening.running_bot import RunningBot
from tests.evening.telegram_people import buttons_of, lost_presses, start
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import TOKEN, Control, Group, Person, Shown, eventually, telegram


@dataclass
class Evening:
    """Ada and Can in a group, both reachable in private; Eve watches."""

    control: Control
    bot: RunningBot
    books: Books
    group: Group
    ada: Person
    can: Person
    eve: Person

    async def opened(self, words: str) -> Shown:
        """Open a table as Ada, and return its message in the group."""
        before = {message.id for message in await self.ada.read(self.group)}
        await self.ada.write(self.group, f"/okey {words}")
        return await self.ada.sees(
            lambda message: message.id not in before and "join" in buttons_of(message), self.group
        )

    async def begun(self, words: str = "2") -> Shown:
        """Begin a match of Ada and Can, and return the table's message."""
        table = await self.opened(words)
        await self.can.press(table, buttons_of(table)["join"][0])
        await start(self.ada, table)
        await self.rack(await self.on_turn())
        return await self.ada.sees(lambda message: "rack" in buttons_of(message), self.group)

    async def entry(self) -> Entry:
        return await self.books.read(f"tg:{self.group.id}")

    async def on_turn(self) -> Person:
        return await self._at(public_view((await self.entry()).table.match).turn)

    async def waiting(self) -> Person:
        turn = public_view((await self.entry()).table.match).turn
        assert turn is not None
        return await self._at(1 - turn)

    async def _at(self, seat: int | None) -> Person:
        assert seat is not None
        key = (await self.entry()).table.seats[seat].person
        return self.ada if key == f"tg:{self.ada.id}" else self.can

    async def rack(self, person: Person) -> Shown:
        """A person's rack, once it is shown."""
        return await person.sees(lambda message: "order" in buttons_of(message))

    async def hears(self, person: Person, words: str, text: str) -> None:
        """Type something in the group as a person, who then gets this text in private."""
        before = {message.id for message in await person.read()}
        await person.write(self.group, text)
        await person.sees(lambda message: message.id not in before and words in message.words)

    async def is_refused(self, person: Person, words: str, text: str) -> None:
        """Type something in the group as a person, who gets this text there, or in private when the group has
        reached its limit."""

        async def told() -> bool | None:
            shown = [*await person.read(self.group), *await person.read()]
            return any(message.from_bot and words in message.words for message in shown) or None

        assert not await told()
        await person.write(self.group, text)
        await eventually(told, PATIENCE, f"{person.name} was not told “{words}”")


async def gathered(control: Control, bot: RunningBot, books: Books) -> Evening:
    """A new group of new people, who have heard of the program."""
    ada, can, eve = [
        await control.person(name, language="en", started=True) for name in ("Ada", "Can", "Eve")
    ]
    group = await control.group("Kıraathane", ada, can, eve)
    for person in (ada, can, eve):
        await person.sees(lambda message: True)
    return Evening(control, bot, books, group, ada, can, eve)


@asynccontextmanager
async def an_evening(url: str, folder: Path, **settings: str) -> AsyncIterator[Evening]:
    """An evening of a program of its own, which is ended well at the end."""
    async with telegram(url) as control:
        bot = RunningBot(folder, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=url, **settings)
        await bot.start()
        try:
            yield await gathered(control, bot, Books(folder))
        finally:
            await bot.stop()
        findings, lost = await control.findings(), await lost_presses(control, bot.killed)
        assert set(findings) <= lost, findings
        assert "Traceback" not in bot.told()
        assert TOKEN not in bot.told()
