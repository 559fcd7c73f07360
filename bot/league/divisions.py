"""Divisions: who plays with whom in a season, the highest division first, and who changes into another.

A league's first season is played together. From the next one on, its table makes the divisions: the best go
up, the last go down, and whoever is new plays in the lowest. Everything follows from the nights before.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import groupby, pairwise
from typing import Final

from bot.league.events import Division, MembersPlaced, NightEvent
from bot.league.finals import plays_in_pairs
from bot.league.model import Divisions, Format
from bot.league.moving import PEOPLE_LEAST, exchange, split
from bot.league.night import Night
from bot.league.standings import AnyTally, SeasonStanding

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
    tiers = {each.member: max(1, each.division) for each in table}
    moves = {each.member: each.move for each in table}
    stay = [list(filter(earlier.__contains__, each.members)) for each in held]
    placed = [list(filter(is_there, each)) for each in exchange(tiers, moves, stay or [[]])]
    if len(placed) != number or any(len(each) < PEOPLE_LEAST for each in placed):
        placed = split([member for each in placed for member in each], number)
    if len(placed) < 2:
        return ()
    changing = [min(moving, min(map(len, two)) // _MOST_MOVING) for two in pairwise(placed)]
    return tuple(
        Division(tuple(members), up, down)
        for members, up, down in zip(placed, (0, *changing), (*changing, 0), strict=True)
    )


def place(night: Night, now: float, divisions: tuple[Division, ...]) -> tuple[NightEvent, ...]:
    """Take over the divisions of a night, if they have changed and it has not begun."""
    if night.rounds or night.divisions == divisions or night.stage in ("over", "cancelled"):
        return ()
    return (MembersPlaced(divisions),)


def by_division(table: Sequence[AnyTally]) -> list[Sequence[AnyTally]]:
    """Return the lines of a table as one table for each division; of one without divisions, all."""
    return [tuple(lines) for _, lines in groupby(table, key=lambda each: each.division)]
