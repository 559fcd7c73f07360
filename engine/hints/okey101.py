"""Hints at Okey 101: the best move by the review's own measure, so that the review finds no fault with it.

Where that calls several moves equally good, the steady player's is taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.arrange import opening_points
from engine.games.okey101.laying import points_needed
from engine.games.okey101.turn import fine_for_discard
from engine.moves import Declare, Discard, Draw, Finish, Move, Open, OpenPairs, Return, Take
from engine.players import choose
from engine.players.okey101 import declares
from engine.players.outlook import OpeningChances, opens
from engine.review.okey101 import (
    SEED,
    Turn,
    find_spare,
    rest_of_turn,
    turns_that_lay,
    worth_of_discards,
    worth_of_sources,
)
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView

_CLEAR: Final = 0.05
"""How much smaller another chance must be to be worth a comparison: chances are estimates."""

Why = Literal[
    "",
    "too_low",
    "useless",
    "opens",
    "lays",
    "finishes",
    "unopened_pays",
    "counts",
    "last_turn",
    "least_needed",
    "chance",
    "no_penalty",
    "pairs",
]
"""The reason for a hint:

- `too_low`: the discard does not open, and the rack alone is worth too little
- `useless`: the discard could not be laid
- `opens`, `lays`, `finishes`: with it the seat can open, can lay it at once, can finish in this turn
- `unopened_pays`: a seat that never opens pays most
- `counts`: tiles on the rack count against the seat, and tiles on the table do not
- `last_turn`: the round ends with this turn
- `least_needed`: the tile can best be spared
- `chance`: without the tile the seat opens most often
- `pairs`: few pairs are missing to open, and whoever declares takes discards freely
- `no_penalty`: the tile can best be spared of those that fit no meld on the table
"""


@dataclass(frozen=True, slots=True)
class Okey101Hint:
    """The best next move, and why."""

    move: Move
    why: Why = ""
    points: int = 0
    """`too_low`: what the rack's sets and runs are worth."""
    needed: int = 0
    """`too_low`: what opens now."""
    chance: float = 0.0
    """`chance`: the share of tries that open later, from 0 to 1."""
    rather: Tile | None = None
    """`chance`: the best of the discards that clearly leave a smaller chance; None: there is none."""
    rather_chance: float = 0.0


def hint(rules: Rules, view: SeatView, legal: Sequence[Move]) -> Okey101Hint:
    """Return the advice for the seat on turn."""
    if Declare() in legal and declares(rules, view):
        return Okey101Hint(Declare(), "pairs")
    if view.public.phase == "draw":
        return _source(rules, view, legal)
    if Return() in legal:
        return _use_taken(rules, view, choose("steady", rules, view, legal, SEED))
    if isinstance(legal[-1], Finish):
        move = choose("steady", rules, view, legal, SEED)
        return Okey101Hint(move, "" if isinstance(move, Finish) else "finishes")
    turns = list(turns_that_lay(rules, view))
    best = max(turns, key=lambda turn: turn.worth, default=None)
    # Opening is never put off: nobody could say what that costs. In the last turn it is known.
    if best is not None and isinstance(best.moves[0], Open | OpenPairs) and view.public.stock_left:
        return _laying(view, best)
    worth, chances = worth_of_discards(rules, view, turns)
    if best is not None and best.worth >= max(worth.values()):
        return _laying(view, best)
    return _discard(rules, view, worth, chances)


def _source(rules: Rules, view: SeatView, legal: Sequence[Move]) -> Okey101Hint:
    """To take the discard if that is worth as much as to draw."""
    worth, _ = worth_of_sources(rules, view)
    opened = view.public.board.opened[view.seat] is not None
    if worth and worth[Take()] >= worth[Draw()]:
        turn = rest_of_turn(rules, view, Take())
        return Okey101Hint(Take(), "finishes" if _finishes(turn) else "lays" if opened else "opens")
    if worth or Take() not in legal:
        return Okey101Hint(Draw())
    if opened:
        vain = Return() in rest_of_turn(rules, view, Take()).moves
        return Okey101Hint(Draw(), "useless" if vain else "")
    if opens(rules, view, view.rack):
        return Okey101Hint(Draw())
    points = opening_points(rules.meld_rules(view.public.okey), view.rack)
    return Okey101Hint(Draw(), "too_low", points, points_needed(rules, view.public.board))


def _use_taken(rules: Rules, view: SeatView, move: Move) -> Okey101Hint:
    """To lay the taken discard, or to give it back."""
    return (
        Okey101Hint(move, "useless") if move == Return() else _laying(view, rest_of_turn(rules, view, move))
    )


def _laying(view: SeatView, turn: Turn) -> Okey101Hint:
    """To open or to lay something."""
    first = turn.moves[0]
    if _finishes(turn):
        return Okey101Hint(first, "finishes")
    if isinstance(first, Open | OpenPairs):
        return Okey101Hint(first, "unopened_pays")
    return Okey101Hint(first, "counts" if view.public.stock_left else "last_turn")


def _finishes(turn: Turn) -> bool:
    return isinstance(turn.moves[-1], Finish)


def _discard(
    rules: Rules, view: SeatView, worth: Mapping[Tile, float], chances: Mapping[Tile, OpeningChances]
) -> Okey101Hint:
    """To discard the tile that costs least."""
    most = max(worth.values())
    tile = find_spare(rules, view, [each for each in worth if worth[each] == most])
    if not view.public.stock_left:
        return Okey101Hint(Discard(tile), "last_turn")
    if chances:
        return _with_chance(tile, worth, {each: chances[each].either for each in chances})
    board, okey = view.public.board, view.public.okey
    tempting = "playable_discard" in rules.penalties and board.melds
    fits = fine_for_discard(rules, board, okey, tile)
    return Okey101Hint(Discard(tile), "no_penalty" if tempting and not fits else "least_needed")


def _with_chance(tile: Tile, worth: Mapping[Tile, float], chances: Mapping[Tile, float]) -> Okey101Hint:
    """To discard a tile, with the chance to open that it leaves, and the next best for comparison."""
    chance = chances[tile]
    if not chance:
        return Okey101Hint(Discard(tile), "least_needed")
    lesser = [each for each in worth if worth[each] < worth[tile] and chances[each] <= chance - _CLEAR]
    rather = max(lesser, key=worth.__getitem__, default=None)
    hint = Okey101Hint(Discard(tile), "chance", chance=chance)
    return hint if rather is None else replace(hint, rather=rather, rather_chance=chances[rather])
