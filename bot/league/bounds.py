"""Bounds: between which ranks members can still finish a season.

The bounds hold whatever happens at the tables that are left, and narrow with every night. They do not foresee
what organisers decide: penalties, bonuses and corrections. A night in progress counts as one that is left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.league.divisions import by_division
from bot.league.finals import stage_of
from bot.league.model import Format
from bot.league.results import WINNER_POINTS, NightResult
from bot.league.standings import SeasonStanding, season_standings


@dataclass(frozen=True, slots=True)
class Bounds:
    """The ranks between which a member will finish."""

    best: int
    worst: int | None
    """None: people who have not played yet can still overtake them."""


def season_bounds(over: Sequence[NightResult], format: Format, season: int) -> Mapping[str, Bounds]:
    """Return everybody's bounds after the nights of a season that are over, in each division; nothing when no
    night is left but the final. Whether there will be a final follows from the people in the table, by its
    smallest division."""
    divisions = by_division(season_standings(over, format, season))
    final = stage_of(format, min(map(len, divisions), default=0))
    left = format.nights - len(over) - (final is not None)
    if left <= 0:
        return {}
    return {member: own for table in divisions for member, own in bounds(table, format, left).items()}


def bounds(table: Sequence[SeasonStanding], format: Format, left: int) -> Mapping[str, Bounds]:
    """Return everybody's bounds. `table` is that of the nights that are over, and `left` is the most nights
    that the season still has."""
    most = Fraction(WINNER_POINTS * format.rounds)
    reach = {each.member: _reach(each, format, left, most) for each in table}
    newcomer = _highest((), format, left, most) if left else None
    found = {}
    for member, (low, high) in reach.items():
        others = [each for other, each in reach.items() if other != member]
        ahead = sum(other > high for other, _ in others)
        beside = sum(other >= low for _, other in others)
        open_end = newcomer is not None and (1, newcomer) >= low
        found[member] = Bounds(1 + ahead, None if open_end else 1 + beside)
    return found


_Mark = tuple[int, Fraction]
"""A season as it is compared first: whether the member played enough nights, and the points."""


def _reach(each: SeasonStanding, format: Format, left: int, most: Fraction) -> tuple[_Mark, _Mark]:
    """Return the lowest and the highest that a member can still reach."""
    if not left:
        return (int(each.qualified), each.points), (int(each.qualified), each.points)
    nights = [night.points for night in each.nights]
    counted = [night.points for night in each.nights if night.counted]
    if format.counting != "average":
        given = each.points - sum(counted, Fraction(0))
        return (1, each.points), (1, _highest(nights, format, left, most) + given)
    given = each.points * (len(counted) or 1) - sum(counted, Fraction(0))
    total, played = sum(nights, Fraction(0)) + given, len(nights)
    sums = [(total, total + more * most, max(1, played + more)) for more in range(left + 1)]
    low = min(worst / count for worst, _, count in sums)
    high = max(best / count for _, best, count in sums)
    sure, possible = played >= format.best_of, played + left > 0
    return (int(sure), low), (int(possible), high)


def _highest(nights: Sequence[Fraction], format: Format, left: int, most: Fraction) -> Fraction:
    """Return the most points with these nights and all of the others won."""
    if format.counting == "average":
        return most
    whole = sorted([*nights, *[most] * left], reverse=True)
    return sum(whole[: format.best_of] if format.counting == "best" else whole, Fraction(0))
