"""Results: the outcome of a night, as standings, ratings, pages and exports read it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Literal

from msgspec import structs

from bot.ids import NightId, TableId
from bot.league.events import Division, SeededMember
from bot.league.model import League, Stage
from bot.league.night import Heat, Night, NightRound, NightTable
from engine.rules import rules_from

TableState = Literal["running", "counted", "disputed", "unfinished", "void"]

WINNER_POINTS: Final = 3
"""Points for the winner of a table."""

Meetings = Mapping[tuple[str, str], Sequence[int]]
"""By member and opponent: the result of each of their meetings for the first, as in `halves`."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of a table that counts."""

    member: str
    """The member who earns the result; empty: a computer player, who earns nothing."""
    score: int
    """More is better."""
    wins: int
    """Rounds of tiles won."""
    okeys: int = 0
    """Those of them that were won by discarding the okey."""
    owner: str = ""
    """The member who owns the seat, whoever earns its result; empty: a computer player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """A table of a night's round, after all corrections."""

    round: int
    number: int
    table: TableId
    """The table's id; after a replay that of the replay."""
    seats: tuple[SeatResult, ...]
    state: TableState
    teams: bool = False
    """Whether seats 0 and 2 play against 1 and 3."""
    corrected: bool = False

    @property
    def counts(self) -> bool:
        """Return whether it has points: it is counted, or disputed and not decided yet."""
        return self.state in ("counted", "disputed")


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalResult:
    """A final that has begun: what decides it beside its tables."""

    stage: Stage
    seeds: tuple[SeededMember, ...]
    heats: tuple[Heat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightResult:
    """The result of a night, finished or not."""

    id: NightId
    season: int
    number: int
    start: float
    over: bool
    tables: tuple[TableResult, ...]
    byes: tuple[tuple[int, str], ...] = ()
    """(round, member), also for those who sat to the end at a table that was cut off before a deal was
    finished."""
    missed: tuple[tuple[int, str], ...] = ()
    """(round, member) for rounds before a late member came."""
    penalties: tuple[tuple[str, float], ...] = ()
    """(member, points) taken from members' seasons, in order."""
    bonuses: tuple[tuple[str, float], ...] = ()
    """(member, points) given to them."""
    bye_points: float = 1.5
    missed_points: float = 0.0
    final: FinalResult | None = None
    """The final of the season, if it was or is played on this night."""
    divisions: tuple[Division, ...] = ()
    """The divisions of the season, the highest first."""

    def __hash__(self) -> int:
        """Return a hash of what names the night. Its tables would cost more than what is kept by it."""
        return hash((self.id, self.number, len(self.tables)))


def result_of(night: Night) -> NightResult:
    """Return the result of a night. If it was cancelled, it counts for nobody; penalties and bonuses stay."""
    teams = rules_from(night.format.rules).teams
    rounds = () if night.stage == "cancelled" else night.rounds
    tables = tuple(result for round in rounds for result in _tables_of(night, round, teams))
    earned = {(each.round, seat.member) for each in tables if each.counts for seat in each.seats}
    given = [(round.number, member) for round in rounds for member in round.byes]
    cut = (each for each in tables if each.state == "unfinished")
    given += [(each.round, seat.member) for each in cut for seat in each.seats if seat.member]
    byes = tuple(dict.fromkeys(each for each in given if each not in earned))
    return NightResult(
        id=night.id,
        season=night.season,
        number=night.number,
        start=night.start,
        over=night.stage == "over",
        tables=tables,
        # Who took somebody's seat after all has what the table brings instead.
        byes=byes,
        missed=tuple(each for each in night.missed if rounds and each not in earned.union(byes)),
        penalties=night.penalties,
        bonuses=night.bonuses,
        bye_points=night.format.bye_points,
        missed_points=night.format.missed_points,
        final=_final_of(night) if rounds else None,
        divisions=night.divisions,
    )


def _final_of(night: Night) -> FinalResult | None:
    if night.final is None or not (night.heats or night.final.kind == "cut"):
        return None
    return FinalResult(stage=night.final, seeds=night.seeds, heats=night.heats)


def before_final(night: NightResult) -> NightResult:
    """Return what of a night counts for the table before its final: the rounds before it, and all penalties
    and bonuses."""
    if night.final is None:
        return night
    groups = night.final.stage.groups
    return replace(
        night,
        tables=tuple(table for table in night.tables if table.round <= groups),
        byes=tuple(each for each in night.byes if each[0] <= groups),
        missed=tuple(each for each in night.missed if each[0] <= groups),
        final=None,
    )


def divisions_in(nights: Iterable[NightResult]) -> tuple[Division, ...]:
    """Return the divisions of a season, by its nights in order: those with which the last one began."""
    return next((each.divisions for each in reversed(list(nights)) if each.tables), ())


def result_in(league: League, night: Night) -> NightResult:
    """Return a night's result in its league: the accounts of one person are one member."""
    return join_accounts(result_of(night), league.merged)


def join_accounts(result: NightResult, merged: Mapping[str, str]) -> NightResult:
    """Return a result with the tables of merged members counted for those that they are now."""
    if not merged:
        return result

    def now(member: str) -> str:
        return merged.get(member, member)

    def give(pairs: tuple[tuple[Any, Any], ...], at: int) -> tuple[tuple[Any, Any], ...]:
        return tuple((*pair[:at], now(pair[at]), *pair[at + 1 :]) for pair in pairs)

    tables = tuple(
        replace(
            table,
            seats=tuple(
                replace(seat, member=now(seat.member), owner=now(seat.owner)) for seat in table.seats
            ),
        )
        for table in result.tables
    )
    return replace(
        result,
        tables=tables,
        byes=give(result.byes, 1),
        missed=give(result.missed, 1),
        penalties=give(result.penalties, 0),
        bonuses=give(result.bonuses, 0),
        final=None if result.final is None else _join_final(result.final, now),
        divisions=tuple(
            structs.replace(each, members=tuple(dict.fromkeys(map(now, each.members))))
            for each in result.divisions
        ),
    )


def _join_final(final: FinalResult, now: Callable[[str], str]) -> FinalResult:
    seeds = (
        structs.replace(seed, member=now(seed.member), partner=now(seed.partner)) for seed in final.seeds
    )
    heats = (replace(heat, members=tuple(map(now, heat.members))) for heat in final.heats)
    return replace(final, seeds=tuple(seeds), heats=tuple(heats))


def tables_that_count(night: NightResult) -> tuple[TableResult, ...]:
    """Return the tables that have points: counted, or disputed and not decided yet."""
    return tuple(each for each in night.tables if each.counts)


def points_at(table: TableResult) -> tuple[Fraction, ...]:
    """Return the points of each seat."""
    return tuple(Fraction(WINNER_POINTS * sum(made.values()), 2 * len(made)) for made in halves(table))


def wins_at(table: TableResult) -> tuple[bool, ...]:
    """Return for each seat whether it won the table by beating every opponent. A shared first place is no
    win."""
    return tuple(min(made.values()) == 2 for made in halves(table))


def halves(table: TableResult) -> tuple[dict[int, int], ...]:
    """Return each seat's result against each opponent's seat: 2 if it beat them, 1 if they are equal, else
    0."""
    scores = [score_of(table, seat) for seat in range(len(table.seats))]
    return tuple(
        {other: 1 + (own > scores[other]) - (own < scores[other]) for other in opponents_of(table, seat)}
        for seat, own in enumerate(scores)
    )


def opponents_of(table: TableResult, seat: int) -> tuple[int, ...]:
    """Return the seats of a seat's opponents."""
    return tuple(
        other
        for other in range(len(table.seats))
        if other != seat and not (table.teams and other % 2 == seat % 2)
    )


def score_of(table: TableResult, seat: int) -> int:
    """Return a seat's score; under teams, that of both partners together."""
    return sum(
        each.score
        for other, each in enumerate(table.seats)
        if other == seat or (table.teams and other % 2 == seat % 2)
    )


def meetings(tables: Iterable[TableResult]) -> Meetings:
    """Return the meetings of opponents, and their results."""
    met: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for table in tables:
        members = [seat.member for seat in table.seats]
        for own, made in zip(members, halves(table), strict=True):
            for other, result in made.items():
                met[own, members[other]].append(result)
    return met


def exact(points: float) -> Fraction:
    """Points exactly as an organiser wrote them: 0.1 is a tenth."""
    return Fraction(repr(points))


def _tables_of(night: Night, round: NightRound, teams: bool) -> list[TableResult]:
    earners = _earners(round)
    return [
        TableResult(
            round=round.number,
            number=table.number,
            table=night.id_of(round.number, table),
            seats=tuple(
                SeatResult(
                    earners[table.number, seat],
                    _score(table, seat),
                    _wins(table, seat),
                    _okeys(table, seat),
                    owner,
                )
                for seat, owner in enumerate(table.seats)
            ),
            state="counted" if table.state == "over" else table.state,
            teams=teams,
            corrected=table.corrected is not None,
        )
        for table in round.tables
    ]


def _earners(round: NightRound) -> dict[tuple[int, int], str]:
    """Return the member who earns the result of each (table, seat): the one who played most rounds of tiles
    there.

    Nobody earns at two tables of a round: a member who was moved earns where they played more.
    """
    claims = sorted(
        (-played, order, table.number, seat, member)
        for table in round.tables
        for seat in range(len(table.seats))
        for order, (member, played) in enumerate(_players_of(table, seat))
    )
    earners = {(table.number, seat): "" for table in round.tables for seat in range(len(table.seats))}
    placed: set[str] = set()
    for _, _, number, seat, member in claims:
        if not earners[number, seat] and member not in placed:
            earners[number, seat] = member
            placed.add(member)
    return earners


def _players_of(table: NightTable, seat: int) -> list[tuple[str, int]]:
    """Return a seat's players and how many rounds of tiles each played, in order; its owner if none was
    finished."""
    if not table.tiles:
        here = table.seats[seat]
        return [(here, 0)] if here and seat not in table.free else []
    return list(Counter(tiles.players[seat] for tiles in table.tiles if tiles.players[seat]).items())


def _score(table: NightTable, seat: int) -> int:
    if table.corrected is not None:
        return table.corrected[seat]
    return table.scores[seat] if table.scores else 0


def _wins(table: NightTable, seat: int) -> int:
    return sum(tiles.winner == seat for tiles in table.tiles)


def _okeys(table: NightTable, seat: int) -> int:
    return sum(tiles.winner == seat and tiles.okey for tiles in table.tiles)
