"""The simulated people read every screen that a player may see."""

import pytest

from engine.tiles import Tile
from tests.evening import brain

OKEYS = {
    "Indicator red 13 · okey red 1 · 46 tiles in the stock": Tile.R1,
    "last discard: false joker (okey)\nIndicator false joker (okey) · okey false joker": Tile.F,
    "Table 1 · round 1/1": None,
}


@pytest.mark.parametrize("words", OKEYS)
def test_the_okey_of_a_screen_is_read(words: str) -> None:
    assert brain.read_okey(words) is OKEYS[words]


def test_whoever_holds_false_jokers_that_are_the_okey_keeps_them() -> None:
    tiles = (Tile.F, Tile.F, Tile.R1, Tile.R4, Tile.R10, Tile.Y1, Tile.Y2, Tile.Y4, Tile.Y6, Tile.Y9, Tile.B3)
    hand = brain.Hand((*tiles, Tile.B4, Tile.K8, Tile.K9, Tile.K10), Tile.F)
    assert brain.finishing(hand) is None
    assert brain.discard(hand, hand.tiles) is not Tile.F
