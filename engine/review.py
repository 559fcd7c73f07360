"""Review: a seat's decisions in a finished round of classic Okey, each beside the best one.

A decision is judged by what its seat could see. Its worth is counted in draws: how much nearer it brings the
rack to winning, and the chance that the next draw brings it nearer still. The luck of the deal and of the
draws is reported separately, since all racks are known after the round.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Final

from engine.arrange import distance, distances_without, without
from engine.games import game_of
from engine.match import Match
from engine.moves import Discard, Draw, Finish, Move, Take
from engine.players.outlook import Outlook, discards_of, outlook_of, unseen_by
from engine.replay import Position
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView, seat_view

_EQUAL: Final = 1e-9
_NO_OUTLOOKS: Final[Mapping[Move, Outlook]] = {}


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a seat that had a choice."""

    step: int
    """Its number in the round: the moves so far including it; the deal does not count."""
    made: Move
    best: Move
    cost: float
    """Its loss against the best, in draws; 0 for the best."""
    edge: float
    """The lead of the best over the next best, in draws; 0 when all are worth the same."""
    outlook: Outlook | None = None
    """The outlook after the discard that was made; None for drawing, taking or finishing."""
    best_outlook: Outlook | None = None

    @property
    def kept(self) -> float:
        """The share of the best that it kept, from 0 to 1."""
        return 1.0 - min(self.cost, 1.0)


@dataclass(frozen=True, slots=True)
class Review:
    """A seat's play of a round."""

    decisions: tuple[Decision, ...]
    """In the order of play; moves without a choice are left out."""
    luck_of_deal: float
    """How many tiles nearer to winning its rack was than the others' on average."""
    luck_of_draws: float
    """The number of its draws that helped, minus the expected number."""
    missed: Decision | None
    """The first time that it could have won and did not; None: there was none."""
    fed: Decision | None
    """The discard with which the winner finished, if it was this seat's; None otherwise."""

    @property
    def accuracy(self) -> float:
        """The mean share of the best that its decisions kept, from 0 to 1."""
        return fmean(each.kept for each in self.decisions) if self.decisions else 1.0

    @property
    def costliest(self) -> Decision | None:
        """The decision with the greatest loss; None when there was none."""
        slips = [each for each in self.decisions if each.cost > _EQUAL]
        return max(slips, key=lambda each: each.cost, default=None)

    @property
    def best_find(self) -> Decision | None:
        """The best decision whose alternatives would have cost most; None when nothing would."""
        finds = [each for each in self.decisions if each.cost <= _EQUAL and each.edge > _EQUAL]
        return max(finds, key=lambda each: each.edge, default=None)


def review(played: Sequence[Position], seat: int) -> Review:
    """Judge a seat by a round's positions, from the deal to the end, as `engine.replay.positions` yields
    them.

    Raises ValueError for another game than classic Okey.
    """
    rules = played[0].match.rules
    if rules.game != "classic":
        raise ValueError("only classic Okey is reviewed")
    decisions = tuple(_decisions(rules, played, seat))
    draws = (_luck_of(rules, before.match, after.match) for before, after in _turns(played, seat, Draw))
    missed = (each for each in decisions if isinstance(each.best, Finish) and each.best != each.made)
    return Review(
        decisions=decisions,
        luck_of_deal=_luck_of_deal(rules, played[0].match, seat),
        luck_of_draws=sum(draws),
        missed=next(missed, None),
        fed=_fed(played, seat, decisions),
    )


def _turns(played: Sequence[Position], seat: int, kind: type[Move]) -> Iterator[tuple[Position, Position]]:
    """The positions before and after each move of a kind that the seat made."""
    for before, after in pairwise(played):
        if after.by is not None and after.by[0] == seat and isinstance(after.by[1], kind):
            yield before, after


def _decisions(rules: Rules, played: Sequence[Position], seat: int) -> Iterator[Decision]:
    for step, (before, after) in enumerate(pairwise(played), 1):
        if after.by is None or after.by[0] != seat or before.match.round is None:
            continue
        legal = game_of(rules).legal_moves(rules, before.match.round, seat)
        view, made = seat_view(before.match, seat), after.by[1]
        if isinstance(made, Draw | Take):
            worth, outlooks = _worth_of_sources(rules, view, legal), _NO_OUTLOOKS
        elif isinstance(made, Discard | Finish):
            worth, outlooks = _worth_of_discards(rules, view, legal)
        else:
            continue
        if len(worth) > 1:
            yield _judged(step, made, worth, outlooks)


