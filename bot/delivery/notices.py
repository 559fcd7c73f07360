"""Notices: tell people once, each in private, what the table itself tells nobody.

A table is not shown where it should be; or a person is a lobby's host now, because the host before them left:
everybody waits for the host to begin, and the lobby itself is only edited, which notifies nobody.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from bot.delivery.items import Item, direct_message
from bot.delivery.notes import EMPTY, NoteKind, Notes, find_notes
from bot.delivery.snapshot import NightAsTold, TableAsTold
from bot.delivery.threads import is_thread_lost
from bot.delivery.views import Viewing
from bot.i18n import Words, plain, words_for
from bot.league.night_tables import account_of
from bot.markup import Name, Page, Text
from bot.people.profiles import Profiles
from bot.ports import platform_of
from bot.screens.parts import say_on, table_name

_News = Literal["table", "thread", "board"]
"""`table`: a table's place sleeps; `thread`: its thread was deleted; `board`: a night's board's place
sleeps."""


class Notices:
    """Finds the people to be notified that a place does not show a table or board, or that they are host."""

    def __init__(self, people: Profiles, viewing: Viewing) -> None:
        self._people = people
        self._viewing = viewing

    def of_table(self, snapshot: TableAsTold) -> Iterator[Item]:
        """Yield the notices to the host of a lobby, and to the players of a table that is not over."""
        yield from self._to_host(snapshot)
        table = snapshot.stored.value
        for place in () if table.is_over else table.places:
            news: _News
            if snapshot.sleeping.get(place):
                news = "table"
            elif is_thread_lost(table, snapshot.notes, place):
                news = "thread"
            else:
                continue
            for number, seat in enumerate(table.seats):
                key = NoteKind.ASLEEP.of(news, place, number)
                if seat.person is not None and not seat.private_closed and key not in snapshot.notes:
                    name = table_name(table, words_for(seat.language), place)
                    yield from self._direct(table.id, key, news, place, seat.person, seat.language, name)

    def _to_host(self, snapshot: TableAsTold) -> Iterator[Item]:
        """Yield the notice to the present host of a lobby that somebody else opened."""
        table, key = snapshot.stored.value, NoteKind.HOST.of(snapshot.stored.value.host)
        number, chat = table.seat_of(table.host), self._people.chat_of(table.host)
        if table.stage != "lobby" or number is None or chat is None or table.seats[number].private_closed:
            return
        if key in snapshot.notes or not _hosts_known(snapshot):
            return
        words = words_for(table.seats[number].language)
        place = self._viewing.place_for(table, table.host)
        if place is None:
            return
        where = place_named(self._people, place, words)
        name = Name(table_name(table, words, place))
        page = Page(text=words.say("notice.host_now", name=name, where=where))
        yield direct_message(table.id, key, table.host, chat, lambda: page)

    def of_night(self, snapshot: NightAsTold) -> Iterator[Item]:
        """Yield the people who signed up in a place, while the night is not over."""
        night, league = snapshot.night, snapshot.league
        coming = () if night.stage in ("over", "cancelled") else night.entrants
        for entrant in coming:
            place, member = entrant.place, league.members.get(entrant.member)
            near = place in league.places and snapshot.sleeping.get(place, False)
            if member is None or not near or entrant.reply == "no":
                continue
            account = account_of(night, entrant.member, member.accounts)
            key = NoteKind.ASLEEP.of("board", place, entrant.member)
            if account is not None and key not in snapshot.notes:
                language = member.language or league.language
                yield from self._direct(night.id, key, "board", place, account, language, league.name)

    def _direct(
        self, of: str, key: str, news: _News, place: str, person: str, language: str, name: str
    ) -> Iterator[Item]:
        chat, words = self._people.chat_of(person), words_for(language)
        if chat is None:
            return
        where, platform = place_named(self._people, place, words), platform_of(place)
        page = Page(text=say_on(platform, f"asleep.{news}", words, name=Name(name), where=where))
        yield direct_message(of, key, person, chat, lambda: page)


def note_opened(snapshot: TableAsTold) -> Notes:
    """Return the note to make when a place is first shown a lobby: its host opened it and need not be
    told."""
    host = snapshot.stored.value.host
    if snapshot.stored.value.stage != "lobby" or not host or _hosts_known(snapshot):
        return {}
    return {NoteKind.HOST.of(host): EMPTY}


def _hosts_known(snapshot: TableAsTold) -> bool:
    return bool(find_notes(snapshot.notes, NoteKind.HOST))


def place_named(people: Profiles, place: str, words: Words) -> Text:
    """Return a place in a sentence, as a link where its chat has one."""
    chat, where = people.chat_of(place), say_on(platform_of(place), "asleep.its_place", words)
    link = None if chat is None else chat.place_link(place)
    if link is None:
        return where
    # without a name of its own it is called by the word for it
    return (replace(link, text=plain(where, words)) if link.text in link.url else link,)
