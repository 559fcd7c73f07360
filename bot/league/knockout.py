"""Knockout: who sits with whom, who plays on, and the places of those who are out.

A knockout is a list of heats. In each, everybody who is left plays a match: one table, or several with the
same people. Two of each match play on, until one table is left. Everything but the heats themselves, which
are recorded, follows from results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.league.events import SeededMember
from bot.league.model import Stage
from bot.league.results import NightResult, TableResult, points_at, score_of
from bot.league.seating import Seated

ADVANCING: Final = 2
"""The number of members who play on from each match."""

_SEATS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutMatch:
    """A match of a heat: one table, or several with the same people."""

    number: int
    """From 1: that of its first table."""
    tables: tuple[TableResult, ...]
    ranked: tuple[tuple[str, ...], ...]
    """Its members, the best first; partners together."""
    points: Mapping[str, Fraction]
    """By member: their points at these tables."""
    scores: Mapping[str, int]

    @property
    def members(self) -> tuple[str, ...]:
        """Its members, the best first."""
        return tuple(member for side in self.ranked for member in side)


def first_in(members: Sequence[str], seeds: Sequence[SeededMember], *, pairs: bool) -> tuple[str, ...]:
    """Return those of the members who begin a knockout, or play on in it, the best seeded first. Five cannot
    be split into tables of three and four, so that the last of them is out; of partners, both play or none.
    """
    known = {seed.member: seed for seed in seeds}
    ordered = [seed.member for seed in seeds if seed.member in members]
    ordered += [member for member in members if member not in known]
    if pairs:
        return tuple(each for each in ordered if each in known and known[each].partner in ordered)
    return tuple(ordered[:4] if len(ordered) == 5 else ordered)


def seat_heat(
    members: Sequence[str], seeds: Sequence[SeededMember], *, pairs: bool, teams: bool
) -> Seated | None:
    """Return the tables of a heat: the best meet the last. Of an odd number of pairs, the best one sits out
    and plays on. None: they are too few for a table.

    `members` stand in the order of their seeds.
    """
    if not pairs:
        if len(members) < 3:
            return None
        tables = deal_out(members, -(-len(members) // _SEATS))
        if teams:  # the best with the last, who sits opposite
            tables = [(one, two, four, three) for one, two, three, four in filter(_is_full, tables)] + [
                table for table in tables if not _is_full(table)
            ]
        return Seated(tuple(tables), ())
    partner = {seed.member: seed.partner for seed in seeds}
    sides = [member for member in members if _leads(member, partner[member], members)]
    if len(sides) < 2:
        return None
    out = sides[: len(sides) % 2]
    met = deal_out(sides[len(out) :], len(sides) // 2)
    tables = [(one, other, partner[one], partner[other]) for one, other in met]
    return Seated(tuple(tables), tuple(each for side in out for each in (side, partner[side])))


def deal_out(members: Sequence[str], tables: int) -> list[tuple[str, ...]]:
    """Return the members of each table: they are dealt out there and back, so that all tables are equally
    strong."""
    dealt: list[list[str]] = [[] for _ in range(tables)]
    for place, member in enumerate(members):
        row, column = divmod(place, tables)
        dealt[column if row % 2 == 0 else tables - 1 - column].append(member)
    return [tuple(each) for each in dealt]


def count_heats(people: int, *, pairs: bool) -> int:
    """Return how many heats a knockout of that many people has."""
    heats = 1
    while people > _SEATS:
        sides = people // 2
        people = (sides // 2 + sides % 2) * 2 if pairs else ADVANCING * -(-people // _SEATS)
        heats += 1
    return heats


def list_matches(result: NightResult, number: int) -> list[KnockoutMatch]:
    """Return the matches of a heat, from 0, as they stand."""
    assert result.final is not None
    heats, seeds = result.final.heats, result.final.seeds
    begins = heats[number].round
    later = heats[number + 1].round if number + 1 < len(heats) else len(result.tables) + begins
    tables = [each for each in result.tables if begins <= each.round < later]
    order = {seed.member: place for place, seed in enumerate(seeds)}
    first = [each for each in tables if each.round == heats[number].round]
    matches: list[list[TableResult]] = [[each] for each in first]
    for table in tables[len(first) :]:
        there = _find_owners(table)
        most = max(matches, key=lambda match: len(there & _find_owners(match[0])))
        most.append(table)
    return [_count(each, order) for each in matches]


def is_decided(match: KnockoutMatch, stage: Stage, playing: Sequence[str]) -> bool:
    """Return whether no table of a match is left to be played: all were, one pair has won most of them, or
    at most one of its people is left."""
    left = set(playing) & {*match.members, *_find_owners(match.tables[0])}
    if any(table.state == "running" for table in match.tables):
        return False
    if len(match.tables) >= stage.tables_per_match or len(left) < 2:
        return True
    if not match.tables[0].teams:
        return False
    won = [0, 0]
    for table in match.tables:
        if table.counts:
            first, second = points_at(table)[:2]
            won[0] += first > second
            won[1] += second > first
    return max(won) > stage.tables_per_match // 2


def choose_advancing(
    matches: Sequence[KnockoutMatch],
    resting: Sequence[str],
    playing: Sequence[str],
    seeds: Sequence[SeededMember],
) -> tuple[str, ...]:
    """Return who plays on after a heat, the best seeded first: two of each match, and who sat out. For
    somebody who has left, or whose seat a computer player has won, the best of those who are out plays on."""
    there = [[each for each in match.members if each in playing] for match in matches]
    on = [member for match in there for member in match[:ADVANCING]]
    places = sorted(
        (place, _find_seed(member, seeds), member)
        for match in there
        for place, member in enumerate(match)
        if place >= ADVANCING
    )
    missing = ADVANCING * len(matches) - len(on)
    on += [member for _, _, member in places[:missing]]
    on += [member for member in resting if member in playing]
    return tuple(sorted(on, key=lambda member: _find_seed(member, seeds)))


def list_places(result: NightResult) -> tuple[tuple[str, ...], ...]:
    """Return everybody of a knockout, the best first: who came further, then the place in the last match,
    then the seed. Partners share a place."""
    assert result.final is not None
    final, placed = result.final, list[tuple[str, ...]]()
    further: set[str] = set()
    for number in reversed(range(len(final.heats))):
        matches = list_matches(result, number)
        out: list[tuple[int, int, tuple[str, ...]]] = []
        met: set[str] = set()
        for match in matches:
            for place, side in enumerate(match.ranked):
                met |= {*side}
                left = tuple(each for each in side if each not in further)
                if left:
                    out.append((place, min(_find_seed(each, final.seeds) for each in left), left))
        for member in final.heats[number].members:  # they left, or the night ended before their table
            if member not in met | further:
                out.append((_SEATS, _find_seed(member, final.seeds), (member,)))
        placed += [side for _, _, side in sorted(out)]
        further |= met | {*final.heats[number].members}
    return tuple(placed)


def _count(tables: Sequence[TableResult], order: Mapping[str, int]) -> KnockoutMatch:
    """Return the match of these tables: by points, then by scores, then by seed."""
    points: dict[str, Fraction] = {}
    scores: dict[str, int] = {}
    side_of: dict[str, int] = {}
    for table in tables:
        for seat, (own, won) in enumerate(zip(table.seats, points_at(table), strict=True)):
            if not (member := own.member):
                continue
            points[member] = points.get(member, Fraction(0)) + (won if table.counts else 0)
            scores[member] = scores.get(member, 0) + (score_of(table, seat) if table.counts else 0)
            side_of.setdefault(member, seat % 2 if table.teams else len(side_of))
    sides: dict[int, list[str]] = {}
    for member in sorted(points, key=lambda each: order.get(each, len(order))):
        sides.setdefault(side_of[member], []).append(member)

    def how_good(side: list[str]) -> tuple[Fraction, int, int]:
        best = max((points[member], scores[member]) for member in side)
        return -best[0], -best[1], order.get(side[0], len(order))

    ranked = tuple(tuple(side) for side in sorted(sides.values(), key=how_good))
    number = tables[0].number
    return KnockoutMatch(number=number, tables=tuple(tables), ranked=ranked, points=points, scores=scores)


def _find_owners(table: TableResult) -> set[str]:
    return {seat.owner for seat in table.seats if seat.owner}


def _find_seed(member: str, seeds: Sequence[SeededMember]) -> int:
    return next((place for place, seed in enumerate(seeds) if seed.member == member), len(seeds))


def _leads(member: str, partner: str, members: Sequence[str]) -> bool:
    return members.index(member) < members.index(partner)


def _is_full(table: tuple[str, ...]) -> bool:
    return len(table) == _SEATS
