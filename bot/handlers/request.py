"""One press or command on its way: who, from where, about which table."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from bot.callback_data import CallbackData
from bot.errors import Refused
from bot.i18n import Words
from bot.ids import LeagueId, NightId, TableId, read_key
from bot.ports import Person
from bot.repository.tables import StoredTable, TableRepository
from bot.tables.names import clean_name
from bot.tables.play import Delays, Entropy
from bot.tables.table import Change, Seat
from bot.tables.turns import present

_ID_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """What the handler of a press needs to know, besides the table."""

    by: Person
    words: Words
    """In the person's own language."""
    request: CallbackData
    private: bool
    """Whether he pressed where he alone sees the message."""
    place: str | None
    """Where he pressed; None in a private chat."""
    delays: Delays
    entropy: Entropy

    @property
    def table(self) -> TableId:
        """The table that the button is about. Raises Refused `unknown_table` when no table is called so."""
        match read_key(self.request.table):
            case "table", table:
                return table
        raise Refused("unknown_table")

    @property
    def night(self) -> NightId:
        """The night that the button is about. Raises Refused `unknown_night` when no night is called so."""
        match read_key(self.request.table):
            case "night", night:
                return night
        raise Refused("unknown_night")

    @property
    def league(self) -> LeagueId:
        """The league that the button is about."""
        return LeagueId(self.request.table)

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

    def seat(self, stored: StoredTable) -> int:
        """The presser's seat: always found from the person, never from the button. Raises `not_seated`."""
        seat = stored.value.seat_of(self.by.key)
        if seat is None:
            raise Refused("not_seated")
        return seat


def this_move(context: RequestContext, stored: StoredTable) -> None:
    """Raises Refused `old_button` when the game has moved on since the button was made."""
    if context.request.revision != stored.value.game_revision:
        raise Refused("old_button")


def this_turn(context: RequestContext, stored: StoredTable) -> None:
    """Raises Refused `old_button` when a turn has ended since the button was made."""
    if context.request.revision != stored.value.turn_number:
        raise Refused("old_button")


def new_seat(person: Person, now: float) -> Seat:
    """A seat for a person who sits down."""
    return Seat(person=person.key, name=clean_name(person.name), language=person.language[:16], seen=now)


def new_table_id(place: str, person: str, id: str) -> TableId:
    """The id of the table that a command or press opens: delivered twice, it opens one table."""
    digest = blake2b(f"{place} {person} {id}".encode(), digest_size=8).digest()
    number = int.from_bytes(digest)
    digits = ""
    for _ in range(_ID_LENGTH):
        number, digit = divmod(number, len(_ID_ALPHABET))
        digits += _ID_ALPHABET[digit]
    return TableId(digits)


PRESENCE_SECONDS: Final = 5.0
"""What changes nothing else is noted as presence at most so often: less than any clock's warning."""


def noticed(stored: StoredTable, person: str, *, private: bool) -> Change | None:
    """The table with a person noted as present; None when he has no seat, when that is no news, or when
    nobody's presence matters any more."""
    seat = stored.value.seat_of(person)
    if seat is None or stored.value.stage in ("over", "closed"):
        return None
    there = present(stored.value, seat, stored.now, private=private)
    known = stored.value.seats[seat]
    old_news = known.missed == 0 and known.private_closed == there.seats[seat].private_closed
    return None if old_news and stored.now - known.seen < PRESENCE_SECONDS else Change(there)


async def note_presence(repository: TableRepository, context: RequestContext) -> StoredTable | None:
    """Note who pressed as present; the table as it then is, None when there is none."""
    try:
        return await repository.change(
            context.table, None, lambda stored: noticed(stored, context.by.key, private=context.private)
        )
    except Refused as refused:  # no such table, or too busy for what nobody is waiting for
        return None if refused.code == "unknown_table" else await repository.load(context.table)
