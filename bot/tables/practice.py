"""Practice: a round of one person against three computer players, without a place or hurry, and with advice.

It counts for nobody. It is broken off when its player has been away for a day.
"""

from typing import Final

from msgspec.structs import replace

from bot.errors import Refused, nearest_first
from bot.ids import TableId
from bot.tables import play
from bot.tables.clocks import LONGEST
from bot.tables.lobby import CLOSED_SECONDS
from bot.tables.names import computer_seat
from bot.tables.play import Delays
from bot.tables.table import Change, DealProof, Seat, Table, TableClock
from engine.context import seal_from
from engine.match import new_match
from engine.rules import PRESETS, rules_from

ROUNDS: Final = {preset: rules_from({"preset": preset, "end": "rounds", "rounds": 1}) for preset in PRESETS}
"""The rules of a practice round of every game, by preset."""
USUAL: Final = "okey"


def begin(
    *, table_id: TableId, person: Seat, preset: str, secret: bytes, now: float, delays: Delays
) -> Change:
    """Return the table of a practice round, its tiles dealt. Raises Refused `unknown_preset`."""
    assert person.person is not None
    rules = ROUNDS.get(preset)
    if rules is None:
        raise Refused("unknown_preset", name=preset[:32], known=nearest_first(preset, PRESETS))
    seats: tuple[Seat, ...] = (person,)
    while len(seats) < rules.players:
        seats = (*seats, computer_seat(seats, "easy", person.language))
    table = Table(
        id=table_id,
        places=(),
        host=person.person,
        language=person.language,
        clock=TableClock(turn_seconds=LONGEST),
        stage="lobby",
        seats=seats,
        match=new_match(rules),
        opened_at=now,
        proof=DealProof(sealed=seal_from(secret, table_id, 1)),
        practice=True,
    )
    return play.next_round(table, delays)


def leave(table: Table, person: str) -> Change:
    """Break off the round for its player. Raises Refused `not_seated`, `no_round`."""
    if table.seat_of(person) is None:
        raise Refused("not_seated")
    if not table.practice or table.stage != "playing":
        raise Refused("no_round")
    return broken_off(table)


def broken_off(table: Table) -> Change:
    """End the round without a result."""
    return Change(replace(table, stage="over"), due=CLOSED_SECONDS)
