"""A league with one chat that only remembers. Messages about a night are sent when the test asks."""

import asyncio
from typing import Final

from bot.delivery.boards import Boards
from bot.delivery.delivery import Delivery
from bot.delivery.items import Item
from bot.delivery.repositories import Repositories
from bot.delivery.views import Viewing
from bot.history.archive import Archive
from bot.history.matches import MatchHistory
from bot.history.records import Records
from bot.i18n import plain, words_for
from bot.ids import read_key
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.repository.daily import DailyBoards
from bot.store import Note, Store
from tests.bot.house import MemoryChat
from tests.bot.league.leagues import START, MovedClock
from tests.bot.league.office import Office
from tests.bot.store.waiting import dirty
from tests.bot.two_holders import Everything
from tests.patience import PATIENCE

HOUR: Final = 3600.0
LONG_BEFORE: Final = START - 100 * HOUR


class Messenger:
    """An office with messages about its nights. Tables count as shown unless the test says otherwise."""

    def __init__(self, store: Store, clock: MovedClock, chat: MemoryChat | None = None) -> None:
        self.office = Office(store, clock)
        self.chat = chat or MemoryChat()
        self._store = store
        people = Profiles(store, {"mem": self.chat})
        communities = Communities(store, people)
        leagues = self.office.leagues
        repositories = Repositories(
            store=store,
            tables=self.office.repository,
            leagues=leagues,
            daily=DailyBoards(store, clock),
            people=people,
            communities=communities,
            history=MatchHistory(store, Archive(store), communities),
        )
        boards = Boards(store, leagues, people, communities)
        viewing = Viewing(people, Records(store, Archive(store)))
        self._delivery = Delivery(repositories, Everything(), viewing, boards)

    async def accepts(self, item: Item, refused: Exception) -> None:
        """Do what a refusal of an item asks for."""
        await self._delivery._refusals.accept(item, refused, self._store.clock())

    async def tells(self, before: float | None = None) -> None:
        """Send everything that is due: now, or this many seconds before the start."""
        if before is not None:
            self.office.clock.now = START - before
        async with asyncio.timeout(PATIENCE):
            while True:
                await self.gets_ready()
                if not await self.looks():
                    return
                await asyncio.sleep(0.005)

    async def gets_ready(self) -> None:
        """Do everything that is due but tell nobody."""
        await self.office.work()
        await self._show_tables()

    async def looks(self) -> bool:
        """Send what is due once. Return whether a night is not settled."""
        left = await dirty(self._store, left_to=self.chat.name)
        nights = [each for each in left if read_key(each[0])[0] == "night"]
        for night, mark in nights:
            await self._delivery.settle(night, mark)
        return bool(nights)

    async def tells_again(self) -> None:
        """Check once more whether everything is sent."""
        await self._store.timers.mark_dirty(self.office.night_id)
        await self.tells()

    async def close(self) -> None:
        """Stop the program."""
        await self._delivery.close()

    async def _show_tables(self) -> None:
        if (await self.office.night()).round is not None:
            for table in await self.office.tables():
                for place in table.places:
                    await self._store.notes.set(table.id, {place: Note("shown", 1, "w")})

    def messages(self) -> dict[str, int]:
        """The number of private messages to each person."""
        people = [person.removeprefix("mem:") for person, _ in self.chat.letters]
        return {person: people.count(person) for person in people}

    def newest(self, name: str) -> tuple[str, set[str]]:
        """The newest private message to a person: its words, and its buttons' verbs."""
        page = [each for (to, _), each in self.chat.letters.items() if to == f"mem:{name.lower()}"][-1]
        verbs = {button.press.split(".")[0] for row in page.buttons for button in row}
        return plain(page.text, words_for("en")), verbs

    def lines(self) -> list[tuple[set[str], str]]:
        """The lines posted in places: the people called, and the words."""
        told = self.chat.lines.values()
        return [({each.name for each in who}, plain(text, words_for("en"))) for who, text in told]
