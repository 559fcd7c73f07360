"""Review of classic Okey: choices of a source and discards, counted in draws.

A decision is worth how much nearer it brings the rack to winning, and the chance that the next draw brings it
nearer still.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Final

from engine.arrange import distance, distances_without, without
from engine.games import game_of
from engine.match import Match
from engine.moves import Discard, Draw, Finish, Move, Take
from engine.players.outlook import Outlook, discards_of, drawable_by, outlook_of, unseen_by
from engine.players.sharp import worth_waiting
from engine.replay import Position
from engine.review.decision import Decision, judge
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView, find_taken, seat_view

_NO_OUTLOOKS: Final[Mapping[Move, Outlook]] = {}


def decisions(rules: Rules, played: Sequence[Position], seat: int) -> Iterator[Decision]:
    """Yield each choice of a source and of a discard."""
    for step, (before, after) in enumerate(pairwise(played), 1):
        if after.by is None or after.by[0] != seat or before.match.round is None:
            continue
        legal = game_of(rules).legal_moves(rules, before.match.round, seat)
        view, made = seat_view(before.match, seat), after.by[1]
        if isinstance(made, Draw | Take):
            worth, outlooks = worth_of_sources(rules, view, legal), _NO_OUTLOOKS
        elif isinstance(made, Discard | Finish):
            worth, outlooks = _worth_of_discards(rules, view, legal)
        else:
            continue
        if len(worth) > 1:
            yield judge(step, made, worth, outlooks)


def _hope(outlook: Outlook) -> float:
    """Return the chance that the next draw helps."""
    return outlook.live / outlook.unseen if outlook.unseen else 0.0


def _worth_of_discards(
    rules: Rules, view: SeatView, legal: Sequence[Move]
) -> tuple[dict[Move, float], Mapping[Move, Outlook]]:
    """Return the worth of each discard and finish; a finish is a whole draw better than a complete rack,
    unless it pays to wait for one with an okey."""
    tiles = [move.tile for move in legal if isinstance(move, Discard)]
    outlooks: dict[Move, Outlook] = {
        Discard(tile): outlook for tile, outlook in discards_of(rules, view, tiles).items()
    }
    worth = {move: _hope(outlook) - outlook.distance for move, outlook in outlooks.items()}
    finishes: list[Move] = [move for move in legal if isinstance(move, Finish)]
    waits = map(Discard, worth_waiting(rules, view, legal))
    return dict.fromkeys(finishes, 1.0) | worth | dict.fromkeys(waits, 1.0), outlooks


def worth_of_sources(rules: Rules, view: SeatView, legal: Sequence[Move]) -> dict[Move, float]:
    """Return the worth of drawing and taking: of drawing the chance that it helps; of taking how much nearer
    the tile brings the rack, or how much better it makes the next draw."""
    now = outlook_now(rules, view)
    worth: dict[Move, float] = {}
    for move in legal:
        if isinstance(move, Draw):
            worth[move] = _hope(now)
        elif isinstance(move, Take):
            after = best_with(rules, view, find_taken(view.public, move))
            better = max(0.0, _hope(after) - _hope(now)) if after.distance == now.distance else 0.0
            worth[move] = now.distance - after.distance + better
    return worth


def outlook_now(rules: Rules, view: SeatView) -> Outlook:
    """Return the outlook of a seat's fourteen tiles as they are, for a draw now."""
    meld_rules = rules.meld_rules(view.public.okey)
    return outlook_of(meld_rules, view.rack, distance(meld_rules, view.rack), drawable_by(view))


def best_with(rules: Rules, view: SeatView, tile: Tile) -> Outlook:
    """Return the best outlook of fourteen tiles after this one is taken and another discarded."""
    meld_rules, unseen = rules.meld_rules(view.public.okey), unseen_by(view)
    more = (*view.rack, tile)
    after = distances_without(meld_rules, more)
    least = min(after.values())
    others = (each for each in after if after[each] == least and each != tile)
    kept = [outlook_of(meld_rules, without(more, other), least, unseen) for other in others]
    return max(kept, key=_hope) if kept else outlook_now(rules, view)


def _nearest(rules: Rules, match: Match, seat: int) -> int:
    """Return the distance of a seat's fourteen or fifteen tiles from winning."""
    assert match.round is not None
    meld_rules, rack = rules.meld_rules(match.round.okey), match.round.racks[seat]
    fourteen = len(rack) == game_of(rules).rack_size
    return distance(meld_rules, rack) if fourteen else min(distances_without(meld_rules, rack).values())


def luck_of_draw(rules: Rules, before: Match, after: Match) -> float:
    """1 if a draw helped, else 0, minus the chance that it would."""
    assert before.round is not None
    seat = before.round.turn
    view = seat_view(before, seat)
    helped = _nearest(rules, after, seat) < _nearest(rules, before, seat)
    return helped - _hope(outlook_now(rules, view))


def luck_of_deal(rules: Rules, dealt: Match, seat: int) -> float:
    """Return the number of tiles by which a rack was nearer to winning than the others' on average."""
    others = [_nearest(rules, dealt, other) for other in dealt.seats if other != seat]
    return fmean(others) - _nearest(rules, dealt, seat)
