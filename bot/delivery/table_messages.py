"""Messages about a table: tell people once, each in private, what the table itself tells nobody.

A table is not shown where it should be. A person is a lobby's host now, because the host before them left:
everybody waits for the host to begin, and the lobby itself is only edited, which notifies nobody. A lobby
calls people to its seats.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Literal

from bot.delivery.items import Item, Rank, direct_message, line_in_place
from bot.delivery.notes import EMPTY, NoteKind, Notes, find_notes
from bot.delivery.snapshot import Snapshot, TableAsTold
from bot.delivery.threads import is_thread_lost
from bot.delivery.views import place_near
from bot.i18n import Words, plain, words_for
from bot.markup import Name, Page, Text
from bot.ports import Chat, Roles, Timeline, platform_of
from bot.screens.lobby import invitation_page
from bot.screens.parts import say_on, table_name
from bot.tables.facts import table_facts
from bot.tables.table import CalledPerson, Table


def find_table_messages(snapshot: TableAsTold) -> Iterator[Item]:
    """Yield the messages about a table that are still due to people, in those chats that run here."""
    yield from _to_host(snapshot)
    yield from _to_players(snapshot)
    yield from _to_called(snapshot)
    yield from _to_roles(snapshot)


def _to_players(snapshot: TableAsTold) -> Iterator[Item]:
    """Yield the notices that a place does not show the table: it sleeps, or the table's thread there was
    deleted."""
    table = snapshot.stored.value
    for place in () if table.is_over else table.places:
        news: Literal["table", "thread"]
        if snapshot.sleeping.get(place):
            news = "table"
        elif is_thread_lost(table, snapshot.notes, place):
            news = "thread"
        else:
            continue
        for number, seat in enumerate(table.seats):
            key = NoteKind.ASLEEP.of(news, place, number)
            chat = None if seat.person is None else snapshot.chat_of(seat.person)
            if seat.person and chat and not seat.private_closed:
                words = words_for(seat.language)
                name = table_name(table, words, place)
                page = partial(asleep_page, snapshot, place, news, name, words)
                yield direct_message(table.id, key, seat.person, chat, page)


def _to_host(snapshot: TableAsTold) -> Iterator[Item]:
    """Yield the notice to the present host of a lobby that somebody else opened."""
    table, key = snapshot.stored.value, NoteKind.HOST.of(snapshot.stored.value.host)
    number, chat = table.seat_of(table.host), snapshot.chat_of(table.host)
    if table.stage != "lobby" or number is None or chat is None or table.seats[number].private_closed:
        return
    if not _hosts_known(snapshot):
        return
    words = words_for(table.seats[number].language)
    place = place_near(table, table.host, snapshot.chat_of)
    if place is None:
        return
    where = place_named(snapshot, place, words)
    name = Name(table_name(table, words, place))
    page = Page(text=words.say("notice.host_now", name=name, where=where))
    yield direct_message(table.id, key, table.host, chat, lambda: page)


def _to_called(snapshot: TableAsTold) -> Iterator[Item]:
    """Yield the messages that call people to a lobby, once each, and those that lose their button since
    it has no seat for them any more."""
    table = snapshot.stored.value
    for called in table.calls.called:
        chat = snapshot.chat_of(called.person)
        told = snapshot.notes.get(_key_of(called))
        if chat is None:
            continue
        if invites(table, called):
            page, key = partial(_invitation, snapshot, called), _key_of(called)
            yield direct_message(table.id, key, called.person, chat, page, Rank.CLOCK, is_closed_later=True)
        elif told is not None and told.text:
            yield _take_call(snapshot, called, chat, told.text)


def _to_roles(snapshot: TableAsTold) -> Iterator[Item]:
    """Yield the lines that mention a role while the lobby has a seat for one of its holders."""
    table = snapshot.stored.value
    for place in table.places if table.has_room else ():
        home = table.postings.rooms.get(place, place)
        key, chat = NoteKind.CALLED_ROLE.of(home), snapshot.chat_of(home)
        role = table.calls.roles.get(home)
        if role and isinstance(chat, Roles):
            send = partial(_call_role, snapshot, place, home, chat, partial(chat.call_role, home, role))
            yield line_in_place(table.id, (key,), home, chat, send, Rank.CLOCK)


def _take_call(snapshot: TableAsTold, called: CalledPerson, chat: Chat, message: str) -> Item:
    table, key, person = snapshot.stored.value.id, _key_of(called), called.person
    rack = snapshot.notes.get(person)

    async def send() -> None:
        if not isinstance(chat, Timeline):
            return
        # A press on it may have turned it into their rack.
        if rack is None or not rack.text or not chat.same_message(rack.text, message):
            await chat.edit_direct(person, _invitation(snapshot, called), message)

    limits = chat.limits.private(person)
    return Item(table, key, person, Rank.CLOCK, limits, send, done={key: EMPTY}, due_after=())


def _invitation(snapshot: TableAsTold, called: CalledPerson) -> Page:
    table = snapshot.stored.value
    words = words_for(called.language or table.language)
    place = place_near(table, called.person, snapshot.chat_of)
    where = () if place is None else place_named(snapshot, place, words)
    facts = table_facts(table, None, place, snapshot.stored.version)
    seated = table.seat_of(called.person) is not None
    by = table.seat_of(called.by)
    who = "" if by is None else table.seats[by].name
    open = invites(table, called)
    return invitation_page(facts, called.why, who, where, words, seated=seated, open=open)


def note_opened(snapshot: TableAsTold) -> Notes:
    """Return the note to make when a place is first shown a lobby: its host opened it and need not be
    told."""
    host = snapshot.stored.value.host
    if snapshot.stored.value.stage != "lobby" or not host or _hosts_known(snapshot):
        return {}
    return {NoteKind.HOST.of(host): EMPTY}


def _hosts_known(snapshot: TableAsTold) -> bool:
    return bool(find_notes(snapshot.notes, NoteKind.HOST))


def place_named(snapshot: Snapshot, place: str, words: Words) -> Text:
    """Return a place in a sentence, as a link where its chat has one."""
    chat, where = snapshot.chat_of(place), say_on(platform_of(place), "asleep.its_place", words)
    link = None if chat is None else chat.places.link(place)
    if link is None:
        return where
    # without a name of its own it is called by the word for it
    return (replace(link, text=plain(where, words)) if link.text in link.url else link,)


def asleep_page(
    snapshot: Snapshot, place: str, what: Literal["table", "thread", "board"], name: str, words: Words
) -> Page:
    """Return the page that tells people that a place does not show a table or a night's board, or that a
    table's thread there was deleted. `name`: the table's or the league's."""
    where = place_named(snapshot, place, words)
    return Page(text=say_on(platform_of(place), f"asleep.{what}", words, name=Name(name), where=where))


def invites(table: Table, called: CalledPerson) -> bool:
    """Return whether a lobby still has a seat for a person whom it calls, or keeps theirs after a match."""
    if not table.waits_for_people or called.person in table.gone.removed:
        return False
    return called.why == "again" if table.seat_of(called.person) is not None else table.has_room


async def _call_role(
    snapshot: TableAsTold, place: str, home: str, chat: Chat, call: Callable[..., Awaitable[bool]]
) -> None:
    """Mention a role in the place by `call`; where the bot may not, say which right it lacks."""
    table = snapshot.stored.value
    words = words_for(table.language_at(place))
    text = words.say("call.role", table=snapshot.name_in(place, words))
    once = f"{table.id} {NoteKind.CALLED_ROLE.of(home)}"
    if not await call(text, once=once):
        await chat.post_line(home, (*text, "\n", *words.say("call.role_lacks")), once=once)


def _key_of(called: CalledPerson) -> str:
    return NoteKind.CALLED.of(called.person)
