"""Scoring: the end of a match, its winners, and the shares of the pot (RULES 4 `end` and 5).

Every end rule looks at whole rounds: a score that falls to 0 during a round (by a shown indicator) ends
nothing before the round is over. The changes by a round belong to its game.
"""

from typing import Final

from engine.games import game_of
from engine.rules import Rules

_POT_LIMIT: Final = {1: 40, 3: 80}
"""Penalty points below which a seat that did not win has a share of the pot, by number of rounds."""


def players_left(rules: Rules, seats: tuple[int, ...], scores: tuple[int, ...]) -> tuple[int, ...]:
    """The seats of `seats` that play the next round."""
    if rules.end != "elimination":
        return seats
    return tuple(seat for seat in seats if scores[seat] > 0)


def winners_of(
    rules: Rules, seats: tuple[int, ...], scores: tuple[int, ...], rounds_scored: int
) -> tuple[int, ...]:
    """The winners after a round that `seats` played; empty when the match goes on."""
    if rules.end == "rounds":
        return _best(rules, seats, scores, 1) if rounds_scored >= rules.rounds else ()
    if rules.end == "elimination":
        left = players_left(rules, seats, scores)
        if any(not rules.same_side(left[0], seat) for seat in left):
            return ()
        return left or _best(rules, seats, scores, 1)
    if min(scores) > 0:
        return ()
    return _best(rules, seats, scores, 2 if rules.players == 4 and not rules.teams else 1)


def _best(rules: Rules, seats: tuple[int, ...], scores: tuple[int, ...], places: int) -> tuple[int, ...]:
    """Those of the seats in the best places, with all who are equal to the last of them."""
    sign = -1 if game_of(rules).fewest_win(rules) else 1
    worth = {seat: sign * scores[seat] for seat in seats}
    last = sorted(worth.values(), reverse=True)[places - 1]
    return tuple(seat for seat in seats if worth[seat] >= last)


def payout(rules: Rules, scores: tuple[int, ...], winners: tuple[int, ...]) -> tuple[int, ...]:
    """The chips that each seat gets from the pot of a finished match."""
    pot = rules.stake * rules.players
    below = [
        max(0, _POT_LIMIT[rules.rounds] - score) * (seat not in winners) for seat, score in enumerate(scores)
    ]
    chips = [pot // 4 * points // max(1, sum(below)) for points in below]
    each, odd = divmod(pot - sum(chips), len(winners))
    for seat in winners:
        chips[seat] = each + (odd if seat == winners[0] else 0)
    return tuple(chips)
