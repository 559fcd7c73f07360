"""Outlook: what a seat may hope for with the tiles that it holds, as far as it can see."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.arrange import chance_to_draw, distances_without, useful_tiles, without
from engine.melds import MeldRules
from engine.rules import Rules
from engine.tiles import FULL_SET, Tile
from engine.view import SeatView


@dataclass(frozen=True, slots=True)
class Outlook:
    """Fourteen tiles, as the seat that could hold them sees them."""

    distance: int
    """How far they are from winning."""
    useful: frozenset[Tile]
    """The tiles that bring them nearer."""
    live: int
    """How many of those the seat does not see."""
    unseen: int
    """How many tiles it does not see in all."""

    def chance(self, patience: float) -> float:
        """The chance to draw a useful tile, `patience` being how likely each draw is to be reached."""
        return chance_to_draw(self.live, self.unseen, patience)


def discards_of(rules: Rules, view: SeatView, discards: Sequence[Tile]) -> dict[Tile, Outlook]:
    """The outlook after each of these discards, which a seat with fifteen tiles may make."""
    after = distances_without(rules.meld_rules(view.public.okey), view.rack)
    return outlooks_after(rules, view, {tile: after[tile] for tile in discards})


def nearest_of(rules: Rules, view: SeatView, discards: Sequence[Tile]) -> dict[Tile, int]:
    """The discards that leave a seat nearest to winning, each with how near that is."""
    after = distances_without(rules.meld_rules(view.public.okey), view.rack)
    least = min(after[tile] for tile in discards)
    return {tile: least for tile in discards if after[tile] == least}


def outlooks_after(rules: Rules, view: SeatView, distances: Mapping[Tile, int]) -> dict[Tile, Outlook]:
    """The outlook after each discard, by how far from winning it leaves the seat."""
    meld_rules, unseen = rules.meld_rules(view.public.okey), unseen_by(view)
    return {
        tile: outlook_of(meld_rules, without(view.rack, tile), distance, unseen)
        for tile, distance in distances.items()
    }


def outlook_of(rules: MeldRules, tiles: Sequence[Tile], distance: int, unseen: Mapping[Tile, int]) -> Outlook:
    """The outlook of fourteen tiles that are so far from winning."""
    useful = useful_tiles(rules, tiles)
    return Outlook(distance, useful, sum(unseen[tile] for tile in useful), sum(unseen.values()))


def unseen_by(view: SeatView) -> Counter[Tile]:
    """The tiles that the seat does not see now."""
    tops = (top for top in view.public.discard_tops if top is not None)
    below = view.own_pile[:-1] + view.left_pile[:-1]
    return Counter(FULL_SET) - Counter([*view.rack, view.public.indicator, *tops, *below])
