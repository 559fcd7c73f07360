"""Plans for a whole night: who shares a table in which round, so that nobody meets anybody twice.

A plan knows places, not people: 0, 1, 2 …, four times as many as tables. Its last three places never share a
table: where people are missing, they stay empty, and tables of three come of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from bot.league.seating.stored import ROUNDS, STEPS

Places: TypeAlias = tuple[int, ...]
"""Those of a table, in seat order."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds of tables of places. After the last round it begins again."""

    rounds: tuple[tuple[Places, ...], ...]

    def round(self, number: int) -> tuple[Places, ...]:
        """The tables of a round, counted from 0."""
        return self.rounds[number % len(self.rounds)]

    @property
    def places(self) -> int:
        """How many units the plan has room for."""
        return sum(len(places) for places in self.rounds[0])


@cache
def plan_of_fours(tables: int) -> Plan | None:
    """The plan for so many tables of four; none for fewer than four, where people meet again in any case."""
    if tables < 4:
        return None
    if tables in ROUNDS:
        return Plan(tuple(_read(line) for line in ROUNDS[tables].split("\n") if line.strip()))
    if tables in STEPS:
        steps = zip(*STEPS[tables], strict=True)
        return Plan(tuple(_turned(tables, r, (0, *each)) for r, each in enumerate(steps)))
    rounds = tables // 3 if tables % 3 == 0 else tables // 2 if tables % 2 == 0 else tables
    return Plan(tuple(_turned(tables, r, (0, r, 2 * r, 3 * r)) for r in range(rounds)))


@cache
def plan_of_twos(tables: int) -> Plan:
    """Fixed pairs, two at a table: one place stays, the others go round it (the circle method)."""
    ring = 2 * tables - 1
    return Plan(
        tuple(
            ((ring, turn), *(((turn + step) % ring, (turn - step) % ring) for step in range(1, tables)))
            for turn in range(ring)
        )
    )


def _turned(tables: int, number: int, steps: Sequence[int]) -> tuple[Places, ...]:
    """Four lines of as many places as there are tables, each moved on by its step.

    Every table has one place of each line, and a line moves on one seat a round: after four rounds everybody
    has been in every seat.
    """
    lines = [(seat - number) % 4 for seat in range(4)]
    return tuple(
        tuple(line * tables + (table - steps[line]) % tables for line in lines) for table in range(tables)
    )


def _read(line: str) -> tuple[Places, ...]:
    return tuple(tuple(int(place, 36) for place in table) for table in line.split())
