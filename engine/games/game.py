"""Game: the sizes and rules that distinguish one game from another, as one object."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.events import Event
from engine.moves import Move
from engine.rules import GameName, Rules
from engine.state import Round

Stepped = tuple[Round, tuple[Event, ...]]
"""A round after a move, and the events that everybody saw."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game:
    """One game. `engine.round` and `engine.match` call its functions, and check the phase first."""

    name: GameName
    rack_size: int
    """Tiles dealt to a seat; the starter gets one more."""
    shelf_size: int
    """Tiles that fit on one of a rack's two shelves."""
    stack_size: int
    """Tiles of one stack when `deal` is `stacks`."""
    stacks_each: int
    """Whole stacks that every seat takes."""
    stacks_more: int = 0
    """Whole stacks that the starter takes besides."""
    lays_melds: bool = False
    """Whether melds are laid on the table during the round, where others may add to them."""

    legal_moves: Callable[[Rules, Round, int], tuple[Move, ...]]
    """The moves that `step` accepts from a seat of a round in play."""
    step: Callable[[Rules, Round, int, Move], Stepped]
    """Carries out a move of a seat of a round in play. Raises NotAllowed."""
    sources: Callable[[Rules, Round], tuple[int, ...]]
    """The seats whose top discard the seat on turn may take until it draws."""
    changes: Callable[[Rules, Round], tuple[int, ...]]
    """The changes that a round has made to every seat's score so far; partners carry their team's figure."""
    fines: Callable[[Rules, Round], tuple[int, ...]]
    """The number of penalties that the end of a round counts against every seat; empty: the game has none."""
    price_of_showing: Callable[[Rules, Round], int]
    """The change to the score of each seat that pays for the shown indicator; 0: none does."""
    starting_score: Callable[[Rules], int]
    """Every seat's score before the first round."""
    fewest_win: Callable[[Rules], bool]
    """Whether scores are penalties, so that the lowest is best."""
