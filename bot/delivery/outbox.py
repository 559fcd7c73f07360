"""Outbox: finds, in a snapshot of a table or night, the items still due to each recipient."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot.delivery.boards import Boards
from bot.delivery.items import Item, Rank, Send, limit_opening
from bot.delivery.messages import Closing, DueScreen, closing, due_screen
from bot.delivery.night_messages import awaits_tables, find_night_messages
from bot.delivery.notes import EMPTY, NoteKind, Notes, find_notes, is_screen
from bot.delivery.pings import find_calls, find_closed_lines, note_with_rack
from bot.delivery.repositories import Repositories
from bot.delivery.snapshot import DailyAsTold, NightAsTold, Snapshot, TableAsTold
from bot.delivery.table_messages import find_table_messages, note_opened
from bot.delivery.threads import find_steps
from bot.delivery.views import Viewing
from bot.i18n import words_for
from bot.markup import SeatScreen
from bot.people.notifications import is_silent
from bot.ports import (
    Chat,
    DirectChannels,
    EphemeralRacks,
    PlaceDeleted,
    PlaceMoved,
    PlaceRefused,
    PrivateClosed,
    Reactions,
    Timeline,
    platform_of,
)
from bot.store import Note
from bot.tables.lobby import can_be_played_again
from bot.tables.table import Table


class Outbox:
    """Finds the items to deliver. It makes no calls: an item's contents are made when its turn has come."""

    def __init__(self, repositories: Repositories, viewing: Viewing, boards: Boards) -> None:
        self._people = repositories.people
        self._tables = repositories.tables
        self._viewing = viewing
        self._boards = boards

    def items(self, snapshot: Snapshot) -> Iterator[Item]:
        """Yield all items still to be delivered by chats that run here, except to sleeping recipients."""
        for item in self._find_items(snapshot):
            if not (snapshot.sleeping.get(item.recipient) or item.is_noted(snapshot.notes)):
                yield item

    def _find_items(self, snapshot: Snapshot) -> Iterator[Item]:
        match snapshot:
            case TableAsTold():
                yield from self._screens(snapshot)
                yield from self._close_replaced(snapshot)
                yield from self._reactions(snapshot)
                yield from find_calls(snapshot)
                yield from find_closed_lines(snapshot)
                yield from find_steps(snapshot, self._tables)
                yield from find_table_messages(snapshot)
            case NightAsTold():
                yield from self._boards.items(snapshot)
                yield from find_night_messages(snapshot)
            case DailyAsTold():
                yield from self._boards.daily_items(snapshot)

    def waits(self, snapshot: Snapshot) -> bool:
        """Return whether there will be something to deliver of which nothing is due yet."""
        if not isinstance(snapshot, NightAsTold):
            return False
        return snapshot.communities is None or awaits_tables(snapshot)

    def chats(self, snapshot: Snapshot, served: frozenset[str]) -> frozenset[str]:
        """Return the chats that must be shown or told it. A chat that no process serves is included for
        everything that it shows when it is back: a table, a day's rack, a night that is not over, and a board
        of the night that would stay as it was. To tell people of a night it would be too late."""
        if isinstance(snapshot, TableAsTold):
            table = snapshot.stored.value
            called = (each.person for each in table.calls.called)
            return frozenset(map(platform_of, (*table.readers(), *called)))
        if isinstance(snapshot, DailyAsTold):
            place = snapshot.board.place
            return frozenset({platform_of(place)} if place else ())
        league, over = snapshot.league, snapshot.night.stage in ("over", "cancelled")
        accounts = (account for member in league.members.values() for account in member.accounts)
        told = served.intersection(map(platform_of, (*league.places, *accounts)))
        return told.union(
            map(platform_of, (*filter(is_screen, snapshot.notes), *(() if over else league.places)))
        )

    # The screens of a table

    def _screens(self, snapshot: TableAsTold) -> Iterator[Item]:
        table = snapshot.stored.value
        for recipient in table.readers():
            chat = snapshot.chat_of(recipient)
            if chat is not None and (due := due_screen(snapshot, recipient, chat)) is not None:
                show = self._to_place if recipient in table.places else self._to_person
                yield show(snapshot, recipient, chat, due)

    def _to_place(self, snapshot: TableAsTold, place: str, chat: Chat, due: DueScreen) -> Item:
        async def send() -> Notes:
            screen = self._viewing.public(snapshot.stored, place)
            message = await chat.show_table(place, screen, due.message, anew=due.fresh)
            posted = {NoteKind.POSTED.of(place): Note(number=int(snapshot.stored.now))}
            shown = {place: Note(message, screen.version, screen.worth)}
            return {**shown, **(posted if due.fresh else {}), **note_opened(snapshot)}

        limits = (chat.limits.urgent if due.rank is Rank.TURN else chat.limits.public)(place)
        leads_on = due.fresh and due.message is not None
        return Item(snapshot.stored.value.id, place, place, due.rank, limits, send, leads_on=leads_on)

    def _close_replaced(self, snapshot: TableAsTold) -> Iterator[Item]:
        """Items that close messages which still have the buttons of an earlier round or turn, or of the
        lobby: see `bot.delivery.messages`."""
        table = snapshot.stored.value
        for old, last in find_notes(snapshot.notes, NoteKind.REPLACED).items():
            recipient, _, message = old.partition(" ")
            key, chat = NoteKind.REPLACED.of(old), snapshot.chat_of(recipient)
            if chat is None:
                continue
            now = snapshot.notes.get(recipient)
            if now is not None and _are_same(chat, message, now.text):
                continue  # it is the present one again
            how = closing(table, recipient, last)
            send = partial(self._close, how, snapshot, recipient, chat, message)
            limits = (chat.limits.private if how.way == "remove" else chat.limits.public)(recipient)
            yield Item(
                table.id,
                key,
                recipient,
                how.rank,
                limits,
                send,
                done={key: None},
                due_after=(PlaceRefused,),  # when its place is awake again, it is closed there
            )

    def _reactions(self, snapshot: TableAsTold) -> Iterator[Item]:
        """Yield the reactions to the messages that tell the end of a match, one for each place."""
        table = snapshot.stored.value
        for place in table.places if can_be_played_again(table) else ():
            key, chat = NoteKind.MATCH_END.of(place), snapshot.chat_of(place)
            if isinstance(chat, Reactions) and snapshot.is_shown(place):
                limits = chat.limits.public(place)
                send = partial(chat.celebrate, place, snapshot.notes[place].text)
                yield Item(table.id, key, place, Rank.CLOCK, limits, send, done={key: EMPTY}, due_after=())

    async def _close(
        self, how: Closing, snapshot: TableAsTold, recipient: str, chat: Chat, message: str
    ) -> None:
        viewing, stored = self._viewing, snapshot.stored
        with suppress(PlaceDeleted, PlaceMoved, PrivateClosed):  # nobody can press there any more
            if how.way == "tell_left":
                screen = viewing.render_left(stored, recipient)
                await chat.show_table(recipient, screen, message, anew=False)
            if not isinstance(chat, Timeline):
                return  # the newer one has taken its spot
            match how.way:
                case "remove":
                    await chat.remove_rack(recipient, message)
                case "take_buttons":
                    await chat.take_buttons(recipient, message)
                case "tell_moved":
                    await chat.show_last(recipient, viewing.lead_down(stored, recipient), message)
                case "tell_lobby":
                    await chat.show_last(recipient, viewing.full_lobby(stored, recipient), message)
                case "tell_result":
                    screen = await viewing.earlier_result(stored, how.round, recipient)
                    await chat.show_last(recipient, screen, message)

    def _to_person(self, snapshot: TableAsTold, person: str, chat: Chat, due: DueScreen) -> Item:
        table, seat, opens = snapshot.stored.value, snapshot.stored.value.seat_of(person), False
        send: Send
        if seat is None:
            screen = self._viewing.farewell(snapshot.stored, person)
            assert screen is not None
            send = partial(_send_farewell, person, chat, screen, due.message)
        elif due.rank is Rank.OPENING:
            assert isinstance(chat, DirectChannels)
            send = partial(chat.open_private, person)
        else:
            send = partial(self._send_rack, snapshot, chat, seat, due)
            opens = not table.seats[seat].private_closed  # else it may be shown in a place
        opening = () if due.message else limit_opening(chat, person)
        limits = opening + chat.limits.private(person)
        return Item(
            table.id,
            person,
            person,
            due.rank,
            limits,
            send,
            is_rack=due.rank is not Rank.OPENING,
            done={NoteKind.MATCH_END.of(seat): EMPTY} if due.ends_match else {},
            is_once=due.ends_match,
            opens=opens,
            leads_on=due.fresh,  # others may wait to be told why theirs did not come
        )

    async def _send_rack(self, snapshot: TableAsTold, chat: Chat, seat: int, due: DueScreen) -> Notes:
        stored = snapshot.stored
        sits = stored.value.seats[seat]
        person = str(sits.person)
        profile = snapshot.profile if snapshot.turn == seat else None
        profile = profile or await self._people.load(person)
        screen = await self._viewing.private(stored, seat, words_for(sits.language), profile=profile)
        screen = replace(screen, celebrates=due.ends_match and seat in stored.value.match.winners)
        silent = is_silent(profile.notifying, stored.now)
        if sits.private_closed:
            assert isinstance(chat, EphemeralRacks)  # it is due since a place shows it
            message = await chat.show_rack_in_place(person, screen, due.message, silent=silent)
        else:
            message = await chat.show_rack(
                person,
                screen,
                due.message,
                notify=due.fresh or due.is_called or due.ends_match,
                silent=silent,
            )
        shown = {person: Note(message, screen.version, screen.worth)}
        first = {NoteKind.FIRST_RACK.of(seat): EMPTY} if due.fresh else {}
        return shown | first | dict(note_with_rack(snapshot, seat))


def _are_same(chat: Chat, one: str, other: str) -> bool:
    """Return whether two references are to the same message."""
    return chat.same_message(one, other) if isinstance(chat, Timeline) else one == other


def is_shown_to(table: Table, recipient: str) -> bool:
    """Return whether a place or person is shown a table, or will be again when a room of it is deleted."""
    return recipient in (*table.readers(), *table.postings.rooms.values())


async def _send_farewell(person: str, chat: Chat, screen: SeatScreen, earlier: str | None) -> Notes:
    """Say in their old rack message, or where a place shows their rack, that their seat is gone. If it can't
    be reached, that is all."""
    message = earlier or ""
    with suppress(PrivateClosed):
        if earlier:
            message = await chat.show_rack(person, screen, earlier, notify=False)
        else:
            assert isinstance(chat, EphemeralRacks)
            message = await chat.show_rack_in_place(person, screen, None)
    return {person: Note(message, screen.version, screen.worth)}
