"""Following a plan through a night in which people come and go."""

from collections.abc import Sequence, Set

from bot.league.seating.plans import Plan
from bot.league.seating.seated import Group, Unit


def planned(plan: Plan, lots: Sequence[Unit], rounds: Sequence[Sequence[Group]]) -> list[Group] | None:
    """The plan's tables for the units that play now (`lots`), after these rounds; None where it does not fit.

    It fits until its end, if the first round was the plan's first one and there is a place for everybody. How
    good a seating it is after what was really played, the caller judges.
    """
    if len(rounds) >= len(plan.rounds):
        return None
    if not rounds:
        holders = dict(zip(range(plan.places), lots, strict=False))
    else:
        found = _first_holders(plan, rounds[0])
        if found is None:
            return None
        holders = found
        for later in rounds[1:]:
            _let_in(holders, plan, {unit for group in later for unit in group})
    present = set(lots)
    _let_in(holders, plan, present)
    if not present <= set(holders.values()):
        return None
    seated = {place: unit for place, unit in holders.items() if unit in present}
    return [_moved_up([seated.get(place) for place in places]) for places in plan.rounds[len(rounds)]]


def _moved_up(seats: list[Unit | None]) -> Group:
    """Those at a table: whoever sits last takes an empty seat, so that the others keep theirs of the plan."""
    while None in seats:
        last = seats.pop()
        if last is not None:
            seats[seats.index(None)] = last
    return tuple(unit for unit in seats if unit is not None)


def _first_holders(plan: Plan, groups: Sequence[Group]) -> dict[int, Unit] | None:
    """Who holds which place, read from the night's first round; None when it was not the plan's."""
    people = sum(len(group) for group in groups)
    tables = [[place for place in places if place < people] for places in plan.rounds[0]]
    if [len(table) for table in tables] != [len(group) for group in groups]:
        return None
    return {
        place: unit
        for table, group in zip(tables, groups, strict=True)
        for place, unit in zip(table, group, strict=True)
    }


def _let_in(holders: dict[int, Unit], plan: Plan, present: Set[Unit]) -> None:
    """Give those who have none a place: one that was never held, else that of somebody who is away."""
    held = set(holders.values())
    free = [place for place in range(plan.places) if place not in holders]
    free += sorted(place for place, unit in holders.items() if unit not in present)
    holders.update(zip(free, sorted(present - held), strict=False))
