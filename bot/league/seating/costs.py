"""What is wrong with a table, in one number."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from bot.league.seating.past import Past
from bot.league.seating.search import Cost, Table
from bot.league.seating.seated import Unit

REPEAT: Final = 20
"""Two meet again, for each time that they have met. Where standings seat, it weighs a little more than two
people who play three tables away from where they stand: that costs the square of the way, for each."""
AT_ONCE: Final = 10
"""So many times that, when they met in the round before."""
PARTNERS_AGAIN: Final = 2000
"""Two are partners again."""

Weights = list[list[int]]
"""By the numbers of two units."""


def meeting_cost(units: Sequence[Unit], past: Past) -> Cost:
    """Who meets again."""
    weights = _repeats(units, past)

    def cost(number: int, table: Table) -> int:
        return sum([weights[one][other] for one, other in combinations(table, 2)])

    return cost


def partner_cost(units: Sequence[Unit], past: Past) -> Cost:
    """Who meets again, and who cannot but be partners again, however the table sits down."""
    meeting = meeting_cost(units, past)
    partnered = _weights(units, {pair: PARTNERS_AGAIN * times for pair, times in past.partnered.items()})

    def cost(number: int, table: Table) -> int:
        return meeting(number, table) + min(
            (sum(partnered[one][other] for one, other in pairs) for pairs in _pairings(table)), default=0
        )

    return cost


def standing_cost(units: Sequence[Unit], past: Past, homes: Sequence[int]) -> Cost:
    """Who meets again, and how far people are from the table at which they stand (`homes`, by unit)."""
    meeting = meeting_cost(units, past)

    def cost(number: int, table: Table) -> int:
        return meeting(number, table) + sum([(homes[unit] - number) ** 2 for unit in table])

    return cost


def _pairings(table: Table) -> list[tuple[tuple[int, int], ...]]:
    """The ways in which those at a table may be partners of each other; computers partner who is left."""
    match table:
        case [a, b, c, d]:
            return [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
        case [a, b, c]:
            return [((a, b),), ((a, c),), ((b, c),)]
    return []


def _repeats(units: Sequence[Unit], past: Past) -> Weights:
    return _weights(
        units,
        {pair: REPEAT * times * (AT_ONCE if pair in past.last else 1) for pair, times in past.met.items()},
    )


def _weights(units: Sequence[Unit], pairs: dict[tuple[str, str], int]) -> Weights:
    """Sums over members of what is said of pairs of them, by units."""
    number = {member: index for index, unit in enumerate(units) for member in unit}
    weights = [[0] * len(units) for _ in units]
    for (one, other), weight in pairs.items():
        if one in number and other in number and number[one] != number[other]:
            weights[number[one]][number[other]] += weight
            weights[number[other]][number[one]] += weight
    return weights
