"""Points as tables (RULES 4): what a round does to every seat's score."""

from math import prod
from typing import Final

from engine.rules import Rules
from engine.state import Ending, Round

_WIN: Final = {"countdown": (0, -2), "penalty": (0, 20), "rounds": (1, 0)}
"""What a win does to the winner and to each other player."""
_SHOWN: Final = {"countdown": -1, "penalty": 10, "rounds": 0}
_EXHAUSTED: Final = {"countdown": 0, "penalty": 10, "rounds": 0}
_DOUBLING: Final = 2


def same_side(rules: Rules, seat: int, other: int) -> bool:
    """Whether two seats are one player or partners: 0 and 2, 1 and 3."""
    return seat == other or (rules.teams and seat % 2 == other % 2)


def shown_at_once(rules: Rules) -> bool:
    """Whether a shown indicator is scored when it is shown; otherwise at the end of the round."""
    return rules.show == "declared" and rules.scoring == "countdown"


def show_changes(rules: Rules, seats: tuple[int, ...], shown_by: int) -> tuple[int, ...]:
    """What a shown indicator does to every seat."""
    return _for_others(rules, seats, shown_by, 0, _SHOWN[rules.scoring])


def round_changes(rules: Rules, round: Round, ending: Ending) -> tuple[int, ...]:
    """What the end of a classic round does to every seat, a shown indicator left out."""
    if ending.winner is None:
        return tuple(_EXHAUSTED[rules.scoring] if seat in round.seats else 0 for seat in range(rules.players))
    winner, other = _WIN[rules.scoring]
    times = doublings(rules, len(ending.how)) if rules.scoring != "rounds" else 1
    return _for_others(rules, round.seats, ending.winner, winner, other * times)


def doublings(rules: Rules, count: int) -> int:
    """The factor of so many doublings (`stack_doublings`)."""
    return prod([_DOUBLING] * (count if rules.stack_doublings else min(count, 1)))


def _for_others(rules: Rules, seats: tuple[int, ...], seat: int, own: int, other: int) -> tuple[int, ...]:
    """`own` for a seat's side, `other` for everybody else who plays."""
    return tuple(
        0 if each not in seats else own if same_side(rules, seat, each) else other
        for each in range(rules.players)
    )
