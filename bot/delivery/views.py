"""Views: make the screens of a place and of a person from a stored table, in their languages."""

import logging
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from typing import Final

from cachetools import LRUCache
from msgspec import structs

from bot.delivery.notes import find_link
from bot.history.records import Records
from bot.i18n import Words, join, words_for
from bot.markup import PublicScreen, SeatScreen
from bot.people.profiles import ChatOf, Profile, Profiles
from bot.pool import POOL
from bot.repository.tables import StoredTable
from bot.screens.display import adapt_to_display
from bot.screens.fair import fingerprint_line
from bot.screens.live import live_rack, live_table
from bot.screens.lobby import make_started_screen
from bot.screens.parts import app_row
from bot.screens.player import PLAY, Mode, farewell_screen, rack_brief, rack_screen
from bot.screens.result import result_screen
from bot.screens.table import make_left_screen, make_moved_screen, public_screen
from bot.tables import worth
from bot.tables.facts import RackFacts, TableFacts, rack_facts, table_facts
from bot.tables.table import Table
from bot.tables.worth import Worth
from engine.hints import Hint, hint
from engine.round import legal_moves
from engine.rules import Rules
from engine.view import SeatView, seat_view

LOG: Final = logging.getLogger(__name__)
_REMEMBERED: Final = 256


def render_watched(
    stored: StoredTable, words: Words, place: str | None = None, *, live: bool = False
) -> PublicScreen:
    """Return the screen for spectators, with the table called as in `place`; `live`: for an app. Numbers to
    press are left out: they are only for the players' own chats."""
    facts = table_facts(stored.value, stored.deadline, place, stored.version)
    facts = structs.replace(facts, place=structs.replace(facts.place, numbered=False))
    screen = public_screen(facts, words)
    return replace(screen, live=live_table(facts, words)) if live else screen


def places_near(table: Table, person: str | None, chat_of: ChatOf) -> list[str]:
    """Return a table's places, those in the person's own chat first."""
    own = None if person is None else chat_of(person)
    return sorted(table.places, key=lambda place: chat_of(place) is not own)


def place_near(table: Table, person: str | None, chat_of: ChatOf) -> str | None:
    """Return the place whose number for the table a person's own screen uses; None: it is in no place."""
    return next(iter(places_near(table, person, chat_of)), None)


