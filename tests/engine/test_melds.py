"""Melds as FORMATS writes them."""

import pytest

from engine.melds import Meld, Played, tile_for, words_of
from engine.tiles import Tile


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
