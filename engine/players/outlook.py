"""Outlook: what a seat may hope for with the tiles that it holds, as far as it can see."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.arrange import useful_tiles
from engine.rules import Rules
from engine.tiles import FULL_SET, Tile
from engine.view import SeatView


@dataclass(frozen=True, slots=True)
class Outlook:
    """Which tiles bring fourteen nearer to winning."""

    useful: frozenset[Tile]
    live: int
    """How many unseen tiles are useful."""
    unseen: int
    """How many tiles the seat does not see."""

    def value(self, patience: float) -> float:
        """The chance to draw a useful tile, where after every draw that brings none the round goes on with
        a chance of `patience`."""
        chance = self.live / self.unseen
        return patience * chance / (1 - patience * (1 - chance))


def outlook_of(rules: Rules, view: SeatView, rack: Sequence[Tile]) -> Outlook:
    """The outlook of a rack of fourteen that the seat of a view has or could have."""
    useful = useful_tiles(rules.meld_rules(view.public.okey), rack)
    unseen = unseen_by(view)
    return Outlook(useful, sum(unseen[tile] for tile in useful), unseen.total())


def unseen_by(view: SeatView) -> Counter[Tile]:
    """The tiles that the seat does not see now."""
    tops = (top for top in view.public.discard_tops if top is not None)
    below = view.own_pile[:-1] + view.left_pile[:-1]
    return Counter(FULL_SET) - Counter([*view.rack, view.public.indicator, *tops, *below])