class Viewing:
    """Makes the screens of tables."""

    def __init__(self, people: Profiles, records: Records) -> None:
        self._people = people
        self._records = records
        self._hints = Hints()

    def public(self, stored: StoredTable, place: str) -> PublicScreen:
        """Return the screen for one of a table's places, in its language."""
        facts, language = self._facts(stored, place), stored.value.language_at(place)
        words = words_for(language)
        screen = adapt_to_display(public_screen(facts, words), stored.value.choices.display, words)
        screen = replace(screen, language=language, worth=str(worth.of_place(facts, language)))
        chat = self._people.chat_of(place)
        if chat is None:
            return screen
        if chat.features.draws_tables:
            screen = replace(screen, live=live_table(facts, words))
        if "public" not in chat.features.opens_app or stored.value.is_over:
            return screen
        return replace(screen, buttons=(*screen.buttons, app_row(stored.value.id, words)))

    def worth(self, stored: StoredTable, reader: str) -> Worth | None:
        """Return what the table's screen is worth to a place or person; None: they have none."""
        table = stored.value
        if reader in table.places:
            return worth.of_place(self._facts(stored, reader), table.language_at(reader))
        if (number := table.seat_of(reader)) is not None:
            return worth.of_player(table, number)
        said = table.farewell_to(reader)
        return None if said is None else worth.of_farewell(said)

    def render_left(self, stored: StoredTable, place: str) -> PublicScreen:
        """Return the last screen in a place that the table has left, in the language that it had there."""
        return make_left_screen(
            table_facts(stored.value, None, None, stored.version), words_for(stored.value.language_at(place))
        )

    def lead_down(self, stored: StoredTable, place: str) -> PublicScreen:
        """Return the line that stays of a message which a newer one below it has replaced, and leads
        there."""
        words = words_for(stored.value.language_at(place))
        facts = table_facts(stored.value, None, place, stored.version)
        return make_moved_screen(facts, self._link((place,), stored), words)

    def full_lobby(self, stored: StoredTable, place: str) -> PublicScreen:
        """Return the lobby of a match that has just begun, for its own message in a place."""
        words = words_for(stored.value.language_at(place))
        facts = table_facts(stored.value, None, place, stored.version)
        seats = (
            structs.replace(seat, computer=False, stand_in=False, level=None) if seat.stand_in else seat
            for seat in facts.seats
        )
        facts = structs.replace(facts, stage="lobby", seats=tuple(seats))
        screen = make_started_screen(facts, self._link((place,), stored), words)
        return adapt_to_display(screen, stored.value.choices.display, words)

    async def earlier_result(self, stored: StoredTable, round_number: int, place: str) -> PublicScreen:
        """Return the result of a round (counted from 1) before the present one, for its own message in a
        place, with what the next deal was bound to."""
        if round_number == stored.value.match.round_number:  # the match's end has a message of its own
            table, bound = structs.replace(stored.value, stage="between"), b""
        else:
            table = await self._records.after(stored.value, round_number)
            bound = table.proof.context
        words = words_for(table.language_at(place))
        # By the present version: a chat shows no older one over what the message shows now.
        screen = result_screen(table_facts(table, None, place, stored.version), words)
        text = join([screen.text, *([fingerprint_line(bound.hex(), words)] if bound else ())])
        return adapt_to_display(replace(screen, text=text, buttons=()), table.choices.display, words)

    async def private(
        self,
        stored: StoredTable,
        seat: int,
        words: Words,
        mode: Mode = PLAY,
        *,
        profile: Profile | None = None,
        live: bool = False,
    ) -> SeatScreen:
        """Return the screen of the person on `seat`, displayed as they want it; `live`: for an app. The
        person's profile is read unless it is given."""
        person = stored.value.seats[seat].person
        facts = await self._rack_facts(stored, seat, profile)
        screen = replace(rack_screen(facts, words, mode), worth=str(worth.of_player(stored.value, seat)))
        if person is None:
            return screen
        chat = self._people.chat_of(person)
        if live or (chat is not None and chat.features.draws_tables):
            screen = replace(screen, live=live_rack(facts, words))
        if chat is not None and "private" in chat.features.opens_app and not stored.value.is_over:
            screen = replace(screen, buttons=(*screen.buttons, app_row(stored.value.id, words)))
        return adapt_to_display(screen, facts.table.display, words)

    async def brief(
        self, stored: StoredTable, seat: int, words: Words, profile: Profile | None = None
    ) -> str:
        """Return the rack on `seat` as an alert tells it."""
        return rack_brief(await self._rack_facts(stored, seat, profile), words)

    async def _rack_facts(self, stored: StoredTable, seat: int, profile: Profile | None) -> RackFacts:
        person = stored.value.seats[seat].person
        places = places_near(stored.value, person, self._people.chat_of)
        link = self._link(places, stored)
        advice = await self._hints.of(stored.value, seat)
        display = stored.value.choices.display
        if person is not None:
            display = (profile or await self._people.load(person)).display
        place = next(iter(places), None)
        where = self.name_place(place)
        return rack_facts(
            stored.value, seat, stored.deadline, link, place, advice, display, stored.version, where
        )

    def name_place(self, place: str | None) -> str:
        """Return the name of a place; empty: unknown."""
        chat = None if place is None else self._people.chat_of(place)
        return "" if chat is None or place is None else chat.places.name(place)

    def farewell(self, stored: StoredTable, person: str) -> SeatScreen | None:
        """Return the screen that replaces the rack of a person who has lost their seat; None: they have
        not."""
        said = stored.value.farewell_to(person)
        if said is None:
            return None
        words = words_for(said.language or stored.value.language)
        screen = farewell_screen(stored.value.id, stored.version, said, words)
        return replace(screen, worth=str(worth.of_farewell(said)))

    def _facts(self, stored: StoredTable, place: str) -> TableFacts:
        """Return the facts of a table for one of its places."""
        facts = table_facts(stored.value, stored.deadline, place, stored.version)
        # They can press only where they play; in other chats the numbers would be of use to nobody.
        numbered = facts.place.numbered and self._from_here(stored, facts, place)
        told = structs.replace(
            facts.place, numbered=numbered, seat_kept=self._keeps_seat(stored.value, place)
        )
        return structs.replace(facts, place=told)

    def _from_here(self, stored: StoredTable, facts: TableFacts, place: str) -> bool:
        """Return whether the player on turn plays from this place's chat."""
        assert facts.view is not None
        assert facts.view.turn is not None
        person = stored.value.seats[facts.view.turn].person
        return person is not None and self._people.chat_of(person) is self._people.chat_of(place)

    def _keeps_seat(self, table: Table, place: str) -> bool:
        """Return whether the computer keeps the seat of somebody in this place's chat who has no rack of
        their own to take it back from."""
        chat = self._people.chat_of(place)
        return any(
            seat.computer
            and seat.person
            and seat.alerts_only
            and seat.private_closed
            and self._people.chat_of(seat.person) is chat
            for seat in table.seats
        )

    def _link(self, places: Sequence[str], stored: StoredTable) -> str | None:
        """Return the address of the table's message: in the first of these places that has one."""
        shown, chat_of = stored.notes, self._people.chat_of
        links = (find_link(chat_of(each), each, shown.get(each), stored.value) for each in places)
        return next(filter(None, links), None)


class Hints:
    """Advice for the player on turn, at tables where help is allowed, computed outside the event loop.

    A view always gets the same advice, and each is asked for two to four times: by the answer, by delivery
    and by open pages. One takes 0.3 to 4 ms of a process at Okey, and up to 100 ms at Okey 101.
    """

    def __init__(self) -> None:
        self._known = LRUCache[tuple[Rules, SeatView], Hint | None](_REMEMBERED)

    async def of(self, table: Table, seat: int) -> Hint | None:
        """Return the advice for the person on a seat; None when there is none: no screen fails for want of
        it."""
        rules, round = table.match.rules, table.match.round
        helped = (table.practice or table.choices.hints) and table.night is None
        if not helped or round is None or table.match.turn != seat or table.seats[seat].computer:
            return None
        view = seat_view(table.match, seat)
        if (rules, view) not in self._known:
            try:
                found = await POOL.run(hint, rules, view, legal_moves(rules, round, seat))
            except BrokenExecutor:
                LOG.warning("a hint could not be computed")
                return None
            self._known[rules, view] = found
        return self._known[rules, view]
