"""Life of a message: what becomes of the message that shows a table to a place or a person.

| it is    | and then                                         | so                              | and is   |
|----------|--------------------------------------------------|---------------------------------|----------|
| new      | its reader is to be shown the table              | it is sent                      | shown    |
| shown    | its worth is not the table's to this reader      | it is edited                    | shown    |
| shown    | its player is asked something on it, and waits   | nothing, until they answer      | shown    |
| shown    | a round or a posting begins, or its place slept  | a new one is sent below it      | replaced |
| shown    | a turn begins, and others wrote a lot below it   | a new one is sent below it      | replaced |
| shown    | its player's turn comes, and they see it no more | a new one is sent below it      | replaced |
| shown    | its match is won, which its player hears once    | a new one is sent below it      | replaced |
| shown    | its place sleeps                                 | nothing, until it wakes         | shown    |
| shown    | the table leaves its place                       | that is noted                   | replaced |
| shown    | its person has lost their seat                   | it says why                     | shown    |
| replaced | its round's result, or the lobby, is worth it    | it shows that, without buttons  | closed   |
| replaced | the newer message is of the same round or lobby  | it leads there                  | closed   |
| replaced | the table has left its place                     | it says so                      | closed   |
| replaced | anything else                                    | its buttons are taken           | closed   |

All of this is decided here: by `due_screen`, and for a replaced message by `closing`, from a snapshot and
from what only the reader's chat can tell. The outbox makes calls of it, and none to whoever sleeps.
`Delivery.note_left_place` notes the ninth. What is shown is noted beside the message's reference, so each
step may happen twice."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.delivery.items import Rank, limit_opening
from bot.delivery.notes import EMPTY, NoteKind, is_anew
from bot.delivery.pings import is_called_by_message
from bot.delivery.snapshot import TableAsTold
from bot.ports import Chat, EphemeralRacks, Timeline
from bot.store import Note
from bot.tables.lobby import can_be_played_again
from bot.tables.table import Table
from bot.tables.worth import Worth, read_worth

BELOW_MOST: Final = 10
"""The most newer messages below a table that is still in sight."""

MOVED_SECONDS: Final = 120.0
"""Seconds between two postings of a table that has scrolled out of sight: so a group in which thirty lines a
minute are written has one message of ours among sixty. Its table may be far away for so long and a turn more.
Nobody misses a turn, which is told in private or by a mention, and `/okey` brings the table at once."""

LEFT: Final = Note("left")
"""The note for the last message in a place that a table has left: it shows no round."""


@dataclass(frozen=True, slots=True)
class DueScreen:
    """A screen of a table that a place or person has not seen yet."""

    rank: Rank
    message: str | None
    fresh: bool = False
    """Whether it is the first of a round or posting in a place, or somebody's first rack of a match."""
    is_called: bool = False
    """Whether it calls its player to their turn: like a fresh one it comes in a new message."""
    ends_match: bool = False
    """Whether it is the news of a match's end, which comes in a new message, too, but never in two."""


def due_screen(snapshot: TableAsTold, reader: str, chat: Chat) -> DueScreen | None:
    """Return the screen of a table that is due for a place or person of this chat; None when there is
    none."""
    table = snapshot.stored.value
    if reader in table.places:
        return None if table.awaits_room else _due_in_place(snapshot, reader, chat)
    seat = table.seat_of(reader)
    if seat is None:
        return _due_farewell(snapshot, reader, chat)
    if table.seats[seat].private_closed and not _is_shown_in_place(chat, reader, table):
        return None
    if table.stage == "lobby":
        if limit_opening(chat, reader):
            return DueScreen(Rank.OPENING, None)
        own = snapshot.notes.get(reader)  # who has asked for no screen of their own has the place's
        return None if own is None or snapshot.is_shown(reader) else DueScreen(Rank.CLOCK, own.text)
    if _hears_end(snapshot, reader, seat):
        return DueScreen(Rank.RACK, snapshot.notes[reader].text, ends_match=True)
    if snapshot.is_shown(reader):
        return None
    if table.match.round is None and reader not in snapshot.notes:
        return None  # a round that was cut short is gone: only who has its rack is shown that it is over
    return _due_rack(snapshot, reader, seat)


def is_in_sight(chat: Chat, place: str, message: str) -> bool:
    """Return whether a place still has its table's message in sight, with the newer messages below it."""
    return not isinstance(chat, Timeline) or chat.count_below(place, message) <= BELOW_MOST


