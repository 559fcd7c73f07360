"""Plan: a prepared seating for a whole night in which nobody meets anybody twice.

A plan knows places, not people. For more than twelve people it has four times as many places as tables, and
its last three places share no table for as long as possible: when people are missing, these stay empty and
make tables of three. Where people have to meet again, plans have as few repeats as were found after each
round; where a longer night needs other rounds from the start, it has a plan of its own.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import ascii_letters, digits
from typing import Final, TypeAlias

from bot.league.seating.encounters import Parties, Party

TablePlaces: TypeAlias = tuple[int, ...]
"""The places of a table, in seat order."""

SIGNS: Final = digits + ascii_letters
"""The characters for places in `plans.txt`, by number."""

STEPS: Final = {
    12: "0 4 6 7 8 9 10 11; 0 7 2 6 9 4 8 5; 0 1 10 8 7 3 5 9",
    14: "0 4 6 7 9 11 12 13; 0 8 9 2 6 7 10 5; 0 2 12 9 10 6 1 3",
    15: "0 1 8 9 11 12 13 14; 0 2 14 3 13 1 8 10; 0 5 7 14 8 10 6 2",
    18: "0 3 4 11 13 15 16 17; 0 6 2 10 3 16 13 1; 0 14 12 6 15 7 10 4",
    21: "0 6 7 15 17 18 19 20; 0 7 2 17 20 4 10 12; 0 19 17 20 3 12 9 8",
}
"""By number of tables: the shifts of lines 1, 2 and 3 of places, round by round, for numbers of tables at
which equal steps would bring two lines together again. Line 0 stays; the distance between two lines is never
the same twice."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds of tables of places, numbered from 0. The plan ends after the last of them."""

    rounds: tuple[tuple[TablePlaces, ...], ...]

    @property
    def places(self) -> int:
        """The number of parties that the plan has room for."""
        return sum(len(places) for places in self.rounds[0])


@cache
def plan_of_fours(people: int, length: int = 0) -> Plan | None:
    """Return the plan of a night that begins with this many people who have no fixed partners; None for fewer
    than six.

    `length` is the number of rounds in the night, if that is known.
    """
    if people < 6:
        return None
    stored = _read_stored()
    for (number, shortest), plan in stored.items():
        if number == people and 0 < shortest <= length <= len(plan.rounds):
            return plan
    tables = -(-people // 4)
    if found := stored.get((people if people <= 12 else 4 * tables, 0)):
        return found
    if tables in STEPS:
        steps = zip(*(map(int, line.split()) for line in STEPS[tables].split(";")), strict=True)
        return Plan(tuple(_turn(tables, r, (0, *each)) for r, each in enumerate(steps)))
    rounds = tables // 3 if tables % 3 == 0 else tables // 2 if tables % 2 == 0 else tables
    return Plan(tuple(_turn(tables, r, (0, r, 2 * r, 3 * r)) for r in range(rounds)))


@cache
def plan_of_twos(pairs: int) -> Plan:
    """Fixed pairs, two at a table: one place stays, the others go round it (the circle method).

    The order of the two changes from round to round, as for matches at home and away.
    """
    last = 2 * (pairs // 2) - 1
    return Plan(tuple(tuple(_across(last, turn, step) for step in range(pairs // 2)) for turn in range(last)))


def follow(plan: Plan, present: Sequence[Party], rounds: Sequence[Sequence[Parties]]) -> list[Parties] | None:
    """Return the plan's tables for the parties that play now, after these rounds; None where it does not fit.

    It fits until its end, if the first round was the plan's first one and there is a place for everybody. The
    caller judges how good the seating is after the rounds as really played.
    """
    if len(rounds) >= len(plan.rounds):
        return None
    holders = _first_holders(plan, rounds[0]) if rounds else dict(enumerate(present[: plan.places]))
    if holders is None:
        return None
    for later in [*rounds[1:], [present]]:
        _let_in(holders, plan, {party for table in later for party in table})
    if not set(present) <= set(holders.values()):
        return None
    seated = {place: party for place, party in holders.items() if party in present}
    return [_move_up([seated.get(place) for place in places]) for places in plan.rounds[len(rounds)]]


def _move_up(seats: list[Party | None]) -> Parties:
    """Return the parties of a table, with the last party moved to an empty seat, so that the others keep
    their seats of the plan."""
    while None in seats:
        last = seats.pop()
        if last is not None:
            seats[seats.index(None)] = last
    return tuple(party for party in seats if party is not None)


def _first_holders(plan: Plan, groups: Sequence[Parties]) -> dict[int, Party] | None:
    """Return the holder of each place, read from the night's first round; None when it was not the plan's."""
    people = sum(len(group) for group in groups)
    tables = [[place for place in places if place < people] for places in plan.rounds[0]]
    if [len(table) for table in tables] != [len(group) for group in groups]:
        return None
    return {
        place: party
        for table, group in zip(tables, groups, strict=True)
        for place, party in zip(table, group, strict=True)
    }


def _let_in(holders: dict[int, Party], plan: Plan, present: Set[Party]) -> None:
    """Give each party without a place one that was never held, else one whose holder is away."""
    held = set(holders.values())
    free = [place for place in range(plan.places) if place not in holders]
    free += sorted(place for place, party in holders.items() if party not in present)
    holders.update(zip(free, sorted(present - held), strict=False))


def _across(last: int, turn: int, step: int) -> TablePlaces:
    """Return the two places that face each other this many steps away from the fixed point of the circle."""
    two = ((turn + step) % last, (turn - step) % last) if step else (last, turn)
    return two[::-1] if (step or turn) % 2 else two


def _turn(tables: int, number: int, steps: Sequence[int]) -> tuple[TablePlaces, ...]:
    """Return tables of four lines of places, with as many places a line as tables, each line shifted by its
    step.

    Every table has one place of each line, and a line moves on by one seat a round: after four rounds
    everybody has been in every seat.
    """
    lines = [(seat - number) % 4 for seat in range(4)]
    return tuple(
        tuple(line * tables + (table - steps[line]) % tables for line in lines) for table in range(tables)
    )


@cache
def _read_stored() -> dict[tuple[int, int], Plan]:
    """Return the plans of `plans.txt`, by the number of people and the shortest night that they are for."""
    plans: dict[tuple[int, int], str] = {}
    key = 0, 0
    for line in (files(__package__) / "plans.txt").read_text("utf-8").splitlines():
        head, colon, rest = line.rpartition(":")
        if line.startswith("#"):
            continue
        if colon:
            people, _, shortest = head.partition("+")
            key = int(people), int(shortest or 0)
        plans[key] = plans.get(key, "") + rest
    return {key: Plan(tuple(map(_read, rounds.split(",")))) for key, rounds in plans.items()}


def _read(tables: str) -> tuple[TablePlaces, ...]:
    return tuple(tuple(SIGNS.index(place) for place in table) for table in tables.split())
