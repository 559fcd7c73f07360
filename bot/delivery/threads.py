"""Threads and topics of tables' own: opened before a table is first shown, closed when it is over.

A thread is opened, its place is told where the table is, and the table moves in: each step is noted, so that it
is done once.
"""

from collections.abc import Awaitable, Callable, Iterator

from bot.delivery.items import (
    NO_THREAD,
    Item,
    Key,
    Notes,
    ScreenOf,
    ThreadClosed,
    ThreadOpened,
    ThreadsEntered,
    ThreadTold,
)
from bot.delivery.snapshot import TableAsTold
from bot.i18n import words_for
from bot.people.profiles import Profiles
from bot.ports import Chat
from bot.repository.tables import TableRepository
from bot.store import Shown
from bot.tables.table import Table


class Threads:
    """The next steps for a table's threads."""

    def __init__(self, repository: TableRepository, people: Profiles) -> None:
        self._repository = repository
        self._people = people

    def items(self, snapshot: TableAsTold) -> Iterator[Item]:
        """What is to be done next, as far as the chats that it takes run here."""
        table = snapshot.stored.value
        if table.awaits_room:
            yield from self._ways_in(table, snapshot)
        elif table.stage in ("over", "closed"):
            yield from self._ways_out(table, snapshot)

    def _ways_in(self, table: Table, snapshot: TableAsTold) -> Iterator[Item]:
        opened: dict[str, str] = {}
        waits = False
        for place in table.places:
            chat, thread = self._people.chat_of(place), snapshot.told.get(ThreadOpened(place))
            if chat is None:
                continue
            if thread is None:
                yield self._opening(table, place, chat)
            elif thread.message != NO_THREAD and ThreadTold(place) not in snapshot.told:
                yield self._telling(table, place, chat, thread.message)
            else:
                opened[place] = thread.message
                continue
            waits = True
        if opened and not waits:
            yield self._entry(table, opened)

    def _opening(self, table: Table, place: str, chat: Chat) -> Item:
        async def send() -> Notes:
            name = words_for(table.language_at(place)).plain("room.name", table=table.id.upper())
            thread = await chat.open_room(place, name)
            return {ThreadOpened(place): Shown(thread or NO_THREAD, 0)}

        return self._step(table, ThreadOpened(place), place, chat, send)

    def _telling(self, table: Table, place: str, chat: Chat, thread: str) -> Item:
        async def send() -> Notes:
            link, words = chat.place_link(thread), words_for(table.language_at(place))
            if link is None:
                text = words.say("room.opened", table=table.id.upper())
            else:
                text = words.say("room.opened_at", table=table.id.upper(), where=link)
            return {ThreadTold(place): Shown(await chat.post_line(place, text) or NO_THREAD, 0)}

        return self._step(table, ThreadTold(place), place, chat, send)

    def _entry(self, table: Table, opened: dict[str, str]) -> Item:
        """The table moves in: nothing is asked of a chat, and nothing noted."""

        async def send() -> Notes:
            threads = {place: thread for place, thread in opened.items() if thread != NO_THREAD}
            await self._repository.enter(table.id, threads)
            return {}

        return Item(of=table.id, key=ThreadsEntered(), send=send)

    def _ways_out(self, table: Table, snapshot: TableAsTold) -> Iterator[Item]:
        for thread in table.rooms:
            chat, screen = self._people.chat_of(thread), snapshot.told.get(ScreenOf(thread))
            ended = screen is not None and screen.revision >= table.revision
            if chat is not None and ended and ThreadClosed(thread) not in snapshot.told:
                yield self._closing(table, thread, chat)

    def _closing(self, table: Table, thread: str, chat: Chat) -> Item:
        async def send() -> Notes:
            await chat.close_room(thread)
            return {ThreadClosed(thread): Shown(NO_THREAD, 0)}

        return self._step(table, ThreadClosed(thread), thread, chat, send)

    def _step(
        self, table: Table, key: Key, place: str, chat: Chat, send: Callable[[], Awaitable[Notes]]
    ) -> Item:
        limits = chat.public_limits(place)
        return Item(of=table.id, key=key, recipient=place, limits=limits, send=send, leads_on=True)
