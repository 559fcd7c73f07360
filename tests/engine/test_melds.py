"""RULES 1 and 5: melds, their worth, laying off, and the notation of FORMATS."""

import pytest

from engine.melds import (
    Meld,
    MeldRules,
    Played,
    fitting,
    meld_of,
    points_of,
    read_as_played,
    tile_for,
    words_of,
    write_as_placed,
)
from engine.tiles import Tile, okey_of, text_of
from tests.engine.laid_out import placed

OKEY = Tile.R5  # the indicator is R4, and a false joker is R5


def read(text: str, *, wrap: bool = False, okey: Tile = OKEY) -> Meld | None:
    return meld_of(MeldRules(okey, wrap=wrap), [read_as_played(each, okey) for each in placed(text)])


def meld(text: str, *, wrap: bool = False) -> Meld:
    found = read(text, wrap=wrap)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("R7 Y7 B7", "set"),
        ("R7 Y7 B7 K7", "set"),
        ("R7 *Y7 *K7", "set"),
        ("F Y5 B5", "set"),  # a false joker is R5
        ("B6 B7 B8", "run"),
        ("B6 *B7 B8 *B9", "run"),
        ("R1 R2 R3", "run"),
        ("R11 R12 R13", "run"),
        ("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", "run"),
        ("R4 F R6", "run"),
        ("R4 R5 R6", "run"),  # the okey as its own face
        ("R4 *R5 R6", "run"),
        ("K9 K9", "pair"),
        ("K9 *K9", "pair"),
        ("F F", "pair"),
        ("R5 R5", "pair"),
        ("F *R5", "pair"),
        ("*K9 *K9", "pair"),
    ],
)
def test_what_is_a_meld(text: str, kind: str) -> None:
    assert meld(text).kind == kind


