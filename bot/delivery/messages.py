"""Life of a message: what becomes of the message that shows a table to a place or a person.

| it is    | and then                                         | so                              | and is   |
|----------|--------------------------------------------------|---------------------------------|----------|
| new      | its reader is to be shown the table              | it is sent                      | shown    |
| shown    | its worth is not the table's to this reader      | it is edited                    | shown    |
| shown    | its player is asked something on it, and waits   | nothing, until they answer      | shown    |
| shown    | a round or a posting begins, or its place slept  | a new one is sent below it      | replaced |
| shown    | a turn begins, and others wrote a lot below it   | a new one is sent below it      | replaced |
| shown    | its player's turn comes, and they see it no more | a new one is sent below it      | replaced |
| shown    | its place sleeps                                 | nothing, until it wakes         | shown    |
| shown    | the table leaves its place                       | that is noted                   | replaced |
| shown    | its person has lost their seat                   | it says why                     | shown    |
| replaced | its round's result, or the lobby, is worth it    | it shows that, without buttons  | closed   |
| replaced | the newer message is of the same round or lobby  | it leads there                  | closed   |
| replaced | the table has left its place                     | it says so                      | closed   |
| replaced | anything else                                    | its buttons are taken           | closed   |

`due_screen` finds the first seven. Of these, `TurnPings` knows whether an edit would be overlooked, and the
outbox whether a place sleeps or slept. `Delivery.note_left_place` notes the eighth, `due_screen` finds the
ninth, and `ending` the others. What is shown is noted beside the message's reference, so each step may happen
twice."""

from dataclasses import dataclass
from typing import Final, Literal

from bot.delivery.items import NEVER, Key, NoteKind, Rank, screen_of
from bot.delivery.snapshot import TableAsTold
from bot.people.notifications import find_awaited
from bot.store import ShownMessage
from bot.tables.lobby import can_be_played_again
from bot.tables.table import EndedRound, Table
from bot.tables.worth import Worth, read_worth

BELOW_MOST: Final = 10
"""The most newer messages below a table that is still in sight."""

MOVED_SECONDS: Final = 120.0
"""Seconds between two postings of a table that has scrolled out of sight."""

LEFT: Final = ShownMessage("-", 0, "left")
"""The note for the last message in a place that a table has left: it shows no round."""


@dataclass(frozen=True, slots=True)
class DueScreen:
    """A screen of a table that a place or person has not seen yet. `seat` is None for a place, and for a
    person who has none any more."""

    rank: Rank
    seat: int | None
    message: str | None
    fresh: bool = False
    """Whether a new message shows it instead of an edit."""


def due_screen(
    snapshot: TableAsTold, reader: str, *, open: bool, reached: bool = True, below: int = 0
) -> DueScreen | None:
    """Return the screen of a table that is due for a place or person; None when there is none.

    `open`: whether the person can be written to without opening a private chat first; `reached`: whether
    their rack reaches them at all, in private or where a place shows it to them alone; `below`: how many
    newer messages are known to lie below a place's."""
    table = snapshot.stored.value
    if reader in table.places:
        is_shown = table.awaits_room or snapshot.is_shown(reader)
        return None if is_shown else _due_in_place(snapshot, reader, below)
    seat = table.seat_of(reader)
    if seat is None:
        return _due_farewell(snapshot, reader)
    if not reached:
        return None
    if table.stage == "lobby":
        return None if open else DueScreen(Rank.OPENING, seat, None)
    if snapshot.is_shown(reader):
        return None
    if table.match.round is None and screen_of(reader) not in snapshot.told:
        return None  # a round that was cut short is gone: only who has its rack is shown that it is over
    return _due_rack(snapshot, reader, seat)


def is_anew(shown: ShownMessage | None, worth: Worth) -> bool:
    """Return whether a place is to be shown a table in a new message, because it has none of this round or
    posting yet, or slept since."""
    seen = None if shown is None else read_worth(shown.worth)
    return seen is None or seen.message != worth.message


