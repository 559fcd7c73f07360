"""Equal worth and nothing to show are one: nothing wanted stays unseen, and no edit shows nothing."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from bot.errors import Refused
from bot.i18n import words_for
from bot.markup import PublicScreen, SeatScreen
from bot.people.notifications import find_awaited
from bot.screens.player import rack_screen
from bot.screens.table import public_screen
from bot.tables import lobby, play, racks, turns, worth
from bot.tables.facts import rack_facts, table_facts
from bot.tables.play import Delays
from bot.tables.table import Display, Seat, Table
from engine.players import choose
from engine.round import legal_moves
from engine.rules import rules_from
from engine.view import seat_view
from tests.bot.test_secrecy import reshuffled

pytestmark = pytest.mark.long

DELAYS = Delays(computer=1.0, next_round=1.0)
WORDS = words_for("en")
PLACE = "mem:hall"
NAMES = ("Ada", "Can", "Ece", "Ali")
SEEDS = st.integers(0, 2**32)
PRESETS = st.sampled_from(("okey", "okey101-raise"))


@dataclass(frozen=True)
class Deed:
    """What was done, and by which seat."""

    kind: str
    seat: int
    before: Table
    after: Table


def walk(chance: random.Random, preset: str, deeds: int) -> Iterator[Deed]:
    """A table from its lobby on, as people, computer players and clocks go on with it."""
    table = lobby.open_table(
        table_id="tttttt",
        place=PLACE,
        host=Seat(person="mem:0", name=NAMES[0], language="en"),
        rules=rules_from({"preset": preset, "players": 4}),
        language="en",
        turn_seconds=60,
        secret=chance.randbytes(64),
        now=0.0,
    ).table
    for number in range(1, chance.choice((2, 3, 4))):
        yield (deed := Deed("join", number, table, _joined(table, number)))
        table = deed.after
    for _ in range(deeds):
        seat = chance.randrange(len(table.seats))
        kind, after = _done(table, seat, chance)
        if after != table:
            yield Deed(kind, seat, table, after)
            table = after


def _joined(table: Table, number: int) -> Table:
    return lobby.join(table, Seat(person=f"mem:{number}", name=NAMES[number], language="en")).table


def _done(table: Table, seat: int, chance: random.Random) -> tuple[str, Table]:
    person = table.seats[seat].person
    try:
        match chance.choice(
            ("move",) * 12
            + ("set",) * 3 * (table.stage == "lobby")
            + ("word", "sort", "out", "in", "react", "arrive", "warn", "set")
        ):
            case "word":
                return "word", table.with_seat(seat, word=str(chance.random()))
            case "react" | "arrive" if person:
                return "arrive", table.with_seat(seat, seen=chance.random() + 1)
            case "sort" if table.match.round is not None and person:
                return "sort", _sorted(table, seat, chance)
            case "out" if person and table.seats[seat].computer is None:
                return "out", turns.step_out(table, person, "easy", DELAYS).table
            case "in" if person:
                return "in", turns.back_in(table, seat, DELAYS).table
            case "warn" if find_awaited(table) is not None and table.clock.warned != table.turn_number:
                return "warn", turns.warning(table, find_awaited(table) or 0, 1e9).table
            case "set" if table.stage == "lobby":
                return "set", _set(table, chance)
            case _:
                return _moved(table, chance)
    except Refused:
        return "", table


def _set(table: Table, chance: random.Random) -> Table:
    """The lobby after a choice of its host."""
    return chance.choice(
        (
            lobby.choose_display(table, table.host, Display(words=not table.choices.display.words)),
            lobby.unfold(table, table.host, not table.postings.unfolded),
            lobby.choose_hints(table, table.host, not table.choices.hints),
            lobby.choose_emotes(table, table.host, not table.choices.emotes),
            lobby.choose_clock(table, table.host, chance.choice((30, 60, 300))),
            lobby.change_level(table, table.host, chance.choice(("easy", "steady", "sharp"))),
            lobby.change_rules(table, table.host, deal=chance.choice(("stacks", "quick"))),
        )
    ).table


def _moved(table: Table, chance: random.Random) -> tuple[str, Table]:
    if table.stage == "lobby":
        return "deal", play.start(table, table.host, DELAYS).table
    if table.stage == "between":
        return "deal", play.next_round(table, DELAYS).table
    if table.turn is None or table.match.round is None:
        return "", table
    turn, round = table.turn, table.match.round
    if table.seats[turn].computer:
        return "move", turns.computer_turn(table, turn, DELAYS, lambda: bytes(64)).table
    legal, view = legal_moves(table.match.rules, round, turn), seat_view(table.match, turn)
    move = choose("steady", table.match.rules, view, legal, chance.randbytes(32))
    return "move", play.move(table, turn, move, DELAYS, lambda: bytes(64)).table


def _sorted(table: Table, seat: int, chance: random.Random) -> Table:
    tiles = list(racks.flat(table.seats[seat].shelves))
    chance.shuffle(tiles)
    return table.with_seat(seat, shelves=(tuple(tiles[:8]), tuple(tiles[8:])))


def worth_to(table: Table, reader: str) -> worth.Worth | None:
    if reader == PLACE:
        return worth.of_place(table_facts(table, None, PLACE), "en")
    seat = table.seat_of(reader)
    return None if seat is None else worth.of_player(table, seat)


def readable(screen: PublicScreen | SeatScreen) -> object:
    """What people see of a screen: everything but what its buttons say to the program."""
    labels = [[(each.label, each.style) for each in row] for row in screen.buttons]
    return screen.text, screen.picture, labels


def seen_by(table: Table, reader: str) -> object:
    """What a reader sees; a lobby is shown in its place alone."""
    if reader == PLACE:
        return readable(public_screen(table_facts(table, 1e9, PLACE), WORDS))
    seat = table.seat_of(reader)
    return None if seat is None else readable(rack_screen(rack_facts(table, seat, 1e9, None), WORDS))


def is_wanted(deed: Deed, reader: str) -> bool:
    """Return whether the policy of `bot.tables.worth` has a reader shown a deed that changes their screen."""
    before, after = deed.before, deed.after
    begins = (before.stage, before.match.round_number) != (after.stage, after.match.round_number)
    if deed.kind in ("word", "arrive"):
        return False
    if reader == PLACE:
        opened = before.news.openings != after.news.openings
        shown = begins or _shown_by(before) != _shown_by(after)
        return deed.kind != "sort" and (
            deed.kind != "move" or shown or opened or before.turn_number != after.turn_number
        )
    seat = after.seat_of(reader)
    if begins or seat is None:
        return True
    if after.seats[seat].computer and deed.kind == "move":
        return before.seats[seat].shelves != after.seats[seat].shelves
    own = seat == (before.turn if deed.kind == "move" else deed.seat)
    if own and deed.kind in ("move", "sort", "out", "in"):
        return True
    if before.turn == seat == after.turn:
        return deed.kind == "warn" or _shown_by(before) != _shown_by(after)
    passes = before.turn_number != after.turn_number and find_awaited(after) is not None
    return passes and after.seats[seat].computer is None


def _shown_by(table: Table) -> int | None:
    return None if table.match.round is None else table.match.round.shown_by


@given(SEEDS, PRESETS)
@settings(max_examples=12, deadline=None)
def test_every_wanted_change_is_worth_an_edit_and_every_edit_changes_something(
    seed: int, preset: str
) -> None:
    chance = random.Random(seed)
    for deed in walk(chance, preset, 60):
        for reader in (PLACE, *deed.after.people()):
            if reader != PLACE and deed.after.match.round is None:
                continue  # nobody has a rack yet
            differs = worth_to(deed.before, reader) != worth_to(deed.after, reader)
            changed = seen_by(deed.before, reader) != seen_by(deed.after, reader)
            assert changed or not differs, f"{deed.kind} of {deed.seat} is shown to {reader} for nothing"
            wanted = is_wanted(deed, reader)
            assert differs or not (changed and wanted), f"{deed.kind} of {deed.seat} is not shown to {reader}"


@given(SEEDS, PRESETS)
@settings(max_examples=12, deadline=None)
def test_what_a_reader_was_shown_for_one_worth_is_what_they_would_be_shown_for_it_again(
    seed: int, preset: str
) -> None:
    """A message that a process has lost may be made by another one, later in the same turn."""
    chance = random.Random(seed)
    for deed in walk(chance, preset, 60):
        for reader in (PLACE, *deed.after.people()):
            again = structs.replace(deed.after, news=structs.replace(deed.after.news, recent=()))
            assert worth_to(again, reader) == worth_to(deed.after, reader)


@given(SEEDS, PRESETS)
@settings(max_examples=12, deadline=None)
def test_worth_tells_nothing_that_its_reader_may_not_know(seed: int, preset: str) -> None:
    chance = random.Random(seed)
    for deed in walk(chance, preset, 30):
        table = deed.after
        if table.stage != "playing":
            continue
        assert worth_to(reshuffled(table, None, chance), PLACE) == worth_to(table, PLACE)
        viewer = chance.randrange(len(table.seats))
        other = reshuffled(table, viewer, chance)
        assert worth.of_player(other, viewer) == worth.of_player(table, viewer)


@given(SEEDS, PRESETS)
@settings(max_examples=12, deadline=None)
def test_the_message_of_a_place_is_known_without_its_worth(seed: int, preset: str) -> None:
    for deed in walk(random.Random(seed), preset, 60):
        shown = worth.of_place(table_facts(deed.after, None, PLACE), "en")
        assert shown.message == worth.message_of(deed.after)


def test_its_text_says_it_all() -> None:
    found = worth.of_place(
        table_facts(_joined(next(walk(random.Random(1), "okey", 0)).before, 1), None, PLACE), "en"
    )
    assert worth.read_worth(str(found)) == found
    assert worth.read_worth("") is None
    assert worth.read_worth("left") is None
    assert replace(found, rest="x") != found
