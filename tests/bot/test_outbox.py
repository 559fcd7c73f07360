"""What places and people have not seen yet, and what of it goes first."""

from dataclasses import replace

from bot.delivery.items import Rank
from bot.delivery.outbox import DueScreen, due_screen
from bot.people.notifications import awaited
from bot.store import ShownMessage
from bot.tables import lobby, turns
from bot.tables.play import Delays, move, start
from bot.tables.table import Seat, Table
from engine.moves import Discard
from engine.rules import rules_from

DELAYS = Delays(computer=1.0, next_round=1.0)
PLACE = "mem:hall"


def gathered() -> Table:
    """A lobby of two people."""
    opened = lobby.open_table(
        table_id="t",
        place=PLACE,
        host=Seat(person="mem:ada", name="Ada"),
        rules=rules_from({"preset": "okey", "players": 2}),
        language="en",
        turn_seconds=60,
        secret=bytes(64),
        now=0.0,
    )
    return lobby.join(opened.table, Seat(person="mem:can", name="Can")).table


def begun() -> Table:
    return start(gathered(), "mem:ada", DELAYS).table


def moved(table: Table) -> Table:
    """The player who begins has discarded: the turn has passed."""
    seat = awaited(table)
    assert seat is not None
    assert table.match.round is not None
    tile = next(tile for tile in table.match.round.racks[seat] if tile is not table.match.round.okey)
    return move(table, seat, Discard(tile), DELAYS, lambda: bytes(64)).table


def person(table: Table, *, on_turn: bool) -> str:
    seat = awaited(table)
    assert seat is not None
    return str(table.seats[seat if on_turn else 1 - seat].person)


def rank(table: Table, key: str, shown: ShownMessage | None) -> Rank | None:
    due = due_screen(table, key, shown, open=True)
    return None if due is None else due.rank


def seen(table: Table) -> ShownMessage:
    return ShownMessage("message", table.revision)


def test_whoever_is_on_turn_goes_before_everybody_else() -> None:
    table = begun()
    assert rank(table, person(table, on_turn=True), None) is Rank.TURN
    assert rank(table, person(table, on_turn=False), None) is Rank.RACK
    assert rank(table, PLACE, None) is Rank.TABLE
    assert sorted(Rank) == [Rank.TURN, Rank.RACK, Rank.BOARD, Rank.NEWS, Rank.TABLE, Rank.CLOCK, Rank.DOOR]


def test_a_rack_becomes_that_of_a_turn_when_the_turn_passes() -> None:
    table = begun()
    waits = person(table, on_turn=False)
    assert (rank(table, waits, None), rank(moved(table), waits, None)) == (Rank.RACK, Rank.TURN)


def test_who_has_seen_the_newest_needs_nothing() -> None:
    table = begun()
    assert rank(table, PLACE, seen(table)) is None
    revision = table.seats[0].revision
    assert rank(table, "mem:ada", ShownMessage("message", revision)) is None
    assert rank(table, "mem:eve", None) is None


def test_a_lobby_and_a_result_go_before_turns_and_turns_before_clocks() -> None:
    before, table = gathered(), begun()
    later = moved(table)
    assert rank(before, PLACE, None) is Rank.NEWS
    assert rank(later, PLACE, seen(table)) is Rank.TABLE
    ticked = turns.clock_moved(later)
    assert ticked is not None
    assert rank(ticked.table, PLACE, seen(later)) is Rank.CLOCK
    assert rank(ticked.table, PLACE, seen(table)) is Rank.TABLE
    assert rank(replace(later, stage="between").touched(), PLACE, seen(later)) is Rank.NEWS


def test_a_table_that_alone_tells_somebody_of_his_turn_goes_before_everything_else() -> None:
    table = begun()
    waits = 1 - int(table.seats[0].person != person(table, on_turn=True))
    told_here = moved(table.with_seat(waits, private_closed=True))
    assert rank(told_here, PLACE, seen(table)) is Rank.TURN
    assert rank(told_here.with_seat(waits, private_closed=False), PLACE, seen(table)) is Rank.TABLE
    assert rank(table.with_seat(waits, private_closed=True), PLACE, None) is Rank.TABLE


def test_a_round_deserves_a_message_of_its_own() -> None:
    table = begun()
    anew = due_screen(table, PLACE, seen(gathered()), open=True)
    edited = due_screen(moved(table), PLACE, seen(table), open=True)
    assert anew == DueScreen(Rank.TABLE, None, "message", fresh=True)
    assert edited == DueScreen(Rank.TABLE, None, "message")


def test_while_people_gather_the_way_to_them_is_opened() -> None:
    table = gathered()
    assert due_screen(table, "mem:can", None, open=False) == DueScreen(Rank.DOOR, 1, None)
    assert due_screen(table, "mem:can", None, open=True) is None
    assert due_screen(lobby.closed(table).table, "mem:can", None, open=False) is None


def test_who_cannot_be_written_to_needs_nothing() -> None:
    for table in (gathered(), begun()):
        closed = table.with_seat(1, private_closed=True)
        assert due_screen(closed, "mem:can", None, open=False) is None
