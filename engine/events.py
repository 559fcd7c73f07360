"""What happened, in the past tense. An event tells what everybody at the table saw, and no more.

Only `Drew` hides something (which tile it was): the tile is in the seat's own view.
"""

from dataclasses import dataclass

from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """Dice were thrown for who starts the match: throw after throw, by seat; None for who did not."""

    throws: tuple[tuple[int | None, ...], ...]
    starter: int


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """Tiles were drawn for the seats: draw after draw, by old seat; None for who did not.

    Whoever sat at `order[n]` sits at seat n from now on.
    """

    draws: tuple[tuple[Tile | None, ...], ...]
    order: tuple[int, ...]
    starter: int
    """Who starts the match, by new seat."""


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """The tiles were dealt. `dice` as in `engine.deal.Dealt`: the first chose the stack."""

    number: int
    """From 1."""
    dealer: int
    starter: int
    indicator: Tile
    dice: tuple[int, ...]


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


@dataclass(frozen=True, slots=True)
class Left:
    """A seat has no points left and leaves the match (RULES 4, elimination)."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    winners: tuple[int, ...]


Event = (
    DiceThrown
    | SeatsDrawn
    | RoundBegan
    | Shown
    | Drew
    | Took
    | Discarded
    | Finished
    | Exhausted
    | Left
    | MatchEnded
)
