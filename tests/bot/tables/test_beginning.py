"""Who starts a match, as it is told at the table, and who sits where since (RULES 2, `first_dealer`)."""

import random

import pytest

from bot.i18n import plain, words_for
from bot.screens.player import rack_screen
from bot.screens.table import public_screen
from bot.tables import lobby, play
from bot.tables.facts import rack_facts, table_facts
from bot.tables.play import Delays
from bot.tables.table import NamedRound, Seat, Table
from engine.rules import rules_from
from engine.tiles import Tile

DELAYS = Delays(computer=1, next_round=1)
NAMES = ("Ada", "Can", "Ece", "Ali")


def begun(first_dealer: str, seed: int, preset: str = "okey") -> Table:
    """Four people whose first round is dealt."""
    table = lobby.open_table(
        table_id="tttttt",
        place="mem:hall",
        host=Seat(person="mem:0", name="Ada"),
        rules=rules_from({"preset": preset, "first_dealer": first_dealer}),
        language="en",
        turn_seconds=60,
        secret=random.Random(seed).randbytes(64),
        now=0.0,
    ).table
    for number, name in enumerate(NAMES[1:], 1):
        table = lobby.join(table, Seat(person=f"mem:{number}", name=name)).table
    return play.start(table, "mem:0", DELAYS).table


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_a_deal_of_okey_101_cuts_no_neighbours_in_two_rows_nor_in_three(seed: int) -> None:
    """As long as no group is longer than five tiles: at a narrow window's rows, and where a shelf ends."""
    table = begun("random", seed, "okey101")
    for seat in table.seats:
        upper, lower = seat.shelves
        places = [*upper, *[None] * (15 - len(upper)), *lower, *[None] * (15 - len(lower))]
        for end in (10, 15, 20):
            before, after = places[end - 1], places[end]
            if before is not None and after is not None:
                assert (before.colour, (before.number or 0) + 1) != (after.colour, after.number)


def told(table: Table) -> str:
    words = words_for("en")
    return plain(public_screen(table_facts(table, None), words).text, words)


@pytest.mark.parametrize("seed", range(8))
def test_people_sit_in_the_order_of_the_tiles_they_drew(seed: int) -> None:
    table = begun("highest_tile", seed)
    assert table.match.round is not None
    assert sorted(seat.name for seat in table.seats) == sorted(NAMES)
    if len(table.news.first) == len(NAMES):  # nobody had to draw again
        numbers = {draw.seat: draw.tile.number or 0 for draw in table.news.first if draw.tile is not None}
        assert numbers[table.match.round.starter] == max(numbers.values())
        assert [numbers[seat] for seat in range(4)] == sorted(numbers.values(), reverse=True)
    for draw in table.news.first:
        assert isinstance(draw.tile, Tile)
        assert f"{table.seats[draw.seat].name} drew " in told(table)


@pytest.mark.parametrize("seed", range(8))
def test_who_throws_highest_starts(seed: int) -> None:
    table = begun("highest_die", seed)
    assert table.match.round is not None
    assert [seat.name for seat in table.seats] == list(NAMES)
    for draw in table.news.first:
        assert f"{table.seats[draw.seat].name} threw {draw.die}" in told(table)
    first_throw = [draw.die or 0 for draw in table.news.first[:4]]
    if first_throw.count(max(first_throw)) == 1:
        assert table.match.round.starter == first_throw.index(max(first_throw))


def test_while_the_first_deal_waits_for_the_beacon_a_rack_offers_nothing_that_would_be_refused() -> None:
    table = lobby.open_table(
        table_id="tttttt",
        place="mem:hall",
        host=Seat(person="mem:0", name="Ada"),
        rules=rules_from({"preset": "okey"}),
        language="en",
        turn_seconds=60,
        secret=bytes(64),
        now=0.0,
    ).table
    words = words_for("en")
    assert rack_screen(rack_facts(table, 0, None, None), words).buttons
    awaiting = play.start(table, "mem:0", DELAYS, NamedRound("chain", 5, 0.0, 3.0)).table
    assert rack_screen(rack_facts(awaiting, 0, None, None), words).buttons == ()
