"""Hints at classic Okey: the steady player's move, and how many tiles then help."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.arrange import distance
from engine.moves import Discard, Finish, Move, Show, Take
from engine.players import choose
from engine.players.outlook import nearest_of, outlook_of, outlooks_after, unseen_by
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView, taken_by

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
    """The advice for the seat on turn."""
    takes = [move for move in legal if isinstance(move, Take)]
    discards = [move.tile for move in legal if isinstance(move, Discard)]
    if discards and Show() not in legal and not any(isinstance(move, Finish) for move in legal):
        return _discard(rules, view, discards)
    match choose("steady", rules, view, legal, _SEED):
        case Finish(tile):
            return ClassicHint("finish", tile, 0)
        case Show():
            return ClassicHint("show", view.public.indicator, _missing(rules, view, view.rack))
        case Take() as take:
            tile = taken_by(view.public, take)
            return ClassicHint("take", tile, _missing(rules, view, (*view.rack, tile)))
    missing = _missing(rules, view, view.rack)
    if not missing:  # any tile that is drawn can be the finishing discard
        return ClassicHint("draw", None, 0)
    now = outlook_of(rules.meld_rules(view.public.okey), view.rack, missing, unseen_by(view))
    lying = taken_by(view.public, takes[0]) if len(takes) == 1 else None
    return ClassicHint("draw", lying, missing, now.live, now.unseen)


def _discard(rules: Rules, view: SeatView, tiles: Sequence[Tile]) -> ClassicHint:
    """The steady player's discard, and the next best tile for comparison if there is another draw."""
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


def _missing(rules: Rules, view: SeatView, rack: Sequence[Tile]) -> int:
    return distance(rules.meld_rules(view.public.okey), rack)
