"""What a night's earlier rounds have left behind: who met whom, sat where, and sat out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from bot.league.seating.seated import Seated

Pair = tuple[str, str]
"""Two members, the smaller id first."""


@dataclass(slots=True)
class Past:
    """Counts over the rounds so far; everything that is not in them counts as never."""

    rounds: int = 0
    met: Counter[Pair] = field(default_factory=Counter)
    """How often two sat at the same table."""
    last: frozenset[Pair] = frozenset()
    """Who did so in the round before this one."""
    partnered: Counter[Pair] = field(default_factory=Counter)
    """How often two sat opposite each other, in seats 0 and 2 or 1 and 3."""
    sat: Counter[tuple[str, int]] = field(default_factory=Counter)
    """How often somebody sat in a seat."""
    played: Counter[str] = field(default_factory=Counter)
    """How many rounds somebody sat at a table."""
    byes: Counter[str] = field(default_factory=Counter)
    """How often somebody was given a bye."""

    def missed(self, member: str) -> int:
        """Rounds that a member was not there for."""
        return self.rounds - self.played[member] - self.byes[member]


def past_of(earlier: Sequence[Seated]) -> Past:
    """Count the rounds of a night, the first one first."""
    past = Past()
    for seated in earlier:
        meetings = [pair for table in seated.tables for pair in combinations(sorted(table), 2)]
        past.rounds += 1
        past.met.update(meetings)
        past.last = frozenset(meetings)
        for table in seated.tables:
            past.partnered.update(partners_at(table))
            past.sat.update((member, seat) for seat, member in enumerate(table))
            past.played.update(table)
        past.byes.update(seated.byes)
    return past


def partners_at(table: tuple[str, ...]) -> list[Pair]:
    """Those who sit opposite each other."""
    opposite = [table[seat::2] for seat in (0, 1)]
    return [(min(two), max(two)) for two in opposite if len(two) == 2]
