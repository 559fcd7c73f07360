"""Encounters: meetings, seats and byes of the members in a night's rounds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

from bot.league.model import Seating

Party: TypeAlias = tuple[str, ...]
"""Members who are seated as one: a single member, or two who are partners for the whole night."""

Parties: TypeAlias = tuple[Party, ...]
"""The parties at a table."""

Pair: TypeAlias = tuple[str, str]
"""Two members, the smaller id first."""


@dataclass(frozen=True, slots=True)
class Seated:
    """The seating of one round."""

    tables: tuple[tuple[str, ...], ...]
    """Members by table, in seat order: seat 0 begins, and as partners 0 and 2 play against 1 and 3. Where
    computer players fill the tables, they have the seats after the members. In a round that was played, a
    seat is empty (the empty text) if a computer player has it or its member was moved away."""
    byes: tuple[str, ...] = ()
    """Members who sit out, because nobody is left to play with."""


@dataclass(slots=True)
class Encounters:
    """Counts over the rounds so far; a missing key means never."""

    rounds: int = 0
    met: Counter[Pair] = field(default_factory=Counter)
    """How often two members sat at the same table."""
    last: frozenset[Pair] = frozenset()
    """The pairs that met in the previous round."""
    partnered: Counter[Pair] = field(default_factory=Counter)
    """How often two members sat opposite each other, in seats 0 and 2 or 1 and 3."""
    sat: Counter[tuple[str, int]] = field(default_factory=Counter)
    """How often a member sat in a seat."""
    played: Counter[str] = field(default_factory=Counter)
    """How many rounds a member sat at a table."""
    byes: Counter[str] = field(default_factory=Counter)
    """How often a member was given a bye."""

    def count_missed(self, member: str) -> int:
        """Rounds for which a member was absent."""
        return self.rounds - self.played[member] - self.byes[member]


def encounters_in(earlier: Sequence[Seated]) -> Encounters:
    """Count the rounds of a night, given in order."""
    past = Encounters()
    for seated in earlier:
        meetings = [pair for table in seated.tables for pair in combinations(sorted(filter(None, table)), 2)]
        past.rounds += 1
        past.met.update(meetings)
        past.last = frozenset(meetings)
        for table in seated.tables:
            past.partnered.update(partners_at(table))
            past.sat.update((member, seat) for seat, member in enumerate(table) if member)
            past.played.update(filter(None, table))
        past.byes.update(seated.byes)
    return past


def partners_at(table: tuple[str, ...]) -> list[Pair]:
    """Return the pairs that sit opposite each other."""
    opposite = [table[seat::2] for seat in (0, 1)]
    return [(min(two), max(two)) for two in opposite if len(two) == 2 and all(two)]


def parties_at(table: tuple[str, ...], mode: Seating) -> Parties:
    """Return the parties of a table in a seating mode."""
    if mode != "pairs":
        return tuple((member,) for member in table if member)
    opposite = (tuple(sorted(filter(None, table[seat::2]))) for seat in (0, 1))
    return tuple(filter(None, opposite))
