"""Openings: how likely a seat of Okey 101 is to open with the draws that are left, by random futures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from engine.arrange import opening_points, pair_count, without
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.melds import Way
from engine.players.outlook import unseen_by
from engine.players.rng import PlayerRng
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView

OPENING_WORTH: Final[Mapping[Way | None, float]] = {"melds": 1.0, "pairs": 0.6, None: 0.0}
"""The worth of each way to open: after opening with pairs, the tiles left count twice."""
_DRAWS: Final = 6
"""The most draws that are looked ahead, all at once: 28 tiles is the largest rack that can be arranged."""


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
    """The way in which these tiles open now, sets and runs before pairs; None: they do not."""
    board, meld_rules = view.public.board, rules.meld_rules(view.public.okey)
    if opening_points(meld_rules, tiles) >= points_needed(rules, board):
        return "melds"
    return "pairs" if pair_count(meld_rules, tiles) >= pairs_needed(rules, board) else None


def opens_without(rules: Rules, view: SeatView, future: Sequence[Tile]) -> dict[Tile, Way | None]:
    """For each face on the rack, the way in which the rack without it opens in this future."""
    board, meld_rules = view.public.board, rules.meld_rules(view.public.okey)
    more, needed = (*view.rack, *future), points_needed(rules, board)
    enough = opening_points(meld_rules, more) >= needed
    paired = pairs_needed(rules, board)
    spare = pair_count(meld_rules, more) - paired

    def way(tile: Tile) -> Way | None:
        rest = without(more, tile)
        if enough and opening_points(meld_rules, rest) >= needed:
            return "melds"
        # One tile less makes at most one pair less.
        return "pairs" if spare > 0 or (not spare and pair_count(meld_rules, rest) >= paired) else None

    return {tile: way(tile) for tile in dict.fromkeys(view.rack)}