@pytest.mark.parametrize(
    "text",
    ["", "R7", "R7 Y7", "R7 R7 Y7", "R7 Y7 B7 K7 *R7", "R7 Y7 B8", "B6 B7", "B6 B7 B9", "B6 B7 K8",
     "B6 B6 B7", "R13 R1 R2", "R12 R13 R1", "R12 R13 R1 R2", "R6 F R8", "F Y6 B6", "K9 K10",
     "K9 Y9", "K9 K9 K9", "K9 F"],
)  # fmt: skip
def test_what_is_no_meld(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(("text", "wrap", "is_run"), [
    ("R12 R13 R1", False, False), ("R12 R13 R1", True, True), ("R11 *R12 R13 R1", True, True),
    ("R13 R1 R2", True, False), ("R12 R13 R1 R2", True, False),
    ("R1 R2 R3 R4 *R5 R6 R7 R8 R9 R10 R11 R12 R13 *R1", True, False),
])  # fmt: skip
def test_one_stands_after_thirteen_only_by_switch_and_never_on_both_sides(
    text: str, wrap: bool, is_run: bool
) -> None:
    assert (read(text, wrap=wrap) is not None) == is_run


def test_a_run_is_laid_in_order() -> None:
    assert words_of(meld("B8 B6 *B7"), OKEY) == ("B6", "*B7", "B8")
    assert words_of(meld("R1 R13 R12", wrap=True), OKEY) == ("R12", "R13", "R1")
    assert words_of(meld("F R4 R6"), OKEY) == ("R4", "F", "R6")


def test_where_the_false_jokers_are_wild_each_stands_for_a_tile() -> None:
    okey = okey_of(Tile.F)
    found = read("B6 *B7 B8", okey=okey)
    assert found is not None
    assert found.tiles[1].tile is Tile.F
    assert read("B6 F B8", okey=okey) is None
    assert read("F F", okey=okey) is None


@pytest.mark.parametrize(("text", "points"), [
    ("R7 Y7 B7", 21), ("R7 *Y7 *K7", 21), ("B6 *B7 B8", 21), ("R1 R2 R3", 6), ("R11 R12 R13", 36),
    ("R4 F R6", 15), ("F Y5 B5", 15), ("R12 R13 R1", 26),
])  # fmt: skip
def test_a_tile_counts_its_number_and_an_okey_what_it_stands_for(text: str, points: int) -> None:
    assert points_of(meld(text, wrap=True)) == points


@pytest.mark.parametrize(
    ("text", "wrap", "front", "behind"),
    [
        ("B6 B7 B8", False, "B5", "B9"),
        ("B6 *B7 *B8", False, "B5", "B9"),
        ("B1 B2 B3", False, "", "B4"),
        ("B11 B12 B13", False, "B10", ""),
        ("B11 B12 B13", True, "B10", "B1"),
        ("B12 B13 B1", True, "B11", ""),
        ("B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13", False, "B1", ""),
        ("B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B1", True, "B2", ""),
        ("B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B1", True, "", ""),
        ("B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13", True, "", ""),
        ("R7 Y7 B7", False, "", "K7"),
        ("R7 *Y7 B7", False, "", "K7"),
        ("R7 Y7 B7 K7", False, "", ""),
        ("K9 K9", False, "", ""),
    ],
)
def test_what_can_be_laid_off(text: str, wrap: bool, front: str, behind: str) -> None:
    fits = fitting(MeldRules(OKEY, wrap=wrap), meld(text, wrap=wrap))
    assert text_of(tile for tile, at_front in fits.items() if at_front) == front
    assert text_of(tile for tile, at_front in fits.items() if not at_front) == behind


def test_a_one_that_fits_on_both_sides_goes_before_the_two() -> None:
    fits = fitting(MeldRules(OKEY), meld("B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13"))
    assert fits == {Tile.B1: True}


@pytest.mark.parametrize("text", ["*B7", "B7", "F"])
def test_naming_a_tile_and_back(text: str) -> None:
    (named,) = placed(text)
    pair = Meld("pair", (read_as_played(named, OKEY),) * 2)
    assert write_as_placed(pair, OKEY) == (named, named)
    assert str(named) == text


def test_an_okey_always_gets_its_star() -> None:
    (named,) = placed("R5")
    pair = Meld("pair", (read_as_played(named, OKEY),) * 2)
    assert [str(each) for each in write_as_placed(pair, OKEY)] == ["*R5", "*R5"]


def test_an_okey_is_written_as_the_tile_it_stands_for() -> None:
    tiles = (Played(Tile.B6, Tile.B6), Played(Tile.R5, Tile.B7), Played(Tile.R5, Tile.B8))
    assert words_of(Meld("run", tiles), Tile.R5) == ("B6", "*B7", "*B8")


def test_a_false_joker_is_written_f_and_the_okey_as_itself_with_a_star() -> None:
    tiles = (Played(Tile.R4, Tile.R4), Played(Tile.F, Tile.R5), Played(Tile.R6, Tile.R6))
    assert words_of(Meld("run", tiles), Tile.R5) == ("R4", "F", "R6")
    assert words_of(Meld("pair", (Played(Tile.R5, Tile.R5),) * 2), Tile.R5) == ("*R5", "*R5")


@pytest.mark.parametrize(
    ("face", "held", "okey", "tile"),
    [
        (Tile.B7, True, Tile.R5, Tile.B7),
        (Tile.B7, False, Tile.R5, Tile.R5),
        (Tile.R5, True, Tile.R5, Tile.F),
        (Tile.R5, False, Tile.R5, Tile.R5),
        (Tile.R5, True, Tile.F, Tile.R5),
        (Tile.R5, False, Tile.F, Tile.F),
    ],
)
def test_what_fills_a_place(face: Tile, held: bool, okey: Tile, tile: Tile) -> None:
    """A plain tile of the okey's face can only be a false joker (RULES 1)."""
    assert tile_for(face, held, okey) == Played(tile, face)
