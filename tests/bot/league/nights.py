"""Nights that are seated round after round, and figures counted from their tables alone."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from bot.league.seating import Seated, seat_round

Pair = frozenset[str]


def people(count: int) -> list[str]:
    return [f"m{number}" for number in range(1, count + 1)]


def seated(members: Sequence[str], earlier: Sequence[Seated] = (), **how: Any) -> Seated:
    """A round; by default from a plan, with tables of three."""
    return seat_round(members, earlier, **{"mode": "rotation", "fill": "three", "seed": b"night", **how})


def night(members: Sequence[str], rounds: int, **how: Any) -> list[Seated]:
    """The rounds of a night in which nobody comes late or leaves."""
    played: list[Seated] = []
    for _ in range(rounds):
        played.append(seated(members, played, **how))
    return played


def meetings(tables: Iterable[Sequence[str]]) -> Counter[Pair]:
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def partners(tables: Iterable[Sequence[str]]) -> Counter[Pair]:
    """The pairs of people who sat opposite each other, at tables with both."""
    return Counter(
        frozenset((table[seat], table[seat + 2]))
        for table in tables
        for seat in (0, 1)
        if len(table) > seat + 2
    )


def all_tables(rounds: Iterable[Seated]) -> list[tuple[str, ...]]:
    return [table for each in rounds for table in each.tables]


def repeats(rounds: Iterable[Seated]) -> int:
    """The number of meetings of two people who have met before."""
    return sum(times - 1 for times in meetings(all_tables(rounds)).values())
