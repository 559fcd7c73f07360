"""A season's table from its results alone, counted by LEAGUE.md without the program's code.

Its input: who sat at the tables with which scores, who had a bye, who came late, what organisers did.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

HALF = Fraction(1, 2)
BYE = Fraction(3, 2)

Place = tuple[int, int]
"""A table of a night: the round and the table's number, from 1."""


@dataclass
class NightBook:
    """The records of a night, by people's names."""

    tables: dict[Place, list[tuple[str, int]]] = field(default_factory=dict)
    """Each seat's player, empty for a computer player, and their score: more is better."""
    byes: list[tuple[int, str]] = field(default_factory=list)
    late: list[tuple[int, str]] = field(default_factory=list)
    """Members who came too late for a round, with its number: they earn nothing there."""
    penalties: list[tuple[str, Fraction]] = field(default_factory=list)
    void: set[Place] = field(default_factory=set)

    def correct(self, place: Place, scores: Iterable[int]) -> None:
        """Set a table's scores, as an organiser does."""
        players = [player for player, _ in self.tables[place]]
        self.tables[place] = list(zip(players, scores, strict=True))

    def among(self, people: Collection[str]) -> "NightBook":
        """The same night, as far as it is about these people alone."""
        kept = {
            place: seats
            for place, seats in self.tables.items()
            if {name for name, _ in seats if name} <= set(people)
        }
        byes, late = ([each for each in list if each[1] in people] for list in (self.byes, self.late))
        penalties = [each for each in self.penalties if each[0] in people]
        return NightBook(kept, byes, late, penalties, self.void)

    def count(self) -> list[list[tuple[str, int]]]:
        """The tables that count."""
        return [seats for place, seats in self.tables.items() if place not in self.void]

    def at(self, seats: list[tuple[str, int]], seat: int) -> Fraction:
        """The points of a seat's rank: 3 · (players beaten + half of ties)/(n − 1)."""
        score = seats[seat][1]
        others = [other for at, (_, other) in enumerate(seats) if at != seat]
        beaten = sum(other < score for other in others) + HALF * others.count(score)
        return 3 * beaten / len(others)

    def points(self) -> dict[str, Fraction]:
        """Everybody's points of the night. Penalties are the season's."""
        points: defaultdict[str, Fraction] = defaultdict(Fraction)
        for seats in self.count():
            for seat, (player, _) in enumerate(seats):
                if player:
                    points[player] += self.at(seats, seat)
        for _, player in self.byes:
            points[player] += BYE
        for _, player in self.late:
            points[player] += 0
        return dict(points)

    def wins(self, player: str) -> int:
        """The number of tables that a player won alone."""
        return sum(
            all(score > other for at, (_, other) in enumerate(seats) if at != seat)
            for seats in self.count()
            for seat, (who, score) in enumerate(seats)
            if who == player
        )


@dataclass(frozen=True)
class Line:
    """A line of the table."""

    rank: int
    name: str
    points: Fraction
    wins: int
    score: int
    opponents: Fraction
    penalties: Fraction


def season_standings(nights: list[NightBook], best: int) -> list[Line]:
    """The season's lines, sorted by the points of the best nights; then tables won, scores, head to head,
    opponents' points, fewer penalties; then a shared rank, by name. All but meetings and penalties come from
    the nights that count."""
    totals = {name: _total(name, nights, best) for night in nights for name in night.points()}
    groups = _split([sorted(totals)], {name: total[0] for name, total in totals.items()})
    groups = _split(groups, {name: total[1] for name, total in totals.items()})
    groups = _split(groups, {name: total[2] for name, total in totals.items()})
    groups = [part for group in groups for part in _split([group], _among(group, nights))]
    groups = _split(groups, {name: total[3] for name, total in totals.items()})
    groups = _split(groups, {name: -total[4] for name, total in totals.items()})
    lines: list[Line] = []
    for group in groups:
        rank = len(lines) + 1
        lines += [Line(rank, name, *totals[name]) for name in group]
    return lines


Total = tuple[Fraction, int, int, Fraction, Fraction]


def _total(name: str, nights: list[NightBook], best: int) -> Total:
    """Points, tables won, score, the mean of the opponents' points, penalties."""
    there = [night for night in nights if name in night.points()]
    counted = sorted(there, key=lambda night: night.points()[name], reverse=True)[:best]
    scores = [score for night in counted for seats in night.count() for who, score in seats if who == name]
    faced = [points for night in counted for points in _faced(name, night)]
    fined = [penalty for night in nights for who, penalty in night.penalties if who == name]
    return (
        sum((night.points()[name] for night in counted), Fraction()) - sum(fined, Fraction()),
        sum(night.wins(name) for night in counted),
        sum(scores),
        sum(faced, Fraction()) / len(faced) if faced else Fraction(),
        sum(fined, Fraction()),
    )


def _faced(name: str, night: NightBook) -> list[Fraction]:
    """The points of each opponent at the end of the night."""
    earned = night.points()
    return [
        earned[other]
        for seats in night.count()
        if any(who == name for who, _ in seats)
        for other, _ in seats
        if other and other != name
    ]


def _among(group: list[str], nights: list[NightBook]) -> dict[str, Fraction]:
    """The results of tied members against each other, the mean of several meetings; empty unless all of them
    have met."""
    made = {name: Fraction() for name in group}
    for one in group:
        for other in group:
            if one == other:
                continue
            met = [
                Fraction((own > theirs) - (own < theirs))
                for night in nights
                for seats in night.count()
                for who, own in seats
                for whom, theirs in seats
                if (who, whom) == (one, other)
            ]
            if not met:
                return dict.fromkeys(group, Fraction())
            made[one] += sum(met, Fraction()) / len(met)
    return made


def _split(groups: list[list[str]], figures: Mapping[str, Fraction | int]) -> list[list[str]]:
    """Split each group of tied members by a figure, more first."""
    parted = []
    for group in groups:
        for figure in sorted({figures[name] for name in group}, reverse=True):
            parted.append([name for name in group if figures[name] == figure])
    return parted
