"""What places and people have not seen yet, and what of it goes first."""

from dataclasses import replace

from msgspec import structs

from bot.delivery.items import Rank
from bot.delivery.messages import DueScreen, due_screen
from bot.delivery.notes import EMPTY, NoteKind, Notes, add_notes
from bot.delivery.snapshot import TableAsTold
from bot.people.notifications import find_awaited
from bot.repository.versioned import Versioned
from bot.store import Note
from bot.tables import lobby, turns, worth
from bot.tables.facts import table_facts
from bot.tables.play import Delays, move, start
from bot.tables.table import Seat, Table
from engine.moves import Discard
from engine.rules import rules_from
from engine.view import public_view
from tests.bot.house import MemoryChat

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
    seat = find_awaited(table)
    assert seat is not None
    assert table.match.round is not None
    tile = next(tile for tile in table.match.round.racks[seat] if tile is not table.match.round.okey)
    return move(table, seat, Discard(tile), DELAYS, lambda: bytes(64)).table


def person(table: Table, *, on_turn: bool) -> str:
    seat = find_awaited(table)
    assert seat is not None
    return str(table.seats[seat if on_turn else 1 - seat].person)


def told(key: str, shown: Note | None) -> Notes:
    """What was told of a table when everybody had got a first rack."""
    came: Notes = {NoteKind.FIRST_RACK.of(seat): EMPTY for seat in range(4)}
    return came if shown is None else {**came, key: shown}


def worth_to(table: Table, key: str) -> worth.Worth | None:
    if key in table.places:
        return worth.of_place(table_facts(table, None, key), "en")
    seat = table.seat_of(key)
    return None if seat is None else worth.of_player(table, seat)


def due(table: Table, key: str, notes: Notes, *, is_open: bool = True) -> DueScreen | None:
    found = worth_to(table, key)
    worths = {} if found is None else {key: found}
    stored, chat = (
        Versioned(table, 1, notes=add_notes({}, notes)),
        MemoryChat(shut=set() if is_open else {key}),
    )
    snapshot = TableAsTold(stored, worths, {}, chat_of=lambda _: chat)
    return due_screen(snapshot, key, chat)


def rank(table: Table, key: str, shown: Note | None) -> Rank | None:
    found = due(table, key, told(key, shown))
    return None if found is None else found.rank


def seen(table: Table, key: str = PLACE) -> Note:
    return Note("message", 1, str(worth_to(table, key)))


def test_whoever_is_on_turn_goes_before_everybody_else() -> None:
    table = begun()
    assert rank(table, person(table, on_turn=True), None) is Rank.TURN
    assert rank(table, person(table, on_turn=False), None) is Rank.RACK
    assert rank(table, PLACE, None) is Rank.TABLE
    assert sorted(Rank) == [Rank.TURN, Rank.RACK, Rank.BOARD, Rank.NEWS, Rank.TABLE, Rank.CLOCK, Rank.OPENING]


def test_a_rack_becomes_that_of_a_turn_when_the_turn_passes() -> None:
    table = begun()
    waits = person(table, on_turn=False)
    assert (rank(table, waits, None), rank(moved(table), waits, None)) == (Rank.RACK, Rank.TURN)


def test_who_has_seen_the_newest_needs_nothing() -> None:
    table = begun()
    assert rank(table, PLACE, seen(table)) is None
    assert rank(table, "mem:ada", seen(table, "mem:ada")) is None
    assert rank(table, "mem:eve", None) is None


def test_a_lobby_and_a_result_go_before_turns_and_turns_before_clocks() -> None:
    before, table = gathered(), begun()
    later = moved(table)
    assert rank(before, PLACE, None) is Rank.NEWS
    assert rank(later, PLACE, seen(table)) is Rank.TABLE
    ticked = turns.clock_moved(later, 7)
    assert ticked is not None
    assert rank(ticked.table, PLACE, seen(later)) is Rank.CLOCK
    assert rank(ticked.table, PLACE, seen(table)) is Rank.TABLE
    assert rank(structs.replace(later, stage="between"), PLACE, seen(later)) is Rank.NEWS


def test_a_table_that_alone_tells_somebody_of_their_turn_goes_before_everything_else() -> None:
    table = begun()
    waits = 1 - int(table.seats[0].person != person(table, on_turn=True))
    told_here = moved(table.with_seat(waits, private_closed=True))
    assert rank(told_here, PLACE, seen(table)) is Rank.TURN
    assert rank(told_here.with_seat(waits, private_closed=False), PLACE, seen(table)) is Rank.TABLE
    assert rank(table.with_seat(waits, private_closed=True), PLACE, None) is Rank.TABLE


def test_a_round_deserves_a_message_of_its_own() -> None:
    table = begun()
    anew = due(table, PLACE, told(PLACE, seen(gathered())))
    edited = due(moved(table), PLACE, told(PLACE, seen(table)))
    assert anew == DueScreen(Rank.TABLE, "message", fresh=True)
    assert edited == DueScreen(Rank.TABLE, "message")


