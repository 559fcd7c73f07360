"""Turn pings: people are told that it is their turn, once for each occasion and as each of them chose."""

from collections.abc import Iterator
from contextlib import suppress

from bot.delivery.items import Item, Notes, Rank, TurnPing
from bot.delivery.snapshot import NEVER, TableAsTold
from bot.i18n import words_for
from bot.markup import Clock
from bot.people.notifications import Call, call_for, ping_revision
from bot.people.profiles import Profiles
from bot.ports import Chat, Person, PlaceGone, PlaceMoved, RetryAfter
from bot.store import Shown
from bot.tables.clocks import ends_at


class TurnPings:
    """Who is to be told of their turn, and how."""

    def __init__(self, people: Profiles) -> None:
        self._people = people

    def items(self, snapshot: TableAsTold) -> Iterator[Item]:
        """The line in a place that calls the person on turn by name."""
        if self._due(snapshot) != "mention":
            return
        assert snapshot.turn is not None
        stored, seat = snapshot.stored, snapshot.turn
        person = Person(str(stored.value.seats[seat].person), stored.value.seats[seat].name)
        place, chat = self._place(snapshot, person.key), self._people.chat_of(person.key)
        assert place is not None
        assert chat is not None
        key, earlier = TurnPing(seat), snapshot.told.get(TurnPing(seat))

        async def send() -> Notes:
            line = await self._call(snapshot, chat, place, person)
            if earlier is not None and earlier.message.startswith(f"{place} "):
                with suppress(RetryAfter, PlaceGone, PlaceMoved):  # no harm is done when it stays
                    await chat.delete_line(place, earlier.message.partition(" ")[2])
            return {key: Shown(f"{place} {line}", ping_revision(stored.value))}

        yield Item(
            of=stored.value.id,
            key=key,
            recipient=place,
            rank=Rank.TURN,
            limits=chat.urgent_limits(place),
            send=send,
            first=Shown("", ping_revision(stored.value)),
            earlier=earlier,
        )

    def by_message(self, snapshot: TableAsTold, seat: int) -> Notes:
        """What is to be noted when a rack comes as a new message, which pings its player; empty when it
        need not."""
        if snapshot.turn != seat or self._due(snapshot) != "message":
            return {}
        line = snapshot.told.get(TurnPing(seat), NEVER).message
        return {TurnPing(seat): Shown(line, ping_revision(snapshot.stored.value))}

    def _due(self, snapshot: TableAsTold) -> Call | None:
        """How the person on turn is to be told and has not been told yet."""
        table, seat = snapshot.stored.value, snapshot.turn
        if seat is None or snapshot.profile is None:
            return None
        if snapshot.told.get(TurnPing(seat), NEVER).revision >= ping_revision(table):
            return None
        call = call_for(table, seat, snapshot.profile.notifying, snapshot.stored.now)
        nowhere = self._place(snapshot, str(table.seats[seat].person)) is None
        return "message" if call == "mention" and nowhere else call

    def _place(self, snapshot: TableAsTold, person: str) -> str | None:
        """The first of a table's places that is in the person's own chat."""
        own, places = self._people.chat_of(person), snapshot.stored.value.places
        near = (place for place in places if own is not None and self._people.chat_of(place) is own)
        return next(near, None)

    async def _call(self, snapshot: TableAsTold, chat: Chat, place: str, person: Person) -> str:
        table = snapshot.stored.value
        words = words_for(table.language_at(place))
        until = ends_at(table, snapshot.stored.deadline)
        when = () if until is None else words.say("table.until", when=Clock(until))
        key = "call.hurry" if table.warned == table.turn_number else "call.turn"
        text = words.say(key, table=table.id.upper()) + when
        return await chat.post_line(place, text, calls=(person,))
