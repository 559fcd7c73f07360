"""The player's own order: shelves, gaps, sorting, moving."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tables.racks import Shelves, by_melds, by_pairs, by_runs, flat, keep, move_tile
from engine.games import CLASSIC, OKEY101
from engine.melds import MeldRules
from engine.tiles import FULL_SET, Tile, tiles_from_text

OKEY = Tile.R5
MOST = CLASSIC.shelf_size
ROOM = 2
"""Places of a shelf that never hold a tile: its tiles stay large."""


@st.composite
def racks_and_widths(draw: st.DrawFn) -> tuple[list[Tile], int]:
    """A rack of either game, and the places of its shelves."""
    size, game = draw(st.sampled_from(((14, CLASSIC), (15, CLASSIC), (21, OKEY101), (22, OKEY101))))
    return draw(st.randoms(use_true_random=False)).sample(FULL_SET, size), game.shelf_size


def stand(laid: Shelves, rack: list[Tile], most: int) -> None:
    """Every tile stands on the shelves, and none too narrow."""
    assert Counter(flat(laid)) == Counter(rack)
    assert len(laid) == 2
    for shelf in laid:
        assert len(shelf) <= most
        assert sum(tile is not None for tile in shelf) <= most - ROOM


def shelves(upper: str, lower: str = "") -> Shelves:
    """Shelves in text: `.` is a gap."""
    rows = (upper, lower)
    return tuple(
        tuple(None if word == "." else tiles_from_text(word)[0] for word in row.split()) for row in rows
    )


def texts(laid: Shelves) -> list[str]:
    """The inverse of `shelves`."""
    return [" ".join("." if tile is None else tile.name for tile in shelf) for shelf in laid]


def test_a_discard_leaves_a_gap_and_the_others_where_they_are() -> None:
    before = shelves("R1 R2 R3", "K7 . B2")
    assert keep(before, tiles_from_text("R1 R3 K7 B2"), MOST) == shelves("R1 . R3", "K7 . B2")


def test_a_new_tile_goes_to_the_end_of_the_lower_shelf() -> None:
    before = shelves("R1 R2 R3", "K7 . B2")
    assert keep(before, tiles_from_text("R1 R2 R3 K7 B2 F"), MOST) == shelves("R1 R2 R3", "K7 . B2 F")


def test_a_new_tile_goes_into_a_gap_where_a_shelf_has_no_end_left_and_moves_no_other() -> None:
    upper, lower = "R1" + " ." * 10 + " Y7", "R9 . K7" + " ." * 8 + " R13"
    before = shelves(upper, lower)
    after = keep(before, [*flat(before), Tile.F], MOST)
    assert after == shelves(upper.replace(". Y7", "F Y7"), lower)


def test_a_shelf_that_an_app_filled_stays_full() -> None:
    full = " ".join(f"R{number}" for number in range(1, 13))
    before = shelves(full, "K7 . B2")
    assert keep(before, [*flat(before), Tile.F], MOST) == shelves(full, "K7 . B2 F")


def test_one_of_two_equal_tiles_leaves() -> None:
    before = shelves("R1 R1 R3")
    assert keep(before, tiles_from_text("R1 R3"), MOST) == shelves("R1 . R3")


def test_runs_stand_together_and_the_false_joker_where_its_tile_goes() -> None:
    rack = tiles_from_text("Y3 R6 F R4 K1 R5 Y2 Y1 B9 B10 K8 K9 K10 R5")
    sorted_by_runs = by_runs(rack, OKEY, MOST)
    assert texts(sorted_by_runs) == ["R4 F R6 . Y1 Y2 Y3", "B9 B10 . K1 . K8 K9 K10 . R5 R5"]


@pytest.mark.parametrize(
    ("rack", "groups"),
    [
        ("Y4 Y5 Y6 Y6 Y7 K1", ["Y4 Y5 Y6 Y7", "Y6", "K1"]),
        ("Y5 Y5 Y6 Y6 Y7 Y7", ["Y5 Y6 Y7", "Y5 Y6 Y7"]),
        ("R4 F R6 R6 K1", ["R4 F R6", "R6", "K1"]),
        ("Y4 Y4 Y5", ["Y4 Y4 Y5"]),
    ],
)
def test_a_second_tile_of_a_face_breaks_no_run(rack: str, groups: list[str]) -> None:
    laid = by_runs(tiles_from_text(rack), OKEY, MOST)
    assert groups_in(laid, 2, MOST) == groups


def test_pairs_come_first_and_okeys_last() -> None:
    rack = tiles_from_text("K1 R9 R9 B4 R5 B4 Y7")
    assert [tile.name for tile in flat(by_pairs(rack, OKEY, MOST))] == [
        "B4",
        "B4",
        "R9",
        "R9",
        "K1",
        "Y7",
        "R5",
    ]


@pytest.mark.parametrize(
    ("source", "target", "after"),
    [
        (0, 2, shelves(". R2 R1 R3", "K7 . B2")),
        (2, 0, shelves("R3 R1 R2", "K7 . B2")),
        (0, 13, shelves(". R2 R3", "K7 R1 B2")),
        (3, 0, shelves("R1 R2 R3", "K7 . B2")),
        (0, 99, shelves("R1 R2 R3", "K7 . B2")),
    ],
    ids=["forward", "backward", "into a gap", "nothing there", "no such place"],
)
def test_a_tile_is_moved_in_front_of_another(source: int, target: int, after: Shelves) -> None:
    assert move_tile(shelves("R1 R2 R3", "K7 . B2"), source, target, 12) == after


@settings(deadline=None, max_examples=50)
@given(racks_and_widths())
def test_sorting_loses_no_tile_and_fills_both_shelves(drawn: tuple[list[Tile], int]) -> None:
    rack, most = drawn
    for laid in (
        by_runs(rack, OKEY, most),
        by_pairs(rack, OKEY, most),
        by_melds(rack, MeldRules(OKEY), most),
    ):
        stand(laid, rack, most)
        assert all(sum(tile is not None for tile in shelf) >= len(rack) // 4 for shelf in laid)


@given(racks_and_widths(), st.integers(0, 30), st.integers(0, 30))
def test_moving_loses_no_tile(drawn: tuple[list[Tile], int], source: int, target: int) -> None:
    rack, most = drawn
    stand(move_tile(by_runs(rack, OKEY, most), source, target, most), rack, most)


@given(racks_and_widths())
def test_what_is_kept_is_exactly_the_rack(drawn: tuple[list[Tile], int]) -> None:
    rack, most = drawn
    laid = by_runs(rack[:-1], OKEY, most)
    for new in (rack[1:-1], rack[3:], rack):
        stand(keep(laid, sorted(new), most), new, most)


@given(racks_and_widths())
def test_a_drawn_tile_comes_last_on_a_shelf_and_moves_no_other(drawn: tuple[list[Tile], int]) -> None:
    rack, most = drawn
    before = by_runs(rack[:-1], OKEY, most)
    after = keep(before, sorted(rack), most)
    changed = [
        (row, place, new)
        for row, shelf in enumerate(after)
        for place, new in enumerate(shelf)
        if place >= len(before[row]) or before[row][place] is not new
    ]
    [(row, place, new)] = changed
    assert new is rack[-1]
    assert place == len(after[row]) - 1 or not any(len(shelf) < most - ROOM for shelf in before)


def test_it_comes_on_the_emptier_shelf() -> None:
    before = shelves("R1 R2", "K7 . B2")
    assert keep(before, [*flat(before), Tile.F], MOST) == shelves("R1 R2", "K7 . B2 F")
    before = shelves("R1", "K7 . B2")
    assert keep(before, [*flat(before), Tile.F], MOST) == shelves("R1 F", "K7 . B2")


def groups_in(laid: Shelves, rows: int, most: int) -> list[str]:
    """The groups that a player sees in so many rows: tiles between gaps and ends."""
    upper, lower = laid
    places = ["." if tile is None else tile.name for tile in (*upper, *[None] * (most - len(upper)), *lower)]
    width = 2 * most // rows
    seen = [" ".join(places[at : at + width]) for at in range(0, len(places), width)]
    return [group.strip() for row in seen for group in row.split(".") if group.strip()]


@pytest.mark.parametrize(
    ("rack", "groups"),
    [
        (
            "R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11 Y13",
            {"R1 R2 R3", "Y1 Y2 Y3", "B1 B2 B3", "K7 K8 K9 K10 K11", "Y13"},
        ),
        ("K8 K1 R9 Y3 B9 R5 Y4 B12 K9", {"R9 B9 K9", "Y3 Y4 R5", "B12", "K1 K8"}),
    ],
    ids=["all but one tile wins", "a set, a run with an okey, and three tiles left"],
)
def test_the_best_arrangement_stands_in_groups(rack: str, groups: set[str]) -> None:
    laid = by_melds(tiles_from_text(rack), MeldRules(OKEY), MOST)
    assert set(groups_in(laid, 2, MOST)) == groups


def test_a_rack_of_101_keeps_its_places_while_it_shrinks() -> None:
    """22 tiles need shelves of 15; what stands at the end of one stays there when few tiles are left."""
    most = OKEY101.shelf_size
    upper = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 . . R12 Y2"
    before = shelves(upper, "B1 B2 B3 B4 B5 B6 B7")
    assert keep(before, tiles_from_text("R1 Y2 B7"), most) == shelves(
        "R1" + " ." * 13 + " Y2", ". . . . . . B7"
    )
    assert move_tile(shelves(upper), 14, most, most) == shelves(upper.removesuffix(" Y2"), "Y2")


def test_a_shelf_that_would_be_too_full_gives_the_tile_at_its_border_to_the_other() -> None:
    most = OKEY101.shelf_size
    upper = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13"
    assert move_tile(shelves(upper, "B1 B2"), most + 1, 0, most) == shelves(
        "B2 " + upper.removesuffix(" R13"), "R13 B1"
    )


def test_groups_are_whole_in_the_three_rows_of_a_narrow_window_too() -> None:
    rack = tiles_from_text("R1 R2 R3 R4 Y1 Y2 Y3 Y4 B6 B7 B8 B9 K11 K12")
    groups = {"R1 R2 R3 R4", "Y1 Y2 Y3 Y4", "B6 B7 B8 B9", "K11 K12"}
    laid = by_runs(rack, OKEY, MOST)
    assert set(groups_in(laid, 2, MOST)) == groups
    assert set(groups_in(laid, 3, MOST)) == groups


@pytest.mark.parametrize("rows", [2, 3])
def test_a_rack_whose_window_is_not_known_is_whole_in_both(rows: int) -> None:
    rack = "R1 R9 R10 R13 Y2 Y3 Y4 Y11 Y12 Y13 B5 B8 B9 B10 B12 B12 B13 K2 K2 K7 R5"
    laid = by_runs(tiles_from_text(rack), OKEY, 15, rows=0)
    whole = {"R9 R10", "Y2 Y3 Y4", "Y11 Y12 Y13", "B8 B9 B10", "B12 B12 B13", "K2 K2"}
    assert set(groups_in(laid, rows, 15)) >= whole
    stand(laid, tiles_from_text(rack), 15)


@pytest.mark.parametrize("rows", [2, 3])
def test_a_dealt_run_stands_by_itself_however_few_gaps_there_are(rows: int) -> None:
    rack = "R2 R3 R6 R11 R11 R12 R13 Y5 Y10 Y12 Y12 Y13 B5 B6 B8 B11 B12 K3 K7 K10 K10 K12"
    laid = by_runs(tiles_from_text(rack), Tile.R4, 15, rows=0)
    assert "R11 R12 R13" in groups_in(laid, rows, 15)
    stand(laid, tiles_from_text(rack), 15)


@pytest.mark.parametrize("rows", [2, 3])
def test_melds_of_okey_101_are_whole_in_the_rows_that_the_player_sees(rows: int) -> None:
    melds = {"R12 R13 R1", "R4 B4 K4", "Y1 B1 K1", "Y2 Y3 Y4"}
    rack = tiles_from_text(f"{' '.join(sorted(melds))} R3 R6 R10 B10 B10 B13 K1 K6 K7")
    laid = by_melds(rack, MeldRules(OKEY), 15, rows)
    assert set(groups_in(laid, rows, 15)) >= melds
    stand(laid, rack, 15)


def test_what_is_left_is_joined_before_melds_are() -> None:
    melds = {"K6 K7 K8", "R1 Y1 B1 K1", "R12 Y12 K12", "R13 Y13 K13", "R6 Y6 B6"}
    rack = tiles_from_text(f"{' '.join(sorted(melds))} R4 Y3 B4 B8 B9 K10")
    assert set(groups_in(by_melds(rack, MeldRules(OKEY), 15), 2, 15)) >= melds
