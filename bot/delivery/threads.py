"""Threads and topics of tables: opened before a table is first shown, closed when it is over.

A thread is opened, its place is told where the table is, and the table moves in; each step is noted.
"""

from collections.abc import Iterator
from functools import partial

from bot.delivery.items import Item, Rank, Send
from bot.delivery.notes import EMPTY, KnownNotes, NoteKind, Notes
from bot.delivery.snapshot import TableAsTold
from bot.i18n import Words, words_for
from bot.ports import Chat, Rooms, platform_of
from bot.repository.tables import TableRepository
from bot.screens.parts import table_name
from bot.store import Note
from bot.tables.table import Table


def find_steps(snapshot: TableAsTold, tables: TableRepository) -> Iterator[Item]:
    """Yield the next steps for a table's threads, in those chats that run here."""
    table = snapshot.stored.value
    if table.awaits_room:
        yield from _ways_in(snapshot, tables)
        return
    for place in table.places:
        yield from _way_back(snapshot, place)
    if table.is_over:
        yield from _ways_out(snapshot)


def _ways_in(snapshot: TableAsTold, tables: TableRepository) -> Iterator[Item]:
    """Yield the steps before the table is shown. A sleeping place is not waited for: when it wakes it
    shows the table itself."""
    table, told = snapshot.stored.value, snapshot.notes
    steps: list[Item] = []
    threads: dict[str, str] = {}
    for place in table.places:
        chat, thread = snapshot.chat_of(place), told.get(NoteKind.THREAD.of(place))
        if chat is None or snapshot.sleeping.get(place):
            continue
        if thread is None:
            steps.append(_step(table, NoteKind.THREAD, place, chat, partial(_open, table, place, chat)))
        elif thread.text:
            threads[place] = thread.text
            # A night's board says where its tables are, and the players are called there.
            if table.night is None and NoteKind.THREAD_TOLD.of(place) not in told:
                send = partial(_tell, table, place, chat, thread.text)
                steps.append(_step(table, NoteKind.THREAD_TOLD, place, chat, send))
    yield from steps
    first = next(filter(snapshot.chat_of, table.places), None)
    if not steps and first is not None:
        # Moving in asks nothing of a chat, and needs no note.
        enter = partial(tables.enter, table.id, threads)
        yield Item(table.id, NoteKind.THREAD.of(""), platform_of(first), Rank.NEWS, (), enter)


def _way_back(snapshot: TableAsTold, place: str) -> Iterator[Item]:
    """Yield the step that deletes the line leading to a thread after the thread was deleted."""
    table, told, chat = snapshot.stored.value, snapshot.notes, snapshot.chat_of(place)
    line = told.get(NoteKind.THREAD_TOLD.of(place), EMPTY).text
    if chat is not None and line and is_thread_lost(table, told, place):
        send = partial(chat.delete_line, place, line)
        yield _step(table, NoteKind.THREAD_TOLD, place, chat, send, EMPTY)


def _ways_out(snapshot: TableAsTold) -> Iterator[Item]:
    """Yield the steps that close the threads of a table that is over, as soon as they show that."""
    table = snapshot.stored.value
    for thread in table.postings.rooms:
        chat = snapshot.chat_of(thread)
        if isinstance(chat, Rooms) and snapshot.is_shown(thread):
            close = partial(chat.close_room, thread)
            yield _step(table, NoteKind.THREAD_CLOSED, thread, chat, close, EMPTY)


def is_thread_lost(table: Table, told: KnownNotes, place: str) -> bool:
    """Return whether the thread of one of the table's places was deleted."""
    thread = told.get(NoteKind.THREAD.of(place), EMPTY).text
    return bool(thread) and thread not in table.postings.rooms and not table.awaits_room


def _step(table: Table, kind: NoteKind, place: str, chat: Chat, send: Send, done: Note | None = None) -> Item:
    """Return the item for a step; `done`: its note, None: the call brings it."""
    key, limits = kind.of(place), chat.limits.public(place)
    notes = {} if done is None else {key: done}
    return Item(table.id, key, place, Rank.NEWS, limits, send, done=notes, leads_on=True)


async def _open(table: Table, place: str, chat: Chat) -> Notes:
    name = _name(table, words_for(table.language_at(place)), place)
    thread = await chat.open_room(place, name) if isinstance(chat, Rooms) else None
    return {NoteKind.THREAD.of(place): Note(thread or "")}


def _name(table: Table, words: Words, place: str) -> str:
    if table.night is None:
        return words.plain("room.name", table=table.number_in(place))
    again = f" ({table.night.attempt})" if table.night.attempt > 1 else ""
    return table_name(table, words) + again


async def _tell(table: Table, place: str, chat: Chat, thread: str) -> Notes:
    link, words = chat.places.link(thread), words_for(table.language_at(place))
    key = "room.opened" if link is None else "room.opened_at"
    where = {} if link is None else {"where": link}
    line = await chat.post_line(place, words.say(key, table=table.number_in(place), **where))
    return {NoteKind.THREAD_TOLD.of(place): Note(line)}
