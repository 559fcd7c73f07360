"""What a seat may do in a classic round, as values (RULES 3). FORMATS names them the same way."""

from dataclasses import dataclass

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


ClassicMove = Show | Draw | Take | Discard | Finish
Move = ClassicMove
