"""Hints at classic Okey: the best move by the review's own measure, and how many tiles then help."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.arrange import distance
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.players import choose
from engine.players.outlook import nearest_of, outlooks_after
from engine.review.classic import best_with, outlook_now, worth_of_sources
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView, find_taken

_SEED: Final = bytes(32)
"""A fixed seed, so that the same rack always gets the same advice."""


@dataclass(frozen=True, slots=True)
class ClassicHint:
    """A move, the tile that it is about, and how many tiles are then still missing to finish."""

    kind: Literal["finish", "show", "take", "draw", "discard"]
    tile: Tile | None
    """To draw is about the only discard that could be taken instead; None: there is none, or several."""
    missing: int
    live: int = 0
    """How many unseen tiles then help; 0 when the next move is no draw."""
    unseen: int = 0
    """How many tiles are unseen."""
    rather: Tile | None = None
    """The second best tile to discard among those with the same distance; None: there is none."""
    rather_live: int = 0
    """How many unseen tiles would help after discarding `rather`."""


def hint(rules: Rules, view: SeatView, legal: Sequence[Move]) -> ClassicHint:
    """Return the advice for the seat on turn."""
    if any(isinstance(move, Finish) for move in legal):
        finish = choose("steady", rules, view, legal, _SEED)
        assert isinstance(finish, Finish)
        return ClassicHint("finish", finish.tile, 0)
    if Show() in legal:
        missing = distance(rules.meld_rules(view.public.okey), view.rack)
        return ClassicHint("show", view.public.indicator, missing)
    discards = [move.tile for move in legal if isinstance(move, Discard)]
    return _discard(rules, view, discards) if discards else _source(rules, view, legal)


def _source(rules: Rules, view: SeatView, legal: Sequence[Move]) -> ClassicHint:
    """To draw, unless taking is worth more."""
    now = outlook_now(rules, view)
    if not now.distance and Draw() in legal:  # any tile that is drawn can be the finishing discard
        return ClassicHint("draw", None, 0)
    worth = worth_of_sources(rules, view, legal)
    best = max(worth, key=worth.__getitem__)
    if isinstance(best, Take):
        tile = find_taken(view.public, best)
        after = best_with(rules, view, tile)
        if after.distance < now.distance:
            return ClassicHint("take", tile, after.distance)
        return ClassicHint("take", tile, after.distance, after.live, after.unseen)
    takes = [find_taken(view.public, move) for move in legal if isinstance(move, Take)]
    lying = takes[0] if len(takes) == 1 else None
    return ClassicHint("draw", lying, now.distance, now.live, now.unseen)


def _discard(rules: Rules, view: SeatView, tiles: Sequence[Tile]) -> ClassicHint:
    """Return the steady player's discard, and the next best tile for comparison if there is another draw."""
    outlooks = outlooks_after(rules, view, nearest_of(rules, view, sorted(tiles)))
    tile = max(outlooks, key=lambda each: outlooks[each].live)
    best = outlooks[tile]
    if not view.public.stock_left:  # nobody draws any more
        return ClassicHint("discard", tile, best.distance)
    others = {other: each for other, each in outlooks.items() if each.live < best.live}
    rather = max(others, key=lambda other: others[other].live, default=None)
    return ClassicHint(
        "discard",
        tile,
        best.distance,
        best.live,
        best.unseen,
        rather,
        0 if rather is None else others[rather].live,
    )
