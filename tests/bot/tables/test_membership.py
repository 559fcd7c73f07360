"""Membership: whose seat goes to a computer player, and how that is called."""

from dataclasses import replace

from bot.tables.computers import FIGURES
from bot.tables.membership import forgotten
from tests.bot.tables.test_beginning import DELAYS, begun


def test_who_is_called_like_a_computer_player_can_be_forgotten_beside_the_three_others() -> None:
    table = begun("random", 4)
    names = [figure.name for figure in FIGURES]
    seats = tuple(replace(seat, name=name) for seat, name in zip(table.seats, names, strict=True))
    change = forgotten(replace(table, seats=seats), "mem:0", DELAYS)
    assert change is not None
    assert change.table.seats[0].person is None
    assert sorted(seat.name for seat in change.table.seats) == sorted(names)
