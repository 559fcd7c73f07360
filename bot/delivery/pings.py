"""Turn pings: tell people that it is their turn, once for each occasion and in the way that they chose."""

from collections.abc import Iterator, Mapping
from functools import partial

from bot.delivery.items import Item, Rank, line_in_place
from bot.delivery.notes import EMPTY, NoteKind, Notes, find_notes
from bot.delivery.snapshot import TableAsTold
from bot.i18n import words_for
from bot.markup import Clock, Name, Text
from bot.people.notifications import TurnCall, call_for, call_number, occasion
from bot.ports import Chat, Person
from bot.store import Note
from bot.tables.clocks import ends_at
from bot.tables.table import Table


def find_calls(snapshot: TableAsTold) -> Iterator[Item]:
    """Yield the lines to be deleted that call people to turns that are over, with clocks that have run out,
    and the line in a place that mentions the person on turn, which deletes the line before."""
    for called in find_notes(snapshot.notes, NoteKind.CALL):
        if called != str(snapshot.turn):
            yield from _without(snapshot, NoteKind.CALL.of(called))
    if snapshot.turn is None or _due(snapshot) != "mention":
        return
    table, seat = snapshot.stored.value, snapshot.stored.value.seats[snapshot.turn]
    person = Person(str(seat.person), seat.name)
    place, chat = _place(snapshot, person.key), snapshot.chat_of(person.key)
    assert place is not None
    assert chat is not None
    key, number = NoteKind.CALL.of(snapshot.turn), call_number(table)
    earlier, once = snapshot.notes.get(key), f"{table.id} {key} {number}"

    async def send() -> Notes:
        line = await chat.post_line(place, _call(snapshot, place), calls=(person,), once=once)
        before, _, last = (earlier or EMPTY).text.partition(" ")
        if before == place:
            await chat.delete_line(place, last)
        return {key: Note(f"{place} {line}", number)}

    # After a kill the line before is still known, and deleted when the turn is over.
    done, limits = {key: Note((earlier or EMPTY).text, number)}, chat.limits.urgent(place)
    yield Item(table.id, key, place, Rank.TURN, limits, send, done=done, is_once=True, earlier=earlier)


def _without(snapshot: TableAsTold, key: str, *others: str) -> Iterator[Item]:
    """Yield the item that deletes the line, if any, that is noted under these keys."""
    told = snapshot.notes[key]
    place, _, line = told.text.partition(" ")
    chat = snapshot.chat_of(place)
    if line and chat is not None and place not in snapshot.sleeping:
        gone = dict.fromkeys((key, *others), Note(number=told.number))
        send, limits = partial(chat.delete_line, place, line), chat.limits.public(place)
        table = snapshot.stored.value.id
        yield Item(table, key, place, Rank.CLOCK, limits, send, done=gone, due_after=())


def find_closed_lines(snapshot: TableAsTold) -> Iterator[Item]:
    """Yield the line in a place that tells people, once, why their racks do not come in private: one line
    for everybody whom it concerns, so it waits until each first rack has come or been refused, or
    somebody has played. It goes when it concerns nobody any more."""
    yield from _all_opened(snapshot)
    table = snapshot.stored.value
    untold: dict[str, dict[str, Person]] = {}
    for number, seat in enumerate(table.seats):
        person = Person(str(seat.person), seat.name)
        key, place = NoteKind.CLOSED.of(number, person.key), _place(snapshot, person.key)
        if table.stage != "playing" or seat.person is None or place is None:
            continue
        if seat.private_closed and key not in snapshot.notes:
            untold.setdefault(place, {})[key] = person
        elif not seat.private_closed and _is_coming(snapshot, number):
            return
    for place, people in untold.items():
        chat = snapshot.chat_of(place)
        assert chat is not None
        send = partial(_tell_closed, table, people, place, chat)
        yield line_in_place(table.id, tuple(people), place, chat, send)


def _all_opened(snapshot: TableAsTold) -> Iterator[Item]:
    """Lines of which each person's private messages arrive by now, or whose match is over."""
    table = snapshot.stored.value
    lines: dict[str, list[str]] = {}
    for whom, told in find_notes(snapshot.notes, NoteKind.CLOSED).items():
        lines.setdefault(told.text, []).append(whom)
    for people in lines.values():
        if table.is_over or not any(_is_closed(table, whom) for whom in people):
            yield from _without(snapshot, *map(NoteKind.CLOSED.of, people))


