"""Standings of a night and of a season: points, tie-breaks, ranks."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, groupby, permutations
from typing import Final, Literal, TypeVar

from bot.league.events import Division
from bot.league.knockout import list_places
from bot.league.model import CarryOver, Format, TieBreak
from bot.league.results import (
    Meetings,
    NightResult,
    TableResult,
    before_final,
    divisions_in,
    exact,
    meetings,
    opponents_of,
    points_at,
    tables_that_count,
    wins_at,
)

NIGHTS_REMEMBERED: Final = 256
"""The number of nights whose results by member are cached."""


Tie = TieBreak | Literal["", "seed", "shared"]
"""`seed`: the rank before a final."""

Movement = Literal["", "up", "down"]
"""Into which division a member goes when the season is over: the next higher or lower one; empty: they stay.
"""

CARRIED: Final[Mapping[CarryOver, Fraction]] = {
    "none": Fraction(0),
    "half": Fraction(1, 2),
    "all": Fraction(1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The figures of a member that decide the order."""

    rank: int = 0
    """From 1; set by `rank_tallies`, like `tie`."""
    tie: Tie = ""
    """The tie-break that parted them from the last of those with as many points; `shared`: none did; empty:
    nobody else has as many."""
    member: str
    points: Fraction
    wins: int
    """Tables won alone."""
    score: int
    """The sum of their scores at tables."""
    opponents: Fraction
    """The mean of their opponents' earnings when the night was over; 0 without any."""
    met: int
    """The number of opponents in that mean; one that they met twice counts twice."""
    penalties: Fraction = Fraction(0)
    """Penalty points, already subtracted from their points. They belong to a season: a night has none."""
    division: int = 0
    """Their division, from 1, in which they have their rank; 0: there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(Tally):
    """A member's line in a night's table."""

    tables: int
    """The number of tables whose result they earned."""
    byes: int
    missed: int
    """Rounds that they missed by coming late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedNight:
    """One night of a member's season."""

    night: str
    points: Fraction
    counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonStanding(Tally):
    """A member's line in a season's table."""

    nights: tuple[CountedNight, ...]
    """The nights for which they were there, in order."""
    bonuses: Fraction = Fraction(0)
    """Bonus points, already added to their points."""
    qualified: bool = True
    """For an average: whether they were there for enough nights. Members who were not come last."""
    carried: Fraction | None = None
    """The points that they took into a final night, where those decide; None: they take part in none."""
    in_final: bool = False
    """Whether they play or played the final: all others come after them."""
    move: Movement = ""
    """What becomes of them when the season is over, as things stand."""


AnyTally = TypeVar("AnyTally", bound=Tally)

IsIn = Callable[[Tally], bool]
"""Chooses members by their figures."""

_FIGURES: Final[Mapping[TieBreak, Callable[[Tally], Fraction | int]]] = {
    "wins": lambda tally: tally.wins,
    "score": lambda tally: tally.score,
    "opponents": lambda tally: tally.opponents,
    "penalties": lambda tally: -tally.penalties,
}
"""The tie-breaks that look at one member alone: more is better."""


def night_standings(night: NightResult, ties: Sequence[TieBreak]) -> tuple[Standing, ...]:
    """Return everybody who has a table, a bye or a missed round in a night, in order, by division."""
    met = cache(lambda: meetings(tables_that_count(night)))
    table = tuple(
        replace(each, division=tier)
        for tier, is_in in _list_divisions(night.divisions)
        for each in rank_tallies(filter(is_in, _evenings_of(night)), ties, met)
    )
    if night.final is None or night.final.stage.kind == "cut":
        return table
    before = night_standings(before_final(night), ties) if night.final.stage.groups else ()
    own = {each.member: each for each in table}
    rest = [each for each in before if each.member in own]
    return _place(own, list_places(night), rest)


