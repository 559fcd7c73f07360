"""Prizes: the title of a season, a month's first three places, and a night's pot of chips.

Points decide, never ratings. Chips are for fun, never money. A night's pot is that of RULES 4's fast game,
with a night in place of a match: everybody who earned a table stakes the same, and the first gets at least
three quarters. The last quarter is shared by the others who have more than half of the points that the rounds
of the night offered (3 each), in proportion to their points above half. A part for which nobody qualifies,
and every remainder of division, goes to the first. Several firsts split.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

from bot.league.model import Format
from bot.league.results import WINNER_POINTS, NightResult, tables_that_count
from bot.league.standings import SeasonStanding, Standing, night_standings, table_over

_PLACES: Final = 3

Month = tuple[int, int]
"""Year and month."""


def champions(season: Sequence[SeasonStanding]) -> tuple[str, ...]:
    """Return the members who lead a season's table, or its highest division's, if they played enough
    nights."""
    first = (each for each in season if each.rank == 1 and each.division <= 1)
    return tuple(each.member for each in first if each.qualified)


def month_of(at: float, zone: str) -> Month:
    """Return the month of a moment (seconds since the epoch) in a zone."""
    local = datetime.fromtimestamp(at, ZoneInfo(zone))
    return local.year, local.month


def month_leaders(
    nights: Iterable[NightResult], settings_of: Callable[[int], Format], zone: str
) -> Mapping[Month, tuple[SeasonStanding, ...]]:
    """Return the first three places of each month with a finished night, the latest month first.

    All points of a month count, whatever their season, by the settings (`settings_of`) of the season of its
    first night. Months are those of the league's zone.
    """
    months: defaultdict[Month, list[NightResult]] = defaultdict(list)
    for night in nights:
        if night.over:
            months[month_of(night.start, zone)].append(night)

    def table(month: Month) -> tuple[SeasonStanding, ...]:
        held = months[month]
        format = settings_of(min(held, key=lambda night: night.start).season)
        return table_over(held, replace(format, counting="sum"))

    leaders = {
        month: tuple(each for each in table(month) if each.rank <= _PLACES)
        for month in sorted(months, reverse=True)
    }
    return {month: first for month, first in leaders.items() if first}


def pot(night: NightResult, format: Format) -> Mapping[str, int]:
    """Return the chips that each member with a stake gets from a night's pot; empty: there is no pot. Each
    division has its own."""
    if "pot" not in format.prizes or not night.over:
        return {}
    staked = [each for each in night_standings(night, format.ties) if each.tables]
    paid: dict[str, int] = {}
    for _, those in groupby(staked, key=lambda each: each.division):
        paid |= _share(night, format, list(those))
    return paid


def _share(night: NightResult, format: Format, staked: Sequence[Standing]) -> dict[str, int]:
    """Return the chips that each of those gets who have put a stake into one pot."""
    chips = format.stake * len(staked)
    above = _above_half(night, staked)
    whole = sum(above.values())
    paid = {member: int(chips // 4 * more / whole) for member, more in above.items()}
    winners = _first(staked)
    each, odd = divmod(chips - sum(paid.values()), len(winners))
    won = {winner: each + (odd if winner == winners[0] else 0) for winner in winners}
    return {member: won.get(member, paid.get(member, 0)) for member in (one.member for one in staked)}


def chips(nights: Iterable[tuple[NightResult, Format]]) -> Counter[str]:
    """Return the gains and losses of each member from the pots of nights; they add up to 0."""
    balance: Counter[str] = Counter()
    for night, format in nights:
        for member, paid in pot(night, format).items():
            balance[member] += paid - format.stake
    return balance


def _first(staked: Sequence[Standing]) -> list[str]:
    return [each.member for each in staked if each.rank == staked[0].rank]


def _above_half(night: NightResult, staked: Sequence[Standing]) -> Mapping[str, Fraction]:
    """Return, for members who are not first, their points above half of the points that the night offered."""
    rounds = {table.round for table in tables_that_count(night)}.union(round for round, _ in night.byes)
    half = Fraction(WINNER_POINTS * len(rounds), 2)
    first = _first(staked)
    return {
        each.member: each.points - half for each in staked if each.points > half and each.member not in first
    }
