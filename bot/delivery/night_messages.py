"""Messages about a night: reminders, boards that are not shown, free seats, calls to the tables of a round.

Each is noted before it is sent: sent twice, it would disturb people.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bot.delivery.boards import words_at
from bot.delivery.items import Item, Rank, direct_message, line_in_place
from bot.delivery.notes import EMPTY, NoteKind, Notes, find_notes
from bot.delivery.snapshot import NightAsTold
from bot.delivery.table_messages import asleep_page
from bot.i18n import Words, words_for
from bot.league.night import NightRound
from bot.league.night_tables import account_of
from bot.league.timers import REMINDERS
from bot.markup import Page
from bot.ports import Person, channel_of, platform_of
from bot.screens.league import messages
from bot.store import Note

CALLED_AT_ONCE: Final = 20
"""The most people mentioned in one line."""


def find_night_messages(snapshot: NightAsTold) -> Iterator[Item]:
    """Yield the messages about a night that are still due to people, in those chats that run here."""
    yield from _reminders(snapshot)
    yield from _tell_hidden_boards(snapshot)
    if (round := snapshot.night.running) is not None:
        yield from _free_seats(snapshot, round)
        seated, unseen = _find_seated(snapshot, round)
        for place in seated.keys() - unseen:
            yield from _call(snapshot, round, place, seated[place])


def awaits_tables(snapshot: NightAsTold) -> bool:
    """Return whether there will be more to tell as soon as tables are shown."""
    if (round := snapshot.night.running) is None:
        return False
    seated, unseen = _find_seated(snapshot, round)
    return bool(seated.keys() & unseen)


# To members, in private


def _reminders(snapshot: NightAsTold) -> Iterator[Item]:
    """Reminders for those who had signed up at the moment of the reminder. A maybe is reminded once."""
    night, left = snapshot.night, snapshot.night.start - snapshot.now
    before = min((each for each in REMINDERS if left <= each), default=None)
    if before is None or left <= 0 or night.stage not in ("announced", "check_in", "ready"):
        return
    start, moment = round(night.start), NoteKind.REMINDER.of(round(night.start), round(before))
    listed = snapshot.notes.get(moment)
    if listed is None:
        sent = find_notes(snapshot.notes, NoteKind.REMINDER)
        asked = {which.split()[-1] for which in sent if which.startswith(f"{start} ")}
        signed_up = " ".join(
            each.member
            for each in night.entrants
            if each.reply in ("yes", "substitute") or (each.reply == "maybe" and each.member not in asked)
        )
        # A chat that can't be reached keeps no reminders from the other one.
        first = next(filter(snapshot.chat_of, snapshot.league.places), "")

        async def list_them() -> Notes:
            return {moment: Note(signed_up)}

        yield Item(night.id, moment, platform_of(first), Rank.CLOCK, (), list_them, leads_on=True)
        return
    for id in listed.text.split():
        entrant, member = night.entrant(id), snapshot.league.members.get(id)
        if entrant is not None and entrant.reply != "no" and member is not None and member.reminders:
            key = f"{moment} {id}"
            page = partial(messages.reminder, snapshot.league, night, id)
            yield from _direct(snapshot, key, id, page, Rank.TABLE)


def _free_seats(snapshot: NightAsTold, round: NightRound) -> Iterator[Item]:
    """News for substitutes while a computer player keeps a seat."""
    entrants = (each for each in snapshot.night.entrants if each.reply == "substitute")
    substitutes = [each.member for each in entrants if round.seat_of(each.member) is None]
    for table in round.tables:
        page = partial(messages.free_seat, snapshot.league, snapshot.night, table.number)
        for seat in () if table.over else table.free:
            for id in substitutes:
                key = NoteKind.FREE_SEAT.of(round.number, table.number, seat, table.taken[seat], id)
                yield from _direct(snapshot, key, id, page, Rank.NEWS)


def _tell_hidden_boards(snapshot: NightAsTold) -> Iterator[Item]:
    """Yield the news for those who signed up where the board is not shown, while the night is not
    over."""
    night, league = snapshot.night, snapshot.league
    for entrant in () if night.stage in ("over", "cancelled") else night.entrants:
        place, id = entrant.place, entrant.member
        hidden = place in league.places and snapshot.sleeping.get(place, False)
        if hidden and entrant.reply != "no" and id in league.members:
            page = partial(asleep_page, snapshot, place, "board", league.name)
            yield from _direct(snapshot, NoteKind.ASLEEP.of("board", place, id), id, page, Rank.NEWS)


def _direct(
    snapshot: NightAsTold, key: str, id: str, page: Callable[[Words], Page], rank: Rank
) -> Iterator[Item]:
    member, night = snapshot.league.members[id], snapshot.night
    account = account_of(night, id, member.accounts)
    chat = None if account is None else snapshot.chat_of(account)
    if account is None or chat is None:
        return
    words = words_for(member.language or snapshot.league.language)
    yield direct_message(night.id, key, account, chat, partial(page, words), rank)


# To places


def _call(
    snapshot: NightAsTold, round: NightRound, place: str, seated: Mapping[str, Person]
) -> Iterator[Item]:
    """Yield the line that calls the players of tables that have just been opened. If a place has several
    tables, all are called together as soon as all tables are shown."""
    key, chat = NoteKind.CALL.of(place), snapshot.chat_of(place)
    earlier = snapshot.notes.get(key)
    called = [each for each in (earlier or EMPTY).text.split(",") if each in seated]
    missing = [each for each in seated if each not in called][:CALLED_AT_ONCE]
    if not missing or chat is None:
        return
    text = messages.call(snapshot.league, round.number, words_at(snapshot.league, place))
    note = Note(",".join([*called, *missing]))

    async def send() -> None:
        calls, once = [seated[each] for each in missing], f"{snapshot.night.id} {place} {note.text}"
        await chat.post_line(place, text, calls=calls, once=once)

    item = line_in_place(snapshot.night.id, (key,), place, chat, send, note=note, earlier=earlier)
    yield replace(item, leads_on=True)  # others may still have to be called


def _find_seated(snapshot: NightAsTold, round: NightRound) -> tuple[dict[str, dict[str, Person]], set[str]]:
    """Return the people of the open tables, by place and each by their seat; and the places where a table
    is still to be shown."""
    seated: dict[str, dict[str, Person]] = {}
    unseen: set[str] = set()
    for table in snapshot.tables:
        if table.of.over:
            continue
        places = [
            place
            for place in table.stored.value.places
            if snapshot.chat_of(place) is not None and not snapshot.sleeping.get(place)
        ]
        unseen.update(place for place in places if place not in table.stored.notes)
        for number, member in enumerate(table.of.seats):
            seat = table.stored.value.seats[number]
            # The table follows its night a moment later: until then a new owner is not called.
            if seat.person is None or seat.member != member or number in table.of.free:
                continue
            place = _nearest(snapshot, member, seat.person, places)
            if place is not None:
                name = f"{round.number}.{table.of.number}.{table.of.attempt}.{member}"
                seated.setdefault(place, {})[name] = Person(seat.person, seat.name)
    return seated, unseen


def _nearest(snapshot: NightAsTold, member: str, person: str, places: Sequence[str]) -> str | None:
    """Return the place of their table that a person looks at: the one in whose channel or group they
    signed up, else the first of their chat."""
    chat, entrant = snapshot.chat_of(person), snapshot.night.entrant(member)
    near = [place for place in places if chat is not None and snapshot.chat_of(place) is chat]
    home = "" if entrant is None else channel_of(entrant.place)
    return next((place for place in near if channel_of(place) == home), near[0] if near else None)