def _due_in_place(snapshot: TableAsTold, place: str, chat: Chat) -> DueScreen | None:
    table, shown, worth = snapshot.stored.value, snapshot.notes.get(place), snapshot.worths[place]
    if shown is not None and place in snapshot.sleeping and not table.is_over:
        shown = replace(shown, worth="")  # after it wakes it is shown the table in a new message
    elif snapshot.is_shown(place):
        return None
    seen = None if shown is None else read_worth(shown.worth)
    message = None if shown is None else shown.text
    may_move = _may_move(snapshot, place, seen, worth)
    moves = bool(message and may_move and not is_in_sight(chat, place, message))
    fresh = is_anew(shown, table) or moves
    return DueScreen(_public_rank(snapshot, seen, worth), message, fresh)


def _may_move(snapshot: TableAsTold, place: str, seen: Worth | None, worth: Worth) -> bool:
    """Return whether a table that has scrolled out of sight may be posted anew: as a turn begins, and not
    soon after it was last."""
    last = snapshot.notes.get(NoteKind.POSTED.of(place), EMPTY).number
    turned = snapshot.stored.value.stage == "playing" and seen is not None and seen.game != worth.game
    return turned and snapshot.stored.now - last >= MOVED_SECONDS


def _public_rank(snapshot: TableAsTold, seen: Worth | None, worth: Worth) -> Rank:
    table, turn = snapshot.stored.value, snapshot.turn
    if table.stage != "playing":
        return Rank.NEWS
    if seen is not None and (seen.round, seen.game) == (worth.round, worth.game):
        return Rank.CLOCK
    told_here = turn is not None and table.seats[turn].private_closed
    return Rank.TURN if told_here else Rank.TABLE


def _hears_end(snapshot: TableAsTold, person: str, seat: int) -> bool:
    """Return whether a player of a match that was won is to hear of it, though the answer to their own press
    may have shown it."""
    table = snapshot.stored.value
    told = table.seats[seat].private_closed or NoteKind.MATCH_END.of(seat) in snapshot.notes
    return can_be_played_again(table) and person in snapshot.notes and not told


def _due_rack(snapshot: TableAsTold, person: str, seat: int) -> DueScreen | None:
    table, shown = snapshot.stored.value, snapshot.notes.get(person)
    on_turn = snapshot.turn == seat
    message = None if shown is None else shown.text
    first = shown is None or not (table.practice or NoteKind.FIRST_RACK.of(seat) in snapshot.notes)
    if first or on_turn or table.stage != "playing":
        rank = Rank.TURN if on_turn else Rank.RACK
        return DueScreen(rank, message, fresh=first, is_called=is_called_by_message(snapshot, seat))
    asked = snapshot.notes.get(NoteKind.DIALOGUE.of(seat))
    if asked is not None and shown is not None and asked.number >= shown.number:
        return None  # they are arranging their rack, and must not lose their selection
    return DueScreen(Rank.CLOCK, message)


def _is_shown_in_place(chat: Chat, person: str, table: Table) -> bool:
    return isinstance(chat, EphemeralRacks) and chat.shows_rack(person, table.id)


def _due_farewell(snapshot: TableAsTold, person: str, chat: Chat) -> DueScreen | None:
    """Return the last screen of a person without a seat, in place of one that they still see: in their own
    message, or in an answer that a place showed them, unless they left by its button."""
    table, shown = snapshot.stored.value, snapshot.notes.get(person)
    said = table.farewell_to(person)
    if said is None or snapshot.is_shown(person):
        return None
    if shown is not None:
        return DueScreen(Rank.RACK, shown.text)
    in_place = said.why != "left" and _is_shown_in_place(chat, person, table)
    return DueScreen(Rank.RACK, None) if in_place else None


@dataclass(frozen=True, slots=True)
class Closing:
    """The way in which a message is closed that a newer one has replaced."""

    way: Literal["remove", "tell_moved", "tell_left", "tell_result", "tell_lobby", "take_buttons"]
    rank: Rank = Rank.CLOCK
    round: int = 0
    """The round whose result it tells."""


def closing(table: Table, recipient: str, last: Note) -> Closing:
    """Return the way to close a replaced message of a place or person; `last` is its note.

    A rack goes. The results of earlier rounds stay to be read, without the time of the next one, and so does
    the lobby, with those who sit there as the first round begins; a round that people left so quickly that
    its result was never shown tells that now."""
    if recipient in table.people() or table.farewell_to(recipient) is not None:
        return Closing("remove")
    if last == LEFT:
        return Closing("tell_left")
    seen = read_worth(last.text)
    if seen is None:
        return Closing("take_buttons")
    if seen.round == table.match.round_number + can_be_played_again(table):
        return Closing("tell_moved")
    if any(each.number == seen.round for each in table.news.ended):
        return Closing("tell_result", Rank.CLOCK if seen.ended else Rank.NEWS, seen.round)
    is_first = seen.round == 0 and table.match.round_number == 1 and table.stage == "playing"
    return Closing("tell_lobby" if is_first else "take_buttons")
