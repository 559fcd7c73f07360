"""Divisions: who plays with whom in a season, the highest division first, and who changes into another.

A league's first season is played together. From the next one on, its table makes the divisions: the best go
up, the last go down, and whoever is new plays in the lowest. Everything follows from the nights before.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Final

from bot.league.events import Division, MembersPlaced, NightEvent
from bot.league.finals import plays_in_pairs
from bot.league.model import Divisions, Format
from bot.league.night import Night
from bot.league.standings import AnyTally, Movement, SeasonStanding

PEOPLE_LEAST: Final = 6
"""The fewest people of a division."""

_WANTED: Final[dict[Divisions, tuple[int, int]]] = {
    "none": (1, 0),
    "two2": (2, 2),
    "two4": (2, 4),
    "three2": (3, 2),
}
"""The number of divisions, and how many of each change places with the next one."""

_MOST_MOVING: Final = 3
"""No more than a third of a division goes up or down."""


def has_divisions(format: Format) -> bool:
    """Return whether a season may have divisions. Partners who stay the same, and everybody in a league of
    one evening, play together."""
    return format.divisions != "none" and not plays_in_pairs(format) and format.nights > 1


def place_members(
    format: Format,
    table: Sequence[SeasonStanding],
    held: Sequence[Division],
    earlier: Collection[str],
    *,
    is_there: Callable[[str], bool],
) -> tuple[Division, ...]:
    """Return the divisions of a season, by the `table` and the divisions of the one before it; none, if there
    are too few people. `earlier` played in the season before that: who was absent once stays where they were.
    """
    if not has_divisions(format):
        return ()
    number, moving = _WANTED[format.divisions]
    placed = [list(filter(is_there, each)) for each in _exchange(table, held, earlier)]
    if len(placed) != number or any(len(each) < PEOPLE_LEAST for each in placed):
        placed = _split([member for each in placed for member in each], number)
    if len(placed) < 2:
        return ()
    changing = [min(moving, min(map(len, two)) // _MOST_MOVING) for two in pairwise(placed)]
    return tuple(
        Division(tuple(members), up, down)
        for members, up, down in zip(placed, (0, *changing), (*changing, 0), strict=True)
    )


def _exchange(
    table: Sequence[SeasonStanding], held: Sequence[Division], earlier: Collection[str]
) -> list[list[str]]:
    """Return everybody by their new division: those who came down first, then those who stay, those who came
    up, and those who were absent."""
    count = max(1, len(held))
    people = Counter(each.division for each in table)
    down, stay, up, away = ([list[str]() for _ in range(count)] for _ in range(4))
    for each in table:
        tier = max(1, each.division) - 1
        ways = {"up": (up, tier - 1), "down": (down, tier + 1), "": (stay, tier)}
        lists, to = ways[_find_move(each, people[each.division], held)]
        lists[to].append(each.member)
    there = {each.member for each in table}
    for tier, division in enumerate(held):
        absent = [member for member in division.members if member in earlier and member not in there]
        away[tier] += absent
        there.update(absent)
    return [[*one, *two, *three, *four] for one, two, three, four in zip(down, stay, up, away, strict=True)]


def _find_move(each: SeasonStanding, people: int, held: Sequence[Division]) -> Movement:
    """Return where a rank leads, among the people of the division's table. Of equals on the line, all go up,
    and none goes down. At most half of them go down."""
    if not each.division:
        return ""
    division = held[each.division - 1]
    if each.rank <= division.promote and each.qualified:
        return "up"
    return "down" if each.rank > people - min(division.relegate, people // 2) else ""


def _split(members: Sequence[str], number: int) -> list[list[str]]:
    """Return people in order as equal divisions, as many as there are people for; the lowest has the rest."""
    number = max(1, min(number, len(members) // PEOPLE_LEAST))
    size = len(members) // number
    cuts = [*(size * each for each in range(number)), len(members)]
    return [list(members[begin:end]) for begin, end in pairwise(cuts)]


def mark_moves(
    table: Sequence[SeasonStanding], held: Sequence[Division], following: Sequence[Division]
) -> tuple[SeasonStanding, ...]:
    """Return a season's table with what becomes of everybody: by its divisions `held`, and the `following`
    ones of the next season. Where those are more or fewer, nobody goes up or down: they are made anew."""
    if len(held) != len(following):
        return tuple(table)
    new = {
        member: tier
        for tier, each in reversed(list(enumerate(following, start=1)))
        for member in each.members
    }
    return tuple(
        each
        if (tier := new.get(each.member, each.division)) == each.division
        else replace(each, move="up" if tier < each.division else "down")
        for each in table
    )


def place(night: Night, now: float, divisions: tuple[Division, ...]) -> tuple[NightEvent, ...]:
    """Take over the divisions of a night, if they have changed and it has not begun."""
    if night.rounds or night.divisions == divisions or night.stage in ("over", "cancelled"):
        return ()
    return (MembersPlaced(divisions),)


def by_division(table: Sequence[AnyTally]) -> list[Sequence[AnyTally]]:
    """Return the lines of a table as one table for each division; of one without divisions, all."""
    return [tuple(lines) for _, lines in groupby(table, key=lambda each: each.division)]
