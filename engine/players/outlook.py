"""Outlook: the chances of a seat with the tiles that it holds, as far as it can see."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.arrange import chance_to_draw, distances_without, useful_tiles, without
from engine.melds import MeldRules, tiles_in
from engine.rules import Rules
from engine.tiles import FULL_SET, Tile
from engine.view import SeatView


@dataclass(frozen=True, slots=True)
class Outlook:
    """The outlook of fourteen tiles, for the seat that could hold them."""

    distance: int
    """The number of tiles missing to win."""
    useful: frozenset[Tile]
    """The tiles that bring them nearer."""
    live: int
    """The number of useful tiles that the seat does not see."""
    unseen: int
    """The number of all tiles that it does not see."""

    def chance(self, patience: float) -> float:
        """The chance to draw a useful tile. `patience` is the probability that each draw is reached."""
        return chance_to_draw(self.live, self.unseen, patience)


def discards_of(rules: Rules, view: SeatView, discards: Sequence[Tile]) -> dict[Tile, Outlook]:
    """The outlook after each of these discards, for a seat with fifteen tiles."""
    after = distances_without(rules.meld_rules(view.public.okey), view.rack)
    return outlooks_after(rules, view, {tile: after[tile] for tile in discards})


def nearest_of(rules: Rules, view: SeatView, discards: Sequence[Tile]) -> dict[Tile, int]:
    """The discards that leave a seat nearest to winning, each with its distance."""
    after = distances_without(rules.meld_rules(view.public.okey), view.rack)
    least = min(after[tile] for tile in discards)
    return {tile: least for tile in discards if after[tile] == least}


def outlooks_after(rules: Rules, view: SeatView, distances: Mapping[Tile, int]) -> dict[Tile, Outlook]:
    """The outlook after each discard, given the distance that it leaves."""
    meld_rules, unseen = rules.meld_rules(view.public.okey), unseen_by(view)
    return {
        tile: outlook_of(meld_rules, without(view.rack, tile), distance, unseen)
        for tile, distance in distances.items()
    }


def outlook_of(rules: MeldRules, tiles: Sequence[Tile], distance: int, unseen: Mapping[Tile, int]) -> Outlook:
    """The outlook of fourteen tiles with this distance."""
    useful = useful_tiles(rules, tiles)
    return Outlook(distance, useful, sum(unseen[tile] for tile in useful), sum(unseen.values()))


def unseen_by(view: SeatView) -> Counter[Tile]:
    """The tiles that the seat does not see now."""
    tops = (top for top in view.public.discard_tops if top is not None)
    below = view.own_pile[:-1] + view.left_pile[:-1]
    laid = tiles_in([laid.meld for laid in view.public.board.melds])
    return Counter(FULL_SET) - Counter([*view.rack, view.public.indicator, *tops, *below, *laid])


def drawable_by(view: SeatView) -> Counter[Tile]:
    """The tiles that a draw now may bring the seat, as far as it can see."""
    known = view.public.next_draw
    return unseen_by(view) if known is None else Counter([known])
