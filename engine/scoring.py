"""Scoring: the end of a match, its winners, and the shares of the pot (RULES 4 `end`, 5 and 9).

Every end rule looks at whole rounds: a score that falls to 0 during a round (by a shown indicator) ends
nothing before the round is over. The changes by a round belong to its game.
"""

from typing import Final

from engine.games import game_of
from engine.rules import Rules

_POT_LIMIT: Final = {1: 40, 3: 80}
"""Penalty points below which a seat that did not win has a share of the pot, by number of rounds."""
_MOST_MORE: Final = 5
"""The most rounds by which a close match is extended (`extend_within`)."""


def players_left(rules: Rules, seats: tuple[int, ...], scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats of `seats` that play the next round."""
    if rules.end != "elimination":
        return seats
    return tuple(seat for seat in seats if scores[seat] > 0)


def winners_of(
    rules: Rules, seats: tuple[int, ...], scores: tuple[int, ...], rounds_scored: int
) -> tuple[int, ...]:
    """Return the winners after a round that `seats` played; empty when the match goes on."""
    if rules.end == "rounds":
        over = rounds_scored >= rules.rounds and not _is_extended(rules, scores, rounds_scored)
        return _best(rules, seats, scores, 1) if over else ()
    if rules.end == "elimination":
        left = players_left(rules, seats, scores)
        if any(not rules.same_side(left[0], seat) for seat in left):
            return ()
        return left or _best(rules, seats, scores, 1)
    if min(scores) > 0:
        return ()
    return _best_two(rules, seats, scores) if rules.players == 4 else _best(rules, seats, scores, 1)


def may_be_last(rules: Rules, rounds_scored: int) -> bool:
    """Return whether the round after so many may be the last of a match of a fixed number of rounds.

    That number's last one may be, and every one by which a close match is extended.
    """
    return rules.end == "rounds" and rounds_scored + 1 >= rules.rounds


def _is_extended(rules: Rules, scores: tuple[int, ...], rounds_scored: int) -> bool:
    """Return whether the two best sides are so close that one more round is played (`extend_within`)."""
    if not rules.extend_within or rounds_scored >= rules.rounds + _MOST_MORE:
        return False
    totals = sorted(scores[:2] if rules.teams else scores, reverse=not game_of(rules).fewest_win(rules))
    return abs(totals[0] - totals[1]) <= rules.extend_within


def _best_two(rules: Rules, seats: tuple[int, ...], scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the two best of four, with all who are equal to the second; with teams, the better side.

    A second place that would leave nobody to lose is not shared: the best wins alone (RULES 4).
    """
    best = _best(rules, seats, scores, 1)
    if rules.teams:
        return best
    two = _best(rules, seats, scores, 2)
    return best if len(two) == rules.players else two


def _best(rules: Rules, seats: tuple[int, ...], scores: tuple[int, ...], places: int) -> tuple[int, ...]:
    """Return those of the seats in the best places, with all who are equal to the last of them."""
    sign = -1 if game_of(rules).fewest_win(rules) else 1
    worth = {seat: sign * scores[seat] for seat in seats}
    last = sorted(worth.values(), reverse=True)[places - 1]
    return tuple(seat for seat in seats if worth[seat] >= last)


def rank_seats(rules: Rules, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return each seat's place by these scores, from 1. Equals share the better place, and so do partners."""
    sign = -1 if game_of(rules).fewest_win(rules) else 1
    sides = [sign * score for score in (scores[:2] if rules.teams else scores)]
    return tuple(1 + sum(other > sign * score for other in sides) for score in scores)


def payout(rules: Rules, scores: tuple[int, ...], winners: tuple[int, ...]) -> tuple[int, ...]:
    """Return the chips that each seat gets from the pot of a finished match."""
    pot = rules.stake * rules.players
    below = [
        max(0, _POT_LIMIT[rules.rounds] - score) * (seat not in winners) for seat, score in enumerate(scores)
    ]
    chips = [pot // 4 * points // max(1, sum(below)) for points in below]
    each, odd = divmod(pot - sum(chips), len(winners))
    for seat in winners:
        chips[seat] = each + (odd if seat == winners[0] else 0)
    return tuple(chips)


def paid(rules: Rules, chips: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    """Return the balances of chips after a seat's side got so many more; empty ones stay so."""
    return tuple(balance + more * rules.same_side(seat, each) for each, balance in enumerate(chips))


def breaks_bowl(how: tuple[str, ...]) -> bool:
    """Return whether a win of this kind takes all chips of the bowl: by an okey discard or with pairs."""
    return bool({"joker", "pairs"} & set(how))


def final_chips(rules: Rules, chips: tuple[int, ...], bowl: int, winners: tuple[int, ...]) -> tuple[int, ...]:
    """Return the balances of chips after the bowl is divided among the winners of a match.

    A side of partners is one winner, and the first in seat order gets the remainder (RULES 9).
    """
    sides = [seat for seat in winners if not any(rules.same_side(seat, other) for other in range(seat))]
    for seat in sides:
        each, odd = divmod(bowl, len(sides))
        chips = paid(rules, chips, seat, each + (odd if seat == sides[0] else 0))
    return chips
