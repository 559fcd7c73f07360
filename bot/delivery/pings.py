"""Calls people to their turns, once for each occasion: what was done is kept where screens are kept."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.i18n import words_for
from bot.markup import Clock
from bot.people.notifications import Call, awaited, call_for, looks_away, ping_revision
from bot.people.profiles import Profiles
from bot.ports import Chat, Person
from bot.repository.tables import StoredTable
from bot.store import Shown, Store
from bot.tables.clocks import ends_at

_MARK = "call "


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody is to be called by his name."""

    seat: int
    person: str
    place: str
    chat: Chat
    earlier: str
    """The line that called him the last time; empty when there is none."""


class Calls:
    """Who is to be called, and how; and that it has been done."""

    def __init__(self, store: Store, people: Profiles) -> None:
        self._store = store
        self._people = people

    async def wanted(self, stored: StoredTable, shown: Mapping[str, Shown]) -> Call | None:
        """How the person on turn is to be called and has not been called yet."""
        table = stored.value
        seat = awaited(table)
        if seat is None or _called(seat, shown).revision >= ping_revision(table):
            return None
        person = table.seats[seat].person
        assert person is not None
        call = call_for(table, seat, (await self._people.known(person)).notifying, stored.now)
        return "message" if call == "mention" and self._place(stored, person) is None else call

    async def mention(self, stored: StoredTable, shown: Mapping[str, Shown]) -> Mention | None:
        """Whom to call by his name, and where."""
        # Nobody who looks is called so: then there is nothing to be asked of the store.
        seat = awaited(stored.value)
        if seat is None or not looks_away(stored.value, seat, stored.now):
            return None
        if await self.wanted(stored, shown) != "mention":
            return None
        person = str(stored.value.seats[seat].person)
        place, chat = self._place(stored, person), self._people.chat_of(person)
        assert place is not None
        assert chat is not None
        line = _called(seat, shown).message
        return Mention(seat, person, place, chat, line if line.startswith(f"{place} ") else "")

    async def carry_out(self, stored: StoredTable, mention: Mention) -> None:
        """Call somebody, and take the line back that called him before.

        Raises what `Chat.post_line` raises.
        """
        table = stored.value
        words = words_for(table.language_at(mention.place))
        until = ends_at(table, stored.deadline)
        when = () if until is None else words.say("table.until", when=Clock(until))
        key = "call.hurry" if table.warned == table.turn_number else "call.turn"
        who = Person(mention.person, table.seats[mention.seat].name)
        text = words.say(key, table=table.id.upper()) + when
        line = await mention.chat.post_line(mention.place, text, calls=(who,))
        await self._store.set_shown(
            table.id, _MARK + str(mention.seat), Shown(f"{mention.place} {line}", ping_revision(table))
        )
        if mention.earlier:
            await mention.chat.delete_line(mention.place, mention.earlier.partition(" ")[2])

    async def by_message(self, stored: StoredTable, seat: int) -> bool:
        """Whether a rack that is to be shown must come as a new message: it calls its player."""
        if awaited(stored.value) != seat:
            return False
        return await self.wanted(stored, await self._store.shown(stored.value.id)) == "message"

    async def messaged(self, stored: StoredTable, seat: int) -> None:
        """Note that a new private message has called somebody."""
        line = _called(seat, await self._store.shown(stored.value.id)).message
        await self._store.set_shown(
            stored.value.id, _MARK + str(seat), Shown(line, ping_revision(stored.value))
        )

    def _place(self, stored: StoredTable, person: str) -> str | None:
        """The first of a table's places that is in the person's own chat."""
        own = self._people.chat_of(person)
        if own is None:
            return None
        return next((place for place in stored.value.places if self._people.chat_of(place) is own), None)


def _called(seat: int, shown: Mapping[str, Shown]) -> Shown:
    return shown.get(_MARK + str(seat), Shown("", 0))