def season_standings(
    nights: Sequence[NightResult], format: Format, season: int
) -> tuple[SeasonStanding, ...]:
    """Return everybody's season, in order, one division after the other; nights in progress count as they
    stand. Whoever plays the final comes before all others of their division."""
    held = [night for night in nights if night.season == season]
    divisions = divisions_in(held)
    return tuple(
        replace(each, division=tier)
        for tier, is_in in _list_divisions(divisions)
        for each in _count_season(held, format, is_in)
    )


def _list_divisions(divisions: Sequence[Division]) -> list[tuple[int, IsIn]]:
    """Return the number of each division, and who is in it; of none, 0 and everybody."""
    tiers = {
        member: tier
        for tier, each in reversed(list(enumerate(divisions, start=1)))
        for member in each.members
    }

    def is_in(tier: int) -> IsIn:
        return lambda tally: tiers.get(tally.member, len(divisions)) == tier

    return [(tier, is_in(tier)) for tier in (range(1, len(divisions) + 1) if divisions else (0,))]


def _count_season(held: Sequence[NightResult], format: Format, is_in: IsIn) -> tuple[SeasonStanding, ...]:
    """Return the table of those members whom `is_in` chooses."""
    before = table_over(list(map(before_final, held)), format, is_in)
    final = next((night for night in reversed(held) if night.final is not None), None)
    if final is None or final.final is None:
        return before
    own = {each.member: each for each in before}
    if final.final.stage.kind == "knockout":
        places = tuple(
            tuple(each for each in side if is_in(own.get(each) or _nothing(each)))
            for side in list_places(final)
        )
    else:
        own |= _count_cut(own, final, format.ties, is_in)
        places = _list_groups([each for each in own.values() if each.carried is not None])
    played = {member for side in places for member in side}
    own |= {
        member: replace(own.get(member) or _nothing(member), in_final=True, qualified=True)
        for member in played
    }
    return _place(own, places, before, keeps_ties=final.final.stage.kind == "cut")


def _count_cut(
    own: Mapping[str, SeasonStanding], night: NightResult, ties: Sequence[TieBreak], is_in: IsIn
) -> dict[str, SeasonStanding]:
    """Return the lines of those who play a final night, ranked by what they took along and what they won
    there; of equals, the one who was ahead before it."""
    assert night.final is not None
    share = CARRIED[night.final.stage.carry_over]
    seeds = {seed.member: seed for seed in night.final.seeds}
    penalties, bonuses = _sum_given(night.penalties), _sum_given(night.bonuses)
    carried = {member: share * Fraction(seed.points) for member, seed in seeds.items()}
    tallies = [
        replace(
            each,
            points=each.points
            + carried.get(each.member, Fraction(0))
            + bonuses[each.member]
            - penalties[each.member],
        )
        for each in filter(is_in, _evenings_of(night))
    ]
    met = cache(lambda: meetings(tables_that_count(night)))
    last = {member: seed.rank for member, seed in seeds.items()}
    return {
        each.member: replace(
            own.get(each.member) or _nothing(each.member),
            rank=each.rank,
            tie=each.tie,
            points=each.points,
            carried=carried.get(each.member, Fraction(0)),
        )
        for each in rank_tallies(tallies, ties, met, seeds=last)
    }


def _list_groups(table: Sequence[SeasonStanding]) -> tuple[tuple[str, ...], ...]:
    """Return the members of each rank, in order."""
    ordered = sorted(table, key=lambda each: (each.rank, _by_id(each)))
    return tuple(
        tuple(each.member for each in group) for _, group in groupby(ordered, key=lambda each: each.rank)
    )


def _place(
    own: Mapping[str, AnyTally],
    places: Sequence[Sequence[str]],
    before: Sequence[AnyTally],
    *,
    keeps_ties: bool = False,
) -> tuple[AnyTally, ...]:
    """Return the lines in order: those of these places, then the others as they stood before them. Without
    `keeps_ties`, what parted those of the places was no tie-break."""
    placed: list[AnyTally] = []
    for side in places:
        rank = 1 + len(placed)
        lines = [own[member] for member in side if member in own]
        placed += [replace(each, rank=rank, tie=each.tie if keeps_ties else "") for each in lines]
    there = {each.member for each in placed}
    others = [each for each in before if each.member not in there]
    for each in others:
        ahead = sum(other.rank < each.rank for other in others)
        placed.append(replace(own[each.member], rank=len(there) + 1 + ahead, tie=each.tie))
    return tuple(placed)


