"""Decision: a choice that a seat had, beside the best one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.moves import Move
from engine.players.outlook import OpeningChances, Outlook

EQUAL: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a seat that had a choice.

    Classic Okey counts in draws, Okey 101 in penalties of 101 points.
    """

    step: int
    """Its number in the round: the moves so far including it; the deal does not count."""
    made: Move
    best: Move
    cost: float
    """Its loss against the best; 0 for the best."""
    edge: float
    """The lead of the best over the next best; 0 when all are worth the same."""
    outlook: Outlook | OpeningChances | None = None
    """The prospects after the move that was made, where the decision depends on them."""
    best_outlook: Outlook | OpeningChances | None = None

    @property
    def kept(self) -> float:
        """The share of the best that it kept, from 0 to 1."""
        return 1.0 - min(self.cost, 1.0)


def judge(
    step: int,
    made: Move,
    worth: Mapping[Move, float],
    outlooks: Mapping[Move, Outlook] | Mapping[Move, OpeningChances],
) -> Decision:
    """Return the decision for a move, given what each possible one was worth."""
    best = made if worth[made] >= max(worth.values()) - EQUAL else max(worth, key=worth.__getitem__)
    lesser = [each for each in worth.values() if each < worth[best] - EQUAL]
    return Decision(
        step=step,
        made=made,
        best=best,
        cost=worth[best] - worth[made],
        edge=worth[best] - max(lesser, default=worth[best]),
        outlook=outlooks.get(made),
        best_outlook=outlooks.get(best),
    )
