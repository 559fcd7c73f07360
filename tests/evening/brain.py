"""The decisions of a simulated person, who reads their rack from the screen's words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.arrange import distance, finishing_discards, without
from engine.melds import MeldRules
from engine.tiles import Colour, Tile, tile_of

_COLOURS = {"red": Colour.RED, "yellow": Colour.YELLOW, "blue": Colour.BLUE, "black": Colour.BLACK}
_TILE = re.compile(r"false joker|(red|yellow|blue|black) (\d+)")
_OKEY = re.compile(rf"okey ({_TILE.pattern})")


@dataclass(frozen=True, slots=True)
class Hand:
    """A person's knowledge of their own rack, from an English screen."""

    tiles: tuple[Tile, ...]
    okey: Tile

    @property
    def must_discard(self) -> bool:
        """Return whether they hold fifteen tiles."""
        return len(self.tiles) == 15


def read_hand(words: str) -> Hand | None:
    """The rack and the okey in a rack's description; None when it describes none."""
    shelves = [line for line in words.splitlines() if line.startswith("Shelf ")]
    okey = read_okey(words)
    if not shelves or okey is None:
        return None
    return Hand(tuple(tile for shelf in shelves for tile in read_tiles(shelf)), okey)


def read_okey(words: str) -> Tile | None:
    """The okey named in any English screen; a false joker after one was turned as the indicator (RULES 2)."""
    okey = _OKEY.search(words)
    return None if okey is None else read_tiles(okey[1])[0]


def read_tiles(words: str) -> list[Tile]:
    """Every tile named in English words, in order."""
    return [
        Tile.F if found[1] is None else tile_of(_COLOURS[found[1]], int(found[2]))
        for found in _TILE.finditer(words)
    ]


_PRESS = re.compile(r"(?P<verb>[a-z_]+)\.[a-z0-9]+\.[a-z0-9]+(?:\.[\w*-]+)*")

_ONLY_IN_101 = {"draft", "best_draft", "lay", "ask_lay", "open_draft"}

Offered = dict[str, list[str]]
"""Presses by their verb, in the order of their buttons."""


def offered(presses: Iterable[str]) -> Offered:
    """The presses of a screen's buttons, by verb."""
    found: Offered = {}
    for press in presses:
        match = _PRESS.fullmatch(press)
        if match:
            found.setdefault(match["verb"], []).append(press)
    return found


def tile_of_press(press: str) -> Tile:
    """The tile of a button."""
    return Tile[press.removesuffix(".sure").rsplit(".", 1)[-1]]


def moves(press: str) -> bool:
    """Return whether a press is to make a move at once, and does not only ask whether it is meant."""
    return not press.startswith("ask_")


def choose(offers: Offered, words: str, top: Tile | None) -> str | None:
    """The press to choose on a rack described by `words`; None when there is nothing to do. Where they
    describe none, people draw and discard without a plan."""
    if set(offers) & _ONLY_IN_101:
        return _choose_101(offers, words)
    if sure := _sure_discards(offers):
        return sure[0]
    if "show" in offers:
        return offers["show"][0]
    hand = read_hand(words)
    if hand is None:
        return next((offers[verb][-1] for verb in ("draw", "discard") if verb in offers), None)
    if "draw" in offers:
        return offers["take"][0] if top is not None and takes(hand, top) else offers["draw"][0]
    wins_with = finishing(hand) if hand.must_discard else None
    if "finish" in offers:
        return next(press for press in offers["finish"] if tile_of_press(press) is wins_with)
    if "discard" not in offers:
        return None
    if wins_with is not None:
        return offers["ask_finish"][0]
    tile = discard(hand, [tile_of_press(press) for press in offers["discard"]])
    return next(press for press in offers["discard"] if tile_of_press(press) is tile)


def _choose_101(offers: Offered, words: str) -> str | None:
    """The press to choose in Okey 101: open, lay everything possible, and discard from the rest.

    An opening is built as a draft from the best arrangement, which exercises half of the buttons.
    """
    if "best_draft" in offers:
        return _build(offers, words)
    if {"open_melds", "open_pairs"} & set(offers):
        return (offers.get("draft") or offers.get("open_melds") or offers["open_pairs"])[0]
    for verb in ("finish", "meld", "lay", "ask_lay"):
        if verb in offers:
            return offers[verb][0]
    if sure := _sure_discards(offers):
        return sure[0]
    if "draw" in offers:
        return offers["draw"][0]
    if "discard" not in offers:
        return None
    okey = read_okey(words)
    tiles = [press for press in offers["discard"] if tile_of_press(press) is not okey]
    return (tiles or offers["discard"])[-1]


def _sure_discards(offers: Offered) -> list[str]:
    """The discards that a dialogue has asked about."""
    return [press for press in offers.get("discard", []) if press.endswith(".sure")]


def _build(offers: Offered, words: str) -> str:
    """The press while arranging: lay the best melds where possible, or leave the mode when there are none."""
    if "undo" in offers:
        return (offers.get("open_draft") or offers["look"])[0]
    return offers["best_draft" if " short" in words else "look"][0]


def takes(hand: Hand, top: Tile) -> bool:
    """Return whether the available discard brings their fourteen tiles nearer to winning."""
    return distance(MeldRules(hand.okey), (*hand.tiles, top)) < distance(MeldRules(hand.okey), hand.tiles)


def finishing(hand: Hand) -> Tile | None:
    """A tile whose discard wins, an okey if possible."""
    found = finishing_discards(MeldRules(hand.okey), hand.tiles)
    if not found:
        return None
    return hand.okey if hand.okey in found else next(iter(found))


def discard(hand: Hand, offered: Sequence[Tile]) -> Tile:
    """The offered tile whose discard leaves the rack nearest to winning; never an okey if there are
    others."""
    ordered = sorted(set(offered), key=lambda tile: tile is hand.okey)
    return min(
        ordered,
        key=lambda tile: (tile is hand.okey, distance(MeldRules(hand.okey), without(hand.tiles, tile))),
    )
