"""What a seat, or everybody, may know of a round: built up from nothing (RULES 3, "may see").

A view never starts as a state with parts blanked out, and the two types are unrelated, so that a
type checker refuses a rack where the public looks.
"""

from dataclasses import dataclass
from typing import Literal

from engine.tiles import Tile

Phase = Literal["draw", "discard", "over"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a round ended: public, because the winning rack is laid open."""

    kind: Literal["win", "exhausted", "cancelled"]
    winner: int | None
    how: tuple[str, ...]
    """A sorted subset of color, elden, joker, pairs."""
    changes: tuple[int, ...]
    """What the round did to every seat's score, shown indicators included."""
    winning_melds: tuple[tuple[Tile, ...], ...] = ()
    """The winning arrangement, each okey as the printed okey face; pairs have two tiles."""
    finishing_tile: Tile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicView:
    """What everybody at the table and every onlooker may know of a round."""

    indicator: Tile
    okey: Tile
    dealer: int
    turn: int | None
    """Whose turn it is; None when the round is over."""
    phase: Phase
    discard_tops: tuple[Tile | None, ...]
    """The top of every seat's own discard pile."""
    rack_sizes: tuple[int, ...]
    stock_left: int
    shown_by: int | None
    turns: int
    """Turns ended so far in this round."""
    outcome: Outcome | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """What one seat may know: what is public, his own rack, and the two piles beside him."""

    public: PublicView
    seat: int
    rack: tuple[Tile, ...]
    """His tiles, sorted by face. The order in which he keeps them is the application's."""
    own_pile: tuple[Tile, ...]
    """Oldest first."""
    left_pile: tuple[Tile, ...]
    """The pile he takes from (the previous player's), oldest first."""
    drawn: Tile | None
    """What he drew or took in this turn; None before that, and when it is not his turn."""