def _judged(step: int, made: Move, worth: Mapping[Move, float], outlooks: Mapping[Move, Outlook]) -> Decision:
    best = made if worth[made] >= max(worth.values()) - _EQUAL else max(worth, key=worth.__getitem__)
    lesser = [each for each in worth.values() if each < worth[best] - _EQUAL]
    return Decision(
        step=step,
        made=made,
        best=best,
        cost=worth[best] - worth[made],
        edge=worth[best] - max(lesser, default=worth[best]),
        outlook=outlooks.get(made),
        best_outlook=outlooks.get(best),
    )


def _hope(outlook: Outlook) -> float:
    """The chance that the next draw helps."""
    return outlook.live / outlook.unseen if outlook.unseen else 0.0


def _worth_of_discards(
    rules: Rules, view: SeatView, legal: Sequence[Move]
) -> tuple[dict[Move, float], Mapping[Move, Outlook]]:
    """The worth of each discard and finish; a finish is a whole draw better than a complete rack."""
    tiles = [move.tile for move in legal if isinstance(move, Discard)]
    outlooks: dict[Move, Outlook] = {
        Discard(tile): outlook for tile, outlook in discards_of(rules, view, tiles).items()
    }
    worth = {move: _hope(outlook) - outlook.distance for move, outlook in outlooks.items()}
    return worth | {move: 1.0 for move in legal if isinstance(move, Finish)}, outlooks


def _worth_of_sources(rules: Rules, view: SeatView, legal: Sequence[Move]) -> dict[Move, float]:
    """The worth of drawing and taking: of drawing the chance that it helps; of taking how much nearer the
    tile brings the rack, or how much better it makes the next draw."""
    now = _outlook_of_rack(rules, view, view.rack)
    worth: dict[Move, float] = {}
    for move in legal:
        if isinstance(move, Draw):
            worth[move] = _hope(now)
        elif isinstance(move, Take):
            after = _best_with(rules, view, _taken(view, move))
            better = max(0.0, _hope(after) - _hope(now)) if after.distance == now.distance else 0.0
            worth[move] = now.distance - after.distance + better
    return worth


def _taken(view: SeatView, move: Take) -> Tile:
    source = view.public.sources[-1] if move.source is None else move.source
    tile = view.public.discard_tops[source]
    assert tile is not None
    return tile


def _outlook_of_rack(rules: Rules, view: SeatView, rack: Sequence[Tile]) -> Outlook:
    meld_rules = rules.meld_rules(view.public.okey)
    return outlook_of(meld_rules, rack, distance(meld_rules, rack), unseen_by(view))


def _best_with(rules: Rules, view: SeatView, tile: Tile) -> Outlook:
    """The best outlook of fourteen tiles after this one is taken and another discarded."""
    meld_rules, unseen = rules.meld_rules(view.public.okey), unseen_by(view)
    more = (*view.rack, tile)
    after = distances_without(meld_rules, more)
    least = min(after.values())
    others = (each for each in after if after[each] == least and each != tile)
    kept = [outlook_of(meld_rules, without(more, other), least, unseen) for other in others]
    return max(kept, key=_hope) if kept else _outlook_of_rack(rules, view, view.rack)


def _nearest(rules: Rules, match: Match, seat: int) -> int:
    """The distance of a seat's fourteen or fifteen tiles from winning."""
    assert match.round is not None
    meld_rules, rack = rules.meld_rules(match.round.okey), match.round.racks[seat]
    fourteen = len(rack) == game_of(rules).rack_size
    return distance(meld_rules, rack) if fourteen else min(distances_without(meld_rules, rack).values())


def _luck_of(rules: Rules, before: Match, after: Match) -> float:
    """1 if a draw helped, else 0, minus the chance that it would."""
    assert before.round is not None
    seat = before.round.turn
    view = seat_view(before, seat)
    helped = _nearest(rules, after, seat) < _nearest(rules, before, seat)
    return helped - _hope(_outlook_of_rack(rules, view, view.rack))


def _luck_of_deal(rules: Rules, dealt: Match, seat: int) -> float:
    others = [_nearest(rules, dealt, other) for other in dealt.seats if other != seat]
    return fmean(others) - _nearest(rules, dealt, seat)


def _fed(played: Sequence[Position], seat: int, decisions: Sequence[Decision]) -> Decision | None:
    """The discard of this seat that the winner took to begin the winning turn; None: there is none."""
    if len(played) < 3 or not all(each.by for each in played[-3:]):
        return None
    (giver, given), (taker, took), (winner, last) = (each.by for each in played[-3:] if each.by)
    fed = isinstance(last, Finish) and isinstance(took, Take) and isinstance(given, Discard)
    if not fed or giver != seat or taker != winner:
        return None
    return next((each for each in reversed(decisions) if each.made == given), None)
