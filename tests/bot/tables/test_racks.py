"""The player's own order: shelves, gaps, sorting, moving."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tables.racks import Shelves, by_pairs, by_runs, flat, kept, moved
from engine.games import CLASSIC, OKEY101
from engine.tiles import FULL_SET, Tile, tiles_from_text

OKEY = Tile.R5
MOST = CLASSIC.shelf_size
RACKS = st.tuples(st.randoms(use_true_random=False), st.sampled_from((14, 15))).map(
    lambda drawn: drawn[0].sample(FULL_SET, drawn[1])
)


def shelves(upper: str, lower: str = "") -> Shelves:
    """Shelves in text: `.` is a gap."""
    rows = (upper, lower)
    return tuple(
        tuple(None if word == "." else tiles_from_text(word)[0] for word in row.split()) for row in rows
    )


def test_a_discard_leaves_a_gap_and_the_others_where_they_are() -> None:
    before = shelves("R1 R2 R3", "K7 . B2")
    assert kept(before, tiles_from_text("R1 R3 K7 B2"), MOST) == shelves("R1 . R3", "K7 . B2")


def test_a_new_tile_goes_to_the_end_of_the_lower_shelf() -> None:
    before = shelves("R1 R2 R3", "K7 . B2")
    assert kept(before, tiles_from_text("R1 R2 R3 K7 B2 F"), MOST) == shelves("R1 R2 R3", "K7 . B2 F")


def test_one_of_two_equal_tiles_leaves() -> None:
    before = shelves("R1 R1 R3")
    assert kept(before, tiles_from_text("R1 R3"), MOST) == shelves("R1 . R3")


def test_runs_stand_together_and_the_false_joker_where_its_tile_goes() -> None:
    rack = tiles_from_text("Y3 R6 F R4 K1 R5 Y2 Y1 B9 B10 K8 K9 K10 R5")
    sorted_by_runs = by_runs(rack, OKEY, MOST)
    upper = " ".join("." if tile is None else tile.name for tile in sorted_by_runs[0])
    assert upper == "R4 F R6 . Y1 Y2 Y3 . B9 B10 . K1"
    assert flat(sorted_by_runs)[-2:] == (Tile.R5, Tile.R5)


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
    assert moved(shelves("R1 R2 R3", "K7 . B2"), source, target, 12) == after


@given(RACKS)
def test_sorting_loses_no_tile_and_fits_the_shelves(rack: list[Tile]) -> None:
    for sort in (by_runs, by_pairs):
        laid = sort(rack, OKEY, MOST)
        assert Counter(flat(laid)) == Counter(rack)
        assert all(len(shelf) <= MOST for shelf in laid)


@given(RACKS, st.integers(0, 30), st.integers(0, 30))
def test_moving_loses_no_tile_and_fits_the_shelves(rack: list[Tile], source: int, target: int) -> None:
    laid = moved(by_runs(rack, OKEY, MOST), source, target, MOST)
    assert Counter(flat(laid)) == Counter(rack)
    assert all(len(shelf) <= MOST for shelf in laid)


@given(RACKS)
def test_what_is_kept_is_exactly_the_rack(rack: list[Tile]) -> None:
    laid = by_runs(rack[:14], OKEY, MOST)
    for new in (rack[1:14], rack[3:], rack):
        after = kept(laid, sorted(new), MOST)
        assert Counter(flat(after)) == Counter(new)
        assert all(len(shelf) <= MOST for shelf in after)


def test_a_rack_of_101_keeps_its_places_while_it_shrinks() -> None:
    """22 tiles need shelves of 15; what stands at the end of one stays there when few tiles are left."""
    most = OKEY101.shelf_size
    upper = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 Y1 Y2"
    before = shelves(upper, "B1 B2 B3 B4 B5 B6 B7")
    assert kept(before, tiles_from_text("R1 Y2 B7"), most) == shelves(
        "R1" + " ." * 13 + " Y2", ". . . . . . B7"
    )
    assert moved(shelves(upper), 14, most, most) == shelves(upper.removesuffix(" Y2"), "Y2")
