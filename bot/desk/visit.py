"""One press or command on its way: who, from where, about which table."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from bot.chats import Person
from bot.keeper import Kept
from bot.presses import Request
from bot.tables.changes import Refused
from bot.tables.model import Seat
from bot.tables.names import clean_name
from bot.tables.play import Entropy, Pace
from bot.words import Words

_ID_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What the handler of a press needs to know, besides the table."""

    by: Person
    words: Words
    """In the person's own language."""
    request: Request
    private: bool
    """Whether he pressed where he alone sees the message."""
    place: str | None
    """Where he pressed; None in a private chat."""
    pace: Pace
    entropy: Entropy

    def argument(self, number: int = 0) -> str:
        """An argument of the button. Raises Refused `unknown_button` when it has none."""
        try:
            return self.request.arguments[number]
        except IndexError:
            raise Refused("unknown_button") from None

    def number(self, number: int = 0) -> int:
        """An argument that is a number. Raises Refused `unknown_button`."""
        text = self.argument(number)
        if not (text.isascii() and text.isdigit() and len(text) < 4):
            raise Refused("unknown_button")
        return int(text)

    def seat(self, kept: Kept) -> int:
        """The presser's seat: always found from the person, never from the button. Raises `not_seated`."""
        seat = kept.table.seat_of(self.by.key)
        if seat is None:
            raise Refused("not_seated")
        return seat


def this_move(visit: Visit, kept: Kept) -> None:
    """Raises Refused `old_button` when the game has moved on since the button was made."""
    if visit.request.moves != kept.table.moves:
        raise Refused("old_button")


def this_turn(visit: Visit, kept: Kept) -> None:
    """Raises Refused `old_button` when a turn has ended since the button was made."""
    if visit.request.moves != kept.table.turn_number:
        raise Refused("old_button")


def new_seat(person: Person, now: float) -> Seat:
    """A seat for a person who sits down."""
    return Seat(person=person.key, name=clean_name(person.name), language=person.language[:16], seen=now)


def new_table_id(place: str, person: str, id: str) -> str:
    """The id of the table that a command or press opens: delivered twice, it opens one table."""
    digest = blake2b(f"{place} {person} {id}".encode(), digest_size=8).digest()
    number = int.from_bytes(digest)
    digits = ""
    for _ in range(_ID_LENGTH):
        number, digit = divmod(number, len(_ID_ALPHABET))
        digits += _ID_ALPHABET[digit]
    return digits
