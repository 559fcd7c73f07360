"""Host notices: tell a person in private that they are a lobby's host now, because the host before them left.

Everybody waits for the host to begin, and the lobby itself is only edited, which notifies nobody.
"""

from collections.abc import Iterator

from bot.delivery.items import Item, Key, NoteKind, Notes, direct_message
from bot.delivery.sleep_notices import place_named
from bot.delivery.snapshot import TableAsTold
from bot.delivery.views import Viewing
from bot.i18n import words_for
from bot.markup import Name, Page
from bot.people.profiles import Profiles
from bot.screens.parts import table_name
from bot.store import ShownMessage

_KNOWN = ShownMessage("", 0)


def opened(snapshot: TableAsTold) -> Notes:
    """The note to make when a place is first shown a lobby: its host opened it and need not be told."""
    host = snapshot.stored.value.host
    if snapshot.stored.value.stage != "lobby" or not host or _hosts_known(snapshot):
        return {}
    return {Key(NoteKind.HOST, host): _KNOWN}


class HostNotices:
    """Finds the hosts still to be notified."""

    def __init__(self, people: Profiles, viewing: Viewing) -> None:
        self._people = people
        self._viewing = viewing

    def items(self, snapshot: TableAsTold) -> Iterator[Item]:
        """The notice to the present host of a lobby that somebody else opened."""
        table, key = snapshot.stored.value, Key(NoteKind.HOST, snapshot.stored.value.host)
        number, chat = table.seat_of(table.host), self._people.chat_of(table.host)
        if table.stage != "lobby" or number is None or chat is None or table.seats[number].private_closed:
            return
        if key in snapshot.told or not _hosts_known(snapshot):
            return
        words = words_for(table.seats[number].language)
        place = self._viewing.place_for(table, table.host)
        if place is None:
            return
        where = place_named(self._people, place, words)
        name = Name(table_name(table, words, place))
        page = Page(text=words.say("notice.host_now", name=name, where=where))
        yield direct_message(table.id, key, table.host, chat, lambda: page)


def _hosts_known(snapshot: TableAsTold) -> bool:
    return any(key.kind is NoteKind.HOST for key in snapshot.told)