def _nothing(member: str) -> SeasonStanding:
    """Return the line of a member who plays the final without having played before."""
    zero = Fraction(0)
    return SeasonStanding(member=member, points=zero, wins=0, score=0, opponents=zero, met=0, nights=())


def table_over(
    nights: Sequence[NightResult], format: Format, is_in: IsIn = lambda tally: True
) -> tuple[SeasonStanding, ...]:
    """Return the table of any nights, counted by the format, of those members whom `is_in` chooses.

    An average needs `best_of` nights, or all that were played while those are fewer.
    """
    tables = [(night, _evenings_of(night)) for night in sorted(nights, key=lambda night: night.start)]
    played = sum(bool(table) for _, table in tables)
    least = min(format.best_of, played) if format.counting == "average" else 0
    penalties = _sum_given(given for night, _ in tables for given in night.penalties)
    bonuses = _sum_given(given for night, _ in tables for given in night.bonuses)
    own: dict[str, list[tuple[str, Standing]]] = {member: [] for member in (*penalties, *bonuses)}
    for night, table in tables:
        for standing in table:
            own.setdefault(standing.member, []).append((night.id, standing))
    seasons = [
        _season(member, standings, format, least, penalties[member], bonuses[member])
        for member, standings in own.items()
    ]
    seasons = list(filter(is_in, seasons))
    met = cache(lambda: meetings(chain.from_iterable(map(tables_that_count, nights))))
    enough = rank_tallies((each for each in seasons if each.qualified), format.ties, met)
    others = (each for each in seasons if not each.qualified)
    return enough + rank_tallies(others, format.ties, met, first=len(enough) + 1)


def rank_tallies(
    tallies: Iterable[AnyTally],
    ties: Sequence[TieBreak],
    met: Callable[[], Meetings],
    first: int = 1,
    seeds: Mapping[str, int] | None = None,
) -> tuple[AnyTally, ...]:
    """Return the tallies in order, with ranks that begin at `first`; members who share a rank are ordered by
    their ids. Where `seeds` has their ranks before a final, these are the last tie-break.

    `met` is called only where nothing else has broken a tie, and possibly more than once.
    """
    groups = _part([sorted(tallies, key=_by_id)], lambda tally: tally.points)
    equal = _list_equals(groups)
    parted: dict[str, Tie] = {}
    for tie in ties:
        if tie == "head_to_head":
            groups = [part for group in groups for part in _part_by_meetings(group, met)]
        else:
            groups = _part(groups, _FIGURES[tie])
        still = _list_equals(groups)
        parted |= dict.fromkeys(equal - still, tie)
        equal = still
    if seeds is not None:
        groups = _part(groups, lambda tally: -seeds.get(tally.member, len(seeds) + 1))
        still = _list_equals(groups)
        parted |= dict.fromkeys(equal - still, "seed")
        equal = still
    parted |= dict.fromkeys(equal, "shared")
    placed: list[AnyTally] = []
    for group in groups:
        rank = first + len(placed)
        placed += [replace(tally, rank=rank, tie=parted.get(tally.member, "")) for tally in group]
    return tuple(placed)


def _list_equals(groups: Iterable[list[AnyTally]]) -> set[str]:
    """Return the members who are still equal to somebody."""
    return {tally.member for group in groups if len(group) > 1 for tally in group}


