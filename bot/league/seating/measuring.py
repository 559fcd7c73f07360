"""How good a night's seating is, in figures."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.league.seating.past import Pair, Past, past_of
from bot.league.seating.seated import Seated


@dataclass(frozen=True, slots=True)
class Figures:
    """Of some rounds of a night. A repeat is a meeting of two who have met before."""

    repeats: int
    unavoidable: int
    """So many of them no seating avoids: there are more meetings than pairs of people. It may be more."""
    at_once: int
    """Repeats in two rounds that follow each other."""
    partners_again: int
    """Two who are partners after they have been."""
    seat_spread: int
    """How many times more often than in another seat somebody sat in one; the worst of all people, and of the
    seats that all of his tables had."""


def figures(earlier: Sequence[Seated], fixed: Collection[Pair] = ()) -> Figures:
    """Measure rounds in which everybody plays who plays at all; `fixed` partners do not count as meeting."""
    past = past_of(earlier)
    met = {pair: times for pair, times in past.met.items() if pair not in fixed}
    people = len(past.played)
    meetings = [past_of([seated]).last - frozenset(fixed) for seated in earlier]
    return Figures(
        repeats=sum(met.values()) - len(met),
        unavoidable=max(0, sum(met.values()) - (people * (people - 1) // 2 - len(fixed))),
        at_once=sum(len(before & after) for before, after in pairwise(meetings)),
        partners_again=sum(past.partnered.values()) - len(past.partnered),
        seat_spread=max(_spread(past, earlier, member) for member in past.played),
    )


def _spread(past: Past, earlier: Sequence[Seated], member: str) -> int:
    seats = min(len(table) for seated in earlier for table in seated.tables if member in table)
    times = [past.sat[member, seat] for seat in range(seats)]
    return max(times) - min(times)
