"""Events, in the past tense. An event contains what everybody at the table saw, and no more.

Only `Drew` hides something (which tile it was): the tile is in the seat's own view.
"""

from dataclasses import dataclass
from typing import Literal

from engine.melds import Meld, Played, Way
from engine.rules import Penalty
from engine.tiles import Tile

FineReason = Literal[Penalty, "return_taken"]
"""The reason for 101 points: one of the penalties, or a taken discard that was given back."""


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """Dice were thrown to find who starts: throw after throw, by seat; None: a seat did not throw."""

    throws: tuple[tuple[int | None, ...], ...]
    starter: int


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """Tiles were drawn for the seats: draw after draw, by old seat; None for a seat that did not draw.

    The player of seat `order[n]` has seat n from now on.
    """

    draws: tuple[tuple[Tile | None, ...], ...]
    order: tuple[int, ...]
    starter: int
    """The seat that starts the match, by its new number."""


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
    """A seat discarded a tile and the turn ended."""

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


@dataclass(frozen=True, slots=True)
class Returned:
    """A seat gave the discard that it had taken back to the pile of `source`."""

    seat: int
    source: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Opened:
    """A seat opened: with sets and runs worth `worth` points, or with `worth` pairs."""

    seat: int
    way: Way
    worth: int
    melds: tuple[Meld, ...]


@dataclass(frozen=True, slots=True)
class MeldLaid:
    """A seat laid a further set, run or pair."""

    seat: int
    meld: Meld


@dataclass(frozen=True, slots=True)
class LaidOff:
    """A seat added a tile to the `on`-th meld."""

    seat: int
    tile: Played
    on: int


@dataclass(frozen=True, slots=True)
class Reclaimed:
    """A seat put `tile` in the place of an okey in the `on`-th meld, and took the okey."""

    seat: int
    tile: Tile
    on: int


@dataclass(frozen=True, slots=True)
class TookBack:
    """A seat took back tiles that it had laid off in this turn, the last first."""

    seat: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """A seat declared that it will open with pairs only."""

    seat: int


@dataclass(frozen=True, slots=True)
class Called:
    """A seat called the last discard playable, rightly or not."""

    seat: int
    discarder: int
    tile: Tile
    right: bool


@dataclass(frozen=True, slots=True)
class Fined:
    """101 points will be added to a seat's score at the end of the round."""

    seat: int
    reason: FineReason


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Everybody opened with pairs: the round does not count and is dealt again."""


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
    | Returned
    | Opened
    | MeldLaid
    | LaidOff
    | Reclaimed
    | TookBack
    | Declared
    | Called
    | Fined
    | Cancelled
    | Left
    | MatchEnded
)
