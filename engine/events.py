"""What happened, in the past tense. An event tells what everybody at the table saw, and no more.

Only `Drew` hides something (which tile it was): the tile is in the seat's own view.
"""

from dataclasses import dataclass

from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Shown:
    """A seat showed the indicator's twin."""

    seat: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew from the stock."""

    seat: int


@dataclass(frozen=True, slots=True)
class Took:
    """A seat took the top discard of `source`."""

    seat: int
    source: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discarded a tile and his turn ended."""

    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Finished:
    """A seat finished with the discard of `tile`."""

    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The stock ran out and nobody could finish, or the round went past its last turn."""


Event = Shown | Drew | Took | Discarded | Finished | Exhausted