@lru_cache(NIGHTS_REMEMBERED)
def _evenings_of(night: NightResult) -> tuple[Standing, ...]:
    """Return the standing of each member in a night, unordered. Cached: else the page of a league's prizes
    takes 370 ms of a processor instead of 200, in a league with 30 nights of 60 tables
    (`tests.measure.league_costs`)."""
    played: defaultdict[str, list[tuple[TableResult, int]]] = defaultdict(list)
    earned: defaultdict[str, Fraction] = defaultdict(Fraction)
    for table in tables_that_count(night):
        for seat, (own, points) in enumerate(zip(table.seats, points_at(table), strict=True)):
            if own.member:
                played[own.member].append((table, seat))
                earned[own.member] += points
    byes, missed = (Counter(member for _, member in free) for free in (night.byes, night.missed))
    for free, each in ((byes, night.bye_points), (missed, night.missed_points)):
        for member, rounds in free.items():
            earned[member] += rounds * exact(each)

    def standing(member: str) -> Standing:
        own = played[member]
        faced = [table.seats[other].member for table, seat in own for other in opponents_of(table, seat)]
        met = [earned[other] for other in faced if other]
        return Standing(
            member=member,
            points=earned[member],
            wins=sum(wins_at(table)[seat] for table, seat in own),
            score=sum(table.seats[seat].score for table, seat in own),
            opponents=sum(met, Fraction(0)) / len(met) if met else Fraction(0),
            met=len(met),
            tables=len(own),
            byes=byes[member],
            missed=missed[member],
        )

    return tuple(map(standing, earned))


def _sum_given(given: Iterable[tuple[str, float]]) -> defaultdict[str, Fraction]:
    """Return the points given or taken, by member."""
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    for member, points in given:
        sums[member] += exact(points)
    return sums


def _season(
    member: str,
    standings: Sequence[tuple[str, Standing]],
    format: Format,
    least: int,
    penalties: Fraction,
    bonuses: Fraction,
) -> SeasonStanding:
    counted = _choose_counted([standing for _, standing in standings], format)
    count = [standings[index][1] for index in sorted(counted)]
    total = sum((each.points for each in count), Fraction(0)) + bonuses - penalties
    met = sum(each.met for each in count)
    faced = sum((each.opponents * each.met for each in count), Fraction(0))
    return SeasonStanding(
        member=member,
        points=total / len(count) if format.counting == "average" and count else total,
        wins=sum(each.wins for each in count),
        score=sum(each.score for each in count),
        opponents=faced / met if met else Fraction(0),
        met=met,
        penalties=penalties,
        bonuses=bonuses,
        nights=tuple(
            CountedNight(night=night, points=each.points, counted=index in counted)
            for index, (night, each) in enumerate(standings)
        ),
        qualified=len(standings) >= least,
    )


def _choose_counted(standings: Sequence[Standing], format: Format) -> frozenset[int]:
    """Return the indices of a member's nights that count; of equal ones, the earlier."""
    best = sorted(range(len(standings)), key=lambda index: -standings[index].points)
    return frozenset(best[: format.best_of] if format.counting == "best" else best)


def _part(
    groups: Iterable[list[AnyTally]], figure: Callable[[Tally], Fraction | int]
) -> list[list[AnyTally]]:
    """Return each group of equals split by a figure, the best first; members still equal keep their order."""
    return [
        list(part)
        for group in groups
        for _, part in groupby(sorted(group, key=figure, reverse=True), key=figure)
    ]


def _part_by_meetings(group: list[AnyTally], met: Callable[[], Meetings]) -> list[list[AnyTally]]:
    return _part([group], _among(group, met())) if len(group) > 1 else [group]


def _among(equals: Sequence[Tally], met: Meetings) -> Callable[[Tally], Fraction | int]:
    """Return the results of members against those who are equal to them; 0 for all unless all of them have
    met.

    Of several meetings with one opponent the mean counts, so that nobody gains by meeting somebody more
    often.
    """
    made = dict.fromkeys((tally.member for tally in equals), Fraction(0))
    for one, other in permutations(made, 2):
        results = met.get((one, other))
        if results is None:
            return lambda tally: 0
        made[one] += Fraction(sum(results), len(results))
    return lambda tally: made[tally.member]


def _by_id(tally: Tally) -> tuple[int, str]:
    return len(tally.member), tally.member
