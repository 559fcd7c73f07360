"""Who meets at which table of a round: as the plan says, as the standing says, or by search."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final

from bot.league.model import Seating
from bot.league.seating.costs import meeting_cost, partner_cost, standing_cost
from bot.league.seating.drawing import drawn
from bot.league.seating.following import planned
from bot.league.seating.past import Past, past_of
from bot.league.seating.plans import Plan, plan_of_fours, plan_of_twos
from bot.league.seating.search import Cost, Table, improved
from bot.league.seating.seated import Group, Seated, Unit, units_at
from bot.league.seating.seats import fewest_seats, in_seats, seat_cost

WORK: Final = 1000
"""The search begins anew so many times, divided by the number of units."""
REACH: Final = 12
"""By standings people change places so many tables away at most: farther off it costs more than it mends."""

Tables = tuple[tuple[str, ...], ...]
"""Members by table, in seat order."""


def by_plan(
    units: Sequence[Unit], sizes: Sequence[int], past: Past, mode: Seating, rounds: Sequence[Sequence[Group]]
) -> Tables | None:
    """The tables of the plan; None where there is none, or more would meet again than in the plan itself."""
    at_first = sum(len(group) for group in rounds[0]) if rounds else len(units)
    plan = plan_of_twos(at_first) if mode == "pairs" else plan_of_fours(at_first)
    groups = planned(plan, units, rounds) if plan else None
    if not plan or not groups or sorted(map(len, groups), reverse=True) != list(sizes):
        return None
    if _faults(groups, _cost(units, past, mode), units) > _faults_of_plan(plan, len(rounds)):
        return None
    return tuple(in_seats(group, past, mode) for group in groups)


def by_standing(units: Sequence[Unit], sizes: Sequence[int], past: Past) -> Tables:
    """Those who stand next to each other (`units` are in that order), unless they met before."""
    homes = [table for table, size in enumerate(sizes) for _ in range(size)]
    _, found = improved(_numbered(_cut(units, sizes), units), standing_cost(units, past, homes), REACH)
    return tuple(in_seats(group, past, "standings") for group in _named(found, units))


def by_search(units: Sequence[Unit], sizes: Sequence[int], past: Past, mode: Seating, seed: bytes) -> Tables:
    """The best tables of many that are tried: in who meets first, and of equal ones in who sits where."""
    cost = _cost(units, past, mode)
    ideal = fewest_seats(units, past)
    best: tuple[tuple[int, int], Tables] | None = None
    for attempt in range(1 + WORK // len(units)):
        beginning = _cut(drawn(units, seed, past.rounds, attempt), sizes)
        faults, found = improved(_numbered(beginning, units), cost, len(sizes))
        if best and faults > best[0][0]:
            continue
        tables = tuple(in_seats(group, past, mode) for group in _named(found, units))
        value = faults, sum(seat_cost(table, past) for table in tables)
        best = min(best or (value, tables), (value, tables))
        if best[0] <= (0, ideal):
            break
    assert best
    return best[1]


def _faults(groups: Sequence[Group], cost: Cost, units: Sequence[Unit]) -> int:
    return sum(cost(number, table) for number, table in enumerate(_numbered(groups, units)))


@cache
def _faults_of_plan(plan: Plan, number: int) -> int:
    """What a plan's own round costs: nothing, but where few people cannot but meet again."""
    rounds = [tuple(tuple(str(place) for place in table) for table in tables) for tables in plan.rounds]
    groups = [units_at(table, "rotation") for table in rounds[number]]
    units = [unit for group in groups for unit in group]
    past = past_of([Seated(tables) for tables in rounds[:number]])
    return _faults(groups, meeting_cost(units, past), units)


def _cost(units: Sequence[Unit], past: Past, mode: Seating) -> Cost:
    return partner_cost(units, past) if mode == "partners" else meeting_cost(units, past)


def _cut(units: Iterable[Unit], sizes: Sequence[int]) -> list[Group]:
    rest = iter(units)
    return [tuple(islice(rest, size)) for size in sizes]


def _numbered(groups: Iterable[Group], units: Sequence[Unit]) -> list[Table]:
    number = {unit: number for number, unit in enumerate(units)}
    return [[number[unit] for unit in group] for group in groups]


def _named(tables: Iterable[Table], units: Sequence[Unit]) -> Iterator[Group]:
    return (tuple(units[number] for number in table) for table in tables)
