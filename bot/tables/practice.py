"""Practice: a round of one person against three computer players, without place or hurry, and with advice.

It counts for nobody. Who is away for a day has left it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.errors import Refused
from bot.ids import TableId
from bot.tables import play
from bot.tables.clocks import LONGEST
from bot.tables.lobby import CLOSED_SECONDS, COMPUTER_NAMES
from bot.tables.play import Delays
from bot.tables.table import Change, Seat, Table
from engine.arrange import distance, without
from engine.match import new_match
from engine.moves import Discard, Finish, Move, Show, Take
from engine.players import choose
from engine.rules import Rules, rules_from
from engine.tiles import Tile
from engine.view import SeatView

RULES: Final = rules_from({"preset": "okey", "end": "rounds", "rounds": 1})
_SEED: Final = bytes(32)
"""The same rack gets the same advice."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, the tile that it is about, and how many tiles are then still missing to finish."""

    kind: Literal["finish", "show", "take", "draw", "discard"]
    tile: Tile | None
    missing: int


def begin(*, table_id: TableId, person: Seat, secret: bytes, now: float, delays: Delays) -> Change:
    """The table of a practice round, its tiles dealt."""
    assert person.person is not None
    computers = (Seat(person=None, name=name, computer="easy") for name in COMPUTER_NAMES)
    seats = (person, *computers)[: RULES.players]
    table = Table(
        id=table_id,
        places=(),
        host=person.person,
        language=person.language,
        turn_seconds=LONGEST,
        stage="lobby",
        seats=seats,
        match=new_match(RULES),
        opened_at=now,
        secret=secret,
        practice=True,
    )
    return play.next_round(table, delays)


def leave(table: Table, person: str) -> Change:
    """The person has had enough. Raises Refused `not_seated`, `no_round`."""
    if table.seat_of(person) is None:
        raise Refused("not_seated")
    if not table.practice or table.stage != "playing":
        raise Refused("no_round")
    return broken_off(table)


def broken_off(table: Table) -> Change:
    """The round ends without a result."""
    number = next(i for i, seat in enumerate(table.seats) if seat.person == table.host)
    return Change(replace(table, stage="over").seat_touched(number), due=CLOSED_SECONDS)


def hint(rules: Rules, view: SeatView, legal: Sequence[Move]) -> Hint | None:
    """The advice for who is on turn at a classic table; None when it is not their turn."""
    if not legal or view.public.turn != view.seat:
        return None
    left = view.left_pile[-1] if view.left_pile else None
    match choose("steady", rules, view, legal, _SEED):
        case Finish(tile):
            return Hint("finish", tile, 0)
        case Show():
            return Hint("show", view.public.indicator, _missing(rules, view, view.rack))
        case Discard(tile):
            return Hint("discard", tile, _missing(rules, view, without(view.rack, tile)))
        case Take() if left is not None:
            return Hint("take", left, _missing(rules, view, (*view.rack, left)))
    return Hint("draw", left, _missing(rules, view, view.rack))


def _missing(rules: Rules, view: SeatView, rack: Sequence[Tile]) -> int:
    return distance(rules.meld_rules(view.public.okey), rack)