def _due_in_place(snapshot: TableAsTold, place: str, below: int) -> DueScreen:
    shown, worth = snapshot.told.get(screen_of(place)), snapshot.worths[place]
    seen = None if shown is None else read_worth(shown.worth)
    anew = is_anew(shown, worth) or (below > BELOW_MOST and _may_move(snapshot, place, seen, worth))
    rank = _public_rank(snapshot.stored.value, seen, worth)
    return DueScreen(rank, None, None if shown is None else shown.message, anew)


def _may_move(snapshot: TableAsTold, place: str, seen: Worth | None, worth: Worth) -> bool:
    """Return whether a table that has scrolled out of sight may be posted anew: as a turn begins, and not
    soon after it was last."""
    last = snapshot.told.get(Key(NoteKind.POSTED, place), NEVER).version
    turned = snapshot.stored.value.stage == "playing" and seen is not None and seen.game != worth.game
    return turned and snapshot.stored.now - last >= MOVED_SECONDS


def _public_rank(table: Table, seen: Worth | None, worth: Worth) -> Rank:
    if table.stage != "playing":
        return Rank.NEWS
    if seen is not None and (seen.round, seen.game) == (worth.round, worth.game):
        return Rank.CLOCK
    turn = find_awaited(table)
    told_here = turn is not None and table.seats[turn].private_closed
    return Rank.TURN if told_here else Rank.TABLE


def _due_rack(snapshot: TableAsTold, person: str, seat: int) -> DueScreen | None:
    table, shown = snapshot.stored.value, snapshot.told.get(screen_of(person))
    on_turn = find_awaited(table) == seat
    message = None if shown is None else shown.message
    first = shown is None or not (table.practice or Key(NoteKind.FIRST_RACK, str(seat)) in snapshot.told)
    if first or on_turn or table.stage != "playing":
        return DueScreen(Rank.TURN if on_turn else Rank.RACK, seat, message, fresh=first)
    asked = snapshot.told.get(Key(NoteKind.DIALOGUE, str(seat)))
    if asked is not None and shown is not None and asked.version >= shown.version:
        return None  # they are arranging their rack, and must not lose their selection
    return DueScreen(Rank.CLOCK, seat, message)


def _due_farewell(snapshot: TableAsTold, person: str) -> DueScreen | None:
    """Return the last screen of a person without a seat, in place of one that they still see."""
    shown = snapshot.told.get(screen_of(person))
    if shown is None or person not in snapshot.worths or snapshot.is_shown(person):
        return None
    return DueScreen(Rank.RACK, None, shown.message)


WayToClose = Literal["tell_moved", "tell_left", "tell_result", "tell_lobby", "take_buttons"]
"""What closes a message that a newer one has replaced."""


def ending(table: Table, last: ShownMessage) -> tuple[WayToClose, EndedRound | None]:
    """Return what closes a place's replaced message, which showed `last`, and the round whose result it
    tells.

    The results of earlier rounds stay to be read, without the time of the next one, and so does the lobby,
    with those who sit there as the first round begins; a round that people left so quickly that its result
    was never shown tells that now."""
    seen, ended = read_worth(last.worth), None
    if last.worth == LEFT.worth:
        return "tell_left", None
    if seen is None:
        return "take_buttons", None
    if seen.round == table.match.round_number + can_be_played_again(table):
        return "tell_moved", None
    ended = next((each for each in table.news.ended if each.number == seen.round), None)
    if ended is not None:
        return "tell_result", ended
    is_first = seen.round == 0 and table.match.round_number == 1 and table.stage == "playing"
    return ("tell_lobby" if is_first else "take_buttons"), None


def is_news(last: ShownMessage, ended: EndedRound | None) -> bool:
    """Return whether a replaced message has never shown the result that it is to tell."""
    seen = read_worth(last.worth)
    return ended is not None and seen is not None and not seen.ended
