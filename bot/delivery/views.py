"""From a kept table to the screens of a place and of a person, in their languages."""

from dataclasses import replace

from bot.delivery.outbox import GONE
from bot.i18n import Words, words_for
from bot.markup import PublicScreen, SeatScreen
from bot.people.profiles import Profiles
from bot.repository.tables import StoredTable
from bot.screens.display import displayed
from bot.screens.player import PLAY, Mode, farewell_screen, rack_screen
from bot.screens.table import public_screen
from bot.store import Store
from bot.tables.facts import TableFacts, rack_facts, table_facts
from bot.tables.table import Display


class Viewing:
    """Makes screens."""

    def __init__(self, store: Store, people: Profiles) -> None:
        self._store = store
        self._people = people

    def public(self, stored: StoredTable, place: str) -> PublicScreen:
        """What one of a table's places sees, in its language."""
        facts = table_facts(stored.value, stored.deadline)
        if facts.blind and not self._from_here(stored, facts, place):
            facts = replace(facts, blind=False)  # his numbers are no use to anybody here
        words = words_for(stored.value.language_at(place))
        return displayed(public_screen(facts, words), stored.value.display, words)

    def _from_here(self, stored: StoredTable, facts: TableFacts, place: str) -> bool:
        """Whether who is on turn plays from the chat of a place."""
        assert facts.view is not None
        assert facts.view.turn is not None
        person = stored.value.seats[facts.view.turn].person
        return person is not None and self._people.chat_of(person) is self._people.chat_of(place)

    async def private(
        self,
        stored: StoredTable,
        seat: int,
        words: Words,
        mode: Mode = PLAY,
        display: Display | None = None,
    ) -> SeatScreen:
        """What the person on `seat` sees, in `words`, displayed as they want it (`display`, if known)."""
        person = stored.value.seats[seat].person
        link = await self._link(stored, person)
        screen = rack_screen(rack_facts(stored.value, seat, stored.deadline, link), words, mode)
        if person is None:
            return screen
        return displayed(screen, display or await self.display_of(person), words)

    def farewell(self, stored: StoredTable) -> SeatScreen:
        """What stands where a person's rack was, once the host has removed him. Nobody knows his language
        any more: it is the table's."""
        return farewell_screen(stored.value.id, GONE, words_for(stored.value.language))

    async def display_of(self, person: str) -> Display:
        """How a person wants his screens."""
        return (await self._people.known(person)).display

    async def _link(self, stored: StoredTable, person: str | None) -> str | None:
        """Where the table is shown: the first of its places that has an address, in the person's own chat
        if it can be."""
        shown = await self._store.shown(stored.value.id)
        own = None if person is None else self._people.chat_of(person)
        for place in sorted(stored.value.places, key=lambda place: self._people.chat_of(place) is not own):
            chat = self._people.chat_of(place)
            if chat is not None and place in shown:
                link = chat.link(place, shown[place].message)
                if link is not None:
                    return link
        return None