def test_a_table_that_has_scrolled_away_comes_anew_at_the_next_turn_and_not_too_often() -> None:
    table = begun()
    later, known = moved(table), told(PLACE, seen(table))

    def comes(table: Table, below: int, posted: int = 0) -> bool:
        notes = {**known, NoteKind.POSTED.of(PLACE): Note(number=posted)}
        found = worth_to(table, PLACE)
        assert found is not None
        stored, chat = Versioned(table, 2, None, 1000.0, notes), MemoryChat(below=below)
        snapshot = TableAsTold(stored, {PLACE: found}, {}, chat_of=lambda _: chat)
        screen = due_screen(snapshot, PLACE, chat)
        return screen is not None and screen.fresh

    assert comes(later, below=11)
    assert not comes(later, below=10)
    assert not comes(later, below=11, posted=1000 - 119)
    assert comes(later, below=11, posted=1000 - 120)
    assert not comes(table.with_seat(1, name="Zoe"), below=11), "no turn has begun"
    assert not comes(structs.replace(later, stage="between"), below=11)


def turn_ended(table: Table) -> Table:
    """Whoever is on turn has ended it."""
    seat = public_view(table.match).turn
    assert seat is not None
    ended = turns.computer_turn if table.seats[seat].computer else turns.overdue_turn
    return ended(table, seat, DELAYS, lambda: bytes(64)).table


def three_and_a_computer() -> Table:
    """Three people have begun with a computer player; it is a person's turn."""
    table = lobby.change_rules(gathered(), "mem:ada", players=4).table
    table = start(lobby.join(table, Seat(person="mem:ece", name="Ece")).table, "mem:ada", DELAYS).table
    return table if find_awaited(table) is not None else turn_ended(table)


def test_whoever_waits_is_shown_for_whom_when_that_is_a_person() -> None:
    table, shown = three_and_a_computer(), {}
    for _ in range(4):
        before, table = table, turn_ended(table)
        people = [number for number, seat in enumerate(table.seats) if seat.person]
        newer = [worth.of_player(table, number) != worth.of_player(before, number) for number in people]
        shown[find_awaited(before) is None, find_awaited(table) is None] = sum(newer)
    assert shown == {(False, False): 3, (False, True): 1, (True, False): 3}


def test_news_of_others_give_way_and_leave_alone_whoever_arranges_their_rack() -> None:
    table = three_and_a_computer()
    number = next(n for n, seat in enumerate(table.seats) if seat.person and n != find_awaited(table))
    key = str(table.seats[number].person)
    shown, later = seen(table, key), table.with_seat(number, language="de")
    assert rank(later, key, shown) is Rank.CLOCK
    asked = {**told(key, shown), NoteKind.DIALOGUE.of(number): Note(number=shown.number)}
    assert due(later, key, asked) is None
    answered = {**asked, key: replace(shown, number=shown.number + 1)}
    assert due(later, key, answered) is not None


def test_the_first_rack_of_a_match_is_a_new_message_though_a_lobby_was_shown() -> None:
    table = begun()
    key = person(table, on_turn=False)
    lobby_seen = {key: Note("lobby", 0)}
    first = due(table, key, lobby_seen)
    assert first is not None
    assert (first.rank, first.message, first.fresh) == (Rank.RACK, "lobby", True)
    later = due(moved(table), key, told(key, Note("rack", 0)))
    assert later is not None
    assert not later.fresh


def test_while_people_gather_the_way_to_them_is_opened() -> None:
    table = gathered()
    assert due(table, "mem:can", {}, is_open=False) == DueScreen(Rank.OPENING, None)
    assert due(table, "mem:can", {}) is None
    assert due(lobby.close_lobby(table).table, "mem:can", {}, is_open=False) is None


def test_who_cannot_be_written_to_needs_nothing() -> None:
    for table in (gathered(), begun()):
        closed = table.with_seat(1, private_closed=True)
        assert due(closed, "mem:can", {}, is_open=False) is None


def test_a_match_s_end_comes_in_one_new_message_though_it_was_shown_or_the_program_was_killed() -> None:
    table = begun()
    match = replace(table.match, round=None, winners=(0,))
    over = structs.replace(table, stage="over", match=match)
    ada = "mem:ada"
    shown = Note("ada#1", 1, str(worth_to(over, ada)))
    for note in (shown, replace(shown, worth="")):
        found = due(over, ada, told(ada, note))
        assert found is not None
        assert found.ends_match
    tried = {**told(ada, shown), NoteKind.MATCH_END.of(0): EMPTY}
    assert due(over, ada, tried) is None
    found = due(over, ada, {**tried, ada: replace(shown, worth="")})
    assert found is not None
    assert not found.ends_match, "an edit: it may have been sent"
