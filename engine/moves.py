"""Moves of a seat, as values (RULES 3 and 5). FORMATS uses the same names."""

from dataclasses import dataclass

from engine.melds import Placed
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Show:
    """Show the indicator's twin."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top of the stock."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top discard of a seat; None means the previous player's."""

    source: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a tile and end the turn."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Finish:
    """Discard a tile and claim that the other 14 win."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Return:
    """Give the taken discard back, to draw from the stock instead."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open with sets and runs, laid at once."""

    melds: tuple[tuple[Placed, ...], ...]


@dataclass(frozen=True, slots=True)
class OpenPairs:
    """Open with pairs, laid at once."""

    pairs: tuple[tuple[Placed, ...], ...]


@dataclass(frozen=True, slots=True)
class LayMeld:
    """Lay a further set, run or pair."""

    tiles: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class LayOff:
    """Add a tile to the meld that was the `on`-th to be laid in this round, counted from 0."""

    tile: Placed
    on: int


@dataclass(frozen=True, slots=True)
class Reclaim:
    """Put the tile that a laid okey stands for in its place, and take the okey."""

    tile: Tile
    on: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last `count` tiles that were laid off in this turn."""

    count: int


@dataclass(frozen=True, slots=True)
class Declare:
    """Declare pairs: to open with pairs only in this round."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call the last discard of an opponent playable."""


ClassicMove = Show | Draw | Take | Discard | Finish
Move = ClassicMove | Return | Open | OpenPairs | LayMeld | LayOff | Reclaim | TakeBack | Declare | Call
