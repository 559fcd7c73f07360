"""Scoring: what a round does to every seat's score, when a match ends, who won it, and who gets the pot.

RULES 4 and 5. Every end rule looks at whole rounds: a score that falls to 0 in the middle of a round (a
shown indicator) ends nothing before the round is over.
"""

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


_POT_LIMIT: Final = {1: 40, 3: 80}
"""Penalty points below which a seat that did not win has a share of the pot, by number of rounds."""


def players_left(rules: Rules, seats: tuple[int, ...], scores: tuple[int, ...]) -> tuple[int, ...]:
    """Who of `seats` plays the next round."""
    if rules.end != "elimination":
        return seats
    return tuple(seat for seat in seats if scores[seat] > 0)


def winners_of(
    rules: Rules, left: tuple[int, ...], scores: tuple[int, ...], rounds_scored: int
) -> tuple[int, ...]:
    """Who has won now that a round is over and `left` would play on; empty when the match goes on."""
    if rules.end == "rounds":
        return _best(rules, scores, 1) if rounds_scored >= rules.rounds else ()
    if rules.end == "elimination":
        if any(not same_side(rules, left[0], seat) for seat in left):
            return ()
        return left or _best(rules, scores, 1)
    if min(scores) > 0:
        return ()
    return _best(rules, scores, 2 if rules.players == 4 and not rules.teams else 1)


def fewest_win(rules: Rules) -> bool:
    """Whether scores are penalties: who has fewest of them is best."""
    return rules.game == "101" or rules.scoring == "penalty"


def _best(rules: Rules, scores: tuple[int, ...], places: int) -> tuple[int, ...]:
    """The seats in the best places, with all who are equal to the last of them."""
    worth = tuple(-score for score in scores) if fewest_win(rules) else scores
    last = sorted(worth, reverse=True)[places - 1]
    return tuple(seat for seat, each in enumerate(worth) if each >= last)


def payout(rules: Rules, scores: tuple[int, ...], winners: tuple[int, ...]) -> tuple[int, ...]:
    """The chips that each seat gets out of the pot of a finished match."""
    pot = rules.stake * rules.players
    below = [
        max(0, _POT_LIMIT[rules.rounds] - score) * (seat not in winners) for seat, score in enumerate(scores)
    ]
    chips = [pot // 4 * points // max(1, sum(below)) for points in below]
    each, odd = divmod(pot - sum(chips), len(winners))
    for seat in winners:
        chips[seat] = each + (odd if seat == winners[0] else 0)
    return tuple(chips)
