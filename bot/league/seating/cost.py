"""Cost: what is wrong with a table, in one number, and the order of seats that costs least."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Final, TypeAlias

from bot.league.model import Seating
from bot.league.seating.encounters import Encounters, Parties, Party, partners_at

REPEAT: Final = 20
"""Two meet again, for each time that they have met. Where standings seat, it weighs a little more than two
people who play three tables away from where they stand: that costs the square of the way, for each."""
AT_ONCE: Final = 10
"""So many times that, when they met in the round before."""
PARTNERS_AGAIN: Final = 2000
"""Two are partners again. It is more than any number of times that people can have sat in their seats."""

Cost: TypeAlias = Callable[[int, list[int]], int]
"""What is wrong with a table: its number, and the numbers of the parties who sit there; 0: nothing."""


def meeting_cost(parties: Sequence[Party], past: Encounters) -> Cost:
    """Meetings of two who have met."""
    weights = _weights(
        parties,
        {pair: REPEAT * times * (AT_ONCE if pair in past.last else 1) for pair, times in past.met.items()},
    )

    def cost(number: int, table: list[int]) -> int:
        if len(table) == 4:  # nearly all are, and a search asks this a hundred thousand times
            a, b, c, d = table
            of_a, of_b = weights[a], weights[b]
            return of_a[b] + of_a[c] + of_a[d] + of_b[c] + of_b[d] + weights[c][d]
        return sum([weights[one][other] for one, other in combinations(table, 2)])

    return cost


def partner_cost(parties: Sequence[Party], past: Encounters) -> Cost:
    """Meetings, and two who cannot but be partners again, however the table sits down."""
    meeting = meeting_cost(parties, past)
    again = _weights(parties, {pair: PARTNERS_AGAIN * times for pair, times in past.partnered.items()})

    def cost(number: int, table: list[int]) -> int:
        least = 0
        match table:
            case [a, b, c, d]:
                least = min(again[a][b] + again[c][d], again[a][c] + again[b][d], again[a][d] + again[b][c])
            case [a, b, c]:  # a computer partners who is left
                least = min(again[a][b], again[a][c], again[b][c])
        return meeting(number, table) + least

    return cost


def standing_cost(parties: Sequence[Party], past: Encounters, homes: Sequence[int]) -> Cost:
    """Meetings, and how far people are from the table at which they stand (`homes`, by party)."""
    meeting = meeting_cost(parties, past)

    def cost(number: int, table: list[int]) -> int:
        return meeting(number, table) + sum([(homes[party] - number) ** 2 for party in table])

    return cost


def in_seats(parties: Parties, past: Encounters, mode: Seating) -> tuple[str, ...]:
    """Members in the seats that they had least often; where partners change, above all with new partners.

    Among equals they stay in the order in which they come: plans have thought of the seats, too.
    """

    def cost(table: tuple[str, ...]) -> int:
        again = sum(past.partnered[pair] for pair in partners_at(table)) if mode == "partners" else 0
        return PARTNERS_AGAIN * again + seat_cost(table, past)

    return min(_orders(parties), key=cost)


def seat_cost(table: tuple[str, ...], past: Encounters) -> int:
    """How often those at a table sat where they are to sit, squared: once each beats twice for one."""
    return sum(past.sat[member, seat] ** 2 for seat, member in enumerate(table))


def least_seat_cost(parties: Iterable[Party], past: Encounters) -> int:
    """What `seat_cost` comes to when everybody is where they sat least often: no seating has less."""
    return sum(min(past.sat[member, seat] ** 2 for seat in range(4)) for party in parties for member in party)


def _weights(parties: Sequence[Party], pairs: dict[tuple[str, str], int]) -> list[list[int]]:
    """Sums over members of what is said of pairs of them, by the numbers of two parties."""
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
        if len(first) == 2:  # a member without a partner leaves seat 3 to the computer
            for a, c in permutations(first):
                for others in permutations(second):
                    yield (a, others[0], c, *others[1:])