def is_called_by_message(snapshot: TableAsTold, seat: int) -> bool:
    """Return whether a rack is to come as a new message, which pings its player."""
    return snapshot.turn == seat and _due(snapshot) == "message"


def note_with_rack(snapshot: TableAsTold, seat: int) -> Notes:
    """Return the notes to make when a rack is shown to its player: on their turn, that they know of
    it."""
    if snapshot.turn != seat or snapshot.is_pinged(seat) or _due(snapshot) == "mention":
        return {}
    key = NoteKind.CALL.of(seat)
    line = snapshot.notes.get(key, EMPTY).text
    return {key: Note(line, call_number(snapshot.stored.value))}


def _due(snapshot: TableAsTold) -> TurnCall | None:
    """Return the way in which the person on turn is still to be told; None: they need not be."""
    table, seat = snapshot.stored.value, snapshot.turn
    if seat is None or snapshot.profile is None or snapshot.is_pinged(seat):
        return None
    now = snapshot.stored.now
    began = occasion(table, snapshot.stored.deadline) or now
    notifying, in_sight = snapshot.profile.notifying, snapshot.in_sight
    call = call_for(table, seat, notifying, began=began, now=now, in_sight=in_sight)
    person = str(table.seats[seat].person)
    if call is None or _place(snapshot, person) is None:
        return call and "message"
    # A rack that a place shows to them privately changes without a sound.
    call = "mention" if table.seats[seat].private_closed else call
    return None if call == "mention" and _is_called_by_night(table) else call


def _place(snapshot: TableAsTold, person: str) -> str | None:
    """Return the first of a table's places that is awake and in the person's own chat."""
    own, places = snapshot.chat_of(person), snapshot.stored.value.places
    places = tuple(place for place in places if not snapshot.sleeping.get(place))
    near = (place for place in places if own is not None and snapshot.chat_of(place) is own)
    return next(near, None)


def _is_called_by_night(table: Table) -> bool:
    """Return whether the call to a night's tables is news enough: its first turn has just begun."""
    begins = table.match.round_number == 1 and table.match.round is not None and not table.match.round.turns
    return table.night is not None and begins and table.clock.warned != table.turn_number


def _is_coming(snapshot: TableAsTold, number: int) -> bool:
    """Return whether the first rack of the match is still on its way to a seat's person. Once somebody has
    played nobody waits for it: who has the table open as an app gets none."""
    table = snapshot.stored.value
    seat, round = table.seats[number], table.match.round
    came = NoteKind.FIRST_RACK.of(number) in snapshot.notes or (round is not None and round.turns > 0)
    return not came and seat.computer is None and str(seat.person) not in snapshot.sleeping


def _is_closed(table: Table, whom: str) -> bool:
    """Return whether a note's person still sits where they were told it, and no private message arrives
    there."""
    number, _, person = whom.partition(" ")
    seat = table.seats[int(number)]
    return seat.person == person and seat.private_closed


async def _tell_closed(table: Table, people: Mapping[str, Person], place: str, chat: Chat) -> Notes:
    words = words_for(table.language_at(place))
    how = "private.closed" if chat.links.start(table.id) is None else "private.closed_link"
    calls, text = tuple(people.values()), words.say(how, n=len(people))
    if table.night is not None:  # the call to the night's tables mentions them
        named = Name(", ".join(each.name for each in calls))
        calls, text = (), (named, ": ", *text)
    once = f"{table.id} {' '.join(people)}"
    line = await chat.post_line(place, text, calls=calls, opens=table.id, once=once)
    return dict.fromkeys(people, Note(f"{place} {line}"))


def _call(snapshot: TableAsTold, place: str) -> Text:
    table = snapshot.stored.value
    words = words_for(table.language_at(place))
    until = ends_at(table, snapshot.stored.deadline)
    when = () if until is None else words.say("table.until", when=Clock(until))
    key = "call.hurry" if table.clock.warned == table.turn_number else "call.turn"
    return words.say(key, table=snapshot.name_in(place, words)) + when
