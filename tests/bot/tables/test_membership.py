"""Membership: whose seat goes to a computer player, how that is called, and how they come back."""

import pytest
from msgspec.structs import replace

from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.markup import SeatScreen, Text
from bot.screens.player import rack_screen
from bot.screens.table import public_screen
from bot.tables import play, turns, worth
from bot.tables.facts import rack_facts, table_facts
from bot.tables.lobby import again
from bot.tables.membership import forget_person
from bot.tables.names import FIGURES
from bot.tables.play import Delays
from bot.tables.table import Recent, SharedAccuracy, Table, TableClock, TableStage
from bot.tables.worth import Worth
from tests.bot.tables.test_beginning import DELAYS, begun


def test_who_is_called_like_a_computer_player_can_be_forgotten_beside_the_three_others() -> None:
    table = begun("random", 4)
    names = [figure.name for figure in FIGURES]
    seats = tuple(replace(seat, name=name) for seat, name in zip(table.seats, names, strict=True))
    change = forget_person(replace(table, seats=seats), "mem:0", DELAYS)
    assert change is not None
    assert change.table.seats[0].person is None
    assert sorted(seat.name for seat in change.table.seats) == sorted(names)


def test_a_match_is_played_again_without_those_who_were_away_whatever_they_are_called() -> None:
    table = begun("random", 4)
    names = [FIGURES[3].name, "Ada", FIGURES[0].name, FIGURES[1].name]
    people: list[str | None] = ["mem:0", "mem:1", None, None]
    seats = tuple(
        replace(seat, person=person, name=name, computer="steady")
        for seat, person, name in zip(table.seats, people, names, strict=True)
    )
    change = again(
        replace(table, seats=seats, stage="over"),
        table_id=TableId("newone"),
        host="mem:9",
        back="mem:9",
        numbers={"mem:yard": 1},
        secret=bytes(64),
        now=0.0,
        room=False,
    )
    assert sorted(seat.name for seat in change.table.seats) == sorted(figure.name for figure in FIGURES)


@pytest.mark.parametrize("stage", ["between", "over"])
def test_who_is_forgotten_leaves_no_accuracy_to_the_next_player_of_their_seat(stage: TableStage) -> None:
    table = begun("random", 4)
    shared = SharedAccuracy(table.match.round_number, 87)
    table = replace(table.with_seat(0, shared=shared), stage=stage)
    assert table_facts(table, None).seats[0].accuracy == 87
    change = forget_person(table, str(table.seats[0].person), DELAYS)
    assert change is not None
    assert table_facts(change.table, None).seats[0].accuracy is None


def test_the_wait_for_the_computer_player_is_taken_from_the_clock() -> None:
    delays, table = (
        Delays(computer=2.0, next_round=0.0),
        replace(begun("random", 4), clock=TableClock(turn_seconds=300)),
    )
    seat = table.turn
    assert seat is not None
    person = str(table.seats[seat].person)
    for left, due, warned in ((300.0, 298.0 - 75.0, False), (77.0, 75.0, True), (1.0, 0.0, True)):
        away = turns.step_out(table, person, "steady", delays, left)
        assert away.due == 2.0
        assert turns.step_out(away.table, person, "steady", delays, 2.0).due == "keep"
        back = turns.back_in(away.table, seat, delays)
        assert (back.due, back.table.clock.warned == table.turn_number) == (due, warned)


def test_who_is_away_can_take_their_seat_back_between_two_rounds_too() -> None:
    table = _play_to_result(begun("random", 4))
    away = turns.step_out(table, "mem:0", "steady", DELAYS).table
    seat = away.seat_of("mem:0")
    assert seat is not None
    words = words_for("en")
    assert offered(rack_screen(rack_facts(table, seat, None, None), words))[0] == ["next"]
    assert offered(rack_screen(rack_facts(away, seat, None, None), words))[0] == ["back_in", "next"]
    over = play.stop(away).table
    assert all(
        "back_in" not in row for row in offered(rack_screen(rack_facts(over, seat, None, None), words))
    )


def test_who_plays_for_somebody_is_no_news_to_a_place_between_two_rounds() -> None:
    """A result's picture tells it of nobody: its message would be edited to show the same again."""
    table = begun("random", 4)
    away = turns.step_out(table, "mem:0", "steady", DELAYS).table
    assert seen(away) != seen(table)
    between = _play_to_result(table)
    away = turns.step_out(between, "mem:0", "steady", DELAYS).table
    assert seen(away) == seen(between)


def seen(table: Table) -> tuple[Worth, Text]:
    """The worth of a table to its place, and what stands there."""
    facts = table_facts(table, None, "mem:yard")
    return worth.of_place(facts, "en"), public_screen(facts, words_for("en")).text


def offered(screen: SeatScreen) -> list[list[str]]:
    return [[button.press.split(".")[0] for button in row] for row in screen.buttons]


def _play_to_result(table: Table) -> Table:
    while table.stage == "playing":
        assert table.turn is not None
        seat = table.turn
        table = turns.computer_turn(table.with_seat(seat, computer="easy"), seat, DELAYS, no_secret).table
        table = table.with_seat(seat, computer=None)
    assert table.stage == "between"
    return table


def no_secret() -> bytes:
    return bytes(64)


@pytest.mark.parametrize("forget", [False, True])
def test_a_result_of_a_slow_table_waits_for_nobody_once_the_last_person_has_gone(forget: bool) -> None:
    table = replace(begun("random", 4), clock=TableClock(turn_seconds=24 * 3600), stage="between")
    for seat in (1, 2, 3):
        table = table.with_seat(seat, computer="steady")
    delays = Delays(computer=1.0, next_round=20.0)
    gone = (
        forget_person(table, "mem:0", delays) if forget else turns.step_out(table, "mem:0", "steady", delays)
    )
    assert gone is not None
    assert (gone.table.attended, gone.due) == (False, 20.0)
    later = forget_person(gone.table, "mem:1", delays)  # the clock goes on
    assert later is not None
    assert later.due == "keep"


def test_nobody_is_told_to_expect_a_player_who_is_forgotten() -> None:
    left = turns.step_out(begun("random", 4), "mem:0", "steady", DELAYS).table
    assert left.news.recent[-1].kind == "replaced"
    gone = forget_person(left, "mem:0", DELAYS)
    assert gone is not None
    assert "replaced" not in [each.kind for each in gone.table.news.recent]


def test_other_players_stay_expected_when_one_is_forgotten() -> None:
    left = turns.step_out(begun("random", 4), "mem:1", "steady", DELAYS).table
    gone = forget_person(left, "mem:0", DELAYS)
    assert gone is not None
    assert gone.table.news.recent == (*left.news.recent, Recent("left", 0))


def test_the_table_says_who_plays_on_for_somebody_who_is_forgotten_and_does_not_name_them() -> None:
    table = begun("random", 4)
    gone = forget_person(table, "mem:0", DELAYS)
    assert gone is not None
    words, seat = words_for("en"), table.seat_of("mem:0")
    assert seat is not None
    said = plain(public_screen(table_facts(gone.table, None), words).text, words)
    assert f"🤖 {gone.table.seats[seat].name} plays on for someone who left for good" in said
    assert table.seats[seat].name not in said
