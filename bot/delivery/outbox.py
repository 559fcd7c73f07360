"""Outbox: finds, in a snapshot of a table or night, the items still due to each recipient."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.delivery.boards import Boards, NightBoards
from bot.delivery.daily import DailyMessages
from bot.delivery.items import NEVER, Item, Key, NoteKind, Notes, Rank, screen_of
from bot.delivery.notices import HostNotices, SleepNotices, opened
from bot.delivery.pings import TurnPings
from bot.delivery.reminders import NightMessages
from bot.delivery.repositories import Repositories
from bot.delivery.snapshot import DailyAsTold, NightAsTold, Snapshot, TableAsTold
from bot.delivery.threads import Threads
from bot.delivery.views import Viewing
from bot.i18n import words_for
from bot.markup import SeatScreen
from bot.people.notifications import awaited, is_silent
from bot.ports import Chat, PlaceMoved, PlaceRefused, PrivateClosed, platform_of
from bot.repository.tables import StoredTable
from bot.store import ShownMessage
from bot.tables.table import EndedRound, Farewell, Table


@dataclass(frozen=True, slots=True)
class DueScreen:
    """A screen of a table that a place or person has not seen yet. `seat` is None for a place, and for a
    person who has none any more."""

    rank: Rank
    seat: int | None
    message: str | None
    fresh: bool = False
    """Whether a new message shows it instead of an edit."""


LEFT: Final = ShownMessage("-", -1)
"""The note for the last message in a place that a table has left: of no round."""

_CAME: Final = ShownMessage("-", 0)
"""The note for keys whose name says everything."""

_ANSWERED: Final = ShownMessage("", -1)
"""Stands for the note of a rack that a place shows one person alone, in answers to their presses only."""


def due_screen(table: Table, recipient: str, told: Notes, *, open: bool) -> DueScreen | None:
    """The screen of a table that is due for a place or person, after these notes; None when there is none.

    `open`: whether the person can be written to without opening a private chat first.
    """
    shown = told.get(screen_of(recipient))
    if recipient in table.places:
        return None if table.awaits_room else _due_in_place(table, shown)
    number = table.seat_of(recipient)
    if number is None:
        return _due_farewell(table.farewell_to(recipient), shown)
    if table.seats[number].private_closed:
        return None
    if table.stage == "lobby":
        return None if open else DueScreen(Rank.OPENING, number, None)
    if table.match.round is None and shown is None:
        return None
    if shown is not None and shown.revision >= table.seats[number].revision:
        return None
    first = shown is None or not (table.practice or Key(NoteKind.FIRST_RACK, str(number)) in told)
    message = None if shown is None else shown.message
    if first or table.stage != "playing" or awaited(table) == number:
        rank = Rank.TURN if awaited(table) == number else Rank.RACK
        return DueScreen(rank, number, message, fresh=first)
    asked = told.get(Key(NoteKind.DIALOGUE, str(number)))
    if asked is not None and shown is not None and asked.revision >= shown.revision:
        return None  # they are arranging their rack, and must not lose their selection
    return DueScreen(Rank.CLOCK, number, message)


def _due_farewell(said: Farewell | None, shown: ShownMessage | None) -> DueScreen | None:
    """The last screen of a person without a seat, in place of one that they still see."""
    if said is None or shown is None or shown.revision >= said.revision:
        return None
    return DueScreen(Rank.RACK, None, shown.message)


def due_anew(table: Table, shown: ShownMessage | None) -> bool:
    """Whether a place is to be shown a table in a new message, because it has none of this round yet."""
    return shown is None or shown.revision < table.round_revision


def _due_in_place(table: Table, shown: ShownMessage | None) -> DueScreen | None:
    if shown is not None and shown.revision >= table.revision:
        return None
    fresh = due_anew(table, shown)
    seen = 0 if shown is None else shown.revision
    return DueScreen(_public_rank(table, seen), None, None if shown is None else shown.message, fresh)


def _public_rank(table: Table, seen: int) -> Rank:
    """The rank of a screen for a place that last saw the revision `seen`."""
    if table.stage != "playing":
        return Rank.NEWS
    if seen >= table.news_revision:
        return Rank.CLOCK
    turn = awaited(table)
    told_here = turn is not None and table.seats[turn].private_closed
    return Rank.TURN if told_here else Rank.TABLE


class Outbox:
    """Finds the items to deliver. It makes no calls: an item's contents are made when its turn has come."""

    def __init__(self, repositories: Repositories, viewing: Viewing, boards: Boards) -> None:
        people = repositories.people
        self._people = people
        self._viewing = viewing
        self._pings = TurnPings(people)
        self._threads = Threads(repositories.tables, people)
        self._boards = NightBoards(boards, people)
        self._messages = NightMessages(people)
        self._notices = SleepNotices(people)
        self._hosts = HostNotices(people, viewing)
        self._daily = DailyMessages(people, repositories.communities)

    def items(self, snapshot: Snapshot) -> Iterator[Item]:
        """All items still to be delivered by chats that run here, except to sleeping recipients."""
        for item in self._found(snapshot):
            if not snapshot.sleeping.get(item.recipient):
                yield item

    def _found(self, snapshot: Snapshot) -> Iterator[Item]:
        match snapshot:
            case TableAsTold():
                return self._of_table(snapshot)
            case NightAsTold():
                return self._of_night(snapshot)
            case DailyAsTold():
                return self._daily.items(snapshot)

    def _of_table(self, snapshot: TableAsTold) -> Iterator[Item]:
        yield from self._screens(snapshot)
        yield from self._replaced(snapshot)
        yield from self._pings.items(snapshot)
        yield from self._pings.closed(snapshot)
        yield from self._threads.items(snapshot)
        yield from self._notices.of_table(snapshot)
        yield from self._hosts.items(snapshot)

    def _of_night(self, snapshot: NightAsTold) -> Iterator[Item]:
        yield from self._boards.items(snapshot)
        yield from self._messages.items(snapshot)
        yield from self._notices.of_night(snapshot)

    def waits(self, snapshot: Snapshot) -> bool:
        """Whether there will be something to deliver of which nothing is due yet."""
        if not isinstance(snapshot, NightAsTold):
            return False
        return snapshot.communities is None or self._messages.waits(snapshot)

    def chats(self, snapshot: Snapshot, served: frozenset[str]) -> frozenset[str]:
        """The chats that must be shown or told it. A chat that no process serves is included for everything
        that it shows when it is back: a table, a day's rack, a night that is not over, and a board of the
        night that would stay as it was. To tell people of a night it would be too late."""
        if isinstance(snapshot, TableAsTold):
            return frozenset(map(platform_of, _everybody(snapshot.stored.value)))
        if isinstance(snapshot, DailyAsTold):
            place = snapshot.board.place
            return frozenset({platform_of(place)} if place else ())
        league, over = snapshot.league, snapshot.night.stage in ("over", "cancelled")
        accounts = (account for member in league.members.values() for account in member.accounts)
        shown = {key.which for key in snapshot.told if key.kind is NoteKind.SCREEN}
        told = served.intersection(map(platform_of, (*league.places, *accounts)))
        return told.union(map(platform_of, shown if over else shown.union(league.places)))

    # The screens of a table

    def _screens(self, snapshot: TableAsTold) -> Iterator[Item]:
        table = snapshot.stored.value
        for recipient in _everybody(table):
            chat = self._people.chat_of(recipient)
            if chat is None:
                continue
            public = recipient in table.places
            open = public or not chat.opening_limits(recipient)
            told = _told_to(recipient, chat, snapshot)
            due = due_screen(_reached(table, recipient, chat), recipient, told, open=open)
            if due is not None:
                yield (self._to_place if public else self._to_person)(snapshot, recipient, chat, due)

    def _to_place(self, snapshot: TableAsTold, place: str, chat: Chat, due: DueScreen) -> Item:
        async def send() -> Notes:
            screen = self._viewing.public(snapshot.stored, place)
            message = await chat.show_table(place, screen, due.message, anew=due.fresh)
            return {screen_of(place): ShownMessage(message, screen.revision), **opened(snapshot)}

        limits = (chat.urgent_limits if due.rank is Rank.TURN else chat.public_limits)(place)
        leads_on = due.fresh and due.message is not None
        table, key, version = snapshot.stored.value.id, screen_of(place), snapshot.stored.version
        return Item(table, key, place, due.rank, limits, send, version=version, leads_on=leads_on)

    def _replaced(self, snapshot: TableAsTold) -> Iterator[Item]:
        """Items for messages that still have the buttons of an earlier round or turn, or of the lobby.

        The results of earlier rounds stay to be read, without the time of the next one, and so does the
        lobby, with those who sit there as the first round begins; a round that people left so quickly that
        its result was never shown tells that now. A second message of the same round or lobby goes. The last
        one in a place that the table has left says so.
        """
        table, told = snapshot.stored.value, snapshot.told
        for key in told:
            recipient, _, message = key.which.partition(" ")
            chat = self._people.chat_of(recipient)
            if key.kind is not NoteKind.REPLACED or chat is None:
                continue
            if chat.same_message(message, told.get(screen_of(recipient), NEVER).message):
                yield Item(table.id, key, "", Rank.CLOCK, (), partial(_closed, key), done_with=recipient)
                continue
            private = recipient in table.people() or table.farewell_to(recipient) is not None
            limits = (chat.private_limits if private else chat.public_limits)(recipient)
            seen, rank = told[key].revision, Rank.CLOCK
            ended = _ended_round(table, seen)
            close: Callable[[], Awaitable[object]]
            if private:
                close = partial(chat.remove_rack, recipient, message)
            elif seen == LEFT.revision:
                screen = self._viewing.left(snapshot.stored, recipient)
                close = partial(chat.show_table, recipient, screen, message, anew=False)
            elif seen >= table.round_revision or table.match.round is None:
                close = partial(chat.remove_table, recipient, message)
            elif ended is not None or _is_first_round(table):
                close = partial(self._show_last, chat, snapshot.stored, ended, recipient, message)
                rank = Rank.NEWS if ended is not None and seen < ended.ended else Rank.CLOCK
            else:
                close = partial(chat.take_buttons, recipient, message)
            yield Item(table.id, key, recipient, rank, limits, partial(_close, key, close), otherwise=NEVER)

    async def _show_last(
        self, chat: Chat, stored: StoredTable, ended: EndedRound | None, place: str, message: str
    ) -> None:
        viewing = self._viewing
        if ended is None:
            screen = viewing.full_lobby(stored, place)
        else:
            screen = await viewing.earlier_result(stored, ended.number, place)
        await chat.show_last(place, screen, message)

    def _to_person(self, snapshot: TableAsTold, person: str, chat: Chat, due: DueScreen) -> Item:
        table, revision, opens = snapshot.stored.value, None, False
        if due.seat is None:
            screen = self._viewing.farewell(snapshot.stored, person)
            assert screen is not None
            send = partial(_send_farewell, person, chat, screen, due.message)
            revision = screen.revision
        elif due.rank is Rank.OPENING:
            send = partial(_open_private, person, chat)
        else:
            send = partial(self._send_rack, snapshot, chat, due.seat, due)
            revision = table.seats[due.seat].revision
            opens = not table.seats[due.seat].private_closed  # else it may be shown in a place
        opening = () if due.message else chat.opening_limits(person)
        limits = opening + chat.private_limits(person)
        return Item(
            table.id,
            screen_of(person),
            person,
            due.rank,
            limits,
            send,
            revision=revision,
            opens=opens,
            leads_on=due.fresh,  # others may wait to be told why theirs did not come
            version=snapshot.stored.version,
        )

    async def _send_rack(self, snapshot: TableAsTold, chat: Chat, seat: int, due: DueScreen) -> Notes:
        stored = snapshot.stored
        sits = stored.value.seats[seat]
        person = str(sits.person)
        profile = snapshot.profile if snapshot.turn == seat else None
        profile = profile or await self._people.known(person)
        screen = await self._viewing.private(
            stored, seat, words_for(sits.language), told=snapshot.told, profile=profile
        )
        notify = due.fresh or self._pings.by_message(snapshot, seat)
        silent = is_silent(profile.notifying, stored.now)
        if sits.private_closed:  # it is due since a place shows it
            message = await chat.show_rack_in_place(person, screen, due.message, silent=silent)
        else:
            message = await chat.show_rack(person, screen, due.message, notify=notify, silent=silent)
        shown = {screen_of(person): ShownMessage(message, screen.revision)}
        first = {Key(NoteKind.FIRST_RACK, str(seat)): _CAME} if due.fresh else {}
        return shown | first | dict(self._pings.with_rack(snapshot, seat))


