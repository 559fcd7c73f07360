"""RULES 9, "Seats": a person takes any seat that no other person has, and the host may shuffle them."""

import pytest
from msgspec.structs import replace

from bot.errors import Refused
from bot.tables import lobby
from bot.tables.table import FREE, GonePeople, Seat, Table
from engine.rules import rules_from

NAMES = ("Ada", "Can", "Ece", "Ali")


def person(name: str) -> Seat:
    return Seat(person=f"mem:{name}", name=name)


def a_lobby(preset: str = "okey-partners", **switches: object) -> Table:
    """A lobby of Ada's."""
    return lobby.open_table(
        table_id="tttttt",
        place="mem:hall",
        host=person("Ada"),
        rules=rules_from({"preset": preset, **switches}),
        language="en",
        turn_seconds=60,
        secret=bytes(64),
        now=0.0,
    ).table


def names(table: Table) -> list[str]:
    return [seat.name for seat in table.seats]


def refused(act: object, *arguments: object) -> Refused:
    with pytest.raises(Refused) as said:
        act(*arguments)  # type: ignore[operator]
    return said.value


def test_a_lobby_has_a_seat_for_each_player() -> None:
    assert names(a_lobby()) == ["Ada", "", "", ""]
    assert names(a_lobby("okey", players=2)) == ["Ada", ""]


def test_a_person_chooses_a_partner_by_the_seat() -> None:
    table = lobby.sit(a_lobby(), person("Can"), 2).table
    assert names(table) == ["Ada", "", "Can", ""]
    assert table.match.rules.same_side(0, 2)
    assert names(lobby.join(table, person("Ece")).table) == ["Ada", "Ece", "Can", ""]


def test_a_seat_that_somebody_has_is_refused_with_their_name() -> None:
    table = lobby.sit(a_lobby(), person("Can"), 2).table
    said = refused(lobby.sit, table, person("Ece"), 2)
    assert (said.code, dict(said.values)) == ("seat_taken", {"number": 3, "who": "Can"})
    assert refused(lobby.sit, table, person("Ece"), 4).code == "old_button"


def test_who_sits_moves_and_a_computer_player_changes_places_with_them() -> None:
    table = lobby.sit(a_lobby(), person("Can"), 1).table
    table = lobby.add_computer(table, "mem:Ada").table
    computer = table.seats[2]
    assert computer.computer
    moved = lobby.sit(table, person("Can"), 3).table
    assert moved.seats == (table.seats[0], FREE, computer, table.seats[1])
    back = lobby.sit(moved, person("Can"), 2).table
    assert back.seats == (table.seats[0], FREE, table.seats[1], computer)
    with pytest.raises(Refused, match="already_seated"):
        lobby.sit(back, person("Can"), 2)


def test_a_newcomer_may_take_a_computer_players_seat() -> None:
    table = lobby.add_computer(a_lobby(), "mem:Ada").table
    assert names(lobby.sit(table, person("Can"), 1).table) == ["Ada", "Can", "", ""]


def test_others_keep_their_seats_when_somebody_leaves() -> None:
    table = a_lobby()
    for name in NAMES[1:]:
        table = lobby.join(table, person(name)).table
    assert names(lobby.leave(table, "mem:Can").table) == ["Ada", "", "Ece", "Ali"]
    left = lobby.leave(table, "mem:Ada").table
    assert (names(left), left.host) == (["", "Can", "Ece", "Ali"], "mem:Can")
    assert names(lobby.join(left, person("Ada")).table) == list(NAMES)


def test_a_smaller_table_loses_free_seats_and_nobody() -> None:
    table = lobby.sit(a_lobby("okey"), person("Can"), 3).table
    three = lobby.change_rules(table, "mem:Ada", players=3).table
    assert names(three) == ["Ada", "", "Can"]
    two = lobby.change_rules(three, "mem:Ada", players=2).table
    assert names(two) == ["Ada", "Can"]
    assert names(lobby.change_rules(two, "mem:Ada", players=4).table) == ["Ada", "Can", "", ""]
    full = lobby.join(lobby.change_rules(two, "mem:Ada", players=3).table, person("Ece")).table
    assert refused(lobby.choose_rules, full, "mem:Ada", {"players": 2}).code == "too_many_seated"


def test_the_host_shuffles_all_seats_and_nobody_else_does() -> None:
    table = lobby.sit(lobby.sit(a_lobby(), person("Can"), 2).table, person("Ece"), 3).table
    found = {tuple(names(lobby.shuffle_seats(table, "mem:Ada", bytes([n])).table)) for n in range(200)}
    assert all(sorted(seats) == ["", "Ada", "Can", "Ece"] for seats in found)
    assert len(found) == 24
    assert refused(lobby.shuffle_seats, table, "mem:Can", bytes(1)).code == "not_host"


def test_whom_the_host_removed_chooses_no_seat() -> None:
    table = lobby.sit(a_lobby(), person("Can"), 2).table
    kept = lobby.without(table, "mem:Can").table
    assert (
        refused(lobby.sit, replace(kept, gone=GonePeople(removed=("mem:Can",))), person("Can"), 1).code
        == "removed_here"
    )
