"""Records: what members have done in a league, their results against each other, and a season's honours.

Everything follows from the nights' results, so a correction changes it, too.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal

from bot.ids import NightId
from bot.league.model import Format
from bot.league.results import NightResult, meetings, score_of, tables_that_count, wins_at
from bot.league.standings import SeasonStanding, night_standings

HonourKind = Literal["finalist", "wins", "okeys", "streak", "newcomer"]
"""Besides the title: who was in the final, most tables won, most deals won by discarding the okey, most
tables won in a row, and the best of those who played their first season."""

STREAK_LEAST: Final = 2
"""The fewest tables won in a row that are told as a streak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberNight:
    """A night of a member."""

    id: NightId
    season: int
    number: int
    start: float
    """Seconds since the epoch."""
    rank: int
    points: Fraction
    wins: int
    """Tables won."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """A member's results against one opponent, by meetings at a table."""

    opponent: str
    ahead: int
    even: int
    behind: int

    @property
    def met(self) -> int:
        """The number of meetings."""
        return self.ahead + self.even + self.behind


@dataclass(slots=True)
class MemberRecord:
    """What a member has done."""

    nights: list[MemberNight] = field(default_factory=list)
    """In the order in which they were played."""
    encounters: Sequence[Encounter] = ()
    """Those met most often first."""
    tables: int = 0
    wins: int = 0
    """Tables won."""
    deals: int = 0
    """Deals won."""
    okeys: int = 0
    """Those of them that were won by discarding the okey."""
    streak: int = 0
    """The most tables won in a row."""
    best_score: int | None = None
    """The best score at a table; None before the first one."""

    @property
    def best_night(self) -> MemberNight | None:
        """The night with the most points, of equal ones the earlier; None before the first one."""
        return max(self.nights, key=lambda night: (night.points, -night.start), default=None)


@dataclass(frozen=True, slots=True)
class Honour:
    """An honour of a season."""

    kind: HonourKind
    members: tuple[str, ...]
    figure: int
    """The number of tables, deals or the rank for which it is given."""


def records(
    nights: Iterable[NightResult], settings_of: Callable[[int], Format]
) -> Mapping[str, MemberRecord]:
    """Return everybody's record over these nights, by member. `settings_of` has the settings of a season."""
    kept: defaultdict[str, MemberRecord] = defaultdict(MemberRecord)
    running: Counter[str] = Counter()
    met: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for night in sorted(nights, key=lambda night: (night.start, night.id)):
        for each in night_standings(night, settings_of(night.season).ties):
            kept[each.member].nights.append(
                MemberNight(
                    id=night.id,
                    season=night.season,
                    number=night.number,
                    start=night.start,
                    rank=each.rank,
                    points=each.points,
                    wins=each.wins,
                )
            )
        tables = tables_that_count(night)
        for (one, other), results in meetings(tables).items():
            if one and other:
                met[one][other] += results
        for table in sorted(tables, key=lambda table: (table.round, table.number)):
            for seat, (own, won) in enumerate(zip(table.seats, wins_at(table), strict=True)):
                if not own.member:
                    continue
                record, score = kept[own.member], score_of(table, seat)
                running[own.member] = running[own.member] + 1 if won else 0
                record.tables += 1
                record.wins += won
                record.deals += own.wins
                record.okeys += own.okeys
                record.streak = max(record.streak, running[own.member])
                record.best_score = score if record.best_score is None else max(score, record.best_score)
    for member, against in met.items():
        found = (
            Encounter(other, results.count(2), results.count(1), results.count(0))
            for other, results in against.items()
        )
        kept[member].encounters = sorted(
            found, key=lambda each: (-each.met, len(each.opponent), each.opponent)
        )
    return dict(kept)


def honours(
    season: int,
    nights: Sequence[NightResult],
    table: Sequence[SeasonStanding],
    settings_of: Callable[[int], Format],
) -> tuple[Honour, ...]:
    """Return the honours of a season. `nights` are all nights of the league until its end: a newcomer has
    none in an earlier season, and the first season has only newcomers, so nobody is the best of them."""
    own = records([night for night in nights if night.season == season], settings_of)
    before = {
        seat.member
        for night in nights
        if night.season < season
        for each in tables_that_count(night)
        for seat in each.seats
    }
    found = [
        _finalists(nights, season, table),
        _most("wins", {member: record.wins for member, record in own.items()}),
        _most("okeys", {member: record.okeys for member, record in own.items()}),
        _most("streak", {member: record.streak for member, record in own.items()}, STREAK_LEAST),
    ]
    new = [each for each in table if each.qualified and each.member not in before and each.nights]
    if before and new:
        first = new[0].rank
        best = (each for each in new if (each.rank, each.division) == (first, new[0].division))
        found.append(Honour("newcomer", tuple(each.member for each in best), first))
    return tuple(each for each in found if each.members)


def _finalists(nights: Sequence[NightResult], season: int, table: Sequence[SeasonStanding]) -> Honour:
    """Return who was in a season's final without winning it: in a knockout, at its last table."""
    finals = [night.final for night in nights if night.season == season and night.final is not None]
    last = finals[-1].heats[-1].members if finals and finals[-1].heats else None
    there = [
        each
        for each in table
        if each.in_final and each.division <= 1 and (last is None or each.member in last)
    ]
    return Honour("finalist", tuple(each.member for each in there if each.rank > 1), len(there))


def _most(kind: HonourKind, figures: Mapping[str, int], least: int = 1) -> Honour:
    most = max(figures.values(), default=0)
    members = tuple(sorted((each for each, figure in figures.items() if figure == most), key=_by_id))
    return Honour(kind, members if most >= least else (), most)


def _by_id(member: str) -> tuple[int, str]:
    return len(member), member
