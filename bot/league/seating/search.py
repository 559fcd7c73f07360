"""Local search: start from a seating, and swap people between tables while that improves a round."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final

from bot.league.seating.cost import Cost
from bot.league.seating.encounters import Parties, Party

PASSES: Final = 50
"""The most passes of a search. In every observed case a pass without an improvement ended it sooner."""


def shuffled(parties: Iterable[Party], seed: bytes, *purpose: int) -> list[Party]:
    """Parties in an order drawn from a night's seed and a purpose: nobody chose it, anybody can repeat it."""
    key = blake2b(repr((seed, purpose)).encode()).digest()
    return sorted(parties, key=lambda party: blake2b(" ".join(party).encode(), key=key).digest())


def total_cost(tables: Iterable[Parties], cost: Cost, parties: Sequence[Party]) -> int:
    """The cost of a round; `parties` in the order in which `cost` numbers them."""
    return sum(cost(number, table) for number, table in enumerate(_numbered(tables, parties)))


def improved(
    tables: Iterable[Parties], cost: Cost, parties: Sequence[Party], reach: int
) -> tuple[int, list[Parties]]:
    """The cost of a round after swaps, and its tables, which no single swap improves.

    People swap with those of at most `reach` tables on either side.
    """
    now = _numbered(tables, parties)
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
    return sum(costs), [tuple(parties[number] for number in table) for table in now]


def _swap(tables: list[list[int]], costs: list[int], cost: Cost, reach: int, here: int, seat: int) -> bool:
    """Swap a party with the first one, from the nearest table on, for which it pays; False: none."""
    mine = tables[here]
    for there in _nearest(here, len(tables), reach):
        theirs = tables[there]
        for other in range(len(theirs)):
            mine[seat], theirs[other] = theirs[other], mine[seat]
            after = cost(here, mine), cost(there, theirs)
            if sum(after) < costs[here] + costs[there]:
                costs[here], costs[there] = after
                return True
            mine[seat], theirs[other] = theirs[other], mine[seat]
    return False


def _nearest(here: int, count: int, reach: int) -> Iterator[int]:
    for distance in range(1, min(count, reach + 1)):
        if here - distance >= 0:
            yield here - distance
        if here + distance < count:
            yield here + distance


def _numbered(tables: Iterable[Parties], parties: Sequence[Party]) -> list[list[int]]:
    number = {party: number for number, party in enumerate(parties)}
    return [[number[party] for party in table] for table in tables]
