"""From what is stored of a table to what its screens may be made from, through the engine's views."""

from bot.screens.facts import RackFacts, SeatFacts, TableFacts
from bot.tables import clocks
from bot.tables.hints import Hint, hint
from bot.tables.model import Table
from engine.errors import NotAllowed
from engine.moves import Move, Show
from engine.round import legal_moves, step
from engine.shuffle import Seed
from engine.view import PublicView, public_view, seat_view


def table_facts(table: Table, deadline: float | None) -> TableFacts:
    """A table as everybody may know it; `deadline` in seconds since the epoch."""
    view = None if table.match.round is None else public_view(table.match)
    number = table.match.round_number + (table.stage != "playing")
    seed = Seed(secret=table.secret, words=(), table=table.id, round_number=number)
    return TableFacts(
        id=table.id,
        stamp=table.stamp,
        moves=table.moves,
        turn_number=table.turn_number,
        stage=table.stage,
        rules=table.match.rules,
        seats=tuple(_seat(table, i) for i in range(len(table.seats))),
        round_number=table.match.round_number,
        view=view,
        recent=table.recent,
        deadline=None if table.practice else clocks.ends_at(table, deadline),
        turn_seconds=table.turn_seconds,
        stopped=table.stopped,
        warned=table.stage == "playing" and table.warned == table.turn_number,
        commitment=seed.commitment(),
        opened=table.opened,
        winners=table.match.winners,
        blind=_blind(table, view),
        scored=table.match.rounds_scored,
        first=table.first,
        openings=table.openings,
        display=table.display,
        practice=table.practice,
        night=table.night,
    )


def rack_facts(table: Table, seat: int, deadline: float | None, link: str | None) -> RackFacts:
    """A table as the person on `seat` may know it."""
    round = table.match.round
    return RackFacts(
        table=table_facts(table, deadline),
        seat=seat,
        stamp=table.seats[seat].stamp,
        view=None if round is None else seat_view(table.match, seat),
        shelves=table.seats[seat].shelves,
        can_show=_can_show(table, seat),
        link=link,
        draft=table.seats[seat].draft,
        legal=_legal(table, seat),
        hint=_hint(table, seat),
    )


def _seat(table: Table, number: int) -> SeatFacts:
    seat = table.seats[number]
    return SeatFacts(
        name=seat.name,
        score=table.match.scores[number],
        computer=seat.computer is not None,
        stand_in=seat.computer is not None and seat.person is not None,
        host=seat.person == table.host,
        private_closed=seat.private_closed and seat.computer is None,
        word=bool(seat.word),
        missing=bool(table.night and seat.person and seat.computer is None and not seat.seen),
    )


def _can_show(table: Table, seat: int) -> bool:
    if table.match.round is None:
        return False
    try:
        step(table.match.rules, table.match.round, seat, Show())
    except NotAllowed:
        return False
    return True


def _legal(table: Table, seat: int) -> tuple[Move, ...]:
    """Empty for a classic table, whose screens ask the engine only when a button is pressed."""
    rules, round = table.match.rules, table.match.round
    if round is None or rules.game != "101":
        return ()
    return legal_moves(rules, round, seat)


def _hint(table: Table, seat: int) -> Hint | None:
    round = table.match.round
    if not table.practice or table.stage != "playing" or round is None:
        return None
    return hint(table.match.rules, seat_view(table.match, seat), legal_moves(table.match.rules, round, seat))


def _blind(table: Table, view: PublicView | None) -> bool:
    if view is None or view.turn is None:
        return False
    seat = table.seats[view.turn]
    return seat.alerts_only and seat.private_closed and seat.computer is None