def _told_to(recipient: str, chat: Chat, snapshot: TableAsTold) -> Notes:
    """The notes of a table as they stand for one of its places or people."""
    table, told, screen = snapshot.stored.value, snapshot.told, screen_of(recipient)
    shown, said = told.get(screen), table.farewell_to(recipient)
    if shown and recipient in table.places and recipient in snapshot.sleeping and not table.is_over:
        # After it wakes it is shown the table in a new message.
        return {**told, screen: replace(shown, revision=-1)}
    if not shown and said and said.why != "left" and chat.shows_rack(recipient, table.id):
        return {**told, screen: _ANSWERED}
    return told


def _reached(table: Table, person: str, chat: Chat) -> Table:
    """The table with a person counted as reached if a place shows them their rack privately."""
    seat = table.seat_of(person)
    if seat is None or not table.seats[seat].private_closed or not chat.shows_rack(person, table.id):
        return table
    return table.with_seat(seat, private_closed=False)


def _everybody(table: Table) -> tuple[str, ...]:
    return (*table.places, *table.people(), *(each.person for each in table.farewells))


def _ended_round(table: Table, seen: int) -> EndedRound | None:
    """The ended round whose message last showed this revision of the table; None: no round's, or that of one
    that is long over."""
    following = (*(each.began for each in table.ended[1:]), table.round_revision)
    rounds = zip(table.ended, following, strict=False)
    return next((each for each, end in rounds if each.began <= seen < end), None)


def _is_first_round(table: Table) -> bool:
    """Whether what was shown before this round was the lobby."""
    return table.match.round_number == 1 and table.stage == "playing"


def is_shown_to(table: Table, recipient: str) -> bool:
    """Whether a place or person is shown a table, or will be again when a room of it is deleted."""
    return recipient in (*_everybody(table), *table.rooms.values())


async def _closed(key: Key) -> Notes:
    return {key: NEVER}


async def _close(key: Key, close: Callable[[], Awaitable[object]]) -> Notes:
    with suppress(PlaceRefused, PlaceMoved, PrivateClosed):  # nobody can press there
        await close()
    return await _closed(key)


async def _send_farewell(person: str, chat: Chat, screen: SeatScreen, earlier: str | None) -> Notes:
    """Say in their old rack message, or where a place shows their rack, that their seat is gone. If it can't
    be reached, that is all."""
    message = earlier or ""
    with suppress(PrivateClosed):
        if earlier:
            message = await chat.show_rack(person, screen, earlier, notify=False)
        else:
            message = await chat.show_rack_in_place(person, screen, None)
    return {screen_of(person): ShownMessage(message, screen.revision)}


async def _open_private(person: str, chat: Chat) -> Notes:
    await chat.open_private(person)
    return {}
