"""Outlook: the chances of a seat with the tiles that it holds, as far as it can see.

In classic Okey: how far it is from winning, and which tiles help. In Okey 101: how likely it is to open with
the draws that are left, by random futures.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil
from typing import Final

from engine.arrange import (
    chance_to_draw,
    distances_without,
    opening_points,
    pair_count,
    useful_tiles,
    without,
)
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.melds import MeldRules, Way, tiles_in
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.tiles import FULL_SET, Tile
from engine.view import SeatView

OPENING_WORTH: Final[Mapping[Way | None, float]] = {"melds": 1.0, "pairs": 0.6, None: 0.0}
"""The worth of each way to open: after opening with pairs, the tiles left count twice."""

_DRAWS: Final = 6
"""The most draws that are looked ahead, all at once: 28 tiles is the largest rack that can be arranged."""


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
        """Return the chance to draw a useful tile. `patience` is the probability that each draw is
        reached."""
        return chance_to_draw(self.live, self.unseen, patience)


def discards_of(rules: Rules, view: SeatView, discards: Sequence[Tile]) -> dict[Tile, Outlook]:
    """Return the outlook after each of these discards, for a seat with fifteen tiles."""
    after = distances_without(rules.meld_rules(view.public.okey), view.rack)
    return outlooks_after(rules, view, {tile: after[tile] for tile in discards})


def nearest_of(rules: Rules, view: SeatView, discards: Sequence[Tile]) -> dict[Tile, int]:
    """Return the discards that leave a seat nearest to winning, each with its distance."""
    after = distances_without(rules.meld_rules(view.public.okey), view.rack)
    least = min(after[tile] for tile in discards)
    return {tile: least for tile in discards if after[tile] == least}


def outlooks_after(rules: Rules, view: SeatView, distances: Mapping[Tile, int]) -> dict[Tile, Outlook]:
    """Return the outlook after each discard, given the distance that it leaves."""
    meld_rules, unseen = rules.meld_rules(view.public.okey), unseen_by(view)
    return {
        tile: outlook_of(meld_rules, without(view.rack, tile), distance, unseen)
        for tile, distance in distances.items()
    }


def outlook_of(rules: MeldRules, tiles: Sequence[Tile], distance: int, unseen: Mapping[Tile, int]) -> Outlook:
    """Return the outlook of fourteen tiles with this distance."""
    useful = useful_tiles(rules, tiles)
    return Outlook(distance, useful, sum(unseen[tile] for tile in useful), sum(unseen.values()))


def unseen_by(view: SeatView) -> Counter[Tile]:
    """Return the tiles that the seat does not see now."""
    laid = tiles_in([laid.meld for laid in view.public.board.melds])
    return Counter(FULL_SET) - Counter([*view.rack, view.public.indicator, *_read_piles(view), *laid])


def _read_piles(view: SeatView) -> Iterator[Tile]:
    if view.all_piles:
        return chain.from_iterable(view.all_piles)
    tops = (top for top in view.public.discard_tops if top is not None)
    return chain(tops, view.own_pile[:-1], view.left_pile[:-1])


def drawable_by(view: SeatView) -> Counter[Tile]:
    """Return the tiles that a draw now may bring the seat, as far as it can see."""
    known = view.public.next_draw
    return unseen_by(view) if known is None else Counter([known])


@dataclass(frozen=True, slots=True)
class OpeningChances:
    """The shares of tried futures in which a seat opens, each from 0 to 1."""

    melds: float
    """With sets and runs."""
    pairs: float
    """With pairs only."""

    @property
    def either(self) -> float:
        """In either way."""
        return self.melds + self.pairs


def futures(view: SeatView, rng: PlayerRng, count: int) -> Iterator[list[Tile]]:
    """Random tiles that the seat may still draw in the round."""
    unseen = list(unseen_by(view).elements())
    # The previous player's discard is as good as a draw, if it opens.
    draws = min(_DRAWS, ceil(view.public.stock_left / len(view.public.rack_sizes)) + 1)
    return (rng.sample(unseen, draws) for _ in range(count))


def opens(rules: Rules, view: SeatView, tiles: Sequence[Tile]) -> Way | None:
    """Return the way in which these tiles open now, sets and runs before pairs; None: they do not."""
    board, meld_rules = view.public.board, rules.meld_rules(view.public.okey)
    if view.seat not in board.declared and opening_points(meld_rules, tiles) >= points_needed(rules, board):
        return "melds"
    return "pairs" if pair_count(meld_rules, tiles) >= pairs_needed(rules, board) else None


def opens_without(
    rules: Rules, view: SeatView, future: Sequence[Tile], tiles: Collection[Tile]
) -> dict[Tile, Way | None]:
    """Return, for each of these faces on the rack, the way in which the rack without it opens in this
    future."""
    board, meld_rules = view.public.board, rules.meld_rules(view.public.okey)
    more, needed = (*view.rack, *future), points_needed(rules, board)
    enough = view.seat not in board.declared and opening_points(meld_rules, more) >= needed
    paired = pairs_needed(rules, board)
    most = len(more) - len(set(more)) + more.count(view.public.okey)  # counted faster than pairs
    spare = pair_count(meld_rules, more) - paired if most >= paired else -1

    def way(tile: Tile) -> Way | None:
        rest = without(more, tile)
        if enough and opening_points(meld_rules, rest) >= needed:
            return "melds"
        # One tile less makes at most one pair less.
        return "pairs" if spare > 0 or (not spare and pair_count(meld_rules, rest) >= paired) else None

    return {tile: way(tile) for tile in tiles}
