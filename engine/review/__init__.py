"""Review: a seat's decisions in a finished round, each beside the best one.

A decision is judged by what its seat could see. The luck of the deal and of the draws is reported separately,
since all racks are known after the round.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Final, NamedTuple

from engine.events import Discarded, Drew, Returned, Took
from engine.games import CLASSIC, OKEY101, Game, game_of
from engine.match import Match
from engine.moves import Draw, Finish, Open, OpenPairs
from engine.replay import Position
from engine.review import classic, okey101
from engine.review.decision import EQUAL, Decision
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Review:
    """A seat's play of a round. Luck is in tiles in classic Okey, and in Okey 101 in points to open with."""

    decisions: tuple[Decision, ...]
    """In the order of play; moves without a choice are left out."""
    luck_of_deal: float
    """How much better its rack was than the others' on average."""
    luck_of_draws: float
    """How much more its draws brought than expected."""
    missed: Decision | None
    """The first time that it could have won and did not; None: there was none."""
    unopened: Decision | None
    """Okey 101: the first time that it could have opened and would better have; None: there was none."""
    fed: Decision | None
    """The discard with which the winner finished, if it was this seat's; None otherwise."""

    @property
    def accuracy(self) -> float:
        """The mean share of the best that its decisions kept, from 0 to 1."""
        return fmean(each.kept for each in self.decisions) if self.decisions else 1.0

    @property
    def costliest(self) -> Decision | None:
        """The decision with the greatest loss; None when there was none."""
        slips = [each for each in self.decisions if each.cost > EQUAL]
        return max(slips, key=lambda each: each.cost, default=None)

    @property
    def best_find(self) -> Decision | None:
        """The best decision whose alternatives would have cost most; None when nothing would."""
        finds = [each for each in self.decisions if each.cost <= EQUAL and each.edge > EQUAL]
        return max(finds, key=lambda each: each.edge, default=None)


class _Measures(NamedTuple):
    """The way in which one game is judged."""

    decisions: Callable[[Rules, Sequence[Position], int], Iterator[Decision]]
    luck_of_deal: Callable[[Rules, Match, int], float]
    luck_of_draw: Callable[[Rules, Match, Match], float]


_MEASURES: Final[Mapping[Game, _Measures]] = {
    CLASSIC: _Measures(classic.decisions, classic.luck_of_deal, classic.luck_of_draw),
    OKEY101: _Measures(okey101.decisions, okey101.luck_of_deal, okey101.luck_of_draw),
}


def review(played: Sequence[Position], seat: int, others: Collection[int] = ()) -> Review:
    """Judge a seat by a round's positions, from the deal to the end, as `engine.replay.positions` yields
    them. `others` are steps that somebody else made in its place: no decisions of its player."""
    rules = played[0].match.rules
    measures = _MEASURES[game_of(rules)]
    made = measures.decisions(rules, played, seat)
    decisions = tuple(each for each in made if each.step not in others)
    draws = (
        measures.luck_of_draw(rules, before.match, after.match) for before, after in _draws(played, seat)
    )
    slips = [each for each in decisions if each.best != each.made]
    return Review(
        decisions=decisions,
        luck_of_deal=measures.luck_of_deal(rules, played[0].match, seat),
        luck_of_draws=sum(draws),
        missed=next((each for each in slips if isinstance(each.best, Finish)), None),
        unopened=next((each for each in slips if isinstance(each.best, Open | OpenPairs)), None),
        fed=_find_fed(played, seat, decisions),
    )


def _draws(played: Sequence[Position], seat: int) -> Iterator[tuple[Position, Position]]:
    """Yield the positions before and after each draw of the seat."""
    for before, after in pairwise(played):
        if after.by is not None and after.by[0] == seat and isinstance(after.by[1], Draw):
            yield before, after


def _find_fed(played: Sequence[Position], seat: int, decisions: Sequence[Decision]) -> Decision | None:
    """Return the discard of this seat that the winner took in the winning turn; None: there is none."""
    last = played[-1].by
    if last is None or not isinstance(last[1], Finish):
        return None
    pile: list[int] = []  # the steps at which this seat's discards that still lie there were made
    taken: int | None = None
    for step, position in enumerate(played):
        for event in position.events:
            match event:
                case Discarded(giver):
                    taken = None
                    pile += [step] * (giver == seat)
                case Took(_, source):
                    taken = pile.pop() if pile and source == seat else None
                case Returned() if taken is not None:
                    pile.append(taken)
                case Drew():
                    taken = None
    return next((each for each in decisions if each.step == taken), None)
