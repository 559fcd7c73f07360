"""Seating by search: begin somewhere, and swap people between tables while that makes it better."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

Table: TypeAlias = list[int]
"""The numbers of the units at a table."""

Cost: TypeAlias = Callable[[int, Table], int]
"""What is wrong with a table: its number and who sits there; 0: nothing."""

PASSES: Final = 50
"""A pass without a better swap ends the search sooner, in all that was ever seen."""


def improved(tables: Sequence[Table], cost: Cost, reach: int) -> tuple[int, list[Table]]:
    """The cost of the tables after swaps, and the tables: no single swap makes them any better.

    People change places with those of at most `reach` tables on either side.
    """
    now = [list(table) for table in tables]
    costs = [cost(number, table) for number, table in enumerate(now)]
    for _ in range(PASSES):
        better = [
            _swap(now, costs, cost, reach, number, seat)
            for number, table in enumerate(now)
            for seat in range(len(table))
            if costs[number]
        ]
        if not any(better):
            break
    return sum(costs), now


def _swap(tables: list[Table], costs: list[int], cost: Cost, reach: int, here: int, seat: int) -> bool:
    """Swap who sits there with the first one, from the nearest table on, with whom that is better."""
    for there in _nearest(here, len(tables), reach):
        for other in range(len(tables[there])):
            _exchange(tables, here, seat, there, other)
            mine, theirs = cost(here, tables[here]), cost(there, tables[there])
            if mine + theirs < costs[here] + costs[there]:
                costs[here], costs[there] = mine, theirs
                return True
            _exchange(tables, here, seat, there, other)
    return False


def _exchange(tables: list[Table], here: int, seat: int, there: int, other: int) -> None:
    tables[here][seat], tables[there][other] = tables[there][other], tables[here][seat]


def _nearest(here: int, count: int, reach: int) -> Iterator[int]:
    for distance in range(1, min(count, reach + 1)):
        if here - distance >= 0:
            yield here - distance
        if here + distance < count:
            yield here + distance
