"""What a beginner could do now, and why: the advice of a steady player who sees what he sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.arrange import distance, without
from engine.moves import Discard, Finish, Move, Show, Take
from engine.players import choose
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView

_SEED: Final = bytes(32)
"""The same rack gets the same advice."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, the tile that it is about, and how many tiles are then still missing to finish."""

    kind: Literal["finish", "show", "take", "draw", "discard"]
    tile: Tile | None
    missing: int


def hint(rules: Rules, view: SeatView, legal: Sequence[Move]) -> Hint | None:
    """The advice for who is on turn at a classic table; None when it is not his turn."""
    if not legal or view.public.turn != view.seat:
        return None
    left = view.left_pile[-1] if view.left_pile else None
    match choose("steady", rules, view, legal, _SEED):
        case Finish(tile):
            return Hint("finish", tile, 0)
        case Show():
            return Hint("show", view.public.indicator, _missing(rules, view, view.rack))
        case Discard(tile):
            return Hint("discard", tile, _missing(rules, view, without(view.rack, tile)))
        case Take() if left is not None:
            return Hint("take", left, _missing(rules, view, (*view.rack, left)))
    return Hint("draw", left, _missing(rules, view, view.rack))


def _missing(rules: Rules, view: SeatView, rack: Sequence[Tile]) -> int:
    return distance(rules.meld_rules(view.public.okey), rack)
