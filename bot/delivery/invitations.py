"""Invitations: private messages that call people to a lobby, once each, and lose their button when the lobby
has no seat for them any more."""

from collections.abc import Iterator
from functools import partial

from bot.delivery.items import Item, Rank, direct_message, make_note
from bot.delivery.notes import EMPTY, NoteKind, Notes
from bot.delivery.notices import place_named
from bot.delivery.snapshot import TableAsTold
from bot.delivery.views import Viewing
from bot.i18n import words_for
from bot.markup import Page
from bot.people.profiles import Profiles
from bot.ports import Chat
from bot.screens.lobby import invitation_page
from bot.tables.facts import table_facts
from bot.tables.table import CalledPerson, Table


class LobbyCalls:
    """Finds the people whom a lobby still calls, and the messages that call in vain."""

    def __init__(self, people: Profiles, viewing: Viewing) -> None:
        self._people = people
        self._viewing = viewing

    def items(self, snapshot: TableAsTold) -> Iterator[Item]:
        """Yield the items of a lobby, or of a match that began in one."""
        table = snapshot.stored.value
        for called in table.calls.called:
            chat = self._people.chat_of(called.person)
            told = snapshot.notes.get(_key_of(called))
            if chat is None:
                continue
            if told is None and invites(table, called):
                page, key = partial(self._page, snapshot, called), _key_of(called)
                yield direct_message(
                    table.id, key, called.person, chat, page, Rank.CLOCK, is_closed_later=True
                )
            elif told is not None and told.text and not invites(table, called):
                yield self._close(snapshot, called, chat, told.text)

    def _close(self, snapshot: TableAsTold, called: CalledPerson, chat: Chat, message: str) -> Item:
        table, key, person = snapshot.stored.value.id, _key_of(called), called.person
        rack = snapshot.notes.get(person)
        # A press on it may have turned it into their rack.
        if rack is not None and rack.text and chat.same_message(rack.text, message):
            return make_note(table, key, EMPTY, person)

        closed = {key: EMPTY}

        async def send() -> Notes:
            await chat.edit_direct(person, self._page(snapshot, called), message)
            return closed

        limits = chat.private_limits(person)
        return Item(table, key, person, Rank.CLOCK, limits, send, otherwise=closed)

    def _page(self, snapshot: TableAsTold, called: CalledPerson) -> Page:
        table = snapshot.stored.value
        words = words_for(called.language or table.language)
        place = self._viewing.place_for(table, called.person)
        where = () if place is None else place_named(self._people, place, words)
        facts = table_facts(table, None, place, snapshot.stored.version)
        seated = table.seat_of(called.person) is not None
        by = table.seat_of(called.by)
        who = "" if by is None else table.seats[by].name
        open = invites(table, called)
        return invitation_page(facts, called.why, who, where, words, seated=seated, open=open)


def invites(table: Table, called: CalledPerson) -> bool:
    """Return whether a lobby still has a seat for a person whom it calls, or keeps theirs after a match."""
    if not table.waits_for_people or called.person in table.gone.removed:
        return False
    return called.why == "again" if table.seat_of(called.person) is not None else table.has_room


def _key_of(called: CalledPerson) -> str:
    return NoteKind.CALLED.of(called.person)
