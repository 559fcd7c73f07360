"""Local search: swap people between tables while that makes a round's seating cost less.

The cost is one number for the faults of a table: repeated meetings, partners again, and with seating by
standings the distance from people's own tables. The order of seats at a table is then the one that costs
least.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import combinations, permutations
from typing import Final, TypeAlias

from bot.league.model import Seating
from bot.league.seating.encounters import Encounters, Parties, Party, partners_at

REPEAT: Final = 20
"""The cost of two members meeting again, for each time that they have met. With seating by standings it is a
little more than two people playing three tables away from their own, where each costs the square of the
distance."""
AT_ONCE: Final = 10
"""The factor of that cost when they met in the round before."""
PARTNERS_AGAIN: Final = 2000
"""The cost of two members being partners again: more than any cost of seats."""

Cost: TypeAlias = Callable[[int, list[int]], int]
"""The cost of a table from its number and its parties' numbers; 0: no faults."""

PASSES: Final = 50
"""The most passes of a search. In every observed case a pass without an improvement ended it sooner."""


def meeting_cost(parties: Sequence[Party], past: Encounters) -> Cost:
    """Return the cost of repeated meetings."""
    weights = _weights(
        parties,
        {pair: REPEAT * times * (AT_ONCE if pair in past.last else 1) for pair, times in past.met.items()},
    )

    def cost(number: int, table: list[int]) -> int:
        if len(table) == 4:  # nearly all have four, and a search calls this a hundred thousand times
            a, b, c, d = table
            of_a, of_b = weights[a], weights[b]
            return of_a[b] + of_a[c] + of_a[d] + of_b[c] + of_b[d] + weights[c][d]
        return sum([weights[one][other] for one, other in combinations(table, 2)])

    return cost


def partner_cost(parties: Sequence[Party], past: Encounters) -> Cost:
    """Return the cost of repeated meetings and of partners that are repeated in every order of seats."""
    meeting = meeting_cost(parties, past)
    again = _weights(parties, {pair: PARTNERS_AGAIN * times for pair, times in past.partnered.items()})

    def cost(number: int, table: list[int]) -> int:
        least = 0
        match table:
            case [a, b, c, d]:
                least = min(again[a][b] + again[c][d], again[a][c] + again[b][d], again[a][d] + again[b][c])
            case [a, b, c]:  # a computer player is the third's partner
                least = min(again[a][b], again[a][c], again[b][c])
        return meeting(number, table) + least

    return cost


def standing_cost(parties: Sequence[Party], past: Encounters, homes: Sequence[int]) -> Cost:
    """Return the cost of repeated meetings and of distances from the tables of people's ranks (`homes`, by
    party)."""
    meeting = meeting_cost(parties, past)

    def cost(number: int, table: list[int]) -> int:
        return meeting(number, table) + sum([(homes[party] - number) ** 2 for party in table])

    return cost


def in_seats(parties: Parties, past: Encounters, mode: Seating) -> tuple[str, ...]:
    """Members in the seats that they had least often; where partners change, above all with new partners.

    Among equals they stay in the given order, since plans consider the seats, too.
    """

    def cost(table: tuple[str, ...]) -> int:
        again = sum(past.partnered[pair] for pair in partners_at(table)) if mode == "partners" else 0
        return PARTNERS_AGAIN * again + seat_cost(table, past)

    return min(_orders(parties), key=cost)


def seat_cost(table: tuple[str, ...], past: Encounters) -> int:
    """Return the sum over a table of the squared number of times that each member sat in that seat: for two
    members, once each is better than twice for one."""
    return sum(past.sat[member, seat] ** 2 for seat, member in enumerate(table))


def least_seat_cost(parties: Iterable[Party], past: Encounters) -> int:
    """Return the `seat_cost` if everybody had the seat that they had least often: a lower bound for any
    seating."""
    return sum(min(past.sat[member, seat] ** 2 for seat in range(4)) for party in parties for member in party)


def _weights(parties: Sequence[Party], pairs: dict[tuple[str, str], int]) -> list[list[int]]:
    """Weights of pairs of members, summed for pairs of parties by their numbers."""
    number = {member: index for index, party in enumerate(parties) for member in party}
    weights = [[0] * len(parties) for _ in parties]
    for (one, other), weight in pairs.items():
        if one in number and other in number and number[one] != number[other]:
            weights[number[one]][number[other]] += weight
            weights[number[other]][number[one]] += weight
    return weights


def _orders(parties: Parties) -> Iterator[tuple[str, ...]]:
    if all(len(party) == 1 for party in parties):
        yield from permutations(party[0] for party in parties)
        return
    for first, second in permutations(parties):
        if len(first) == 2:  # a member without a partner leaves seat 3 to the computer player
            for a, c in permutations(first):
                for others in permutations(second):
                    yield (a, others[0], c, *others[1:])


def shuffle(parties: Iterable[Party], seed: bytes, *purpose: int) -> list[Party]:
    """Parties in an order drawn from a night's seed and a purpose: nobody chose it, anybody can repeat it."""
    key = blake2b(repr((seed, purpose)).encode()).digest()
    return sorted(parties, key=lambda party: blake2b(" ".join(party).encode(), key=key).digest())


def total_cost(tables: Iterable[Parties], cost: Cost, parties: Sequence[Party]) -> int:
    """Return the cost of a round; `parties` in the order in which `cost` numbers them."""
    return sum(cost(number, table) for number, table in enumerate(_number(tables, parties)))


def improve(
    tables: Iterable[Parties], cost: Cost, parties: Sequence[Party], reach: int
) -> tuple[int, list[Parties]]:
    """Return the cost of a round after swaps, and its tables, which no single swap improves.

    People swap with those of at most `reach` tables on either side.
    """
    now = _number(tables, parties)
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


def _number(tables: Iterable[Parties], parties: Sequence[Party]) -> list[list[int]]:
    number = {party: number for number, party in enumerate(parties)}
    return [[number[party] for party in table] for table in tables]
